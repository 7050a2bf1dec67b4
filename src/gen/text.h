/* gen/text.h - C text on its way into a buffer, with a sticky error.
 *
 * After the first failure nothing more is written; whoever writes looks once, at the end. What
 * comes from the IDL (comments, literals) passes through here, where whatever could end a comment,
 * a literal or the compiler's patience is taken out of it. */
#ifndef GEN_TEXT_H
#define GEN_TEXT_H

#include <frugal/memory.h>

/* A literal of this many bytes is still one that every C compiler takes. */
#define GEN_LITERAL_MAX 4095u

#define GEN_COLUMNS 100u /* of a line, where we can choose */

typedef struct gen_text {
    frugal_buf    buf;
    size_t       *left; /* bytes that may still be written, shared by all texts of one run */
    frugal_status status;
} gen_text;

void gen_text_init(gen_text *text, const frugal_allocator *allocator, size_t *left);
void gen_text_release(gen_text *text);

void gen_put_bytes(gen_text *text, const char *bytes, size_t size);
__attribute__((format(printf, 2, 3))) void gen_put(gen_text *text, const char *format, ...);

/* `doc` as a comment of its own lines, each indented; nothing when it is empty. */
void gen_put_comment(gen_text *text, frugal_str doc, unsigned indent);

/* The bytes between quotes, escaped: plain ASCII, no trigraphs. */
void gen_put_literal(gen_text *text, frugal_str bytes);

#endif /* GEN_TEXT_H */
