/* tests/schema/cxx_use.cpp - what C++17 users have: the same structs, tables from a C file,
 * references that check the type. Compiled only. */
#include <frugal/frugal.h>

enum color { RED = 1 };
struct coord {
    int32_t x, y;
};
typedef FRUGAL_LIST(bool) bools; // clang -pedantic: no new type inside an anonymous union
struct user {
    int64_t                                                  id;
    FRUGAL_OPT(int32_t)                                      age;
    FRUGAL_OPT(enum color)                                   color;
    frugal_str                                               name;
    FRUGAL_LIST(FRUGAL_MAP(frugal_str, FRUGAL_SET(int32_t))) groups;
    FRUGAL_MAP(frugal_str, struct user *)                    named;
    struct user                                             *next;
};
struct shape {
    int32_t which;
    union {
        int64_t      literal;
        struct coord at;
        bools        bits;
    };
};
FRUGAL_DECLARE(user);
FRUGAL_DECLARE(shape);

frugal_ref  reference(struct user *user);
frugal_view view(const struct user *user);
frugal_view view_of_shape(struct shape *shape);
bool        round_trip(struct user *user, frugal_arena *arena, frugal_error *error);
size_t      count_groups(const struct user &user);
bool        make_groups(struct user *user, frugal_arena *arena);

static const frugal_str          no_name = FRUGAL_STR_INIT("nobody");
static const FRUGAL_OPT(int32_t) no_age  = FRUGAL_SOME(-1);

frugal_ref reference(struct user *user)
{
    return FRUGAL_REF(user, user);
}

frugal_view view(const struct user *user)
{
    return FRUGAL_VIEW(user, user);
}

frugal_view view_of_shape(struct shape *shape)
{
    return FRUGAL_VIEW(shape, shape);
}

bool round_trip(struct user *user, frugal_arena *arena, frugal_error *error)
{
    uint8_t    storage[256];
    frugal_buf out;
    frugal_buf_init(&out, storage, sizeof storage, nullptr);
    user->name = FRUGAL_STR("Ada");
    FRUGAL_PUT(user->age, 36);
    FRUGAL_PUT(user->color, RED);

    frugal_encode_options options = {};
    options.struct_size           = sizeof options;
    options.canonical             = true;

    frugal_status status = frugal_pretouch(FRUGAL_TYPE(user), nullptr, error);
    if (status == FRUGAL_OK)
        status = frugal_encode(view(user), &options, &out, error);
    if (status == FRUGAL_OK)
        status =
            frugal_decode(reference(user), frugal_buf_bytes(&out), arena, nullptr, nullptr, error);
    frugal_buf_release(&out);
    return status == FRUGAL_OK;
}

size_t count_groups(const struct user &user)
{
    size_t count = 0;
    for (size_t i = 0; i < user.groups.len; i++)
        for (size_t j = 0; j < user.groups.ptr[i].len; j++)
            count += user.groups.ptr[i].ptr[j].value.len;
    return count;
}

bool make_groups(struct user *user, frugal_arena *arena)
{
    user->name = no_name;
    FRUGAL_PUT(user->age, no_age.value);
    return FRUGAL_ALLOC_ITEMS(arena, user->groups, 2)
           && FRUGAL_ALLOC_ITEMS(arena, user->groups.ptr[1], 1);
}
