/* tests/reject/with.c - what FRUGAL_FIELD_WITH may not set. A pointer to another type is only a warning for
 * gcc 12 and clang 14; a program that wants it refused turns the warning into an error, as here. */
#include <frugal/frugal.h>

#pragma GCC diagnostic error "-Wincompatible-pointer-types"

struct in {
    int32_t a;
};
FRUGAL_STRUCT(in, FRUGAL_FIELD(in, a, 1));

typedef FRUGAL_LIST(int64_t) longs;
typedef FRUGAL_LIST(int32_t) ints;
struct t {
    int32_t             i;
    frugal_str          s;
    FRUGAL_OPT(int32_t) opt;
    longs               list;
    struct in          *pin;
};
static const int32_t    number = 1;
static const int64_t    wide   = 1;
static const frugal_str text   = { "x", 1 };
static const ints       narrow = { NULL, 0 };
static const struct in  one    = { 1 };
#define ONE(...) FRUGAL_STRUCT(t, __VA_ARGS__)

#if CASE == 0
static const longs none = { NULL, 0 };
ONE(FRUGAL_FIELD_WITH(t, s, 1, optional, string, .no_copy = true, .initial = &text),
    FRUGAL_FIELD_WITH(t, opt, 2, optional, i32, .initial = &number),
    FRUGAL_FIELD_WITH(t, list, 3, optional, list(i64), .initial = &none));
extern const void *const used[];
const void *const used[] = { &wide, &narrow, &one };

#elif CASE == 1 /* reject gcc: has no member named 'no_copy' */ /* reject clang: 'no_copy' does not refer to any field */
ONE(FRUGAL_FIELD_WITH(t, i, 1, default, i32, .no_copy = true));

#elif CASE == 2 /* reject: 'no_copy' */
ONE(FRUGAL_FIELD_WITH(t, list, 1, optional, list(i64), .no_copy = true));

#elif CASE == 3 /* reject gcc: has no member named 'initial' */ /* reject clang: 'initial' does not refer to any field */
ONE(FRUGAL_FIELD_WITH(t, i, 1, required, i32, .initial = &number));

#elif CASE == 4 /* reject gcc: has no member named 'initial' */ /* reject clang: 'initial' does not refer to any field */
ONE(FRUGAL_FIELD_WITH(t, s, 1, default, string, .initial = &text));

#elif CASE == 5 /* reject gcc: has no member named 'initial' */ /* reject clang: 'initial' does not refer to any field */
ONE(FRUGAL_FIELD_WITH(t, pin, 1, optional, struct(in), .initial = &one));

#elif CASE == 6 /* reject: incompatible */
ONE(FRUGAL_FIELD_WITH(t, opt, 1, optional, i32, .initial = &wide));

#elif CASE == 7 /* reject: incompatible */
ONE(FRUGAL_FIELD_WITH(t, s, 1, optional, string, .initial = &number));

#elif CASE == 8 /* reject: incompatible */
ONE(FRUGAL_FIELD_WITH(t, list, 1, optional, list(i64), .initial = &narrow));

#elif CASE == 9 /* reject: 'offset' */
ONE(FRUGAL_FIELD_WITH(t, s, 1, optional, string, .offset = 3));

#elif CASE == 10 /* reject: frugal: t.i, described as (1, default, i64, .no_copy = true): i64 is int64_t */
ONE(FRUGAL_FIELD_WITH(t, i, 1, default, i64, .no_copy = true));

#elif CASE == 11 /* reject: 'no_copy' */
ONE(FRUGAL_FIELD_WITH(t, pin, 1, optional, struct(in), .no_copy = true));

#elif CASE == 12 /* reject: (1, sometimes, string, .no_copy = true): after the id comes a need */
ONE(FRUGAL_FIELD_WITH(t, s, 1, sometimes, string, .no_copy = true));
#endif
