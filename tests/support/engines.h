/* support/engines.h - the engines of the codec as tests see them: machine code for each CPU that
 * this one can stand for, chosen from call to call, and whether it was really machine code that
 * answered.
 *
 * The library needs no hook for this. The units are compiled here, with helpers that count, and put
 * into the plan before anybody uses it, each behind a door that counts. For one thread. */
#ifndef SUPPORT_ENGINES_H
#define SUPPORT_ENGINES_H

#include <frugal/describe.h>

#include "jit/jit.h"

/* The interpreter, then machine code for the CPU as it is, then with features masked in turn. */
enum { ENGINE_INTERPRETER, ENGINE_MACHINE, ENGINES_MAX = 5 };

/* How many there are: 1 where there is no machine code; every feature doubles what is behind the
 * first. */
unsigned engines_count(void);

/* "interpreter", "machine", "machine without avx2", ... Static text. */
const char *engines_name(unsigned engine);

/* From now on `type` runs on machine code of this engine's. false: it does not, because the plan
 * has machine code that was not made here, or cannot be had at all. */
bool engines_use(const frugal_struct *type, unsigned engine);

/* Whether the plain path of this direction goes through machine code: not for a plan in which some
 * texts are always views, nor for the size of a record that has nothing but texts. */
bool engines_expected(const frugal_struct *type, jit_kind kind);

/* Of all roots, since the program began. */
typedef struct engines_tally {
    uint64_t entered, served; /* machine code was asked; and did it */
    uint64_t rested;          /* records that it left to the interpreter from some field on */
    uint64_t resynced;        /* headers that C was asked about */
} engines_tally;
extern engines_tally engines_tallies[ENGINES_MAX][JIT_KINDS];

#endif /* SUPPORT_ENGINES_H */
