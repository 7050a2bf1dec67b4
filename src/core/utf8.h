/* core/utf8.h - is this text UTF-8? */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stddef.h>

/* How many bytes at the front of `text` are whole, well-formed characters: `len` when all is UTF-8,
 * else the offset of the first wrong or cut one. Strict, as Unicode's table 3-7: no overlong forms,
 * no surrogates, nothing above U+10FFFF. `text` may be NULL when `len` is 0. */
size_t utf8_valid_prefix(const void *text, size_t len);

#endif /* CORE_UTF8_H */
