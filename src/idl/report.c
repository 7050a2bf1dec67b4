/* idl/report.c - what is wrong, told once and in one form; memory, and the lack of it. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "idl/idl.h"

#define MESSAGE_SIZE sizeof((frugal_error *)0)->message

/* A path that is too long for an error loses its front. */
static void remember(idl_load *load, const frugal_report *report)
{
    path_builder path;
    size_t       len = report->file ? strlen(report->file) : 0;
    size_t       max = sizeof path.text - 4; /* leaves room for the mark of a cut */
    size_t       cut = len > max ? len - max : 0;
    while (cut < len && cut && (report->file[cut] & 0xC0) == 0x80)
        cut++;
    error_set(&load->first, report->status, "%s", report->message);
    path_init(&path);
    if (len)
        path_prepend(&path, report->file + cut, len - cut);
    if (cut)
        path_prepend(&path, report->file, sizeof path.text);
    path_finish(&path, &load->first);
    load->first.line   = report->line;
    load->first.column = report->column;
}

static void tell(idl_load *load, const frugal_report *report)
{
    if (!report->is_warning && load->first.status == FRUGAL_OK)
        remember(load, report);
    if (load->options->report)
        load->options->report(report, load->options->report_context);
}

void idl_error(idl_load *load, frugal_status status, const idl_file *file, idl_place place,
               frugal_str word, const char *format, ...)
{
    char          message[MESSAGE_SIZE];
    frugal_report report = { .status  = status,
                             .file    = file ? file->path.ptr : NULL,
                             .line    = place.line,
                             .column  = place.column,
                             .word    = word,
                             .message = message };
    if (load->stopped)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tell(load, &report);
    load->errors++;
    load->stopped = load->errors >= load->options->error_max || status == FRUGAL_NOMEM;
}

void idl_warn(idl_load *load, const idl_file *file, idl_place place, frugal_str word,
              const char *format, ...)
{
    char          message[MESSAGE_SIZE];
    frugal_report report = { .is_warning = true,
                             .file       = file ? file->path.ptr : NULL,
                             .line       = place.line,
                             .column     = place.column,
                             .word       = word,
                             .message    = message };
    if (load->stopped)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    tell(load, &report);
    load->warnings++;
}

/* ---- memory --------------------------------------------------------------------------------- */

void idl_no_memory(idl_load *load)
{
    idl_error(load, FRUGAL_NOMEM, NULL, (idl_place){ 0, 0 }, (frugal_str){ NULL, 0 }, "%s",
              frugal_status_text(FRUGAL_NOMEM));
}

void *idl_alloc(idl_load *load, size_t size)
{
    void *memory = frugal_arena_items(load->arena, 1, size);
    if (memory == NULL)
        idl_no_memory(load);
    return memory;
}
