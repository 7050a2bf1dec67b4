/* cli/guess.c - did you mean: the name with the fewest letters to change. */
#include <string.h>

#include "cli/cli.h"

#define WORD_MAX 64

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters to insert, remove or change, two neighbours that are swapped count as one. */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
    unsigned  rows[3][WORD_MAX + 1];
    unsigned *before = rows[0], *last = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_len; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
            now[j]          = least(change, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
        unsigned *spare = before;
        before          = last;
        last            = now;
        now             = spare;
    }
    return last[b_len];
}

void cli_guess_start(cli_guess *guess, const char *word)
{
    *guess = (cli_guess){ .word = word };
    /* A third of the letters may be wrong, and one always. */
    guess->distance = (unsigned)(strlen(word) / 3) + 1;
}

void cli_guess_feed(cli_guess *guess, const char *name)
{
    size_t a = strlen(guess->word), b = strlen(name);
    if (a > WORD_MAX || b > WORD_MAX)
        return;
    unsigned far = distance(guess->word, a, name, b);
    if (a >= 3 && b > a && memcmp(guess->word, name, a) == 0)
        far = least(far, 1); /* the beginning of a name is as good as one letter wrong */
    if (far < guess->distance || (far == guess->distance && guess->best == NULL)) {
        guess->distance = far;
        guess->best     = name;
    }
}
