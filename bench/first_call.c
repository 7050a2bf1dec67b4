/* bench/first_call.c - what the first use of a type costs, and what pretouch moves to start-up.
 *
 * A service of 200 types is made of an IDL; each type has fifteen fields. Each is encoded, measured
 * and decoded once, then once more, with machine code and without, after pretouch and without. */
#include <frugal/frugal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TYPES 200

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void put_idl(char *text, size_t size)
{
    size_t len = 0;
    for (int i = 0; i < TYPES; i++)
        len += (size_t)snprintf(
            text + len, size - len,
            "struct Part%d { 1: i64 id, 2: string name }\n"
            "struct Type%d { 1: required i64 id, 2: string name, 3: i32 count, 4: bool flag,"
            " 5: double ratio, 6: list<i64> ids, 7: list<string> words, 8: map<string, i64> totals,"
            " 9: optional i32 age, 10: optional string note, 11: Part%d part, 12: list<Part%d> "
            "parts,"
            " 13: i16 port, 14: byte tiny, 15: optional Part%d other }\n",
            i, i, i, i, i);
    len += (size_t)snprintf(text + len, size - len, "service Many {\n");
    for (int i = 0; i < TYPES; i += 2)
        len += (size_t)snprintf(text + len, size - len, "  Type%d call%d(1: Type%d request)\n", i,
                                i, i + 1);
    snprintf(text + len, size - len, "}\n");
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Size, write and read of an empty record. */
static double use(const frugal_struct *type, frugal_arena *arena, bool interpreted)
{
    frugal_encode_options encode = { .interpreter_only = interpreted };
    frugal_decode_options decode = { .interpreter_only = interpreted };
    uint8_t               bytes[512];
    size_t                size;
    void                 *record = frugal_arena_items(arena, 1, type->size);
    frugal_init((frugal_ref){ type, record });
    double begin = now_us();
    if (frugal_encoded_size((frugal_view){ type, record }, &encode, &size, NULL) != FRUGAL_OK
        || frugal_encode_to((frugal_view){ type, record }, &encode, bytes, sizeof bytes, &size,
                            NULL)
               != FRUGAL_OK
        || frugal_decode((frugal_ref){ type, record }, (frugal_bytes){ bytes, size }, arena,
                         &decode, NULL, NULL)
               != FRUGAL_OK)
        abort();
    return now_us() - begin;
}

static void run(const char *what, frugal_str text, bool interpreted, bool pretouch)
{
    static double  first[TYPES], second[TYPES];
    frugal_schema *schema;
    frugal_arena  *arena = frugal_arena_new(NULL);
    frugal_error   error;
    double         begin = now_us();
    if (frugal_schema_load_text("many.thrift", text, NULL, &schema, &error) != FRUGAL_OK) {
        fprintf(stderr, "%u:%u: %s\n", error.line, error.column, error.message);
        exit(1);
    }
    double                  load    = now_us() - begin;
    frugal_pretouch_options options = { .interpreter_only = interpreted };
    begin                           = now_us();
    for (size_t i = 0; pretouch && frugal_schema_struct_at(schema, i); i++)
        if (frugal_pretouch(frugal_schema_struct_at(schema, i), &options, &error) != FRUGAL_OK)
            exit(1);
    double touched = now_us() - begin;
    for (int i = 0; i < TYPES; i++) {
        char name[32];
        snprintf(name, sizeof name, "Type%d", i);
        const frugal_struct *type = frugal_schema_struct(schema, name);
        first[i]                  = use(type, arena, interpreted);
        second[i]                 = use(type, arena, interpreted);
    }
    qsort(first, TYPES, sizeof *first, compare);
    qsort(second, TYPES, sizeof *second, compare);
    frugal_jit_counts counts;
    frugal_jit_count(&counts);
    printf("%-32s load %8.0f  pretouch %8.0f  first use %7.1f (most %7.1f)  second %6.2f us;"
           " so far %llu units, %llu bytes\n",
           what, load, touched, first[TYPES / 2], first[TYPES - 1], second[TYPES / 2],
           (unsigned long long)counts.units, (unsigned long long)counts.bytes);
    frugal_arena_free(arena);
    frugal_schema_free(schema);
}

int main(void)
{
    static char text[TYPES * 700];
    put_idl(text, sizeof text);
    frugal_str idl = { text, strlen(text) };
    printf("%d types of 15 fields, microseconds, medians over types\n", TYPES);
    run("interpreter, first use", idl, true, false);
    run("interpreter, pretouched", idl, true, true);
    run("machine code, first use", idl, false, false);
    run("machine code, pretouched", idl, false, true);
    return 0;
}
