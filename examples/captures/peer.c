/* peer.c - the field tables of peer.h, and a table of the methods.
 *
 * FRUGAL_FIELD(struct, member, id [, need] [, type]). The type may be left out where the C type
 * tells it: numbers (inside FRUGAL_OPT, too), strings, binaries. The rest is spelled, because C
 * cannot tell a list from a set or an enum from an integer, and so is an optional string. What does
 * not fit does not compile. */
#include "peer.h"

#include <string.h>

FRUGAL_ENUM(color, FRUGAL_ITEM(RED), FRUGAL_ITEM(GREEN), FRUGAL_ITEM(BLUE));

FRUGAL_STRUCT(inner,
    FRUGAL_FIELD(inner, id,    1, optional),
    FRUGAL_FIELD(inner, value, 2, optional, string));

FRUGAL_STRUCT(request,
    FRUGAL_FIELD(request, action, 1, required),
    FRUGAL_FIELD(request, msg,    2, required),
    FRUGAL_FIELD(request, num,    3, optional),
    FRUGAL_FIELD(request, tags,   4, optional, list(string)),
    FRUGAL_FIELD(request, counts, 5, optional, map(string, i64)),
    FRUGAL_FIELD(request, inner,  6, optional, struct(inner)));

FRUGAL_STRUCT(response,
    FRUGAL_FIELD(response, action, 1, required),
    FRUGAL_FIELD(response, msg,    2, required),
    FRUGAL_FIELD(response, num,    3, optional),
    FRUGAL_FIELD(response, tags,   4, optional, list(string)),
    FRUGAL_FIELD(response, counts, 5, optional, map(string, i64)),
    FRUGAL_FIELD(response, inner,  6, optional, struct(inner)));

FRUGAL_STRUCT(peer_error,
    FRUGAL_FIELD(peer_error, code,    1, required),
    FRUGAL_FIELD(peer_error, message, 2, required));

/* ---- methods -------------------------------------------------------------------------------- */

FRUGAL_STRUCT(echo_args,
    FRUGAL_FIELD(echo_args, req, 1, struct(request)));
FRUGAL_STRUCT(echo_result,
    FRUGAL_FIELD(echo_result, success, 0, optional, struct(response)));

FRUGAL_STRUCT(notify_args,
    FRUGAL_FIELD(notify_args, req, 1, struct(request)));

FRUGAL_STRUCT_EMPTY(notify_count_args);
FRUGAL_STRUCT(notify_count_result,
    FRUGAL_FIELD(notify_count_result, success, 0, optional));

FRUGAL_STRUCT(fail_args,
    FRUGAL_FIELD(fail_args, req, 1, struct(request)));
FRUGAL_STRUCT(fail_result,
    FRUGAL_FIELD(fail_result, success, 0, optional, struct(response)),
    FRUGAL_FIELD(fail_result, err,     1, optional, struct(peer_error)));

FRUGAL_STRUCT_EMPTY(ping_args);
FRUGAL_STRUCT_EMPTY(ping_result);

FRUGAL_STRUCT(mixed_args,
    FRUGAL_FIELD(mixed_args, b,      1),
    FRUGAL_FIELD(mixed_args, i1,     2),
    FRUGAL_FIELD(mixed_args, i2,     3),
    FRUGAL_FIELD(mixed_args, i4,     4),
    FRUGAL_FIELD(mixed_args, i8,     5),
    FRUGAL_FIELD(mixed_args, d,      6),
    FRUGAL_FIELD(mixed_args, s,      7),
    FRUGAL_FIELD(mixed_args, bin,    8),
    FRUGAL_FIELD(mixed_args, li,     9, list(i32)),
    FRUGAL_FIELD(mixed_args, ss,    10, set(string)),
    FRUGAL_FIELD(mixed_args, m,     11, map(string, i64)),
    FRUGAL_FIELD(mixed_args, req,   12, struct(request)),
    FRUGAL_FIELD(mixed_args, color, 13, enum(color)));
FRUGAL_STRUCT(mixed_result,
    FRUGAL_FIELD(mixed_result, success, 0, optional, string));

FRUGAL_STRUCT(sleep_args,
    FRUGAL_FIELD(sleep_args, ms, 1));
FRUGAL_STRUCT(sleep_result,
    FRUGAL_FIELD(sleep_result, success, 0, optional));

FRUGAL_STRUCT(short_request,
    FRUGAL_FIELD(short_request, action, 1, required),
    FRUGAL_FIELD(short_request, msg,    2, required));
FRUGAL_STRUCT(short_response,
    FRUGAL_FIELD(short_response, action, 1, required),
    FRUGAL_FIELD(short_response, msg,    2, required));
FRUGAL_STRUCT(no_such_args,
    FRUGAL_FIELD(no_such_args, req, 1, struct(short_request)));
FRUGAL_STRUCT(no_such_result,
    FRUGAL_FIELD(no_such_result, success, 0, optional, struct(short_response)));

static const struct peer_method methods[] = {
    { "Echo", FRUGAL_TYPE(echo_args), FRUGAL_TYPE(echo_result) },
    { "Notify", FRUGAL_TYPE(notify_args), NULL },
    { "NotifyCount", FRUGAL_TYPE(notify_count_args), FRUGAL_TYPE(notify_count_result) },
    { "Fail", FRUGAL_TYPE(fail_args), FRUGAL_TYPE(fail_result) },
    { "Ping", FRUGAL_TYPE(ping_args), FRUGAL_TYPE(ping_result) },
    { "Mixed", FRUGAL_TYPE(mixed_args), FRUGAL_TYPE(mixed_result) },
    { "Sleep", FRUGAL_TYPE(sleep_args), FRUGAL_TYPE(sleep_result) },
    { "NoSuch", FRUGAL_TYPE(no_such_args), FRUGAL_TYPE(no_such_result) },
};

const struct peer_method *peer_method_find(frugal_str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strlen(methods[i].name) == name.len && !memcmp(methods[i].name, name.ptr, name.len))
            return &methods[i];
    return NULL;
}

/* A reference is a pointer that knows its type; behind it is an ordinary struct. */
frugal_str peer_text(frugal_view body)
{
    if (body.type == FRUGAL_TYPE(echo_args))
        return ((const struct echo_args *)body.ptr)->req.msg;
    if (body.type == FRUGAL_TYPE(notify_args))
        return ((const struct notify_args *)body.ptr)->req.msg;
    if (body.type == FRUGAL_TYPE(fail_args))
        return ((const struct fail_args *)body.ptr)->req.msg;
    if (body.type == FRUGAL_TYPE(mixed_args))
        return ((const struct mixed_args *)body.ptr)->req.msg;
    if (body.type == FRUGAL_TYPE(echo_result)) {
        const struct echo_result *result = body.ptr;
        return result->success ? result->success->msg : (frugal_str){ 0 };
    }
    if (body.type == FRUGAL_TYPE(fail_result)) {
        const struct fail_result *result = body.ptr;
        if (result->err)
            return result->err->message;
        return result->success ? result->success->msg : (frugal_str){ 0 };
    }
    if (body.type == FRUGAL_TYPE(mixed_result))
        return ((const struct mixed_result *)body.ptr)->success;
    return (frugal_str){ 0 };
}
