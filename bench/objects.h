/* bench/objects.h - the records that are measured, and one message of each.
 *
 * Ids and types are those of objects.thrift. The messages are written byte by byte in messages.c,
 * by neither of the codecs that are compared. */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/frugal.h>

#ifdef __cplusplus
extern "C" {
#endif

enum color { COLOR_RED = 1, COLOR_GREEN = 2, COLOR_BLUE = 5 };

/* ---- small, medium, large, short: the shapes of Frugal's own benchmark ---------------------- */

struct simple {
    int8_t       tiny;
    int64_t      id;
    double       ratio;
    int32_t      count;
    frugal_str   text;
    frugal_bytes data;
    enum color   color;
};

struct nesting {
    frugal_str                            name;
    FRUGAL_LIST(struct simple)            simples;
    double                                ratio;
    int32_t                               count;
    FRUGAL_LIST(int32_t)                  counts;
    int64_t                               id;
    FRUGAL_MAP(frugal_str, frugal_str)    labels;
    struct simple                         simple;
    FRUGAL_MAP(int32_t, int64_t)          totals;
    FRUGAL_LIST(frugal_str)               words;
    frugal_bytes                          data;
    FRUGAL_MAP(int64_t, frugal_str)       names;
    FRUGAL_LIST(int64_t)                  ids;
    int8_t                                tiny;
    FRUGAL_MAP(frugal_str, struct simple) index;
};

struct nesting2 {
    FRUGAL_MAP(struct simple, struct nesting) cells;
    struct simple                             simple;
    int8_t                                    tiny;
    double                                    ratio;
    FRUGAL_LIST(struct nesting)               nestings;
    int64_t                                   id;
    struct nesting                            nesting;
    frugal_bytes                              data;
    frugal_str                                text;
    int32_t                                   count;
};

/* ---- lists of numbers ----------------------------------------------------------------------- */

struct shorts {
    FRUGAL_LIST(int16_t) values;
};

struct ints {
    FRUGAL_LIST(int32_t) values;
};

struct numbers {
    FRUGAL_LIST(int64_t) values;
};

struct doubles {
    FRUGAL_LIST(double) values;
};

struct flags {
    FRUGAL_LIST(bool) values;
};

/* ---- strings, i64map, features, deep -------------------------------------------------------- */

struct words {
    FRUGAL_LIST(frugal_str) values;
};

struct totals {
    FRUGAL_MAP(int64_t, int64_t) values;
};

struct features {
    frugal_str                  model;
    int64_t                     user;
    FRUGAL_LIST(double)         dense;
    FRUGAL_LIST(int64_t)        ids;
    FRUGAL_MAP(int32_t, double) weights;
    FRUGAL_LIST(bool)           flags;
};

struct tree {
    int32_t                    id;
    frugal_str                 name;
    FRUGAL_LIST(struct tree *) children;
};

/* ---- event, unknown, shuffled: a journal, and a reader that knows 14 of its 20 fields ------- */

struct place {
    double     latitude;
    double     longitude;
    frugal_str city;
};

struct event {
    int64_t                            time;
    frugal_str                         host;
    int32_t                            level;
    frugal_str                         program;
    frugal_str                         text;
    int64_t                            trace;
    int64_t                            span;
    bool                               sampled;
    double                             duration;
    int32_t                            status;
    FRUGAL_MAP(frugal_str, frugal_str) tags;
    FRUGAL_LIST(int64_t)               counters;
    frugal_str                         user;
    int16_t                            shard;
    int8_t                             zone;
    struct place                       place;
    frugal_str                         agent;
    int64_t                            received;
    int64_t                            sent;
    FRUGAL_LIST(frugal_str)            notes;
};

struct journal {
    FRUGAL_LIST(struct event) events;
};

struct event_seen {
    int64_t                 time;
    frugal_str              host;
    int32_t                 level;
    frugal_str              text;
    int64_t                 trace;
    bool                    sampled;
    double                  duration;
    int32_t                 status;
    FRUGAL_LIST(int64_t)    counters;
    int16_t                 shard;
    int8_t                  zone;
    frugal_str              agent;
    int64_t                 received;
    FRUGAL_LIST(frugal_str) notes;
};

struct journal_seen {
    FRUGAL_LIST(struct event_seen) events;
};

/* ---- wide: ten rows of ten optional fields, ids 1 to 100 ------------------------------------ */

#define BENCH_WIDE_ROW(n)            \
    FRUGAL_OPT(bool)       flag##n;  \
    FRUGAL_OPT(int8_t)     tiny##n;  \
    FRUGAL_OPT(int16_t)    port##n;  \
    FRUGAL_OPT(int32_t)    count##n; \
    FRUGAL_OPT(int64_t)    time##n;  \
    FRUGAL_OPT(double)     ratio##n; \
    frugal_str             name##n;  \
    frugal_str             text##n;  \
    frugal_bytes           data##n;  \
    FRUGAL_OPT(enum color) color##n;

struct wide {
    BENCH_WIDE_ROW(0)
    BENCH_WIDE_ROW(1)
    BENCH_WIDE_ROW(2)
    BENCH_WIDE_ROW(3)
    BENCH_WIDE_ROW(4)
    BENCH_WIDE_ROW(5)
    BENCH_WIDE_ROW(6)
    BENCH_WIDE_ROW(7)
    BENCH_WIDE_ROW(8)
    BENCH_WIDE_ROW(9)
};

/* ---- the list of them ----------------------------------------------------------------------- */

typedef enum bench_encoding {
    BENCH_SAME,     /* encoding what was decoded gives the message again */
    BENCH_REORDERS, /* as many bytes, with the fields in the order of their ids */
    BENCH_LOSES     /* fewer: the reader does not know all fields */
} bench_encoding;

typedef struct bench_object {
    const char          *name;
    const frugal_struct *type;
    bench_encoding       encoding;
    frugal_bytes         message;
} bench_object;

typedef enum bench_object_index {
    BENCH_SMALL,
    BENCH_MEDIUM,
    BENCH_LARGE,
    BENCH_SHORT,
    BENCH_WIDE,
    BENCH_I64LIST,
    BENCH_UNKNOWN,
    BENCH_SHUFFLED,
    BENCH_EVENT,
    BENCH_FEATURES,
    BENCH_STRINGS,
    BENCH_I64MAP,
    BENCH_DEEP,
    BENCH_I16X8,
    BENCH_I16X1024,
    BENCH_I16X100000,
    BENCH_I32X8,
    BENCH_I32X1024,
    BENCH_I32X100000,
    BENCH_I64X8,
    BENCH_I64X100000, /* with 1,024 it is i64list */
    BENCH_F64X8,
    BENCH_F64X1024,
    BENCH_F64X100000,
    BENCH_BOOLX8,
    BENCH_BOOLX1024,
    BENCH_BOOLX100000,
    BENCH_OBJECT_COUNT
} bench_object_index;

/* Builds all messages and checks the sizes that are published elsewhere; says what is wrong and
 * aborts when one differs. */
void bench_objects_init(bench_object objects[BENCH_OBJECT_COUNT]);

#ifdef __cplusplus
}
#endif
#endif /* BENCH_OBJECTS_H */
