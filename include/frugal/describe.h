/* frugal/describe.h - a C struct says what it is on the wire.
 *
 *   struct user { int64_t id; frugal_str name; FRUGAL_LIST(int64_t) friends; };
 *
 *   FRUGAL_STRUCT(user,
 *       FRUGAL_FIELD(user, id,      1, required),
 *       FRUGAL_FIELD(user, name,    2),
 *       FRUGAL_FIELD(user, friends, 3, optional, list(i64)));
 *
 * A table is const data. What is made here by macros at compile time and what is made elsewhere at
 * run time are the same structs; nothing in the library can tell them apart. The macros are in
 * describe_macros.h, which this header includes for C; C++ refers to tables made in a C file.
 *
 * Tables are immutable and may be used by any number of threads at once; only `slot` is written, by
 * the library, atomically. */
#ifndef FRUGAL_DESCRIBE_H
#define FRUGAL_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/shapes.h>
#include <frugal/version.h>

typedef enum frugal_kind {
    FRUGAL_KIND_NONE, /* 0 is never a described type: a forgotten initialiser is noticed */
    FRUGAL_KIND_BOOL,
    FRUGAL_KIND_I8,
    FRUGAL_KIND_I16,
    FRUGAL_KIND_I32,
    FRUGAL_KIND_I64,
    FRUGAL_KIND_DOUBLE,
    FRUGAL_KIND_STRING,
    FRUGAL_KIND_BINARY,
    FRUGAL_KIND_ENUM,
    FRUGAL_KIND_STRUCT, /* struct, union, exception */
    FRUGAL_KIND_LIST,
    FRUGAL_KIND_SET,
    FRUGAL_KIND_MAP
} frugal_kind;

typedef enum frugal_need {
    FRUGAL_NEED_DEFAULT,  /* always written, may be absent on reading */
    FRUGAL_NEED_REQUIRED, /* always written, an error when absent on reading */
    FRUGAL_NEED_OPTIONAL, /* written when present; every arm of a union */
    FRUGAL_NEED_UNKNOWN   /* not a field: the frugal_bytes member that keeps unknown fields */
} frugal_need;

typedef struct frugal_struct frugal_struct;
typedef struct frugal_enum   frugal_enum;
typedef struct frugal_type   frugal_type;

/* By value inside a field, so that a scalar costs neither a node nor a relocation. */
struct frugal_type {
    uint8_t            kind;     /* frugal_kind */
    bool               indirect; /* struct: the place holds a pointer to it */
    uint32_t           size;     /* bytes of the place in C */
    uint32_t           stride;   /* list, set, map: bytes of one element or entry */
    const frugal_type *elem;     /* list, set: element; map: value */
    const frugal_type *key;      /* map */
    union {
        const frugal_struct *record; /* struct */
        const frugal_enum   *names;  /* enum; NULL: an enum nobody named */
    };
};

typedef struct frugal_field {
    const char *name;
    frugal_type type;
    uint32_t    offset; /* of the value in the struct */
    uint32_t    has;    /* of .has; 0 = none (.has is never at 0: .value is before it) */
    int16_t     id;
    uint8_t     need; /* frugal_need */
    /* string, binary: decoded as a view into the input, as under the option no_copy */
    bool no_copy;
    /* optional: the default that readers may show, a value of the field's type; or NULL */
    const void *initial;
} frugal_field;

/* Where the library keeps what it compiled from a table. Zero at first; the library's alone. */
typedef struct frugal_slot {
    void *plans;
} frugal_slot;

#define FRUGAL_TABLE_ABI 1
struct frugal_struct {
    uint32_t            abi; /* FRUGAL_TABLE_ABI; another number is refused, not misread */
    uint32_t            field_count;
    const char         *name;
    const frugal_field *fields; /* in any order; NULL when there are none */
    uint32_t            size, align;
    /* union: offset of the int32_t that holds the id of the arm, 0 = none */
    uint32_t    which;
    bool        is_union;
    const void *defaults; /* a record that decoding starts from; NULL: zeroes, and the
                             defaults of the structs inside by value */
    frugal_slot *slot;
};

struct frugal_enum {
    const char *name;
    uint32_t    count;
    const struct frugal_enum_item {
        const char *name;
        int32_t     value;
    } * items;
};

/* A reference is a pointer that knows its type: two words, passed by value. FRUGAL_REF(user, p)
 * compiles only when p is a `struct user *`, FRUGAL_VIEW takes a const one as well. */
typedef struct frugal_ref {
    const frugal_struct *type;
    void                *ptr;
} frugal_ref;
typedef struct frugal_view {
    const frugal_struct *type;
    const void          *ptr;
} frugal_view;

/* Two shared objects that each describe their own `struct user` must not see each other's table
 * (ELF would quietly give both the first one): tables are hidden, unless FRUGAL_TABLE is defined
 * before. */
#ifndef FRUGAL_TABLE
#    ifdef __GNUC__
#        define FRUGAL_TABLE __attribute__((visibility("hidden")))
#    else
#        define FRUGAL_TABLE
#    endif
#endif

#define FRUGAL_TYPE(T) (&frugal_struct_##T)
#ifdef __cplusplus
#    define FRUGAL_DECLARE(T) extern "C" FRUGAL_TABLE const frugal_struct frugal_struct_##T
/* A call, because a cast would take a void * too. */
#    define FRUGAL_REF(T, p) \
        ([](struct T *frugal_p_) { return frugal_ref{ &frugal_struct_##T, frugal_p_ }; }(p))
#    define FRUGAL_VIEW(T, p) \
        ([](const struct T *frugal_p_) { return frugal_view{ &frugal_struct_##T, frugal_p_ }; }(p))
#else
#    define FRUGAL_DECLARE(T) extern FRUGAL_TABLE const frugal_struct frugal_struct_##T
#    define FRUGAL_REF(T, p)  ((frugal_ref){ &frugal_struct_##T, _Generic((p), struct T * : (p)) })
#    define FRUGAL_VIEW(T, p) \
        ((frugal_view){ &frugal_struct_##T, _Generic((p), struct T *: (p), const struct T *: (p)) })
#    include <frugal/describe_macros.h>
#endif

#endif /* FRUGAL_DESCRIBE_H */
