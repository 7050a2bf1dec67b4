/* tests/reject/structs.c - structs, unions, enums and references that do not fit. */
#include <frugal/frugal.h>

struct in {
    int32_t a;
};
struct in2 {
    int32_t a;
};
struct undescribed {
    int32_t a;
};
FRUGAL_STRUCT(in, FRUGAL_FIELD(in, a, 1));
FRUGAL_STRUCT(in2, FRUGAL_FIELD(in2, a, 1));

struct t {
    struct in           in, *pin, **ppin;
    const struct in    *cpin;
    struct undescribed  no;
    FRUGAL_OPT(struct in) opt;
    FRUGAL_LIST(struct in) list;
    FRUGAL_LIST(struct in *) plist;
    frugal_str s;
    int32_t    i;
};
struct u {
    int32_t which;
    int64_t wide;
    enum arm { NO_ARM, A_ARM } names;
    union {
        int32_t    a;
        struct in  in;
        FRUGAL_OPT(int32_t) opt;
    };
};
#define ONE(...) FRUGAL_STRUCT(t, __VA_ARGS__)

#if CASE == 0
ONE(FRUGAL_FIELD(t, in, 1, struct(in)), FRUGAL_FIELD(t, pin, 2, optional, struct(in)),
    FRUGAL_FIELD(t, list, 3, list(struct(in))), FRUGAL_FIELD(t, plist, 4, list(struct(in))));
FRUGAL_UNION(u, which, FRUGAL_ARM(u, a, 1), FRUGAL_ARM(u, in, 2, struct(in)));
frugal_ref  ref(struct in *p);
frugal_view view(const struct in *p);
frugal_ref  ref(struct in *p) { return FRUGAL_REF(in, p); }
frugal_view view(const struct in *p) { return FRUGAL_VIEW(in, p); }

#elif CASE == 1 /* reject: t.in, described as (1, optional, struct(in)): an optional struct is a pointer */
ONE(FRUGAL_FIELD(t, in, 1, optional, struct(in)));

#elif CASE == 2 /* reject: struct(in2) is struct in2 or struct in2 * in C */
ONE(FRUGAL_FIELD(t, in, 1, struct(in2)));

#elif CASE == 3 /* reject: struct(in2) is struct in2 or struct in2 * in C */
ONE(FRUGAL_FIELD(t, pin, 1, optional, struct(in2)));

#elif CASE == 4 /* reject gcc: 'frugal_struct_undescribed' undeclared here */ /* reject clang: use of undeclared identifier 'frugal_struct_undescribed' */
ONE(FRUGAL_FIELD(t, no, 1, struct(undescribed)));

#elif CASE == 5 /* reject: frugal: t.in, described as (1): its C type tells no type: spell list, set, map or struct */
ONE(FRUGAL_FIELD(t, in, 1));

#elif CASE == 6 /* reject: frugal: t.ppin, described as (1, struct(in)): struct(in) is struct in */
ONE(FRUGAL_FIELD(t, ppin, 1, struct(in)));

#elif CASE == 7 /* reject: frugal: t.cpin, described as (1, optional, struct(in)): struct(in) is struct in */
ONE(FRUGAL_FIELD(t, cpin, 1, optional, struct(in)));

#elif CASE == 8 /* reject: frugal: t.opt, described as (1, optional, struct(in)): struct(in) is struct in */
ONE(FRUGAL_FIELD(t, opt, 1, optional, struct(in)));

#elif CASE == 9 /* reject: struct(in2) is struct in2 or struct in2 * in C */
ONE(FRUGAL_FIELD(t, list, 1, list(struct(in2))));

#elif CASE == 10 /* reject: struct(in2) is struct in2 or struct in2 * in C */
ONE(FRUGAL_FIELD(t, plist, 1, list(struct(in2))));

#elif CASE == 11 /* reject: frugal: t.i, described as (1, struct(in)): struct(in) is struct in */
ONE(FRUGAL_FIELD(t, i, 1, struct(in)));

#elif CASE == 12 /* reject: frugal: t.s: unknown fields are kept in a frugal_bytes */
ONE(FRUGAL_UNKNOWN(t, s));

#elif CASE == 13 /* reject: frugal: the initial record of t is a struct t * */
static const struct in2 initial;
FRUGAL_STRUCT_WITH(t, &initial, FRUGAL_FIELD(t, i, 1));

#elif CASE == 14 /* reject: frugal: the initial record of t is a struct t * */
static const struct t initial;
FRUGAL_STRUCT_WITH(t, initial, FRUGAL_FIELD(t, i, 1));

#elif CASE == 15 /* reject: frugal: the initial record of u is a struct u * */
static const struct in initial;
FRUGAL_UNION_WITH(u, &initial, which, FRUGAL_ARM(u, a, 1));

#elif CASE == 16 /* reject: frugal: the initial record of t is a struct t * */
static const struct in2 initial;
FRUGAL_STRUCT_LOCAL_WITH(t, &initial, FRUGAL_FIELD(t, i, 1));

#elif CASE == 17 /* reject: frugal: u.wide holds the id of the arm and is an int32_t */
FRUGAL_UNION(u, wide, FRUGAL_ARM(u, a, 1));

#elif CASE == 18 /* reject: frugal: u.names holds the id of the arm and is an int32_t */
FRUGAL_UNION(u, names, FRUGAL_ARM(u, a, 1));

#elif CASE == 19 /* reject: frugal: u.a, described as (0): 0 means no arm, and is no arm's id */
FRUGAL_UNION(u, which, FRUGAL_ARM(u, a, 0));

#elif CASE == 20 /* reject: frugal: u.opt, described as (1, i32): i32 is int32_t in C */
FRUGAL_UNION(u, which, FRUGAL_ARM(u, opt, 1, i32));

#elif CASE == 21 /* reject gcc: selector of type 'const struct in *' is not compatible */ /* reject clang: controlling expression type 'const struct in *' not compatible */
frugal_ref ref(const struct in *p) { return FRUGAL_REF(in, p); }

#elif CASE == 22 /* reject gcc: selector of type 'struct in2 *' is not compatible */ /* reject clang: controlling expression type 'struct in2 *' not compatible */
frugal_ref ref(struct in2 *p) { return FRUGAL_REF(in, p); }

#elif CASE == 23 /* reject gcc: selector of type 'void *' is not compatible */ /* reject clang: controlling expression type 'void *' not compatible */
frugal_view view(void *p) { return FRUGAL_VIEW(in, p); }

#elif CASE == 24 /* reject: frugal: enum wide is not four bytes long */
enum __attribute__((packed)) wide { ONE_WIDE = 1 };
FRUGAL_ENUM(wide, FRUGAL_ITEM(ONE_WIDE));

#elif CASE == 25 /* reject gcc: 'NO_SUCH_ITEM' undeclared here */ /* reject clang: use of undeclared identifier 'NO_SUCH_ITEM' */
FRUGAL_ENUM(arm, FRUGAL_ITEM(NO_SUCH_ITEM));

#elif CASE == 26 /* reject: frugal: struct none needs a member, even if nobody uses it */
struct none {};
FRUGAL_STRUCT_EMPTY(none);

#elif CASE == 27 /* reject: redefinition of 'frugal_fields_in' */
FRUGAL_STRUCT(in, FRUGAL_FIELD(in, a, 2));

#elif CASE == 28 /* reject: frugal: in2.a, described as (1): this line is for struct in2, but stands in another table */
ONE(FRUGAL_FIELD(in2, a, 1));

#elif CASE == 29 /* reject: 'frugal_this_line_is_for_undescribed' */
ONE(FRUGAL_FIELD(undescribed, a, 1));

#elif CASE == 30 /* reject: frugal: keeper.rest: this line is for struct keeper, but stands in another table */
struct keeper {
    frugal_bytes rest;
};
FRUGAL_STRUCT(keeper, FRUGAL_UNKNOWN(keeper, rest));
ONE(FRUGAL_UNKNOWN(keeper, rest));

#elif CASE == 31 /* reject: frugal: t.i, described as (1): a line of FRUGAL_STRUCT is FRUGAL_FIELD */
ONE(FRUGAL_ARM(t, i, 1));

#elif CASE == 32 /* reject: frugal: u.a, described as (1, i32): a line of FRUGAL_UNION is FRUGAL_ARM */
FRUGAL_UNION(u, which, FRUGAL_FIELD(u, a, 1, i32));

#elif CASE == 33 /* reject: frugal: u.opt, described as (1, optional): a line of FRUGAL_UNION is FRUGAL_ARM */
FRUGAL_UNION(u, which, FRUGAL_FIELD(u, opt, 1, optional));

#elif CASE == 34 /* reject: frugal: u.in, described as (1, struct(in)): this line is for struct u, but */
FRUGAL_UNION_LOCAL(u, which, FRUGAL_ARM(u, a, 1));
struct v {
    int32_t which;
    struct in in;
};
FRUGAL_UNION_LOCAL(v, which, FRUGAL_ARM(u, in, 1, struct(in)));
#endif
