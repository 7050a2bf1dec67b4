/* core/number.h - numbers as text, and back: exact, and the same in every locale.
 *
 * Functions that write take the first byte of the room and return how many bytes are the text; no
 * NUL follows. They may leave garbage in the rest of the room, never outside it. Functions that
 * read take the text between `*at` and `end` and move `*at`. All are safe for any number of
 * threads, and none allocates. */
#ifndef CORE_NUMBER_H
#define CORE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- writing -------------------------------------------------------------------------------- */

/* The room an integer needs; the longest, -9223372036854775808, has 20 bytes. */
#define NUMBER_INTEGER_MAX 24

/* The room a double needs; the longest, such as -0.0000012345678901234567, have 25 bytes. */
#define NUMBER_DOUBLE_MAX 48

size_t number_write_u64(char out[NUMBER_INTEGER_MAX], uint64_t value);
size_t number_write_i64(char out[NUMBER_INTEGER_MAX], int64_t value);

/* The shortest digits that read back as the same bits, and of those the nearest to the value, in
 * the form ECMAScript gives them: 100, 0.25, 0.000001, 1e-7, 123456789012345680000, 1e+21. A whole
 * value has neither point nor exponent below 1e21; zero is 0, minus zero -0. It is a number of
 * JSON. `value` must be finite. */
size_t number_write_double(char out[NUMBER_DOUBLE_MAX], double value);

/* ---- reading -------------------------------------------------------------------------------- */

typedef enum number_status {
    NUMBER_OK,      /* *at is behind the number */
    NUMBER_SYNTAX,  /* no number: *at is the byte that cannot be there, `end` when one is missing */
    NUMBER_RANGE,   /* a number, but too large for the type: *at is behind it */
    NUMBER_FRACTION /* a number, but not a whole one: *at is behind it */
} number_status;

/* All follow the grammar of JSON, -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?, and take the
 * longest number at `*at`; what may follow it is for the caller to say, except that another digit
 * may not. `*value` is written only on success. */

/* Steps over a number of whatever size. NUMBER_OK or NUMBER_SYNTAX. */
number_status number_skip(const char **at, const char *end);

/* Whole numbers, in whatever form: 1000, 1e3, 1000.0 and 0.1e4 are one; -0 is 0. */
number_status number_read_i64(const char **at, const char *end, int64_t *value);

/* Correctly rounded, to the even one between two doubles, whatever the length. Too small is zero
 * with the sign of the text; never NUMBER_FRACTION. */
number_status number_read_double(const char **at, const char *end, double *value);

/* ---- for other grammars --------------------------------------------------------------------- */

/* As number_read_double, but a + may stand in front, zeros may lead, and on one side of the point
 * the digits may be missing: +1, 007, .5, 5. (not a lone point). */
number_status number_read_loose_double(const char **at, const char *end, double *value);

/* The digits of `base`, 2 to 16, letters of either case, without sign or prefix: `*at` must be one.
 * Takes all that follow. NUMBER_RANGE above 2^64-1. */
number_status number_read_digits(const char **at, const char *end, unsigned base, uint64_t *value);

#endif /* CORE_NUMBER_H */
