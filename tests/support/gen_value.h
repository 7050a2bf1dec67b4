/* support/gen_value.h - values made by chance for any table, in a pool. */
#ifndef SUPPORT_GEN_VALUE_H
#define SUPPORT_GEN_VALUE_H

#include <frugal/describe.h>

#include "support/gen_pool.h"
#include "support/gen_random.h"

typedef struct gen_values {
    gen_random *random;
    gen_pool   *pool;
    int         fuel;       /* values that may still be made; then containers are empty */
    int         depth_left; /* levels of nesting that chance may still add */
    unsigned    present;    /* per cent of the optional fields that are there */
    bool        utf8;       /* all strings are UTF-8 */
    bool        prototype;  /* optional fields of this record, and of those by value, are absent */
    bool        inexact;    /* out: a NULL that comes back as something else, or not at all */
} gen_values;

/* A good start: fuel, depth and density by chance. */
gen_values gen_values_start(gen_random *random, gen_pool *pool);

/* Fills a zeroed record or place. */
void gen_record(gen_values *values, const frugal_struct *type, void *record);
void gen_place_value(gen_values *values, const frugal_type *type, void *place);

#endif /* SUPPORT_GEN_VALUE_H */
