/* cli/commands.c - the sub-commands, in the order in which help lists them. */
#include "cli/cli.h"

const cli_command *const cli_commands[] = {
    &cli_inspect,
    &cli_gen,
    &cli_help_command,
    NULL,
};
