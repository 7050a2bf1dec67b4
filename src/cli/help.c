/* cli/help.c - the help of a command, made of its tables, as text. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"

#define WIDTH        88
#define OPTION_WIDTH 26

void help_put(help_page *p, const char *text, size_t size)
{
    if (p->result == CLI_DONE)
        p->result = cli_output_put(p->output, text, size);
}

void help_put_text(help_page *p, const char *text)
{
    help_put(p, text, strlen(text));
}

void help_option_text(const cli_option *option, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s%s", option->help, option->choices ? ": " : "",
             option->choices ? option->choices : "", option->repeats ? "; may be repeated" : "");
}

static void put_title(help_page *p, const char *text)
{
    help_put_text(p, p->colours ? "\n\033[1m" : "\n");
    help_put_text(p, text);
    help_put_text(p, p->colours ? "\033[0m\n" : "\n");
}

static void put_spaces(help_page *p, size_t count)
{
    while (count--)
        help_put(p, " ", 1);
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
static void put_filled(help_page *p, const char *text, size_t indent, size_t column)
{
    bool first = true;
    while (*text) {
        size_t len  = strcspn(text, " \n");
        size_t wide = columns(text, len);
        if (!first && column + 1 + wide > WIDTH) {
            help_put_text(p, "\n");
            put_spaces(p, indent);
            column = indent;
        } else if (!first) {
            help_put_text(p, " ");
            column++;
        }
        help_put(p, text, len);
        column += wide;
        first = false;
        text += len;
        text += strspn(text, " ");
        if (text[0] == '\n' && text[1] == '\n') { /* a paragraph ends */
            help_put_text(p, "\n\n");
            put_spaces(p, indent);
            column = indent;
            first  = true;
        }
        text += strspn(text, "\n");
    }
    help_put_text(p, "\n");
}

/* ---- a command ------------------------------------------------------------------------------ */

static void put_option(help_page *p, const cli_option *option)
{
    char head[80], help[400];
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name, option->value ? " " : "",
             option->value ? option->value : "");
    help_option_text(option, help, sizeof help);
    help_put_text(p, head);
    size_t column = strlen(head);
    if (column + 2 > OPTION_WIDTH) {
        help_put_text(p, "\n");
        column = 0;
    }
    put_spaces(p, OPTION_WIDTH - column);
    put_filled(p, help, OPTION_WIDTH, OPTION_WIDTH);
}

static void put_examples(help_page *p, const cli_example *examples)
{
    put_title(p, "Examples");
    for (; examples->line; examples++) {
        help_put_text(p, "  # ");
        help_put_text(p, examples->does);
        help_put_text(p, "\n  ");
        help_put_text(p, examples->line);
        help_put_text(p, "\n");
    }
}

static void put_command(help_page *p, const cli_command *command)
{
    char line[200];
    snprintf(line, sizeof line, "frugal %s - %s\n\n  frugal %s%s%s%s\n\n", command->name,
             command->summary, command->name, *command->options ? " [OPTIONS]" : "",
             *command->operands ? " " : "", command->operands);
    help_put_text(p, line);
    put_filled(p, command->about, 0, 0);
    put_examples(p, command->examples);
    put_title(p, "Options");
    static const cli_option help = { .letter = 'h', .name = "help", .help = "this text" };
    for (const cli_option *const *option = command->options; *option; option++)
        put_option(p, *option);
    put_option(p, &help);
}

/* ---- frugal itself -------------------------------------------------------------------------- */

const char help_what[] = "for whoever has Thrift bytes, an IDL, or both";
const char help_about[] =
    "Input is a file or, without one (or with -), standard input; results go to standard output, "
    "trouble is a line on standard error. \"frugal help COMMAND\" tells more about a command, "
    "\"frugal --version\" which frugal this is.";

const cli_example help_examples[] = {
    { "frugal inspect captured.bin", "what is in these bytes?" },
    { "frugal decode -i echo.thrift captured.bin", "recorded messages as JSON" },
    { "frugal decode -i echo.thrift captured.bin | frugal encode -i echo.thrift",
      "and back to the same bytes" },
    { NULL, NULL },
};

static void put_overview(help_page *p)
{
    help_put_text(p, "frugal - ");
    help_put_text(p, help_what);
    help_put_text(p, "\n\n  frugal COMMAND [OPTIONS] [OPERANDS]\n");
    put_title(p, "Commands");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        char head[40];
        int  len = snprintf(head, sizeof head, "  %-10s", (*command)->name);
        help_put_text(p, head);
        put_filled(p, (*command)->summary, (size_t)len, (size_t)len);
    }
    put_examples(p, help_examples);
    help_put_text(p, "\n");
    put_filled(p, help_about, 0, 0);
    put_filled(p, "Exit codes: 0 done, 1 the data, the IDL or a file is at fault, 2 wrong usage.",
               0, 0);
}

void help_text(help_page *p, const cli_command *command)
{
    if (command)
        put_command(p, command);
    else
        put_overview(p);
}

cli_exit cli_help_write(const cli_command *command, cli_output *output)
{
    help_page p = { .output  = output,
                    .colours = cli_is_terminal(output) && cli_colours(STDOUT_FILENO) };
    help_text(&p, command);
    return p.result;
}
