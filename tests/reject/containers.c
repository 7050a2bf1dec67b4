/* tests/reject/containers.c - lists, sets and maps whose C type is another. */
#include <frugal/frugal.h>

struct in {
    int32_t a;
};
FRUGAL_STRUCT(in, FRUGAL_FIELD(in, a, 1));

#define LIST5(T) FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(FRUGAL_LIST(T)))))
struct t {
    int32_t    i;
    frugal_str s;
    FRUGAL_LIST(int32_t) li;
    FRUGAL_LIST(FRUGAL_LIST(int32_t)) lli;
    FRUGAL_LIST(char *) texts;
    FRUGAL_LIST(FRUGAL_OPT(int32_t)) opts;
    FRUGAL_LIST(struct in) structs;
    FRUGAL_MAP(frugal_str, int32_t) m;
    FRUGAL_MAP(frugal_str, FRUGAL_LIST(FRUGAL_MAP(int32_t, struct in))) deep;
    LIST5(FRUGAL_LIST(int32_t)) six;
    LIST5(FRUGAL_MAP(int32_t, bool)) six_map;
    struct {
        size_t   len;
        int32_t *ptr;
    } backwards;
    struct {
        int32_t *ptr;
        int32_t  len;
    } narrow;
    struct {
        int32_t *ptr;
        size_t   len, capacity;
    } vector;
    FRUGAL_LIST(struct {
        size_t   len;
        int32_t *ptr;
    }) backwards_inside;
    FRUGAL_LIST(struct {
        int32_t value;
        int32_t key;
    }) pairs_backwards;
    FRUGAL_LIST(struct {
        int32_t key;
        int32_t hash;
        int32_t value;
    }) pairs_with_more;
    FRUGAL_LIST(struct {
        int32_t first;
        int32_t second;
    }) pairs_otherwise;
    struct in *items;
};
#define ONE(...) FRUGAL_STRUCT(t, __VA_ARGS__)

#if CASE == 0
ONE(FRUGAL_FIELD(t, li, 1, list(i32)), FRUGAL_FIELD(t, lli, 2, list(set(i32))),
    FRUGAL_FIELD(t, structs, 3, optional, list(struct(in))), FRUGAL_FIELD(t, m, 4, map(string, i32)),
    FRUGAL_FIELD(t, deep, 5, map(string, list(map(i32, struct(in))))));

#elif CASE == 1 /* reject: frugal: t.li, described as (1, list(i64)): i64 is int64_t in C */
ONE(FRUGAL_FIELD(t, li, 1, list(i64)));

#elif CASE == 2 /* reject: frugal: t.lli, described as (1, list(list(i64))): i64 is int64_t in C */
ONE(FRUGAL_FIELD(t, lli, 1, list(list(i64))));

#elif CASE == 3 /* reject: frugal: t.li, described as (1): its C type tells no type: spell list, set, map or struct */
ONE(FRUGAL_FIELD(t, li, 1));

#elif CASE == 4 /* reject: frugal: t.i, described as (1, list(i32)): list(i32) is FRUGAL_LIST or FRUGAL_SET */
ONE(FRUGAL_FIELD(t, i, 1, list(i32)));

#elif CASE == 5 /* reject: t.i, described as (1, map(i32, i32)): map(i32, i32) is FRUGAL_MAP in C */
ONE(FRUGAL_FIELD(t, i, 1, map(i32, i32)));

#elif CASE == 6 /* reject: t.s, described as (1, set(i8)): set(i8) is FRUGAL_LIST or FRUGAL_SET in C */
ONE(FRUGAL_FIELD(t, s, 1, set(i8)));

#elif CASE == 7 /* reject: described as (1, list(string)): string is frugal_str in C */
ONE(FRUGAL_FIELD(t, texts, 1, list(string)));

#elif CASE == 8 /* reject: described as (1, list(i32)): i32 is int32_t in C */
ONE(FRUGAL_FIELD(t, opts, 1, list(i32)));

#elif CASE == 9 /* reject: described as (1, map(string, i64)): i64 is int64_t in C */
ONE(FRUGAL_FIELD(t, m, 1, map(string, i64)));

#elif CASE == 10 /* reject: described as (1, map(binary, i32)): binary is frugal_bytes in C */
ONE(FRUGAL_FIELD(t, m, 1, map(binary, i32)));

#elif CASE == 11 /* reject: map(i64, struct(in))))): i64 is int64_t in C */
ONE(FRUGAL_FIELD(t, deep, 1, map(string, list(map(i64, struct(in))))));

#elif CASE == 12 /* reject: list(struct(in)) is FRUGAL_LIST or FRUGAL_SET in C */
ONE(FRUGAL_FIELD(t, m, 1, map(string, list(struct(in)))));

#elif CASE == 13 /* reject: more than five containers deep */
ONE(FRUGAL_FIELD(t, six, 1, list(list(list(list(list(list(i32))))))));

#elif CASE == 14 /* reject: more than five containers deep */
ONE(FRUGAL_FIELD(t, six_map, 1, list(list(list(list(list(map(i32, bool))))))));

#elif CASE == 15 /* reject: t.backwards, described as (1, list(i32)): list(i32) is FRUGAL_LIST or FRUGAL_SET */
ONE(FRUGAL_FIELD(t, backwards, 1, list(i32)));

#elif CASE == 16 /* reject: t.narrow, described as (1, list(i32)): list(i32) is FRUGAL_LIST or FRUGAL_SET */
ONE(FRUGAL_FIELD(t, narrow, 1, list(i32)));

#elif CASE == 17 /* reject: t.vector, described as (1, list(i32)): list(i32) is FRUGAL_LIST or FRUGAL_SET */
ONE(FRUGAL_FIELD(t, vector, 1, list(i32)));

#elif CASE == 18 /* reject: (1, list(list(i32))): list(i32) is FRUGAL_LIST or FRUGAL_SET in C */
ONE(FRUGAL_FIELD(t, backwards_inside, 1, list(list(i32))));

#elif CASE == 19 /* reject: a pair of map(i32, i32) is { K key; V value; } in C */
ONE(FRUGAL_FIELD(t, pairs_backwards, 1, map(i32, i32)));

#elif CASE == 20 /* reject: a pair of map(i32, i32) is { K key; V value; } in C */
ONE(FRUGAL_FIELD(t, pairs_with_more, 1, map(i32, i32)));

#elif CASE == 21 /* reject gcc: has no member named 'key' */ /* reject clang: no member named 'key' in */
ONE(FRUGAL_FIELD(t, pairs_otherwise, 1, map(i32, i32)));

#elif CASE == 22 /* reject gcc: has no member named 'key' */ /* reject clang: no member named 'key' in */
ONE(FRUGAL_FIELD(t, structs, 1, map(i32, i32)));

#elif CASE == 23 /* reject: is a pointer; did you mean to use '->' */
ONE(FRUGAL_FIELD(t, items, 1, list(struct(in))));

#elif CASE == 24 /* reject: frugal: u.li, described as (1, list(enum(color))): enum(color) */
enum color { RED = 1, BLUE = -1 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(BLUE));
struct u {
    FRUGAL_LIST(uint32_t) li;
};
FRUGAL_STRUCT(u, FRUGAL_FIELD(u, li, 1, list(enum(color))));
#endif
