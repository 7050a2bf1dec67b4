/* cli/inspect.h - any payload as text, without an IDL: framing, headers, envelope, fields. */
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

#include "cli/raw.h"
#include "frame/frame.h"

typedef struct inspect_options {
    raw_options   raw;
    frame_framing framing; /* AUTO: guess, also that it is one bare struct */
    bool          bare;    /* it is one bare struct */
} inspect_options;

/* Told of each place where the input stops making sense; the offset is in the input. */
typedef void inspect_fault(void *context, const frugal_error *error);

/* Prints all that makes sense of `input` through `put`, and tells each fault. A fault inside a
 * frame does not hide the messages behind it. Returns how many faults there are; at most
 * FAULTS_MAX, then it ends. Both callbacks get `context`; `fault` may be NULL. */
#define INSPECT_FAULTS_MAX 64
size_t inspect(frugal_bytes input, const inspect_options *options, raw_put *put,
               inspect_fault *fault, void *context);

#endif /* CLI_INSPECT_H */
