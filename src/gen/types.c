/* gen/types.c - C types of places.
 *
 * A type may be a lattice with more paths than can be walked (a map of two like maps, and so on),
 * so a container is found by the pointers of its parts first, and each shape gets one typedef. */
#include "gen/types.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 48u /* longer names get a number instead: list_7 */

/* ---- shapes --------------------------------------------------------------------------------- */

typedef struct shape {
    const frugal_type *elem, *key;
    uint64_t           kind;
} shape;

typedef struct parts {
    gen_part elem, key;
    uint64_t kind;
} parts;

static gen_container *container_at(gen *g, const frugal_type *type, uint32_t depth);

static gen_part part_of(gen *g, const frugal_type *type, uint32_t depth)
{
    gen_part part = { .kind = type->kind, .indirect = type->indirect };
    if (type->kind == FRUGAL_KIND_STRUCT)
        part.what = gen_record_of(g, type->record);
    else if (type->kind == FRUGAL_KIND_ENUM)
        part.what = gen_enum_of(g, type->names);
    else if (gen_is_container(type))
        part.what = container_at(g, type, depth + 1);
    return part;
}

/* The one container with these parts. */
static gen_container *container_with(gen *g, const frugal_type *type, uint32_t depth)
{
    parts key;
    memset(&key, 0, sizeof key);
    key.kind = type->kind;
    key.elem = part_of(g, type->elem, depth);
    if (type->key)
        key.key = part_of(g, type->key, depth);
    void **place = g->status ? NULL : gen_map_add(&g->containers, g->arena, &key, sizeof key);
    if (!place) {
        gen_fail_nomem(g);
        return NULL;
    }
    if (!*place) {
        gen_container *container = gen_zeroed(g, sizeof *container);
        if (container)
            *container = (gen_container){
                .type = type, .kind = type->kind, .elem = key.elem, .key = key.key
            };
        *place = container;
    }
    return *place;
}

static gen_container *container_at(gen *g, const frugal_type *type, uint32_t depth)
{
    shape key = { type->elem, type->key, type->kind };
    if (depth > GEN_DEPTH_MAX) {
        gen_fail(g, FRUGAL_DEPTH, g->file, (idl_place){ 0 },
                 "more than %u containers inside each other", GEN_DEPTH_MAX);
        return NULL;
    }
    gen_container *known = gen_map_get(&g->shapes, &key, sizeof key);
    if (known)
        return known;
    gen_container *container = container_with(g, type, depth);
    void         **place = container ? gen_map_add(&g->shapes, g->arena, &key, sizeof key) : NULL;
    if (place)
        *place = container;
    else
        gen_fail_nomem(g);
    return g->status ? NULL : container;
}

gen_container *gen_container_of(gen *g, const frugal_type *type)
{
    return container_at(g, type, 0);
}

/* ---- names of containers -------------------------------------------------------------------- */

static const char *const words[] = {
    [FRUGAL_KIND_NONE] = "none",     [FRUGAL_KIND_BOOL] = "bool",
    [FRUGAL_KIND_I8] = "i8",         [FRUGAL_KIND_I16] = "i16",
    [FRUGAL_KIND_I32] = "i32",       [FRUGAL_KIND_I64] = "i64",
    [FRUGAL_KIND_DOUBLE] = "double", [FRUGAL_KIND_STRING] = "string",
    [FRUGAL_KIND_BINARY] = "binary", [FRUGAL_KIND_ENUM] = "enum",
    [FRUGAL_KIND_STRUCT] = "struct", [FRUGAL_KIND_LIST] = "list",
    [FRUGAL_KIND_SET] = "set",       [FRUGAL_KIND_MAP] = "map",
};

/* Without the prefix of the file that is written. */
static const char *own_word(const gen *g, const char *name)
{
    const char *prefix = g->prefixes[g->file->index];
    size_t      len    = strlen(prefix);
    return strncmp(name, prefix, len) == 0 && name[len] == '_' ? name + len + 1 : name;
}

static const char *part_word(const gen *g, const gen_part *part)
{
    switch (part->kind) {
    case FRUGAL_KIND_STRUCT: return own_word(g, ((const gen_record *)part->what)->name);
    case FRUGAL_KIND_ENUM: return own_word(g, ((const gen_enum *)part->what)->name);
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return ((const gen_container *)part->what)->word;
    default: return words[part->kind];
    }
}

static const char *pointer_word(const gen_part *part)
{
    return part->kind == FRUGAL_KIND_STRUCT && part->indirect ? "_ptr" : "";
}

/* Where a prefix was chosen, several files may have it; then the file's name goes in, too. */
static const char *container_prefix(gen *g)
{
    const char *prefix = g->prefixes[g->file->index];
    const char *file   = gen_words(g->arena, g->file->prefix, GEN_LOWER);
    if (!file) {
        gen_fail_nomem(g);
        return "";
    }
    size_t len = strlen(prefix), end = strlen(file);
    if (len >= end && strcmp(prefix + len - end, file) == 0
        && (len == end || prefix[len - end - 1] == '_'))
        return prefix;
    const char *joined = gen_join(g->arena, prefix, g->file->prefix, GEN_LOWER);
    if (!joined)
        gen_fail_nomem(g);
    return joined ? joined : "";
}

static const char *joined(gen *g, const char *before, const char *name, const char *after)
{
    size_t size = strlen(before) + strlen(name) + strlen(after) + 1;
    char  *text = gen_zeroed(g, size);
    if (text)
        snprintf(text, size, "%s%s%s", before, name, after);
    return text;
}

/* Claims a typedef and, of a map, its entry; false: one of them is somebody's. */
static bool claim_container(gen *g, bool is_map, const char *name, const gen_claim *mine)
{
    const char *entry = is_map ? joined(g, "", name, "_entry") : NULL;
    if (g->status || (entry && gen_map_get(&g->claims, entry, strlen(entry))))
        return false;
    const gen_claim *first = gen_claim_name(&g->claims, g->arena, name, mine);
    if (first == mine && entry && !gen_claim_name(&g->claims, g->arena, entry, mine))
        first = NULL;
    if (!first)
        gen_fail_nomem(g);
    return first == mine;
}

/* These names are ours to choose, so that one that is taken is no error. */
static void name_container(gen *g, gen_container *container)
{
    char        word[WORD_MAX + 32];
    const char *key  = container->key.kind ? part_word(g, &container->key) : "";
    const char *elem = part_word(g, &container->elem);
    int         len  = snprintf(word, sizeof word, "%s_%s%s%s%s%s", words[container->kind], key,
                       container->key.kind ? pointer_word(&container->key) : "", *key ? "_" : "",
                                elem, pointer_word(&container->elem));
    if (len < 0 || (size_t)len > WORD_MAX)
        snprintf(word, sizeof word, "%s_%u", words[container->kind], (unsigned)++g->number);
    container->name    = "";
    container->word    = "";
    size_t      size   = strlen(word);
    const char *prefix = container_prefix(g);
    gen_claim   mine   = { .what = "typedef", .file = g->file };
    for (unsigned number = 2; !g->status; number++) {
        mine.name        = frugal_arena_str(g->arena, (frugal_str){ word, strlen(word) });
        const char *name = mine.name.ptr ? gen_name(g, prefix, mine.name, GEN_LOWER) : NULL;
        if (!name)
            gen_fail_nomem(g);
        if (name && claim_container(g, container->key.kind != 0, name, &mine)) {
            container->name = name;
            container->word = mine.name.ptr;
            return;
        }
        snprintf(word + size, sizeof word - size, "_%u", number);
    }
}

/* ---- declarations --------------------------------------------------------------------------- */

/* A struct by value needs all of it, a pointer only its name. */
static bool is_complete(const gen *g, const gen_part *part)
{
    const gen_record *record = part->what;
    return part->kind != FRUGAL_KIND_STRUCT || part->indirect || record->file != g->file
           || record->progress == GEN_DONE;
}

/* A struct of two members, on one line when it fits. `tail` is what stands behind the brace. */
static void write_pair(gen *g, const char *head, const char *tag, const char *first,
                       const char *second, const char *tail)
{
    size_t      width = strlen(head) + strlen(tag) + strlen(first) + strlen(second) + strlen(tail);
    bool        fits  = width + sizeof "struct  { ;  }  ;" <= GEN_COLUMNS;
    const char *space = fits ? " " : "\n    ";
    gen_put(g->out, "%sstruct %s {%s%s;%s%s;%s}%s;\n", head, tag, space, first, space, second,
            fits ? " " : "\n", tail);
}

static void write_entry(gen *g, const gen_container *map)
{
    const char *key  = gen_c_type(g, NULL, map->type->key);
    const char *elem = gen_c_type(g, NULL, map->type->elem);
    const char *tag  = joined(g, map->name, "_entry", "");
    key              = key ? joined(g, key, "key", "") : NULL;
    elem             = elem ? joined(g, elem, "value", "") : NULL;
    if (key && elem && tag)
        write_pair(g, "", tag, key, elem, "");
}

static void write_container(gen *g, gen_container *container)
{
    const frugal_type *type = container->type;
    const char        *elem = type->key ? joined(g, "struct ", container->name, "_entry ")
                                        : gen_c_type(g, NULL, type->elem);
    const char        *tail = joined(g, " ", container->name, "");
    elem                    = elem ? joined(g, elem, "*ptr", "") : NULL;
    if (!elem || !tail)
        return;
    if (type->key && is_complete(g, &container->key) && is_complete(g, &container->elem)) {
        write_entry(g, container);
    } else if (type->key) {
        container->waiting = g->waiting;
        g->waiting         = container;
        gen_put(g->out, "struct %s_entry;\n", container->name);
    }
    write_pair(g, "typedef ", container->name, elem, "size_t len", tail);
}

static void declare(gen *g, const frugal_type *type, uint32_t depth)
{
    if (!gen_is_container(type) || g->status)
        return;
    gen_container *container = gen_container_of(g, type);
    if (!container || container->file == g->file)
        return;
    if (depth < GEN_DEPTH_MAX && type->key)
        declare(g, type->key, depth + 1);
    if (depth < GEN_DEPTH_MAX)
        declare(g, type->elem, depth + 1);
    container->file      = g->file;
    container->has_nodes = false;
    name_container(g, container);
    write_container(g, container);
}

void gen_declare(gen *g, const frugal_type *type)
{
    declare(g, type, 0);
}

void gen_write_waiting(gen *g)
{
    gen_container *first = NULL; /* it is a stack; the order of the file is nicer */
    while (g->waiting) {
        gen_container *map = g->waiting;
        g->waiting         = map->waiting;
        map->waiting       = first;
        first              = map;
    }
    if (first)
        gen_put(g->out, "\n");
    for (; first; first = first->waiting)
        write_entry(g, first);
}

/* ---- types of C ----------------------------------------------------------------------------- */

static const char *scalar(uint8_t kind)
{
    switch (kind) {
    case FRUGAL_KIND_BOOL: return "bool ";
    case FRUGAL_KIND_I8: return "int8_t ";
    case FRUGAL_KIND_I16: return "int16_t ";
    case FRUGAL_KIND_I64: return "int64_t ";
    case FRUGAL_KIND_DOUBLE: return "double ";
    case FRUGAL_KIND_STRING: return "frugal_str ";
    case FRUGAL_KIND_BINARY: return "frugal_bytes ";
    default: return "int32_t ";
    }
}

static bool is_same(gen *g, const frugal_type *a, const frugal_type *b)
{
    if (a->kind != b->kind)
        return false;
    if (gen_is_container(a))
        return gen_container_of(g, a) == gen_container_of(g, b);
    return a->kind == FRUGAL_KIND_STRUCT ? a->record == b->record
           : a->kind == FRUGAL_KIND_ENUM ? a->names == b->names
                                         : true;
}

/* The outermost typedef that means the same and is there already, or NULL. */
static const gen_typedef *typedef_for(gen *g, const idl_type *written, const frugal_type *type)
{
    for (uint32_t i = 0; written && i < GEN_DEPTH_MAX; i++) {
        const idl_definition *d = written->kind == IDL_TYPE_NAME ? written->definition : NULL;
        if (!d || d->kind != IDL_TYPEDEF)
            return NULL;
        const gen_typedef *named = gen_typedef_of(g, d);
        if (named && (named->file != g->file || named->is_written)
            && is_same(g, type, d->lowered_type))
            return named;
        written = d->type;
    }
    return NULL;
}

const char *gen_c_type(gen *g, const idl_type *written, const frugal_type *type)
{
    const gen_typedef *named = typedef_for(g, written, type);
    const char        *after = type->kind == FRUGAL_KIND_STRUCT && type->indirect ? " *" : " ";
    if (g->status)
        return NULL;
    if (named)
        return joined(g, "", named->name, after);
    if (type->kind == FRUGAL_KIND_STRUCT)
        return joined(g, "struct ", gen_record_of(g, type->record)->name, after);
    if (type->kind == FRUGAL_KIND_ENUM) {
        const gen_enum *e = gen_enum_of(g, type->names);
        return e && e->type->count ? joined(g, "enum ", e->name, after) : "int32_t ";
    }
    if (!gen_is_container(type))
        return scalar(type->kind);
    const gen_container *container = gen_container_of(g, type);
    return container ? joined(g, "", container->name, after) : NULL;
}

const char *gen_kind(uint8_t kind)
{
    static const char *const kinds[] = {
        [FRUGAL_KIND_NONE] = "FRUGAL_KIND_NONE",     [FRUGAL_KIND_BOOL] = "FRUGAL_KIND_BOOL",
        [FRUGAL_KIND_I8] = "FRUGAL_KIND_I8",         [FRUGAL_KIND_I16] = "FRUGAL_KIND_I16",
        [FRUGAL_KIND_I32] = "FRUGAL_KIND_I32",       [FRUGAL_KIND_I64] = "FRUGAL_KIND_I64",
        [FRUGAL_KIND_DOUBLE] = "FRUGAL_KIND_DOUBLE", [FRUGAL_KIND_STRING] = "FRUGAL_KIND_STRING",
        [FRUGAL_KIND_BINARY] = "FRUGAL_KIND_BINARY", [FRUGAL_KIND_ENUM] = "FRUGAL_KIND_ENUM",
        [FRUGAL_KIND_STRUCT] = "FRUGAL_KIND_STRUCT", [FRUGAL_KIND_LIST] = "FRUGAL_KIND_LIST",
        [FRUGAL_KIND_SET] = "FRUGAL_KIND_SET",       [FRUGAL_KIND_MAP] = "FRUGAL_KIND_MAP",
    };
    return kinds[kind <= FRUGAL_KIND_MAP ? kind : 0];
}
