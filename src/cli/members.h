/* cli/members.h - the members of an object that a command knows, found in one walk. */
#ifndef CLI_MEMBERS_H
#define CLI_MEMBERS_H

#include "json/scan.h"

/* members[i] is the value of the member names[i]; without text when it is not there. A member that
 * is not among the names, or repeats, is FRUGAL_NOTFOUND or DUPLICATE: these objects are ours, not
 * those of a schema that may be newer. */
frugal_status members_read(const json_value *object, const char *const *names, size_t count,
                           json_value *members, frugal_error *error);

/* An integer that may be missing: then `*integer` stays as it is. */
frugal_status members_integer(const json_value *value, int64_t least, int64_t most,
                              int64_t *integer, frugal_error *error);

/* A string, or the bytes of {"$hex": "…"}. */
frugal_status members_text(frugal_arena *arena, const json_value *value, frugal_str *text,
                           frugal_error *error);

#endif /* CLI_MEMBERS_H */
