/* tests/plan/dump_test.c - a plan as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "support/probe.h"

struct point {
    int32_t x, y;
};
FRUGAL_STRUCT(point,
    FRUGAL_FIELD(point, x, 1, required),
    FRUGAL_FIELD(point, y, 2));

struct shape {
    int32_t which;
    union {
        double     radius;
        frugal_str name;
    };
};
FRUGAL_UNION(shape, which,
    FRUGAL_ARM(shape, radius, 1),
    FRUGAL_ARM(shape, name,   2));

struct drawing {
    frugal_str                           title;
    struct point                         origin;
    FRUGAL_OPT(bool)                     visible;
    FRUGAL_LIST(struct shape)            shapes;
    FRUGAL_MAP(frugal_str, struct point) marks;
    FRUGAL_LIST(int64_t)                 times;
    frugal_bytes                         rest;
};
FRUGAL_STRUCT(drawing,
    FRUGAL_FIELD(drawing, title,   1, required),
    FRUGAL_FIELD(drawing, origin,  2, struct(point)),
    FRUGAL_FIELD(drawing, visible, 3, optional),
    FRUGAL_FIELD(drawing, shapes,  4, list(struct(shape))),
    FRUGAL_FIELD(drawing, marks,   5, optional, map(string, struct(point))),
    FRUGAL_FIELD(drawing, times,   6, optional, list(i64)),
    FRUGAL_UNKNOWN(drawing, rest));

static const char drawing_text[] =
    "routine 0: struct drawing, 96 bytes in C, at least 1 on the wire\n"
    "     0 text 1:title string @0 head 0b000100 required\n"
    "     1 enter 2:origin point @16 head 0c0002 depth 1 -> routine 1\n"
    "     2   i32 1:x i32 @16 head 080001 depth 1 required\n"
    "     3   i32 2:y i32 @20 head 080002 depth 1\n"
    "     4   stop\n"
    "     5 bool 3:visible bool @24 head 020003 if .has @25\n"
    "     6 list 4:shapes list<shape> @32 head 0f00040c depth 1 -> routine 2\n"
    "     7 map 5:marks map<string, point> @48 head 0d00050b if not NULL depth 1 -> routine 3\n"
    "     8 vector 6:times list<i64> @64 head 0f00060a if not NULL depth 1\n"
    "     9 keep\n"
    "    10 stop\n"
    "    11 end\n"
    "  size 34 constant, 7 variable parts\n"
    "routine 1: struct point, 8 bytes in C, at least 1 on the wire\n"
    "    12 i32 1:x i32 @0 head 080001 required\n"
    "    13 i32 2:y i32 @4 head 080002\n"
    "    14 stop\n"
    "    15 end\n"
    "  size 15 constant, 0 variable parts\n"
    "routine 2: union shape, 24 bytes in C, at least 1 on the wire\n"
    "    16 union\n"
    "         arm 1 -> routine 4\n"
    "         arm 2 -> routine 5\n"
    "    17 end\n"
    "  size 0 constant, 1 variable parts\n"
    "routine 3: entry, 24 bytes in C, at least 5 on the wire\n"
    "    18 text string @0\n"
    "    19 enter point @16 depth 1 init -> routine 1\n"
    "    20   i32 1:x i32 @16 head 080001 depth 1 required\n"
    "    21   i32 2:y i32 @20 head 080002 depth 1\n"
    "    22   stop\n"
    "    23 end\n"
    "  size 19 constant, 2 variable parts\n"
    "routine 4: arm radius, 0 bytes in C, at least 0 on the wire\n"
    "    24 i64 1:radius double @8 head 040001\n"
    "    25 end\n"
    "  size 8 constant, 0 variable parts\n"
    "routine 5: arm name, 0 bytes in C, at least 0 on the wire\n"
    "    26 text 2:name string @8 head 0b000200\n"
    "    27 end\n"
    "  size 4 constant, 1 variable parts\n";

/* The plan is followed by a line on its machine code, which is not the same everywhere. */
#define PLAN_SIZE (sizeof drawing_text - 1)
static char   whole_text[sizeof drawing_text + 256];
static size_t whole_size;

static int describe_whole(void **state)
{
    (void)state;
    frugal_buf text;
    frugal_buf_init_fixed(&text, whole_text, sizeof whole_text - 1);
    if (frugal_describe_plan(FRUGAL_TYPE(drawing), NULL, &text, NULL) != FRUGAL_OK)
        return 1;
    whole_size = text.size;
    return 0;
}

static int drop_all(void **state)
{
    (void)state;
    frugal_plan_drop(FRUGAL_TYPE(drawing));
    frugal_plan_drop(FRUGAL_TYPE(point));
    return 0;
}

/* Whether `text` has this line. */
static bool has_line(const frugal_buf *text, const char *line)
{
    size_t len = strlen(line);
    for (size_t i = 0; i + len < text->size; i++)
        if (memcmp(text->data + i, line, len) == 0 && text->data[i + len] == '\n'
            && (i == 0 || text->data[i - 1] == '\n'))
            return true;
    print_error("no line `%s` in\n%.*s", line, (int)text->size, (const char *)text->data);
    return false;
}

static void a_plan_is_a_line_for_each_step(void **state)
{
    (void)state;
    frugal_buf text;
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(drawing), NULL, &text, NULL), FRUGAL_OK);
    assert_in_range(text.size, PLAN_SIZE + 1, sizeof whole_text - 1);
    assert_memory_equal(text.data, drawing_text, PLAN_SIZE);
    frugal_buf_release(&text);
}

static void the_last_line_is_about_machine_code(void **state)
{
    (void)state;
    static const char begin[] = "machine code: none, ";
    const char       *line    = whole_text + PLAN_SIZE;
    assert_memory_equal(line, begin, sizeof begin - 1);
    assert_ptr_equal(strchr(line, '\n'), whole_text + whole_size - 1);

    frugal_buf text;
    assert_int_equal(frugal_pretouch(FRUGAL_TYPE(point), NULL, NULL), FRUGAL_OK);
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(point), NULL, &text, NULL), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&text, "", 1), FRUGAL_OK);
    const char *made = strstr((const char *)text.data, "machine code: ");
    assert_non_null(made);
    frugal_jit_counts counts;
    frugal_jit_count(&counts);
    if (counts.units) {
        assert_non_null(strstr(made, "decode "));
        assert_non_null(strstr(made, "encode "));
        assert_non_null(strstr(made, "size "));
    } else {
        assert_non_null(strstr(made, "none, "));
        assert_null(strstr(made, "not made yet"));
    }
    frugal_buf_release(&text);
}

static void text_is_appended_and_the_same_each_time(void **state)
{
    (void)state;
    frugal_buf text;
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_buf_append(&text, "front", 5), FRUGAL_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(drawing), NULL, &text, NULL), FRUGAL_OK);
    assert_int_equal(text.size, 5 + 2 * whole_size);
    assert_memory_equal(text.data, "front", 5);
    assert_memory_equal(text.data + 5, whole_text, whole_size);
    assert_memory_equal(text.data + 5 + whole_size, whole_text, whole_size);
    frugal_buf_release(&text);
}

/* Every room that is too small, and the first that is not. */
static void a_buffer_that_is_too_small_is_as_it_was(void **state)
{
    (void)state;
    static char  storage[5 + sizeof whole_text];
    frugal_error error;
    for (size_t room = 0; room <= whole_size; room++) {
        frugal_buf text;
        frugal_buf_init_fixed(&text, storage, 5 + room);
        assert_int_equal(frugal_buf_append(&text, "front", 5), FRUGAL_OK);
        frugal_status status = frugal_describe_plan(FRUGAL_TYPE(drawing), NULL, &text, &error);
        bool          fits   = room == whole_size;
        assert_int_equal(status, fits ? FRUGAL_OK : FRUGAL_NOSPACE);
        assert_int_equal(text.size, fits ? 5 + whole_size : 5);
        assert_memory_equal(text.data, "front", 5);
        if (!fits)
            assert_int_equal(error.status, FRUGAL_NOSPACE);
    }
}

static void a_buffer_without_memory_is_as_it_was(void **state)
{
    (void)state;
    probe        it;
    frugal_error error;
    probe_init(&it);
    for (size_t nth = 0;; nth++) {
        frugal_buf text;
        it.calls     = 0;
        it.fail_from = nth;
        frugal_buf_init(&text, NULL, 0, &it.allocator);
        frugal_status status = frugal_describe_plan(FRUGAL_TYPE(drawing), NULL, &text, &error);
        if (status == FRUGAL_OK)
            assert_int_equal(text.size, whole_size);
        else
            assert_int_equal(text.size, 0);
        frugal_buf_release(&text);
        assert_int_equal(it.live, 0);
        if (status == FRUGAL_OK) {
            assert_true(nth > 0);
            break;
        }
        assert_int_equal(status, FRUGAL_NOMEM);
        assert_int_equal(error.status, FRUGAL_NOMEM);
    }
}

struct options {
    frugal_bytes             view;
    struct point            *far, *maybe;
    FRUGAL_SET(struct point) points;
    struct point             near;
};
static const struct options options_initial = { .near = { 1, 2 } };
FRUGAL_STRUCT_WITH(options, &options_initial,
    FRUGAL_FIELD_WITH(options, view, -1, default, binary, .no_copy = true),
    FRUGAL_FIELD(options, far,    2, struct(point)),
    FRUGAL_FIELD(options, maybe,  3, optional, struct(point)),
    FRUGAL_FIELD(options, points, 4, required, set(struct(point))),
    FRUGAL_FIELD(options, near,   5, struct(point)));

static void what_a_field_says_is_shown(void **state)
{
    (void)state;
    frugal_buf text;
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(options), NULL, &text, NULL), FRUGAL_OK);
    assert_true(has_line(&text, "routine 0: struct options, 56 bytes in C, at least 1 on the wire, "
                                "starts from defaults"));
    assert_true(has_line(&text, "     0 text -1:view binary @0 head 0bffff00 no_copy"));
    assert_true(has_line(&text, "     1 record 2:far point @16 head 0c0002 depth 1 pointer"
                                " -> routine 1"));
    assert_true(has_line(&text, "     2 record 3:maybe point @24 head 0c0003 if not NULL depth 1"
                                " pointer -> routine 1"));
    assert_true(has_line(&text, "     3 list 4:points set<point> @32 head 0e00040c depth 1 required"
                                " -> routine 1"));
    assert_true(has_line(&text, "     4 enter 5:near point @48 head 0c0005 depth 1 init"
                                " -> routine 1"));
    frugal_buf_release(&text);
    frugal_plan_drop(FRUGAL_TYPE(options));
}

/* Names have no bound in a table. */
static void long_names_are_cut_and_lines_are_not(void **state)
{
    (void)state;
    static char        name[2000];
    static frugal_slot slot;
    static const char  first[] = "routine 0: struct nnn", end[] = "nn, 4 bytes in C, at least 1 on";
    const frugal_field field = { .name = name,
                                 .id   = 1,
                                 .type = { .kind = FRUGAL_KIND_I32, .size = 4 } };
    const frugal_struct type = { .abi         = FRUGAL_TABLE_ABI,
                                 .name        = name,
                                 .field_count = 1,
                                 .fields      = &field,
                                 .size        = 4,
                                 .align       = 4,
                                 .slot        = &slot };
    frugal_buf          text;
    memset(name, 'n', sizeof name - 1);
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_describe_plan(&type, NULL, &text, NULL), FRUGAL_OK);
    assert_int_equal(frugal_buf_append(&text, "", 1), FRUGAL_OK);
    assert_memory_equal(text.data, first, sizeof first - 1);
    assert_non_null(strstr((const char *)text.data, end));
    assert_non_null(strstr((const char *)text.data, "n i32 @0 head 080001\n     1 stop\n"));
    assert_true(text.size < 1000);
    frugal_buf_release(&text);
    frugal_plan_drop(&type);
}

static void describing_fails_as_pretouch_does(void **state)
{
    (void)state;
    frugal_buf          text;
    frugal_error        error;
    frugal_slot         slot = { NULL };
    const frugal_struct bad = { .abi = FRUGAL_TABLE_ABI, .name = "bad", .align = 1, .slot = &slot };
    frugal_buf_init(&text, NULL, 0, NULL);
    assert_int_equal(frugal_describe_plan(NULL, NULL, &text, &error), FRUGAL_INVALID);
    assert_int_equal(frugal_describe_plan(FRUGAL_TYPE(drawing), NULL, NULL, &error),
                     FRUGAL_INVALID);
    assert_int_equal(frugal_describe_plan(&bad, NULL, &text, &error), FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, "bad");
    assert_int_equal(text.size, 0);
    frugal_buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_a_line_for_each_step),
        cmocka_unit_test(the_last_line_is_about_machine_code),
        cmocka_unit_test(text_is_appended_and_the_same_each_time),
        cmocka_unit_test(a_buffer_that_is_too_small_is_as_it_was),
        cmocka_unit_test(a_buffer_without_memory_is_as_it_was),
        cmocka_unit_test(what_a_field_says_is_shown),
        cmocka_unit_test(long_names_are_cut_and_lines_are_not),
        cmocka_unit_test(describing_fails_as_pretouch_does),
    };
    return cmocka_run_group_tests_name("plan: dump", tests, describe_whole, drop_all);
}
