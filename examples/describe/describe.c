/* examples/describe/describe.c - every kind of field, twice: optional and required.
 *
 * Describes a C struct, fills one, encodes it, decodes the bytes into another one and prints that.
 *
 *   cc -std=c11 describe.c $(pkg-config --cflags --libs frugal) -o describe && ./describe
 *
 * The fields are the 22 of "All types example" in the README of Frugal for Go, with the same ids.
 * As a .thrift file they would read
 *
 *   struct sample {
 *     1: optional bool opt_bool,  2: required bool req_bool,  3: optional i8 opt_i8, ...
 *     21: optional color opt_enum, 22: required color req_enum
 *   } */
#include <stdio.h>
#include <stdlib.h>

#include <frugal/frugal.h>

/* ---- what we want to send -------------------------------------------------------------------- */

enum color { COLOR_RED = 1, COLOR_GREEN = 2, COLOR_BLUE = 5 };

/* Lists that have a name can be assigned to each other and passed to functions. */
typedef FRUGAL_SET(int64_t)             ids;
typedef FRUGAL_LIST(int64_t)            scores;
typedef FRUGAL_MAP(int64_t, frugal_str) titles;

/* A plain C struct. Optional numbers, bools and enums have a .has beside their .value; optional
 * texts, sets, lists and maps are absent while their .ptr is NULL. So zeroed memory is an empty
 * record. */
struct sample {
    FRUGAL_OPT(bool)       opt_bool;
    bool                   req_bool;
    FRUGAL_OPT(int8_t)     opt_i8;
    int8_t                 req_i8;
    FRUGAL_OPT(int16_t)    opt_i16;
    int16_t                req_i16;
    FRUGAL_OPT(int32_t)    opt_i32;
    int32_t                req_i32;
    FRUGAL_OPT(int64_t)    opt_i64;
    int64_t                req_i64;
    frugal_str             opt_string, req_string;
    frugal_bytes           opt_binary, req_binary;
    ids                    opt_set, req_set;
    scores                 opt_list, req_list;
    titles                 opt_map, req_map;
    FRUGAL_OPT(enum color) opt_enum;
    enum color             req_enum;
};

/* ---- what it is on the wire ------------------------------------------------------------------ */

/* Names for texts. C puts the constants of all enums into one pot, hence the prefix; Thrift does
 * not. */
FRUGAL_ENUM(color,
    FRUGAL_ITEM(COLOR_RED, "RED"),
    FRUGAL_ITEM(COLOR_GREEN, "GREEN"),
    FRUGAL_ITEM(COLOR_BLUE, "BLUE"));

/* The table is const data, made at compile time: there is no generated code and nothing to
 * register. Say `i64` where the struct has an int32_t, and the compiler names the member.
 *
 * The type may be left out where the C type tells it, as in the first line of each pair. An
 * optional string must be spelled (it could be a FRUGAL_OPT), and so must enums, lists, sets and
 * maps. */
FRUGAL_STRUCT(sample,
    FRUGAL_FIELD(sample, opt_bool,   1,  optional),
    FRUGAL_FIELD(sample, req_bool,   2,  required, bool),
    FRUGAL_FIELD(sample, opt_i8,     3,  optional),
    FRUGAL_FIELD(sample, req_i8,     4,  required, i8),
    FRUGAL_FIELD(sample, opt_i16,    5,  optional),
    FRUGAL_FIELD(sample, req_i16,    6,  required, i16),
    FRUGAL_FIELD(sample, opt_i32,    7,  optional),
    FRUGAL_FIELD(sample, req_i32,    8,  required, i32),
    FRUGAL_FIELD(sample, opt_i64,    9,  optional),
    FRUGAL_FIELD(sample, req_i64,    10, required, i64),
    FRUGAL_FIELD(sample, opt_string, 11, optional, string),
    FRUGAL_FIELD(sample, req_string, 12, required),
    FRUGAL_FIELD(sample, opt_binary, 13, optional, binary),
    FRUGAL_FIELD(sample, req_binary, 14, required),
    FRUGAL_FIELD(sample, opt_set,    15, optional, set(i64)),
    FRUGAL_FIELD(sample, req_set,    16, required, set(i64)),
    FRUGAL_FIELD(sample, opt_list,   17, optional, list(i64)),
    FRUGAL_FIELD(sample, req_list,   18, required, list(i64)),
    FRUGAL_FIELD(sample, opt_map,    19, optional, map(i64, string)),
    FRUGAL_FIELD(sample, req_map,    20, required, map(i64, string)),
    FRUGAL_FIELD(sample, opt_enum,   21, optional, enum(color)),
    FRUGAL_FIELD(sample, req_enum,   22, required, enum(color)));

/* ---- there and back -------------------------------------------------------------------------- */

static void stop(const char *doing, const frugal_error *error)
{
    fprintf(stderr, "%s: %s: %s: %s\n", doing, frugal_status_name(error->status), error->path,
            error->message);
    exit(1);
}

/* Half of the optional fields; the others stay absent and cost no byte. Every required one. What
 * the record points at is ours, and must live until it is encoded. */
static frugal_status fill(struct sample *sample, frugal_arena *arena)
{
    static int64_t three[] = { 3, 1, 2 };

    *sample = (struct sample){
        .opt_bool   = FRUGAL_SOME(true),
        .req_bool   = false,
        .opt_i16    = FRUGAL_SOME(-16),
        .req_i8     = 8,
        .req_i16    = 16,
        .req_i32    = 32,
        .req_i64    = INT64_C(64) << 40,
        .opt_string = FRUGAL_STR(""), /* empty, and present */
        .req_string = FRUGAL_STR("gr\xc3\xbc\xc3\x9f dich"),
        .req_binary = { (const uint8_t *)"\0\1\2", 3 },
        .req_set    = FRUGAL_ARRAY(three),
        .opt_list   = FRUGAL_ARRAY(three),
        .opt_enum   = FRUGAL_SOME(COLOR_BLUE),
        .req_enum   = COLOR_GREEN,
    };
    /* What is built step by step goes to an arena: zeroed, and nobody frees it alone. */
    if (!FRUGAL_ALLOC_ITEMS(arena, sample->req_map, 2))
        return FRUGAL_NOMEM;
    sample->req_map.ptr[0].key   = 1;
    sample->req_map.ptr[0].value = FRUGAL_STR("one");
    sample->req_map.ptr[1].key   = 2;
    sample->req_map.ptr[1].value = FRUGAL_STR("two");
    FRUGAL_PUT(sample->opt_i64, -64); /* .has and .value */
    return FRUGAL_OK;
}

int main(void)
{
    frugal_error  error = { 0 };
    struct sample sent, received;

    /* The first block of the arena is on the stack; it grows by malloc if it must. */
    char          memory[4096];
    frugal_arena *arena = frugal_arena_init(memory, sizeof memory, NULL);
    if (fill(&sent, arena) != FRUGAL_OK)
        return 1;

    /* FRUGAL_VIEW pairs the record with its table, and compiles only for a struct sample. */
    uint8_t    storage[1024];
    frugal_buf bytes;
    frugal_buf_init(&bytes, storage, sizeof storage, NULL);
    if (frugal_encode(FRUGAL_VIEW(sample, &sent), NULL, &bytes, &error) != FRUGAL_OK)
        stop("encode", &error);

    /* Decoding fills the whole record: what was not on the wire is absent. Texts and lists are
     * copies in the arena, so the bytes may go. */
    size_t used;
    if (frugal_decode(FRUGAL_REF(sample, &received), frugal_buf_bytes(&bytes), arena, NULL, &used,
                      &error)
        != FRUGAL_OK)
        stop("decode", &error);
    printf("%zu bytes written, %zu read, the same record: %s\n", bytes.size, used,
           frugal_equal(FRUGAL_VIEW(sample, &sent), FRUGAL_VIEW(sample, &received)) ? "yes" : "no");

    frugal_buf text;
    frugal_buf_init(&text, NULL, 0, NULL);
    if (frugal_print(FRUGAL_VIEW(sample, &received), NULL, &text, &error) != FRUGAL_OK)
        stop("print", &error);
    printf("%.*s\n", (int)text.size, (const char *)text.data);

    /* Bytes from strangers never hurt: a missing required field is an error with its name. */
    static const uint8_t nothing[] = { 0 };
    frugal_bytes         input     = { nothing, sizeof nothing };
    if (frugal_decode(FRUGAL_REF(sample, &received), input, arena, NULL, NULL, &error) != FRUGAL_OK)
        printf("%s at byte %zu: %s: %s\n", frugal_status_name(error.status), error.offset,
               error.path, error.message);

    frugal_buf_release(&text);
    frugal_buf_release(&bytes);
    frugal_arena_release(arena);
    return 0;
}
