/* cli/cmd_check.c - frugal check: every error and warning of IDL files. */
#include <stdio.h>
#include <stdlib.h>
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

/* A report that is kept, with texts of its own. */
typedef struct finding {
    frugal_report report;
    char         *texts; /* file, word and message, a zero behind each */
    size_t        file;  /* which, in the order in which they came */
    size_t        index;
} finding;

typedef struct checker {
    cli_output *output;
    bool        json;
    bool        errors; /* there were some */
    cli_exit    result; /* of writing, of keeping */
    finding    *all;    /* of one file and its includes */
    size_t      count, capacity;
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

static void show(checker *c, const frugal_report *report)
{
    if (c->json)
        put_json(c, report);
    else
        cli_say_report(report);
}

/* ---- in the order of lines ------------------------------------------------------------------- */

static bool make_room(checker *c)
{
    if (c->count < c->capacity)
        return true;
    size_t   capacity = c->capacity ? 2 * c->capacity : 16;
    finding *all      = realloc(c->all, capacity * sizeof *all);
    if (all == NULL)
        return false;
    c->all      = all;
    c->capacity = capacity;
    return true;
}

static size_t file_index(const checker *c, const char *file)
{
    for (size_t i = 0; i < c->count; i++) {
        const char *other = c->all[i].report.file;
        if (file == other || (file && other && strcmp(file, other) == 0))
            return c->all[i].file;
    }
    return c->count;
}

/* The texts of a report live as long as the call. */
static bool copy_texts(finding *f)
{
    const char *file     = f->report.file ? f->report.file : "";
    size_t      file_len = strlen(file), len = strlen(f->report.message);
    f->texts = malloc(file_len + f->report.word.len + len + 3);
    if (f->texts == NULL)
        return false;
    char *word = memcpy(f->texts, file, file_len + 1), *message;
    word += file_len + 1;
    if (f->report.word.len)
        memcpy(word, f->report.word.ptr, f->report.word.len);
    message           = word + f->report.word.len;
    f->report.file    = f->report.file ? f->texts : NULL;
    f->report.message = memcpy(message, f->report.message, len + 1);
    f->report.word    = (frugal_str){ word, f->report.word.len };
    return true;
}

static void take(const frugal_report *report, void *context)
{
    checker *c = context;
    finding  f = { .report = *report, .file = file_index(c, report->file), .index = c->count };
    c->errors |= !report->is_warning;
    if (c->result != CLI_DONE)
        return;
    if (make_room(c) && copy_texts(&f))
        c->all[c->count++] = f;
    else
        c->result = cli_say_memory();
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *left, const void *right)
{
    const finding *a = left, *b = right;
    int            order = compare_numbers(a->file, b->file);
    if (order == 0)
        order = compare_numbers(a->report.line, b->report.line);
    if (order == 0)
        order = compare_numbers(a->report.column, b->report.column);
    return order ? order : compare_numbers(a->index, b->index);
}

static bool stops_before_names(const frugal_report *report)
{
    return !report->is_warning && report->line
           && (report->status == FRUGAL_SYNTAX || report->status == FRUGAL_TRUNCATED
               || report->status == FRUGAL_UTF8 || report->status == FRUGAL_NOTFOUND);
}

/* Shows and forgets them. Names are resolved only when every text could be read. */
static void show_all(checker *c, const char *path)
{
    bool unread = false;
    if (c->count)
        qsort(c->all, c->count, sizeof *c->all, compare);
    for (size_t i = 0; i < c->count; i++) {
        const frugal_report *report = &c->all[i].report;
        unread |= stops_before_names(report);
        show(c, report);
        free(c->all[i].texts);
    }
    c->count = 0;
    if (unread && !c->json)
        cli_say("%s: names were not checked, because of what is above", path);
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
    show_all(c, path);
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
    free(c.all);
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
    .about =
        "Reads each file and what it includes, and prints every error and warning with its "
        "place on a line of its own: as text on standard error, as JSON on standard "
        "output. They come file by file, in the order of lines; names are looked at when "
        "all files could be read. The exit code is 1 when there is an error; warnings alone are 0.",
    .examples     = examples,
    .options      = options,
    .operands_min = 1,
    .operands_max = 65536,
    .run          = run,
};
