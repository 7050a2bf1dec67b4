/* jit/inspect.c - names, the map of perf, and who is told of a unit. */
#define _GNU_SOURCE
#include "jit/inspect.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/allocator.h"
#include "jit/unwind.h"

/* ---- names ---------------------------------------------------------------------------------- */

static const char *const kind_names[JIT_KINDS] = { "decode", "decode-views", "encode", "size" };

void inspect_name(const struct plan *plan, jit_kind kind, uint32_t routine, char *name, size_t size)
{
    const char *kind_name = kind_names[kind], *root = plan->type->name;
    if (routine == JIT_NO_OFFSET)
        snprintf(name, size, "frugal:%s:%s:enter", kind_name, root);
    else if (plan->routines[routine].type)
        snprintf(name, size, "frugal:%s:%s", kind_name, plan->routines[routine].type->name);
    else /* an element, an entry, an arm */
        snprintf(name, size, "frugal:%s:%s:%u", kind_name, root, (unsigned)routine);
    for (; *name; name++)
        if ((unsigned char)*name <= ' ' || *name == 0x7f)
            *name = '_';
}

/* ---- perf ----------------------------------------------------------------------------------- */

enum { UNKNOWN, UNWANTED, WANTED };
static int perf_wanted;

void inspect_perf_map(bool wanted)
{
    __atomic_store_n(&perf_wanted, wanted ? WANTED : UNWANTED, __ATOMIC_RELAXED);
}

/* A program that runs with more rights than its caller writes no file because of the caller's
 * environment. */
static const char *environment(const char *name)
{
#ifdef __GLIBC__
    return secure_getenv(name);
#else
    return getuid() == geteuid() && getgid() == getegid() ? getenv(name) : NULL;
#endif
}

static bool is_perf_wanted(void)
{
    int wanted = __atomic_load_n(&perf_wanted, __ATOMIC_RELAXED);
    if (wanted == UNKNOWN) {
        const char *map = environment("FRUGAL_PERF_MAP"), *jit = environment("FRUGAL_JIT");
        wanted = (map && !strcmp(map, "1")) || (jit && !strcmp(jit, "dump")) ? WANTED : UNWANTED;
        int unknown = UNKNOWN;
        if (!__atomic_compare_exchange_n(&perf_wanted, &unknown, wanted, false, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED))
            wanted = unknown;
    }
    return wanted == WANTED;
}

/* Where perf looks. Nobody else's file, and no link to one: /tmp is everybody's. */
static int open_map(void)
{
    char        path[64];
    struct stat what;
    snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int file =
        open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file >= 0
        && (fstat(file, &what) || !S_ISREG(what.st_mode) || what.st_uid != geteuid()
            || what.st_nlink != 1)) {
        close(file);
        return -1;
    }
    return file;
}

/* Routines follow each other in their order, behind what C calls. */
static uint32_t begin_of(const jit_compiler *c, uint32_t routine)
{
    if (routine >= c->plan->routine_count)
        return c->code.size;
    return c->code.labels[c->routines[routine]];
}

static void write_map(const jit_compiler *c, jit_kind kind, const uint8_t *base)
{
    frugal_buf lines;
    int        file = open_map();
    if (file < 0)
        return;
    frugal_buf_init(&lines, NULL, 0, c->code.allocator);
    uint32_t at = 0;
    for (uint32_t i = 0; i <= c->plan->routine_count; i++) {
        char     name[INSPECT_NAME_MAX], line[INSPECT_NAME_MAX + 40];
        uint32_t end = begin_of(c, i);
        inspect_name(c->plan, kind, i ? i - 1 : JIT_NO_OFFSET, name, sizeof name);
        int len = snprintf(line, sizeof line, "%llx %x %s\n",
                           (unsigned long long)((uintptr_t)base + at), (unsigned)(end - at), name);
        if (len > 0 && frugal_buf_append(&lines, line, (size_t)len))
            break;
        at = end;
    }
    /* at once, so that lines of two threads do not mix; when it is cut, perf lacks a name */
    ssize_t wrote = write(file, lines.data, lines.size);
    (void)wrote;
    close(file);
    frugal_buf_release(&lines);
}

/* ---- gdb ------------------------------------------------------------------------------------ */

/* The interface is gdb's ("JIT Compilation Interface"), names included: it reads the list, and
 * stops in the function. */
typedef struct gdb_entry {
    struct gdb_entry *next, *previous;
    const void       *image;
    uint64_t          image_size;
} gdb_entry;

typedef struct gdb_list {
    uint32_t   version, action;
    gdb_entry *relevant, *first;
} gdb_list;

enum { GDB_REGISTER = 1, GDB_UNREGISTER = 2 };

void     __jit_debug_register_code(void);
gdb_list __jit_debug_descriptor = { 1, 0, NULL, NULL };

NEVER_INLINE void __jit_debug_register_code(void)
{
    __asm__ volatile("" ::: "memory");
}

struct inspect_unit {
    gdb_entry               gdb;
    const frugal_allocator *allocator;
    size_t                  size; /* of this block */
    void (*forget)(void *frames); /* NULL: the unwinder was not told */
    uint32_t frames_size;
    uint8_t  frames[UNWIND_MAX];
    uint8_t  image[];
};

/* Who changes the list: a process, since a child of fork inherits a lock whose holder it has not.
 */
static int list_owner;

static void lock_list(void)
{
    int self = (int)getpid(), owner = 0;
    while (!__atomic_compare_exchange_n(&list_owner, &owner, self, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        if (owner == self) {
            sched_yield();
            owner = 0;
        }
    }
}

static void unlock_list(void)
{
    __atomic_store_n(&list_owner, 0, __ATOMIC_RELEASE);
}

static void tell_gdb(gdb_entry *entry, uint32_t action)
{
    gdb_list *list = &__jit_debug_descriptor;
    lock_list();
    if (action == GDB_REGISTER) {
        entry->next = list->first;
        if (list->first)
            list->first->previous = entry;
        list->first = entry;
    } else {
        if (entry->next)
            entry->next->previous = entry->previous;
        *(entry->previous ? &entry->previous->next : &list->first) = entry->next;
    }
    list->relevant = entry;
    list->action   = action;
    __jit_debug_register_code();
    list->relevant = NULL;
    list->action   = 0;
    unlock_list();
}

/* ---- unwinders ------------------------------------------------------------------------------ */

/* libgcc's, when the program has them: libc alone is enough. */
void         __register_frame(void *frames) __attribute__((weak));
void         __deregister_frame(void *frames) __attribute__((weak));
typedef void frames_call(void *frames);

static void find_unwinder(frames_call **tell, frames_call **forget)
{
    *tell   = __register_frame;
    *forget = __deregister_frame;
}

static void tell_unwinder(inspect_unit *unit)
{
    frames_call *tell, *forget;
    if (unit->frames_size == 0)
        return;
    find_unwinder(&tell, &forget);
    if (tell && forget) {
        tell(unit->frames);
        unit->forget = forget;
    }
}

/* ---- told ----------------------------------------------------------------------------------- */

inspect_unit *inspect_made(const jit_compiler *c, jit_kind kind, const void *base)
{
    uint8_t  frames[UNWIND_MAX];
    uint32_t frames_size = unwind_write(c, base, frames);
    size_t   image_size  = inspect_image(c, kind, base, frames, frames_size, NULL);
    size_t   size        = sizeof(inspect_unit) + image_size;
    if (is_perf_wanted())
        write_map(c, kind, base);
    inspect_unit *unit = allocator_resize(c->code.allocator, NULL, 0, size);
    if (unit == NULL)
        return NULL;
    *unit = (inspect_unit){ .allocator   = c->code.allocator,
                            .size        = size,
                            .frames_size = frames_size,
                            .gdb         = { NULL, NULL, unit->image, image_size } };
    memcpy(unit->frames, frames, frames_size);
    inspect_image(c, kind, base, frames, frames_size, unit->image);
    tell_unwinder(unit);
    if (image_size)
        tell_gdb(&unit->gdb, GDB_REGISTER);
    return unit;
}

void inspect_gone(inspect_unit *unit)
{
    if (unit == NULL)
        return;
    if (unit->gdb.image_size)
        tell_gdb(&unit->gdb, GDB_UNREGISTER);
    if (unit->forget)
        unit->forget(unit->frames);
    allocator_resize(unit->allocator, unit, unit->size, 0);
}
