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

/* ---- laying out ----------------------------------------------------------------------------- */

struct mixed {
    bool                b;
    FRUGAL_OPT(int16_t) short_;
    FRUGAL_OPT(double)  real;
    int8_t              tail;
    FRUGAL_OPT(bool)    flag;
    frugal_str          text;
    struct bytes3       inside;
    struct wide        *far;
    FRUGAL_LIST(int8_t) list;
    int8_t              last;
};
FRUGAL_STRUCT(mixed,
    FRUGAL_FIELD(mixed, b, 1),
    FRUGAL_FIELD(mixed, short_, 2, optional),
    FRUGAL_FIELD(mixed, real, 3, optional),
    FRUGAL_FIELD(mixed, tail, 4),
    FRUGAL_FIELD(mixed, flag, 5, optional),
    FRUGAL_FIELD(mixed, text, 6, optional, string),
    FRUGAL_FIELD(mixed, inside, 7, struct(bytes3)),
    FRUGAL_FIELD(mixed, far, 8, optional, struct(wide)),
    FRUGAL_FIELD(mixed, list, 9, list(i8)),
    FRUGAL_FIELD(mixed, last, 10));

struct arms {
    int32_t which;
    union {
        bool          b;
        frugal_str    text;
        struct wide   wide;
        struct bytes3 small;
    };
};
FRUGAL_UNION(arms, which,
    FRUGAL_ARM(arms, b, 1),
    FRUGAL_ARM(arms, text, 2),
    FRUGAL_ARM(arms, wide, 3, struct(wide)),
    FRUGAL_ARM(arms, small, 4, struct(bytes3)));

static void check_laid_out(const frugal_struct *made)
{
    frugal_field  fields[16];
    frugal_struct again = { .is_union = made->is_union };
    assert_true(made->field_count <= 16);
    for (uint32_t i = 0; i < made->field_count; i++) {
        fields[i]        = made->fields[i];
        fields[i].offset = fields[i].has = 77777;
    }
    assert_true(schema_layout_fields(&again, fields, made->field_count));
    for (uint32_t i = 0; i < made->field_count; i++) {
        assert_int_equal(fields[i].offset, made->fields[i].offset);
        assert_int_equal(fields[i].has, made->fields[i].has);
    }
    assert_int_equal(again.size, made->size);
    assert_int_equal(again.align, made->align);
    assert_int_equal(again.which, made->which);
}

static void members_are_laid_out_as_the_compiler_does(void **state)
{
    (void)state;
    check_laid_out(FRUGAL_TYPE(mixed));
    check_laid_out(FRUGAL_TYPE(maps));
    check_laid_out(FRUGAL_TYPE(bytes3));
    check_laid_out(FRUGAL_TYPE(arms));
}

static void nothing_is_laid_out_as_one_byte(void **state)
{
    frugal_struct record = { .is_union = false }, no_arms = { .is_union = true };
    (void)state;
    assert_true(schema_layout_fields(&record, NULL, 0));
    assert_true(schema_layout_fields(&no_arms, NULL, 0));
    assert_int_equal(record.size, 1);
    assert_int_equal(no_arms.size, sizeof(int32_t));
}

static void what_is_too_large_is_not_laid_out(void **state)
{
    frugal_slot   slot  = { NULL };
    frugal_struct large = {
        FRUGAL_TABLE_ABI, 0, "large", NULL, SCHEMA_SIZE_MAX, 8, 0, false, NULL, &slot
    };
    frugal_field fields[2] = {
        { .name = "a",
          .type = { .kind = FRUGAL_KIND_STRUCT, .size = large.size, .record = &large } },
        { .name = "b",
          .type = { .kind = FRUGAL_KIND_STRUCT, .size = large.size, .record = &large } }
    };
    frugal_struct record = { .is_union = false }, arms = { .is_union = true };
    (void)state;
    assert_true(schema_layout_fields(&record, fields, 1));
    assert_false(schema_layout_fields(&record, fields, 2));
    assert_false(schema_layout_fields(&arms, fields, 2)); /* which is before them */
    assert_int_equal(schema_stride(NULL, &fields[0].type), SCHEMA_SIZE_MAX);
    assert_int_equal(schema_stride(&fields[0].type, &fields[1].type), 0);
}

static void strides_are_those_of_the_macros(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < FRUGAL_TYPE(maps)->field_count; i++) {
        const frugal_type *map = &FRUGAL_TYPE(maps)->fields[i].type;
        assert_int_equal(schema_stride(map->key, map->elem), map->stride);
    }
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
        cmocka_unit_test(members_are_laid_out_as_the_compiler_does),
        cmocka_unit_test(nothing_is_laid_out_as_one_byte),
        cmocka_unit_test(what_is_too_large_is_not_laid_out),
        cmocka_unit_test(strides_are_those_of_the_macros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
