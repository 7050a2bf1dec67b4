/* cli/manual.c - the manual page of a command, in mdoc, made of its tables.
 *
 * man/ has the pages as they are installed; a test compares them with these, and scripts/man writes
 * them anew. What is hard is quoting: a line that begins with a dot or an apostrophe is a macro, a
 * backslash begins an escape, and words of a macro line may be macros themselves. */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"

#define PAGE_HEAD                                                    \
    ".\\\" Made by frugal help --man: scripts/man writes it anew.\n" \
    ".Dd November 30, 2026\n.Dt "

/* Text that is not at the start of a line; `dashes`: the ASCII one, as typed in a shell. */
static void put_quoted(help_page *p, const char *text, size_t len, bool dashes)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\\')
            help_put_text(p, "\\e");
        else if (text[i] == '-' && dashes)
            help_put_text(p, "\\-");
        else
            help_put(p, text + i, 1);
    }
}

/* One argument of a macro. */
static void put_argument(help_page *p, const char *text)
{
    help_put_text(p, " \"");
    for (const char *at = text; *at; at++) {
        if (*at == '"')
            help_put_text(p, "\\(dq");
        else
            put_quoted(p, at, 1, true);
    }
    help_put_text(p, "\"");
}

/* A macro whose only argument is this text. */
static void put_macro(help_page *p, const char *macro, const char *text)
{
    help_put_text(p, macro);
    put_argument(p, text);
    help_put_text(p, "\n");
}

static void put_line(help_page *p, const char *line)
{
    help_put_text(p, line);
    help_put_text(p, "\n");
}

/* Sentences, each of which begins a line, as mdoc wants it; an empty line is a paragraph. */
static void put_prose(help_page *p, const char *text)
{
    while (*text) {
        size_t len = 0;
        while (text[len] && text[len] != '\n'
               && !(text[len] == '.' && text[len + 1] == ' ' && !(len && text[len - 1] == '.')))
            len++;
        len += text[len] == '.';
        if (*text == '.' || *text == '\'')
            help_put_text(p, "\\&");
        put_quoted(p, text, len, false);
        help_put_text(p, "\n");
        text += len;
        if (text[0] == '\n' && text[1] == '\n')
            put_line(p, ".Pp");
        text += strspn(text, " \n");
    }
}

static void put_option(help_page *p, const cli_option *option)
{
    char text[400];
    help_put_text(p, ".It");
    if (option->letter) {
        snprintf(text, sizeof text, " Fl %c%s%s ,", option->letter, option->value ? " Ar " : "",
                 option->value ? option->value : "");
        help_put_text(p, text);
    }
    snprintf(text, sizeof text, " Fl Fl %s%s%s\n", option->name, option->value ? " Ar " : "",
             option->value ? option->value : "");
    help_put_text(p, text);
    help_option_text(option, text, sizeof text);
    strcat(text, ".");
    put_prose(p, text);
}

static void put_examples(help_page *p, const cli_example *examples)
{
    put_line(p, ".Sh EXAMPLES");
    for (; examples->line; examples++) {
        char does[200];
        bool asks = examples->does[strlen(examples->does) - 1] == '?';
        snprintf(does, sizeof does, "%s%s", examples->does, asks ? "" : ":");
        put_prose(p, does);
        put_macro(p, ".Dl", examples->line);
        if (examples[1].line)
            put_line(p, ".Pp");
    }
}

static void put_exits(help_page *p)
{
    static const char *const exits[][2] = {
        { "0", "Done." },
        { "1", "The data, the IDL or a file is at fault." },
        { "2", "Wrong usage." },
    };
    put_line(p, ".Sh EXIT STATUS\n.Bl -tag -width Ds");
    for (size_t i = 0; i < sizeof exits / sizeof *exits; i++) {
        put_macro(p, ".It", exits[i][0]);
        put_line(p, exits[i][1]);
    }
    put_line(p, ".El");
}

static void write_command(help_page *p, const cli_command *command)
{
    static const cli_option help = { .letter = 'h', .name = "help", .help = "show the help" };
    char                    name[64], title[64], called[64];
    snprintf(name, sizeof name, "frugal-%s", command->name);
    snprintf(called, sizeof called, "frugal %s", command->name);
    snprintf(title, sizeof title, "%s", name);
    for (char *at = title; *at; at++)
        *at = (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
    help_put_text(p, PAGE_HEAD);
    help_put_text(p, title);
    put_line(p, " 1\n.Os\n.Sh NAME");
    put_macro(p, ".Nm", name);
    put_macro(p, ".Nd", command->summary);
    put_line(p, ".Sh SYNOPSIS");
    put_macro(p, ".Nm", called);
    put_line(p, ".Op Ar OPTIONS");
    if (*command->operands)
        put_macro(p, ".Ar", command->operands);
    put_line(p, ".Sh DESCRIPTION");
    put_prose(p, command->about);
    put_line(p, ".Sh OPTIONS\n.Bl -tag -width Ds");
    for (const cli_option *const *option = command->options; *option; option++)
        put_option(p, *option);
    put_option(p, &help);
    put_line(p, ".El");
    put_exits(p);
    put_examples(p, command->examples);
    put_line(p, ".Sh SEE ALSO\n.Xr frugal 1");
}

/* The pages of the commands, in the order of the alphabet, as manuals are listed. */
static void put_see_also(help_page *p)
{
    const char *last = "", *next;
    do {
        next = NULL;
        for (const cli_command *const *command = cli_commands; *command; command++) {
            if (strcmp((*command)->name, last) > 0
                && (next == NULL || strcmp((*command)->name, next) < 0))
                next = (*command)->name;
        }
        if (next) {
            char text[80];
            snprintf(text, sizeof text, "%s.Xr frugal-%s 1", *last ? " ,\n" : "", next);
            help_put_text(p, text);
            last = next;
        }
    } while (next);
    help_put_text(p, "\n");
}

static void write_overview(help_page *p)
{
    put_line(p, PAGE_HEAD "FRUGAL 1\n.Os\n.Sh NAME\n.Nm frugal");
    put_macro(p, ".Nd", help_what);
    put_line(p, ".Sh SYNOPSIS\n.Nm frugal\n.Ar COMMAND\n.Op Ar OPTIONS\n.Op Ar OPERANDS\n"
                ".Nm frugal\n.Fl Fl version\n.Nm frugal\n.Fl Fl help\n.Sh DESCRIPTION");
    put_prose(p, help_about);
    put_line(p, ".Pp\nThe commands:\n.Bl -tag -width inspect");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        char text[200];
        snprintf(text, sizeof text, ".It Cm %s\n", (*command)->name);
        help_put_text(p, text);
        snprintf(text, sizeof text, "%s.", (*command)->summary);
        put_prose(p, text);
    }
    put_line(p, ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n.It Ev NO_COLOR\n"
                "When it is not empty there are no colours on a terminal either.\n.El");
    put_exits(p);
    put_examples(p, help_examples);
    put_line(p, ".Sh SEE ALSO");
    put_see_also(p);
}

void help_manual(help_page *p, const cli_command *command)
{
    if (command)
        write_command(p, command);
    else
        write_overview(p);
}
