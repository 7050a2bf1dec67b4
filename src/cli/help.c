/* cli/help.c - the help of a command, made of its tables. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#define WIDTH        88
#define OPTION_WIDTH 26

typedef struct page {
    cli_output *output;
    bool        colours;
    cli_exit    result; /* the first failure ends the writing */
} page;

static void put(page *p, const char *text, size_t size)
{
    if (p->result == CLI_DONE)
        p->result = cli_output_put(p->output, text, size);
}

static void put_text(page *p, const char *text)
{
    put(p, text, strlen(text));
}

static void put_title(page *p, const char *text)
{
    put_text(p, p->colours ? "\n\033[1m" : "\n");
    put_text(p, text);
    put_text(p, p->colours ? "\033[0m\n" : "\n");
}

static void put_spaces(page *p, size_t count)
{
    while (count--)
        put(p, " ", 1);
}

/* Bytes are not columns where the text is not ASCII. */
static size_t columns(const char *text, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < len; i++)
        count += (text[i] & 0xC0) != 0x80;
    return count;
}

/* Words in lines of WIDTH, each line after `indent` spaces; the cursor is at `column`. */
static void put_filled(page *p, const char *text, size_t indent, size_t column)
{
    bool first = true;
    while (*text) {
        size_t len  = strcspn(text, " \n");
        size_t wide = columns(text, len);
        if (!first && column + 1 + wide > WIDTH) {
            put_text(p, "\n");
            put_spaces(p, indent);
            column = indent;
        } else if (!first) {
            put_text(p, " ");
            column++;
        }
        put(p, text, len);
        column += wide;
        first = false;
        text += len;
        text += strspn(text, " ");
        if (text[0] == '\n' && text[1] == '\n') { /* a paragraph ends */
            put_text(p, "\n\n");
            put_spaces(p, indent);
            column = indent;
            first  = true;
        }
        text += strspn(text, "\n");
    }
    put_text(p, "\n");
}

/* ---- a command ------------------------------------------------------------------------------ */

static void put_option(page *p, const cli_option *option)
{
    char head[80], help[400];
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    snprintf(help, sizeof help, "%s%s%s%s", option->help, option->choices ? "; " : "",
             option->choices ? option->choices : "", option->repeats ? "; may be repeated" : "");
    put_text(p, head);
    size_t column = strlen(head);
    if (column + 2 > OPTION_WIDTH) {
        put_text(p, "\n");
        column = 0;
    }
    put_spaces(p, OPTION_WIDTH - column);
    put_filled(p, help, OPTION_WIDTH, OPTION_WIDTH);
}

static void put_command(page *p, const cli_command *command)
{
    char line[200];
    snprintf(line, sizeof line, "frugal %s - %s\n\n  frugal %s%s%s%s\n\n", command->name,
             command->summary, command->name, *command->options ? " [OPTIONS]" : "",
             *command->operands ? " " : "", command->operands);
    put_text(p, line);
    put_filled(p, command->about, 0, 0);
    put_title(p, "Examples");
    for (const cli_example *example = command->examples; example->line; example++) {
        put_text(p, "  # ");
        put_text(p, example->does);
        put_text(p, "\n  ");
        put_text(p, example->line);
        put_text(p, "\n");
    }
    put_title(p, "Options");
    static const cli_option help = { .letter = 'h', .name = "help", .help = "this text" };
    for (const cli_option *const *option = command->options; *option; option++)
        put_option(p, *option);
    put_option(p, &help);
}

/* ---- frugal itself -------------------------------------------------------------------------- */

static void put_overview(page *p)
{
    put_text(p, "frugal - for whoever has Thrift bytes, an IDL, or both\n\n"
                "  frugal COMMAND [OPTIONS] [OPERANDS]\n");
    put_title(p, "Commands");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        char head[40];
        int  len = snprintf(head, sizeof head, "  %-10s", (*command)->name);
        put_text(p, head);
        put_filled(p, (*command)->summary, (size_t)len, (size_t)len);
    }
    put_title(p, "Examples");
    put_text(p, "  # what is in these bytes?\n"
                "  frugal inspect captured.bin\n"
                "  # recorded messages as JSON, one value each\n"
                "  frugal decode -i echo.thrift captured.bin\n"
                "  # and back to the same bytes\n"
                "  frugal decode -i echo.thrift captured.bin | frugal encode -i echo.thrift\n\n");
    put_filled(p,
               "\"frugal help COMMAND\" tells more, \"frugal --version\" which one this is. Input "
               "is a file or, without one (or with -), standard input. Exit codes: 0 done, 1 the "
               "data, the IDL or a file is at fault, 2 wrong usage, 3 the network is at fault.",
               0, 0);
}

cli_exit cli_help_write(const cli_command *command, cli_output *output)
{
    page p = { .output = output, .colours = cli_is_terminal(output) && cli_colours(STDOUT_FILENO) };
    if (command)
        put_command(&p, command);
    else
        put_overview(&p);
    return p.result;
}
