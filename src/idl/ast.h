/* idl/ast.h - a .thrift file as it was written, and what its names turned out to mean.
 *
 * The parser fills what is written; the resolver fills the members marked "resolved" and nothing
 * else; lowering makes descriptors of it. All of it lives in one arena, the schema's. Texts are
 * views into that arena and end in a NUL that `len` does not count. Lists are linked in the order
 * of the file, by `next`. */
#ifndef IDL_AST_H
#define IDL_AST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/describe.h>
#include <frugal/shapes.h>

/* From 1; the column counts bytes, a tab is one. */
typedef struct idl_place {
    uint32_t line, column;
} idl_place;

typedef struct idl_name {
    frugal_str text;
    idl_place  place;
} idl_name;

typedef struct idl_file       idl_file;
typedef struct idl_definition idl_definition;
typedef struct idl_value      idl_value;
typedef struct idl_field      idl_field;
typedef struct idl_type       idl_type;

/* (key = "value"); a key without a value has "1", as Apache reads it. */
typedef struct idl_annotation {
    struct idl_annotation *next;
    idl_name               key;
    frugal_str             value;

    /* resolved: in the first of a list: all of them as schema.h shows them */
    const struct frugal_annotation *all;
    size_t                          count;
} idl_annotation;

/* ---- types and values ----------------------------------------------------------------------- */

typedef enum idl_type_kind {
    IDL_TYPE_BASE, /* `base` says which */
    IDL_TYPE_LIST,
    IDL_TYPE_SET,
    IDL_TYPE_MAP,
    IDL_TYPE_NAME /* `name`, perhaps with the prefix of an include */
} idl_type_kind;

struct idl_type {
    idl_type_kind   kind;
    idl_place       place;   /* of its first word */
    frugal_kind     base;    /* BOOL .. BINARY; `slist` is STRING, `byte` I8 */
    bool            is_uuid; /* BINARY, and `name` is "uuid": a definition called so goes before */
    idl_name        name;
    idl_type       *key, *elem; /* map; list, set and the value of a map */
    idl_annotation *annotations;

    idl_definition *definition; /* resolved: of a name: typedef, enum, struct, union, exception */
};

typedef enum idl_value_kind {
    IDL_VALUE_INT,
    IDL_VALUE_DOUBLE,
    IDL_VALUE_TEXT, /* a literal, unescaped */
    IDL_VALUE_NAME, /* also true and false */
    IDL_VALUE_LIST, /* [ ] */
    IDL_VALUE_MAP   /* { } */
} idl_value_kind;

struct idl_value {
    idl_value     *next; /* in a list; in a map the next value */
    idl_value     *key;  /* in a map: the key of this value */
    idl_value_kind kind;
    idl_place      place;
    int64_t        integer;
    double         real;
    frugal_str     text; /* of a literal or a name; of a number as it was written */
    idl_value     *items;
    size_t         item_count;

    /* resolved: what a name means: a constant (`definition`) and its value, never a name itself; or
     * an item of an enum, also by way of constants; true and false become IDL_VALUE_INT 1 and 0 */
    idl_definition             *definition;
    const idl_value            *constant;
    const struct idl_enum_item *item;
    const idl_definition       *item_of; /* the enum of `item` */
};

/* ---- fields, functions, items --------------------------------------------------------------- */

struct idl_field {
    idl_field      *next;
    idl_place       place; /* of its first word */
    idl_name        name;
    int32_t         id; /* as written, or numbered by the parser when there was none */
    bool            has_id, has_need;
    frugal_need     need; /* as written; the resolver makes arms and throws optional */
    idl_place       need_place;
    idl_type       *type;
    idl_value      *initial; /* NULL: none */
    idl_annotation *annotations;
    frugal_str      doc; /* the text of the doc comment without its stars; ptr NULL: none */

    uint32_t index; /* resolved: place in its list, and in the fields of the table */
};

typedef struct idl_enum_item {
    struct idl_enum_item *next;
    idl_name              name;
    int64_t               value; /* as written, else one more than the item before */
    bool                  has_value;
    idl_place             value_place;
    idl_annotation       *annotations;
    frugal_str            doc;
} idl_enum_item;

typedef struct idl_function {
    struct idl_function *next;
    idl_name             name;
    bool                 oneway;
    idl_type            *result; /* NULL: void */
    idl_field           *args;
    idl_field           *throws;
    bool                 has_throws;
    idl_annotation      *annotations;
    frugal_str           doc;

    const frugal_struct *lowered_args;   /* resolved: "Service.method_args" */
    const frugal_struct *lowered_result; /* resolved: "Service.method_result"; oneway: NULL */
} idl_function;

/* ---- definitions ---------------------------------------------------------------------------- */

typedef enum idl_definition_kind {
    IDL_CONST,
    IDL_TYPEDEF,
    IDL_ENUM,
    IDL_STRUCT,
    IDL_UNION,
    IDL_EXCEPTION,
    IDL_SERVICE
} idl_definition_kind;

struct idl_definition {
    idl_definition     *next;
    idl_definition_kind kind;
    idl_place           place; /* of the keyword */
    idl_name            name;
    idl_file           *file;
    idl_annotation     *annotations;
    frugal_str          doc;
    idl_type           *type;      /* const, typedef */
    idl_value          *value;     /* const */
    idl_enum_item      *items;     /* enum */
    idl_field          *fields;    /* struct, union, exception */
    idl_name            base_name; /* service: after `extends`; text.ptr NULL: none */
    idl_function       *functions; /* service */

    idl_definition              *base;    /* resolved: the service that is extended */
    const frugal_struct         *record;  /* resolved: struct, union, exception */
    const frugal_enum           *names;   /* resolved: enum */
    const struct frugal_service *service; /* resolved: service */
    const frugal_type *lowered_type;      /* resolved: const, typedef: the C type of its values */
    const void        *lowered_value;     /* resolved: const: a value of that type */

    /* The resolver's. */
    idl_definition *root;    /* of a typedef: the one whose type is no typedef any more */
    struct idl_map *members; /* fields, items or functions by name; NULL: few */
    struct idl_map *numbers; /* items by number; NULL: few */
    uint32_t        count;   /* of fields, items or functions */
    uint32_t        number;  /* in the order of layout, from 1 */
    uint8_t         height;  /* of a typedef: containers inside each other */
    uint8_t         mark;    /* for walks; 0 afterwards */
};

/* ---- files ---------------------------------------------------------------------------------- */

typedef struct idl_namespace {
    struct idl_namespace *next;
    idl_name              scope; /* "*", "c", "py.twisted" */
    idl_name              name;
} idl_namespace;

typedef struct idl_include {
    struct idl_include *next;
    idl_name            path;   /* as written; place of the literal */
    frugal_str          prefix; /* base name without the last extension */
    bool                used;   /* resolved */
    idl_file           *file;   /* resolved: NULL when it could not be read */
} idl_include;

struct idl_file {
    idl_file       *next;   /* of all files of a schema, the root first */
    frugal_str      path;   /* as it was opened */
    frugal_str      prefix; /* base name without the last extension */
    uint32_t        index;
    idl_namespace  *namespaces;
    idl_include    *includes;
    idl_definition *definitions;
    size_t          definition_count;
    frugal_str      doc; /* of the file: a doc comment followed by an empty line, at its top */

    struct idl_table *symbols; /* resolved: definitions by name; the resolver's */
};

#endif /* IDL_AST_H */
