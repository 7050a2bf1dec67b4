/* frugal/shapes.h - what Thrift values look like in C.
 *
 *   thrift            required / default          optional
 *   bool i8 .. i64    bool int8_t .. int64_t      FRUGAL_OPT(int32_t): .has and .value
 *   double, enum      double, enum color          FRUGAL_OPT(enum color)
 *   string, binary    frugal_str, frugal_bytes    the same; .ptr NULL = absent
 *   list<T>, set<T>   FRUGAL_LIST(T), _SET(T)     the same; .ptr NULL = absent
 *   map<K,V>          FRUGAL_MAP(K, V)            the same; .ptr NULL = absent
 *   struct S          struct s, struct s *        struct s *; NULL = absent
 *   union U           struct { int32_t which; union { ... }; }; which = id of the arm, 0 = none
 *
 * Everything of variable length is {pointer, count}: one layout for text, bytes, list, set and map.
 * Zeroed memory is an empty record. The macros make anonymous types: give one a name with typedef
 * to assign or pass it. */
#ifndef FRUGAL_SHAPES_H
#define FRUGAL_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/version.h>

/* Text need not end in a NUL and may hold one. `ptr` may be NULL when `len` is 0. */
typedef struct frugal_str {
    const char *ptr;
    size_t      len;
} frugal_str;

typedef struct frugal_bytes {
    const uint8_t *ptr;
    size_t         len;
} frugal_bytes;

/* clang-format off */
#define FRUGAL_LIST(T)        \
    struct {                  \
        T     *ptr;           \
        size_t len;           \
    }
#define FRUGAL_SET(T) FRUGAL_LIST(T)
#define FRUGAL_MAP(K, V)      \
    struct {                  \
        struct {              \
            K key;            \
            V value;          \
        }     *ptr;           \
        size_t len;           \
    }
#define FRUGAL_OPT(T)         \
    struct {                  \
        T    value;           \
        bool has;             \
    }

/* FRUGAL_STR is a value; in the initialiser of a static object it is FRUGAL_STR_INIT. FRUGAL_SOME (of a
 * FRUGAL_OPT) and FRUGAL_ARRAY (a list of an array) initialise; FRUGAL_PUT sets a FRUGAL_OPT later. */
#ifdef __cplusplus
#    define FRUGAL_STR(literal) (frugal_str{ "" literal, sizeof(literal) - 1 })
#else
#    define FRUGAL_STR(literal) ((frugal_str){ "" literal, sizeof(literal) - 1 })
#endif
#define FRUGAL_STR_INIT(literal) { "" literal, sizeof(literal) - 1 }
#define FRUGAL_SOME(x)      { (x), true }
#define FRUGAL_ARRAY(array) { (array), sizeof(array) / sizeof((array)[0]) }
#define FRUGAL_PUT(opt, x)  ((opt).has = true, (opt).value = (x))
/* clang-format on */

#endif /* FRUGAL_SHAPES_H */
