/* frugal/describe_macros.h - the macros that write tables. Included by describe.h, for C11 only;
 * C++ refers to tables made in a C file with FRUGAL_DECLARE.
 *
 * A struct
 *
 *   FRUGAL_STRUCT(T, fields...)                describes `struct T`, at file scope
 *   FRUGAL_STRUCT_WITH(T, initial, fields...)  decoding starts from *initial, a struct T
 *   FRUGAL_STRUCT_LOCAL(T, fields...)          a table that only this file sees
 *   FRUGAL_STRUCT_LOCAL_WITH(T, initial, fields...)
 *   FRUGAL_STRUCT_EMPTY(T)                     no fields; `struct T` has a member nobody uses
 *   FRUGAL_STRUCT_EMPTY_LOCAL(T)
 *
 * The table is `frugal_struct_T`, also to be had as FRUGAL_TYPE(T). FRUGAL_DECLARE(T) in a header
 * lets other files refer to it; it is also needed where struct(T) stands above T's own table. A
 * struct may refer to itself. `struct T` needs its tag: a typedef alone is not enough.
 *
 * A field
 *
 *   FRUGAL_FIELD(T, member, id)                      default, the C type tells the type
 *   FRUGAL_FIELD(T, member, id, need)                the C type tells the type
 *   FRUGAL_FIELD(T, member, id, type)                default
 *   FRUGAL_FIELD(T, member, id, need, type)
 *   FRUGAL_FIELD(T, member, id, need, type, "name")  another name for texts and paths
 *   FRUGAL_FIELD_WITH(T, member, id, need, type, .no_copy = true, .initial = &value)
 *                                                    one or both of them, in any order
 *   FRUGAL_UNKNOWN(T, member)                        not a field: a frugal_bytes that keeps, byte
 *                                                    for byte, the fields the table does not know
 *
 * id      -32768 .. 32767, a constant. Fields may stand in any order; they are written by
 *         ascending id.
 * need    required   always written, missing on reading is an error
 *         default    always written, may be missing
 *         optional   written when present
 * type    bool i8 i16 i32 i64 double   bool, int8_t .. int64_t, double; `byte` is i8
 *         string binary                frugal_str, frugal_bytes
 *         enum(E)                      enum E of four bytes, or int32_t
 *         struct(S)                    struct S, or struct S * (NULL is written as an empty
 *                                      struct); an optional one is a pointer, NULL = absent
 *         list(type) set(type)         FRUGAL_LIST(C type), FRUGAL_SET(C type)
 *         map(type, type)              FRUGAL_MAP(C type, C type); any type may be a key
 *         Containers nest up to five deep in one field.
 *
 * An optional bool, integer, double or enum is FRUGAL_OPT(C type). An optional string, binary,
 * list, set or map is absent when its .ptr is NULL.
 *
 * The type may be left out where the C type tells it: bool, int8_t .. int64_t, double, frugal_str,
 * frugal_bytes, and FRUGAL_OPT of a bool or number. It is spelled for the rest, because C cannot
 * tell a list from a set or an enum from an integer, and for an optional string or binary.
 *
 * .no_copy = true    string, binary: decoding gives a view into the input, which must outlive it.
 * .initial = &value  optional, and not a struct: what readers may show while the field is absent
 *                    (frugal_get), and what skip_defaults leaves out. Of the field's C type (not
 *                    its FRUGAL_OPT), in static memory. It does not make the field present; for
 *                    default and required fields there is the record of FRUGAL_STRUCT_WITH.
 *
 * A union is a struct with an int32_t that holds the id of the live arm, 0 for none:
 *
 *   struct shape { int32_t which; union { double radius; struct square *square; }; };
 *   FRUGAL_UNION(shape, which,
 *       FRUGAL_ARM(shape, radius, 1),
 *       FRUGAL_ARM(shape, square, 2, struct(square)));
 *
 *   FRUGAL_UNION(T, which, arms...)
 *   FRUGAL_UNION_WITH(T, initial, which, arms...)
 *   FRUGAL_UNION_LOCAL(T, which, arms...)
 *   FRUGAL_ARM(T, member, id)
 *   FRUGAL_ARM(T, member, id, type)
 *   FRUGAL_ARM(T, member, id, type, "name")
 *
 * An arm has no need and no FRUGAL_OPT, and an id that is not 0. A FRUGAL_UNKNOWN member stands
 * beside the anonymous union, not in it.
 *
 * An enum
 *
 *   FRUGAL_ENUM(E, items...)        describes `enum E`; the table is `frugal_enum_E`
 *   FRUGAL_ENUM_LOCAL(E, items...)
 *   FRUGAL_ITEM(constant)           named as the constant
 *   FRUGAL_ITEM(constant, "name")   named otherwise, as in FRUGAL_ITEM(COLOR_RED, "RED")
 *   FRUGAL_DECLARE_ENUM(E)          for headers
 *
 * What does not fit is a compile-time error that begins with "frugal:", the member and what was
 * written about it. So is a line that names another struct than the table it stands in. Where the C type has not even the right members, the compiler's own words
 * follow. Two things C11 cannot see: that an enum is described as another one of the same width and
 * sign, and that a list is described as a set. Repeated ids, names and members are found by
 * frugal_struct_check, which runs before the first use.
 *
 * Members may be called as they like (also required, list, i32). The words above must not be macros
 * where a table is made; `bool` may be one. */
#ifndef FRUGAL_DESCRIBE_MACROS_H
#define FRUGAL_DESCRIBE_MACROS_H

#include <frugal/describe.h>

/* ---- what the user writes ------------------------------------------------------------------- */

#define FRUGAL_STRUCT(T, ...) \
    FRUGAL_DECLARE(T);        \
    FRUGAL_TABLE_(T, FRUGAL_TABLE, struct, (__VA_ARGS__), 0, .defaults = NULL)
#define FRUGAL_STRUCT_WITH(T, initial, ...) \
    FRUGAL_DECLARE(T);                      \
    FRUGAL_TABLE_(T, FRUGAL_TABLE, struct, (__VA_ARGS__), FRUGAL_FITS_(T, initial), \
                  .defaults = (initial))
#define FRUGAL_STRUCT_LOCAL(T, ...)                 \
    static const frugal_struct frugal_struct_##T;   \
    FRUGAL_TABLE_(T, static, struct, (__VA_ARGS__), 0, .defaults = NULL)
#define FRUGAL_STRUCT_LOCAL_WITH(T, initial, ...)   \
    static const frugal_struct frugal_struct_##T;   \
    FRUGAL_TABLE_(T, static, struct, (__VA_ARGS__), FRUGAL_FITS_(T, initial), \
                  .defaults = (initial))
#define FRUGAL_STRUCT_EMPTY(T) \
    FRUGAL_DECLARE(T);         \
    FRUGAL_EMPTY_TABLE_(T, FRUGAL_TABLE)
#define FRUGAL_STRUCT_EMPTY_LOCAL(T)                \
    static const frugal_struct frugal_struct_##T;   \
    FRUGAL_EMPTY_TABLE_(T, static)

#define FRUGAL_UNION(T, m, ...) \
    FRUGAL_DECLARE(T);          \
    FRUGAL_TABLE_(T, FRUGAL_TABLE, union, (__VA_ARGS__), 0, FRUGAL_WHICH_(T, m))
#define FRUGAL_UNION_WITH(T, initial, m, ...) \
    FRUGAL_DECLARE(T);                        \
    FRUGAL_TABLE_(T, FRUGAL_TABLE, union, (__VA_ARGS__), FRUGAL_FITS_(T, initial), \
                  .defaults = (initial), FRUGAL_WHICH_(T, m))
#define FRUGAL_UNION_LOCAL(T, m, ...)               \
    static const frugal_struct frugal_struct_##T;   \
    FRUGAL_TABLE_(T, static, union, (__VA_ARGS__), 0, FRUGAL_WHICH_(T, m))

#define FRUGAL_FIELD(T, m, ...)                             \
    FRUGAL_CAT_(FRUGAL_FIELD, FRUGAL_COUNT_(__VA_ARGS__))   \
    (FRUGAL_WHY_(T, m, #__VA_ARGS__), T, m, #m, __VA_ARGS__)
#define FRUGAL_FIELD_WITH(T, m, id, need, t, ...)                                      \
    FRUGAL_ENTRY_(FRUGAL_WHY_(T, m, #id ", " #need ", " #t ", " #__VA_ARGS__), T, m, #m, id, need, \
                  t, FRUGAL_CHECKED_, (__VA_ARGS__, ))
#define FRUGAL_ARM(T, m, ...)                             \
    FRUGAL_CAT_(FRUGAL_ARM, FRUGAL_COUNT_(__VA_ARGS__))   \
    (FRUGAL_WHY_(T, m, #__VA_ARGS__), T, m, #m, __VA_ARGS__)
#define FRUGAL_UNKNOWN(T, m)                                          \
    { .name   = #m,                                                   \
      .offset = offsetof(struct T, m),                                \
      .type   = FRUGAL_LEAF_("frugal: " #T "." #m ": ", FRUGAL_PLACE_(T, m), FRUGAL_KIND_BINARY, \
                             "unknown fields are kept in a frugal_bytes"), \
      .id     = FRUGAL_HOME_("frugal: " #T "." #m ": ", T),           \
      .need   = FRUGAL_NEED_UNKNOWN }

#define FRUGAL_DECLARE_ENUM(E) extern FRUGAL_TABLE const frugal_enum frugal_enum_##E
#define FRUGAL_ENUM(E, ...) \
    FRUGAL_DECLARE_ENUM(E); \
    FRUGAL_ENUM_TABLE_(E, FRUGAL_TABLE, __VA_ARGS__)
#define FRUGAL_ENUM_LOCAL(E, ...)               \
    static const frugal_enum frugal_enum_##E;   \
    FRUGAL_ENUM_TABLE_(E, static, __VA_ARGS__)
#define FRUGAL_ITEM(...) \
    FRUGAL_CAT_(FRUGAL_ITEM, FRUGAL_COUNT_(__VA_ARGS__))(#__VA_ARGS__, __VA_ARGS__)

/* Everything below is machinery. Its names end in an underscore or are words behind one; they may
 * change. What a file needs after its tables are made is nothing of it. */

/* ---- tables --------------------------------------------------------------------------------- */

/* What stands in `list` looks at two things: at this constant, for whether the table is a union's,
 * and at whether the array is still incomplete, which it is in its own initialiser alone. A line for
 * another struct so finds an array that is complete, or no constant; hence the name of that. */
#define FRUGAL_TABLE_(T, linkage, what, list, check, ...)                                     \
    enum { frugal_this_line_is_for_##T = FRUGAL_IS_##what };                           \
    static const frugal_field frugal_fields_##T[] = { FRUGAL_UNWRAP_ list };           \
    static frugal_slot        frugal_slot_##T;                                         \
    linkage const frugal_struct frugal_struct_##T = {                                  \
        .abi         = FRUGAL_TABLE_ABI,                                               \
        .field_count = sizeof(frugal_fields_##T) / sizeof(frugal_fields_##T[0]) + check, \
        .name        = #T,                                                             \
        .fields      = frugal_fields_##T,                                              \
        .size        = sizeof(struct T),                                               \
        .align       = _Alignof(struct T),                                             \
        .slot        = &frugal_slot_##T,                                               \
        __VA_ARGS__                                                                    \
    }

#define FRUGAL_IS_struct 0
#define FRUGAL_IS_union  1

#define FRUGAL_EMPTY_TABLE_(T, linkage)                                                \
    static frugal_slot          frugal_slot_##T;                                       \
    linkage const frugal_struct frugal_struct_##T = {                                  \
        .abi   = FRUGAL_TABLE_ABI,                                                     \
        .name  = #T,                                                                   \
        .size  = sizeof(struct T)                                                      \
               + FRUGAL_REQUIRE_(sizeof(struct T) > 0,                                 \
                                 "frugal: struct " #T " needs a member, even if nobody uses it"), \
        .align = _Alignof(struct T),                                                   \
        .slot  = &frugal_slot_##T                                                      \
    }

#define FRUGAL_FITS_(T, initial)                      \
    FRUGAL_REQUIRE_(FRUGAL_IS_POINTER_(initial, T),   \
                    "frugal: the initial record of " #T " is a struct " #T " *")

#define FRUGAL_WHICH_(T, m)                                                            \
    .is_union = true,                                                                  \
    .which    = offsetof(struct T, m)                                                  \
           + FRUGAL_REQUIRE_(FRUGAL_KIND_OF_(FRUGAL_PLACE_(T, m)) == FRUGAL_KIND_I32,  \
                             "frugal: " #T "." #m " holds the id of the arm and is an int32_t")

#define FRUGAL_ENUM_TABLE_(E, linkage, ...)                                            \
    static const struct frugal_enum_item frugal_items_##E[] = { __VA_ARGS__ };         \
    linkage const frugal_enum frugal_enum_##E = {                                      \
        .name  = #E,                                                                   \
        .count = sizeof(frugal_items_##E) / sizeof(frugal_items_##E[0])                \
               + FRUGAL_REQUIRE_(sizeof(enum E) == 4,                                   \
                                 "frugal: enum " #E " is not four bytes long"),         \
        .items = frugal_items_##E                                                      \
    }
/* `text` is what the user wrote, before any macro in it was replaced. */
#define FRUGAL_ITEM1_(text, constant)       { text, constant }
#define FRUGAL_ITEM2_(text, constant, name) { "" name, constant }

/* ---- dispatch on the number of arguments ---------------------------------------------------- */

#define FRUGAL_UNWRAP_(...) __VA_ARGS__
#define FRUGAL_CAT_(a, b)   FRUGAL_CAT2_(a, b)
#define FRUGAL_CAT2_(a, b)  a##b##_
#define FRUGAL_COUNT_(...)  FRUGAL_TENTH_(__VA_ARGS__, many, many, many, many, many, 4, 3, 2, 1, ~)
#define FRUGAL_TENTH_(a, b, c, d, e, f, g, h, i, j, ...) j

/* How every complaint about a field begins; `text` is what stands behind the member. */
#define FRUGAL_WHY_(T, m, text) "frugal: " #T "." #m ", described as (" text "): "

#define FRUGAL_FIELD1_(why, T, m, name, id) FRUGAL_PLAIN_(why, T, m, name, id, default, inferred)
#define FRUGAL_FIELD2_(why, T, m, name, id, word) \
    FRUGAL_PAIR_(why, T, m, name, id, FRUGAL_WORD_##word, unknown, ~)
#define FRUGAL_FIELD3_(why, T, m, name, id, need, t) FRUGAL_PLAIN_(why, T, m, name, id, need, t)
#define FRUGAL_FIELD4_(why, T, m, name, id, need, t, other) \
    FRUGAL_PLAIN_(why, T, m, "" other, id, need, t)
#define FRUGAL_FIELDmany_(why, ...) \
    { .id = FRUGAL_REQUIRE_(0, why "FRUGAL_FIELD takes at most an id, a need, a type and a name") }

#define FRUGAL_ARM1_(why, T, m, name, id)    FRUGAL_PLAIN_(why, T, m, name, id, arm, inferred)
#define FRUGAL_ARM2_(why, T, m, name, id, t) FRUGAL_PLAIN_(why, T, m, name, id, arm, t)
#define FRUGAL_ARM3_(why, T, m, name, id, t, other) \
    FRUGAL_PLAIN_(why, T, m, "" other, id, arm, t)
#define FRUGAL_ARM4_ FRUGAL_ARMmany_
#define FRUGAL_ARMmany_(why, ...) \
    { .id = FRUGAL_REQUIRE_(0, why "FRUGAL_ARM takes at most an id, a type and a name") }

#define FRUGAL_PLAIN_(why, T, m, name, id, need, t) \
    FRUGAL_ENTRY_(why, T, m, name, id, need, t, FRUGAL_UNCHECKED_, ())

/* One word behind the id is a need or a type. A word that is neither is not replaced, which makes
 * one argument less: `unknown` moves up to the type, and the word is a need that does not exist. */
#define FRUGAL_PAIR_(...) FRUGAL_PAIR_X_(__VA_ARGS__)
#define FRUGAL_PAIR_X_(why, T, m, name, id, need, t, ...) \
    FRUGAL_PLAIN_(why, T, m, name, id, need, t)
#define FRUGAL_WORD_required  required, inferred
#define FRUGAL_WORD_default   default, inferred
#define FRUGAL_WORD_optional  optional, inferred
#define FRUGAL_WORD_bool      default, bool
#define FRUGAL_WORD__Bool     default, bool
#define FRUGAL_WORD_i8        default, i8
#define FRUGAL_WORD_byte      default, byte
#define FRUGAL_WORD_i16       default, i16
#define FRUGAL_WORD_i32       default, i32
#define FRUGAL_WORD_i64       default, i64
#define FRUGAL_WORD_double    default, double
#define FRUGAL_WORD_string    default, string
#define FRUGAL_WORD_binary    default, binary
#define FRUGAL_WORD_enum(E)   default, enum(E)
#define FRUGAL_WORD_struct(S) default, struct(S)
#define FRUGAL_WORD_list(e)   default, list(e)
#define FRUGAL_WORD_set(e)    default, set(e)
#define FRUGAL_WORD_map(k, v) default, map(k, v)

/* ---- one field ------------------------------------------------------------------------------ */

/* A need becomes: enumerator, how the member says that it is absent. An unknown one stays one
 * word, and `bad` moves up. */
#define FRUGAL_NEED_required FRUGAL_NEED_REQUIRED, plain
#define FRUGAL_NEED_default  FRUGAL_NEED_DEFAULT, plain
#define FRUGAL_NEED_optional FRUGAL_NEED_OPTIONAL, opt
#define FRUGAL_NEED_arm      FRUGAL_NEED_OPTIONAL, arm

/* A type becomes: argument, category, argument. An unknown one stays one word, and `k_bad` moves
 * up. <stdbool.h> makes `bool` a macro, and it is expanded on its way here, hence _Bool. */
#define FRUGAL_TYPE_inferred  ~, k_infer, ~
#define FRUGAL_TYPE_bool      FRUGAL_KIND_BOOL, k_num, "a bool is a bool in C, too"
#define FRUGAL_TYPE__Bool     FRUGAL_KIND_BOOL, k_num, "a bool is a bool in C, too"
#define FRUGAL_TYPE_i8        FRUGAL_KIND_I8, k_num, "i8 is int8_t in C"
#define FRUGAL_TYPE_byte      FRUGAL_KIND_I8, k_num, "byte is int8_t in C"
#define FRUGAL_TYPE_i16       FRUGAL_KIND_I16, k_num, "i16 is int16_t in C"
#define FRUGAL_TYPE_i32       FRUGAL_KIND_I32, k_num, "i32 is int32_t in C"
#define FRUGAL_TYPE_i64       FRUGAL_KIND_I64, k_num, "i64 is int64_t in C"
#define FRUGAL_TYPE_double    FRUGAL_KIND_DOUBLE, k_num, "a double is a double in C, too"
#define FRUGAL_TYPE_string    FRUGAL_KIND_STRING, k_text, "string is frugal_str in C"
#define FRUGAL_TYPE_binary    FRUGAL_KIND_BINARY, k_text, "binary is frugal_bytes in C"
#define FRUGAL_TYPE_enum(E)   E, k_enum, ~
#define FRUGAL_TYPE_struct(S) S, k_struct, ~
#define FRUGAL_TYPE_list(e)   FRUGAL_KIND_LIST, k_span, e
#define FRUGAL_TYPE_set(e)    FRUGAL_KIND_SET, k_span, e
#define FRUGAL_TYPE_map(k, v) k, k_map, v

/* `check` and `with`: FRUGAL_UNCHECKED_ and (), or FRUGAL_CHECKED_ and the user's initialisers with
 * a comma behind them. The + 0 behind the id makes a forgotten one an expression all the same. */
#define FRUGAL_ENTRY_(why, T, m, name, id, need, t, check, with) \
    FRUGAL_ENTRY_N_(why, T, m, name, id, t, check, with, FRUGAL_NEED_##need, bad, ~)
#define FRUGAL_ENTRY_N_(...) FRUGAL_ENTRY_T_(__VA_ARGS__)
#define FRUGAL_ENTRY_T_(why, T, m, name, id, t, check, with, need, how, ...) \
    FRUGAL_ENTRY_C_(why, T, m, name, id, check, with, need, how, #t, FRUGAL_TYPE_##t, k_bad, ~)
#define FRUGAL_ENTRY_C_(...) FRUGAL_ENTRY_D_(__VA_ARGS__)
#define FRUGAL_ENTRY_D_(why, T, m, name_, id, check, with, need, how, word, a, cat, b, ...) \
    FRUGAL_ENTRY_##how(why, T, m, name_, id, check, with, need, how, word, a, cat, b)
#define FRUGAL_ENTRY_plain FRUGAL_ENTRY_GOOD_
#define FRUGAL_ENTRY_opt   FRUGAL_ENTRY_GOOD_
#define FRUGAL_ENTRY_arm   FRUGAL_ENTRY_GOOD_
#define FRUGAL_ENTRY_bad(why, ...)   \
    { .id = FRUGAL_REQUIRE_(0, why "after the id comes a need (required, default, optional), " \
                                   "a type, or both") }
#define FRUGAL_ENTRY_GOOD_(why, T, m, name_, fid, check, with, need_, how, word, a, cat, b) \
    { FRUGAL_UNWRAP_ with                                                              \
      .name   = name_,                                                                 \
      .id     = (int16_t)(fid + 0)                                                     \
            + FRUGAL_REQUIRE_(sizeof("" #fid) > 1, why "it has no id")                 \
            + FRUGAL_REQUIRE_((fid + 0) >= -32768 && (fid + 0) <= 32767,               \
                              why "an id is -32768 .. 32767")                          \
            + FRUGAL_LINE_##how(why, T, fid) + FRUGAL_HOME_(why, T)                    \
            + check(FRUGAL_MAY_##how##_##cat, FRUGAL_AT_##how##_##cat(T, m), with),    \
      .offset = offsetof(struct T, m),                                                 \
      .has    = FRUGAL_HAS_##how##_##cat(why, T, m, a),                                \
      .type   = FRUGAL_W1_##cat(why, FRUGAL_AT_##how##_##cat(T, m), word, a, b),       \
      .need   = need_ }

/* Whether it stands where it belongs; no table has so many fields. */
#define FRUGAL_HOME_(why, T)                                                           \
    FRUGAL_REQUIRE_(_Generic(&frugal_fields_##T, const frugal_field(*)[1000000]: 1,    \
                             default: 0),                                              \
                    why "this line is for struct " #T ", but stands in another table")
#define FRUGAL_LINE_plain(why, T, id) \
    FRUGAL_REQUIRE_(!frugal_this_line_is_for_##T, why "a line of FRUGAL_UNION is FRUGAL_ARM")
#define FRUGAL_LINE_opt FRUGAL_LINE_plain
#define FRUGAL_LINE_arm(why, T, id)                                                    \
    FRUGAL_REQUIRE_(frugal_this_line_is_for_##T, why "a line of FRUGAL_STRUCT is FRUGAL_FIELD") \
    + FRUGAL_REQUIRE_((id + 0) != 0, why "0 means no arm, and is no arm's id")

/* Where the value is. An lvalue that is never evaluated. */
#define FRUGAL_PLACE_(T, m)     (((struct T *)0)->m)
#define FRUGAL_VALUE_(T, m)     (((struct T *)0)->m.value)
#define FRUGAL_AT_plain_k_num    FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_enum   FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_infer  FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_text   FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_struct FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_span   FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_map    FRUGAL_PLACE_
#define FRUGAL_AT_plain_k_bad    FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_num      FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_enum     FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_infer    FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_text     FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_struct   FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_span     FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_map      FRUGAL_PLACE_
#define FRUGAL_AT_arm_k_bad      FRUGAL_PLACE_
#define FRUGAL_AT_opt_k_num      FRUGAL_VALUE_
#define FRUGAL_AT_opt_k_enum     FRUGAL_VALUE_
#define FRUGAL_AT_opt_k_infer    FRUGAL_VALUE_
#define FRUGAL_AT_opt_k_text     FRUGAL_PLACE_
#define FRUGAL_AT_opt_k_struct   FRUGAL_PLACE_
#define FRUGAL_AT_opt_k_span     FRUGAL_PLACE_
#define FRUGAL_AT_opt_k_map      FRUGAL_PLACE_
#define FRUGAL_AT_opt_k_bad      FRUGAL_PLACE_

/* Whether a .has stands beside it. */
#define FRUGAL_HAS_NONE_(why, T, m, a) 0
#define FRUGAL_HAS_OPT_(why, T, m, a)                                                  \
    FRUGAL_REQUIRE_(!FRUGAL_IS_FLAT_(FRUGAL_PLACE_(T, m)),                             \
                    why "an optional number, bool or enum is FRUGAL_OPT(its C type)")  \
    + offsetof(struct T, m.has)                                                        \
    + FRUGAL_REQUIRE_(offsetof(struct T, m.value) == offsetof(struct T, m)             \
                          && _Generic(FRUGAL_PLACE_(T, m).has, _Bool: 1, default: 0),  \
                      why "FRUGAL_OPT is { T value; bool has; }")
#define FRUGAL_HAS_INFER_(why, T, m, a)                                                \
    FRUGAL_REQUIRE_(!FRUGAL_IS_FLAT_(FRUGAL_PLACE_(T, m)),                             \
                    why "optional is FRUGAL_OPT(its C type); a string or binary is spelled") \
    + FRUGAL_HAS_OPT_(why, T, m, a)
#define FRUGAL_HAS_FAR_(why, T, m, S)                                                  \
    FRUGAL_REQUIRE_(_Generic(FRUGAL_PLACE_(T, m), struct S: 0, default: 1),            \
                    why "an optional struct is a pointer")
#define FRUGAL_HAS_plain_k_num    FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_enum   FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_infer  FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_text   FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_struct FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_span   FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_map    FRUGAL_HAS_NONE_
#define FRUGAL_HAS_plain_k_bad    FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_num      FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_enum     FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_infer    FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_text     FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_struct   FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_span     FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_map      FRUGAL_HAS_NONE_
#define FRUGAL_HAS_arm_k_bad      FRUGAL_HAS_NONE_
#define FRUGAL_HAS_opt_k_num      FRUGAL_HAS_OPT_
#define FRUGAL_HAS_opt_k_enum     FRUGAL_HAS_OPT_
#define FRUGAL_HAS_opt_k_infer    FRUGAL_HAS_INFER_
#define FRUGAL_HAS_opt_k_text     FRUGAL_HAS_NONE_
#define FRUGAL_HAS_opt_k_struct   FRUGAL_HAS_FAR_
#define FRUGAL_HAS_opt_k_span     FRUGAL_HAS_NONE_
#define FRUGAL_HAS_opt_k_map      FRUGAL_HAS_NONE_
#define FRUGAL_HAS_opt_k_bad      FRUGAL_HAS_NONE_

/* What FRUGAL_FIELD_WITH may set: the initialisers must also fit a struct that has the permitted
 * members alone, `initial` with its true type. A forbidden one is an error, a pointer to another
 * type is what the compiler makes of it (a warning, for gcc before 14 and clang before 16). */
#define FRUGAL_UNCHECKED_(may, x, with)  0
#define FRUGAL_CHECKED_(may, x, with)    FRUGAL_CHECKED_X_(may(x), with)
#define FRUGAL_CHECKED_X_(allowed, with) (0 * (int)sizeof((allowed){ FRUGAL_UNWRAP_ with }))
struct frugal_with_nothing_ {
    int nothing;
};
struct frugal_with_no_copy_only_ {
    bool no_copy;
};
#ifdef __GNUC__
#    define FRUGAL_POINTER_TO_(x) const __typeof__(x) *
#else
#    define FRUGAL_POINTER_TO_(x) const void *
#endif
#define FRUGAL_MAY_NOTHING_(x) struct frugal_with_nothing_
#define FRUGAL_MAY_VIEW_(x)    struct frugal_with_no_copy_only_
#define FRUGAL_MAY_INITIAL_(x) struct { FRUGAL_POINTER_TO_(x) initial; }
#define FRUGAL_MAY_BOTH_(x)    struct { bool no_copy; FRUGAL_POINTER_TO_(x) initial; }
#define FRUGAL_MAY_plain_k_num    FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_plain_k_enum   FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_plain_k_text   FRUGAL_MAY_VIEW_
#define FRUGAL_MAY_plain_k_struct FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_plain_k_span   FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_plain_k_map    FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_plain_k_bad    FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_opt_k_num      FRUGAL_MAY_INITIAL_
#define FRUGAL_MAY_opt_k_enum     FRUGAL_MAY_INITIAL_
#define FRUGAL_MAY_opt_k_text     FRUGAL_MAY_BOTH_
#define FRUGAL_MAY_opt_k_struct   FRUGAL_MAY_NOTHING_
#define FRUGAL_MAY_opt_k_span     FRUGAL_MAY_INITIAL_
#define FRUGAL_MAY_opt_k_map      FRUGAL_MAY_INITIAL_
#define FRUGAL_MAY_opt_k_bad      FRUGAL_MAY_NOTHING_

/* ---- the walk through a type: one copy of these lines a level -------------------------------- *
 *
 * A walker gets an lvalue (never evaluated) and a type, and yields one initialiser of frugal_type.
 * All sizes come from sizeof on the user's own lvalue. A macro cannot call itself, hence copies. */

#define FRUGAL_W1_k_bad(why, x, t, a, b)    FRUGAL_NO_TYPE_(why, x, t)
#define FRUGAL_W1_k_infer(why, x, t, a, b)  FRUGAL_INFER_(why, x)
#define FRUGAL_W1_k_num(why, x, t, k, c)    FRUGAL_LEAF_(why, x, k, c)
#define FRUGAL_W1_k_text(why, x, t, k, c)   FRUGAL_LEAF_(why, x, k, c)
#define FRUGAL_W1_k_enum(why, x, t, E, b)   FRUGAL_NAMED_(why, x, E)
#define FRUGAL_W1_k_struct(why, x, t, S, b) FRUGAL_RECORD_(why, x, S)
#define FRUGAL_W1_k_span(why, x, t, k, e) \
    FRUGAL_SPAN_(why, x, t, k, FRUGAL_W2_(why, *(x).ptr, e))
#define FRUGAL_W1_k_map(why, x, t, k, v) \
    FRUGAL_PAIRS_(why, x, t, FRUGAL_W2_(why, (x).ptr->key, k), FRUGAL_W2_(why, (x).ptr->value, v))

#define FRUGAL_W2_(why, x, t) FRUGAL_W2_X_(why, x, #t, FRUGAL_TYPE_##t, k_bad, ~)
#define FRUGAL_W2_X_(...)     FRUGAL_W2_Y_(__VA_ARGS__)
#define FRUGAL_W2_Y_(why, x, t, a, cat, b, ...) FRUGAL_W2_##cat(why, x, t, a, b)
#define FRUGAL_W2_k_bad       FRUGAL_W1_k_bad
#define FRUGAL_W2_k_infer     FRUGAL_W1_k_bad
#define FRUGAL_W2_k_num       FRUGAL_W1_k_num
#define FRUGAL_W2_k_text      FRUGAL_W1_k_text
#define FRUGAL_W2_k_enum      FRUGAL_W1_k_enum
#define FRUGAL_W2_k_struct    FRUGAL_W1_k_struct
#define FRUGAL_W2_k_span(why, x, t, k, e) \
    FRUGAL_SPAN_(why, x, t, k, FRUGAL_W3_(why, *(x).ptr, e))
#define FRUGAL_W2_k_map(why, x, t, k, v) \
    FRUGAL_PAIRS_(why, x, t, FRUGAL_W3_(why, (x).ptr->key, k), FRUGAL_W3_(why, (x).ptr->value, v))

#define FRUGAL_W3_(why, x, t) FRUGAL_W3_X_(why, x, #t, FRUGAL_TYPE_##t, k_bad, ~)
#define FRUGAL_W3_X_(...)     FRUGAL_W3_Y_(__VA_ARGS__)
#define FRUGAL_W3_Y_(why, x, t, a, cat, b, ...) FRUGAL_W3_##cat(why, x, t, a, b)
#define FRUGAL_W3_k_bad       FRUGAL_W1_k_bad
#define FRUGAL_W3_k_infer     FRUGAL_W1_k_bad
#define FRUGAL_W3_k_num       FRUGAL_W1_k_num
#define FRUGAL_W3_k_text      FRUGAL_W1_k_text
#define FRUGAL_W3_k_enum      FRUGAL_W1_k_enum
#define FRUGAL_W3_k_struct    FRUGAL_W1_k_struct
#define FRUGAL_W3_k_span(why, x, t, k, e) \
    FRUGAL_SPAN_(why, x, t, k, FRUGAL_W4_(why, *(x).ptr, e))
#define FRUGAL_W3_k_map(why, x, t, k, v) \
    FRUGAL_PAIRS_(why, x, t, FRUGAL_W4_(why, (x).ptr->key, k), FRUGAL_W4_(why, (x).ptr->value, v))

#define FRUGAL_W4_(why, x, t) FRUGAL_W4_X_(why, x, #t, FRUGAL_TYPE_##t, k_bad, ~)
#define FRUGAL_W4_X_(...)     FRUGAL_W4_Y_(__VA_ARGS__)
#define FRUGAL_W4_Y_(why, x, t, a, cat, b, ...) FRUGAL_W4_##cat(why, x, t, a, b)
#define FRUGAL_W4_k_bad       FRUGAL_W1_k_bad
#define FRUGAL_W4_k_infer     FRUGAL_W1_k_bad
#define FRUGAL_W4_k_num       FRUGAL_W1_k_num
#define FRUGAL_W4_k_text      FRUGAL_W1_k_text
#define FRUGAL_W4_k_enum      FRUGAL_W1_k_enum
#define FRUGAL_W4_k_struct    FRUGAL_W1_k_struct
#define FRUGAL_W4_k_span(why, x, t, k, e) \
    FRUGAL_SPAN_(why, x, t, k, FRUGAL_W5_(why, *(x).ptr, e))
#define FRUGAL_W4_k_map(why, x, t, k, v) \
    FRUGAL_PAIRS_(why, x, t, FRUGAL_W5_(why, (x).ptr->key, k), FRUGAL_W5_(why, (x).ptr->value, v))

#define FRUGAL_W5_(why, x, t) FRUGAL_W5_X_(why, x, #t, FRUGAL_TYPE_##t, k_bad, ~)
#define FRUGAL_W5_X_(...)     FRUGAL_W5_Y_(__VA_ARGS__)
#define FRUGAL_W5_Y_(why, x, t, a, cat, b, ...) FRUGAL_W5_##cat(why, x, t, a, b)
#define FRUGAL_W5_k_bad       FRUGAL_W1_k_bad
#define FRUGAL_W5_k_infer     FRUGAL_W1_k_bad
#define FRUGAL_W5_k_num       FRUGAL_W1_k_num
#define FRUGAL_W5_k_text      FRUGAL_W1_k_text
#define FRUGAL_W5_k_enum      FRUGAL_W1_k_enum
#define FRUGAL_W5_k_struct    FRUGAL_W1_k_struct
#define FRUGAL_W5_k_span(why, x, t, k, e) \
    FRUGAL_SPAN_(why, x, t, k, FRUGAL_W6_(why, *(x).ptr, e))
#define FRUGAL_W5_k_map(why, x, t, k, v) \
    FRUGAL_PAIRS_(why, x, t, FRUGAL_W6_(why, (x).ptr->key, k), FRUGAL_W6_(why, (x).ptr->value, v))

#define FRUGAL_W6_(why, x, t) FRUGAL_W6_X_(why, x, #t, FRUGAL_TYPE_##t, k_bad, ~)
#define FRUGAL_W6_X_(...)     FRUGAL_W6_Y_(__VA_ARGS__)
#define FRUGAL_W6_Y_(why, x, t, a, cat, b, ...) FRUGAL_W6_##cat(why, x, t, a, b)
#define FRUGAL_W6_k_bad       FRUGAL_W1_k_bad
#define FRUGAL_W6_k_infer     FRUGAL_W1_k_bad
#define FRUGAL_W6_k_num       FRUGAL_W1_k_num
#define FRUGAL_W6_k_text      FRUGAL_W1_k_text
#define FRUGAL_W6_k_enum      FRUGAL_W1_k_enum
#define FRUGAL_W6_k_struct    FRUGAL_W1_k_struct
#define FRUGAL_W6_k_span(why, x, t, k, e) FRUGAL_TOO_DEEP_(why, x)
#define FRUGAL_W6_k_map(why, x, t, k, v)  FRUGAL_TOO_DEEP_(why, x)

/* ---- one node of a type --------------------------------------------------------------------- */

#define FRUGAL_NO_TYPE_(why, x, t) \
    { .size = sizeof(x) + FRUGAL_REQUIRE_(0, why "'" t "' is not a type") }
#define FRUGAL_TOO_DEEP_(why, x) \
    { .size = sizeof(x) + FRUGAL_REQUIRE_(0, why "more than five containers deep") }
#define FRUGAL_INFER_(why, x)                                                          \
    { .kind = FRUGAL_KIND_OF_(x),                                                      \
      .size = sizeof(x)                                                                \
            + FRUGAL_REQUIRE_(FRUGAL_KIND_OF_(x) != FRUGAL_KIND_NONE || !FRUGAL_IS_FLAT_(x), \
                              why "its C type tells no type: spell an enum; text is frugal_str; " \
                                  "Thrift has no unsigned and no float")               \
            + FRUGAL_REQUIRE_(FRUGAL_KIND_OF_(x) != FRUGAL_KIND_NONE || FRUGAL_IS_FLAT_(x), \
                              why "its C type tells no type: spell list, set, map or struct; " \
                                  "FRUGAL_OPT goes with optional") }
#define FRUGAL_LEAF_(why, x, k, text) \
    { .kind = k, .size = sizeof(x) + FRUGAL_REQUIRE_(k == FRUGAL_KIND_OF_(x), why text) }
#define FRUGAL_NAMED_(why, x, E)                                                       \
    { .kind  = FRUGAL_KIND_ENUM,                                                       \
      .names = &frugal_enum_##E,                                                       \
      .size  = sizeof(x)                                                               \
            + FRUGAL_REQUIRE_(FRUGAL_IS_ENUM_(x, E),                                   \
                              why "enum(" #E ") is enum " #E " or int32_t in C, four bytes long") }
#define FRUGAL_RECORD_(why, x, S)                                                      \
    { .kind     = FRUGAL_KIND_STRUCT,                                                  \
      .record   = &frugal_struct_##S,                                                  \
      .indirect = _Generic((x), struct S *: true, default: false),                     \
      .size     = sizeof(x)                                                            \
            + FRUGAL_REQUIRE_(_Generic((x), struct S: 1, struct S *: 1, default: 0),   \
                              why "struct(" #S ") is struct " #S " or struct " #S " * in C") }
#define FRUGAL_SPAN_(why, x, t, k, node)                                               \
    { .kind   = k,                                                                     \
      .size   = FRUGAL_SPAN_SIZE_(why, x, t " is FRUGAL_LIST or FRUGAL_SET in C: "     \
                                            "{ T *ptr; size_t len; }"),                \
      .stride = sizeof(*(x).ptr),                                                      \
      .elem   = &(const frugal_type)node }
#define FRUGAL_PAIRS_(why, x, t, key_node, value_node)                                 \
    { .kind   = FRUGAL_KIND_MAP,                                                       \
      .size   = FRUGAL_SPAN_SIZE_(why, x, t " is FRUGAL_MAP in C: pairs at .ptr, size_t len"), \
      .stride = sizeof(*(x).ptr)                                                       \
              + FRUGAL_REQUIRE_(FRUGAL_IS_PAIR_(x),                                    \
                                why "a pair of " t " is { K key; V value; } in C"),    \
      .key    = &(const frugal_type)key_node,                                          \
      .elem   = &(const frugal_type)value_node }

/* In two steps, so that what has no members gets our words before the compiler's. */
#define FRUGAL_SPAN_SIZE_(why, x, text)                                                \
    sizeof(x) + FRUGAL_REQUIRE_(!FRUGAL_IS_FLAT_(x), why text)                         \
        + FRUGAL_REQUIRE_(FRUGAL_IS_SPAN_(x), why text)

/* ---- questions about a C type --------------------------------------------------------------- */

/* 0, or a compile-time error that shows `text`. (The _Generic only keeps clang from printing the
 * whole condition before the text.) */
#define FRUGAL_REQUIRE_(condition, text)                                               \
    (0 * (int)sizeof(struct {                                                          \
         int unused;                                                                   \
         _Static_assert(_Generic((char(*)[(condition) ? 1 : 2])0, char(*)[1]: 1, default: 0), \
                        text);                                                         \
     }))

#define FRUGAL_KIND_OF_(x)                                                             \
    _Generic((x), _Bool: FRUGAL_KIND_BOOL, signed char: FRUGAL_KIND_I8, short: FRUGAL_KIND_I16, \
             int: FRUGAL_KIND_I32, long: sizeof(long) == 8 ? FRUGAL_KIND_I64 : FRUGAL_KIND_I32, \
             long long: FRUGAL_KIND_I64, double: FRUGAL_KIND_DOUBLE,                   \
             frugal_str: FRUGAL_KIND_STRING, frugal_bytes: FRUGAL_KIND_BINARY,         \
             default: FRUGAL_KIND_NONE)

/* What has no members that a container or FRUGAL_OPT would have. */
#define FRUGAL_IS_FLAT_(x)                                                             \
    _Generic((x), _Bool: 1, char: 1, signed char: 1, unsigned char: 1, short: 1,       \
             unsigned short: 1, int: 1, unsigned: 1, long: 1, unsigned long: 1,        \
             long long: 1, unsigned long long: 1, float: 1, double: 1, char *: 1,      \
             const char *: 1, void *: 1, frugal_str: 1, frugal_bytes: 1, default: 0)

/* An enum whose constants are never negative is an unsigned int for gcc and clang, else an int. */
#define FRUGAL_IS_ENUM_(x, E)                       \
    (sizeof(enum E) == 4 && sizeof(x) == 4          \
     && _Generic((x), enum E: 1, default: _Generic((x), int: 1, long: 1, default: 0)))

#define FRUGAL_IS_POINTER_(p, T) _Generic((p), struct T *: 1, const struct T *: 1, default: 0)

#define FRUGAL_IS_SPAN_(x)                                                             \
    (sizeof(x) == sizeof(frugal_bytes) && _Generic((x).len, size_t: 1, default: 0)     \
     && FRUGAL_PTR_FIRST_(x))

#ifdef __GNUC__
#    define FRUGAL_PTR_FIRST_(x) (__builtin_offsetof(__typeof__(x), ptr) == 0)
#    define FRUGAL_PAIR_OF_(x)                   \
        struct {                                 \
            __typeof__((x).ptr->key)   key;      \
            __typeof__((x).ptr->value) value;    \
        }
#    define FRUGAL_IS_PAIR_(x)                                                 \
        (__builtin_offsetof(__typeof__(*(x).ptr), key) == 0                    \
         && __builtin_offsetof(__typeof__(*(x).ptr), value)                    \
                == __builtin_offsetof(FRUGAL_PAIR_OF_(x), value)               \
         && sizeof(*(x).ptr) == sizeof(FRUGAL_PAIR_OF_(x)))
#else /* frugal_struct_check sees it */
#    define FRUGAL_PTR_FIRST_(x) 1
#    define FRUGAL_IS_PAIR_(x)   1
#endif

#endif /* FRUGAL_DESCRIBE_MACROS_H */
