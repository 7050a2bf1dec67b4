#include "record.h"

#include <stdio.h>
#include <string.h>

/* An internal name of the library's, which must not meet it. */
void *arena_alloc_slow(void);
void *arena_alloc_slow(void)
{
    return NULL;
}

int main(void)
{
    uint8_t      storage[256];
    frugal_buf   wire;
    frugal_error error = { 0 };
    struct point in    = { 3, -4, FRUGAL_STR("corner") }, out;

    if (frugal_version() != FRUGAL_VERSION_NUM || point_field_count() != 3)
        return 1;
    frugal_buf_init(&wire, storage, sizeof storage, NULL);
    frugal_arena *arena = frugal_arena_new(NULL);
    if (frugal_encode(FRUGAL_VIEW(point, &in), NULL, &wire, &error) != FRUGAL_OK
        || frugal_decode(FRUGAL_REF(point, &out), frugal_buf_bytes(&wire), arena, NULL, NULL,
                         &error)
               != FRUGAL_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    int wrong =
        out.x != 3 || out.y != -4 || out.label.len != 6 || memcmp(out.label.ptr, "corner", 6) != 0;
    printf("C: %zu bytes there and back\n", wire.size);
    frugal_arena_free(arena);
    frugal_buf_release(&wire);
    frugal_plan_drop(FRUGAL_TYPE(point));
    return wrong || arena_alloc_slow() != NULL;
}
