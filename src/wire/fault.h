/* wire/fault.h - what is wrong with some bytes, and where, before it is put into words.
 *
 * Readers record a fault in a few stores; the sentence is made once, at the door, from this one
 * list, so that all readers of bytes use the same words. */
#ifndef WIRE_FAULT_H
#define WIRE_FAULT_H

#include <stdint.h>

#include <frugal/status.h>

typedef enum wire_fault_kind {
    WIRE_FAULT_NONE,
    WIRE_FAULT_EOF,       /* a: bytes short */
    WIRE_FAULT_LENGTH,    /* a text or name longer than the input; a: bytes short */
    WIRE_FAULT_NEGATIVE,  /* a: the size, as int32_t */
    WIRE_FAULT_COUNT,     /* a: elements, b: least bytes they need, c: bytes left */
    WIRE_FAULT_TYPE,      /* a: a type that does not exist */
    WIRE_FAULT_FIELD,     /* a: wire type of the description, b: found */
    WIRE_FAULT_ELEMENT,   /* a: wire type of the description, b: found */
    WIRE_FAULT_DEPTH,     /* a: the limit */
    WIRE_FAULT_BUDGET,    /* a: bytes asked for, b: the budget */
    WIRE_FAULT_MISSING,   /* a: id of the required field */
    WIRE_FAULT_DUPLICATE, /* a: index of the entry that repeats another */
    WIRE_FAULT_UTF8,      /* a: offset of the first wrong byte in the string */
    WIRE_FAULT_VERSION,   /* a: the version word */
    WIRE_FAULT_OLD,       /* the old envelope, refused */
    WIRE_FAULT_MESSAGE,   /* a: the message type */
    WIRE_FAULT_INPUT,     /* a: bytes of an input above 2^31-1 */
    WIRE_FAULT_NOMEM      /* a: bytes asked for */
} wire_fault_kind;

typedef struct wire_fault {
    wire_fault_kind kind;
    const uint8_t  *at; /* the first byte of what is wrong */
    uint64_t        a, b, c;
} wire_fault;

static inline void wire_fault_set(wire_fault *fault, wire_fault_kind kind, const uint8_t *at,
                                  uint64_t a, uint64_t b, uint64_t c)
{
    *fault = (wire_fault){ kind, at, a, b, c };
}

frugal_status wire_fault_status(wire_fault_kind kind);

/* Fills `error` (may be NULL) with status, offset from `start` and sentence; empties the path. */
frugal_status wire_fault_report(const wire_fault *fault, const uint8_t *start, frugal_error *error);

/* "i32" for 8, "unknown" for a number that is no type of the Binary protocol. */
const char *wire_type_name(uint8_t type);

#endif /* WIRE_FAULT_H */
