/* gen/gen.c - all files of one run, one after the other. */
#include "gen/gen.h"

#include <string.h>

#include "core/status.h"
#include "gen/header.h"
#include "gen/tables.h"
#include "gen/unit.h"
#include "idl/idl.h"

typedef void writer(gen *g);

/* A file that is done, and waits until all are: a failure leaves nothing half written. */
typedef struct finished {
    struct finished *next;
    const char      *name;
    gen_text         text;
} finished;

typedef struct run {
    gen        g;
    finished  *first;
    finished **end;
} run;

static void write_into(run *r, const char *extension, writer *write)
{
    gen      *g    = &r->g;
    finished *file = gen_zeroed(g, sizeof *file);
    if (!file)
        return;
    file->name = gen_file_name(g, g->file, extension);
    gen_text_init(&file->text, g->options->allocator, &g->left);
    *r->end = file;
    r->end  = &file->next;
    g->out  = &file->text;
    if (file->name)
        write(g);
    gen_failed(g);
    g->out = NULL;
}

static void write_file(run *r, const idl_file *file)
{
    r->g.file      = file;
    r->g.waiting   = NULL;
    r->g.number    = 0;
    r->g.constants = 0;
    write_into(r, ".h", gen_write_header);
    if (!r->g.status && !r->g.options->no_tables)
        write_into(r, ".c", gen_write_tables);
}

static void write_all(run *r, const gen_sink *sink)
{
    gen *g = &r->g;
    gen_name_all(g);
    for (const idl_file *file = g->files; file && !g->status; file = file->next) {
        write_file(r, file);
        if (!g->options->recursive)
            break;
    }
    for (finished *file = r->first; file; file = file->next) {
        frugal_str whole = { (const char *)file->text.buf.data, file->text.buf.size };
        if (!g->status)
            g->status = sink->write(file->name, whole, sink->context, g->error);
        gen_text_release(&file->text);
    }
}

frugal_status gen_write(const frugal_schema *schema, const gen_options *options,
                        const gen_sink *sink, frugal_error *error)
{
    static const gen_options defaults = { 0 };
    if (!schema || !sink || !sink->write)
        return error_set(error, FRUGAL_INVALID, "the schema or the sink is NULL");
    run r     = { .g = { .options = options ? options : &defaults,
                         .error   = error,
                         .files   = idl_schema_files(schema) } };
    r.g.left  = gen_size_max(&r.g);
    r.end     = &r.first;
    r.g.arena = frugal_arena_new(&(frugal_arena_options){ .allocator = r.g.options->allocator });
    if (!r.g.arena)
        return error_set(error, FRUGAL_NOMEM, "%s", frugal_status_text(FRUGAL_NOMEM));
    write_all(&r, sink);
    frugal_arena_free(r.g.arena);
    return r.g.status;
}
