/* schema/sample.h - one record with everything in it, for the tests of what is done with
 * records. */
#ifndef SCHEMA_SAMPLE_H
#define SCHEMA_SAMPLE_H

#include <frugal/value.h>

enum color { RED = 1, GREEN = 2 };
FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN));

struct address {
    frugal_str street;
    int32_t    zip;
};
FRUGAL_STRUCT(address, FRUGAL_FIELD(address, street, 1), FRUGAL_FIELD(address, zip, 2));

struct point {
    int32_t x, y;
};
FRUGAL_STRUCT(point, FRUGAL_FIELD(point, x, 1), FRUGAL_FIELD(point, y, 2));

/* May have nothing to write. */
struct extra {
    FRUGAL_OPT(int32_t) n;
    frugal_str          note;
    frugal_bytes        kept;
};
FRUGAL_STRUCT(extra, FRUGAL_FIELD(extra, n, 1, optional),
              FRUGAL_FIELD(extra, note, 2, optional, string), FRUGAL_UNKNOWN(extra, kept));

struct shape {
    int32_t which;
    union {
        double               radius;
        frugal_str           name;
        struct point        *corner;
        struct extra        *extra;
        bool                 round;
        FRUGAL_LIST(int32_t) sides;
    };
    frugal_bytes kept;
};
FRUGAL_UNION(shape, which, FRUGAL_ARM(shape, radius, 1), FRUGAL_ARM(shape, name, 2),
             FRUGAL_ARM(shape, corner, 3, struct(point)),
             FRUGAL_ARM(shape, extra, 4, struct(extra)),
             FRUGAL_ARM(shape, round, 5), FRUGAL_ARM(shape, sides, 6, list(i32)),
             FRUGAL_UNKNOWN(shape, kept));

typedef FRUGAL_LIST(frugal_str) words;

struct user {
    int64_t                              id;
    frugal_str                           name, nick;
    frugal_bytes                         photo;
    bool                                 admin;
    FRUGAL_OPT(bool)                     active;
    FRUGAL_OPT(int32_t)                  age;
    double                               score;
    enum color                           color;
    FRUGAL_LIST(int64_t)                 friends;
    FRUGAL_SET(bool)                     flags;
    FRUGAL_LIST(int16_t)                 levels;
    FRUGAL_MAP(frugal_str, double)       scores;
    struct address                       home;
    struct address                      *work;
    struct extra                        *extra;
    FRUGAL_LIST(struct address)          places;
    FRUGAL_LIST(struct extra *)          extras;
    FRUGAL_MAP(int32_t, words)           words;
    FRUGAL_MAP(struct point, frugal_str) cells;
    FRUGAL_MAP(bool, int8_t)             votes;
    FRUGAL_MAP(enum color, int32_t)      paints;
    FRUGAL_MAP(double, int32_t)          marks;
    struct shape                         shape;
    frugal_bytes                         kept;
    void                                *mine; /* not described */
};
FRUGAL_STRUCT(user, FRUGAL_FIELD(user, id, 1, required), FRUGAL_FIELD(user, name, 2),
              FRUGAL_FIELD(user, nick, 3, optional, string),
              FRUGAL_FIELD(user, photo, 4, optional, binary),
              FRUGAL_FIELD(user, admin, 5), FRUGAL_FIELD(user, active, 6, optional),
              FRUGAL_FIELD(user, age, 7, optional), FRUGAL_FIELD(user, score, 8),
              FRUGAL_FIELD(user, color, 9, enum(color)), FRUGAL_FIELD(user, friends, 10, list(i64)),
              FRUGAL_FIELD(user, flags, 11, optional, set(bool)),
              FRUGAL_FIELD(user, levels, 12, optional, list(i16)),
              FRUGAL_FIELD(user, scores, 13, optional, map(string, double)),
              FRUGAL_FIELD(user, home, 14, struct(address)),
              FRUGAL_FIELD(user, work, 15, optional, struct(address)),
              FRUGAL_FIELD(user, extra, 16, struct(extra)),
              FRUGAL_FIELD(user, places, 17, optional, list(struct(address))),
              FRUGAL_FIELD(user, extras, 18, optional, list(struct(extra))),
              FRUGAL_FIELD(user, words, 19, optional, map(i32, list(string))),
              FRUGAL_FIELD(user, cells, 20, optional, map(struct(point), string)),
              FRUGAL_FIELD(user, votes, 21, optional, map(bool, i8)),
              FRUGAL_FIELD(user, paints, 22, optional, map(enum(color), i32)),
              FRUGAL_FIELD(user, marks, 23, optional, map(double, i32)),
              FRUGAL_FIELD(user, shape, 24, struct(shape)), FRUGAL_UNKNOWN(user, kept));

/* For depth and cycles. */
struct node {
    int32_t                    id;
    struct node               *next;
    FRUGAL_LIST(struct node *) children;
};
FRUGAL_DECLARE(node);
FRUGAL_STRUCT(node, FRUGAL_FIELD(node, id, 1), FRUGAL_FIELD(node, next, 2, optional, struct(node)),
              FRUGAL_FIELD(node, children, 3, optional, list(struct(node))));

/* Points at static memory alone, and may be changed by the caller. */
static inline struct user sample_user(void)
{
    static int64_t        friends[] = { 2, 3, 5 };
    static bool           flags[]   = { true, false };
    static int16_t        levels[]  = { -1, 7 };
    static struct address work      = { { "Main St", 7 }, 10 };
    static struct address places[]  = { { { "A", 1 }, 1 }, { { "B", 1 }, 2 } };
    static struct extra   note      = { .note = { "n", 1 } };
    static struct extra  *extras[]  = { &note, NULL };
    static frugal_str     some[]    = { { "x", 1 }, { "yz", 2 } };
    struct user           user      = { .id = 42, .name = { "Ada", 3 }, .color = GREEN };

    static const uint8_t kept[] = { 8, 0, 99, 0, 0, 0, 1 };
    static struct {
        frugal_str key;
        double     value;
    } scores[] = { { { "x", 1 }, 1.5 }, { { "y", 1 }, 2 }, { { "x", 1 }, 3 } };
    static struct {
        int32_t key;
        words   value;
    } words_of[] = { { 7, { some, 2 } }, { -7, { NULL, 0 } } };
    static struct {
        struct point key;
        frugal_str   value;
    } cells[] = { { { 1, 2 }, { "one", 3 } }, { { 3, 4 }, { "two", 3 } } };

    user.score       = 1.5;
    user.age.value   = 36;
    user.age.has     = true;
    user.home        = (struct address){ { "Elm St", 6 }, 99 };
    user.work        = &work;
    user.friends.ptr = friends, user.friends.len = 3;
    user.flags.ptr = flags, user.flags.len = 2;
    user.levels.ptr = levels, user.levels.len = 2;
    user.places.ptr = places, user.places.len = 2;
    user.extras.ptr = extras, user.extras.len = 2;
    user.scores.ptr = (void *)scores, user.scores.len = 3;
    user.words.ptr = (void *)words_of, user.words.len = 2;
    user.cells.ptr = (void *)cells, user.cells.len = 2;
    user.shape.which = 2;
    user.shape.name  = (frugal_str){ "round", 5 };
    user.kept        = (frugal_bytes){ kept, sizeof kept };
    return user;
}

/* `count` nodes, each the next of the one before. */
static inline void sample_chain(struct node *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        nodes[i] = (struct node){ .id = (int32_t)i, .next = i + 1 < count ? &nodes[i + 1] : NULL };
}

#endif /* SCHEMA_SAMPLE_H */
