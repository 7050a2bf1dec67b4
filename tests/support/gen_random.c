/* support/gen_random.c - splitmix64, and the choices made with it. */
#include "support/gen_random.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SEED_FIXED 20261130u

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t gen_next(gen_random *random)
{
    random->state += 0x9e3779b97f4a7c15u;
    return mix(random->state);
}

static uint64_t new_seed(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return mix((uint64_t)now.tv_sec * 1000000007u + (uint64_t)now.tv_nsec) >> 16;
}

uint64_t gen_seed(void)
{
    static uint64_t seed;
    static bool     known;
    if (!known) {
        const char *text = getenv("FRUGAL_SEED");
        if (text == NULL || *text == '\0')
            seed = SEED_FIXED;
        else if (strcmp(text, "random") == 0)
            seed = new_seed();
        else
            seed = strtoull(text, NULL, 0);
        known = true;
    }
    return seed;
}

gen_random gen_random_for(uint64_t seed, const char *name, uint64_t index)
{
    uint64_t hash = mix(seed) ^ mix(index + 0x5bd1e995u);
    for (; *name; name++)
        hash = mix(hash ^ (uint8_t)*name);
    return (gen_random){ hash };
}

uint32_t gen_below(gen_random *random, uint32_t below)
{
    if (below == 0)
        return 0;
    return (uint32_t)(((gen_next(random) >> 32) * below) >> 32);
}

int gen_range(gen_random *random, int least, int most)
{
    return least + (int)gen_below(random, (uint32_t)(most - least) + 1);
}

bool gen_chance(gen_random *random, unsigned percent)
{
    return gen_below(random, 100) < percent;
}

unsigned gen_pick(gen_random *random, const uint8_t *weights, unsigned count)
{
    unsigned total = 0;
    for (unsigned i = 0; i < count; i++)
        total += weights[i];
    unsigned at = gen_below(random, total);
    for (unsigned i = 0; i < count; i++) {
        if (at < weights[i])
            return i;
        at -= weights[i];
    }
    return count - 1;
}

void gen_shuffle(gen_random *random, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = gen_below(random, i + 1);
        order[i]   = order[j];
        order[j]   = i;
    }
}

uint32_t gen_text_len(gen_random *random)
{
    static const uint8_t weights[] = { 15, 45, 25, 12, 2, 1 };
    switch (gen_pick(random, weights, sizeof weights)) {
    case 0: return 0;
    case 1: return 1 + gen_below(random, 16);
    case 2: return 16 + gen_below(random, 56);
    case 3: /* either side of the widths in which copies are made */
        return (8u << gen_below(random, 5)) - 1 + gen_below(random, 3);
    case 4: return 1024 - 1 + gen_below(random, 3);
    default: return 72 + gen_below(random, 600);
    }
}
