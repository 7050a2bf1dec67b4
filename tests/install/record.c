#include "record.h"

FRUGAL_STRUCT(point,
    FRUGAL_FIELD(point, x, 1, required),
    FRUGAL_FIELD(point, y, 2),
    FRUGAL_FIELD(point, label, 3, optional, string));

unsigned point_field_count(void)
{
    return FRUGAL_TYPE(point)->field_count;
}
