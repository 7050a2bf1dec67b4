/* gen/members.c - from the fields of a descriptor to members. */
#include "gen/members.h"

#include <stdlib.h>
#include <string.h>

#define KEEPER "unknown_fields"

static int compare_places(const void *a, const void *b)
{
    const frugal_field *first = ((const gen_member_of *)a)->field;
    const frugal_field *other = ((const gen_member_of *)b)->field;
    if (first->offset != other->offset)
        return first->offset < other->offset ? -1 : 1;
    return first < other ? -1 : first > other; /* arms of a union; qsort need not be stable */
}

static int compare_ids(const void *a, const void *b)
{
    const gen_member_of *first = a, *other = b;
    return (first->field->id > other->field->id) - (first->field->id < other->field->id);
}

/* Both the members (sorted by id) and the written fields may be many. */
static void join_written(const gen_record *record, gen_members *members)
{
    for (const idl_field *f = record->fields; f; f = f->next) {
        frugal_field   key_field = { .id = (int16_t)f->id };
        gen_member_of  key       = { .field = &key_field };
        gen_member_of *member =
            members->count ? bsearch(&key, members->items, members->count, sizeof key, compare_ids)
                           : NULL;
        if (member && member->field->need != FRUGAL_NEED_UNKNOWN) {
            member->written = f;
            member->type    = f->type;
        }
    }
}

/* In C++ a member's name hides a type of that name from the members behind it, and a macro is one
 * everywhere. The names of containers are not known before they are written, so they are seen by
 * how they begin: a member's name must not depend on what was written before. */
static bool hides_a_type(const gen *g, const gen_record *record, const char *name)
{
    const gen_claim *claim = gen_map_get(&g->claims, name, strlen(name));
    if (claim && claim->place.line)
        return true;
    const char *prefix = g->prefixes[record->file->index];
    size_t      len    = strlen(prefix);
    if (strncmp(name, prefix, len) != 0 || name[len] != '_')
        return false;
    return strstr(name + len, "_list_") || strstr(name + len, "_set_")
           || strstr(name + len, "_map_");
}

/* What is no field of the file's gets a name of ours. */
static void name_member(gen *g, const gen_record *record, gen_map *taken, gen_member_of *member)
{
    const idl_field *f = member->written;
    const char *text   = member->field->need == FRUGAL_NEED_UNKNOWN ? KEEPER : member->field->name;
    char       *name   = gen_member(g->arena, (frugal_str){ text, strlen(text) });
    if (!name) {
        gen_fail_nomem(g);
        return;
    }
    size_t len      = strlen(name);
    bool   is_which = record->type->is_union && strcmp(name, GEN_WHICH) == 0;
    if (is_which || hides_a_type(g, record, name)) {
        char *longer = gen_zeroed(g, len + 2);
        if (!longer)
            return;
        memcpy(longer, name, len);
        longer[len] = '_';
        name        = longer;
    }
    gen_claim mine = {
        "field", { text, strlen(text) }, record->file, f ? f->name.place : record->place
    };
    gen_check_length(g, &mine);
    const gen_claim *first = gen_claim_name(taken, g->arena, name, &mine);
    if (!first)
        gen_fail_nomem(g);
    else if (first != &mine)
        gen_fail(g, FRUGAL_DESCRIPTOR, mine.file, mine.place,
                 "field %.40s would be %.40s in C, as is field %.40s (line %u)", text, name,
                 first->name.ptr, (unsigned)first->place.line);
    member->name = name;
}

static void fill(gen *g, const gen_record *record, gen_members *members)
{
    const frugal_struct *type  = record->type;
    gen_map              taken = { 0 };
    if (type->field_count == 0)
        return;
    members->items = frugal_arena_items(g->arena, type->field_count, sizeof *members->items);
    if (!members->items) {
        gen_fail_nomem(g);
        return;
    }
    members->count = type->field_count;
    for (uint32_t i = 0; i < members->count; i++) {
        members->items[i].field = &type->fields[i];
        if (record->result && type->fields[i].id == 0)
            members->items[i].type = record->result;
    }
    qsort(members->items, members->count, sizeof *members->items, compare_ids);
    join_written(record, members);
    qsort(members->items, members->count, sizeof *members->items, compare_places);
    for (uint32_t i = 0; i < members->count && !g->status; i++)
        name_member(g, record, &taken, &members->items[i]);
}

const gen_members *gen_members_of(gen *g, gen_record *record)
{
    if (!record->members && !g->status) {
        gen_members *members = gen_zeroed(g, sizeof *members);
        if (members)
            fill(g, record, members);
        record->members = g->status ? NULL : members;
    }
    return record->members;
}
