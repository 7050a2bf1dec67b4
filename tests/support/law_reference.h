/* support/law_reference.h - what the bytes mean, written for obviousness: a recursive encoder and a
 * recursive decoder that read like the rules in codec.h, share no line with the library, and are
 * slow. The laws compare the library with them. */
#ifndef SUPPORT_LAW_REFERENCE_H
#define SUPPORT_LAW_REFERENCE_H

#include <frugal/codec.h>
#include <frugal/describe.h>

#include "support/gen_pool.h"

/* ---- encode --------------------------------------------------------------------------------- */

typedef struct law_write_options {
    bool canonical;
    bool skip_defaults;
} law_write_options;

/* Appends a value, a record, a record behind a reference. The value must be well formed. `options`
 * NULL: defaults. */
void law_reference_write(const frugal_type *type, const void *place,
                         const law_write_options *options, gen_bytes *out);
void law_reference_encode(const frugal_struct *type, const void *record,
                          const law_write_options *options, gen_bytes *out);

/* Structs and containers inside each other, the root is 1. A NULL struct that is written as an
 * empty one is a level, what was kept of unknown fields is none. */
uint32_t law_reference_depth(const frugal_struct *type, const void *record);

/* Whether both would be the same bytes. */
bool law_reference_equal(const frugal_struct *type, const void *a, const void *b);

/* ---- decode --------------------------------------------------------------------------------- */

typedef struct law_reading {
    frugal_status status;
    size_t        offset;     /* of the fault */
    size_t        used;       /* on success */
    size_t        memory;     /* bytes of records, elements and text that were made */
    char          path[512];  /* of the fault */
    bool          path_known; /* false inside a map, whose keys are not put into words here */
} law_reading;

/* The initial value: the table's defaults, or zeroes and the initial values of the structs inside
 * by value. */
void law_reference_init(const frugal_struct *type, void *record);

/* Fills `record`, or says what is wrong and where. What it makes is in the pool. Of the options all
 * but size_max count. */
law_reading law_reference_decode(gen_pool *pool, const frugal_struct *type, void *record,
                                 const uint8_t *input, size_t size,
                                 const frugal_decode_options *options);

/* The same without a table: how long the value at the front is. `options`: depth_max counts. */
law_reading law_reference_skip_value(uint8_t wire_type, const uint8_t *input, size_t size,
                                     const frugal_decode_options *options);

/* The same for well formed input of any depth. */
bool law_reference_skip(uint8_t wire_type, const uint8_t *input, size_t size, size_t *used);

#endif /* SUPPORT_LAW_REFERENCE_H */
