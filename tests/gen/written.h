/* gen/written.h - what frugal gen writes for an IDL, in memory. */
#ifndef TESTS_GEN_WRITTEN_H
#define TESTS_GEN_WRITTEN_H

#include "gen/gen.h"

#define WRITTEN_MAX 8u

typedef struct written_file {
    char  name[64];
    char *text; /* with a NUL behind it */
} written_file;

typedef struct written {
    written_file  files[WRITTEN_MAX];
    unsigned      count;
    unsigned      accept; /* how many files the sink takes before it fails; 0: all */
    frugal_status status;
    frugal_error  error;
} written;

/* Forgets what was written before, and writes. */
void written_schema(written *w, const frugal_schema *schema, const gen_options *options);

/* Loads `idl` under the name `file` ("small.thrift") and writes it. The test fails when the IDL has
 * a fault. Includes are read from `includes`, pairs of name and text, NULL behind the last; NULL:
 * there are none. */
void written_of(written *w, const char *file, const char *idl, const char *const *includes,
                const gen_options *options);
void written_release(written *w);

/* The schema alone; the caller frees it. */
frugal_schema *written_load(const char *file, const char *idl, const char *const *includes);

/* The text of one; fails when there is none. */
const char *written_text(const written *w, const char *name);

/* Whether the text of the file has this piece. */
bool written_has(const written *w, const char *name, const char *piece);

/* A file of tests/data/gen; the caller frees it. */
char *written_data(const char *name);

#endif /* TESTS_GEN_WRITTEN_H */
