/* json/form.h - what a table means as JSON: members in the order they are written, their keys as
 * ready-made text, and look-up by name.
 *
 * Made on first use for a table and all it reaches, kept in the table's slot (plan/guest.h), and
 * immutable from then on. Types point at each other here, so that neither reading nor writing ever
 * looks anything up in the tables of the schema. */
#ifndef JSON_FORM_H
#define JSON_FORM_H

#include "core/arena.h"
#include "plan/guest.h"

typedef struct json_record json_record;
typedef struct json_names  json_names;

typedef struct json_type {
    uint8_t  kind;                        /* frugal_kind */
    bool     indirect;                    /* struct: the place holds a pointer */
    bool     keys_are_text;               /* map: written as an object */
    uint32_t stride, align, value_offset; /* list, set, map: of an element or entry in C */
    const struct json_type *elem;         /* list, set: element; map: value */
    const struct json_type *key;          /* map */
    union {
        const json_record *record; /* struct */
        const json_names  *names;  /* enum; NULL: nobody named it */
    };
    const frugal_type *type; /* what it was made from; for sentences and paths */
} json_type;

/* A text that may be copied and compared 16 bytes at a time: JSON_TEXT_PAD readable bytes follow.
 */
typedef struct json_ready {
    const char *ptr;
    uint32_t    len;
} json_ready;
#define JSON_TEXT_PAD 32

typedef struct json_field {
    json_type  type;
    json_ready key;      /* `,"name":` */
    uint32_t   offset;   /* of the value in the record */
    uint32_t   has;      /* HAS_BYTE: of .has */
    uint8_t    presence; /* schema_presence */
    bool       required;
    uint32_t   seen_word; /* where a reader keeps whether it came */
    uint64_t   seen_bit;
    /* a struct by value that does not lie in the record's initial value as it should be */
    bool                starts_afresh;
    const frugal_field *field;
} json_field;

/* Name to index: open addressing, index + 1, 0 is free; at least half is. */
typedef struct json_lookup {
    const uint32_t *places;
    uint32_t        mask;
} json_lookup;

struct json_record {
    const frugal_struct *type;
    const json_field    *members; /* by ascending signed id; arms of a union */
    uint32_t             count;
    uint32_t             keeper;   /* offset of what keeps unknown fields, or JSON_NONE */
    const void          *initial;  /* what a record starts from; NULL: zeroes */
    const uint64_t      *required; /* [JSON_SEEN_WORDS(count)] bits; NULL: no member is */
    json_lookup          by_name;
};
#define JSON_NONE              UINT32_MAX
#define JSON_SEEN_WORDS(count) (((count) + 63) / 64)

typedef struct json_name {
    json_ready text; /* `"GREEN"` */
    int32_t    value;
} json_name;

struct json_names {
    const frugal_enum *names;
    const json_name   *items; /* by ascending value; of several names the first counts */
    uint32_t           count;
    bool               dense;   /* values follow each other without a gap */
    json_lookup        by_name; /* index in names->items */
};

typedef struct json_form {
    plan_guest              guest;
    const json_record      *root;
    frugal_arena           *arena; /* all of this is in it, but for the form itself */
    const frugal_allocator *allocator;
} json_form;

/* Makes the form of a table, and publishes it, unless it is there. As schema_check, and
 * FRUGAL_NOMEM; FRUGAL_DESCRIPTOR for a name that is not UTF-8. `allocator` NULL: malloc. */
frugal_status json_form_make(const frugal_struct *type, const frugal_allocator *allocator,
                             const json_form **form, frugal_error *error);

/* What tells a form from other guests. */
void json_form_free(plan_guest *guest);

static inline frugal_status json_form_get(const frugal_struct *type, const json_form **form,
                                          frugal_error *error)
{
    *form = (const json_form *)(const void *)plan_guest_find(type, json_form_free);
    return LIKELY(*form != NULL) ? FRUGAL_OK : json_form_make(type, NULL, form, error);
}

/* The names are ours, so that strangers cannot make them collide. */
ALWAYS_INLINE uint32_t json_hash(const char *text, size_t len)
{
    uint64_t hash = len * UINT64_C(0x9e3779b97f4a7c15), tail = 0;
    for (; len >= 8; text += 8, len -= 8)
        hash = (hash ^ (hash >> 32) ^ load_u64(text)) * UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < len; i++)
        tail = tail << 8 | (uint8_t)text[i];
    hash = (hash ^ (hash >> 32) ^ tail) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(hash >> 32);
}

/* The member of this name, or NULL. */
const json_field *json_find_field(const json_record *record, const char *name, size_t len);

/* The name of an enum's value, or NULL. The value of a name. */
const json_name *json_find_name(const json_names *names, int32_t value);
bool json_find_value(const json_names *names, const char *name, size_t len, int32_t *value);

#endif /* JSON_FORM_H */
