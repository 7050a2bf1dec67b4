/* peers/tables.h - the schemas of the vectors, each struct once.
 *
 * This is the .thrift text in C: whoever includes it has defined the words, and gives them another
 * meaning each time (tables.c: first C structs, then tables, then the registry). A struct stands
 * below those it holds by value. Words of a schema:
 *
 *   STRUCT(schema, T, members)        STRUCT_WITH: starts from the record T_initial
 *   EMPTY(schema, T)                  UNION(schema, T, arms)
 *
 * of a member, where `need` is required, default or optional:
 *
 *   SCALAR(T, name, id, need, type)   bool, numbers, enums
 *   SPAN(T, name, id, need, type)     string, binary, list, set, map
 *   INSIDE(T, name, id, need, S)      a struct, by value as declared
 *   BEHIND(T, name, id, need, S)      a struct, always by pointer
 *   ARM(T, name, id, type)            of a union
 *   SCALAR_WITH(T, name, id, type, value), SPAN_WITH: optional, with an initial value
 *
 * and of a type: BOOL I8 I16 I32 I64 DOUBLE STRING BINARY ENUM(E) RECORD(S) POINTER(S) LIST(t)
 * SET(t) MAP(k, v). No include guard: it is meant to be included again. */
/* clang-format off */

/* ---- scalars.thrift ------------------------------------------------------------------------ */

STRUCT(scalars, Scalars,
    SCALAR(Scalars, flag,   1,  default, BOOL)
    SCALAR(Scalars, tiny,   2,  default, I8)
    SCALAR(Scalars, tiny2,  3,  default, I8)
    SCALAR(Scalars, small,  4,  default, I16)
    SCALAR(Scalars, medium, 5,  default, I32)
    SCALAR(Scalars, large,  6,  default, I64)
    SCALAR(Scalars, real,   7,  default, DOUBLE)
    SPAN(  Scalars, text,   8,  default, STRING)
    SPAN(  Scalars, raw,    9,  default, BINARY)
    SCALAR(Scalars, grade,  10, default, ENUM(Grade)))

STRUCT(scalars, OptScalars,
    SCALAR(OptScalars, flag,   1,  optional, BOOL)
    SCALAR(OptScalars, tiny,   2,  optional, I8)
    SCALAR(OptScalars, small,  4,  optional, I16)
    SCALAR(OptScalars, medium, 5,  optional, I32)
    SCALAR(OptScalars, large,  6,  optional, I64)
    SCALAR(OptScalars, real,   7,  optional, DOUBLE)
    SPAN(  OptScalars, text,   8,  optional, STRING)
    SPAN(  OptScalars, raw,    9,  optional, BINARY)
    SCALAR(OptScalars, grade,  10, optional, ENUM(Grade))
    SCALAR(OptScalars, at,     11, optional, I64)
    SPAN(  OptScalars, label,  12, optional, STRING)
    SPAN(  OptScalars, blob,   13, optional, BINARY)
    SCALAR(OptScalars, mark,   14, optional, ENUM(Grade)))

STRUCT(scalars, ReqScalars,
    SCALAR(ReqScalars, flag,   1, required, BOOL)
    SCALAR(ReqScalars, tiny,   2, required, I8)
    SCALAR(ReqScalars, small,  3, required, I16)
    SCALAR(ReqScalars, medium, 4, required, I32)
    SCALAR(ReqScalars, large,  5, required, I64)
    SCALAR(ReqScalars, real,   6, required, DOUBLE)
    SPAN(  ReqScalars, text,   7, required, STRING)
    SPAN(  ReqScalars, raw,    8, required, BINARY)
    SCALAR(ReqScalars, grade,  9, required, ENUM(Grade)))

EMPTY(scalars, Nothing)

STRUCT(scalars, Wrap,
    INSIDE(Wrap, inner,   1, required, Scalars)
    BEHIND(Wrap, maybe,   2, optional, OptScalars)
    INSIDE(Wrap, nothing, 3, default,  Nothing)
    SPAN(  Wrap, many,    4, default,  LIST(RECORD(Scalars))))

/* ---- containers.thrift --------------------------------------------------------------------- */

STRUCT(containers, Item,
    SCALAR(Item, id,   1, default, I32)
    SPAN(  Item, name, 2, default, STRING))

STRUCT(containers, Lists,
    SPAN(Lists, bools,   1,  default, LIST(BOOL))
    SPAN(Lists, bytes,   2,  default, LIST(I8))
    SPAN(Lists, shorts,  3,  default, LIST(I16))
    SPAN(Lists, ints,    4,  default, LIST(I32))
    SPAN(Lists, longs,   5,  default, LIST(I64))
    SPAN(Lists, reals,   6,  default, LIST(DOUBLE))
    SPAN(Lists, strings, 7,  default, LIST(STRING))
    SPAN(Lists, raws,    8,  default, LIST(BINARY))
    SPAN(Lists, colors,  9,  default, LIST(ENUM(Color)))
    SPAN(Lists, items,   10, default, LIST(RECORD(Item))))

STRUCT(containers, Sets,
    SPAN(Sets, bools,   1, default, SET(BOOL))
    SPAN(Sets, bytes,   2, default, SET(I8))
    SPAN(Sets, shorts,  3, default, SET(I16))
    SPAN(Sets, ints,    4, default, SET(I32))
    SPAN(Sets, longs,   5, default, SET(I64))
    SPAN(Sets, reals,   6, default, SET(DOUBLE))
    SPAN(Sets, strings, 7, default, SET(STRING))
    SPAN(Sets, colors,  9, default, SET(ENUM(Color))))

STRUCT(containers, MapKeys,
    SPAN(MapKeys, bools,   1, default, MAP(BOOL, I32))
    SPAN(MapKeys, bytes,   2, default, MAP(I8, I32))
    SPAN(MapKeys, shorts,  3, default, MAP(I16, I32))
    SPAN(MapKeys, ints,    4, default, MAP(I32, I32))
    SPAN(MapKeys, longs,   5, default, MAP(I64, I32))
    SPAN(MapKeys, reals,   6, default, MAP(DOUBLE, I32))
    SPAN(MapKeys, strings, 7, default, MAP(STRING, I32))
    SPAN(MapKeys, colors,  8, default, MAP(ENUM(Color), I32)))

STRUCT(containers, MapValues,
    SPAN(MapValues, bools,  1, default, MAP(STRING, BOOL))
    SPAN(MapValues, bytes,  2, default, MAP(STRING, I8))
    SPAN(MapValues, shorts, 3, default, MAP(STRING, I16))
    SPAN(MapValues, longs,  4, default, MAP(STRING, I64))
    SPAN(MapValues, reals,  5, default, MAP(STRING, DOUBLE))
    SPAN(MapValues, raws,   6, default, MAP(STRING, BINARY))
    SPAN(MapValues, colors, 7, default, MAP(STRING, ENUM(Color)))
    SPAN(MapValues, items,  8, default, MAP(STRING, RECORD(Item)))
    SPAN(MapValues, texts,  9, default, MAP(I32, STRING)))

STRUCT(containers, Nested,
    SPAN(Nested, ll,   1, default, LIST(LIST(I32)))
    SPAN(Nested, lllb, 2, default, LIST(LIST(LIST(BOOL))))
    SPAN(Nested, ml,   3, default, MAP(STRING, LIST(I64)))
    SPAN(Nested, mm,   4, default, MAP(I32, MAP(STRING, STRING)))
    SPAN(Nested, lm,   5, default, LIST(MAP(STRING, RECORD(Item))))
    SPAN(Nested, deep, 6, default, MAP(STRING, MAP(I16, LIST(RECORD(Item)))))
    SPAN(Nested, ls,   7, default, LIST(SET(STRING)))
    SPAN(Nested, ms,   8, default, MAP(I64, SET(I32))))

STRUCT(containers, OptContainers,
    SPAN(OptContainers, l,     1, optional, LIST(STRING))
    SPAN(OptContainers, s,     2, optional, SET(I32))
    SPAN(OptContainers, m,     3, optional, MAP(STRING, STRING))
    SPAN(OptContainers, items, 4, optional, LIST(RECORD(Item)))
    SPAN(OptContainers, byid,  5, optional, MAP(I32, RECORD(Item))))

/* ---- recur.thrift -------------------------------------------------------------------------- */

STRUCT(recur, Tree,
    SCALAR(Tree, value, 1, default, I32)
    BEHIND(Tree, left,  2, optional, Tree)
    BEHIND(Tree, right, 3, optional, Tree))

STRUCT(recur, Link,
    SPAN(  Link, item,   1, default, STRING)
    BEHIND(Link, follow, 2, optional, Link))

STRUCT(recur, Ping,
    SCALAR(Ping, n,    1, default, I32)
    BEHIND(Ping, pong, 2, optional, Pong))

STRUCT(recur, Pong,
    SPAN(  Pong, s,     1, default, STRING)
    BEHIND(Pong, ping,  2, optional, Ping)
    SPAN(  Pong, pings, 3, default, LIST(RECORD(Ping))))

STRUCT(recur, Forest,
    SPAN(Forest, name,     1, default, STRING)
    SPAN(Forest, children, 2, default, LIST(RECORD(Forest)))
    SPAN(Forest, named,    3, default, MAP(STRING, POINTER(Forest))))

UNION(recur, Expr,
    ARM(Expr, literal,  1, I64)
    ARM(Expr, variable, 2, STRING)
    ARM(Expr, op,       3, POINTER(Binop)))

STRUCT(recur, Binop,
    SPAN(  Binop, oper, 1, default, STRING)
    INSIDE(Binop, lhs,  2, default, Expr)
    INSIDE(Binop, rhs,  3, default, Expr))

/* ---- unions.thrift ------------------------------------------------------------------------- */

STRUCT(unions, Leaf,
    SPAN(  Leaf, name, 1, default, STRING)
    SCALAR(Leaf, size, 2, default, I32))

UNION(unions, Choice,
    ARM(Choice, flag,   1,  BOOL)
    ARM(Choice, tiny,   2,  I8)
    ARM(Choice, small,  3,  I16)
    ARM(Choice, number, 4,  I32)
    ARM(Choice, big,    5,  I64)
    ARM(Choice, real,   6,  DOUBLE)
    ARM(Choice, text,   7,  STRING)
    ARM(Choice, raw,    8,  BINARY)
    ARM(Choice, kind,   9,  ENUM(Kind))
    ARM(Choice, leaf,   10, RECORD(Leaf))
    ARM(Choice, leaves, 11, LIST(RECORD(Leaf)))
    ARM(Choice, counts, 12, MAP(STRING, I32))
    ARM(Choice, ids,    13, SET(I64))
    ARM(Choice, again,  40, POINTER(Choice)))

STRUCT(unions, Holder,
    INSIDE(Holder, one,  1, default, Choice)
    BEHIND(Holder, two,  2, optional, Choice)
    SPAN(  Holder, many, 3, default, LIST(RECORD(Choice))))

STRUCT(unions, Simple,
    SPAN(Simple, why, 1, default, STRING))

STRUCT(unions, Detailed,
    SCALAR(Detailed, code,  1, required, I32)
    SPAN(  Detailed, why,   2, default, STRING)
    SPAN(  Detailed, trail, 3, optional, LIST(STRING))
    BEHIND(Detailed, data,  4, optional, Choice))

/* ---- defaults.thrift (the records T_initial are in tables.c) ------------------------------- */

STRUCT_WITH(defaults, Point,
    SCALAR(   Point, x,   1, default, I32)
    SCALAR(   Point, y,   2, default, I32)
    SPAN_WITH(Point, tag, 3, STRING, TEXT("pt")))

STRUCT_WITH(defaults, AllDefaults,
    SCALAR(AllDefaults, b,      1,  default, BOOL)
    SCALAR(AllDefaults, by,     2,  default, I8)
    SCALAR(AllDefaults, s,      3,  default, I16)
    SCALAR(AllDefaults, i,      4,  default, I32)
    SCALAR(AllDefaults, l,      5,  default, I64)
    SCALAR(AllDefaults, d,      6,  default, DOUBLE)
    SCALAR(AllDefaults, d2,     7,  default, DOUBLE)
    SPAN(  AllDefaults, str,    8,  default, STRING)
    SPAN(  AllDefaults, esc,    9,  default, STRING)
    SCALAR(AllDefaults, lev,    10, default, ENUM(Level))
    SCALAR(AllDefaults, lev2,   11, default, ENUM(Level))
    SPAN(  AllDefaults, li,     12, default, LIST(I32))
    SPAN(  AllDefaults, m,      13, default, MAP(STRING, I32))
    SPAN(  AllDefaults, se,     14, default, SET(I32))
    INSIDE(AllDefaults, pt,     15, default, Point)
    SPAN(  AllDefaults, primes, 16, default, LIST(I32))
    SPAN(  AllDefaults, nest,   17, default, LIST(LIST(STRING)))
    SPAN(  AllDefaults, md,     18, default, MAP(I32, LIST(DOUBLE)))
    SCALAR(AllDefaults, no,     19, default, BOOL)
    SPAN(  AllDefaults, pts,    20, default, LIST(RECORD(Point))))

STRUCT(defaults, OptDefaults,
    SCALAR_WITH(OptDefaults, b,   1,  BOOL, true)
    SCALAR_WITH(OptDefaults, by,  2,  I8, 8)
    SCALAR_WITH(OptDefaults, s,   3,  I16, 300)
    SCALAR_WITH(OptDefaults, i,   4,  I32, 70000)
    SCALAR_WITH(OptDefaults, l,   5,  I64, -9223372036854775807)
    SCALAR_WITH(OptDefaults, d,   6,  DOUBLE, 0.5)
    SPAN_WITH(  OptDefaults, str, 7,  STRING, TEXT("opt"))
    SCALAR_WITH(OptDefaults, lev, 8,  ENUM(Level), SOME)
    SPAN_WITH(  OptDefaults, li,  9,  LIST(STRING), ITEMS(frugal_str, TEXT("p"), TEXT("q")))
    SPAN_WITH(  OptDefaults, m,   10, MAP(I16, STRING),
                ITEMS(struct i16_string, { 1, TEXT("one") }))
    SPAN_WITH(  OptDefaults, se,  11, SET(STRING), ITEMS(frugal_str, TEXT("only")))
    SCALAR_WITH(OptDefaults, num, 12, ENUM(Level), ALL))

STRUCT_WITH(defaults, ReqDefaults,
    SCALAR(ReqDefaults, i,       1, required, I32)
    SPAN(  ReqDefaults, str,     2, required, STRING)
    SPAN(  ReqDefaults, li,      3, required, LIST(I64))
    SCALAR(ReqDefaults, b,       4, required, BOOL)
    SCALAR(ReqDefaults, lev,     5, required, ENUM(Level))
    SCALAR(ReqDefaults, plain,   6, default,  I32)
    SCALAR(ReqDefaults, nothing, 7, optional, I32))

/* ---- fieldids.thrift ----------------------------------------------------------------------- */

STRUCT(fieldids, Gaps,
    SCALAR(Gaps, a,    1,     default, I32)
    SCALAR(Gaps, b,    2,     default, BOOL)
    SCALAR(Gaps, c,    17,    default, I32)
    SCALAR(Gaps, d,    33,    default, I32)
    SCALAR(Gaps, e,    34,    default, BOOL)
    SCALAR(Gaps, f,    50,    default, BOOL)
    SPAN(  Gaps, g,    300,   default, STRING)
    SCALAR(Gaps, last, 32767, default, I64))

STRUCT(fieldids, Unordered,
    SPAN(  Unordered, nine,       9,   default, STRING)
    SCALAR(Unordered, three,      3,   default, I32)
    SCALAR(Unordered, twohundred, 200, default, BOOL)
    SCALAR(Unordered, one,        1,   default, I16)
    SCALAR(Unordered, sixteen,    16,  default, DOUBLE))

STRUCT(fieldids, Far,
    SCALAR(Far, flag,  20000, optional, BOOL)
    SPAN(  Far, flags, 20001, optional, LIST(BOOL))
    SPAN(  Far, tail,  32767, optional, STRING))

STRUCT(fieldids, HighOnly,
    SCALAR(HighOnly, a, 32766, default, I32)
    SCALAR(HighOnly, b, 32767, default, BOOL))

STRUCT(fieldids, Inner,
    SCALAR(Inner, x, 1,  default, BOOL)
    SCALAR(Inner, y, 15, default, BOOL)
    SCALAR(Inner, z, 16, default, BOOL))

STRUCT(fieldids, NestIds,
    INSIDE(NestIds, first,  100, default, Inner)
    SCALAR(NestIds, mid,    101, default, I32)
    INSIDE(NestIds, second, 116, default, Inner)
    SPAN(  NestIds, named,  140, default, MAP(STRING, RECORD(Inner))))

/* ---- negids.thrift ------------------------------------------------------------------------- */

STRUCT(negids, Neg,
    SCALAR(Neg, lowest,  -32768, default, I32)
    SCALAR(Neg, sixteen, -16,    default, BOOL)
    SPAN(  Neg, two,     -2,     default, STRING)
    SCALAR(Neg, one,     -1,     default, I64)
    SCALAR(Neg, plus,    1,      default, I32))
/* clang-format on */
