/* cli/cmd_help.c - frugal help: what a command does, as text, manual page or completion. */
#include <string.h>

#include "cli/help.h"

static const cli_option manual = {
    .name = "man",
    .help = "the manual page, as mdoc",
};
static const cli_option completion = {
    .name    = "completion",
    .value   = "SHELL",
    .choices = "bash|zsh",
    .help    = "the completion of a shell, a script",
};
static const cli_option *const options[] = { &manual, &completion, &cli_output_file, NULL };

static cli_exit find(const cli_args *args, const char *name, const cli_command **command)
{
    cli_guess guess;
    cli_guess_start(&guess, name);
    for (const cli_command *const *at = cli_commands; *at; at++) {
        if (strcmp((*at)->name, name) == 0) {
            *command = *at;
            return CLI_DONE;
        }
        cli_guess_feed(&guess, (*at)->name);
    }
    if (guess.best)
        return cli_say_usage(args->command, "no command \"%s\"; did you mean %s?", name,
                             guess.best);
    return cli_say_usage(args->command, "no command \"%s\"", name);
}

static cli_exit write_script(const cli_args *args, const cli_command *command, cli_output *output)
{
    help_page p = { .output = output };
    if (cli_given(args, &manual))
        help_manual(&p, command);
    else if (cli_choice(args, &completion))
        help_zsh(&p);
    else
        help_bash(&p);
    return p.result;
}

static cli_exit run(const cli_args *args)
{
    const cli_command *command = NULL;
    const char        *name    = cli_operand(args, 0);
    bool               script  = cli_given(args, &manual) || cli_given(args, &completion);
    cli_output        *output  = NULL;
    cli_exit           result  = name ? find(args, name, &command) : CLI_DONE;
    if (result == CLI_DONE)
        result = cli_output_open(cli_value(args, &cli_output_file), &output);
    if (result == CLI_DONE)
        result = script ? write_script(args, command, output) : cli_help_write(command, output);
    return cli_output_close(output, result);
}

static const cli_example examples[] = {
    { "frugal help decode", "all about decode" },
    { NULL, NULL },
};

const cli_command cli_help_command = {
    .name         = "help",
    .summary      = "what a command does, with examples",
    .operands     = "[COMMAND]",
    .about        = "Without a command: the list of commands.",
    .examples     = examples,
    .options      = options,
    .operands_max = 1,
    .run          = run,
};
