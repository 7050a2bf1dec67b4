/* A program whose IDL includes others: all of them were written. */
#include <frugal/frugal.h>
#include <stdio.h>

#include "zoo.h"

int main(void)
{
    struct zoo_animal animal = { .name   = { .text = FRUGAL_STR("Ada"), .ink = { .grams = 1 } },
                                 .weight = { .grams = 4000 } };
    uint8_t           wire[128];
    size_t            size = 0;
    if (frugal_encode_to(FRUGAL_VIEW(zoo_animal, &animal), NULL, wire, sizeof wire, &size, NULL))
        return 1;
    printf("included: %zu bytes\n", size);
    return 0;
}
