/* json/read_string.c - the common string: copied to the arena while its end is looked for.
 *
 * Text goes 16 bytes at a time to where the arena would allocate next, and becomes an allocation
 * when the closing quote is there. So each byte is touched once. Whatever is out of the ordinary
 * (little text or little room left, something wrong) is NULL, and the caller begins again by the
 * long way, which knows the words for it. */
#include "core/utf8.h"
#include "json/escape.h"
#include "json/lane.h"
#include "json/reader.h"

#if LANE_WIDE

/* Bytes of text that may be read ahead: a block, the two bytes of an escape at its end, a block. */
#    define AHEAD 48

static const char meanings[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

typedef struct copying {
    const char *from;
    char       *to;
    lane_places high;
} copying;

/* \u, and the other half of a pair when it follows; AHEAD bytes are there. */
static NEVER_INLINE bool take_unicode(copying *c)
{
    const char *from = c->from;
    bool        high = false;
    size_t      bad;
    bool        pair = (from[2] | 0x20) == 'd' && memchr("89abAB", from[3], 6) && from[6] == '\\';
    char       *to   = json_unescape(c->to, from, pair ? 12 : 6, &high, &bad);
    if (to == NULL)
        return false;
    c->to = to;
    c->from += pair ? 12 : 6;
    c->high |= 1; /* what was made of it need not be looked at, but that costs little */
    return true;
}

typedef enum copied { COPIED_BLOCK, COPIED_ALL, COPIED_WRONG } copied;

/* The block at c->from, of which those at `places` are special. */
ALWAYS_INLINE copied copy_special(copying *c, lane_places places)
{
    const char *from = c->from;
    char       *to   = c->to;
    unsigned    done = 0;
    do {
        unsigned at = lane_first(places);
        lane_store(to, lane_load(from + done));
        to += at - done;
        c->to   = to;
        c->from = from + at;
        if (from[at] != '\\')
            return from[at] == '"' ? COPIED_ALL : COPIED_WRONG;
        char meaning = meanings[(uint8_t)from[at + 1]];
        if (UNLIKELY(meaning == 0))
            return from[at + 1] == 'u' && take_unicode(c) ? COPIED_BLOCK : COPIED_WRONG;
        *to++  = meaning;
        done   = at + 2;
        places = lane_from(places, done);
    } while (places);
    if (done < 16) {
        lane_store(to, lane_load(from + done));
        to += 16 - done;
        done = 16;
    }
    c->from = from + done;
    c->to   = to;
    return COPIED_BLOCK;
}

/* Long texts: two blocks at a time, while there is nothing special in them. */
ALWAYS_INLINE void copy_plain(copying *c, const char *last, const char *limit)
{
    while (c->from <= last && c->to <= limit) {
        lane one = lane_load(c->from), two = lane_load(c->from + 16);
        lane_store(c->to, one);
        lane_store(c->to + 16, two);
        if (lane_find(lane_or(lane_special(one), lane_special(two))))
            break;
        c->high |= lane_high(lane_or(one, two));
        c->from += 32;
        c->to += 32;
    }
}

const char *json_read_string(json_reader *r, const char *at, uint8_t *place)
{
    const char   *end   = r->scan.end;
    frugal_arena *arena = r->arena;
    char         *start = (char *)arena->cursor, *limit = (char *)arena->limit;
    copying       c = { at + 1, start, 0 };
    if (UNLIKELY(start == NULL))
        return NULL;
    for (;;) {
        /* Behind `limit` are ARENA_SLACK bytes: room for two blocks. */
        if (UNLIKELY(end - c.from < AHEAD) || UNLIKELY(c.to > limit))
            return NULL;
        lane        block  = lane_load(c.from);
        lane_places places = lane_find(lane_special(block));
        if (places == 0) {
            c.high |= lane_high(block);
            lane_store(c.to, block);
            c.from += 16;
            c.to += 16;
            copy_plain(&c, end - AHEAD, limit);
            continue;
        }
        unsigned first = lane_first(places);
        if (LIKELY(c.from[first] == '"')) {
            c.high |= lane_before(lane_high(block), first);
            lane_store(c.to, block);
            c.from += first;
            c.to += first;
            break;
        }
        c.high |= lane_high(block);
        copied result = copy_special(&c, places);
        if (result == COPIED_ALL)
            break;
        if (result == COPIED_WRONG)
            return NULL;
    }
    size_t len = (size_t)(c.to - start);
    if (UNLIKELY(c.to > limit) || UNLIKELY(len > r->budget)
        || (UNLIKELY(c.high) && utf8_valid_prefix(start, len) < len))
        return NULL;
    schema_span span = { len ? (const uint8_t *)start : (const uint8_t *)schema_empty, len };
    memcpy(place, &span, sizeof span);
    arena->cursor = (uint8_t *)c.to;
    r->budget -= len;
    return c.from + 1;
}

#else

const char *json_read_string(json_reader *r, const char *at, uint8_t *place)
{
    (void)r;
    (void)at;
    (void)place;
    return NULL;
}

#endif
