/* tests/schema/check_test.c - one contradiction a test: a good table is copied, spoilt in one
 * place, and the check must name the place and the fault. What lies between tables is in
 * check_walk_test.c. */
#include "schema/spoilt.h"

/* ---- the head of a table -------------------------------------------------------------------- */

static void check_accepts_good_tables(void **state)
{
    (void)state;
    assert_good(&frugal_struct_user);
    assert_good(&frugal_struct_shape);
    assert_good(&frugal_struct_holder);
}

static void check_accepts_an_empty_struct(void **state)
{
    (void)state;
    assert_good(&frugal_struct_nothing);
}

static void check_refuses_null(void **state)
{
    (void)state;
    frugal_error error;
    assert_int_equal(frugal_struct_check(NULL, &error), FRUGAL_INVALID);
    assert_int_equal(error.status, FRUGAL_INVALID);
    assert_int_equal(frugal_struct_check(NULL, NULL), FRUGAL_INVALID);
}

static void check_is_what_the_public_door_does(void **state)
{
    (void)state;
    SPOIL(user);
    made.table.fields = made.fields;
    made.table.size   = 0;
    frugal_error error;
    assert_int_equal(frugal_struct_check(&made.table, &error), FRUGAL_DESCRIPTOR);
    assert_string_equal(error.path, "user");
    assert_int_equal(frugal_struct_check(&frugal_struct_user, &error), FRUGAL_OK);
}

static void check_refuses_an_unknown_abi_without_reading_on(void **state)
{
    (void)state;
    frugal_struct table;
    memset(&table, 0xff, sizeof table);
    table.abi = 7;
    assert_fault(&table, "", "a table of abi 7; this library knows 1");
}

static void check_refuses_an_unknown_abi_below(void **state)
{
    (void)state;
    SPOIL(user);
    frugal_struct other     = { .abi = 0 };
    FIELD(home).type.record = &other;
    assert_spoilt(&made, "user.home", "a table of abi 0; this library knows 1");
}

static void check_refuses_a_struct_without_a_name(void **state)
{
    (void)state;
    SPOIL(user);
    made.table.name = NULL;
    assert_spoilt(&made, "", "a struct without a name");
    made.table.name = "";
    assert_spoilt(&made, "", "a struct without a name");
}

static void check_refuses_size_0(void **state)
{
    (void)state;
    SPOIL(nothing);
    made.table.size = 0;
    assert_spoilt(&made, "nothing",
                  "its size is 0; a struct without fields has an unused member in C");
}

static void check_refuses_a_record_above_the_largest_size(void **state)
{
    (void)state;
    SPOIL(user);
    made.table.size = SCHEMA_SIZE_MAX + 8;
    assert_spoilt(&made, "user", "its size of 1073741832 bytes is above 1073741824");
    made.table.size = SCHEMA_SIZE_MAX;
    assert_spoilt_good(&made);
}

static void check_refuses_an_alignment_that_is_no_power_of_two(void **state)
{
    (void)state;
    SPOIL(user);
    made.table.align = 12;
    assert_spoilt(&made, "user", "its alignment 12 is not a power of two up to 4096");
    made.table.align = 0;
    assert_spoilt(&made, "user", "its alignment 0 is not a power of two up to 4096");
    made.table.align = 8192; /* an arena does not give it */
    assert_spoilt(&made, "user", "its alignment 8192 is not a power of two up to 4096");
}

static void check_refuses_a_size_that_is_no_multiple_of_the_alignment(void **state)
{
    (void)state;
    SPOIL(point);
    made.table.size = 10;
    assert_spoilt(&made, "point", "its size 10 is not a multiple of its alignment 4");
}

static void check_refuses_fields_null(void **state)
{
    (void)state;
    SPOIL(point);
    made.table.fields = NULL;
    assert_spoilt(&made, "point", "it has 2 fields, but fields is NULL");
}

static void check_refuses_more_fields_than_ids(void **state)
{
    (void)state;
    SPOIL(point);
    made.table.field_count = SCHEMA_FIELDS_MAX + 1;
    assert_spoilt(&made, "point", "65537 fields are more than there are ids");
}

static void check_refuses_a_table_without_a_slot(void **state)
{
    (void)state;
    SPOIL(point);
    made.table.slot = NULL;
    assert_spoilt(&made, "point", "its slot is NULL");
}

static void check_refuses_two_tables_with_one_slot(void **state)
{
    (void)state;
    SPOIL(user);
    frugal_struct twin      = frugal_struct_point; /* with the slot of point */
    FIELD(away).type.record = &twin;
    assert_spoilt(&made, "point", "its slot is another table's, too");
}

static void check_refuses_defaults_that_are_not_aligned(void **state)
{
    (void)state;
    SPOIL(point);
    static const int32_t bytes[4];
    made.table.defaults = (const char *)bytes + 1;
    assert_spoilt(&made, "point", "its defaults are not aligned to 4");
}

/* ---- names, needs, kinds -------------------------------------------------------------------- */

static void check_refuses_a_field_without_a_name(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(age).name = NULL;
    assert_spoilt(&made, "user", "field 2, with the id 3, has no name");
}

static void check_refuses_a_need_that_does_not_exist(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(id).need = 4;
    assert_spoilt(&made, "user.id", "need 4 does not exist");
}

static void check_refuses_a_kind_that_does_not_exist(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(id).type.kind = FRUGAL_KIND_NONE;
    assert_spoilt(&made, "user.id", "kind 0 does not exist");
    FIELD(id).type.kind = FRUGAL_KIND_MAP + 1;
    assert_spoilt(&made, "user.id", "kind 14 does not exist");
}

static void check_refuses_a_size_that_is_not_the_kinds(void **state)
{
    (void)state;
    static const uint8_t sizes[] = {
        [FRUGAL_KIND_BOOL]   = 1,
        [FRUGAL_KIND_I8]     = 1,
        [FRUGAL_KIND_I16]    = 2,
        [FRUGAL_KIND_I32]    = 4,
        [FRUGAL_KIND_I64]    = 8,
        [FRUGAL_KIND_DOUBLE] = 8,
        [FRUGAL_KIND_STRING] = sizeof(frugal_str),
        [FRUGAL_KIND_BINARY] = sizeof(frugal_str),
        [FRUGAL_KIND_ENUM]   = 4,
    };
    for (uint8_t kind = FRUGAL_KIND_BOOL; kind <= FRUGAL_KIND_ENUM; kind++) {
        frugal_slot   slot  = { NULL };
        frugal_field  field = { .name = "f",
                                .id   = 1,
                                .type = { .kind = kind, .size = sizes[kind] } };
        frugal_struct table = { .abi         = FRUGAL_TABLE_ABI,
                                .name        = "t",
                                .fields      = &field,
                                .size        = 32,
                                .field_count = 1,
                                .align       = 8,
                                .slot        = &slot };
        assert_good(&table);
        field.type.size = sizes[kind] == 1 ? 2 : 1;
        frugal_error error;
        assert_int_equal(check(&table, &error), FRUGAL_DESCRIPTOR);
        assert_non_null(strstr(error.message, " in C, not"));
    }
}

static void check_says_both_sizes(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(id).type.size = 4;
    assert_spoilt(&made, "user.id", "i64 has 8 bytes in C, not 4");
    FIELD(id).type.size     = 8;
    FIELD(active).type.size = 4;
    assert_spoilt(&made, "user.active", "bool has 1 byte in C, not 4");
}

static void check_refuses_a_struct_of_another_size(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(home).type.size = 12;
    assert_spoilt(&made, "user.home", "struct point has 8 bytes in C, not 12");
}

static void check_refuses_a_pointer_of_another_size(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(boss).type.size = 32;
    assert_spoilt_saying(&made, "user.boss", "a pointer to user has");
}

static void check_refuses_a_struct_without_a_table(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(home).type.record = NULL;
    assert_spoilt(&made, "user.home", "a struct without its table: record is NULL");
}

static void check_refuses_indirect_for_what_is_no_struct(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(name).type.indirect = true;
    assert_spoilt(&made, "user.name", "string cannot be indirect; only a struct can");
}

/* ---- places --------------------------------------------------------------------------------- */

static void check_refuses_a_field_outside_the_struct(void **state)
{
    (void)state;
    SPOIL(point);
    FIELD(y).offset = 8;
    assert_spoilt(&made, "point.y", "4 bytes at 8 are outside the 8 bytes of point");
    FIELD(y).offset = UINT32_MAX - 3; /* the sum would be 0 */
    assert_spoilt(&made, "point.y", "4 bytes at 4294967292 are outside the 8 bytes of point");
}

static void check_refuses_a_misaligned_offset(void **state)
{
    (void)state;
    SPOIL(point);
    FIELD(y).offset = 3;
    assert_spoilt(&made, "point.y", "its offset 3 is not a multiple of 4");
}

static void check_refuses_a_struct_less_aligned_than_its_field(void **state)
{
    (void)state;
    SPOIL(point);
    made.table.align = 2;
    assert_spoilt(&made, "point.x", "it is aligned to 4, but point only to 2");
}

static void check_refuses_members_that_overlap(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(active).offset = FIELD(color).offset + 1;
    assert_spoilt_saying(&made, "user.active", "overlaps color (the members of a C union");
}

static void check_refuses_a_member_described_twice(void **state)
{
    (void)state;
    SPOIL(point);
    FIELD(y).offset = 0;
    assert_spoilt(
        &made, "point.y",
        "the member is described twice, also as x (the members of a C union are described "
        "by FRUGAL_UNION)");
}

static void check_refuses_a_keeper_over_a_field(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(rest).offset = FIELD(places).offset;
    assert_spoilt_saying(&made, "user.rest", "overlaps places");
}

/* ---- presence ------------------------------------------------------------------------------- */

static void check_refuses_an_optional_scalar_without_has(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(age).has = 0;
    assert_spoilt(&made, "user.age", "an optional bool, number or enum needs a .has");
    FIELD(age).has    = frugal_field_by_id(&frugal_struct_user, 3)->has;
    FIELD(color).need = FRUGAL_NEED_OPTIONAL;
    assert_spoilt(&made, "user.color", "an optional bool, number or enum needs a .has");
}

static void check_refuses_has_of_a_field_that_is_not_optional(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(age).need = FRUGAL_NEED_REQUIRED;
    assert_spoilt(&made, "user.age", "a .has, but it is not optional");
    FIELD(age).need = FRUGAL_NEED_DEFAULT;
    assert_spoilt(&made, "user.age", "a .has, but it is not optional");
}

static void check_refuses_has_of_what_has_a_pointer(void **state)
{
    (void)state;
    SPOIL(user);
    uint32_t                 has     = FIELD(age).has + 1;
    static const char *const names[] = { "name", "friends", "away" };
    for (int i = 0; i < 3; i++) {
        copy one                      = made;
        char path[32]                 = "user.";
        field_of(&one, names[i])->has = has;
        assert_spoilt(&one, strcat(path, names[i]),
                      "a .has, but it is absent when its pointer is NULL");
    }
}

static void check_refuses_has_outside_the_struct(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(age).has = made.table.size;
    assert_spoilt_saying(&made, "user.age", ".has at");
    FIELD(age).has = UINT32_MAX;
    assert_spoilt_saying(&made, "user.age", ".has at 4294967295");
}

static void check_refuses_has_inside_another_field(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(age).has = 3; /* in id */
    assert_spoilt(&made, "user.age", ".has at 3 overlaps id");
}

static void check_refuses_has_inside_its_own_value(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(age).has = FIELD(age).offset + 1;
    assert_spoilt_saying(&made, "user.age", "overlaps age");
}

static void check_refuses_one_has_for_two_fields(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(active).need = FRUGAL_NEED_OPTIONAL;
    FIELD(active).has  = FIELD(age).has;
    assert_spoilt_saying(&made, "user.active", "overlaps .has of age");
}

static void check_refuses_an_optional_struct_by_value(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(home).need = FRUGAL_NEED_OPTIONAL;
    assert_spoilt(&made, "user.home", "an optional struct is a pointer");
}

/* ---- ids and names -------------------------------------------------------------------------- */

static void check_names_the_field_that_takes_an_id_twice(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(friends).id = 1;
    assert_spoilt(&made, "user.friends", "id 1 is taken by id");
}

static void check_names_the_field_that_takes_a_name_twice(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(friends).name = "age";
    assert_spoilt(&made, "user.age", "the name is taken by the field with the id 3");
}

static void check_accepts_every_id(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(id).id   = INT16_MIN;
    FIELD(name).id = 0;
    FIELD(age).id  = INT16_MAX;
    assert_spoilt_good(&made);
}

static void check_ignores_id_and_name_of_the_keeper(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(rest).id                = 1;
    field_of(&made, "rest")->name = "id";
    assert_spoilt_good(&made);
}

/* ---- unknown fields ------------------------------------------------------------------------- */

static void check_refuses_two_keepers(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(name).type.kind = FRUGAL_KIND_BINARY;
    FIELD(name).need      = FRUGAL_NEED_UNKNOWN;
    assert_spoilt(&made, "user.rest", "unknown fields are kept in name already");
}

static void check_refuses_a_keeper_that_is_not_binary(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(rest).type.kind = FRUGAL_KIND_STRING;
    assert_spoilt(&made, "user.rest", "unknown fields are kept in a binary");
}

static void check_refuses_a_keeper_with_has(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(rest).has = FIELD(age).has + 1;
    assert_spoilt(&made, "user.rest",
                  "a .has, but unknown fields are absent when their pointer is NULL");
}

/* ---- unions --------------------------------------------------------------------------------- */

static void check_refuses_which_of_a_struct(void **state)
{
    (void)state;
    SPOIL(user);
    made.table.which = 8;
    assert_spoilt(&made, "user", "which is 8, but this is no union");
}

static void check_refuses_which_outside_the_union(void **state)
{
    (void)state;
    SPOIL(shape);
    made.table.which = made.table.size;
    assert_spoilt(&made, "shape", "which at 40 is outside the 40 bytes of the union");
    made.table.which = UINT32_MAX;
    assert_spoilt(&made, "shape", "which at 4294967295 is outside the 40 bytes of the union");
}

static void check_refuses_a_misaligned_which(void **state)
{
    (void)state;
    SPOIL(shape);
    made.table.which = 2;
    assert_spoilt(&made, "shape", "which at 2 is not aligned as an int32_t");
}

static void check_refuses_an_arm_over_which(void **state)
{
    (void)state;
    SPOIL(shape);
    FIELD(corner).offset = 0;
    assert_spoilt(&made, "shape.corner", "it overlaps which at 0");
}

static void check_refuses_a_keeper_over_which(void **state)
{
    (void)state;
    SPOIL(shape);
    made.fields[0]         = FIELD(rest);
    made.fields[0].offset  = 0;
    made.table.field_count = 1;
    made.table.which       = 4;
    assert_spoilt(&made, "shape.rest", "it overlaps which at 4");
}

static void check_refuses_a_keeper_among_the_arms(void **state)
{
    (void)state;
    SPOIL(shape);
    FIELD(rest).offset = 16;
    assert_spoilt(&made, "shape.label", "it overlaps rest, which keeps unknown fields");
}

static void check_refuses_an_arm_that_is_not_optional(void **state)
{
    (void)state;
    SPOIL(shape);
    FIELD(radius).need = FRUGAL_NEED_DEFAULT;
    assert_spoilt(&made, "shape.radius", "an arm of a union is optional, as FRUGAL_ARM makes it");
    FIELD(radius).need = FRUGAL_NEED_REQUIRED;
    assert_spoilt(&made, "shape.radius", "an arm of a union is optional, as FRUGAL_ARM makes it");
}

static void check_refuses_an_arm_with_has(void **state)
{
    (void)state;
    SPOIL(shape);
    FIELD(radius).has = 17;
    assert_spoilt(&made, "shape.radius", "an arm of a union has no .has");
}

static void check_refuses_arm_0(void **state)
{
    (void)state;
    SPOIL(shape);
    FIELD(radius).id = 0;
    assert_spoilt(&made, "shape.radius", "the id 0 means that a union has no arm");
}

static void check_accepts_a_union_without_arms(void **state)
{
    (void)state;
    SPOIL(shape);
    made.table.field_count = 0;
    assert_spoilt_good(&made);
}

/* ---- defaults ------------------------------------------------------------------------------- */

static void check_refuses_defaults_whose_arm_does_not_exist(void **state)
{
    (void)state;
    static const struct shape known = { .which = -4 }, none = { .which = 0 },
                              strange = { .which = 9 };
    SPOIL(shape);
    made.table.defaults = &known;
    assert_spoilt_good(&made);
    made.table.defaults = &none;
    assert_spoilt_good(&made);
    made.table.defaults = &strange;
    assert_spoilt(&made, "shape", "the defaults of shape name arm 9, which does not exist");
}

static void check_looks_at_unions_inside_the_defaults(void **state)
{
    (void)state;
    static const struct holder strange = { .shape = { .which = 5 } };
    SPOIL(holder);
    made.table.defaults = &strange;
    assert_spoilt(&made, "shape", "the defaults of holder name arm 5, which does not exist");
}

static void check_refuses_defaults_that_hold_null_with_a_length(void **state)
{
    (void)state;
    static const struct holder broken = { .text = { NULL, 3 } };
    static const struct holder arm    = { .shape = { .which = 2, { .label = { NULL, 4 } } } };
    static const struct holder other  = { .shape = { .which = 1, { .label = { NULL, 4 } } } };
    SPOIL(holder);
    made.table.defaults = &broken;
    assert_spoilt(&made, "holder.text", "NULL with the length 3 in the defaults of holder");
    made.table.defaults = &arm;
    assert_spoilt(&made, "shape.label", "NULL with the length 4 in the defaults of holder");
    made.table.defaults = &other; /* it is a double there */
    assert_spoilt_good(&made);
}

static void check_refuses_defaults_where_something_optional_is_present(void **state)
{
    (void)state;
    static int64_t friend = 1;
    static struct point        away;
    static const struct holder maybe   = { .maybe = FRUGAL_SOME(false) };
    static const struct user   named   = { .name = FRUGAL_STR_INIT("") };
    static const struct user   aged    = { .age = FRUGAL_SOME(30) };
    static const struct user   friends = { .friends = { &friend, 1 } };
    static const struct user   gone    = { .away = &away };
    SPOIL(holder);
    made.table.defaults = &maybe;
    assert_spoilt(&made, "holder.maybe",
                  "it is optional, but present in the defaults of holder; use .initial");

    copy user           = spoilt(FRUGAL_TYPE(user));
    user.table.defaults = &named;
    assert_spoilt(&user, "user.name",
                  "it is optional, but present in the defaults of user; use .initial");
    user.table.defaults = &aged;
    assert_spoilt_saying(&user, "user.age", "present in the defaults of user; use .initial");
    user.table.defaults = &friends;
    assert_spoilt_saying(&user, "user.friends", "present in the defaults of user; use .initial");
    user.table.defaults = &gone; /* a struct has no .initial */
    assert_spoilt(&user, "user.away", "it is optional, but present in the defaults of user");
}

struct outer {
    struct holder holder;
};
FRUGAL_STRUCT(outer, FRUGAL_FIELD(outer, holder, 1, struct(holder)));

static void check_accepts_it_in_a_struct_inside_by_value(void **state)
{
    (void)state;
    static const struct outer start = { .holder.maybe = FRUGAL_SOME(true) };
    SPOIL(outer);
    made.table.defaults = &start;
    assert_spoilt_good(&made);
}

static void check_refuses_defaults_with_a_bool_that_is_none(void **state)
{
    (void)state;
    union {
        struct holder holder;
        uint8_t       bytes[sizeof(struct holder)];
    } odd;
    memset(&odd, 0, sizeof odd);
    odd.bytes[offsetof(struct holder, flag)] = 2;
    SPOIL(holder);
    made.table.defaults = &odd;
    assert_spoilt(&made, "holder.flag", "the bool is 2 in the defaults of holder");
    odd.bytes[offsetof(struct holder, flag)]      = 1;
    odd.bytes[offsetof(struct holder, maybe.has)] = 7;
    assert_spoilt(&made, "holder.maybe", ".has is 7 in the defaults of holder");
}

/* ---- no_copy and initial -------------------------------------------------------------------- */

static void check_refuses_no_copy_of_what_is_no_text(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(name).no_copy = true;
    assert_spoilt_good(&made);
    FIELD(friends).no_copy = true;
    assert_spoilt(&made, "user.friends", "no_copy is for string and binary");
}

static void check_refuses_initial_of_what_is_not_optional(void **state)
{
    (void)state;
    static const int64_t one = 1;
    SPOIL(user);
    FIELD(id).initial = &one;
    assert_spoilt(&made, "user.id",
                  "only an optional field of a struct has an initial value of its own");
}

static void check_refuses_initial_of_an_arm(void **state)
{
    (void)state;
    static const double one = 1;
    SPOIL(shape);
    FIELD(radius).initial = &one;
    assert_spoilt(&made, "shape.radius",
                  "only an optional field of a struct has an initial value of its own");
}

static void check_refuses_initial_of_the_keeper(void **state)
{
    (void)state;
    static const frugal_bytes none;
    SPOIL(user);
    FIELD(rest).initial = &none;
    assert_spoilt(&made, "user.rest",
                  "only an optional field of a struct has an initial value of its own");
}

static void check_refuses_initial_of_a_struct(void **state)
{
    (void)state;
    static const struct point origin;
    SPOIL(user);
    FIELD(away).initial = &origin;
    assert_spoilt(&made, "user.away",
                  "a struct has no initial value of its own; its table's defaults are it");
}

static void check_refuses_a_misaligned_initial(void **state)
{
    (void)state;
    static const int32_t ages[2];
    SPOIL(user);
    FIELD(age).initial = (const char *)ages + 2;
    assert_spoilt(&made, "user.age", "its initial value is not aligned to 4");
}

static void check_refuses_an_initial_bool_that_is_none(void **state)
{
    (void)state;
    static const uint8_t two = 2;
    SPOIL(holder);
    FIELD(maybe).initial = &two;
    assert_spoilt(&made, "holder.maybe", "its initial value is 2, which is no bool");
}

static void check_refuses_an_initial_null_with_a_length(void **state)
{
    (void)state;
    static const frugal_str broken = { NULL, 2 };
    SPOIL(user);
    FIELD(name).initial = &broken;
    assert_spoilt(&made, "user.name", "its initial value is NULL with the length 2");
}

static void check_accepts_initial_values_of_scalars_text_and_containers(void **state)
{
    (void)state;
    static const int32_t    age  = 30;
    static const frugal_str name = { "nobody", 6 };
    static const int64_t    numbers[2];
    const schema_span       friends = { (const uint8_t *)numbers, 2 };
    SPOIL(user);
    FIELD(age).initial     = &age;
    FIELD(name).initial    = &name;
    FIELD(friends).initial = &friends;
    assert_spoilt_good(&made);
}

/* ---- enums ---------------------------------------------------------------------------------- */

static void assert_enum_fault(const frugal_enum *names, const char *message)
{
    SPOIL(user);
    FIELD(color).type.names = names;
    assert_spoilt(&made, "user.color", message);
}

static void check_accepts_an_enum_that_nobody_named(void **state)
{
    (void)state;
    SPOIL(user);
    FIELD(color).type.names = NULL;
    assert_spoilt_good(&made);
}

static void check_accepts_an_enum_without_items(void **state)
{
    (void)state;
    static const frugal_enum none = { "none", 0, NULL };
    SPOIL(user);
    FIELD(color).type.names = &none;
    assert_spoilt_good(&made);
}

static void check_refuses_an_enum_without_a_name(void **state)
{
    (void)state;
    assert_enum_fault(&(const frugal_enum){ NULL, 0, NULL }, "an enum without a name");
}

static void check_refuses_enum_items_null(void **state)
{
    (void)state;
    assert_enum_fault(&(const frugal_enum){ "e", 2, NULL },
                      "enum e has 2 items, but items is NULL");
}

static void check_refuses_an_enum_item_without_a_name(void **state)
{
    (void)state;
    static const struct frugal_enum_item items[] = { { "A", 1 }, { NULL, 5 } };
    assert_enum_fault(&(const frugal_enum){ "e", 2, items },
                      "enum e has no name for item 1, which is 5");
}

static void check_refuses_an_enum_that_names_a_constant_twice(void **state)
{
    (void)state;
    static const struct frugal_enum_item items[] = { { "B", 1 }, { "A", 2 }, { "B", 3 } };
    assert_enum_fault(&(const frugal_enum){ "e", 3, items }, "enum e names B twice");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_accepts_good_tables),
        cmocka_unit_test(check_accepts_an_empty_struct),
        cmocka_unit_test(check_refuses_null),
        cmocka_unit_test(check_is_what_the_public_door_does),
        cmocka_unit_test(check_refuses_an_unknown_abi_without_reading_on),
        cmocka_unit_test(check_refuses_an_unknown_abi_below),
        cmocka_unit_test(check_refuses_a_struct_without_a_name),
        cmocka_unit_test(check_refuses_size_0),
        cmocka_unit_test(check_refuses_a_record_above_the_largest_size),
        cmocka_unit_test(check_refuses_an_alignment_that_is_no_power_of_two),
        cmocka_unit_test(check_refuses_a_size_that_is_no_multiple_of_the_alignment),
        cmocka_unit_test(check_refuses_fields_null),
        cmocka_unit_test(check_refuses_more_fields_than_ids),
        cmocka_unit_test(check_refuses_a_table_without_a_slot),
        cmocka_unit_test(check_refuses_two_tables_with_one_slot),
        cmocka_unit_test(check_refuses_defaults_that_are_not_aligned),
        cmocka_unit_test(check_refuses_a_field_without_a_name),
        cmocka_unit_test(check_refuses_a_need_that_does_not_exist),
        cmocka_unit_test(check_refuses_a_kind_that_does_not_exist),
        cmocka_unit_test(check_refuses_a_size_that_is_not_the_kinds),
        cmocka_unit_test(check_says_both_sizes),
        cmocka_unit_test(check_refuses_a_struct_of_another_size),
        cmocka_unit_test(check_refuses_a_pointer_of_another_size),
        cmocka_unit_test(check_refuses_a_struct_without_a_table),
        cmocka_unit_test(check_refuses_indirect_for_what_is_no_struct),
        cmocka_unit_test(check_refuses_a_field_outside_the_struct),
        cmocka_unit_test(check_refuses_a_misaligned_offset),
        cmocka_unit_test(check_refuses_a_struct_less_aligned_than_its_field),
        cmocka_unit_test(check_refuses_members_that_overlap),
        cmocka_unit_test(check_refuses_a_member_described_twice),
        cmocka_unit_test(check_refuses_a_keeper_over_a_field),
        cmocka_unit_test(check_refuses_an_optional_scalar_without_has),
        cmocka_unit_test(check_refuses_has_of_a_field_that_is_not_optional),
        cmocka_unit_test(check_refuses_has_of_what_has_a_pointer),
        cmocka_unit_test(check_refuses_has_outside_the_struct),
        cmocka_unit_test(check_refuses_has_inside_another_field),
        cmocka_unit_test(check_refuses_has_inside_its_own_value),
        cmocka_unit_test(check_refuses_one_has_for_two_fields),
        cmocka_unit_test(check_refuses_an_optional_struct_by_value),
        cmocka_unit_test(check_names_the_field_that_takes_an_id_twice),
        cmocka_unit_test(check_names_the_field_that_takes_a_name_twice),
        cmocka_unit_test(check_accepts_every_id),
        cmocka_unit_test(check_ignores_id_and_name_of_the_keeper),
        cmocka_unit_test(check_refuses_two_keepers),
        cmocka_unit_test(check_refuses_a_keeper_that_is_not_binary),
        cmocka_unit_test(check_refuses_a_keeper_with_has),
        cmocka_unit_test(check_refuses_which_of_a_struct),
        cmocka_unit_test(check_refuses_which_outside_the_union),
        cmocka_unit_test(check_refuses_a_misaligned_which),
        cmocka_unit_test(check_refuses_an_arm_over_which),
        cmocka_unit_test(check_refuses_a_keeper_over_which),
        cmocka_unit_test(check_refuses_a_keeper_among_the_arms),
        cmocka_unit_test(check_refuses_an_arm_that_is_not_optional),
        cmocka_unit_test(check_refuses_an_arm_with_has),
        cmocka_unit_test(check_refuses_arm_0),
        cmocka_unit_test(check_accepts_a_union_without_arms),
        cmocka_unit_test(check_refuses_defaults_whose_arm_does_not_exist),
        cmocka_unit_test(check_looks_at_unions_inside_the_defaults),
        cmocka_unit_test(check_refuses_defaults_that_hold_null_with_a_length),
        cmocka_unit_test(check_refuses_defaults_where_something_optional_is_present),
        cmocka_unit_test(check_accepts_it_in_a_struct_inside_by_value),
        cmocka_unit_test(check_refuses_defaults_with_a_bool_that_is_none),
        cmocka_unit_test(check_refuses_no_copy_of_what_is_no_text),
        cmocka_unit_test(check_refuses_initial_of_what_is_not_optional),
        cmocka_unit_test(check_refuses_initial_of_an_arm),
        cmocka_unit_test(check_refuses_initial_of_the_keeper),
        cmocka_unit_test(check_refuses_initial_of_a_struct),
        cmocka_unit_test(check_refuses_a_misaligned_initial),
        cmocka_unit_test(check_refuses_an_initial_bool_that_is_none),
        cmocka_unit_test(check_refuses_an_initial_null_with_a_length),
        cmocka_unit_test(check_accepts_initial_values_of_scalars_text_and_containers),
        cmocka_unit_test(check_accepts_an_enum_that_nobody_named),
        cmocka_unit_test(check_accepts_an_enum_without_items),
        cmocka_unit_test(check_refuses_an_enum_without_a_name),
        cmocka_unit_test(check_refuses_enum_items_null),
        cmocka_unit_test(check_refuses_an_enum_item_without_a_name),
        cmocka_unit_test(check_refuses_an_enum_that_names_a_constant_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
