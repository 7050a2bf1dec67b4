/* fuzz/fuzz_tables.c - the tables that strangers' bytes are read with. */
#include "fuzz_tables.h"

#include <frugal/frugal.h>

/* ---- scalars of all needs ------------------------------------------------------------------- */

enum fuzz_colour { FUZZ_RED, FUZZ_BLUE = -1 };
FRUGAL_ENUM_LOCAL(fuzz_colour, FRUGAL_ITEM(FUZZ_RED), FRUGAL_ITEM(FUZZ_BLUE));

struct scalars {
    bool                         flag;
    FRUGAL_OPT(int8_t)           i8;
    int16_t                      i16;
    FRUGAL_OPT(int32_t)          i32;
    int64_t                      i64;
    FRUGAL_OPT(double)           real;
    enum fuzz_colour             colour;
    FRUGAL_OPT(enum fuzz_colour) opt_colour;
    FRUGAL_OPT(bool)             opt_flag;
    frugal_str                   text, opt_text, view;
    frugal_bytes                 binary;
    frugal_bytes                 kept;
};
static const int32_t        i32_start     = 7;
static const frugal_str     text_start    = { "text", 4 };
static const struct scalars scalars_start = { .i16 = 5, .text = { "start", 5 } };
FRUGAL_STRUCT_LOCAL_WITH(
    scalars, &scalars_start, FRUGAL_FIELD(scalars, flag, 1, required),
    FRUGAL_FIELD(scalars, i8, 2, optional), FRUGAL_FIELD(scalars, i16, 3),
    FRUGAL_FIELD_WITH(scalars, i32, 4, optional, i32, .initial = &i32_start),
    FRUGAL_FIELD(scalars, i64, 5), FRUGAL_FIELD(scalars, real, 6, optional),
    FRUGAL_FIELD(scalars, colour, 7, enum(fuzz_colour)),
    FRUGAL_FIELD(scalars, opt_colour, 8, optional, enum(fuzz_colour)),
    FRUGAL_FIELD(scalars, opt_flag, 9, optional), FRUGAL_FIELD(scalars, text, 10),
    FRUGAL_FIELD_WITH(scalars, opt_text, 11, optional, string, .initial = &text_start),
    FRUGAL_FIELD_WITH(scalars, view, 12, default, string, .no_copy = true),
    FRUGAL_FIELD(scalars, binary, -13, required), FRUGAL_UNKNOWN(scalars, kept));

/* ---- nested containers ---------------------------------------------------------------------- */

struct containers {
    FRUGAL_LIST(bool)                                           bools;
    FRUGAL_LIST(int8_t)                                         i8s;
    FRUGAL_SET(int16_t)                                         i16s;
    FRUGAL_LIST(int32_t)                                        i32s;
    FRUGAL_SET(int64_t)                                         i64s;
    FRUGAL_LIST(double)                                         reals;
    FRUGAL_SET(frugal_str)                                      texts;
    FRUGAL_LIST(struct scalars)                                 records;
    FRUGAL_LIST(FRUGAL_LIST(FRUGAL_SET(frugal_bytes)))          lists;
    FRUGAL_MAP(frugal_str, struct scalars *)                    by_text;
    FRUGAL_MAP(int16_t, FRUGAL_MAP(bool, FRUGAL_LIST(int32_t))) maps;
    FRUGAL_MAP(struct scalars, FRUGAL_LIST(int8_t))             by_record;
    FRUGAL_MAP(FRUGAL_SET(int8_t), frugal_str)                  by_set;
    frugal_bytes                                                kept;
};
FRUGAL_STRUCT_LOCAL(containers,
    FRUGAL_FIELD(containers, bools,     1, list(bool)),
    FRUGAL_FIELD(containers, i8s,       2, list(i8)),
    FRUGAL_FIELD(containers, i16s,      3, optional, set(i16)),
    FRUGAL_FIELD(containers, i32s,      4, optional, list(i32)),
    FRUGAL_FIELD(containers, i64s,      5, set(i64)),
    FRUGAL_FIELD(containers, reals,     6, list(double)),
    FRUGAL_FIELD(containers, texts,     7, optional, set(string)),
    FRUGAL_FIELD(containers, records,   8, optional, list(struct(scalars))),
    FRUGAL_FIELD(containers, lists,     9, optional, list(list(set(binary)))),
    FRUGAL_FIELD(containers, by_text,  10, optional, map(string, struct(scalars))),
    FRUGAL_FIELD(containers, maps,     11, map(i16, map(bool, list(i32)))),
    FRUGAL_FIELD(containers, by_record, 12, optional, map(struct(scalars), list(i8))),
    FRUGAL_FIELD(containers, by_set,   13, optional, map(set(i8), string)),
    FRUGAL_UNKNOWN(containers, kept));

/* ---- unions --------------------------------------------------------------------------------- */

struct point {
    int32_t      x, y;
    frugal_bytes kept;
};
FRUGAL_STRUCT_LOCAL(point,
    FRUGAL_FIELD(point, x, 1),
    FRUGAL_FIELD(point, y, 2),
    FRUGAL_UNKNOWN(point, kept));
struct choice {
    int32_t which;
    union {
        bool                       flag;
        int64_t                    number;
        frugal_str                 text;
        struct point               point;
        FRUGAL_LIST(struct choice) choices;
        FRUGAL_MAP(int8_t, double) map;
    };
    frugal_bytes kept;
};
FRUGAL_UNION_LOCAL(choice, which, FRUGAL_ARM(choice, flag, 1), FRUGAL_ARM(choice, number, 2),
                   FRUGAL_ARM(choice, text, 3), FRUGAL_ARM(choice, point, -4, struct(point)),
                   FRUGAL_ARM(choice, choices, 5, list(struct(choice))),
                   FRUGAL_ARM(choice, map, 300, map(i8, double)), FRUGAL_UNKNOWN(choice, kept));
struct choices {
    struct choice                      one;
    struct choice                     *far;
    FRUGAL_LIST(struct choice)         list;
    FRUGAL_MAP(struct choice, int32_t) map;
    frugal_bytes                       kept;
};
FRUGAL_STRUCT_LOCAL(choices,
    FRUGAL_FIELD(choices, one,  1, struct(choice)),
    FRUGAL_FIELD(choices, far,  2, optional, struct(choice)),
    FRUGAL_FIELD(choices, list, 3, list(struct(choice))),
    FRUGAL_FIELD(choices, map,  4, optional, map(struct(choice), i32)),
    FRUGAL_UNKNOWN(choices, kept));

/* ---- recursion ------------------------------------------------------------------------------ */

struct node {
    int32_t                               value;
    struct node                          *next;
    FRUGAL_LIST(struct node)              children;
    FRUGAL_MAP(frugal_str, struct node *) by_name;
    FRUGAL_SET(struct node *)             set;
    frugal_bytes                          kept;
};
FRUGAL_STRUCT_LOCAL(node,
    FRUGAL_FIELD(node, value,    1, required),
    FRUGAL_FIELD(node, next,     2, optional, struct(node)),
    FRUGAL_FIELD(node, children, 3, optional, list(struct(node))),
    FRUGAL_FIELD(node, by_name,  4, optional, map(string, struct(node))),
    FRUGAL_FIELD(node, set,      5, optional, set(struct(node))),
    FRUGAL_UNKNOWN(node, kept));

/* ---- wide ----------------------------------------------------------------------------------- */

#define TEN(F, tens) \
    F(tens##0)       \
    F(tens##1)       \
    F(tens##2) F(tens##3) F(tens##4) F(tens##5) F(tens##6) F(tens##7) F(tens##8) F(tens##9)
#define SEVENTY(F)     TEN(F, 1) TEN(F, 2) TEN(F, 3) TEN(F, 4) TEN(F, 5) TEN(F, 6) TEN(F, 7)
#define WIDE_MEMBER(n) FRUGAL_OPT(int32_t) f##n;
#define WIDE_FIELD(n)  FRUGAL_FIELD(wide, f##n, n, optional),

struct wide {
    SEVENTY(WIDE_MEMBER)
    frugal_str   text;
    frugal_bytes kept;
};
FRUGAL_STRUCT_LOCAL(wide,
    SEVENTY(WIDE_FIELD)
    FRUGAL_FIELD(wide, text, 200, required),
    FRUGAL_UNKNOWN(wide, kept));

/* ---- by value, deeper than a plan flattens ----------------------------------------------------
 */

#define LEVEL(outer, inner)                                                         \
    struct outer {                                                                  \
        int16_t      before;                                                        \
        struct inner in;                                                            \
        frugal_str   after;                                                         \
        frugal_bytes kept;                                                          \
    };                                                                              \
    static const struct outer outer##_start = { .before = 3 };                      \
    FRUGAL_STRUCT_LOCAL_WITH(outer, &outer##_start, FRUGAL_FIELD(outer, before, 1), \
                             FRUGAL_FIELD(outer, in, 2, struct(inner)),             \
                             FRUGAL_FIELD(outer, after, 3), FRUGAL_UNKNOWN(outer, kept))
LEVEL(level1, point);
LEVEL(level2, level1);
LEVEL(level3, level2);
LEVEL(level4, level3);
LEVEL(level5, level4);
LEVEL(level6, level5);
struct levels {
    struct level6              in;
    FRUGAL_LIST(struct level2) list;
    FRUGAL_OPT(int8_t)         end;
};
FRUGAL_STRUCT_LOCAL(levels,
    FRUGAL_FIELD(levels, in, 1, required, struct(level6)),
    FRUGAL_FIELD(levels, list, 2, list(struct(level2))),
    FRUGAL_FIELD(levels, end, 3, optional));

/* ---- nothing but what is kept ---------------------------------------------------------------- */

struct anything {
    frugal_bytes kept;
};
FRUGAL_STRUCT_LOCAL(anything, FRUGAL_UNKNOWN(anything, kept));

/* ---- which one ------------------------------------------------------------------------------ */

const frugal_struct *const fuzz_tables[FUZZ_TABLES] = {
    FRUGAL_TYPE(scalars), FRUGAL_TYPE(containers), FRUGAL_TYPE(choices),  FRUGAL_TYPE(node),
    FRUGAL_TYPE(wide),    FRUGAL_TYPE(levels),     FRUGAL_TYPE(anything),
};
_Static_assert(sizeof(struct wide) <= FUZZ_RECORD_SIZE_MAX
                   && sizeof(struct levels) <= FUZZ_RECORD_SIZE_MAX
                   && sizeof(struct containers) <= FUZZ_RECORD_SIZE_MAX,
               "a record of any of them has room");

bool fuzz_case_start(fuzz_case *to, const uint8_t *data, size_t size)
{
    if (size < 2)
        return false;
    to->type  = fuzz_tables[data[0] % FUZZ_TABLES];
    to->bits  = data[1];
    to->input = (frugal_bytes){ data + 2, size - 2 };
    return true;
}
