/* gen/unit.c - names for everything, before anything is written.
 *
 * Names of all files are claimed in one table, because headers include each other. */
#include "gen/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"

/* ---- errors and memory ---------------------------------------------------------------------- */

/* The end of a path that is too long: there it says which file it is. */
static frugal_str path_end(frugal_str path, size_t max)
{
    size_t cut = path.len > max ? path.len - max : 0;
    while (cut && cut < path.len && (path.ptr[cut] & 0xC0) == 0x80)
        cut++;
    return (frugal_str){ path.ptr + cut, path.len - cut };
}

void gen_fail(gen *g, frugal_status status, const idl_file *file, idl_place place,
              const char *format, ...)
{
    char    message[160];
    va_list args;
    if (g->status)
        return;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    g->status = error_set(g->error, status, "%s", message);
    if (g->error && file) {
        path_builder path;
        path_init(&path);
        frugal_str end =
            path_end(file->path, sizeof path.text - 4); /* room for the mark of a cut */
        path_prepend(&path, end.ptr, end.len);
        if (end.len < file->path.len)
            path_prepend(&path, file->path.ptr, sizeof path.text);
        path_finish(&path, g->error);
        g->error->line   = place.line;
        g->error->column = place.column;
    }
}

void gen_fail_nomem(gen *g)
{
    gen_fail(g, FRUGAL_NOMEM, NULL, (idl_place){ 0 }, "%s", frugal_status_text(FRUGAL_NOMEM));
}

size_t gen_size_max(const gen *g)
{
    return g->options->size_max ? g->options->size_max : GEN_SIZE_MAX;
}

bool gen_failed(gen *g)
{
    if (!g->status && g->out && g->out->status == FRUGAL_NOMEM)
        gen_fail_nomem(g);
    else if (!g->status && g->out && g->out->status)
        gen_fail(g, g->out->status, g->file, (idl_place){ 0 }, "more than %zu bytes of C",
                 gen_size_max(g));
    return g->status != FRUGAL_OK;
}

void *gen_zeroed(gen *g, size_t size)
{
    void *memory = frugal_arena_items(g->arena, 1, size);
    if (!memory)
        gen_fail_nomem(g);
    return memory;
}

/* ---- things by pointer ---------------------------------------------------------------------- */

static void add_thing(gen *g, const void *pointer, void *thing)
{
    void **place = gen_map_add(&g->things, g->arena, &pointer, sizeof pointer);
    if (place)
        *place = thing;
    else
        gen_fail_nomem(g);
}

static void *thing_of(const gen *g, const void *pointer)
{
    return gen_map_get(&g->things, &pointer, sizeof pointer);
}

gen_record *gen_record_of(const gen *g, const frugal_struct *type)
{
    return thing_of(g, type);
}

gen_enum *gen_enum_of(const gen *g, const frugal_enum *type)
{
    return thing_of(g, type);
}

gen_service *gen_service_of(const gen *g, const frugal_service *type)
{
    return thing_of(g, type);
}

gen_typedef *gen_typedef_of(const gen *g, const idl_definition *definition)
{
    return thing_of(g, definition);
}

const char *gen_const_of(const gen *g, const idl_definition *definition)
{
    return thing_of(g, definition);
}

/* ---- claims --------------------------------------------------------------------------------- */

/* A name in the arena, or NULL after a failure. */
static const char *kept(gen *g, const char *name)
{
    if (!name)
        gen_fail_nomem(g);
    return name;
}

char *gen_name(const gen *g, const char *prefix, frugal_str name, gen_case to)
{
    return gen_join(g->arena, prefix, name, g->options->keep_names ? GEN_AS_WRITTEN : to);
}

/* Of a name in a message, which has an end. */
static int shown_len(frugal_str name)
{
    return name.len < 40 ? (int)name.len : 40;
}

void gen_check_length(gen *g, const gen_claim *mine)
{
    if (mine->name.len > GEN_NAME_MAX)
        gen_fail(g, FRUGAL_DESCRIPTOR, mine->file, mine->place,
                 "the name of %s %.*s... has %zu bytes; in C it may have %u", mine->what,
                 shown_len(mine->name), mine->name.ptr, mine->name.len, GEN_NAME_MAX);
}

static void claim(gen *g, const char *c_name, const gen_claim *mine)
{
    gen_check_length(g, mine);
    if (!c_name || g->status)
        return;
    const gen_claim *first = gen_claim_name(&g->claims, g->arena, c_name, mine);
    if (!first) {
        gen_fail_nomem(g);
    } else if (first != mine) {
        bool       here  = first->file == mine->file;
        frugal_str where = path_end(first->file->path, 48);
        gen_fail(g, FRUGAL_DESCRIPTOR, mine->file, mine->place,
                 "%s %.*s would be %s in C, as is %s %.*s (%s%sline %u)", mine->what,
                 shown_len(mine->name), mine->name.ptr, c_name, first->what, shown_len(first->name),
                 first->name.ptr, here ? "" : where.ptr, here ? "" : ", ",
                 (unsigned)first->place.line);
    }
}

/* Joins and claims. */
static const char *claim_joined(gen *g, const char *prefix, gen_case to, const gen_claim *mine)
{
    if (g->status)
        return NULL;
    const char *name = kept(g, gen_name(g, prefix, mine->name, to));
    claim(g, name, mine);
    return g->status ? NULL : name;
}

static gen_claim claim_of(const char *what, const idl_definition *d)
{
    return (gen_claim){ what, d->name.text, d->file, d->name.place };
}

/* "a" and "b" as "ab", for names that are made of a name. */
static const char *with_end(gen *g, const char *name, const char *end)
{
    size_t len  = strlen(name);
    char  *both = gen_zeroed(g, len + strlen(end) + 1);
    if (both) {
        memcpy(both, name, len);
        memcpy(both + len, end, strlen(end) + 1);
    }
    return both;
}

/* ---- definitions ---------------------------------------------------------------------------- */

static void add_record(gen *g, const gen_record *record)
{
    gen_record *copy = g->status ? NULL : gen_zeroed(g, sizeof *copy);
    if (!copy)
        return;
    *copy = *record;
    add_thing(g, record->type, copy);
}

/* A union's arms have constants, to compare `which` with. */
static void claim_arms(gen *g, const idl_definition *d, const char *name)
{
    for (const idl_field *f = d->fields; f && !g->status; f = f->next) {
        gen_claim mine = { "arm", f->name.text, d->file, f->name.place };
        claim_joined(g, name, GEN_UPPER, &mine);
    }
}

static void name_record(gen *g, const idl_definition *d, const char *prefix)
{
    const char *what = d->kind == IDL_UNION       ? "union"
                       : d->kind == IDL_EXCEPTION ? "exception"
                                                  : "struct";
    gen_claim   mine = claim_of(what, d);
    const char *name = claim_joined(g, prefix, GEN_LOWER, &mine);
    if (!name)
        return;
    add_record(g, &(gen_record){ .type   = d->record,
                                 .name   = name,
                                 .file   = d->file,
                                 .fields = d->fields,
                                 .doc    = d->doc,
                                 .place  = d->name.place });
    if (d->kind == IDL_UNION)
        claim_arms(g, d, name);
}

static void name_enum(gen *g, const idl_definition *d, const char *prefix)
{
    gen_claim   mine = claim_of("enum", d);
    const char *name = claim_joined(g, prefix, GEN_LOWER, &mine);
    gen_enum   *copy = name ? gen_zeroed(g, sizeof *copy) : NULL;
    if (!copy)
        return;
    *copy = (gen_enum){ .type       = d->names,
                        .name       = name,
                        .upper      = kept(g, gen_name(g, prefix, d->name.text, GEN_UPPER)),
                        .file       = d->file,
                        .definition = d };
    add_thing(g, d->names, copy);
    for (const idl_enum_item *item = d->items; item && !g->status; item = item->next) {
        gen_claim of_item = { "item", item->name.text, d->file, item->name.place };
        claim_joined(g, copy->upper, GEN_UPPER, &of_item);
    }
}

static void name_typedef(gen *g, const idl_definition *d, const char *prefix)
{
    gen_claim    mine = claim_of("typedef", d);
    const char  *name = claim_joined(g, prefix, GEN_LOWER, &mine);
    gen_typedef *copy = name ? gen_zeroed(g, sizeof *copy) : NULL;
    if (!copy)
        return;
    *copy = (gen_typedef){ .name = name, .file = d->file };
    add_thing(g, d, copy);
}

bool gen_const_is_macro(const idl_definition *d)
{
    switch (d->lowered_type->kind) {
    case FRUGAL_KIND_STRING: return ((const frugal_str *)d->lowered_value)->len <= GEN_LITERAL_MAX;
    case FRUGAL_KIND_BINARY:
    case FRUGAL_KIND_STRUCT:
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return false;
    default: return true;
    }
}

static void name_const(gen *g, const idl_definition *d, const char *prefix)
{
    gen_claim   mine = claim_of("const", d);
    gen_case    to   = gen_const_is_macro(d) ? GEN_UPPER : GEN_LOWER;
    const char *name = claim_joined(g, prefix, to, &mine);
    if (name)
        add_thing(g, d, (void *)(uintptr_t)name);
}

/* ---- services ------------------------------------------------------------------------------- */

static void name_part(gen *g, const idl_definition *d, const idl_function *f, const char *name,
                      bool is_result)
{
    const frugal_struct *type   = is_result ? f->lowered_result : f->lowered_args;
    const char          *c_name = type ? with_end(g, name, is_result ? "_result" : "_args") : NULL;
    if (!c_name || g->status)
        return;
    gen_claim mine = { is_result ? "the result of" : "the arguments of", f->name.text, d->file,
                       f->name.place };
    claim(g, c_name, &mine);
    add_record(g, &(gen_record){ .type   = type,
                                 .name   = c_name,
                                 .file   = d->file,
                                 .fields = is_result ? f->throws : f->args,
                                 .result = is_result ? f->result : NULL,
                                 .doc    = is_result ? (frugal_str){ NULL, 0 } : f->doc,
                                 .place  = f->name.place });
}

static void name_service(gen *g, const idl_definition *d, const char *prefix)
{
    gen_claim    mine = claim_of("service", d);
    gen_service *copy = gen_zeroed(g, sizeof *copy);
    const char  *name = kept(g, gen_name(g, prefix, d->name.text, GEN_LOWER));
    if (!copy || !name)
        return;
    *copy = (gen_service){ d->service, name };
    add_thing(g, d->service, copy);
    claim(g, with_end(g, name, "_pretouch"), &mine);
    for (const idl_function *f = d->functions; f && !g->status; f = f->next) {
        const char *method = kept(g, gen_name(g, name, f->name.text, GEN_LOWER));
        if (method)
            name_part(g, d, f, method, false);
        if (method)
            name_part(g, d, f, method, true);
    }
}

/* ---- files ---------------------------------------------------------------------------------- */

static void name_definition(gen *g, const idl_definition *d, const char *prefix)
{
    switch (d->kind) {
    case IDL_CONST: name_const(g, d, prefix); return;
    case IDL_TYPEDEF: name_typedef(g, d, prefix); return;
    case IDL_ENUM: name_enum(g, d, prefix); return;
    case IDL_STRUCT:
    case IDL_UNION:
    case IDL_EXCEPTION: name_record(g, d, prefix); return;
    case IDL_SERVICE: name_service(g, d, prefix); return;
    }
}

const char *gen_file_name(gen *g, const idl_file *file, const char *extension)
{
    char *name = gen_zeroed(g, file->prefix.len + strlen(extension) + 2);
    if (!name)
        return NULL;
    for (size_t i = 0; i < file->prefix.len; i++) {
        char c    = file->prefix.ptr[i];
        bool safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
                    || c == '-' || (c == '.' && i > 0);
        name[i] = safe ? c : '_';
    }
    strcat(name, file->prefix.len ? extension : "x");
    if (file->prefix.len == 0)
        strcat(name, extension);
    return name;
}

const char *gen_guard_of(gen *g, const idl_file *file)
{
    const char      *prefix = g->prefixes[file->index];
    const char      *words  = kept(g, gen_words(g->arena, file->prefix, GEN_LOWER));
    const frugal_str end    = { "thrift_h", 8 };
    const char      *both   = words;
    if (words && strcmp(words, prefix) != 0)
        both = kept(g, gen_join(g->arena, prefix, (frugal_str){ words, strlen(words) }, GEN_UPPER));
    return both ? kept(g, gen_join(g->arena, both, end, GEN_UPPER)) : NULL;
}

/* Headers of C, and those that a C library includes from these. A file of such a name, found first
 * because of -I, would be read by them in place of the system's. Without ".h", sorted. */
static const char *const system_headers[] = {
    "alloca",  "assert",      "complex",     "ctype",     "endian",   "errno",   "features",
    "fenv",    "float",       "inttypes",    "iso646",    "limits",   "locale",  "math",
    "pthread", "sched",       "setjmp",      "signal",    "stdalign", "stdarg",  "stdatomic",
    "stdbit",  "stdbool",     "stdc-predef", "stdckdint", "stddef",   "stdint",  "stdio",
    "stdlib",  "stdnoreturn", "string",      "strings",   "tgmath",   "threads", "time",
    "uchar",   "unistd",      "wchar",       "wctype",
};

static bool is_system_header(frugal_str name)
{
    for (size_t i = 0; i < sizeof system_headers / sizeof system_headers[0]; i++)
        if (strlen(system_headers[i]) == name.len
            && memcmp(system_headers[i], name.ptr, name.len) == 0)
            return true;
    return false;
}

static bool is_c_name(const char *name)
{
    static const char in_names[] =
        "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return name[0] != '\0' && !strchr("0123456789", name[0])
           && name[strspn(name, in_names)] == '\0';
}

/* Names that begin with frugal_ or FRUGAL_ are the library's. */
static bool is_ours(const char *prefix)
{
    return (strncmp(prefix, "frugal", 6) == 0 || strncmp(prefix, "FRUGAL", 6) == 0)
           && (prefix[6] == '_' || prefix[6] == '\0');
}

static const char *prefix_of(gen *g, const idl_file *file)
{
    if (file == g->files && g->options->prefix) {
        if (!is_c_name(g->options->prefix))
            gen_fail(g, FRUGAL_INVALID, NULL, (idl_place){ 0 }, "the prefix %.60s is no name in C",
                     g->options->prefix);
        else if (g->options->prefix[0] == '_')
            gen_fail(g, FRUGAL_INVALID, NULL, (idl_place){ 0 },
                     "the prefix %.60s begins with _, as names of C's own do", g->options->prefix);
        else if (strlen(g->options->prefix) > GEN_NAME_MAX)
            gen_fail(g, FRUGAL_INVALID, NULL, (idl_place){ 0 },
                     "the prefix %.40s... has %zu bytes; it may have %u", g->options->prefix,
                     strlen(g->options->prefix), GEN_NAME_MAX);
        return g->options->prefix;
    }
    for (const idl_namespace *space = file->namespaces; space; space = space->next)
        if (space->scope.text.len == 1 && space->scope.text.ptr[0] == 'c')
            return kept(g, gen_words(g->arena, space->name.text, GEN_LOWER));
    return kept(g, gen_words(g->arena, file->prefix, GEN_LOWER));
}

static void name_file(gen *g, const idl_file *file)
{
    const idl_place start  = { 1, 1 };
    const char     *header = gen_file_name(g, file, ".h");
    const char     *prefix = prefix_of(g, file);
    if (!header || !prefix || g->status)
        return;
    if (is_ours(prefix))
        gen_fail(g, FRUGAL_DESCRIPTOR, file, start,
                 "names that begin with %.40s_ are the library's: choose others with `namespace c` "
                 "or a prefix",
                 prefix);
    if (is_system_header(file->prefix))
        gen_fail(g, FRUGAL_DESCRIPTOR, file, start,
                 "%s would be read in place of C's own <%s>: give the IDL another name", header,
                 header);
    gen_claim mine           = { "file", file->prefix, file, start };
    g->prefixes[file->index] = prefix;
    claim(g, header, &mine);
    claim(g, gen_guard_of(g, file), &mine);
}

void gen_name_all(gen *g)
{
    uint32_t count = 0;
    for (const idl_file *file = g->files; file; file = file->next)
        count = file->index >= count ? file->index + 1 : count;
    g->prefixes = gen_zeroed(g, count * sizeof *g->prefixes);
    for (const idl_file *file = g->files; file && !g->status; file = file->next)
        name_file(g, file);
    for (const idl_file *file = g->files; file && !g->status; file = file->next)
        for (const idl_definition *d = file->definitions; d && !g->status; d = d->next)
            name_definition(g, d, g->prefixes[file->index]);
}
