/* bench/apache_classes.h - which generated class each object is. */
#ifndef BENCH_APACHE_CLASSES_H
#define BENCH_APACHE_CLASSES_H

#define BENCH_APACHE_CLASSES(X)   \
    X(BENCH_SMALL, Simple)        \
    X(BENCH_MEDIUM, Nesting)      \
    X(BENCH_LARGE, Nesting2)      \
    X(BENCH_SHORT, Nesting)       \
    X(BENCH_WIDE, Wide)           \
    X(BENCH_I64LIST, Numbers)     \
    X(BENCH_UNKNOWN, JournalSeen) \
    X(BENCH_SHUFFLED, Journal)    \
    X(BENCH_EVENT, Event)         \
    X(BENCH_FEATURES, Features)   \
    X(BENCH_STRINGS, Words)       \
    X(BENCH_I64MAP, Totals)       \
    X(BENCH_DEEP, Tree)           \
    X(BENCH_I16X8, Shorts)        \
    X(BENCH_I16X1024, Shorts)     \
    X(BENCH_I16X100000, Shorts)   \
    X(BENCH_I32X8, Ints)          \
    X(BENCH_I32X1024, Ints)       \
    X(BENCH_I32X100000, Ints)     \
    X(BENCH_I64X8, Numbers)       \
    X(BENCH_I64X100000, Numbers)  \
    X(BENCH_F64X8, Doubles)       \
    X(BENCH_F64X1024, Doubles)    \
    X(BENCH_F64X100000, Doubles)  \
    X(BENCH_BOOLX8, Flags)        \
    X(BENCH_BOOLX1024, Flags)     \
    X(BENCH_BOOLX100000, Flags)

#endif /* BENCH_APACHE_CLASSES_H */
