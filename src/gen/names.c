/* gen/names.c - names of C. */
#include "gen/names.h"

#include <stdlib.h>
#include <string.h>

#include "gen/macros.h"

/* ctype.h asks the locale. */
static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char converted(char c, gen_case to)
{
    if (to == GEN_AS_WRITTEN && (is_upper(c) || is_lower(c)))
        return c;
    if (is_upper(c))
        return to == GEN_LOWER ? (char)(c + ('a' - 'A')) : c;
    if (is_lower(c))
        return to == GEN_UPPER ? (char)(c - ('a' - 'A')) : c;
    return is_digit(c) ? c : '_';
}

/* A word begins with a capital behind a small letter or digit (divBy, md5Sum), and with the last
 * capital of several (HTTPServer). */
static bool begins_word(frugal_str name, size_t at)
{
    if (at == 0 || !is_upper(name.ptr[at]))
        return false;
    char before = name.ptr[at - 1];
    if (is_lower(before) || is_digit(before))
        return true;
    return is_upper(before) && at + 1 < name.len && is_lower(name.ptr[at + 1]);
}

/* Writes to `out`, at most two characters for each of the name; without a NUL. */
static size_t put_words(char *out, frugal_str name, gen_case to)
{
    size_t size = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (to != GEN_AS_WRITTEN && begins_word(name, i))
            out[size++] = '_';
        out[size++] = converted(name.ptr[i], to);
    }
    return size;
}

char *gen_words(frugal_arena *arena, frugal_str name, gen_case to)
{
    char *out = frugal_arena_alloc(arena, 2 * name.len + 3, 1);
    if (!out)
        return NULL;
    size_t lead = 0;
    if (name.len == 0 || !(is_lower(name.ptr[0]) || is_upper(name.ptr[0]))) /* 3d, _x: a file's */
        out[lead++] = to == GEN_UPPER ? 'X' : 'x';
    out[lead + put_words(out + lead, name, to)] = '\0';
    return out;
}

char *gen_join(frugal_arena *arena, const char *prefix, frugal_str name, gen_case to)
{
    size_t lead = strlen(prefix);
    char  *out  = frugal_arena_alloc(arena, lead + 2 * name.len + 3, 1);
    if (!out)
        return NULL;
    for (size_t i = 0; i < lead; i++)
        out[i] = to == GEN_UPPER ? converted(prefix[i], to) : prefix[i];
    out[lead++] = '_';
    lead += put_words(out + lead, name, to);
    out[lead] = '\0';
    if (gen_is_reserved(out))
        memcpy(out + lead, "_", 2);
    return out;
}

char *gen_member(frugal_arena *arena, frugal_str name)
{
    char *out = frugal_arena_alloc(arena, name.len + 2, 1);
    if (!out)
        return NULL;
    for (size_t i = 0; i < name.len; i++)
        out[i] = name.ptr[i] == '.' ? '_' : name.ptr[i]; /* the grammar lets names have dots */
    out[name.len] = '\0';
    if (gen_is_reserved(out))
        memcpy(out + name.len, "_", 2);
    return out;
}

const gen_claim *gen_claim_name(gen_map *map, frugal_arena *arena, const char *c_name,
                                const gen_claim *mine)
{
    void **place = gen_map_add(map, arena, c_name, strlen(c_name));
    if (!place)
        return NULL;
    if (*place)
        return *place;
    gen_claim *copy = frugal_arena_items(arena, 1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy  = *mine;
    *place = copy;
    return mine;
}

/* ---- words that are taken ------------------------------------------------------------------- */

/* Sorted as strcmp sorts. Keywords of C up to C23 and of C++ up to C++20 with those that a member
 * may not have in either; types of the headers that ours include; what compilers define by
 * themselves. */
static const char *const taken[] = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "i386",
    "i486",
    "i586",
    "i686",
    "if",
    "inline",
    "int",
    "int16_t",
    "int32_t",
    "int64_t",
    "int8_t",
    "intptr_t",
    "linux",
    "long",
    "max_align_t",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "ptrdiff_t",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "restrict",
    "return",
    "short",
    "signed",
    "size_t",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "typeof_unqual",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
    "uintptr_t",
    "union",
    "unix",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
};

static int compare_words(const void *key, const void *word)
{
    return strcmp(key, *(const char *const *)word);
}

static bool is_among(const char *name, const char *const *words, size_t count)
{
    return bsearch(name, words, count, sizeof *words, compare_words) != NULL;
}

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* PRId64, SCNuMAX and their like: formats of printf and scanf. */
static bool is_format(const char *name)
{
    if (!begins_with(name, "PRI") && !begins_with(name, "SCN"))
        return false;
    if (name[3] == '\0' || !strchr("diouxX", name[3]))
        return false;
    const char *size = name + 4;
    return is_digit(*size) || begins_with(size, "LEAST") || begins_with(size, "FAST")
           || strcmp(size, "MAX") == 0 || strcmp(size, "PTR") == 0;
}

/* __LINE__, _Bool; our macros and types; INT32_MAX, UINT8_C and their like. */
static bool is_of_a_family(const char *name)
{
    if (name[0] == '_')
        return name[1] == '_' || is_upper(name[1]);
    if (begins_with(name, "FRUGAL_") || begins_with(name, "frugal_"))
        return true;
    const char *rest = name + (name[0] == 'U');
    return begins_with(rest, "INT")
           && (strstr(rest, "_MAX") || strstr(rest, "_MIN")
               || (rest[3] != '\0' && rest[strlen(rest) - 1] == 'C'));
}

bool gen_is_reserved(const char *name)
{
    return is_of_a_family(name) || is_format(name)
           || is_among(name, taken, sizeof taken / sizeof taken[0])
           || is_among(name, gen_macros, gen_macro_count);
}
