/* cli/pen.c - JSON around records. */
#include "cli/pen.h"

#include <stdio.h>
#include <string.h>

#include "core/status.h"
#include "json/scan.h"

void pen_init(pen *p, frugal_buf *out, bool pretty, frugal_error *error)
{
    *p = (pen){ .out = out, .pretty = pretty, .empty = true, .error = error };
}

static void note(pen *p, frugal_status status)
{
    if (status)
        p->status = error_set(p->error, status, "%s", frugal_status_text(status));
}

static void put(pen *p, const char *text, size_t size)
{
    if (p->status == FRUGAL_OK)
        note(p, frugal_buf_append(p->out, text, size));
}

static void put_line(pen *p)
{
    put(p, "\n", 1);
    for (uint32_t i = 0; i < p->level && p->status == FRUGAL_OK; i++)
        put(p, "  ", 2);
}

/* What stands in front of a member or element. */
static void start_part(pen *p)
{
    if (p->after_key) {
        p->after_key = false;
        return;
    }
    if (p->level == 0)
        return;
    if (!p->empty)
        put(p, ",", 1);
    if (p->pretty && p->flat == 0)
        put_line(p);
    else if (p->pretty && !p->empty)
        put(p, " ", 1);
    p->empty = false;
}

void pen_open(pen *p, char bracket)
{
    start_part(p);
    put(p, &bracket, 1);
    p->level++;
    p->flat += p->flat != 0;
    p->empty = true;
}

void pen_open_flat(pen *p, char bracket)
{
    pen_open(p, bracket);
    p->flat += p->flat == 0;
}

void pen_close(pen *p, char bracket)
{
    p->level--;
    if (p->pretty && p->flat == 0 && !p->empty)
        put_line(p);
    p->flat -= p->flat != 0;
    put(p, &bracket, 1);
    p->empty = false;
}

void pen_key(pen *p, const char *key)
{
    start_part(p);
    put(p, "\"", 1);
    put(p, key, strlen(key));
    put(p, p->pretty ? "\": " : "\":", p->pretty ? 3 : 2);
    p->after_key = true;
}

void pen_number(pen *p, int64_t number)
{
    char text[24];
    int  len = snprintf(text, sizeof text, "%lld", (long long)number);
    start_part(p);
    put(p, text, (size_t)len);
}

void pen_string(pen *p, frugal_str text)
{
    start_part(p);
    if (p->status == FRUGAL_OK)
        note(p, json_put_string(p->out, text));
}

void pen_hex(pen *p, frugal_bytes bytes)
{
    start_part(p);
    if (p->status == FRUGAL_OK)
        note(p, json_put_hex(p->out, bytes));
}

void pen_record(pen *p, frugal_view record, const frugal_json_write_options *options)
{
    start_part(p);
    if (p->status == FRUGAL_OK)
        p->status = json_put_record(record, options, p->level, p->out, p->error);
}
