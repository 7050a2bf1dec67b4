/* frugal/status.h - what can go wrong, and the detail of it.
 *
 * A function that can fail returns a frugal_status; FRUGAL_OK is 0. Its last parameter is a
 * `frugal_error *`, which may be NULL: it is filled on failure only, has a fixed size, and is never
 * allocated. There is no errno of ours and no thread-local last error. */
#ifndef FRUGAL_STATUS_H
#define FRUGAL_STATUS_H

#include <stddef.h>
#include <stdint.h>

#include <frugal/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name and text of a status come from this one list. */
#define FRUGAL_STATUS_MAP(X)                                            \
    X(OK, "success")                                                    \
    X(NOMEM, "out of memory")                                           \
    X(INVALID, "invalid argument or value")                             \
    X(DESCRIPTOR, "a description contradicts itself")                   \
    X(TRUNCATED, "the input ends inside a value")                       \
    X(NEGATIVE, "a size or count is negative")                          \
    X(SIZE, "a size or count exceeds what is there or what is allowed") \
    X(MALFORMED, "the input is not well formed")                        \
    X(SYNTAX, "the text is not well formed")                            \
    X(MISMATCH, "a wire type differs from the described type")          \
    X(MISSING, "a required field is missing")                           \
    X(DUPLICATE, "a map key or set element is repeated")                \
    X(DEPTH, "structs and containers are nested too deep")              \
    X(BUDGET, "decoding would take more memory than allowed")           \
    X(UTF8, "a string is not UTF-8")                                    \
    X(VERSION, "unknown protocol version")                              \
    X(MESSAGE_TYPE, "unknown message type")                             \
    X(FRAME, "a frame is not well formed")                              \
    X(HEADER, "a transport header is not well formed")                  \
    X(NOSPACE, "the output buffer is too small")                        \
    X(NOTFOUND, "no such name")                                         \
    X(IO, "operating system error")

typedef enum frugal_status {
#define FRUGAL_STATUS_ITEM_(name, text) FRUGAL_##name,
    FRUGAL_STATUS_MAP(FRUGAL_STATUS_ITEM_)
#undef FRUGAL_STATUS_ITEM_
        FRUGAL_STATUS_COUNT
} frugal_status;

typedef struct frugal_error {
    frugal_status status;
    int           os_error;     /* errno, 0 if none */
    size_t        offset;       /* byte in the input, or in the output when encoding */
    uint32_t      line, column; /* from 1 in text input, 0 elsewhere */
    char          path[96]; /* "user.home.zip"; too long: the front is cut, "…" stands for it */
    char          message[160]; /* one sentence, no newline */
} frugal_error;

/* "FRUGAL_NOMEM"; "FRUGAL_UNKNOWN" for a number that is no status. Static text, never NULL. */
FRUGAL_API const char *frugal_status_name(frugal_status status);

/* "out of memory"; "unknown status" for a number that is no status. Static text, never NULL. */
FRUGAL_API const char *frugal_status_text(frugal_status status);

#ifdef __cplusplus
}
#endif
#endif /* FRUGAL_STATUS_H */
