/* cli/cmd_plan.c - frugal plan: what the codec does for a type, step by step. */
#include <frugal/codec.h>

#include "cli/cli.h"

static const cli_option presence = {
    .name = "presence",
    .help = "the plan that decode uses, which tells absent fields from zero",
};
static const cli_option *const options[] = { &cli_idl,          &cli_include,
                                             &cli_auto_ids,     &cli_type,
                                             &cli_keep_unknown, &presence,
                                             &cli_output_file,  NULL };

static cli_exit describe(const cli_args *args, const frugal_schema *schema, frugal_buf *text)
{
    const frugal_struct *type;
    frugal_error         error;
    cli_exit             result = cli_idl_type(args, schema, &type);
    if (result == CLI_DONE && frugal_describe_plan(type, NULL, text, &error))
        result = cli_say_text(cli_value(args, &cli_idl), &error);
    return result;
}

static cli_exit write_text(const cli_args *args, const frugal_buf *text)
{
    cli_output *output;
    cli_exit    result = cli_output_open(cli_value(args, &cli_output_file), &output);
    if (result == CLI_DONE)
        result = cli_output_put(output, text->data, text->size);
    return cli_output_close(output, result);
}

static cli_exit run(const cli_args *args)
{
    frugal_schema *schema;
    frugal_buf     text;
    if (!cli_given(args, &cli_type))
        return cli_say_usage(args->command, "of which type? --type NAME");
    cli_exit result = cli_idl_load(args, true, cli_given(args, &presence),
                                   cli_given(args, &cli_keep_unknown), &schema);
    frugal_buf_init(&text, NULL, 0, NULL);
    if (result == CLI_DONE)
        result = describe(args, schema, &text);
    if (result == CLI_DONE)
        result = write_text(args, &text);
    frugal_buf_release(&text);
    frugal_schema_free(schema);
    return result;
}

static const cli_example examples[] = {
    { "frugal plan -i user.thrift -t User", "the steps that read and write a User" },
    { NULL, NULL },
};

const cli_command cli_plan = {
    .name     = "plan",
    .summary  = "the steps that the codec takes for a type",
    .operands = "",
    .about    = "A type becomes a plan, a short array of steps, which runs for every record. This "
                "prints it, one step a line. It is for people; the form may change.",
    .examples = examples,
    .options  = options,
    .run      = run,
};
