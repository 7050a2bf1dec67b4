/* cli/beside.h - what decode shows beside the bytes of a struct, for people: encode writes the
 * bytes, and tells when somebody has changed the other. */
#ifndef CLI_BESIDE_H
#define CLI_BESIDE_H

#include "cli/convert.h"

typedef struct convert_beside {
    const frugal_message *message;
    const frame_header   *header;
    frugal_bytes          bytes;            /* of the struct */
    const json_value     *decoded, *fields; /* without text: not there */
} convert_beside;

/* A line on standard error for each that does not say what the bytes do. */
void convert_check_beside(convert *c, const convert_beside *beside);

#endif /* CLI_BESIDE_H */
