/* json/calm.h - takes out of a record what JSON does not carry: the payload of a NaN. */
#ifndef TESTS_JSON_CALM_H
#define TESTS_JSON_CALM_H

#include <frugal/describe.h>

/* Every NaN in the record, and in all that hangs below it, becomes the one that "NaN" reads as. */
void calm_record(const frugal_struct *type, void *record);

#endif /* TESTS_JSON_CALM_H */
