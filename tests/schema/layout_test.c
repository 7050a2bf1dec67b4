/* tests/schema/layout_test.c - sizes and alignments are those of the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <frugal/frugal.h>

#include "schema/schema.h"

struct bytes3 {
    int8_t a, b, c;
};
FRUGAL_STRUCT(bytes3,
    FRUGAL_FIELD(bytes3, a, 1), FRUGAL_FIELD(bytes3, b, 2), FRUGAL_FIELD(bytes3, c, 3));
struct wide {
    _Alignas(64) int64_t a;
};
FRUGAL_STRUCT(wide, FRUGAL_FIELD(wide, a, 1));

struct maps {
    FRUGAL_MAP(int8_t, int8_t)           bytes;
    FRUGAL_MAP(int8_t, int64_t)          padded;
    FRUGAL_MAP(int64_t, bool)            tailed;
    FRUGAL_MAP(bool, struct bytes3)      odd;
    FRUGAL_MAP(struct bytes3, int16_t)   odd_key;
    FRUGAL_MAP(int16_t, struct wide)     aligned;
    FRUGAL_MAP(bool, struct wide *)      far;
    FRUGAL_MAP(frugal_str, frugal_bytes) texts;
};
FRUGAL_STRUCT(maps,
    FRUGAL_FIELD(maps, bytes, 1, map(i8, i8)),
    FRUGAL_FIELD(maps, padded, 2, map(i8, i64)),
    FRUGAL_FIELD(maps, tailed, 3, map(i64, bool)),
    FRUGAL_FIELD(maps, odd, 4, map(bool, struct(bytes3))),
    FRUGAL_FIELD(maps, odd_key, 5, map(struct(bytes3), i16)),
    FRUGAL_FIELD(maps, aligned, 6, map(i16, struct(wide))),
    FRUGAL_FIELD(maps, far, 7, map(bool, struct(wide))),
    FRUGAL_FIELD(maps, texts, 8, map(string, binary)));

static void kinds_have_the_size_of_their_c_type(void **state)
{
    (void)state;
    assert_int_equal(schema_kind_size(FRUGAL_KIND_BOOL), sizeof(bool));
    assert_int_equal(schema_kind_size(FRUGAL_KIND_I8), 1);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_I16), 2);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_I32), 4);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_I64), 8);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_DOUBLE), 8);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_STRING), sizeof(frugal_str));
    assert_int_equal(schema_kind_size(FRUGAL_KIND_BINARY), sizeof(frugal_bytes));
    assert_int_equal(schema_kind_size(FRUGAL_KIND_ENUM), 4);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_LIST), sizeof(frugal_str));
    assert_int_equal(schema_kind_size(FRUGAL_KIND_SET), sizeof(frugal_str));
    assert_int_equal(schema_kind_size(FRUGAL_KIND_MAP), sizeof(frugal_str));
}

static void structs_and_unknown_kinds_have_no_size_of_their_own(void **state)
{
    (void)state;
    assert_int_equal(schema_kind_size(FRUGAL_KIND_STRUCT), 0);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_NONE), 0);
    assert_int_equal(schema_kind_size(FRUGAL_KIND_MAP + 1), 0);
    assert_int_equal(schema_kind_size(255), 0);
}

static uint32_t align_of(uint8_t kind)
{
    return schema_align(&(frugal_type){ .kind = kind });
}

static void kinds_are_aligned_as_members(void **state)
{
    (void)state;
    struct {
        char       c;
        frugal_str s;
    } text;
    assert_int_equal(align_of(FRUGAL_KIND_BOOL), 1);
    assert_int_equal(align_of(FRUGAL_KIND_I8), 1);
    assert_int_equal(align_of(FRUGAL_KIND_I16), 2);
    assert_int_equal(align_of(FRUGAL_KIND_I32), 4);
    assert_int_equal(align_of(FRUGAL_KIND_ENUM), 4);
    assert_int_equal(align_of(FRUGAL_KIND_MAP), (char *)&text.s - &text.c);
    assert_int_equal(align_of(FRUGAL_KIND_STRING), align_of(FRUGAL_KIND_MAP));
    assert_int_equal(align_of(FRUGAL_KIND_NONE), 1);
    assert_int_equal(align_of(77), 1);
}

static void structs_are_aligned_as_their_table_says(void **state)
{
    (void)state;
    frugal_type type = { .kind = FRUGAL_KIND_STRUCT, .record = &frugal_struct_wide };
    assert_int_equal(schema_align(&type), 64);
    type.indirect = true;
    assert_int_equal(schema_align(&type), sizeof(void *));
    type.record = NULL; /* not looked at */
    assert_int_equal(schema_align(&type), sizeof(void *));
}

#define assert_value_at(id, member)                                                          \
    (assert_int_equal(schema_value_offset(&frugal_field_by_id(FRUGAL_TYPE(maps), id)->type), \
                      (char *)&((struct maps *)base)->member.ptr->value                      \
                          - (char *)&((struct maps *)base)->member.ptr->key))

static void values_lie_where_the_compiler_put_them(void **state)
{
    (void)state;
    /* Only addresses are taken: every .ptr points at this room. */
    _Alignas(64) static char room[256];
    struct maps              maps;
    void                    *base = &maps;
    maps.bytes.ptr                = (void *)room;
    maps.padded.ptr               = (void *)room;
    maps.tailed.ptr               = (void *)room;
    maps.odd.ptr                  = (void *)room;
    maps.odd_key.ptr              = (void *)room;
    maps.aligned.ptr              = (void *)room;
    maps.far.ptr                  = (void *)room;
    maps.texts.ptr                = (void *)room;
    assert_value_at(1, bytes);
    assert_value_at(2, padded);
    assert_value_at(3, tailed);
    assert_value_at(4, odd);
    assert_value_at(5, odd_key);
    assert_value_at(6, aligned);
    assert_value_at(7, far);
    assert_value_at(8, texts);
    assert_int_equal(frugal_struct_check(FRUGAL_TYPE(maps), NULL), FRUGAL_OK);
}

static void the_empty_address_is_aligned_and_not_null(void **state)
{
    (void)state;
    assert_non_null(schema_empty);
    assert_int_equal((uintptr_t)schema_empty % 64, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_have_the_size_of_their_c_type),
        cmocka_unit_test(structs_and_unknown_kinds_have_no_size_of_their_own),
        cmocka_unit_test(kinds_are_aligned_as_members),
        cmocka_unit_test(structs_are_aligned_as_their_table_says),
        cmocka_unit_test(values_lie_where_the_compiler_put_them),
        cmocka_unit_test(the_empty_address_is_aligned_and_not_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
