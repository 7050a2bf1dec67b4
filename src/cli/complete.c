/* cli/complete.c - completion for bash and zsh, made of the tables of commands.
 *
 * completions/ has the scripts as they are installed; a test compares them with these, and
 * scripts/man writes them anew. */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"

static void put_format(help_page *p, const char *format, const char *a, const char *b)
{
    char text[600];
    snprintf(text, sizeof text, format, a, b);
    help_put_text(p, text);
}

/* "a|b|c" with spaces. */
static void put_choices(help_page *p, const char *choices)
{
    for (; *choices; choices++)
        help_put(p, *choices == '|' ? " " : choices, 1);
}

/* ---- bash ----------------------------------------------------------------------------------- */

/* decode:--idl|decode:-i) */
static void bash_case(help_page *p, const cli_command *command, const cli_option *option)
{
    put_format(p, "        %s:--%s", command->name, option->name);
    if (option->letter) {
        char letter[2] = { option->letter, 0 };
        put_format(p, "|%s:-%s", command->name, letter);
    }
    help_put_text(p, ") ");
    if (option->choices) {
        help_put_text(p, "words='");
        put_choices(p, option->choices);
        help_put_text(p, "' ;;\n");
    } else {
        help_put_text(p, option->names_file     ? "files=-f ;;\n"
                         : option->names_folder ? "files=-d ;;\n"
                                                : ";;\n");
    }
}

static void bash_words(help_page *p, const cli_command *command)
{
    put_format(p, "            %s) words='", command->name, "");
    for (const cli_option *const *option = command->options; *option; option++) {
        put_format(p, "--%s ", (*option)->name, "");
        if ((*option)->letter) {
            char letter[2] = { (*option)->letter, 0 };
            put_format(p, "-%s ", letter, "");
        }
    }
    help_put_text(p, "--help' ;;\n");
}

static void put_names(help_page *p)
{
    for (const cli_command *const *command = cli_commands; *command; command++)
        put_format(p, "%s%s", (*command)->name, command[1] ? " " : "");
}

void help_bash(help_page *p)
{
    help_put_text(p, "# frugal(1) completion for bash. Made by frugal help --completion bash:\n"
                     "# scripts/man writes it anew.\n"
                     "_frugal() {\n"
                     "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
                     "    local command=${COMP_WORDS[1]} words='' files=''\n"
                     "    # --enum=name comes as three words.\n"
                     "    if [ \"$word\" = '=' ]; then\n"
                     "        word=''\n"
                     "    elif [ \"$before\" = '=' ]; then\n"
                     "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
                     "    fi\n"
                     "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                     "        words='");
    put_names(p);
    help_put_text(p, " --help --version'\n    else\n        case $command:$before in\n");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        for (const cli_option *const *option = (*command)->options; *option; option++) {
            if ((*option)->value)
                bash_case(p, *command, *option);
        }
    }
    help_put_text(p, "        *)\n"
                     "            files=-f\n"
                     "            case $command in\n");
    for (const cli_command *const *command = cli_commands; *command; command++)
        bash_words(p, *command);
    help_put_text(p, "            esac\n"
                     "            case $command:$word in\n"
                     "            *:-*) files='' ;;\n"
                     "            help:*) files='' words='");
    put_names(p);
    help_put_text(p, "' ;;\n"
                     "            *) words='' ;;\n"
                     "            esac ;;\n"
                     "        esac\n"
                     "    fi\n"
                     "    if [ -n \"$files\" ]; then\n"
                     "        compopt -o filenames 2>/dev/null\n"
                     "        mapfile -t COMPREPLY < <(compgen \"$files\" -- \"$word\")\n"
                     "    else\n"
                     "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                     "    fi\n"
                     "}\n"
                     "complete -F _frugal frugal\n");
}

/* ---- zsh ------------------------------------------------------------------------------------ */

/* In single quotes, between the brackets of _arguments. */
static void zsh_quoted(help_page *p, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            help_put_text(p, "'\\''");
        else if (*text == '[' || *text == ']' || *text == ':' || *text == '\\') {
            help_put_text(p, "\\");
            help_put(p, text, 1);
        } else
            help_put(p, text, 1);
    }
}

static void zsh_value(help_page *p, const cli_option *option)
{
    if (option->value == NULL)
        return;
    put_format(p, ":%s:", option->value, "");
    if (option->choices) {
        help_put_text(p, "(");
        put_choices(p, option->choices);
        help_put_text(p, ")");
    } else {
        help_put_text(p, option->names_file ? "_files" : option->names_folder ? "_files -/" : " ");
    }
}

/* '(-i --idl)'{-i,--idl}'[the IDL]:FILE:_files' */
static void zsh_option(help_page *p, const cli_option *option)
{
    char letter[2] = { option->letter, 0 };
    help_put_text(p, "            ");
    if (option->repeats)
        help_put_text(p, option->letter ? "'*'" : "'*");
    else if (option->letter)
        put_format(p, "'(-%s --%s)'", letter, option->name);
    else
        help_put_text(p, "'");
    if (option->letter)
        put_format(p, "{-%s,--%s}'[", letter, option->name);
    else
        put_format(p, "--%s[", option->name, "");
    zsh_quoted(p, option->help);
    help_put_text(p, "]");
    zsh_value(p, option);
    help_put_text(p, "' \\\n");
}

static void zsh_command(help_page *p, const cli_command *command)
{
    static const cli_option help = { .letter = 'h', .name = "help", .help = "show the help" };
    put_format(p, "    %s)\n        _arguments -s \\\n", command->name, "");
    for (const cli_option *const *option = command->options; *option; option++)
        zsh_option(p, *option);
    zsh_option(p, &help);
    if (command == &cli_help_command)
        help_put_text(p, "            '1:command:(");
    if (command == &cli_help_command)
        put_names(p);
    help_put_text(p, command == &cli_help_command ? ")' ;;\n"
                     : *command->operands         ? "            '*:file:_files' ;;\n"
                                                  : "            '*: :' ;;\n");
}

void help_zsh(help_page *p)
{
    help_put_text(p, "#compdef frugal\n"
                     "# frugal(1) completion for zsh. Made by frugal help --completion zsh:\n"
                     "# scripts/man writes it anew.\n"
                     "_frugal() {\n"
                     "    local -a commands\n"
                     "    commands=(\n");
    for (const cli_command *const *command = cli_commands; *command; command++) {
        put_format(p, "        '%s:", (*command)->name, "");
        zsh_quoted(p, (*command)->summary);
        help_put_text(p, "'\n");
    }
    help_put_text(p, "    )\n"
                     "    if (( CURRENT == 2 )); then\n"
                     "        _describe command commands\n"
                     "        compadd -- --help --version\n"
                     "        return\n"
                     "    fi\n"
                     "    local command=${words[2]}\n"
                     "    shift words\n"
                     "    (( CURRENT-- ))\n"
                     "    case $command in\n");
    for (const cli_command *const *command = cli_commands; *command; command++)
        zsh_command(p, *command);
    help_put_text(p, "    esac\n}\n_frugal \"$@\"\n");
}
