/* core/status.c - names and texts of statuses; errors and paths at fixed size. */
#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int frugal_version(void)
{
    return FRUGAL_VERSION_NUM;
}

static const struct {
    const char *name, *text;
} statuses[FRUGAL_STATUS_COUNT] = {
#define STATUS_ROW(name, text) { "FRUGAL_" #name, text },
    FRUGAL_STATUS_MAP(STATUS_ROW)
#undef STATUS_ROW
};

const char *frugal_status_name(frugal_status status)
{
    return (unsigned)status < FRUGAL_STATUS_COUNT ? statuses[status].name : "FRUGAL_UNKNOWN";
}

const char *frugal_status_text(frugal_status status)
{
    return (unsigned)status < FRUGAL_STATUS_COUNT ? statuses[status].text : "unknown status";
}

frugal_status error_set(frugal_error *error, frugal_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    memset(error, 0, sizeof *error);
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- path ----------------------------------------------------------------------------------- */

static const char ellipsis[] = "\xe2\x80\xa6"; /* … */

void path_init(path_builder *path)
{
    path->start             = sizeof path->text - 1;
    path->text[path->start] = '\0';
    path->cut               = false;
}

void path_prepend(path_builder *path, const char *text, size_t len)
{
    size_t keep = sizeof ellipsis - 1; /* always left free, for the mark of a cut */
    if (path->cut || len == 0)
        return;
    if (len > path->start - keep) {
        path->cut = true;
        path->start -= (uint32_t)keep;
        memcpy(path->text + path->start, ellipsis, keep);
        return;
    }
    path->start -= (uint32_t)len;
    memcpy(path->text + path->start, text, len);
}

void path_prepend_name(path_builder *path, const char *name)
{
    char next = path->text[path->start];
    if (next != '\0' && next != '[' && next != '{')
        path_prepend(path, ".", 1);
    path_prepend(path, name, strlen(name));
}

void path_prepend_index(path_builder *path, size_t index)
{
    char text[32];
    int  len  = snprintf(text, sizeof text, "[%zu]", index);
    char next = path->text[path->start];
    if (next != '\0' && next != '[' && next != '{')
        path_prepend(path, ".", 1);
    path_prepend(path, text, (size_t)len);
}

void path_finish(const path_builder *path, frugal_error *error)
{
    if (error)
        memcpy(error->path, path->text + path->start, sizeof path->text - path->start);
}
