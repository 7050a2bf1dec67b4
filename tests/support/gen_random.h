/* support/gen_random.h - chance that can be repeated: splitmix64, and the choices made with it.
 *
 * All randomness of the laws comes from one seed. It is fixed, so that a build fails for what was
 * changed and not by chance; FRUGAL_SEED=number takes another one, FRUGAL_SEED=random a new one. */
#ifndef SUPPORT_GEN_RANDOM_H
#define SUPPORT_GEN_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gen_random {
    uint64_t state;
} gen_random;

/* From FRUGAL_SEED; the same for the whole run. */
uint64_t gen_seed(void);

/* An independent stream for the case `index` of the law `name`. */
gen_random gen_random_for(uint64_t seed, const char *name, uint64_t index);

uint64_t gen_next(gen_random *random);

/* 0 .. below-1; 0 when `below` is 0. */
uint32_t gen_below(gen_random *random, uint32_t below);

/* least .. most, both included. */
int gen_range(gen_random *random, int least, int most);

/* True `percent` times in a hundred. */
bool gen_chance(gen_random *random, unsigned percent);

/* An index of `weights`, chosen by weight; the weights are not all 0. */
unsigned gen_pick(gen_random *random, const uint8_t *weights, unsigned count);

/* The order 0 .. count-1, shuffled. */
void gen_shuffle(gen_random *random, uint32_t *order, uint32_t count);

/* A length where bugs live: 0, around the widths of moves, 64, 1024; seldom above. */
uint32_t gen_text_len(gen_random *random);

#endif /* SUPPORT_GEN_RANDOM_H */
