/* json/escape.c - strings with their escapes.
 *
 * Text is looked at 16 bytes at a time. Copies are of 16 bytes, too, whatever is wanted of them:
 * the rooms in escape.h leave space for what is written too far, and it is written over at once.
 * What is read too far stays before the end, which is why each loop says how much it needs. */
#include "json/escape.h"

#include "json/lane.h"

/* What a byte becomes; `size` 0: itself. Eight bytes, so that one move copies all of it. */
typedef struct escape {
    char    text[7];
    uint8_t size;
} escape;

#define CONTROL(digits)                                  \
    {                                                    \
        { '\\', 'u', '0', '0', digits[0], digits[1] }, 6 \
    }
#define LETTER(letter)      \
    {                       \
        { '\\', letter }, 2 \
    }

static const escape escapes['\\' + 1] = {
    CONTROL("00"), CONTROL("01"), CONTROL("02"),       CONTROL("03"),         CONTROL("04"),
    CONTROL("05"), CONTROL("06"), CONTROL("07"),       LETTER('b'),           LETTER('t'),
    LETTER('n'),   CONTROL("0b"), LETTER('f'),         LETTER('r'),           CONTROL("0e"),
    CONTROL("0f"), CONTROL("10"), CONTROL("11"),       CONTROL("12"),         CONTROL("13"),
    CONTROL("14"), CONTROL("15"), CONTROL("16"),       CONTROL("17"),         CONTROL("18"),
    CONTROL("19"), CONTROL("1a"), CONTROL("1b"),       CONTROL("1c"),         CONTROL("1d"),
    CONTROL("1e"), CONTROL("1f"), ['"'] = LETTER('"'), ['\\'] = LETTER('\\'),
};

ALWAYS_INLINE bool is_special(char c)
{
    return (uint8_t)c < 0x20 || c == '"' || c == '\\';
}

/* ---- every machine -------------------------------------------------------------------------- */

char *json_escape_part_scalar(char *out, const char *in, size_t len, bool *high)
{
    uint8_t seen = 0;
    for (size_t i = 0; i < len; i++) {
        seen |= (uint8_t)in[i];
        if (is_special(in[i])) {
            const escape *to = &escapes[(uint8_t)in[i]];
            memcpy(out, to, sizeof *to);
            out += to->size;
        } else {
            *out++ = in[i];
        }
    }
    *high |= seen >= 0x80;
    return out;
}

const char *json_plain_end_scalar(const char *text, const char *end, bool *high)
{
    uint8_t seen = 0;
    for (; text < end && !is_special(*text); text++)
        seen |= (uint8_t)*text;
    *high |= seen >= 0x80;
    return text;
}

const char *json_string_end_scalar(const char *text, const char *end, bool *escaped)
{
    for (; text < end && *text != '"'; text++) {
        if (*text != '\\')
            continue;
        *escaped = true;
        if (++text == end)
            break;
    }
    return text;
}

/* ---- one escape ----------------------------------------------------------------------------- */

/* What stands for a letter behind a backslash; 0: nothing, or more follows. */
static const char meanings[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t',
};

/* The value of a hexadecimal digit, or 16. */
static unsigned hex_value(char c)
{
    uint8_t digit = (uint8_t)(c - '0'), letter = (uint8_t)((c | 0x20) - 'a');
    return digit < 10 ? digit : letter < 6 ? letter + 10u : 16;
}

/* Four hexadecimal digits. NULL: `*wrong` is the character that cannot be there. */
static const char *take_unit(const char *p, const char *end, uint32_t *unit, const char **wrong)
{
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++, p++) {
        unsigned value = p < end ? hex_value(*p) : 16;
        if (value == 16) {
            *wrong = p;
            return NULL;
        }
        sum = sum << 4 | value;
    }
    *unit = sum;
    return p;
}

static char *put_character(char *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (char)(0xe0 | c >> 12);
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    } else {
        *out++ = (char)(0xf0 | c >> 18);
        *out++ = (char)(0x80 | (c >> 12 & 0x3f));
        *out++ = (char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (char)(0x80 | (c & 0x3f));
    }
    return out;
}

/* The low half that must follow a high one. */
static const char *take_low(const char *p, const char *end, uint32_t *unit, const char **wrong)
{
    static const char prefix[] = { '\\', 'u' };
    for (int i = 0; i < 2; i++, p++) {
        if (p == end || *p != prefix[i]) {
            *wrong = p;
            return NULL;
        }
    }
    const char *behind = take_unit(p, end, unit, wrong);
    if (behind && (*unit < 0xdc00 || *unit > 0xdfff)) {
        *wrong = p;
        return NULL;
    }
    return behind;
}

/* \uXXXX, one or two of them; `p` is behind the u. */
static const char *take_unicode(const char *p, const char *end, char **out, const char **wrong)
{
    uint32_t    unit, low;
    const char *behind = take_unit(p, end, &unit, wrong);
    if (!behind)
        return NULL;
    if (unit >= 0xdc00 && unit <= 0xdfff) {
        *wrong = p;
        return NULL;
    }
    if (unit >= 0xd800 && unit <= 0xdbff) {
        behind = take_low(behind, end, &low, wrong);
        if (!behind)
            return NULL;
        unit = 0x10000 + ((unit - 0xd800) << 10 | (low - 0xdc00));
    }
    *out = put_character(*out, unit);
    return behind;
}

/* The escape at `p`, a backslash. Returns what lies behind it; NULL: `*wrong` is the character that
 * cannot be there, which is `end` where one is missing. */
static const char *take_escape(const char *p, const char *end, char **out, const char **wrong)
{
    *wrong = p + 1;
    if (p + 1 == end)
        return NULL;
    char meaning = meanings[(uint8_t)p[1]];
    if (meaning) {
        *(*out)++ = meaning;
        return p + 2;
    }
    return p[1] == 'u' ? take_unicode(p + 2, end, out, wrong) : NULL;
}

/* The rest of a text, whose first character is at `start`. */
static char *unescape_rest(char *out, const char *start, const char *p, const char *end, bool *high,
                           size_t *bad)
{
    while (p < end) {
        const char *wrong = p;
        if (*p == '\\') {
            p = take_escape(p, end, &out, &wrong);
        } else if (is_special(*p)) {
            p = NULL;
        } else {
            *high |= (uint8_t)*p >= 0x80;
            *out++ = *p++;
        }
        if (!p) {
            *bad = (size_t)(wrong - start);
            return NULL;
        }
    }
    return out;
}

char *json_unescape_scalar(char *out, const char *in, size_t len, bool *high, size_t *bad)
{
    return len ? unescape_rest(out, in, in, in + len, high, bad) : out;
}

/* ---- 16 bytes at once ----------------------------------------------------------------------- */

#if LANE_WIDE

/* `size` bytes at `from`, of which those at `places` are special; 16 may be read from each. */
ALWAYS_INLINE char *escape_block(char *out, const char *from, unsigned size, lane_places places)
{
    unsigned done = 0;
    do {
        unsigned      at = lane_first(places);
        const escape *to = &escapes[(uint8_t)from[at]];
        lane_store(out, lane_load(from + done));
        out += at - done;
        memcpy(out, to, sizeof *to);
        out += to->size;
        done = at + 1;
        places &= places - 1;
    } while (places);
    lane_store(out, lane_load(from + done));
    return out + (size - done);
}

/* Where not 32 bytes are left: from a copy, in which as many may be read. */
static NEVER_INLINE char *escape_last_block(char *out, const char *from, unsigned size,
                                            lane_places places)
{
    char copy[32] = { 0 };
    memcpy(copy, from, size);
    return escape_block(out, copy, size, places);
}

char *json_escape_part(char *out, const char *in, size_t len, bool *high)
{
    lane_places seen = 0;
    for (; len >= 16; len -= 16, in += 16) {
        lane        block  = lane_load(in);
        lane_places places = lane_find(lane_special(block));
        seen |= lane_high(block);
        lane_store(out, block);
        if (LIKELY(!places))
            out += 16;
        else if (len >= 32)
            out = escape_block(out, in, 16, places);
        else
            out = escape_last_block(out, in, 16, places);
    }
    if (len) {
        lane        block  = lane_load_part(in, len);
        lane_places places = lane_before(lane_find(lane_special(block)), (unsigned)len);
        seen |= lane_high(block);
        lane_store(out, block);
        if (LIKELY(!places))
            out += len;
        else
            out = escape_last_block(out, in, (unsigned)len, places);
    }
    *high |= seen != 0;
    return out;
}

const char *json_plain_end(const char *text, const char *end, bool *high)
{
    lane_places seen = 0, places = 0;
    for (; end - text >= 32; text += 32) {
        lane first = lane_load(text), second = lane_load(text + 16);
        if (lane_find(lane_or(lane_special(first), lane_special(second))))
            break;
        seen |= lane_high(lane_or(first, second));
    }
    for (; end - text >= 16; text += 16) {
        lane block = lane_load(text);
        places     = lane_find(lane_special(block));
        if (places) {
            unsigned at = lane_first(places);
            *high |= (seen | lane_before(lane_high(block), at)) != 0;
            return text + at;
        }
        seen |= lane_high(block);
    }
    unsigned left  = (unsigned)(end - text);
    lane     block = lane_load_part(text, left);
    places         = lane_before(lane_find(lane_special(block)), left);
    unsigned at    = places ? lane_first(places) : left;
    *high |= (seen | lane_before(lane_high(block), at)) != 0;
    return text + at;
}

/* Places behind a backslash that is not escaped itself, of a block whose first byte is when
 * `first`; also the first one behind the block. Backslashes come in rows, and a row of odd length
 * escapes what follows it. Adding the start of a row to the row moves the start to behind its end:
 * odd rows are those that start at an even place and end at an odd one, or the other way round. */
ALWAYS_INLINE lane_places escaped_places(lane_places slashes, bool first)
{
    const lane_places even = 0x55555555;
    slashes &= ~(lane_places)first;
    lane_places starts    = slashes & ~(slashes << 1);
    lane_places even_ends = (slashes + (starts & even)) & ~slashes;
    lane_places odd_ends  = (slashes + (starts & ~even)) & ~slashes;
    return (even_ends & ~even) | (odd_ends & even) | first;
}

const char *json_string_end(const char *text, const char *end, bool *escaped)
{
    lane_places seen = 0, behind = 0;
    for (; end - text >= 16; text += 16) {
        lane        block   = lane_load(text);
        lane_places slashes = lane_find(lane_equal(block, '\\'));
        lane_places quotes  = lane_find(lane_equal(block, '"'));
        behind              = escaped_places(slashes, behind >> 16 & 1);
        quotes &= ~behind;
        if (quotes) {
            unsigned at = lane_first(quotes);
            *escaped |= (seen | lane_before(slashes, at)) != 0;
            return text + at;
        }
        seen |= slashes;
    }
    *escaped |= seen != 0;
    if ((behind >> 16 & 1) && text < end) /* the backslash before it was seen */
        text++;
    return json_string_end_scalar(text, end, escaped);
}

/* The 16 bytes at `*in`, of which those at `places` are special; 32 may be read. What has more than
 * one letter ends the block early. False: something is wrong at `*in`. */
ALWAYS_INLINE bool unescape_block(char **out, const char **in, const char *end, lane_places places)
{
    const char *from = *in;
    char       *to   = *out;
    unsigned    done = 0;
    do {
        unsigned at = lane_first(places);
        lane_store(to, lane_load(from + done));
        to += at - done;
        char meaning = from[at] == '\\' ? meanings[(uint8_t)from[at + 1]] : 0;
        if (UNLIKELY(!meaning)) {
            const char *wrong = from + at;
            const char *p     = from[at] == '\\' ? take_escape(from + at, end, &to, &wrong) : NULL;
            *in               = p ? p : wrong;
            *out              = to;
            return p != NULL;
        }
        *to++  = meaning;
        done   = at + 2;
        places = lane_from(places, done);
    } while (places);
    if (done < 16) {
        lane_store(to, lane_load(from + done));
        to += 16 - done;
        done = 16;
    }
    *in  = from + done;
    *out = to;
    return true;
}

char *json_unescape(char *out, const char *in, size_t len, bool *high, size_t *bad)
{
    const char *start = in, *end = len ? in + len : in;
    lane_places seen = 0;
    while (end - in >= 32) {
        lane        block  = lane_load(in);
        lane_places places = lane_find(lane_special(block));
        seen |= lane_high(block);
        if (!places) {
            lane_store(out, block);
            in += 16;
            out += 16;
        } else if (!unescape_block(&out, &in, end, places)) {
            *bad = (size_t)(in - start);
            return NULL;
        }
    }
    *high |= seen != 0;
    return unescape_rest(out, start, in, end, high, bad);
}

#else

char *json_escape_part(char *out, const char *in, size_t len, bool *high)
{
    return json_escape_part_scalar(out, in, len, high);
}

const char *json_plain_end(const char *text, const char *end, bool *high)
{
    return json_plain_end_scalar(text, end, high);
}

const char *json_string_end(const char *text, const char *end, bool *escaped)
{
    return json_string_end_scalar(text, end, escaped);
}

char *json_unescape(char *out, const char *in, size_t len, bool *high, size_t *bad)
{
    return json_unescape_scalar(out, in, len, high, bad);
}

#endif

char *json_escape_write(char *out, const char *in, size_t len, bool *high)
{
    *out++ = '"';
    out    = json_escape_part(out, in, len, high);
    *out++ = '"';
    return out;
}
