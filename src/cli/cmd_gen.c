/* cli/cmd_gen.c - a stub */
#include "cli/cli.h"

static const cli_option *const options[] = { NULL };

static cli_exit run(const cli_args *args)
{
    return cli_say_usage(args->command, "is not built yet");
}

static const cli_example examples[] = { { "frugal gen", "nothing yet" }, { NULL, NULL } };

const cli_command cli_gen = { .name         = "gen",
                              .summary      = "not built yet",
                              .operands     = "[FILE]",
                              .about        = "Not built yet.",
                              .examples     = examples,
                              .options      = options,
                              .operands_max = 1,
                              .run          = run };
