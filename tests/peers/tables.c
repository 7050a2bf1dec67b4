/* peers/tables.c - the structs and tables of tables.h, in two flavours.
 *
 * `d_` is as the .thrift file declares it. `p_` has presence: every field is optional, scalars are
 * FRUGAL_OPT and structs are behind pointers, so that a record tells exactly what was on the wire.
 * The list is read five times: C structs, d and p; tables, p and d; the registry. */
#include <string.h>

#include <frugal/describe.h>

#include "support/vectors.h"

enum Grade { LOW = -5, ZERO = 0, MID, HIGH = 0x7f, TOP = 2147483647 };
FRUGAL_ENUM(Grade, FRUGAL_ITEM(LOW), FRUGAL_ITEM(ZERO), FRUGAL_ITEM(MID), FRUGAL_ITEM(HIGH),
            FRUGAL_ITEM(TOP));
enum Color { RED = 1, GREEN = 2, BLUE = 4 };
FRUGAL_ENUM(Color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN), FRUGAL_ITEM(BLUE));
enum Kind { A = 1, B = 2 };
FRUGAL_ENUM(Kind, FRUGAL_ITEM(A), FRUGAL_ITEM(B));
enum Level { NONE = 0, SOME = 3, ALL = 9 };
FRUGAL_ENUM(Level, FRUGAL_ITEM(NONE), FRUGAL_ITEM(SOME), FRUGAL_ITEM(ALL));

/* ---- the words of a type ------------------------------------------------------------------- */

/* Each is a pair: the C type, and the type as FRUGAL_FIELD spells it. */
#define C_OF(c_type, spelled)    c_type
#define TYPE_OF(c_type, spelled) spelled
#define BOOL                     (bool, bool)
#define I8                       (int8_t, i8)
#define I16                      (int16_t, i16)
#define I32                      (int32_t, i32)
#define I64                      (int64_t, i64)
#define DOUBLE                   (double, double)
#define STRING                   (frugal_str, string)
#define BINARY                   (frugal_bytes, binary)
#define ENUM(E)                  (enum E, enum(E))
#define RECORD(S)                (struct NAME(S), struct(NAME(S)))
#define POINTER(S)               (struct NAME(S) *, struct(NAME(S)))
#define LIST(t)                  (FRUGAL_LIST(C_OF t), list(TYPE_OF t))
#define SET(t)                   (FRUGAL_SET(C_OF t), set(TYPE_OF t))
#define MAP(k, v)                (FRUGAL_MAP(C_OF k, C_OF v), map(TYPE_OF k, TYPE_OF v))

/* What the flavour, d or p, changes. */
#define JOIN(a, b)             JOIN_(a, b)
#define JOIN_(a, b)            a##b
#define NAME(T)                JOIN(JOIN(FLAVOUR, _), T)
#define NEED(need)             JOIN(NEED_, FLAVOUR)(need)
#define NEED_d(need)           need
#define NEED_p(need)           optional
#define PLACE(need, c_type)    JOIN(PLACE_, FLAVOUR)(need, c_type)
#define PLACE_d(need, c_type)  PLACE_##need(c_type)
#define PLACE_p(need, c_type)  FRUGAL_OPT(c_type)
#define PLACE_required(c_type) c_type
#define PLACE_default(c_type)  c_type
#define PLACE_optional(c_type) FRUGAL_OPT(c_type)
#define HELD(S)                JOIN(HELD_, FLAVOUR)(S)
#define HELD_d(S)              struct d_##S
#define HELD_p(S)              struct p_##S *

/* ---- C structs ----------------------------------------------------------------------------- */

#define STRUCT(schema, T, ...) \
    struct NAME(T) {           \
        __VA_ARGS__            \
    };                         \
    DECLARE(NAME(T));
#define DECLARE(T)       FRUGAL_DECLARE(T)
#define STRUCT_WITH      STRUCT
#define EMPTY(schema, T) STRUCT(schema, T, char unused;)
#define UNION(schema, T, ...) \
    struct NAME(T) {          \
        int32_t which;        \
        union {               \
            __VA_ARGS__       \
        };                    \
    };                        \
    DECLARE(NAME(T));
#define SCALAR(T, name, id, need, type)     PLACE(need, C_OF type) name;
#define SCALAR_WITH(T, name, id, type, ...) FRUGAL_OPT(C_OF type) name;
#define SPAN(T, name, id, need, type)       C_OF type name;
#define SPAN_WITH(T, name, id, type, ...)   C_OF type name;
#define INSIDE(T, name, id, need, S)        HELD(S) name;
#define BEHIND(T, name, id, need, S)        struct NAME(S) * name;
#define ARM(T, name, id, type)              C_OF type name;

#define FLAVOUR d
#include "peers/tables.h"
#undef FLAVOUR
#define FLAVOUR p
#include "peers/tables.h"

#undef STRUCT
#undef STRUCT_WITH
#undef EMPTY
#undef UNION
#undef SCALAR
#undef SCALAR_WITH
#undef SPAN
#undef SPAN_WITH
#undef INSIDE
#undef BEHIND
#undef ARM

/* ---- defaults ------------------------------------------------------------------------------ */

#define TEXT(literal)                \
    {                                \
        literal, sizeof(literal) - 1 \
    }
#define ITEMS(type, ...)                                                                \
    {                                                                                   \
        (void *)(type[]){ __VA_ARGS__ }, sizeof((type[]){ __VA_ARGS__ }) / sizeof(type) \
    }

/* FRUGAL_LIST and FRUGAL_MAP make types without names; these have the same layout. */
struct items {
    void  *ptr;
    size_t len;
};
struct string_i32 {
    frugal_str key;
    int32_t    value;
};
struct i16_string {
    int16_t    key;
    frugal_str value;
};
struct i32_items {
    int32_t      key;
    struct items value;
};

static const struct d_Point Point_initial = { .x = 1, .y = -1 };

static const struct d_AllDefaults AllDefaults_initial = {
    .b      = true,
    .by     = -8,
    .s      = 0x1f,
    .i      = 41,
    .l      = 9223372036854775807,
    .d      = 1.5e3,
    .d2     = 7,
    .str    = TEXT("plain"),
    .esc    = TEXT("he said \"hi\"\tand left"),
    .lev    = ALL,
    .lev2   = SOME,
    .li     = ITEMS(int32_t, 1, 2, 3),
    .m      = ITEMS(struct string_i32, { TEXT("k"), 7 }),
    .se     = ITEMS(int32_t, 9),
    .pt     = { .x = 5, .y = -1, .tag = TEXT("five") },
    .primes = ITEMS(int32_t, 2, 3, 5, 7),
    .nest   = ITEMS(struct items, ITEMS(frugal_str, TEXT("a")), { NULL, 0 },
                    ITEMS(frugal_str, TEXT("b"), TEXT("c"))),
    .md     = ITEMS(struct i32_items, { 4, ITEMS(double, 0.25, -2.0) }),
    .pts    = ITEMS(struct d_Point, { .x = 10, .y = -1 }, { .x = 1, .y = 20 }),
};

static const struct d_ReqDefaults ReqDefaults_initial = {
    .i   = 12,
    .str = TEXT("need"),
    .li  = ITEMS(int64_t, 1),
    .b   = true,
    .lev = ALL,
};

/* ---- tables -------------------------------------------------------------------------------- */

#define STRUCT(schema, T, ...)          FRUGAL_STRUCT(NAME(T), __VA_ARGS__);
#define STRUCT_WITH(schema, T, ...)     JOIN(WITH_, FLAVOUR)(T, __VA_ARGS__)
#define WITH_d(T, ...)                  FRUGAL_STRUCT_WITH(d_##T, &T##_initial, __VA_ARGS__);
#define WITH_p(T, ...)                  FRUGAL_STRUCT(p_##T, __VA_ARGS__);
#define EMPTY(schema, T)                EMPTY_(NAME(T))
#define EMPTY_(T)                       FRUGAL_STRUCT_EMPTY(T);
#define UNION(schema, T, ...)           FRUGAL_UNION(NAME(T), which, __VA_ARGS__);
#define SCALAR(T, name, id, need, type) FRUGAL_FIELD(NAME(T), name, id, NEED(need), TYPE_OF type),
#define SPAN                            SCALAR
#define SCALAR_WITH(T, name, id, type, ...)                      \
    FRUGAL_FIELD_WITH(NAME(T), name, id, optional, TYPE_OF type, \
                      .initial = &(const C_OF type){ __VA_ARGS__ }),
/* By void *: FRUGAL_LIST makes another type each time it is written. */
#define SPAN_WITH(T, name, id, type, ...)                        \
    FRUGAL_FIELD_WITH(NAME(T), name, id, optional, TYPE_OF type, \
                      .initial = (const void *)&(const C_OF type)__VA_ARGS__),
#define INSIDE(T, name, id, need, S) SCALAR(T, name, id, need, RECORD(S))
#define BEHIND(T, name, id, need, S) SCALAR(T, name, id, need, RECORD(S))
#define ARM(T, name, id, type)       FRUGAL_ARM(NAME(T), name, id, TYPE_OF type),

#include "peers/tables.h"
#undef FLAVOUR
#define FLAVOUR d
#include "peers/tables.h"

#undef STRUCT
#undef STRUCT_WITH
#undef EMPTY
#undef UNION

/* ---- the registry -------------------------------------------------------------------------- */

#define STRUCT(schema, T, ...) { #schema, #T, { FRUGAL_TYPE(d_##T), FRUGAL_TYPE(p_##T) } },
#define STRUCT_WITH            STRUCT
#define UNION                  STRUCT
#define EMPTY(schema, T)       STRUCT(schema, T, )

static const struct {
    const char          *schema, *type;
    const frugal_struct *tables[2]; /* by vectors_flavour */
} known[] = {
#include "peers/tables.h"
};

const frugal_struct *vectors_type(const char *schema, const char *type, vectors_flavour flavour)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].schema, schema) == 0 && strcmp(known[i].type, type) == 0)
            return known[i].tables[flavour];
    return NULL;
}
