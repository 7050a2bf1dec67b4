/* support/vectors.h - recorded bytes: where they are, reading them, and the tables for them.
 *
 * Two folders have the same layout: FRUGAL_SHARED, when that variable is set and not empty (the
 * full sets), else $FRUGAL_TEST_DATA/peers (the committed selection; without the variable,
 * tests/data). What cannot be read ends the test program with a message: a run that tests nothing
 * must not pass. */
#ifndef SUPPORT_VECTORS_H
#define SUPPORT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <frugal/describe.h>
#include <frugal/memory.h>
#include <frugal/shapes.h>

typedef enum vectors_flavour {
    VECTORS_DECLARED, /* the C struct that the .thrift file suggests */
    VECTORS_PRESENCE  /* every field optional: the record tells what was on the wire */
} vectors_flavour;

/* The table of "Scalars" in "scalars" (a schema file without folder and suffix). NULL: nobody has
 * described it. In peers/tables.c, until schemas are loaded from their .thrift files. */
const frugal_struct *vectors_type(const char *schema, const char *type, vectors_flavour flavour);

/* "idl/scalars.thrift" becomes "scalars", cut to `size` with its NUL. */
void vectors_schema_name(const char *file, char *name, size_t size);

/* Whether the full sets are read. */
bool vectors_full(void);

/* All lines of a .jsonl file below the root, "vectors/values/recur.jsonl": an array of objects. The
 * caller owns it. */
json_t *vectors_rows(const char *file);

/* The names of the files in a folder below the root that end so, in order: an array of strings. The
 * caller owns it. */
json_t *vectors_files(const char *folder, const char *suffix);

/* All bytes of a file below the root; freed by vectors_free. */
frugal_bytes vectors_file(const char *file);

/* Members of a row. A text that is missing is ""; its bytes may hold a NUL. */
const char *vectors_text(const json_t *row, const char *key);

/* The value of a row, and its bytes: inside the row, or in the files it names. The caller owns
 * them; bytes are freed by vectors_free, and stand in a block of their size, so that a sanitizer
 * sees a read behind them. */
json_t      *vectors_value(const json_t *row);
frugal_bytes vectors_hex(const json_t *row, const char *key);
frugal_bytes vectors_binary(const json_t *row);
frugal_bytes vectors_copy(const uint8_t *bytes, size_t size);
void         vectors_free(frugal_bytes bytes);

/* From here on `id` is being tested: when it takes more than a minute, the program ends and says
 * so. NULL: nothing is. */
void vectors_watch(const char *id);

/* An arena for one input keeps within 64 KiB + 64 x input, whatever the input says. */
bool vectors_memory_is_modest(const frugal_arena *arena, size_t input_size);

#endif /* SUPPORT_VECTORS_H */
