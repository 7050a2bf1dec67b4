/* bench/json_objects.h - the records that json_bench measures, and one message of each.
 *
 * They are nesting and numbers of objects.h with longer names, as they stand in JSON, and with
 * strings that are plain ASCII, all high bytes, or full of what must be escaped. Names, ids and
 * types are those of json_objects.thrift. */
#ifndef BENCH_JSON_OBJECTS_H
#define BENCH_JSON_OBJECTS_H

#include <stdint.h>

#include <frugal/frugal.h>

#ifdef __cplusplus
extern "C" {
#endif

enum json_color { JSON_RED = 1, JSON_GREEN = 2, JSON_BLUE = 5 };

struct plain {
    int8_t          byte_field;
    int64_t         i64_field;
    double          double_field;
    int32_t         i32_field;
    frugal_str      string_field;
    frugal_bytes    binary_field;
    enum json_color enum_field;
};

struct nested {
    frugal_str                           string_field;
    FRUGAL_LIST(struct plain)            list_plain;
    double                               double_field;
    int32_t                              i32_field;
    FRUGAL_LIST(int32_t)                 list_i32;
    int64_t                              i64_field;
    FRUGAL_MAP(frugal_str, frugal_str)   map_string_string;
    struct plain                         plain_struct;
    FRUGAL_MAP(int32_t, int64_t)         map_i32_i64;
    FRUGAL_LIST(frugal_str)              list_string;
    frugal_bytes                         binary_field;
    FRUGAL_MAP(int64_t, frugal_str)      map_i64_string;
    FRUGAL_LIST(int64_t)                 list_i64;
    int8_t                               byte_field;
    FRUGAL_MAP(frugal_str, struct plain) map_string_plain;
};

struct figures {
    FRUGAL_LIST(int64_t) ints;
    FRUGAL_LIST(double)  doubles;
};

typedef struct json_object {
    const char          *name;
    const char          *method; /* of the service in json_objects.thrift, which takes one */
    const frugal_struct *type;
    frugal_bytes         message;
} json_object;

#define JSON_OBJECT_COUNT 6

/* Builds all messages; aborts when there is no memory. */
void json_objects_init(json_object objects[JSON_OBJECT_COUNT]);

#ifdef __cplusplus
}
#endif
#endif /* BENCH_JSON_OBJECTS_H */
