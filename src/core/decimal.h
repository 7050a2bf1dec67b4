/* core/decimal.h - a number between its text and its double. */
#ifndef CORE_DECIMAL_H
#define CORE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The digits as they stand in the text, perhaps with a point among them, times 10^exponent; the
 * exponent is that of the last digit. */
typedef struct decimal {
    const char *text, *text_end;
    uint64_t    mantissa; /* all digits as one number, modulo 2^64 */
    size_t      count;    /* of the digits, zeros in front included */
    int64_t     exponent; /* at most DECIMAL_EXPONENT_MAX and the length of the text away from 0 */
    bool        negative;
} decimal;

#define DECIMAL_EXPONENT_MAX INT64_C(1000000000000000)

/* The nearest double, of two equally near the even one. False: it would be infinite. */
bool decimal_nearest(const decimal *number, double *value);

#endif /* CORE_DECIMAL_H */
