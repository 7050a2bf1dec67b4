/* gen/text.c - writing C so that nothing in the IDL can be taken for C. */
#include "gen/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "schema/text.h"

void gen_text_init(gen_text *text, const frugal_allocator *allocator, size_t *left)
{
    *text = (gen_text){ .left = left };
    frugal_buf_init(&text->buf, NULL, 0, allocator);
}

void gen_text_release(gen_text *text)
{
    frugal_buf_release(&text->buf);
}

void gen_put_bytes(gen_text *text, const char *bytes, size_t size)
{
    if (text->status)
        return;
    if (size > *text->left) {
        text->status = FRUGAL_SIZE;
        return;
    }
    *text->left -= size;
    text->status = frugal_buf_append(&text->buf, bytes, size);
}

/* Most pieces are short; what is longer (names from the IDL) is measured, then written in place. */
void gen_put(gen_text *text, const char *format, ...)
{
    char    piece[256];
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(piece, sizeof piece, format, args);
    if (len >= 0 && (size_t)len < sizeof piece) {
        gen_put_bytes(text, piece, (size_t)len);
    } else if (len > 0 && !text->status) {
        size_t size = (size_t)len;
        if (size > *text->left)
            text->status = FRUGAL_SIZE;
        else
            text->status = frugal_buf_reserve(&text->buf, size + 1);
        if (!text->status) {
            vsnprintf((char *)text->buf.data + text->buf.size, size + 1, format, again);
            text->buf.size += size;
            *text->left -= size;
        }
    }
    va_end(again);
    va_end(args);
}

/* ---- comments ------------------------------------------------------------------------------- */

/* Marks that turn the direction of what follows; compilers warn of them, rightly. */
static bool turns_direction(const uint8_t *at, size_t len)
{
    if (len != 3 || at[0] != 0xE2)
        return len == 2 && at[0] == 0xD8 && at[1] == 0x9C; /* U+061C */
    return (at[1] == 0x80 && (at[2] == 0x8E || at[2] == 0x8F || (at[2] >= 0xAA && at[2] <= 0xAE)))
           || (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9);
}

/* A character, `step` bytes (0: none), that a comment may show. */
static bool is_plain(const uint8_t *at, size_t step)
{
    if (step == 1)
        return (*at >= 0x20 || *at == '\t') && *at != 0x7F;
    return step > 0 && !(step == 2 && at[0] == 0xC2 && at[1] < 0xA0) && !turns_direction(at, step);
}

/* One line of a comment, without white space at its end. What would end the comment, begin another
 * or be a trigraph gets a space; what is no text, a question mark. */
static void put_comment_line(gen_text *text, const char *line, size_t len)
{
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t' || line[len - 1] == '\r'))
        len--;
    if (len > 0)
        gen_put_bytes(text, " ", 1);
    const uint8_t *end    = (const uint8_t *)line + len;
    uint8_t        before = ' ';
    for (const uint8_t *at = (const uint8_t *)line; at < end;) {
        size_t  step  = text_utf8(at, end);
        bool    plain = is_plain(at, step);
        uint8_t shown = plain ? *at : '?';
        if ((before == '*' && shown == '/') || (before == '/' && shown == '*')
            || (before == '?' && shown == '?'))
            gen_put_bytes(text, " ", 1);
        gen_put_bytes(text, plain ? (const char *)at : "?", plain ? step : 1);
        before = shown;
        at += step ? step : 1;
    }
}

static frugal_str trimmed(frugal_str doc)
{
    while (doc.len > 0 && strchr(" \t\r\n", doc.ptr[0]) && doc.ptr[0]) {
        doc.ptr++;
        doc.len--;
    }
    while (doc.len > 0 && strchr(" \t\r\n", doc.ptr[doc.len - 1]) && doc.ptr[doc.len - 1])
        doc.len--;
    return doc;
}

void gen_put_comment(gen_text *text, frugal_str doc, unsigned indent)
{
    frugal_str  left = trimmed(doc);
    const char *lead = "/*";
    if (left.len == 0)
        return;
    while (!text->status) {
        const char *newline = memchr(left.ptr, '\n', left.len);
        size_t      len     = newline ? (size_t)(newline - left.ptr) : left.len;
        gen_put(text, "%*s%s", (int)indent, "", lead);
        put_comment_line(text, left.ptr, len);
        if (!newline)
            break;
        gen_put(text, "\n");
        left.ptr += len + 1;
        left.len -= len + 1;
        lead = " *";
    }
    gen_put(text, " */\n");
}

/* ---- literals ------------------------------------------------------------------------------- */

void gen_put_literal(gen_text *text, frugal_str bytes)
{
    static const char names[] = "n\nr\rt\t\"\"\\\\";
    gen_put_bytes(text, "\"", 1);
    for (size_t i = 0; i < bytes.len && !text->status; i++) {
        char        c    = bytes.ptr[i];
        const char *name = names;
        while (*name && name[1] != c)
            name += 2;
        if (*name)
            gen_put(text, "\\%c", *name);
        else if (c < 0x20 || c > 0x7E)
            gen_put(text, "\\%03o", (unsigned)(unsigned char)c);
        else if (c == '?' && i > 0 && bytes.ptr[i - 1] == '?')
            gen_put(text, "\\?");
        else
            gen_put_bytes(text, &c, 1);
    }
    gen_put_bytes(text, "\"", 1);
}
