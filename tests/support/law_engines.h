/* support/law_engines.h - which engines a call of a law is made by, and comparing what they say.
 * Shared by the files of the laws' support alone. */
#ifndef SUPPORT_LAW_ENGINES_H
#define SUPPORT_LAW_ENGINES_H

#include "support/engines.h"
#include "support/law.h"

/* Machine code of these engines, beside the interpreter; first > last: none. */
typedef struct law_choice {
    unsigned first, last;
} law_choice;
law_choice law_choose(law_case *at);

/* Before and after a call. false: no machine code of this engine's. */
bool law_engine_begin(law_case *at, unsigned engine);
void law_engine_end(law_case *at, unsigned engine);

void law_same_error(const law_case *at, const char *engine, const frugal_error *one,
                    const frugal_error *other);

#endif /* SUPPORT_LAW_ENGINES_H */
