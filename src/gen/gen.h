/* gen/gen.h - C text from an IDL: structs that are plain C, and the tables that describe them.
 *
 * Input is a loaded schema, its syntax tree together with its lowered descriptors: names, comments
 * and order come from the tree, everything about memory (what is behind a pointer, where a .has
 * stands, what a default is) from the descriptors. So what is printed is what frugal_schema_load
 * made, and cannot drift from it. Docs: docs/rooms/gen.md. */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include <stdbool.h>

#include <frugal/memory.h>
#include <frugal/schema.h>
#include <frugal/status.h>

/* Bytes: constants made of constants grow exponentially. */
#define GEN_SIZE_MAX ((size_t)256 << 20)

/* All zeroes is a good default. */
typedef struct gen_options {
    const char             *prefix; /* of all names of the root file; NULL: namespace c, or file */
    bool                    no_tables;  /* structs alone: a header, no C file */
    bool                    keep_names; /* prefix_DivByZero, prefix_Op_ADD, not in words */
    bool                    recursive;  /* the included files, too, not the root alone */
    size_t                  size_max;   /* of all that one call writes, 0 = GEN_SIZE_MAX */
    const frugal_allocator *allocator;  /* NULL: malloc and free */
} gen_options;

/* Takes one whole file; both are views for the time of the call. What it returns, unless FRUGAL_OK,
 * ends the writing; it fills `error` then. */
typedef frugal_status gen_file_writer(const char *name, frugal_str text, void *context,
                                      frugal_error *error);
typedef struct gen_sink {
    gen_file_writer *write;
    void            *context;
} gen_sink;

/* Hands NAME.h and NAME.c of the root file to the sink, under `recursive` those of all files. The
 * same schema gives the same bytes. `options` NULL: defaults. Nothing was written when one of these
 * is returned, with file, line and column: FRUGAL_DESCRIPTOR (two things get one name in C, and
 * what else C cannot say), FRUGAL_SIZE (size_max), FRUGAL_DEPTH, FRUGAL_NOMEM. FRUGAL_INVALID
 * (an argument is NULL, a prefix that is no name). Or what the sink returned. */
frugal_status gen_write(const frugal_schema *schema, const gen_options *options,
                        const gen_sink *sink, frugal_error *error);

#endif /* GEN_GEN_H */
