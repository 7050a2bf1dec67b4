/* idl/parsing.h - texts of .thrift files parsed for a test, and what was reported about them. */
#ifndef TESTS_IDL_PARSING_H
#define TESTS_IDL_PARSING_H

#include "idl/idl.h"

/* One file of a reader that has its files in memory. `status` not OK: what reading it gives. */
typedef struct parsing_file {
    const char   *path, *text;
    frugal_status status;
} parsing_file;

typedef struct parsing {
    idl_load              load;
    frugal_schema_options options;
    frugal_allocator      allocator;
    size_t                allocations;  /* calls that asked for memory */
    size_t                fail_at;      /* the allocation that fails, and all behind it; 0: none */
    size_t                live;         /* bytes that were not given back */
    const parsing_file   *files;        /* up to one without a path */
    char                  opened[4096]; /* paths that were asked for, a line each */
    char                  reports[1 << 16]; /* "line:column: error: message\n" */
    char                  words[1 << 12];   /* the words of errors, a line each, cut at 60 bytes */
} parsing;

/* Zero but for options that an IDL is loaded with. Ended by parsing_end, which wants all memory
 * back. */
void parsing_start(parsing *p);
void parsing_end(parsing *p);

/* Parses one text, as idl_parse does; the file, or NULL when there was no memory for it. */
idl_file *parsing_text(parsing *p, const char *text, size_t len);

/* Loads a path with p->files as the reader, or with stdio when that is NULL. */
idl_file *parsing_load(parsing *p, const char *path);

/* Parses the text and compares all errors: "1:2: message\n3:4: message\n". Warnings are left
 * out. */
void parsing_expect(const char *text, const char *errors);
void parsing_expect_bytes(const char *text, size_t len, const char *errors);

/* The same for warnings. */
void parsing_expect_warnings(const char *text, const char *warnings);

/* What was understood, a line each header and definition, as canonical IDL with every id, and ! for
 * required, ? for optional. Cut at `size`. */
void parsing_dump(const idl_file *file, char *text, size_t size);

/* Parses the text without an error or a warning but those about ids, and compares the dump. */
void parsing_expect_dump(const char *text, const char *dump);

#define PARSES(text) parsing_expect(text, "")

#endif /* TESTS_IDL_PARSING_H */
