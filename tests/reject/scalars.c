/* tests/reject/scalars.c - numbers, bools, enums and texts whose C type is another. */
#include <frugal/frugal.h>

enum color { RED = 1 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED));
enum sign { NEG = -1 };
FRUGAL_ENUM(sign, FRUGAL_ITEM(NEG));
enum big { HUGE = 1 };

struct t {
    int32_t      i;
    uint32_t     u;
    int64_t      l;
    float        f;
    char         c, arr[8];
    char        *cs;
    bool         b;
    frugal_str   s;
    frugal_bytes y;
    enum color   color;
    enum sign    sign;
    int32_t      bit : 3;
    int16_t      small;
    FRUGAL_OPT(int32_t) opt;
    FRUGAL_OPT(enum color) opt_color;
    FRUGAL_OPT(uint32_t) opt_u;
    FRUGAL_OPT(frugal_str) opt_s;
    FRUGAL_LIST(int32_t) list;
    struct {
        bool    has;
        int32_t value;
    } backwards;
    struct {
        int32_t value;
        int32_t has;
    } wide_has;
};
#define ONE(...) FRUGAL_STRUCT(t, __VA_ARGS__)

#if CASE == 0
ONE(FRUGAL_FIELD(t, i, 1, i32), FRUGAL_FIELD(t, b, 2), FRUGAL_FIELD(t, color, 3, enum(color)),
    FRUGAL_FIELD(t, sign, 4, required, enum(sign)), FRUGAL_FIELD(t, opt, 5, optional),
    FRUGAL_FIELD(t, opt_color, 6, optional, enum(color)), FRUGAL_FIELD(t, s, 7, optional, string),
    FRUGAL_FIELD(t, small, 8));

#elif CASE == 1 /* reject: frugal: t.i, described as (1, i64): i64 is int64_t in C */
ONE(FRUGAL_FIELD(t, i, 1, i64));

#elif CASE == 2 /* reject: frugal: t.l, described as (1, required, i32): i32 is int32_t in C */
ONE(FRUGAL_FIELD(t, l, 1, required, i32));

#elif CASE == 3 /* reject: frugal: t.u, described as (1): its C type tells no type: spell an enum; text is frugal_str; Thrift has no unsigned and no float */
ONE(FRUGAL_FIELD(t, u, 1));

#elif CASE == 4 /* reject: frugal: t.u, described as (1, required, i32): i32 is int32_t in C */
ONE(FRUGAL_FIELD(t, u, 1, required, i32));

#elif CASE == 5 /* reject: frugal: t.f, described as (1, required, double): a double is a double in C, too */
ONE(FRUGAL_FIELD(t, f, 1, required, double));

#elif CASE == 6 /* reject: frugal: t.f, described as (1): its C type tells no type: spell an enum; text is frugal_str; Thrift has no unsigned */
ONE(FRUGAL_FIELD(t, f, 1));

#elif CASE == 7 /* reject: frugal: t.cs, described as (1): its C type tells no type: spell an enum; text is frugal_str */
ONE(FRUGAL_FIELD(t, cs, 1));

#elif CASE == 8 /* reject: frugal: t.cs, described as (1, string): string is frugal_str in C */
ONE(FRUGAL_FIELD(t, cs, 1, string));

#elif CASE == 9 /* reject: frugal: t.arr, described as (1, string): string is frugal_str in C */
ONE(FRUGAL_FIELD(t, arr, 1, string));

#elif CASE == 10 /* reject: frugal: t.s, described as (1, required, binary): binary is frugal_bytes in C */
ONE(FRUGAL_FIELD(t, s, 1, required, binary));

#elif CASE == 11 /* reject: frugal: t.y, described as (1, string): string is frugal_str in C */
ONE(FRUGAL_FIELD(t, y, 1, string));

#elif CASE == 12 /* reject: frugal: t.c, described as (1, i8): i8 is int8_t in C */
ONE(FRUGAL_FIELD(t, c, 1, i8));

#elif CASE == 13 /* reject: t.i, described as (1, bool): a bool is a bool in C, too */
ONE(FRUGAL_FIELD(t, i, 1, bool));

#elif CASE == 14 /* reject: frugal: t.b, described as (1, byte): byte is int8_t in C */
ONE(FRUGAL_FIELD(t, b, 1, byte));

#elif CASE == 15 /* reject: t.i, described as (1, optional): optional is FRUGAL_OPT(its C type) */
ONE(FRUGAL_FIELD(t, i, 1, optional));

#elif CASE == 16 /* reject: an optional number, bool or enum is FRUGAL_OPT(its C type) */
ONE(FRUGAL_FIELD(t, i, 1, optional, i32));

#elif CASE == 17 /* reject: t.color, described as (1, optional, enum(color)): an optional number */
ONE(FRUGAL_FIELD(t, color, 1, optional, enum(color)));

#elif CASE == 18 /* reject: t.s, described as (1, optional): optional is FRUGAL_OPT(its C type); a string */
ONE(FRUGAL_FIELD(t, s, 1, optional));

#elif CASE == 19 /* reject: frugal: t.opt_s, described as (1, optional, string): string is frugal_str */
ONE(FRUGAL_FIELD(t, opt_s, 1, optional, string));

#elif CASE == 20 /* reject: frugal: t.opt, described as (1, required, i32): i32 is int32_t in C */
ONE(FRUGAL_FIELD(t, opt, 1, required, i32));

#elif CASE == 21 /* reject: frugal: t.opt, described as (1): its C type tells no type: spell list, set, map or struct; FRUGAL_OPT goes with optional */
ONE(FRUGAL_FIELD(t, opt, 1));

#elif CASE == 22 /* reject: frugal: t.opt, described as (1, optional, i64): i64 is int64_t in C */
ONE(FRUGAL_FIELD(t, opt, 1, optional, i64));

#elif CASE == 23 /* reject: frugal: t.opt_u, described as (1, optional): its C type tells no type: spell an enum */
ONE(FRUGAL_FIELD(t, opt_u, 1, optional));

#elif CASE == 24 /* reject: t.backwards, described as (1, optional): FRUGAL_OPT is { T value; bool has; } */
ONE(FRUGAL_FIELD(t, backwards, 1, optional));

#elif CASE == 25 /* reject: t.wide_has, described as (1, optional): FRUGAL_OPT is { T value; bool has; } */
ONE(FRUGAL_FIELD(t, wide_has, 1, optional));

#elif CASE == 26 /* reject gcc: attempt to take address of bit-field structure member 'bit' */ /* reject clang: cannot compute offset of bit-field 'bit' */
ONE(FRUGAL_FIELD(t, bit, 1));

#elif CASE == 27 /* reject: t.color, described as (1): its C type tells no type: spell an enum */
ONE(FRUGAL_FIELD(t, color, 1));

#elif CASE == 28 /* reject: enum(sign) is enum sign or int32_t in C, four bytes long */
ONE(FRUGAL_FIELD(t, color, 1, enum(sign)));

#elif CASE == 29 /* reject: enum(color) is enum color or int32_t in C, four bytes long */
ONE(FRUGAL_FIELD(t, l, 1, enum(color)));

#elif CASE == 30 /* reject: enum(color) is enum color or int32_t in C, four bytes long */
ONE(FRUGAL_FIELD(t, small, 1, enum(color)));

#elif CASE == 31 /* reject gcc: 'frugal_enum_big' undeclared here */ /* reject clang: use of undeclared identifier 'frugal_enum_big' */
ONE(FRUGAL_FIELD(t, color, 1, enum(big)));

#elif CASE == 32 /* reject: frugal: t.list, described as (1, i32): i32 is int32_t in C */
ONE(FRUGAL_FIELD(t, list, 1, i32));
#endif
