/* peer.h - the Thrift service `Peer` as plain C structs.
 *
 * The IDL stands beside each struct. A member is what Thrift says, in C: a string is {ptr, len}, a
 * list or map is {ptr, len} of its elements, an optional number has .has and .value, an optional
 * struct is a pointer. peer.c says once for each struct which member has which id; that is all the
 * library needs.
 *
 * A method has two structs more: one of its arguments, and one of its result, in which field 0 is
 * what it returns and the others are what it throws. At most one of them is present. */
#ifndef PEER_H
#define PEER_H

#include <frugal/frugal.h>

/* enum Color { RED = 1, GREEN = 2, BLUE = 5 } */
enum color { RED = 1, GREEN = 2, BLUE = 5 };

/* struct Inner { 1: optional i64 id, 2: optional string value } */
struct inner {
    FRUGAL_OPT(int64_t) id;
    frugal_str          value; /* .ptr NULL: absent */
};

/* Lists and maps with a name can be assigned and passed to functions. */
typedef FRUGAL_LIST(frugal_str)         text_list;
typedef FRUGAL_SET(frugal_str)          text_set;
typedef FRUGAL_LIST(int32_t)            number_list;
typedef FRUGAL_MAP(frugal_str, int64_t) count_map;

/* struct Request {
 *   1: required string action, 2: required string msg, 3: optional i32 num,
 *   4: optional list<string> tags, 5: optional map<string, i64> counts, 6: optional Inner inner }
 */
struct request {
    frugal_str          action;
    frugal_str          msg;
    FRUGAL_OPT(int32_t) num;
    text_list           tags;
    count_map           counts;
    struct inner       *inner;
};

/* struct Response: the same six fields */
struct response {
    frugal_str          action;
    frugal_str          msg;
    FRUGAL_OPT(int32_t) num;
    text_list           tags;
    count_map           counts;
    struct inner       *inner;
};

/* exception PeerError { 1: required i32 code, 2: required string message } */
struct peer_error {
    int32_t    code;
    frugal_str message;
};

/* ---- methods -------------------------------------------------------------------------------- */

/* Response Echo(1: Request req) */
struct echo_args {
    struct request req;
};
struct echo_result {
    struct response *success;
};

/* oneway void Notify(1: Request req): there is no result */
struct notify_args {
    struct request req;
};

/* i64 NotifyCount() */
struct notify_count_args {
    char unused; /* C has no empty struct */
};
struct notify_count_result {
    FRUGAL_OPT(int64_t) success;
};

/* Response Fail(1: Request req) throws (1: PeerError err) */
struct fail_args {
    struct request req;
};
struct fail_result {
    struct response   *success;
    struct peer_error *err;
};

/* void Ping() */
struct ping_args {
    char unused;
};
struct ping_result {
    char unused;
};

/* string Mixed(1: bool b, 2: i8 i1, 3: i16 i2, 4: i32 i4, 5: i64 i8, 6: double d, 7: string s,
 *   8: binary bin, 9: list<i32> li, 10: set<string> ss, 11: map<string, i64> m, 12: Request req,
 *   13: Color color) */
struct mixed_args {
    bool           b;
    int8_t         i1;
    int16_t        i2;
    int32_t        i4;
    int64_t        i8;
    double         d;
    frugal_str     s;
    frugal_bytes   bin;
    number_list    li;
    text_set       ss;
    count_map      m;
    struct request req;
    enum color     color;
};
struct mixed_result {
    frugal_str success;
};

/* i64 Sleep(1: i32 ms) */
struct sleep_args {
    int32_t ms;
};
struct sleep_result {
    FRUGAL_OPT(int64_t) success;
};

/* Of another version of the service, whose requests have two fields only:
 * Response NoSuch(1: Request req) */
struct short_request {
    frugal_str action;
    frugal_str msg;
};
struct short_response {
    frugal_str action;
    frugal_str msg;
};
struct no_such_args {
    struct short_request req;
};
struct no_such_result {
    struct short_response *success;
};

/* ---- tables --------------------------------------------------------------------------------- */

/* Who names a table in another file than the one that makes it declares it first. */
FRUGAL_DECLARE(request);
FRUGAL_DECLARE(response);
FRUGAL_DECLARE(peer_error);
FRUGAL_DECLARE(echo_args);
FRUGAL_DECLARE(echo_result);
FRUGAL_DECLARE(notify_args);
FRUGAL_DECLARE(fail_args);
FRUGAL_DECLARE(fail_result);
FRUGAL_DECLARE(mixed_args);
FRUGAL_DECLARE(mixed_result);

struct peer_method {
    const char          *name;
    const frugal_struct *args;
    const frugal_struct *result; /* NULL: oneway */
};

/* NULL: there is no such method. */
const struct peer_method *peer_method_find(frugal_str name);

/* What the message says, in plain words of its sender: the text of a request, of a response, or of
 * a declared error; {NULL, 0} when there is none. A view into the record. */
frugal_str peer_text(frugal_view body);

#endif /* PEER_H */
