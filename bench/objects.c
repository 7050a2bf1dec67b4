/* bench/objects.c - the tables of the records that are measured. */
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>

#include "messages.h"

FRUGAL_ENUM(color, FRUGAL_ITEM(COLOR_RED), FRUGAL_ITEM(COLOR_GREEN), FRUGAL_ITEM(COLOR_BLUE));

FRUGAL_STRUCT(simple,
    FRUGAL_FIELD(simple, tiny,  1),
    FRUGAL_FIELD(simple, id,    2),
    FRUGAL_FIELD(simple, ratio, 3),
    FRUGAL_FIELD(simple, count, 4),
    FRUGAL_FIELD(simple, text,  5),
    FRUGAL_FIELD(simple, data,  6),
    FRUGAL_FIELD(simple, color, 7, enum(color)));

FRUGAL_STRUCT(nesting,
    FRUGAL_FIELD(nesting, name,     1),
    FRUGAL_FIELD(nesting, simples,  2, list(struct(simple))),
    FRUGAL_FIELD(nesting, ratio,    3),
    FRUGAL_FIELD(nesting, count,    4),
    FRUGAL_FIELD(nesting, counts,   5, list(i32)),
    FRUGAL_FIELD(nesting, id,       6),
    FRUGAL_FIELD(nesting, labels,   7, map(string, string)),
    FRUGAL_FIELD(nesting, simple,   8, struct(simple)),
    FRUGAL_FIELD(nesting, totals,   9, map(i32, i64)),
    FRUGAL_FIELD(nesting, words,   10, list(string)),
    FRUGAL_FIELD(nesting, data,    11),
    FRUGAL_FIELD(nesting, names,   12, map(i64, string)),
    FRUGAL_FIELD(nesting, ids,     13, list(i64)),
    FRUGAL_FIELD(nesting, tiny,    14),
    FRUGAL_FIELD(nesting, index,   15, map(string, struct(simple))));

FRUGAL_STRUCT(nesting2,
    FRUGAL_FIELD(nesting2, cells,     1, map(struct(simple), struct(nesting))),
    FRUGAL_FIELD(nesting2, simple,    2, struct(simple)),
    FRUGAL_FIELD(nesting2, tiny,      3),
    FRUGAL_FIELD(nesting2, ratio,     4),
    FRUGAL_FIELD(nesting2, nestings,  5, list(struct(nesting))),
    FRUGAL_FIELD(nesting2, id,        6),
    FRUGAL_FIELD(nesting2, nesting,   7, struct(nesting)),
    FRUGAL_FIELD(nesting2, data,      8),
    FRUGAL_FIELD(nesting2, text,      9),
    FRUGAL_FIELD(nesting2, count,    11));

FRUGAL_STRUCT(shorts,
    FRUGAL_FIELD(shorts, values, 1, list(i16)));

FRUGAL_STRUCT(ints,
    FRUGAL_FIELD(ints, values, 1, list(i32)));

FRUGAL_STRUCT(numbers,
    FRUGAL_FIELD(numbers, values, 1, list(i64)));

FRUGAL_STRUCT(doubles,
    FRUGAL_FIELD(doubles, values, 1, list(double)));

FRUGAL_STRUCT(flags,
    FRUGAL_FIELD(flags, values, 1, list(bool)));

FRUGAL_STRUCT(words,
    FRUGAL_FIELD(words, values, 1, list(string)));

FRUGAL_STRUCT(totals,
    FRUGAL_FIELD(totals, values, 1, map(i64, i64)));

FRUGAL_STRUCT(features,
    FRUGAL_FIELD(features, model,   1),
    FRUGAL_FIELD(features, user,    2),
    FRUGAL_FIELD(features, dense,   3, list(double)),
    FRUGAL_FIELD(features, ids,     4, list(i64)),
    FRUGAL_FIELD(features, weights, 5, map(i32, double)),
    FRUGAL_FIELD(features, flags,   6, list(bool)));

FRUGAL_STRUCT(tree,
    FRUGAL_FIELD(tree, id,       1),
    FRUGAL_FIELD(tree, name,     2),
    FRUGAL_FIELD(tree, children, 3, list(struct(tree))));

FRUGAL_STRUCT(place,
    FRUGAL_FIELD(place, latitude,  1),
    FRUGAL_FIELD(place, longitude, 2),
    FRUGAL_FIELD(place, city,      3));

FRUGAL_STRUCT(event,
    FRUGAL_FIELD(event, time,      1),
    FRUGAL_FIELD(event, host,      2),
    FRUGAL_FIELD(event, level,     3),
    FRUGAL_FIELD(event, program,   4),
    FRUGAL_FIELD(event, text,      5),
    FRUGAL_FIELD(event, trace,     6),
    FRUGAL_FIELD(event, span,      7),
    FRUGAL_FIELD(event, sampled,   8),
    FRUGAL_FIELD(event, duration,  9),
    FRUGAL_FIELD(event, status,   10),
    FRUGAL_FIELD(event, tags,     11, map(string, string)),
    FRUGAL_FIELD(event, counters, 12, list(i64)),
    FRUGAL_FIELD(event, user,     13),
    FRUGAL_FIELD(event, shard,    14),
    FRUGAL_FIELD(event, zone,     15),
    FRUGAL_FIELD(event, place,    16, struct(place)),
    FRUGAL_FIELD(event, agent,    17),
    FRUGAL_FIELD(event, received, 18),
    FRUGAL_FIELD(event, sent,     19),
    FRUGAL_FIELD(event, notes,    20, list(string)));

FRUGAL_STRUCT(journal,
    FRUGAL_FIELD(journal, events, 1, list(struct(event))));

/* Does not know 4 program, 7 span, 11 tags, 13 user, 16 place, 19 sent. */
FRUGAL_STRUCT(event_seen,
    FRUGAL_FIELD(event_seen, time,      1),
    FRUGAL_FIELD(event_seen, host,      2),
    FRUGAL_FIELD(event_seen, level,     3),
    FRUGAL_FIELD(event_seen, text,      5),
    FRUGAL_FIELD(event_seen, trace,     6),
    FRUGAL_FIELD(event_seen, sampled,   8),
    FRUGAL_FIELD(event_seen, duration,  9),
    FRUGAL_FIELD(event_seen, status,   10),
    FRUGAL_FIELD(event_seen, counters, 12, list(i64)),
    FRUGAL_FIELD(event_seen, shard,    14),
    FRUGAL_FIELD(event_seen, zone,     15),
    FRUGAL_FIELD(event_seen, agent,    17),
    FRUGAL_FIELD(event_seen, received, 18),
    FRUGAL_FIELD(event_seen, notes,    20, list(string)));

FRUGAL_STRUCT(journal_seen,
    FRUGAL_FIELD(journal_seen, events, 1, list(struct(event_seen))));

#define WIDE_ROW(n)                                                \
    FRUGAL_FIELD(wide, flag##n, 10 * n + 1, optional),             \
        FRUGAL_FIELD(wide, tiny##n, 10 * n + 2, optional),         \
        FRUGAL_FIELD(wide, port##n, 10 * n + 3, optional),         \
        FRUGAL_FIELD(wide, count##n, 10 * n + 4, optional),        \
        FRUGAL_FIELD(wide, time##n, 10 * n + 5, optional),         \
        FRUGAL_FIELD(wide, ratio##n, 10 * n + 6, optional),        \
        FRUGAL_FIELD(wide, name##n, 10 * n + 7, optional, string), \
        FRUGAL_FIELD(wide, text##n, 10 * n + 8, optional, string), \
        FRUGAL_FIELD(wide, data##n, 10 * n + 9, optional, binary), \
        FRUGAL_FIELD(wide, color##n, 10 * n + 10, optional, enum(color))

FRUGAL_STRUCT(wide,
    WIDE_ROW(0), WIDE_ROW(1), WIDE_ROW(2), WIDE_ROW(3), WIDE_ROW(4),
    WIDE_ROW(5), WIDE_ROW(6), WIDE_ROW(7), WIDE_ROW(8), WIDE_ROW(9));

/* ---- the list of them ----------------------------------------------------------------------- */

/* Sizes that are not 0 are published, here and for other implementations: figures compare only as
 * long as they hold. */
static const struct object_source {
    const char          *name;
    const frugal_struct *type;
    bench_encoding       encoding;
    void (*put)(frugal_buf *out); /* or put_many with count */
    size_t size;
    void (*put_many)(frugal_buf *out, size_t count);
    size_t count;
} sources[BENCH_OBJECT_COUNT] = {
#define ONE(name, type, encoding, put, size)                  \
    {                                                         \
        name, FRUGAL_TYPE(type), encoding, put, size, NULL, 0 \
    }
    [BENCH_SMALL]    = ONE("small", simple, BENCH_SAME, put_small, 583),
    [BENCH_MEDIUM]   = ONE("medium", nesting, BENCH_SAME, put_medium, 17518),
    [BENCH_LARGE]    = ONE("large", nesting2, BENCH_SAME, put_large, 303652),
    [BENCH_SHORT]    = ONE("short", nesting, BENCH_SAME, put_short, 1966),
    [BENCH_WIDE]     = ONE("wide", wide, BENCH_SAME, put_wide, 0),
    [BENCH_UNKNOWN]  = ONE("unknown", journal_seen, BENCH_LOSES, put_journal, 0),
    [BENCH_SHUFFLED] = ONE("shuffled", journal, BENCH_REORDERS, put_shuffled, 0),
    [BENCH_EVENT]    = ONE("event", event, BENCH_SAME, put_event, 0),
    [BENCH_FEATURES] = ONE("features", features, BENCH_SAME, put_features, 0),
    [BENCH_DEEP]     = ONE("deep", tree, BENCH_SAME, put_deep, 0),
#define MANY(name, type, put_many, count)                             \
    {                                                                 \
        name, FRUGAL_TYPE(type), BENCH_SAME, NULL, 0, put_many, count \
    }
    [BENCH_STRINGS]     = MANY("strings", words, put_strings, 1024),
    [BENCH_I64MAP]      = MANY("i64map", totals, put_totals, 1024),
    [BENCH_I16X8]       = MANY("i16x8", shorts, put_i16s, 8),
    [BENCH_I16X1024]    = MANY("i16x1024", shorts, put_i16s, 1024),
    [BENCH_I16X100000]  = MANY("i16x100000", shorts, put_i16s, 100000),
    [BENCH_I32X8]       = MANY("i32x8", ints, put_i32s, 8),
    [BENCH_I32X1024]    = MANY("i32x1024", ints, put_i32s, 1024),
    [BENCH_I32X100000]  = MANY("i32x100000", ints, put_i32s, 100000),
    [BENCH_I64X8]       = MANY("i64x8", numbers, put_i64s, 8),
    [BENCH_I64LIST]     = MANY("i64list", numbers, put_i64s, 1024),
    [BENCH_I64X100000]  = MANY("i64x100000", numbers, put_i64s, 100000),
    [BENCH_F64X8]       = MANY("f64x8", doubles, put_doubles, 8),
    [BENCH_F64X1024]    = MANY("f64x1024", doubles, put_doubles, 1024),
    [BENCH_F64X100000]  = MANY("f64x100000", doubles, put_doubles, 100000),
    [BENCH_BOOLX8]      = MANY("boolx8", flags, put_bools, 8),
    [BENCH_BOOLX1024]   = MANY("boolx1024", flags, put_bools, 1024),
    [BENCH_BOOLX100000] = MANY("boolx100000", flags, put_bools, 100000),
#undef ONE
#undef MANY
};

void bench_objects_init(bench_object objects[BENCH_OBJECT_COUNT])
{
    for (size_t i = 0; i < BENCH_OBJECT_COUNT; i++) {
        const struct object_source *source = &sources[i];
        frugal_buf                  out;

        frugal_buf_init(&out, NULL, 0, NULL);
        if (source->put != NULL)
            source->put(&out);
        else
            source->put_many(&out, source->count);
        if (source->size != 0 && source->size != out.size) {
            fprintf(stderr, "bench: %s has %zu bytes, not %zu\n", source->name, out.size,
                    source->size);
            abort();
        }
        objects[i] =
            (bench_object){ source->name, source->type, source->encoding, frugal_buf_bytes(&out) };
    }
}
