/* core/status.h - filling in an error: sentence and path, at fixed size, without allocating. */
#ifndef CORE_STATUS_H
#define CORE_STATUS_H

#include <frugal/shapes.h>
#include <frugal/status.h>

/* Fills `error` (may be NULL) and returns `status`, so that a failure is one line. The path is
 * emptied; a sentence that is too long is cut. */
__attribute__((format(printf, 3, 4))) frugal_status error_set(frugal_error *error,
                                                              frugal_status status,
                                                              const char   *format, ...);

/* What stands behind a noun: "1 byte", "2 bytes". */
static inline const char *plural_s(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* A path is built from its end, while calls return: each level puts itself in front. When the
 * buffer is full the front is given up and "…" stands for it, so that the place nearest to the
 * fault stays. */
typedef struct path_builder {
    char     text[96]; /* the path is text + start, with a NUL at the end */
    uint32_t start;
    bool     cut;
} path_builder;

void path_init(path_builder *path);
void path_prepend(path_builder *path, const char *text, size_t len);

/* Puts a field's name in front, and a dot behind it unless what follows begins with [ or {. */
void path_prepend_name(path_builder *path, const char *name);
void path_prepend_index(path_builder *path, size_t index);

/* Copies the path into the error. `error` may be NULL. */
void path_finish(const path_builder *path, frugal_error *error);

#endif /* CORE_STATUS_H */
