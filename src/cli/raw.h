/* cli/raw.h - Binary fields as a tree, without an IDL: all that the bytes themselves say.
 *
 *   1: string = "hello"
 *   2: list<i32> = [1, 2, 3]
 *   3: struct = {
 *       1: bool = true
 *   }
 *
 * Everything that makes sense is printed before what does not is told. What is printed is bounded
 * by the options, and never moves a terminal's cursor. */
#ifndef CLI_RAW_H
#define CLI_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/shapes.h>
#include <frugal/status.h>

/* Where text goes. False: no more is wanted, the write failed. */
typedef bool raw_put(void *context, const void *bytes, size_t size);

/* All zeroes is a good default. */
typedef struct raw_options {
    size_t   text_max;  /* bytes of a string that are shown; 0 = 96 */
    size_t   items_max; /* elements or entries of a container; 0 = 32 */
    size_t   lines_max; /* of all that a printer prints; 0 = 2000 */
    uint32_t depth_max; /* 0 = 64, at most FRUGAL_DEPTH_MAX */
    bool     all;       /* no bounds but depth_max */
} raw_options;

typedef struct raw_printer {
    raw_options options; /* defaults filled in */
    raw_put    *put;
    void       *context;
    bool        failed; /* put said no; nothing more is printed */
    size_t      lines;  /* that may still be printed */
    bool        hidden; /* something was left out, because of any bound */
} raw_printer;

void raw_init(raw_printer *printer, const raw_options *options, raw_put *put, void *context);

/* Prints the fields of the struct at the front of `input`, each on lines of its own that begin with
 * 4 * `indent` blanks. `*used` (may be NULL): how long it is, also on failure: up to where it made
 * sense. The error has the offset in `input` and a path of ids, `3.1[7]`: status and words as
 * frugal_skip. */
frugal_status raw_print(raw_printer *printer, frugal_bytes input, unsigned indent, size_t *used,
                        frugal_error *error);

/* ---- pieces, for what stands around fields -------------------------------------------------- */

void                                       raw_text(raw_printer *printer, const char *text);
__attribute__((format(printf, 2, 3))) void raw_format(raw_printer *printer, const char *format,
                                                      ...);

/* Begins a line: false, and nothing printed, when there may be no more. */
bool raw_line(raw_printer *printer, unsigned indent);

/* Text in quotes, what could move the cursor escaped; what is no text as 0x0102ff. Long ones are
 * cut, with the count of all bytes behind. */
void raw_string(raw_printer *printer, frugal_bytes bytes);

/* As 0x0102ff, cut as above. */
void raw_hex(raw_printer *printer, frugal_bytes bytes);

#endif /* CLI_RAW_H */
