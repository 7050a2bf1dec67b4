/* cli/cmd_gen.c - frugal gen: C headers and tables. Nothing is written before all of it has been
 * made, and each file appears whole or not at all. One that cannot be written ends the command;
 * those that were written before it stay. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "gen/gen.h"
#include "idl/idl.h"

static const cli_option folder = {
    .letter       = 'o',
    .name         = "output",
    .value        = "DIR",
    .names_folder = true,
    .help         = "the folder to write to, which exists; the current one without it",
};
static const cli_option prefix = {
    .name  = "prefix",
    .value = "P",
    .help  = "what names begin with, instead of `namespace c` or the file's name",
};
static const cli_option names = {
    .name    = "names",
    .value   = "HOW",
    .choices = "snake|idl",
    .help    = "prefix_line_item, or prefix_LineItem as in the IDL",
};
static const cli_option no_tables = {
    .name = "no-tables",
    .help = "structs alone: a header, no C file",
};
static const cli_option recursive = {
    .letter = 'r',
    .name   = "recursive",
    .help   = "the included files, too",
};
static const cli_option depfile = {
    .name       = "depfile",
    .value      = "FILE",
    .names_file = true,
    .help       = "write a rule for make there: what the written files depend on",
};
static const cli_option *const options[] = { &folder,       &prefix,    &names,
                                             &no_tables,    &recursive, &cli_include,
                                             &cli_auto_ids, &depfile,   NULL };

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct writing {
    const char *folder;
    frugal_buf  targets; /* of the rule: the paths written, each behind a space */
    cli_exit    result;
} writing;

/* As make reads it. */
static frugal_status put_path(frugal_buf *rule, const char *path)
{
    frugal_status status = frugal_buf_append(rule, " ", 1);
    for (; *path && status == FRUGAL_OK; path++) {
        const char *escape = *path == '$' ? "$" : strchr(" \t#", *path) ? "\\" : "";
        status             = frugal_buf_append(rule, escape, strlen(escape));
        if (status == FRUGAL_OK)
            status = frugal_buf_append(rule, path, 1);
    }
    return status;
}

static cli_exit write_text(const char *path, frugal_str text)
{
    cli_output *output = NULL;
    cli_exit    result = cli_output_open(path, &output);
    if (result == CLI_DONE)
        result = cli_output_put(output, text.ptr, text.len);
    return cli_output_close(output, result);
}

/* What goes wrong is said here, so `error` stays as it is. */
static frugal_status take(const char *name, frugal_str text, void *context, frugal_error *error)
{
    writing *w    = context;
    size_t   size = strlen(w->folder) + strlen(name) + 2;
    char    *path = malloc(size);
    (void)error;
    if (path == NULL) {
        w->result = cli_say_memory();
        return FRUGAL_NOMEM;
    }
    path[0] = '\0';
    if (strcmp(w->folder, ".") != 0)
        strcat(strcat(path, w->folder), "/");
    strcat(path, name);
    w->result = write_text(path, text);
    if (w->result == CLI_DONE && put_path(&w->targets, path) != FRUGAL_OK)
        w->result = cli_say_memory();
    free(path);
    return w->result == CLI_DONE ? FRUGAL_OK : FRUGAL_IO;
}

/* "targets: files of the schema". */
static cli_exit write_rule(const cli_args *args, const frugal_schema *schema, writing *w)
{
    frugal_status status = frugal_buf_append(&w->targets, ":", 1);
    for (const idl_file *file = idl_schema_files(schema); file && !status; file = file->next)
        status = put_path(&w->targets, file->path.ptr);
    if (status == FRUGAL_OK)
        status = frugal_buf_append(&w->targets, "\n", 1);
    if (status != FRUGAL_OK)
        return cli_say_memory();
    frugal_str rule = { (const char *)w->targets.data + 1, w->targets.size - 1 }; /* no space */
    return write_text(cli_value(args, &depfile), rule);
}

/* ---- one IDL -------------------------------------------------------------------------------- */

static cli_exit say_failure(const cli_args *args, const frugal_error *error)
{
    if (error->status == FRUGAL_INVALID)
        return cli_say_usage(args->command, "%s", error->message);
    if (error->line)
        return cli_say("%s:%u:%u: %s", error->path, (unsigned)error->line, (unsigned)error->column,
                       error->message);
    return cli_say("%s", error->message);
}

static cli_exit write_all(const cli_args *args, const frugal_schema *schema)
{
    const char  *where = cli_value(args, &folder);
    writing      w     = { .folder = where ? where : "." };
    gen_options  how   = { .prefix     = cli_value(args, &prefix),
                           .keep_names = cli_choice(args, &names) == 1,
                           .no_tables  = cli_given(args, &no_tables),
                           .recursive  = cli_given(args, &recursive) };
    gen_sink     sink  = { take, &w };
    frugal_error error = { 0 };
    frugal_buf_init(&w.targets, NULL, 0, NULL);
    frugal_status status = gen_write(schema, &how, &sink, &error);
    cli_exit      result = w.result;
    if (status != FRUGAL_OK && result == CLI_DONE)
        result = say_failure(args, &error);
    if (result == CLI_DONE && cli_given(args, &depfile))
        result = write_rule(args, schema, &w);
    frugal_buf_release(&w.targets);
    return result;
}

static void say_finding(const frugal_report *report, void *context)
{
    bool *said = context;
    if (!report->is_warning) {
        cli_say_report(report);
        *said = true;
    }
}

static cli_exit run(const cli_args *args)
{
    bool                  said     = false;
    const char           *path     = cli_operand(args, 0);
    frugal_schema        *schema   = NULL;
    frugal_error          error    = { 0 };
    frugal_schema_options settings = { .report = say_finding, .report_context = &said };
    cli_exit              result   = cli_idl_options(args, &settings);
    if (result != CLI_DONE)
        return result;
    frugal_status status = frugal_schema_load(path, &settings, &schema, &error);
    if (status != FRUGAL_OK && said)
        return CLI_FAULT;
    if (status != FRUGAL_OK)
        return cli_say("%s: %s", path,
                       error.message[0] ? error.message : frugal_status_text(status));
    result = write_all(args, schema);
    frugal_schema_free(schema);
    return result;
}

static const cli_example examples[] = {
    { "frugal gen echo.thrift", "echo.h and echo.c, here" },
    { "frugal gen -r -I idl -o build idl/api.thrift", "of api.thrift and all that it includes" },
    { NULL, NULL },
};

const cli_command cli_gen = {
    .name     = "gen",
    .summary  = "C structs and field tables from an IDL",
    .operands = "FILE",
    .about = "Writes NAME.h with plain C structs, enums and constants, and NAME.c with the tables "
             "that describe them: no code to encode or decode, which the library does from the "
             "tables. Memory is laid out as it is for an IDL that is loaded at run time.\n\n"
             "Includes become includes: each file of the IDL is written by a command of its own, "
             "or all by --recursive. Names begin with `namespace c` of the file, else with its "
             "name; --prefix is for the named file alone. The same input gives the same bytes.",
    .examples     = examples,
    .options      = options,
    .operands_min = 1,
    .operands_max = 1,
    .run          = run,
};
