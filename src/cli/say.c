/* cli/say.c - everything that the command says about trouble, one line each.
 *
 * Names and words in these lines may come from strangers: a map's key, a file's name. So whatever
 * could move the cursor, break the line or is no text is shown as an escape. */
#define _XOPEN_SOURCE 700
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/utf8.h"

#define LINE_MAX_BYTES 1024

bool cli_colours(int descriptor)
{
    const char *none = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(descriptor) && !(none && *none) && term && strcmp(term, "dumb") != 0;
}

/* ---- a line --------------------------------------------------------------------------------- */

/* How many bytes at `text` are one character that may be shown; 0 when it has to be escaped. */
static size_t shown_len(const uint8_t *text, size_t left)
{
    if (*text < 0x80)
        return *text >= 0x20 && *text != 0x7F;
    size_t len = *text < 0xE0 ? 2 : *text < 0xF0 ? 3 : 4;
    if (len > left || utf8_valid_prefix(text, len) != len)
        return 0;
    bool control  = len == 2 && text[0] == 0xC2 && text[1] < 0xA0;
    bool reorders = len == 3 && text[0] == 0xE2 && (text[1] == 0x80 || text[1] == 0x81)
                    && ((text[1] == 0x80 && text[2] >= 0xA8 && text[2] <= 0xAE)
                        || (text[1] == 0x81 && text[2] >= 0xA6 && text[2] <= 0xA9));
    return control || reorders ? 0 : len;
}

static void put_clean(FILE *out, const char *text)
{
    const uint8_t *at   = (const uint8_t *)text;
    size_t         left = strlen(text);
    while (left) {
        size_t len = shown_len(at, left);
        if (len)
            fwrite(at, 1, len, out);
        else if (*at == '\n' || *at == '\t' || *at == '\r')
            fprintf(out, "\\%c", *at == '\n' ? 'n' : *at == '\t' ? 't' : 'r');
        else
            fprintf(out, "\\x%02x", *at);
        len = len ? len : 1;
        at += len;
        left -= len;
    }
}

static void say_line(const char *text, const char *hint)
{
    bool colours = cli_colours(STDERR_FILENO);
    fputs(colours ? "\033[1;31mfrugal:\033[0m " : "frugal: ", stderr);
    put_clean(stderr, text);
    put_clean(stderr, hint);
    fputc('\n', stderr);
    fflush(stderr);
}

static void say_list(const char *hint, const char *format, va_list list)
{
    char text[LINE_MAX_BYTES];
    vsnprintf(text, sizeof text, format, list);
    say_line(text, hint);
}

cli_exit cli_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say_list("", format, list);
    va_end(list);
    return CLI_FAULT;
}

cli_exit cli_say_usage(const cli_command *command, const char *format, ...)
{
    char hint[80], text[LINE_MAX_BYTES], whole[LINE_MAX_BYTES + 40];
    snprintf(hint, sizeof hint, " (see frugal help%s%s)", command ? " " : "",
             command ? command->name : "");
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(whole, sizeof whole, "%s%s%s", command ? command->name : "", command ? ": " : "",
             text);
    say_line(whole, hint);
    return CLI_USAGE;
}

cli_exit cli_say_memory(void)
{
    return cli_say("out of memory");
}

/* ---- errors of the library ------------------------------------------------------------------ */

static const char *sentence(const frugal_error *error)
{
    return error->message[0] ? error->message : frugal_status_text(error->status);
}

cli_exit cli_say_bytes(const char *input, const frugal_error *error, size_t offset)
{
    return cli_say_bytes_and(input, error, offset, "");
}

cli_exit cli_say_bytes_and(const char *input, const frugal_error *error, size_t offset,
                           const char *hint)
{
    bool placed = error->path[0] != 0;
    return cli_say("%s: byte %zu: %s%s%s%s%s%s", input, offset + error->offset, placed ? "at " : "",
                   error->path, placed ? ": " : "", sentence(error), *hint ? "; " : "", hint);
}

cli_exit cli_say_text(const char *file, const frugal_error *error)
{
    bool placed = error->path[0] != 0;
    if (error->line == 0)
        return cli_say("%s: %s%s%s%s", file, placed ? "at " : "", error->path, placed ? ": " : "",
                       sentence(error));
    return cli_say("%s:%u:%u: %s%s%s%s", file, (unsigned)error->line, (unsigned)error->column,
                   placed ? "at " : "", error->path, placed ? ": " : "", sentence(error));
}
