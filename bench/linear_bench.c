/* bench/linear_bench.c - is a message of 1 GB decoded as fast, per byte, as one of 10 MB?
 *
 * A list of records that grows by copying, a budget that is too stingy, or a cost for each block of
 * the arena would show here and in no smaller benchmark. It also shows that the budget stops the
 * same message when it is set. Ends with 1 when either fails.
 *
 * What is hard: where the caches are larger than 10 MB, the small message never leaves them, and
 * not even memcpy keeps 70 % of its speed. Where memcpy says so, the large message is compared with
 * a hundred different small ones in a row, which move as many bytes through memory. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, clock_gettime */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include <frugal/frugal.h>

#include "writer.h"

#define SIZE_SMALL 10000000u /* bytes of a message */
#define SIZE_LARGE 1000000000u
#define REPEATS    3    /* of which the best counts */
#define SHARE_MIN  0.70 /* speed of the large message by that of the small one */

struct line {
    int64_t    time;
    frugal_str text;
    int32_t    level;
    double     ratio;
    int16_t    shard;
    bool       sampled;
};
FRUGAL_STRUCT_LOCAL(line,
    FRUGAL_FIELD(line, time,    1),
    FRUGAL_FIELD(line, text,    2),
    FRUGAL_FIELD(line, level,   3),
    FRUGAL_FIELD(line, ratio,   4),
    FRUGAL_FIELD(line, shard,   5),
    FRUGAL_FIELD(line, sampled, 6));

struct lines {
    FRUGAL_LIST(struct line) all;
};
FRUGAL_STRUCT_LOCAL(lines,
    FRUGAL_FIELD(lines, all, 1, list(struct(line))));

/* ---- the message ---------------------------------------------------------------------------- */

#define LINE_FIXED 46 /* bytes of a line without its text */
#define TEXT_MIN   60
#define TEXT_MAX   140

static void put_line(frugal_buf *out, size_t i, size_t text_size)
{
    static const char text[] =
        "GET /catalogue/items/4711?expand=prices,stock HTTP/1.1 200 in 12.7 ms, 18 rows from 3 "
        "shards, cache miss, retried once, trace 8f2c41d07e55a1b3";
    _Static_assert(sizeof text > TEXT_MAX, "a longer text than there is");

    put_field(out, FRUGAL_WIRE_I64, 1);
    put_int(out, 1764500000000 + i, 8);
    put_field(out, FRUGAL_WIRE_STRING, 2);
    put_string(out, text, text_size);
    put_field(out, FRUGAL_WIRE_I32, 3);
    put_int(out, i % 7, 4);
    put_field(out, FRUGAL_WIRE_DOUBLE, 4);
    put_double(out, 0.5 * (double)i);
    put_field(out, FRUGAL_WIRE_I16, 5);
    put_int(out, i % 1000, 2);
    put_field(out, FRUGAL_WIRE_BOOL, 6);
    put_int(out, i & 1, 1);
    put_stop(out);
}

static size_t text_size(uint64_t *random)
{
    return TEXT_MIN + next_random(random) % (TEXT_MAX - TEXT_MIN + 1);
}

/* As many lines as fit in `size` bytes; the count comes first, so it is counted before. */
static frugal_bytes make_message(void *memory, size_t size)
{
    frugal_buf out;
    uint64_t   random = 1;
    size_t     count  = 0;

    for (size_t used = 9 + LINE_FIXED + TEXT_MAX; used <= size; count++)
        used += LINE_FIXED + text_size(&random);
    frugal_buf_init_fixed(&out, memory, size);
    put_field(&out, FRUGAL_WIRE_LIST, 1);
    put_list(&out, FRUGAL_WIRE_STRUCT, count);
    random = 1;
    for (size_t i = 0; i < count; i++)
        put_line(&out, i, text_size(&random));
    put_stop(&out);
    return frugal_buf_bytes(&out);
}

static void *map_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        perror("linear_bench: mmap");
        exit(1);
    }
    return memory;
}

/* ---- measuring ------------------------------------------------------------------------------ */

/* Of this process: others do not count. */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void decode(frugal_bytes message, frugal_arena *arena)
{
    struct lines lines;
    frugal_error error;
    size_t       used;

    if (frugal_decode(FRUGAL_REF(lines, &lines), message, arena, NULL, &used, &error)
        != FRUGAL_OK) {
        fprintf(stderr, "linear_bench: decode: %s at %zu\n", error.message, error.offset);
        exit(1);
    }
    size_t last = lines.all.len - 1;
    if (used != message.len || lines.all.len == 0
        || lines.all.ptr[last].time != (int64_t)(1764500000000 + last)) {
        fprintf(stderr, "linear_bench: decoded something else\n");
        exit(1);
    }
}

/* Bytes a second for `count` messages in a row, the best of some rounds, after one round that warms
 * the arena. */
static double measure(const char *what, const frugal_bytes *messages, size_t count)
{
    frugal_arena *arena = frugal_arena_new(NULL);
    double        best  = 0;

    if (arena == NULL)
        abort();
    for (int round = 0; round <= REPEATS; round++) {
        double start = seconds(), speed, bytes = 0;

        frugal_arena_reset(arena);
        for (size_t i = 0; i < count; i++) {
            decode(messages[i], arena);
            bytes += (double)messages[i].len;
        }
        speed = bytes / (seconds() - start);
        if (round > 0 && speed > best)
            best = speed;
    }
    printf("%-20s %6.2f GB/s, arena %zu MB\n", what, best * 1e-9,
           frugal_arena_used(arena) / 1000000);
    frugal_arena_free(arena);
    return best;
}

/* The speed of memcpy between two halves of `memory`, `size` bytes in each. */
static double measure_copy(const char *what, uint8_t *memory, size_t size)
{
    double best = 0;

    for (int round = 0; round <= REPEATS; round++) {
        double start = seconds(), speed;

        memcpy(memory + SIZE_LARGE, memory, size);
        speed = (double)size / (seconds() - start);
        if (speed > best)
            best = speed;
    }
    printf("%-20s %6.2f GB/s\n", what, best * 1e-9);
    return best;
}

/* Whether the large message is refused where the budget says so. */
static bool budget_holds(frugal_bytes message)
{
    const frugal_decode_options options = { .struct_size = sizeof options,
                                            .size_max    = (size_t)64 << 20 };
    frugal_arena               *arena   = frugal_arena_new(NULL);
    struct lines                lines;
    frugal_error                error = { .status = FRUGAL_OK };
    frugal_status               status;

    if (arena == NULL)
        abort();
    status = frugal_decode(FRUGAL_REF(lines, &lines), message, arena, &options, NULL, &error);
    printf("with size_max 64 MiB: %s, %s, arena %zu KiB\n", frugal_status_name(status),
           error.message, frugal_arena_reserved(arena) >> 10);
    frugal_arena_free(arena);
    return status == FRUGAL_BUDGET;
}

static bool judge(const char *what, double share)
{
    bool enough = share >= SHARE_MIN;

    printf("1 GB at %3.0f %% of the speed of %s: %s\n", 100 * share, what,
           enough ? "ok" : "BELOW 70 %");
    return enough;
}

/* Whether the speed holds; see the top for the second comparison. */
static bool speed_holds(uint8_t *memory, frugal_bytes large)
{
    static frugal_bytes small[SIZE_LARGE / SIZE_SMALL];
    const size_t        count = sizeof small / sizeof small[0];
    double              speed = measure("1 GB", &large, 1);

    for (size_t i = 0; i < count; i++)
        small[i] = make_message(memory + i * SIZE_SMALL, SIZE_SMALL);
    double one  = measure("10 MB", small, 1);
    double all  = measure("10 MB, a hundred", small, count);
    double copy = measure_copy("memcpy of 1 GB", memory, SIZE_LARGE)
                  / measure_copy("memcpy of 10 MB", memory, SIZE_SMALL);

    if (judge("10 MB", speed / one))
        return true;
    if (copy >= SHARE_MIN)
        return false;
    printf("memcpy keeps %.0f %%: 10 MB fit in the caches, so not this but the next line counts\n",
           100 * copy);
    return judge("a hundred of 10 MB", speed / all);
}

int main(void)
{
    uint8_t     *memory = map_memory(2 * (size_t)SIZE_LARGE);
    frugal_bytes large  = make_message(memory, SIZE_LARGE);
    bool         budget = budget_holds(large);
    bool         linear = speed_holds(memory, large);

    printf("budget: %s\n", budget ? "ok" : "NOT HELD");
    munmap(memory, 2 * (size_t)SIZE_LARGE);
    return linear && budget ? 0 : 1;
}
