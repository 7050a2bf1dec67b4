/* cli/members.c - the members of an object that a command knows, found in one walk. */
#include "cli/members.h"

static size_t find(const json_value *key, const char *const *names, size_t count)
{
    size_t i = 0;
    while (i < count && !json_string_is(key, names[i]))
        i++;
    return i;
}

frugal_status members_read(const json_value *object, const char *const *names, size_t count,
                           bool strict, json_value *members, frugal_error *error)
{
    memset(members, 0, count * sizeof *members);
    for (json_walk walk = json_enter(object); json_next(&walk);) {
        size_t i     = find(&walk.key, names, count);
        bool   known = i < count, again = known && members[i].text.len;
        if (known && !again)
            members[i] = walk.value;
        else if (strict)
            return json_blame(&walk.key, known ? FRUGAL_DUPLICATE : FRUGAL_NOTFOUND, error,
                              known ? "this member is there twice" : "no member has this name");
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
