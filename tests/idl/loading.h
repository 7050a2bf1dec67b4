/* idl/loading.h - schemas loaded from texts in memory, and what was reported about them. */
#ifndef TESTS_IDL_LOADING_H
#define TESTS_IDL_LOADING_H

#include <frugal/schema.h>

/* A file of the reader that has its files in memory. */
typedef struct loading_file {
    const char *path, *text;
} loading_file;

/* Loads "main.thrift" of `files` (up to one without a path) and gives the reports as
 * "file:line:column: error: message [word]\n", warnings in the same form, in `reports`, which keeps
 * the last of them. `options` may be NULL; its reader and reporter are not used. */
frugal_schema *loading_files(const loading_file *files, const frugal_schema_options *options);

/* The same for one text. */
frugal_schema *loading_text(const char *text, const frugal_schema_options *options);

extern char loading_reports[1 << 16];

/* Compares all errors of one text, as "line:column: message\n"; warnings are left out. */
void loading_expect(const char *text, const char *errors);

/* The text loads, with these warnings and no others. */
void loading_expect_warnings(const char *text, const char *warnings);

#define LOADS(text) loading_expect((text), "")

/* For texts of many parts. */
char *loading_repeat(const char *before, const char *format, int count, const char *after);

#endif /* TESTS_IDL_LOADING_H */
