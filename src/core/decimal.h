/* core/decimal.h - a number between its text and its double. */
#ifndef CORE_DECIMAL_H
#define CORE_DECIMAL_H

#include <float.h>

#include "core/bytes.h"

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

/* As many digits always fit into 64 bits. */
#define DECIMAL_DIGITS_MAX 19

/* 10^0 to 10^22, which are doubles. */
#define DECIMAL_EXACT_MAX 22
extern const double decimal_tens[DECIMAL_EXACT_MAX + 1];

/* Up to 2^53 and 10^22 number and power are doubles, and one operation rounds once (Clinger). Where
 * the machine rounds otherwise, as x87 does, nothing is easy. */
ALWAYS_INLINE bool decimal_is_easy(uint64_t mantissa, int64_t exponent)
{
    return FLT_EVAL_METHOD == 0 && mantissa >> 53 == 0
           && (uint64_t)(exponent + DECIMAL_EXACT_MAX) <= 2 * DECIMAL_EXACT_MAX;
}

ALWAYS_INLINE double decimal_easy(uint64_t mantissa, int64_t exponent, bool negative)
{
    double exact = (double)mantissa;
    double value = exponent < 0 ? exact / decimal_tens[-exponent] : exact * decimal_tens[exponent];
    return negative ? -value : value;
}

/* The nearest double, of two equally near the even one. False: it would be infinite. */
bool decimal_nearest(const decimal *number, double *value);

#endif /* CORE_DECIMAL_H */
