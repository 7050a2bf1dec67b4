/* A record that a C file describes, and C and C++ use. */
#ifndef RECORD_H
#define RECORD_H

#include <frugal/frugal.h>

struct point {
    int32_t    x, y;
    frugal_str label;
};
FRUGAL_DECLARE(point);

#ifdef __cplusplus
extern "C" {
#endif

/* The table as data, before any encode: how many fields it has. */
unsigned point_field_count(void);

#ifdef __cplusplus
}
#endif

#endif /* RECORD_H */
