/* core/nearest.c - the double nearest to a decimal number.
 *
 * Three ways, each for what the one before could not decide:
 *
 * 1. Up to 2^53 and 10^22 number and power are doubles, and one operation rounds once (Clinger):
 *    decimal.h, because it is most of what people write.
 * 2. A product with 128 bits of the power is a little too small, by a known bound (Eisel, Lemire).
 *    If the bound reaches no point at which rounding changes, the product rounds as the number
 * does. Of doubles written with 17 digits, all but one in thousands end here.
 * 3. The number and the middle between two doubles are written out as integers and compared.
 *
 * Source: Clinger, "How to read floating point numbers accurately"; Lemire, "Number parsing at a
 * gigabyte per second". In the third way, more digits than any middle has do not matter, only
 * whether they are all zero: so it has a largest size, and a text of any length costs little more
 * than reading it. */
#include <assert.h>

#include "core/decimal.h"
#include "core/powers.h"

#define FRACTION_BITS 52
#define EXPONENT_MIN  (-1022)
#define EXPONENT_MAX  1023
#define INFINITE_BITS (UINT64_C(0x7ff) << FRACTION_BITS)

/* ---- 2. the product ------------------------------------------------------------------------- */

/* Where a number lies among the doubles: at or above the double `down`, and from the middle between
 * it and the next one on if `half`; `rest` says that it is neither `down` nor the middle. */
typedef struct location {
    uint64_t down; /* the bits, at most INFINITE_BITS */
    bool     half, rest;
    bool     sure; /* else `down` is a double at or below the number, and no more is known */
} location;

/* The location of (high * 2^64 + low and perhaps some `rest`) * 2^exponent, 2^126 at least. */
static location locate(uint64_t high, uint64_t low, bool rest, int exponent)
{
    int top   = 62 + (int)(high >> 63); /* the highest bit of `high` */
    int shift = top - FRACTION_BITS - 1;
    int upper = exponent + 64 + top; /* the exponent of the number */
    if (upper > EXPONENT_MAX)
        return (location){ .down = INFINITE_BITS };
    uint64_t base = 0;
    if (upper < EXPONENT_MIN)
        shift += EXPONENT_MIN - upper;
    else
        base = (uint64_t)(upper - EXPONENT_MIN) << FRACTION_BITS; /* the hidden bit adds one */
    if (shift > 63) /* below one half of the smallest double */
        return (location){ .down = 0, .rest = true };
    uint64_t halves = high >> shift;
    bool     below  = (high & ((UINT64_C(1) << shift) - 1)) || low || rest;
    return (location){ base + (halves >> 1), halves & 1, below, false };
}

/* mantissa * 10^exponent; the mantissa is not zero.
 *
 * 54 bits of the product decide, and `shift` is at least 9: as long as what is missing in it does
 * not carry through the nine lowest bits of its upper half, they are right. With the upper half of
 * the power alone, less than the mantissa is missing from the lower half of the product. */
static location locate_product(uint64_t mantissa, int exponent)
{
    const uint64_t *power = powers_of_ten[exponent - POWERS_MIN];
    int             zeros = __builtin_clzll(mantissa);
    uint64_t        high;
    mantissa <<= zeros;
    uint64_t low  = powers_multiply(mantissa, power[0], &high);
    bool     rest = exponent < 0 || exponent > POWERS_SHORT_MAX;
    bool     sure = true;
    if (UNLIKELY((high & 0x1ff) == 0x1ff && low + mantissa < low)) {
        /* Now with the lower half, one less when it was rounded up: less than two are missing. */
        bool     exact = exponent >= 0 && exponent <= POWERS_EXACT_MAX;
        uint64_t carry;
        uint64_t last = powers_multiply(mantissa, power[1] - !exact, &carry);
        low += carry;
        high += low < carry;
        rest = !exact || last != 0;
        sure = exact || (high & 0x1ff) != 0x1ff || low < UINT64_MAX - 1;
    }
    location place = locate(high, low, rest, powers_log2(exponent) - 63 - zeros);
    place.sure     = sure;
    return place;
}

static uint64_t round_location(location place)
{
    return place.down + (place.half && (place.rest || (place.down & 1)));
}

/* ---- 3. large integers ---------------------------------------------------------------------- */

/* A middle between two doubles has at most 767 digits that are not zeros at an end. */
#define DIGITS_MAX 768

/* Both integers have up to 2,610 bits: 769 digits, or 54 bits times 5^1100. What they are shifted
 * by makes the shorter one as long as the other. */
#define LIMBS_MAX 96

typedef struct integer {
    uint32_t limbs[LIMBS_MAX]; /* the lowest first, the highest not 0 */
    unsigned count;
} integer;

static void push_limb(integer *it, uint32_t limb)
{
    assert(it->count < LIMBS_MAX);
    it->limbs[it->count++] = limb;
}

/* it * factor + more. */
static void multiply(integer *it, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (unsigned i = 0; i < it->count; i++) {
        carry += (uint64_t)it->limbs[i] * factor;
        it->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        push_limb(it, (uint32_t)carry);
}

static void multiply_by_five(integer *it, int times)
{
    for (; times >= 13; times -= 13)
        multiply(it, 1220703125, 0);
    for (; times > 0; times--)
        multiply(it, 5, 0);
}

static void shift_left(integer *it, unsigned bits)
{
    multiply(it, UINT32_C(1) << bits % 32, 0);
    unsigned limbs = it->count ? bits / 32 : 0;
    assert(it->count + limbs <= LIMBS_MAX);
    memmove(it->limbs + limbs, it->limbs, it->count * sizeof it->limbs[0]);
    memset(it->limbs, 0, limbs * sizeof it->limbs[0]);
    it->count += limbs;
}

static int compare(const integer *a, const integer *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (unsigned i = a->count; i-- > 0;) {
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    }
    return 0;
}

/* The digits as an integer; returns the exponent that belongs to it. Beyond DIGITS_MAX one more
 * digit stands for all that are not zero. */
static int64_t take_integer(const decimal *number, integer *it)
{
    const char *p = number->text, *end = number->text_end;
    int64_t     exponent = number->exponent;
    unsigned    count    = 0;
    for (; end > p && (end[-1] == '0' || end[-1] == '.'); end--)
        exponent += end[-1] == '0';
    it->count = 0;
    for (; p < end && count <= DIGITS_MAX; p++) {
        if (*p == '.' || (count == 0 && *p == '0'))
            continue;
        /* The last digit of all is no zero, so if there are more, then one that is none. */
        uint32_t digit = count == DIGITS_MAX ? 1 : (uint32_t)(*p - '0');
        multiply(it, 10, digit);
        count++;
    }
    for (; p < end; p++)
        exponent += *p != '.';
    return exponent;
}

/* The number against the middle between the double with these bits, and the next one. */
static int compare_to_middle(const integer *digits, int exponent, uint64_t bits)
{
    uint64_t fraction = bits & ((UINT64_C(1) << FRACTION_BITS) - 1);
    int      biased   = (int)(bits >> FRACTION_BITS);
    uint64_t middle   = 2 * (biased ? fraction | UINT64_C(1) << FRACTION_BITS : fraction) + 1;
    int      twos     = exponent - ((biased ? biased : 1) - 1076);
    integer  left     = *digits;
    integer  right    = { .limbs = { (uint32_t)middle }, .count = 1 };
    if (middle >> 32)
        push_limb(&right, (uint32_t)(middle >> 32));
    multiply_by_five(exponent < 0 ? &right : &left, exponent < 0 ? -exponent : exponent);
    shift_left(twos < 0 ? &right : &left, (unsigned)(twos < 0 ? -twos : twos));
    return compare(&left, &right);
}

/* From a double at or below the number up to the nearest one. The product is right to more than 58
 * bits, so there is one step to a double above it, and one more for rounding. */
static NEVER_INLINE uint64_t climb(const decimal *number, uint64_t bits)
{
    integer digits;
    int     exponent = (int)take_integer(number, &digits);
    for (int steps = 0; bits < INFINITE_BITS; bits++, steps++) {
        int order = compare_to_middle(&digits, exponent, bits);
        if (order < 0 || (order == 0 && !(bits & 1)))
            break;
        assert(steps < 3);
    }
    return bits;
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* The first 19 digits that count, of more. */
static uint64_t first_digits(const decimal *number, int64_t *exponent, bool *cut)
{
    const char *p = number->text, *end = number->text_end;
    uint64_t    mantissa = 0;
    unsigned    count    = 0;
    *exponent            = number->exponent;
    *cut                 = false;
    for (; p < end && count < DECIMAL_DIGITS_MAX; p++) {
        if (*p == '.')
            continue;
        mantissa = mantissa * 10 + (uint8_t)(*p - '0');
        count += mantissa != 0;
    }
    for (; p < end; p++) {
        *exponent += *p != '.';
        *cut = *cut || (*p != '.' && *p != '0');
    }
    return mantissa;
}

static uint64_t nearest_bits(const decimal *number, uint64_t mantissa, int64_t exponent, bool cut)
{
    if (mantissa == 0 || exponent < POWERS_MIN) /* 19 digits below 10^-342: less than 10^-323.9 */
        return 0;
    if (exponent > 308)
        return INFINITE_BITS;
    location place = locate_product(mantissa, (int)exponent);
    if (LIKELY(place.sure && !cut))
        return round_location(place);
    if (place.sure) {
        location above = locate_product(mantissa + 1, (int)exponent);
        if (above.sure && round_location(above) == round_location(place))
            return round_location(place);
    }
    return climb(number, place.down);
}

const double decimal_tens[DECIMAL_EXACT_MAX + 1] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

bool decimal_nearest(const decimal *number, double *value)
{
    uint64_t mantissa = number->mantissa;
    int64_t  exponent = number->exponent;
    bool     cut      = false;
    if (UNLIKELY(number->count > DECIMAL_DIGITS_MAX))
        mantissa = first_digits(number, &exponent, &cut);
    if (!cut && decimal_is_easy(mantissa, exponent)) {
        *value = decimal_easy(mantissa, exponent, number->negative);
        return true;
    }
    uint64_t bits = nearest_bits(number, mantissa, exponent, cut);
    if (bits >= INFINITE_BITS)
        return false;
    bits |= (uint64_t)number->negative << 63;
    memcpy(value, &bits, sizeof bits);
    return true;
}
