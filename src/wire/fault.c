/* wire/fault.c - faults in words.
 *
 * The numbers of a fault are 64 bits wide and mean what wire/fault.h says for its kind; what was
 * signed on the wire is narrowed to its width again before it is printed. */
#include "wire/fault.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "core/status.h"

frugal_status wire_fault_status(wire_fault_kind kind)
{
    switch (kind) {
    case WIRE_FAULT_NONE: return FRUGAL_OK;
    case WIRE_FAULT_EOF: return FRUGAL_TRUNCATED;
    case WIRE_FAULT_LENGTH:
    case WIRE_FAULT_COUNT:
    case WIRE_FAULT_INPUT: return FRUGAL_SIZE;
    case WIRE_FAULT_NEGATIVE: return FRUGAL_NEGATIVE;
    case WIRE_FAULT_TYPE: return FRUGAL_MALFORMED;
    case WIRE_FAULT_FIELD:
    case WIRE_FAULT_ELEMENT: return FRUGAL_MISMATCH;
    case WIRE_FAULT_DEPTH: return FRUGAL_DEPTH;
    case WIRE_FAULT_BUDGET: return FRUGAL_BUDGET;
    case WIRE_FAULT_MISSING: return FRUGAL_MISSING;
    case WIRE_FAULT_DUPLICATE: return FRUGAL_DUPLICATE;
    case WIRE_FAULT_UTF8: return FRUGAL_UTF8;
    case WIRE_FAULT_VERSION:
    case WIRE_FAULT_OLD: return FRUGAL_VERSION;
    case WIRE_FAULT_MESSAGE: return FRUGAL_MESSAGE_TYPE;
    case WIRE_FAULT_NOMEM: return FRUGAL_NOMEM;
    }
    assert(false && "a fault of no kind");
    return FRUGAL_MALFORMED;
}

const char *wire_type_name(uint8_t type)
{
    static const char *const names[16] = {
        [2] = "bool",    [3] = "i8",      [4] = "double", [6] = "i16",  [8] = "i32",  [10] = "i64",
        [11] = "string", [12] = "struct", [13] = "map",   [14] = "set", [15] = "list"
    };
    const char *name = type < 16 ? names[type] : NULL;
    return name ? name : "unknown";
}

#define SENTENCE_SIZE sizeof(((frugal_error *)NULL)->message)

/* One switch over all kinds. */
static void put_sentence(char *text, const wire_fault *fault)
{
    uint64_t a = fault->a, b = fault->b, c = fault->c;
    size_t   size = SENTENCE_SIZE;
    switch (fault->kind) {
    case WIRE_FAULT_NONE: break;
    case WIRE_FAULT_EOF:
    case WIRE_FAULT_LENGTH:
        snprintf(text, size, "unexpected EOF: %" PRIu64 " byte%s short", a, plural_s(a));
        break;
    case WIRE_FAULT_NEGATIVE: snprintf(text, size, "negative size: %" PRId32, (int32_t)a); break;
    case WIRE_FAULT_COUNT:
        snprintf(text, size,
                 "%" PRIu64 " element%s need%s at least %" PRIu64 " byte%s, %" PRIu64 " left", a,
                 plural_s(a), a == 1 ? "s" : "", b, plural_s(b), c);
        break;
    case WIRE_FAULT_TYPE: snprintf(text, size, "unknown wire type %" PRId64, (int64_t)a); break;
    case WIRE_FAULT_FIELD:
    case WIRE_FAULT_ELEMENT:
        snprintf(text, size, "type mismatch: %" PRIu64 " expected, got %" PRIu64 " (%s, %s)", a, b,
                 wire_type_name((uint8_t)a), wire_type_name((uint8_t)b));
        break;
    case WIRE_FAULT_DEPTH:
        snprintf(text, size, "nested deeper than %" PRIu64 " levels (depth_max)", a);
        break;
    case WIRE_FAULT_BUDGET:
        snprintf(text, size, "needs %" PRIu64 " byte%s of memory more, size_max is %" PRIu64, a,
                 plural_s(a), b);
        break;
    case WIRE_FAULT_MISSING:
        snprintf(text, size, "required field %" PRId16 " is missing", (int16_t)a);
        break;
    case WIRE_FAULT_DUPLICATE:
        snprintf(text, size, "entry %" PRIu64 " repeats an earlier one", a);
        break;
    case WIRE_FAULT_UTF8:
        snprintf(text, size, "not UTF-8 at byte %" PRIu64 " of the string", a);
        break;
    case WIRE_FAULT_VERSION: snprintf(text, size, "unknown version 0x%08" PRIx64, a); break;
    case WIRE_FAULT_OLD: snprintf(text, size, "old envelope refused (strict_only)"); break;
    case WIRE_FAULT_MESSAGE: snprintf(text, size, "unknown message type %" PRIu64, a); break;
    case WIRE_FAULT_INPUT:
        snprintf(text, size, "input of %" PRIu64 " bytes, more than 2147483647", a);
        break;
    case WIRE_FAULT_NOMEM:
        snprintf(text, size, "no memory for %" PRIu64 " byte%s", a, plural_s(a));
        break;
    }
}

frugal_status wire_fault_report(const wire_fault *fault, const uint8_t *start, frugal_error *error)
{
    frugal_status status = wire_fault_status(fault->kind);
    if (error == NULL || status == FRUGAL_OK)
        return status;
    error_set(error, status, "%s", "");
    put_sentence(error->message, fault);
    error->offset = fault->at ? (size_t)(fault->at - start) : 0;
    return status;
}
