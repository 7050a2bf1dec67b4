/* What a kernel refuses is refused in children; one that has no such refusal is told, in a message,
 * and skipped. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jit/pages.h"

#include "jit/children.h"

#ifdef __linux__
#    include <linux/filter.h>
#    include <linux/seccomp.h>
#    include <sys/prctl.h>
#    include <sys/syscall.h>
#endif

/* ---- small routines ------------------------------------------------------------------------- */

/* A function that returns `number`, below 256; its size. */
static size_t put_function(uint8_t *to, unsigned number)
{
#if defined(__aarch64__)
    uint32_t words[] = { 0x52800000 | number << 5, 0xd65f03c0 };
    memcpy(to, words, sizeof words);
    return sizeof words;
#else
    const uint8_t bytes[] = { 0xb8, (uint8_t)number, 0, 0, 0, 0xc3 };
    memcpy(to, bytes, sizeof bytes);
    return sizeof bytes;
#endif
}

/* What the function returns; its number where this CPU cannot run it. */
static int run(const void *code, unsigned number)
{
#if defined(__aarch64__) || defined(__x86_64__)
    int (*function)(void);
    (void)number;
    memcpy(&function, &code, sizeof function);
    return function();
#else
    uint8_t bytes[16];
    size_t  size = put_function(bytes, number);
    return memcmp(code, bytes, size) == 0 ? (int)number : -1;
#endif
}

static pages_region *make_one(unsigned number, const void **code)
{
    uint8_t       bytes[16];
    pages_unit    unit   = { bytes, put_function(bytes, number), NULL };
    pages_region *region = pages_new(&unit, 1, NULL);
    *code                = unit.code;
    return region;
}

static bool works(unsigned number)
{
    const void   *code;
    pages_region *region = make_one(number, &code);
    bool          right  = region && run(code, number) == (int)number;
    pages_free(region);
    return right;
}

/* ---- what is mapped ------------------------------------------------------------------------- */

typedef struct seen {
    bool found, executable, writable, private, memfd;
    bool both; /* any mapping of the process is writable and executable */
} seen;

static seen look_at(const void *address)
{
    char  line[512];
    seen  result = { 0 };
    FILE *maps   = fopen("/proc/self/maps", "r");
    if (maps == NULL)
        return result;
    while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char          mode[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, mode) != 3)
            continue;
        result.both |= mode[1] == 'w' && mode[2] == 'x';
        if ((uintptr_t)address < from || (uintptr_t)address >= to)
            continue;
        result.found      = true;
        result.writable   = mode[1] == 'w';
        result.executable = mode[2] == 'x';
        result.private    = mode[3] == 'p';
        result.memfd      = strstr(line, "memfd:") != NULL;
    }
    fclose(maps);
    return result;
}

static unsigned open_files(void)
{
    unsigned count  = 0;
    DIR     *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

/* ---- children ------------------------------------------------------------------------------- */

/* A child fails by the line that is its exit code, or has nothing to test: LACKS. */
#define LACKS 255
#define MUST(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            return 1;                                                       \
        }                                                                   \
    } while (0)

static void in_child(int (*function)(void), const char *lacking)
{
    int status = 0;
    NEEDS_CHILDREN();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(function());
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == LACKS) {
        print_message("NOT TESTED: this kernel lacks %s\n", lacking);
        skip();
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#ifdef __linux__

/* Headers are older than this. */
#    define MDWE_SET         65
#    define MDWE_REFUSE_GAIN 1ul

static bool refuse_gain(void)
{
    return prctl(MDWE_SET, MDWE_REFUSE_GAIN, 0ul, 0ul, 0ul) == 0;
}

#    define LOAD(member)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#    define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#    if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#        define THIRD args[2]
#    else
#        define THIRD args[2] + 4
#    endif

static bool filter(const struct sock_filter *rules, size_t count)
{
    struct sock_fprog program = { (unsigned short)count, (struct sock_filter *)(uintptr_t)rules };
    return prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0ul, 0ul, 0ul) == 0
           && prctl(PR_SET_SECCOMP, (unsigned long)SECCOMP_MODE_FILTER, &program, 0ul, 0ul) == 0;
}

/* mprotect and mmap that make something executable get `answer`. */
static bool forbid_executable(uint32_t answer)
{
    const struct sock_filter rules[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
        LOAD(THIRD),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 4 /* PROT_EXEC */, 0, 1),
        ANSWER(answer),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    return filter(rules, sizeof rules / sizeof *rules);
}

/* No further attempt may be made. */
static bool forbid_memfd(void)
{
    const struct sock_filter rules[] = {
        LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    return filter(rules, sizeof rules / sizeof *rules);
}

static int hardened(void)
{
    unsigned    files = open_files();
    const void *code;
    if (!refuse_gain())
        return LACKS;
    pages_region *region = make_one(7, &code);
    MUST(region);
    seen mapped = look_at(code);
    MUST(mapped.memfd && mapped.executable && mapped.private && !mapped.writable && !mapped.both);
    MUST(run(code, 7) == 7);
    MUST(open_files() == files);
    MUST(pages_refusal() == NULL && pages_allowed());
    pages_free(region);
    MUST(!look_at(code).memfd);
    MUST(works(8));
    return 0;
}

static int hardened_without_files(void)
{
    struct rlimit before, none;
    if (!refuse_gain())
        return LACKS;
    MUST(getrlimit(RLIMIT_NOFILE, &before) == 0);
    none          = before;
    none.rlim_cur = 0;
    MUST(setrlimit(RLIMIT_NOFILE, &none) == 0);
    MUST(!works(1));
    MUST(pages_refusal() == NULL);
    MUST(setrlimit(RLIMIT_NOFILE, &before) == 0);
    MUST(works(2));
    return 0;
}

/* Parent and child of fork execute what was mapped from a memfd, and each makes more. */
static int hardened_and_forked(void)
{
    const void *code;
    int         status;
    if (!refuse_gain())
        return LACKS;
    pages_region *region = make_one(9, &code);
    MUST(region);
    pid_t child = fork();
    if (child == 0) {
        bool good = run(code, 9) == 9 && works(10);
        pages_free(region);
        _exit(good ? 0 : 1);
    }
    MUST(waitpid(child, &status, 0) == child && status == 0);
    MUST(run(code, 9) == 9 && works(11));
    pages_free(region);
    return 0;
}

static int forbidden(void)
{
    unsigned files = open_files();
    if (!forbid_executable(SECCOMP_RET_ERRNO | EPERM))
        return LACKS;
    MUST(pages_refusal() == NULL);
    MUST(!works(1));
    MUST(pages_refusal() != NULL);
    MUST(strcmp(pages_refusal(), "no executable memory: mprotect says EPERM (1), mmap of a memfd "
                                 "says EPERM (1)")
         == 0);
    MUST(!pages_allowed());
    MUST(open_files() == files);
    MUST(forbid_executable(SECCOMP_RET_KILL_PROCESS) && forbid_memfd());
    MUST(!works(2) && !pages_allowed()); /* or the kernel kills */
    return 0;
}

static int forbidden_is_found_out(void)
{
    if (!forbid_executable(SECCOMP_RET_ERRNO | EACCES))
        return LACKS;
    MUST(!pages_allowed());
    MUST(strstr(pages_refusal(), "EACCES"));
    return 0;
}

static void where_gain_is_refused_code_comes_from_a_sealed_memfd(void **state)
{
    (void)state;
    in_child(hardened, "PR_SET_MDWE");
}

static void too_many_open_files_are_no_refusal(void **state)
{
    (void)state;
    in_child(hardened_without_files, "PR_SET_MDWE");
}

static void a_forked_process_executes_memfd_code_and_makes_its_own(void **state)
{
    (void)state;
    in_child(hardened_and_forked, "PR_SET_MDWE");
}

static void a_refusal_has_a_reason_and_is_final(void **state)
{
    (void)state;
    in_child(forbidden, "seccomp filters");
}

static void a_refusal_is_found_out_by_asking(void **state)
{
    (void)state;
    in_child(forbidden_is_found_out, "seccomp filters");
}

#endif /* __linux__ */

/* ---- everywhere ----------------------------------------------------------------------------- */

static void a_region_is_executable_and_not_writable(void **state)
{
    const void   *code;
    pages_region *region = make_one(42, &code);
    (void)state;
    assert_non_null(region);
    assert_int_equal(run(code, 42), 42);
    seen mapped = look_at(code);
    if (mapped.found) {
        assert_true(mapped.executable && mapped.private);
        assert_false(mapped.writable);
        assert_false(mapped.both);
    }
    pages_free(region);
    assert_false(look_at(code).executable);
}

static void units_of_a_batch_share_pages_until_the_last_is_freed(void **state)
{
    enum { COUNT = 200 };
    static uint8_t bytes[COUNT][16];
    pages_unit     units[COUNT];
    (void)state;
    for (unsigned i = 0; i < COUNT; i++)
        units[i] = (pages_unit){ bytes[i], put_function(bytes[i], i), NULL };
    pages_region *region = pages_new(units, COUNT, NULL);
    assert_non_null(region);
    assert_true(region->size < COUNT * PAGES_ALIGN + (size_t)sysconf(_SC_PAGESIZE));
    for (unsigned i = 0; i < COUNT; i++) {
        const uint8_t *code = units[i].code;
        assert_int_equal((uintptr_t)code % PAGES_ALIGN, 0);
        assert_true(code >= region->base && code + units[i].size <= region->base + region->size);
        assert_int_equal(run(code, i), i);
    }
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(run(units[COUNT - 1].code, COUNT - 1), COUNT - 1);
        pages_free(region);
    }
    assert_false(look_at(units[0].code).executable);
}

static void *refuse_memory(void *context, void *ptr, size_t old_size, size_t size)
{
    (void)context, (void)ptr, (void)old_size, (void)size;
    return NULL;
}

static void no_memory_is_no_refusal(void **state)
{
    frugal_allocator none = { refuse_memory, NULL };
    uint8_t          bytes[16];
    pages_unit       unit = { bytes, put_function(bytes, 1), NULL };
    (void)state;
    assert_null(pages_new(&unit, 1, &none));
    unit.size = SIZE_MAX - 1;
    assert_null(pages_new(&unit, 1, NULL));
    assert_null(pages_new(&unit, 0, NULL));
    assert_null(pages_refusal());
    assert_true(works(1));
    pages_free(NULL);
}

static int without_address_space(void)
{
    struct rlimit before, none;
    MUST(getrlimit(RLIMIT_AS, &before) == 0);
    none          = before;
    none.rlim_cur = 1;
    if (setrlimit(RLIMIT_AS, &none) != 0)
        return LACKS;
    bool worked = works(1);
    MUST(setrlimit(RLIMIT_AS, &before) == 0);
    if (worked)
        return LACKS; /* an emulator does not count */
    MUST(pages_refusal() == NULL);
    MUST(works(2));
    return 0;
}

static void no_address_space_is_no_refusal(void **state)
{
    (void)state;
    in_child(without_address_space, "limits of address space");
}

static const void   *parents_code;
static pages_region *parents_region;

static int forked(void)
{
    MUST(run(parents_code, 5) == 5);
    MUST(works(6));
    seen mapped = look_at(parents_code);
    MUST(!mapped.both && !mapped.writable);
    pages_free(parents_region);
    return 0;
}

static void a_forked_process_executes_code_and_makes_its_own(void **state)
{
    (void)state;
    parents_region = make_one(5, &parents_code);
    assert_non_null(parents_region);
    in_child(forked, "fork");
    assert_int_equal(run(parents_code, 5), 5);
    pages_free(parents_region);
}

static void allowed_here(void **state)
{
    (void)state;
    assert_true(pages_allowed());
    assert_null(pages_refusal());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef __linux__ /* first, so that the child has not seen its parent succeed */
        cmocka_unit_test(a_refusal_is_found_out_by_asking),
#endif
        cmocka_unit_test(allowed_here),
        cmocka_unit_test(a_region_is_executable_and_not_writable),
        cmocka_unit_test(units_of_a_batch_share_pages_until_the_last_is_freed),
        cmocka_unit_test(no_memory_is_no_refusal),
        cmocka_unit_test(no_address_space_is_no_refusal),
        cmocka_unit_test(a_forked_process_executes_code_and_makes_its_own),
#ifdef __linux__
        cmocka_unit_test(where_gain_is_refused_code_comes_from_a_sealed_memfd),
        cmocka_unit_test(too_many_open_files_are_no_refusal),
        cmocka_unit_test(a_forked_process_executes_memfd_code_and_makes_its_own),
        cmocka_unit_test(a_refusal_has_a_reason_and_is_final),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
