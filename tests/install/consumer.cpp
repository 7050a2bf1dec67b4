#include "record.h"

#include <cstdio>
#include <string_view>

int main()
{
    frugal_buf   wire;
    frugal_error error = {};
    point        in    = { 3, -4, FRUGAL_STR("corner") };
    point        out;

    frugal_buf_init(&wire, nullptr, 0, nullptr);
    frugal_arena *arena = frugal_arena_new(nullptr);
    if (frugal_encode(FRUGAL_VIEW(point, &in), nullptr, &wire, &error) != FRUGAL_OK
        || frugal_decode(FRUGAL_REF(point, &out), frugal_buf_bytes(&wire), arena, nullptr, nullptr,
                         &error)
               != FRUGAL_OK) {
        std::fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    bool same =
        out.x == 3 && out.y == -4 && std::string_view(out.label.ptr, out.label.len) == "corner";
    std::printf("C++: %zu bytes there and back\n", wire.size);
    frugal_arena_free(arena);
    frugal_buf_release(&wire);
    frugal_plan_drop(FRUGAL_TYPE(point));
    return same && point_field_count() == 3 ? 0 : 1;
}
