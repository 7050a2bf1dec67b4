/* Machine code as unwinders, gdb and perf see it. `--crash`: crashes in machine code, for gdb. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <frugal/frugal.h>

#include "jit/inspect.h"

#include "jit/children.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#    include <elf.h>
#    include <execinfo.h>
#    include <signal.h>
#    include <ucontext.h>
#    include <unwind.h>

/* ---- a type whose elements C reads: machine code, C, machine code -----------------------------
 */

struct item {
    int64_t    number;
    frugal_str name;
};
static const struct item item_defaults = { .name = { "none", 4 } };
FRUGAL_STRUCT_WITH(item, &item_defaults,
    FRUGAL_FIELD(item, number, 1),
    FRUGAL_FIELD(item, name,   2));

struct box {
    int32_t                  id;
    struct item              first;
    FRUGAL_LIST(struct item) items;
};
FRUGAL_STRUCT(box,
    FRUGAL_FIELD(box, id,    1),
    FRUGAL_FIELD(box, first, 2, struct(item)),
    FRUGAL_FIELD(box, items, 3, list(struct(item))));

static struct item items[2];
static struct box  box;
static uint8_t     bytes[256];
static size_t      bytes_size;

static void fill(void)
{
    items[0] = items[1] = (struct item){ 7, FRUGAL_STR("a name that is not short") };
    box = (struct box){ .id = 1, .first = { 2, FRUGAL_STR("x") }, .items = { items, 2 } };
}

/* The frame that must be found. What it calls is not in its tail. */
static NEVER_INLINE frugal_status encode_above(void)
{
    frugal_buf out;
    frugal_buf_init_fixed(&out, bytes, sizeof bytes);
    frugal_status status = frugal_encode(FRUGAL_VIEW(box, &box), NULL, &out, NULL);
    bytes_size           = out.size;
    return status;
}

static NEVER_INLINE frugal_status decode_above(void)
{
    struct box    read;
    frugal_arena *arena  = frugal_arena_new(NULL);
    frugal_status status = frugal_decode(
        FRUGAL_REF(box, &read), (frugal_bytes){ bytes, bytes_size }, arena, NULL, NULL, NULL);
    frugal_arena_free(arena);
    return status;
}

static NEVER_INLINE frugal_status measure_above(void)
{
    size_t        size;
    frugal_status status = frugal_encoded_size(FRUGAL_VIEW(box, &box), NULL, &size, NULL);
    return status ? status : size == bytes_size ? FRUGAL_OK : FRUGAL_INVALID;
}

/* ---- where machine code is --------------------------------------------------------------------
 */

/* gdb's list, as gdb sees it. */
struct entry {
    const struct entry *next, *previous;
    const uint8_t      *image;
    uint64_t            size;
};
extern struct {
    uint32_t            version, action;
    const struct entry *relevant, *first;
} __jit_debug_descriptor;

static const struct entry *first_entry(void)
{
    return __atomic_load_n(&__jit_debug_descriptor.first, __ATOMIC_ACQUIRE);
}

static Elf64_Shdr section_of(const struct entry *entry, unsigned index)
{
    Elf64_Ehdr header;
    Elf64_Shdr section;
    memcpy(&header, entry->image, sizeof header);
    memcpy(&section, entry->image + header.e_shoff + index * sizeof section, sizeof section);
    return section;
}

static bool is_machine_code(uintptr_t pc)
{
    for (const struct entry *entry = first_entry(); entry; entry = entry->next) {
        Elf64_Shdr text = section_of(entry, 1);
        if (pc - text.sh_addr < text.sh_size)
            return true;
    }
    return false;
}

/* ---- traces -------------------------------------------------------------------------------------
 */

typedef frugal_status        above_function(void);
static above_function       *expected;
static volatile unsigned     looked, lost, nested;
static volatile sig_atomic_t running;

/* Is the function above in a trace from here, and does machine code end where it should? */
static void look(void)
{
    void    *at[64];
    int      count = backtrace(at, 64), machine = 0;
    bool     found    = false;
    uint64_t function = (uintptr_t)expected;
    for (int i = 0; i < count; i++) {
        machine += is_machine_code((uintptr_t)at[i]);
        /* the address behind a call may belong to the next function already */
        void *enclosing = _Unwind_FindEnclosingFunction((uint8_t *)at[i] - 1);
        found           = found || (uintptr_t)enclosing == function;
    }
    looked++;
    nested += machine > 1;
    lost += !found;
}

static void in_children_only(int (*child)(void))
{
    int status = 0;
    NEEDS_CHILDREN();
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void crashed(int number)
{
    (void)number;
    look();
    _exit(lost ? 1 : 0);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler };
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static void break_it(void)
{
    items[1].name = (frugal_str){ (const char *)(uintptr_t)16, 40 };
}

static int crash_in_encoder(void)
{
    void *none[1];
    backtrace(none, 1); /* loads the unwinder, as its manual says */
    fill();
    expected = encode_above;
    handle(SIGSEGV, crashed);
    handle(SIGBUS, crashed);
    if (encode_above() != FRUGAL_OK)
        return 2;
    break_it();
    encode_above();
    return 3;
}

static void a_crash_in_machine_code_has_the_frame_above_it(void **state)
{
    (void)state;
    in_children_only(crash_in_encoder);
}

#    ifdef __x86_64__

/* The trap flag: the processor stops behind each instruction. */
#        define TRAP 0x100

static void stepped(int number, siginfo_t *info, void *context)
{
    ucontext_t *where = context;
    (void)number;
    (void)info;
    if (!running) {
        where->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
        return;
    }
    where->uc_mcontext.gregs[REG_EFL] |= TRAP;
    if (is_machine_code((uintptr_t)where->uc_mcontext.gregs[REG_RIP]))
        look();
}

static NEVER_INLINE void step_through(above_function *function)
{
    expected = function;
    running  = 1;
    raise(SIGTRAP);
    frugal_status status = function();
    running              = 0;
    raise(SIGTRAP);
    lost += status != FRUGAL_OK;
}

static int step_all(void)
{
    struct sigaction action = { .sa_sigaction = stepped, .sa_flags = SA_SIGINFO };
    above_function  *all[]  = { encode_above, decode_above, measure_above };
    void            *none[1];
    backtrace(none, 1);
    fill();
    for (unsigned i = 0; i < 3; i++)
        if (all[i]() != FRUGAL_OK)
            return 2;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTRAP, &action, NULL);
    for (unsigned i = 0; i < 3; i++)
        step_through(all[i]);
    fprintf(stderr, "%u traces, %u in machine code under machine code, %u lost\n", looked, nested,
            lost);
    return lost ? 1 : looked < 200 ? 4 : nested == 0 ? 5 : 0;
}

static void every_instruction_has_the_frame_above_it(void **state)
{
    (void)state;
    in_children_only(step_all);
}

#    endif

/* ---- gdb ------------------------------------------------------------------------------------- */

static void gdb_names_the_routine_and_its_caller(void **state)
{
    char  command[512], line[512];
    bool  routine = false, caller = false, refused = false, crash = false;
    FILE *output;
    (void)state;
    NEEDS_CHILDREN();
    if (system("command -v gdb >/dev/null 2>&1") != 0) {
        print_message("NOT TESTED: there is no gdb\n");
        skip();
    }
    snprintf(command, sizeof command,
             "DEBUGINFOD_URLS= gdb -nx -q -batch -ex run -ex bt --args /proc/%ld/exe --crash 2>&1",
             (long)getpid());
    output = popen(command, "r");
    assert_non_null(output);
    while (fgets(line, sizeof line, output)) {
        refused = refused || strstr(line, "ptrace: ") || strstr(line, "Couldn't get");
        crash   = crash || strstr(line, "SIGSEGV");
        routine = routine || strstr(line, "frugal:encode:");
        caller  = caller || strstr(line, "encode_above");
    }
    pclose(output);
    if (refused || !crash) {
        print_message("NOT TESTED: gdb cannot run a program here\n");
        skip();
    }
    assert_true(routine);
    assert_true(caller);
}

/* What a plan that is dropped leaves behind. */
static int drop_all(void)
{
    unsigned made = 0;
    fill();
    if (encode_above() || decode_above() || measure_above())
        return 2;
    for (const struct entry *entry = first_entry(); entry; entry = entry->next) {
        Elf64_Shdr symbols = section_of(entry, 3), text = section_of(entry, 1);
        uint64_t   end = 0;
        made++;
        if (entry->next && entry->next->previous != entry)
            return 3;
        if (memcmp(entry->image, ELFMAG, SELFMAG) != 0)
            return 4;
        for (uint64_t at = sizeof(Elf64_Sym); at < symbols.sh_size; at += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, entry->image + symbols.sh_offset + at, sizeof symbol);
            if (symbol.st_value != end) /* one behind the other */
                return 5;
            end = symbol.st_value + symbol.st_size;
        }
        if (end != text.sh_size)
            return 6;
    }
    if (made != 3)
        return 7;
    frugal_plan_drop(FRUGAL_TYPE(box));
    return first_entry() ? 8 : 0;
}

static void gdb_list_holds_what_lives_and_nothing_else(void **state)
{
    (void)state;
    in_children_only(drop_all);
}

/* ---- perf -------------------------------------------------------------------------------------
 */

static char map_path[64];

/* Lines "START SIZE NAME"; how many name something that is machine code here. */
static unsigned read_map(const char *name)
{
    unsigned count = 0;
    char     line[256], found[200];
    FILE    *map = fopen(map_path, "r");
    while (map && fgets(line, sizeof line, map)) {
        unsigned long start, size;
        if (sscanf(line, "%lx %lx %199s", &start, &size, found) == 3 && !strcmp(found, name)
            && is_machine_code(start) && is_machine_code(start + size - 1))
            count++;
    }
    if (map)
        fclose(map);
    return count;
}

static int write_map(void)
{
    struct stat what;
    snprintf(map_path, sizeof map_path, "/tmp/perf-%ld.map", (long)getpid());
    setenv("FRUGAL_PERF_MAP", "1", 1);
    fill();
    int result = encode_above() || decode_above() ? 2 : 0;
    if (!result && (stat(map_path, &what) || (what.st_mode & 0777) != 0600))
        result = 3;
    if (!result && (read_map("frugal:encode:box") != 1 || read_map("frugal:encode:item") != 1))
        result = 4;
    if (!result && (read_map("frugal:decode:box") != 1 || read_map("frugal:decode:box:enter") != 1))
        result = 5;
    unlink(map_path);
    return result;
}

static int write_no_map(void)
{
    snprintf(map_path, sizeof map_path, "/tmp/perf-%ld.map", (long)getpid());
    unsetenv("FRUGAL_PERF_MAP");
    fill();
    int result = encode_above() ? 2 : access(map_path, F_OK) == 0 ? 3 : 0;
    inspect_perf_map(true);
    if (!result && (decode_above() || read_map("frugal:decode:box") != 1))
        result = 4;
    unlink(map_path);
    return result;
}

/* Somebody else has put a link where the map would be. */
static int write_through_link(void)
{
    char        target[80];
    struct stat what;
    snprintf(map_path, sizeof map_path, "/tmp/perf-%ld.map", (long)getpid());
    snprintf(target, sizeof target, "%s.target", map_path);
    int file = open(target, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0 || symlink(target, map_path))
        return 2;
    close(file);
    inspect_perf_map(true);
    fill();
    int result = encode_above() ? 3 : stat(target, &what) || what.st_size ? 4 : 0;
    unlink(map_path);
    if (!result && link(target, map_path) == 0) { /* a second name */
        result = decode_above() ? 5 : stat(target, &what) || what.st_size ? 6 : 0;
        unlink(map_path);
    }
    unlink(target);
    return result;
}

static void perf_map_names_each_routine(void **state)
{
    (void)state;
    in_children_only(write_map);
}

static void perf_map_is_written_only_when_asked(void **state)
{
    (void)state;
    in_children_only(write_no_map);
}

static void perf_map_is_not_written_through_links(void **state)
{
    (void)state;
    in_children_only(write_through_link);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crash_in_machine_code_has_the_frame_above_it),
#    ifdef __x86_64__
        cmocka_unit_test(every_instruction_has_the_frame_above_it),
#    endif
        cmocka_unit_test(gdb_names_the_routine_and_its_caller),
        cmocka_unit_test(gdb_list_holds_what_lives_and_nothing_else),
        cmocka_unit_test(perf_map_names_each_routine),
        cmocka_unit_test(perf_map_is_written_only_when_asked),
        cmocka_unit_test(perf_map_is_not_written_through_links),
    };
    unsetenv("FRUGAL_JIT");
    if (count > 1 && strcmp(arguments[1], "--crash") == 0) {
        fill();
        encode_above();
        break_it();
        return (int)encode_above();
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    printf("NOT TESTED: there is no machine code on this CPU\n");
    return 0;
}

#endif
