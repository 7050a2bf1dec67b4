/* jit/pages.c - anonymous memory, written, then executable; or a sealed memfd, mapped.
 *
 * What is hard here is to tell a refusal, which will not change and is remembered, from scarcity,
 * which passes. */
#define _GNU_SOURCE
#include "jit/pages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/allocator.h"
#include "core/bytes.h"

#if defined(__x86_64__) || defined(__i386__)
#    define FILLER 0xcc /* int3 */
#else
#    define FILLER 0 /* udf 0 of AArch64 */
#endif

#ifndef MAP_ANONYMOUS
#    define MAP_ANONYMOUS MAP_ANON
#endif

/* The ways in their order; a process goes on to the next when one is refused, and never back. */
typedef enum pages_way { BY_FLIP, BY_MEMFD, REFUSED } pages_way;
static pages_way way;
static int       flip_errno; /* what the first one said */
static char      refusal[160];
static int       refusal_written, made_once;

/* ---- what the kernel says ------------------------------------------------------------------- */

static bool is_scarcity(int error)
{
    return error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE
           || error == ENOSPC || error == EINTR;
}

/* strerror depends on the locale. */
static const char *name_of(int error)
{
    switch (error) {
    case EACCES: return "EACCES";
    case EPERM: return "EPERM";
    case ENOSYS: return "ENOSYS";
    case EINVAL: return "EINVAL";
    case ENOTSUP: return "ENOTSUP";
    default: return "another error";
    }
}

/* Every way is refused, the last one by `call`. One thread writes the text; until it has, others
 * see no reason yet. */
static void refuse(const char *call, int error)
{
    if (__atomic_exchange_n(&refusal_written, 1, __ATOMIC_ACQ_REL))
        return;
    int first = __atomic_load_n(&flip_errno, __ATOMIC_ACQUIRE);
    snprintf(refusal, sizeof refusal,
             "no executable memory: mprotect says %s (%d), %s says %s (%d)", name_of(first), first,
             call, name_of(error), error);
    __atomic_store_n(&way, REFUSED, __ATOMIC_RELEASE);
}

const char *pages_refusal(void)
{
    return __atomic_load_n(&way, __ATOMIC_ACQUIRE) == REFUSED ? refusal : NULL;
}

/* ---- the two ways --------------------------------------------------------------------------- */

static bool flip(void *memory, size_t size)
{
    if (mprotect(memory, size, PROT_READ | PROT_EXEC) == 0)
        return true;
    if (!is_scarcity(errno)) {
        __atomic_store_n(&flip_errno, errno, __ATOMIC_RELEASE);
        pages_way from = BY_FLIP;
        __atomic_compare_exchange_n(&way, &from, BY_MEMFD, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
    }
    return false;
}

#ifdef MFD_ALLOW_SEALING

#    ifndef MFD_EXEC
#        define MFD_EXEC 0x0010u
#    endif

static int new_memfd(void)
{
    unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int      file  = memfd_create("frugal", flags | MFD_EXEC);
    return file < 0 && errno == EINVAL ? memfd_create("frugal", flags) : file; /* before 6.3 */
}

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size) {
        ssize_t wrote = write(file, bytes, size);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return false;
        bytes += wrote;
        size -= (size_t)wrote;
    }
    return true;
}

/* A private executable mapping of a copy of the bytes; there is never a writable one, and the seals
 * keep anybody from writing into the file. NULL: `*call` failed with errno. */
static void *map_copy(const uint8_t *bytes, size_t size, const char **call)
{
    void *memory = MAP_FAILED;
    int   file   = new_memfd();
    *call        = "memfd_create";
    if (file < 0)
        return NULL;
    *call = "write to a memfd";
    if (write_all(file, bytes, size)) {
        *call = "sealing a memfd";
        if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)
            == 0) {
            *call  = "mmap of a memfd";
            memory = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
        }
    }
    int error = errno;
    close(file);
    errno = error;
    return memory == MAP_FAILED ? NULL : memory;
}

#else

static void *map_copy(const uint8_t *bytes, size_t size, const char **call)
{
    (void)bytes, (void)size;
    *call = "this system has no memfd, which";
    errno = ENOSYS;
    return NULL;
}

#endif

/* ---- regions -------------------------------------------------------------------------------- */

/* Writable memory with all units in it, each told where it will be; NULL: there is none. */
static uint8_t *compose(const pages_unit *units, size_t count, size_t *reserved)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        if (units[i].size > SIZE_MAX / 2 - size)
            return NULL;
        size = align_up(size + units[i].size, PAGES_ALIGN);
    }
    size          = align_up(size ? size : 1, page);
    uint8_t *base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED)
        return NULL;
    memset(base, FILLER, size);
    for (size_t i = 0; i < count; i++) {
        memcpy(base + at, units[i].bytes, units[i].size);
        at = align_up(at + units[i].size, PAGES_ALIGN);
    }
    *reserved = size;
    return base;
}

/* The same bytes executable, here or somewhere else; NULL, and the memory is gone: scarcity or
 * refusal. */
static uint8_t *seal(uint8_t *memory, size_t size)
{
    if (__atomic_load_n(&way, __ATOMIC_ACQUIRE) == BY_FLIP && flip(memory, size))
        return memory;
    uint8_t *copy = NULL;
    if (__atomic_load_n(&way, __ATOMIC_ACQUIRE) == BY_MEMFD) {
        const char *call;
        copy = map_copy(memory, size, &call);
        if (copy == NULL && !is_scarcity(errno))
            refuse(call, errno);
    }
    munmap(memory, size);
    return copy;
}

pages_region *pages_new(pages_unit *units, size_t count, const frugal_allocator *allocator)
{
    allocator = allocator_or_malloc(allocator);
    if (count == 0 || count > UINT32_MAX || pages_refusal())
        return NULL;
    pages_region *region = allocator_resize(allocator, NULL, 0, sizeof *region);
    if (region == NULL)
        return NULL;
    *region      = (pages_region){ .references = (uint32_t)count, .allocator = allocator };
    region->base = compose(units, count, &region->size);
    if (region->base)
        region->base = seal(region->base, region->size);
    if (region->base == NULL) {
        allocator_resize(allocator, region, sizeof *region, 0);
        return NULL;
    }
    __builtin___clear_cache((char *)region->base, (char *)region->base + region->size);
    uint8_t *code = region->base;
    for (size_t i = 0; i < count; i++) {
        units[i].code = code;
        code += align_up(units[i].size, PAGES_ALIGN);
    }
    __atomic_store_n(&made_once, 1, __ATOMIC_RELAXED);
    return region;
}

void pages_free(pages_region *region)
{
    if (region == NULL || __atomic_sub_fetch(&region->references, 1, __ATOMIC_ACQ_REL))
        return;
    munmap(region->base, region->size);
    allocator_resize(region->allocator, region, sizeof *region, 0);
}

bool pages_allowed(void)
{
    if (!__atomic_load_n(&made_once, __ATOMIC_RELAXED) && !pages_refusal()) {
        pages_unit nothing = { "", 1, NULL };
        pages_free(pages_new(&nothing, 1, NULL));
    }
    return pages_refusal() == NULL;
}
