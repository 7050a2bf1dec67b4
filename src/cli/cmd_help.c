/* cli/cmd_help.c - frugal help: what a command does, as text, manual page or completion. */
#include <string.h>

#include "cli/cli.h"

static const cli_option *const options[] = { NULL };

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

static cli_exit run(const cli_args *args)
{
    const cli_command *command = NULL;
    const char        *name    = cli_operand(args, 0);
    cli_output        *output;
    cli_exit           result = name ? find(args, name, &command) : CLI_DONE;
    if (result != CLI_DONE)
        return result;
    result = cli_output_open(NULL, &output);
    if (result == CLI_DONE)
        result = cli_help_write(command, output);
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
