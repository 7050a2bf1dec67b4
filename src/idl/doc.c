/* idl/doc.c - the text of a doc comment: without its stars, and without what frames it. */
#include <string.h>

#include "idl/parser.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v';
}

/* One line of the comment without what stands around its text: blanks and stars in front, of the
 * blanks behind the stars only the first; at the end blanks, and stars in the last line. */
static frugal_str strip(const char *start, const char *end, bool first, bool last)
{
    while (start < end && is_blank(*start))
        start++;
    const char *stars = start;
    while (start < end && *start == '*')
        start++;
    if ((start > stars || first) && start < end && is_blank(*start))
        start++;
    while (end > start && is_blank(end[-1]))
        end--;
    while (last && end > start && end[-1] == '*')
        end--;
    while (end > start && is_blank(end[-1]))
        end--;
    return (frugal_str){ start, (size_t)(end - start) };
}

frugal_str idl_doc_text(idl_load *load, frugal_str comment)
{
    if (comment.ptr == NULL)
        return comment;
    const char *at   = comment.ptr + 3;
    const char *end  = comment.ptr + comment.len - 2;
    char       *text = frugal_arena_alloc(load->arena, (size_t)(end - at) + 2, 1);
    char       *to   = text;
    if (text == NULL) {
        idl_no_memory(load);
        return (frugal_str){ NULL, 0 };
    }
    for (bool first = true, last = false; !last; first = false) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        last                = newline == NULL;
        frugal_str line     = strip(at, last ? end : newline, first, last);
        if (to > text || line.len) {
            memcpy(to, line.ptr, line.len);
            to += line.len;
            *to++ = '\n';
        }
        at = last ? end : newline + 1;
    }
    while (to > text && to[-1] == '\n')
        to--;
    *to = '\0';
    return (frugal_str){ text, (size_t)(to - text) };
}
