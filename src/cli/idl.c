/* cli/idl.c - loading the IDL that the options name, and finding in it what they name. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

#define INCLUDE_DIRS_MAX 256

/* ---- loading -------------------------------------------------------------------------------- */

cli_exit cli_say_report(const frugal_report *report)
{
    const char *severity = report->is_warning ? "warning: " : "";
    if (report->file == NULL)
        return cli_say("%s%s", severity, report->message);
    if (report->line == 0)
        return cli_say("%s: %s%s", report->file, severity, report->message);
    return cli_say("%s:%u:%u: %s%s", report->file, (unsigned)report->line, (unsigned)report->column,
                   severity, report->message);
}

static void say_error(const frugal_report *report, void *context)
{
    bool *said = context;
    if (!report->is_warning) {
        cli_say_report(report);
        *said = true;
    }
}

cli_exit cli_idl_options(const cli_args *args, frugal_schema_options *options)
{
    static const char *dirs[INCLUDE_DIRS_MAX];
    size_t             count = 0;
    for (const char *dir; (dir = cli_value_at(args, &cli_include, count)) != NULL;) {
        if (count == INCLUDE_DIRS_MAX)
            return cli_say_usage(args->command, "more than %d folders for includes",
                                 INCLUDE_DIRS_MAX);
        struct stat about;
        if (stat(dir, &about) != 0)
            cli_say("warning: -I %s: %s", dir, strerror(errno));
        else if (!S_ISDIR(about.st_mode))
            cli_say("warning: -I %s: is no folder", dir);
        dirs[count++] = dir;
    }
    options->include_dirs      = dirs;
    options->include_dir_count = count;
    options->auto_ids =
        cli_choice(args, &cli_auto_ids) ? FRUGAL_AUTO_IDS_THRIFTGO : FRUGAL_AUTO_IDS_APACHE;
    return CLI_DONE;
}

cli_exit cli_idl_load(const cli_args *args, bool needed, bool presence, bool keep_unknown,
                      frugal_schema **schema)
{
    bool                  said    = false;
    const char           *path    = cli_value(args, &cli_idl);
    frugal_schema_options options = { .presence       = presence,
                                      .keep_unknown   = keep_unknown,
                                      .report         = say_error,
                                      .report_context = &said };
    frugal_error          error;
    *schema         = NULL;
    cli_exit result = cli_idl_options(args, &options);
    if (result != CLI_DONE)
        return result;
    if (path == NULL)
        return needed ? cli_say_usage(args->command, "needs an IDL: --idl FILE") : CLI_DONE;
    if (frugal_schema_load(path, &options, schema, &error) == FRUGAL_OK)
        return CLI_DONE;
    if (said)
        return CLI_FAULT;
    /* It failed without a word of a text: the path of the error is the file. */
    char file[sizeof error.path];
    strcpy(file, error.path);
    error.path[0] = 0;
    return cli_say_text(file[0] ? file : path, &error);
}

/* ---- finding -------------------------------------------------------------------------------- */

static cli_exit say_no_type(const cli_args *args, const frugal_schema *schema, const char *name)
{
    const char *path  = cli_value(args, &cli_idl);
    unsigned    count = 0;
    cli_guess   guess;
    cli_guess_start(&guess, name);
    const frugal_struct *type;
    for (size_t i = 0; (type = frugal_schema_struct_at(schema, i)) != NULL; i++) {
        cli_guess_feed(&guess, type->name);
        count += strcmp(type->name, name) == 0;
    }
    if (count > 1)
        return cli_say("%s: %u files have a type \"%s\"; say which: file.%s", path, count, name,
                       name);
    if (frugal_schema_service(schema, name))
        return cli_say("%s: %s is a service, not a type: -s %s", path, name, name);
    if (frugal_schema_enum(schema, name))
        return cli_say("%s: %s is an enum; --type is for structs, unions and exceptions", path,
                       name);
    if (guess.best)
        return cli_say("%s: no type \"%s\"; did you mean %s?", path, name, guess.best);
    return cli_say("%s: no type \"%s\"", path, name);
}

cli_exit cli_idl_type(const cli_args *args, const frugal_schema *schema, const frugal_struct **type)
{
    const char *name = cli_value(args, &cli_type);
    *type            = frugal_schema_struct(schema, name);
    return *type ? CLI_DONE : say_no_type(args, schema, name);
}
