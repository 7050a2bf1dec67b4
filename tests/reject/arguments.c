/* tests/reject/arguments.c - ids, words and numbers of arguments that a field cannot have. */
#include <frugal/frugal.h>

struct t {
    int32_t    i;
    frugal_str s;
    FRUGAL_LIST(int32_t) l;
    FRUGAL_MAP(frugal_str, int32_t) m;
};

#if CASE == 0
FRUGAL_STRUCT(t,
    FRUGAL_FIELD(t, i, -32768, required, i32, "number"),
    FRUGAL_FIELD(t, s, 1),
    FRUGAL_FIELD(t, l, 2, list(i32)),
    FRUGAL_FIELD(t, m, 32767, map(string, i32)));

#elif CASE == 1 /* reject: frugal: t.i, described as (40000): an id is -32768 .. 32767 */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 40000));

#elif CASE == 2 /* reject: frugal: t.i, described as (-32769, i32): an id is -32768 .. 32767 */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, -32769, i32));

#elif CASE == 3 /* reject: frugal: t.i, described as (): it has no id */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i));

#elif CASE == 4 /* reject gcc: macro "FRUGAL_FIELD" requires */ /* reject clang: too few arguments */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t));

#elif CASE == 5 /* reject: FRUGAL_FIELD takes at most an id, a need, a type and a name */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 1, default, i32, "number", true));

#elif CASE == 6 /* reject: FRUGAL_FIELD takes at most an id, a need, a type and a name */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 1, default, i32, "a", "b", "c", "d"));

#elif CASE == 7 /* reject: (1, int): after the id comes a need (required, default, optional) */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 1, int));

#elif CASE == 8 /* reject: (1, mandatory, i32): after the id comes a need (required, default, optional) */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 1, mandatory, i32));

#elif CASE == 9 /* reject: (1, i32, required): after the id comes a need (required, default, optional) */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 1, i32, required));

#elif CASE == 10 /* reject: frugal: t.i, described as (1, required, int): 'int' is not a type */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, i, 1, required, int));

#elif CASE == 11 /* reject: 'vector(i32)' is not a type */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, l, 1, default, vector(i32)));

#elif CASE == 12 /* reject: frugal: t.l, described as (1, list(i31)): 'i31' is not a type */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, l, 1, list(i31)));

#elif CASE == 13 /* reject: 'str' is not a type */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, m, 1, map(str, i32)));

#elif CASE == 14 /* reject: 'list' is not a type */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, l, 1, required, list));

#elif CASE == 15 /* reject: FRUGAL_WORD_map */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, m, 1, map(string)));

#elif CASE == 16 /* reject gcc: has no member named 'nosuch' */ /* reject clang: no member named 'nosuch' in */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, nosuch, 1));

#elif CASE == 17 /* reject: 'struct nosuch' */
FRUGAL_STRUCT(nosuch, FRUGAL_FIELD(nosuch, i, 1));

#elif CASE == 18 /* reject: 'FRUGAL_FIELD_WITH' */
FRUGAL_STRUCT(t, FRUGAL_FIELD_WITH(t, i));

#elif CASE == 19 /* reject: 'inferred' is not a type */
FRUGAL_STRUCT(t, FRUGAL_FIELD(t, l, 1, list(inferred)));

#elif CASE == 20 /* reject: FRUGAL_ARM takes at most an id, a type and a name */
FRUGAL_UNION(t, i, FRUGAL_ARM(t, s, 1, optional, string, "a"));

#elif CASE == 21 /* reject: frugal: t.s, described as (1, optional): 'optional' is not a type */
FRUGAL_UNION(t, i, FRUGAL_ARM(t, s, 1, optional));
#endif
