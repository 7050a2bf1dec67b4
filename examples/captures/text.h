/* text.h - words for people: the example's own errors, and text that strangers wrote. */
#ifndef TEXT_H
#define TEXT_H

#include <stdio.h>

#include <frugal/frugal.h>

/* Fills `error` as the library does, and returns `status`. */
frugal_status error_say(frugal_error *error, frugal_status status, size_t offset,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Prints `size` bytes; what is not printable ASCII becomes a dot, so that nobody's text moves the
 * cursor of the reader's terminal. `out` NULL is nothing to do. */
void text_print(FILE *out, const void *bytes, size_t size);

#endif /* TEXT_H */
