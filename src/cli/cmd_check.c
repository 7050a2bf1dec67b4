/* cli/cmd_check.c - frugal check: every error and warning of IDL files. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "json/scan.h"

static const cli_option format = {
    .name    = "format",
    .value   = "F",
    .choices = "text|json",
    .help    = "one finding a line, for people or (an object each) for editors",
};
static const cli_option *const options[] = { &cli_include, &cli_auto_ids, &format, NULL };

typedef struct checker {
    cli_output *output;
    bool        json;
    bool        errors; /* there were some */
    cli_exit    result; /* of writing */
} checker;

/* ---- a finding ------------------------------------------------------------------------------ */

static void put(checker *c, const char *text, size_t size)
{
    if (c->result == CLI_DONE)
        c->result = cli_output_put(c->output, text, size);
}

static void put_string(checker *c, const char *key, const char *text, size_t len)
{
    frugal_buf quoted;
    put(c, key, strlen(key));
    frugal_buf_init(&quoted, NULL, 0, NULL);
    if (c->result == CLI_DONE)
        c->result =
            json_put_string(&quoted, (frugal_str){ text, len }) ? cli_say_memory() : CLI_DONE;
    put(c, (const char *)quoted.data, quoted.size);
    frugal_buf_release(&quoted);
}

static void put_number(checker *c, const char *key, uint32_t value)
{
    char text[40];
    int  len = snprintf(text, sizeof text, "%s%u", key, (unsigned)value);
    put(c, text, (size_t)len);
}

static void put_json(checker *c, const frugal_report *report)
{
    const char *file = report->file ? report->file : "";
    put_string(c, "{\"file\":", file, strlen(file));
    put_number(c, ",\"line\":", report->line);
    put_number(c, ",\"column\":", report->column);
    const char *severity = report->is_warning ? "warning" : "error";
    put_string(c, ",\"severity\":", severity, strlen(severity));
    put_string(c, ",\"word\":", report->word.ptr, report->word.len);
    put_string(c, ",\"message\":", report->message, strlen(report->message));
    put(c, "}\n", 2);
}

static void take(const frugal_report *report, void *context)
{
    checker *c = context;
    c->errors |= !report->is_warning;
    if (c->json)
        put_json(c, report);
    else
        cli_say_report(report);
}

/* ---- the files ------------------------------------------------------------------------------ */

static void check_file(checker *c, const char *path, frugal_schema_options *settings)
{
    frugal_schema *schema;
    frugal_error   error;
    bool           before = c->errors;
    c->errors             = false;
    frugal_status status  = frugal_schema_load(path, settings, &schema, &error);
    /* What no report told, such as a lack of memory. */
    if (status != FRUGAL_OK && !c->errors) {
        const char *message = error.message[0] ? error.message : frugal_status_text(status);
        take(&(frugal_report){ .status = status, .file = path, .message = message }, c);
    }
    c->errors |= before;
    frugal_schema_free(schema);
}

static cli_exit run(const cli_args *args)
{
    checker               c        = { .json = cli_choice(args, &format) == 1 };
    frugal_schema_options settings = { .report = take, .report_context = &c };
    cli_exit              result   = cli_idl_options(args, &settings);
    if (result == CLI_DONE)
        result = cli_output_open(NULL, &c.output);
    for (size_t i = 0; i < args->operand_count && result == CLI_DONE; i++) {
        check_file(&c, args->operands[i], &settings);
        result = c.result;
    }
    result = cli_output_close(c.output, result);
    return result == CLI_DONE && c.errors ? CLI_FAULT : result;
}

static const cli_example examples[] = {
    { "frugal check echo.thrift", "all that is wrong with it" },
    { "frugal check -I idl --format json idl/*.thrift", "for an editor" },
    { NULL, NULL },
};

const cli_command cli_check = {
    .name     = "check",
    .summary  = "all errors and warnings of IDL files",
    .operands = "FILE...",
    .about    = "Reads each file and what it includes, and prints every error and warning with its "
                "place on a line of its own: as text on standard error, as JSON on standard "
                "output. The exit code is 1 when there is an error; warnings alone are 0.",
    .examples = examples,
    .options  = options,
    .operands_min = 1,
    .operands_max = 65536,
    .run          = run,
};
