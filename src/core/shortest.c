/* core/shortest.c - a double as the shortest text that reads back as the same bits.
 *
 * Source: Giulietti, "The Schubfach way to render doubles". All values that read back as the same
 * double lie in an interval around it; the spacing 10^k is the smallest such that the interval has
 * at least one multiple of it, and at most one of 10^(k+1). So only four candidates remain: the
 * multiples of 10^(k+1) and of 10^k on either side of the double. They are compared in units of a
 * quarter of 10^k, rounded to odd so that a rounded number never equals a bound it is not on. */
#include <assert.h>

#include "core/digits.h"
#include "core/number.h"
#include "core/powers.h"

#define FRACTION_BITS 52
#define FRACTION_MASK ((UINT64_C(1) << FRACTION_BITS) - 1)

/* digits * 10^exponent. */
typedef struct short_decimal {
    uint64_t digits; /* below 10^17 */
    int      exponent;
} short_decimal;

/* ---- the form ------------------------------------------------------------------------------- */

/* The decimal point stands behind so many digits, or there is an exponent: as in ECMAScript. */
#define POINT_MIN (-5)
#define POINT_MAX 21

#define DIGITS_MAX 17

static char *write_exponent(char *out, int exponent)
{
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    return digits_write_front(out, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

/* All 17 digits, zeros behind those that there are, are written where they stand when the point is
 * behind them, and those behind the point moved on by one. */
static char *write_form(char *out, short_decimal value)
{
    const uint64_t eight = 100000000, sixteen = eight * eight;
    int            point = value.exponent + DIGITS_MAX;
    uint64_t       all   = value.digits;
    for (; all < sixteen; point--) /* most doubles have 16 digits or 17 */
        all *= 10;
    uint32_t first  = (uint32_t)(all / sixteen);
    uint64_t rest   = all - first * sixteen;
    bool     small  = point <= 0 && point >= POINT_MIN;
    char    *digits = small ? out + 2 - point : out;
    digits[0]       = (char)('0' + first);
    int count =
        DIGITS_MAX
        - (int)digits_write_sixteen(digits + 1, (uint32_t)(rest / eight), (uint32_t)(rest % eight));
    if (small) {
        memcpy(out, "0.00000", (size_t)(2 - point));
        return digits + count;
    }
    bool plain = point > 0 && point <= POINT_MAX;
    if (plain && point >= count) {
        memset(out + count, '0', (size_t)(point - count));
        return out + point;
    }
    int whole = plain ? point : 1;
    if (count > whole) {
        memmove(out + whole + 1, out + whole, 16);
        out[whole] = '.';
        count++;
    }
    return plain ? out + count : write_exponent(out + count, point - 1);
}

/* ---- Schubfach ------------------------------------------------------------------------------ */

/* floor(power * factor / 2^128), its lowest bit set when something was lost. */
static uint64_t round_to_odd(const uint64_t power[2], uint64_t factor)
{
    uint64_t high, carry;
    uint64_t middle = powers_multiply(power[0], factor, &high);
    powers_multiply(power[1], factor, &carry);
    middle += carry;
    high += middle < carry;
    return high | (middle > 1);
}

/* significand * 2^exponent. `lowest`: it is the smallest one with its exponent, so that the next
 * double below is only half as far away. */
static short_decimal shortest(uint64_t significand, int exponent, bool lowest)
{
    /* floor(log10(2^exponent)), or of three quarters of that. */
    int             k     = (exponent * 1262611 - (lowest ? 524031 : 0)) >> 22;
    int             shift = exponent + powers_log2(-k) + 1;
    const uint64_t *power = powers_of_ten[-k - POWERS_MIN];
    bool            odd   = significand & 1; /* else the bounds themselves read back, too */
    uint64_t        lower = round_to_odd(power, (4 * significand - 2 + lowest) << shift) + odd;
    uint64_t        value = round_to_odd(power, (4 * significand) << shift);
    uint64_t        upper = round_to_odd(power, (4 * significand + 2) << shift) - odd;
    uint64_t        whole = value / 4;
    if (whole >= 10) {
        uint64_t tens   = whole / 10;
        bool     is_low = lower <= 40 * tens, is_high = 40 * tens + 40 <= upper;
        if (is_low != is_high)
            return (short_decimal){ tens + is_high, k + 1 };
    }
    bool is_low = lower <= 4 * whole, is_high = 4 * whole + 4 <= upper;
    if (is_low == is_high) {
        uint64_t middle = 4 * whole + 2;
        is_high         = value > middle || (value == middle && (whole & 1));
    }
    return (short_decimal){ whole + is_high, k };
}

/* ---- easy ones ------------------------------------------------------------------------------ */

/* Three decimals are most of what people write, and less than 10^12 with three decimals has at most
 * 15 digits: of so few, no two numbers read back as the same double. So if the nearest thousandth
 * reads back, it is the answer.
 *
 * It does when it is nearer than half of the distance of two doubles. In units of 2^exponent / 1000
 * that distance is 1000, and the double significand * 1000, which has 63 bits. */
static uint64_t thousandths(uint64_t significand, int exponent)
{
    if (exponent < -61 || exponent > -13)
        return 0;
    unsigned shift   = (unsigned)-exponent;
    uint64_t scaled  = significand * 1000;
    uint64_t nearest = (scaled + (UINT64_C(1) << (shift - 1))) >> shift;
    uint64_t most    = significand == FRACTION_MASK + 1 ? 249 : 499;
    uint64_t away    = scaled - (nearest << shift); /* perhaps less than 0 */
    return away + most <= 2 * most ? nearest : 0;
}

static char *write_thousandths(char *out, uint64_t value)
{
    uint32_t decimals = (uint32_t)(value % 1000);
    out               = digits_write(out, value / 1000);
    out[0]            = '.';
    out[1]            = (char)('0' + decimals / 100);
    out[2]            = (char)('0' + decimals / 10 % 10);
    out[3]            = (char)('0' + decimals % 10);
    return out + (out[3] != '0' ? 4 : out[2] != '0' ? 3 : 2);
}

/* Less than 2^53, and without a fraction. */
static bool is_whole(uint64_t significand, int exponent)
{
    bool     in_range = exponent >= -FRACTION_BITS && exponent <= 0;
    uint64_t fraction = significand & ((UINT64_C(1) << (-exponent & 63)) - 1);
    return in_range && (fraction == 0);
}

size_t number_write_double(char out[NUMBER_DOUBLE_MAX], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    char    *p           = out;
    uint64_t significand = bits & FRACTION_MASK;
    int      biased      = (int)(bits >> FRACTION_BITS & 0x7ff);
    int      exponent    = (biased ? biased : 1) - 1075;
    bool     lowest      = significand == 0 && biased > 1;
    assert(biased != 0x7ff);
    *p = '-';
    p += bits >> 63;
    if (biased)
        significand |= FRACTION_MASK + 1;
    if (is_whole(significand, exponent))
        return (size_t)(digits_write(p, significand >> -exponent) - out);
    if (significand == 0) {
        *p = '0';
        return (size_t)(p - out) + 1;
    }
    uint64_t few = thousandths(significand, exponent);
    if (few)
        return (size_t)(write_thousandths(p, few) - out);
    return (size_t)(write_form(p, shortest(significand, exponent, lowest)) - out);
}
