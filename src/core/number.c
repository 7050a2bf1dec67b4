/* core/number.c - integers as text, and the grammar of numbers. Doubles have files of their own:
 * shortest.c writes, nearest.c reads them. */
#include "core/number.h"

#include "core/decimal.h"
#include "core/digits.h"

/* ---- writing -------------------------------------------------------------------------------- */

size_t number_write_u64(char out[NUMBER_INTEGER_MAX], uint64_t value)
{
    return (size_t)(digits_write(out, value) - out);
}

size_t number_write_i64(char out[NUMBER_INTEGER_MAX], int64_t value)
{
    uint64_t minus = (uint64_t)value >> 63;
    out[0]         = '-';
    return (size_t)(digits_write(out + minus, ((uint64_t)value ^ -minus) + minus) - out);
}

/* ---- the grammar ---------------------------------------------------------------------------- */

ALWAYS_INLINE bool is_digit(char c)
{
    return (uint8_t)(c - '0') < 10;
}

static const uint64_t tens[8] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000 };

/* Appends the digits at `p` to `*value`, modulo 2^64, and returns the end of them. */
ALWAYS_INLINE const char *take_digits(const char *p, const char *end, uint64_t *value)
{
    uint64_t sum = *value;
    while (end - p >= 8) {
        uint64_t word  = digits_load(p) ^ DIGITS_ZEROS;
        unsigned count = digits_leading(word);
        p += count;
        if (count == 8) {
            sum = sum * 100000000 + digits_join(word);
            continue;
        }
        if (count) /* those behind leave at the top, zeros come in front */
            sum = sum * tens[count] + digits_join(word << (64 - 8 * count));
        *value = sum;
        return p;
    }
    for (; p < end && is_digit(*p); p++)
        sum = sum * 10 + (uint8_t)(*p - '0');
    *value = sum;
    return p;
}

static number_status wrong(const char **at, const char *p)
{
    *at = p;
    return NUMBER_SYNTAX;
}

/* The number behind e or E. What is too large for anybody stays at DECIMAL_EXPONENT_MAX. */
static const char *take_exponent(const char *p, const char *end, int64_t *exponent)
{
    int64_t sum = 0;
    for (; p < end && is_digit(*p); p++) {
        if (sum < DECIMAL_EXPONENT_MAX / 10)
            sum = sum * 10 + (*p - '0');
        else
            sum = DECIMAL_EXPONENT_MAX;
    }
    *exponent = sum;
    return p;
}

static number_status scan_exponent(const char **at, const char *end, decimal *number)
{
    const char *p     = *at + 1;
    bool        minus = p < end && *p == '-';
    int64_t     exponent;
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit(*p))
        return wrong(at, p);
    *at = take_exponent(p, end, &exponent);
    number->exponent += minus ? -exponent : exponent;
    return NUMBER_OK;
}

/* The loose grammar is told in number.h. */
ALWAYS_INLINE number_status scan(const char **at, const char *end, bool loose, decimal *number)
{
    const char *p    = *at;
    number->negative = p < end && *p == '-';
    if (number->negative || (loose && p < end && *p == '+'))
        p++;
    const char *first = p;
    number->mantissa  = 0;
    number->exponent  = 0;
    p                 = take_digits(p, end, &number->mantissa);
    number->text      = first;
    number->count     = (size_t)(p - first);
    if (!loose && UNLIKELY(number->count == 0))
        return wrong(at, p);
    if (!loose && UNLIKELY(*first == '0' && number->count > 1))
        return wrong(at, first + 1);
    if (p < end && *p == '.') {
        const char *fraction = p + 1;
        p                    = take_digits(fraction, end, &number->mantissa);
        number->exponent     = -(int64_t)(p - fraction);
        number->count += (size_t)(p - fraction);
        if (UNLIKELY(p == fraction && (!loose || number->count == 0)))
            return wrong(at, p);
    } else if (loose && number->count == 0) {
        return wrong(at, p);
    }
    number->text_end = p;
    *at              = p;
    if (p < end && (*p | 0x20) == 'e')
        return scan_exponent(at, end, number);
    return NUMBER_OK;
}

number_status number_skip(const char **at, const char *end)
{
    decimal number;
    return scan(at, end, false, &number);
}

/* ---- doubles -------------------------------------------------------------------------------- */

number_status number_read_double(const char **at, const char *end, double *value)
{
    decimal       number;
    number_status status = scan(at, end, false, &number);
    if (UNLIKELY(status != NUMBER_OK))
        return status;
    if (number.count <= DECIMAL_DIGITS_MAX && decimal_is_easy(number.mantissa, number.exponent)) {
        *value = decimal_easy(number.mantissa, number.exponent, number.negative);
        return NUMBER_OK;
    }
    return LIKELY(decimal_nearest(&number, value)) ? NUMBER_OK : NUMBER_RANGE;
}

number_status number_read_loose_double(const char **at, const char *end, double *value)
{
    decimal       number;
    number_status status = scan(at, end, true, &number);
    if (status != NUMBER_OK)
        return status;
    return decimal_nearest(&number, value) ? NUMBER_OK : NUMBER_RANGE;
}

/* ---- integers ------------------------------------------------------------------------------- */

/* 2^63 has 19 digits, and 19 digits fit into 64 bits. */
#define I64_DIGITS_MAX 19

static number_status signed_value(uint64_t magnitude, bool negative, int64_t *value)
{
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return NUMBER_RANGE;
    uint64_t minus = negative;
    uint64_t bits  = (magnitude ^ -minus) + minus;
    memcpy(value, &bits, sizeof *value);
    return NUMBER_OK;
}

/* With a point, an exponent or zeros in front: zeros at both ends are taken off, and then the
 * exponent says whether the number is whole and how long it is. */
static NEVER_INLINE number_status whole_value(const decimal *number, int64_t *value)
{
    const char *p = number->text, *end = number->text_end;
    int64_t     exponent = number->exponent;
    for (; end > p && (end[-1] == '0' || end[-1] == '.'); end--)
        exponent += end[-1] == '0';
    while (p < end && (*p == '0' || *p == '.'))
        p++;
    if (p == end)
        return signed_value(0, false, value);
    if (exponent < 0)
        return NUMBER_FRACTION;
    uint64_t magnitude = 0;
    int64_t  count     = 0;
    for (; p < end; p++) {
        if (*p == '.')
            continue;
        if (++count + exponent > I64_DIGITS_MAX)
            return NUMBER_RANGE;
        magnitude = magnitude * 10 + (uint8_t)(*p - '0');
    }
    for (; exponent > 0; exponent--)
        magnitude *= 10;
    return signed_value(magnitude, number->negative, value);
}

number_status number_read_i64(const char **at, const char *end, int64_t *value)
{
    const char *p = *at;
    decimal     number;
    number.negative   = p < end && *p == '-';
    const char *first = p + number.negative;
    uint64_t    sum   = 0;
    p                 = take_digits(first, end, &sum);
    size_t count      = (size_t)(p - first);
    bool   plain      = count - 1 < I64_DIGITS_MAX && (*first != '0' || count == 1)
                 && (p == end || (*p != '.' && (*p | 0x20) != 'e'));
    if (LIKELY(plain)) {
        *at = p;
        return signed_value(sum, number.negative, value);
    }
    number_status status = scan(at, end, false, &number);
    return status == NUMBER_OK ? whole_value(&number, value) : status;
}

/* ---- other bases ---------------------------------------------------------------------------- */

/* The value of a letter or digit, and something large for all else. */
static unsigned digit_value(char c)
{
    uint8_t digit  = (uint8_t)(c - '0');
    uint8_t letter = (uint8_t)((c | 0x20) - 'a');
    return digit < 10 ? digit : letter < 6 ? letter + 10u : UINT8_MAX;
}

number_status number_read_digits(const char **at, const char *end, unsigned base, uint64_t *value)
{
    const char *p     = *at;
    uint64_t    sum   = 0;
    bool        large = false;
    for (; p < end && digit_value(*p) < base; p++) {
        unsigned digit = digit_value(*p);
        large          = large || sum > (UINT64_MAX - digit) / base;
        sum            = sum * base + digit;
    }
    if (p == *at)
        return NUMBER_SYNTAX;
    *at = p;
    if (large)
        return NUMBER_RANGE;
    *value = sum;
    return NUMBER_OK;
}
