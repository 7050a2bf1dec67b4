/* A program whose struct was written by frugal_generate: there and back. */
#include <frugal/frugal.h>
#include <stdio.h>
#include <string.h>

#include "generated.h"

int main(void)
{
    struct made_record record = { .id = 7, .name = FRUGAL_STR("x") };
    struct made_record back;
    uint8_t            wire[64];
    size_t             size  = 0;
    frugal_arena      *arena = frugal_arena_new(NULL);
    if (!arena
        || frugal_encode_to(FRUGAL_VIEW(made_record, &record), NULL, wire, sizeof wire, &size, NULL)
        || frugal_decode(FRUGAL_REF(made_record, &back), (frugal_bytes){ wire, size }, arena, NULL,
                         NULL, NULL)
        || back.id != 7 || back.name.len != 1)
        return 1;
    frugal_init(FRUGAL_REF(made_record, &back));
    if (back.name.len != strlen("nobody"))
        return 1;
    frugal_arena_free(arena);
    puts("generated: there and back");
    return 0;
}
