/* cli/cmd_inspect.c - frugal inspect: what is in these bytes? */
#include "cli/cli.h"
#include "cli/inspect.h"

static const cli_option bare = {
    .letter = 'b',
    .name   = "bare",
    .help   = "the input is one struct, nothing around it",
};
static const cli_option all = {
    .letter = 'a',
    .name   = "all",
    .help   = "shorten nothing: all of long strings, lists and outputs",
};
static const cli_option *const options[] = {
    &cli_framing, &bare, &cli_hex, &all, &cli_output_file, &cli_input_max, NULL,
};

typedef struct writer {
    cli_output *output;
    const char *input;
} writer;

static bool put(void *context, const void *bytes, size_t size)
{
    const writer *to = context;
    return cli_output_put(to->output, bytes, size) == CLI_DONE;
}

static void fault(void *context, const frugal_error *error)
{
    const writer *to = context;
    cli_output_flush(to->output);
    cli_say_bytes(to->input, error, 0);
}

/* The choices of --framing are in the order of frame_framing. */
static frame_framing named_framing(const cli_args *args)
{
    return (frame_framing)(FRAME_AUTO + cli_choice(args, &cli_framing));
}

static cli_exit inspect_input(const cli_args *args, const cli_input *input, cli_output *output)
{
    inspect_options how = { .framing = named_framing(args),
                            .bare    = cli_given(args, &bare),
                            .raw     = { .all = cli_given(args, &all) } };
    writer          to  = { output, input->name };
    return inspect(frugal_buf_bytes(&input->text), &how, put, fault, &to) ? CLI_FAULT : CLI_DONE;
}

static cli_exit run(const cli_args *args)
{
    cli_input   input;
    cli_output *output = NULL;
    cli_exit    result = CLI_DONE;
    if (cli_given(args, &bare) && cli_choice(args, &cli_framing))
        return cli_say_usage(args->command, "--bare says that there is no framing");
    result = cli_input_read(args, cli_operand(args, 0), cli_given(args, &cli_hex), &input);
    if (result == CLI_DONE)
        result = cli_output_open(cli_value(args, &cli_output_file), &output);
    bool opened = result == CLI_DONE;
    if (opened)
        result = inspect_input(args, &input, output);
    /* What made sense is worth keeping, also when something did not. */
    cli_exit closed = cli_output_close(output, opened ? CLI_DONE : result);
    cli_input_release(&input);
    return result == CLI_DONE ? closed : result;
}

static const cli_example examples[] = {
    { "frugal inspect capture.bin", "a recorded stream, whatever its framing" },
    { "frugal inspect --bare record.bin", "one struct" },
    { "echo '0c0001 08000100000001 00 00' | frugal inspect -x", "bytes that somebody pasted" },
    { NULL, NULL },
};

const cli_command cli_inspect = {
    .name     = "inspect",
    .summary  = "shows any payload without an IDL: framing, headers, fields",
    .operands = "[FILE]",
    .about =
        "Finds out what the input is, Thrift messages in any framing or one struct, and prints "
        "it as a tree of fields: id, type and value are all that bytes say without an IDL. "
        "Strings that are text are quoted, others are hexadecimal.\n\n"
        "Where the input stops making sense is said with its byte and the path of ids to "
        "it, after everything before has been printed; the exit code is 1 then. What is "
        "not Thrift Binary but can be told (HTTP/2, TLS, Compact, Apache THeader, ...) is "
        "named.",
    .examples     = examples,
    .options      = options,
    .operands_max = 1,
    .run          = run,
};
