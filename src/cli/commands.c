/* cli/commands.c - the sub-commands, in the order in which help lists them. */
#include "cli/cli.h"

const cli_command *const cli_commands[] = {
    &cli_decode, &cli_encode, &cli_inspect,      &cli_check, &cli_gen,
    &cli_plan,   &cli_disasm, &cli_help_command, NULL,
};
