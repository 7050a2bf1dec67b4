/* cli/members.c - the members of an object that a command knows, found in one walk. */
#include <stdio.h>

#include "cli/convert.h"
#include "cli/members.h"

static size_t find(const json_value *key, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && !json_string_is(key, names[i]))
        i++;
    return i;
}

static frugal_status blame_unknown(const json_value *key, const char *const *names, size_t count,
                                   frugal_error *error)
{
    char      word[65];
    size_t    len = key->text.len - 2;
    cli_guess guess;
    snprintf(word, sizeof word, "%.*s", (int)(len < 64 ? len : 64), key->text.ptr + 1);
    cli_guess_start(&guess, word);
    for (size_t i = 0; i < count; i++)
        cli_guess_feed(&guess, names[i]);
    json_blame(key, FRUGAL_NOTFOUND, error, "no member is called \"%s\"", word);
    convert_add_guess(error, &guess);
    return FRUGAL_NOTFOUND;
}

frugal_status members_read(const json_value *object, const char *const *names, size_t count,
                           json_value *members, frugal_error *error)
{
    memset(members, 0, count * sizeof *members);
    for (json_walk walk = json_enter(object); json_next(&walk);) {
        size_t i     = find(&walk.key, names, count);
        bool   known = i < count, again = known && members[i].text.len;
        if (again)
            return json_blame(&walk.key, FRUGAL_DUPLICATE, error, "this member is there twice");
        if (!known)
            return blame_unknown(&walk.key, names, count, error);
        members[i] = walk.value;
    }
    return FRUGAL_OK;
}

frugal_status members_integer(const json_value *value, int64_t least, int64_t most,
                              int64_t *integer, frugal_error *error)
{
    return value->text.len ? json_get_integer(value, least, most, integer, error) : FRUGAL_OK;
}

frugal_status members_text(frugal_arena *arena, const json_value *value, frugal_str *text,
                           frugal_error *error)
{
    frugal_bytes  bytes;
    frugal_status status = json_get_bytes(value, arena, &bytes, error);
    if (status == FRUGAL_OK)
        *text = (frugal_str){ (const char *)bytes.ptr, bytes.len };
    return status;
}
