/* cli/cmd_encode.c - frugal encode: JSON becomes Thrift bytes. */
#define _XOPEN_SOURCE 700
#include <unistd.h>

#include "cli/convert.h"
#include "core/status.h"

static const cli_option *const options[] = {
    &cli_idl,      &cli_include,   &cli_auto_ids,   &cli_type,        &cli_service,
    &cli_protocol, &cli_framing,   &cli_hex,        &cli_output_file, &cli_binary,
    &cli_strict,   &cli_input_max, &cli_memory_max, &cli_engine,      NULL,
};

typedef struct encoder {
    convert     convert;
    cli_input   input;
    cli_output *output;
    frugal_buf  bytes; /* of one value */
    bool        hex;
} encoder;

static cli_exit put_bytes(encoder *e)
{
    return e->hex ? cli_output_hex(e->output, e->bytes.data, e->bytes.size)
                  : cli_output_put(e->output, e->bytes.data, e->bytes.size);
}

static frugal_str text_of(const encoder *e)
{
    return (frugal_str){ e->input.text.size ? (const char *)e->input.text.data : "",
                         e->input.text.size };
}

static cli_exit fail(const encoder *e, frugal_error *error)
{
    convert_add_limit(error);
    return cli_say_text(e->input.name, error);
}

static cli_exit encode_struct(encoder *e, const cli_args *args)
{
    const frugal_struct *type;
    frugal_error         error;
    json_value           value;
    cli_exit             result = cli_idl_type(args, e->convert.schema, &type);
    if (result != CLI_DONE)
        return result;
    if (json_check(text_of(e), JSON_PLACE_FIRST, CONVERT_DEPTH_JSON, &value, NULL, &error)
        || convert_struct_in(&e->convert, type, &value, &e->bytes, &error))
        return fail(e, &error);
    return put_bytes(e);
}

static bool is_space(frugal_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != ' ' && text.ptr[i] != '\t' && text.ptr[i] != '\n' && text.ptr[i] != '\r')
            return false;
    }
    return true;
}

static cli_exit encode_messages(encoder *e)
{
    frugal_str text   = text_of(e);
    json_place place  = JSON_PLACE_FIRST;
    cli_exit   result = CLI_DONE;
    if (is_space(text))
        return CLI_DONE;
    while (text.len && result == CLI_DONE) {
        frugal_error error;
        json_value   value;
        size_t       used;
        e->bytes.size = 0;
        convert_reset(&e->convert);
        if (json_check(text, place, CONVERT_DEPTH_JSON, &value, &used, &error)
            || convert_message_in(&e->convert, &value, &e->bytes, &error))
            return fail(e, &error);
        place  = json_place_behind(place, (frugal_str){ text.ptr, used });
        text   = (frugal_str){ text.ptr + used, text.len - used };
        result = put_bytes(e);
    }
    return result;
}

/* Bytes would move the cursor, ring the bell and worse. A path that is named is wanted. */
static bool is_for_terminal(const cli_args *args)
{
    return !cli_given(args, &cli_hex) && !cli_given(args, &cli_output_file)
           && isatty(STDOUT_FILENO);
}

static cli_exit encode(encoder *e, const cli_args *args)
{
    /* What --keep-unknown has kept is written back without a word. */
    cli_exit result = convert_init(&e->convert, args, true);
    e->hex          = cli_given(args, &cli_hex);
    if (result == CLI_DONE && is_for_terminal(args))
        result = cli_say_usage(args->command, "binary to a terminal: use -o FILE or --hex");
    if (result == CLI_DONE)
        result = cli_input_read(args, cli_operand(args, 0), false, &e->input);
    if (result == CLI_DONE)
        result = cli_output_open(cli_value(args, &cli_output_file), &e->output);
    if (result != CLI_DONE)
        return result;
    e->convert.input = e->input.name;
    return cli_given(args, &cli_type) ? encode_struct(e, args) : encode_messages(e);
}

static cli_exit run(const cli_args *args)
{
    encoder e = { .output = NULL };
    frugal_buf_init(&e.bytes, NULL, 0, NULL);
    cli_exit result = encode(&e, args);
    result          = cli_output_close(e.output, result);
    frugal_buf_release(&e.bytes);
    cli_input_release(&e.input);
    convert_release(&e.convert);
    return result;
}

static const cli_example examples[] = {
    { "echo '{\"id\": 42}' | frugal encode -i user.thrift -t User -x",
      "a struct as hexadecimal text" },
    { "frugal encode -i echo.thrift -o call.bin call.json", "messages, as decode writes them" },
    { "echo '{\"framing\":\"framed\",\"method\":\"ping\",\"args\":{}}' | frugal encode -i "
      "echo.thrift",
      "a call made by hand: what is left out is zero" },
    { NULL, NULL },
};

const cli_command cli_encode = {
    .name     = "encode",
    .summary  = "JSON becomes Thrift bytes, the inverse of decode",
    .operands = "[FILE]",
    .about =
        "With --type the input is one JSON value for one struct. Without, it is messages in the "
        "form that decode writes, one or several behind each other. A message needs a method and "
        "its struct: args, result or exception. Framing (buffered), kind, seq (0) and header are "
        "as decode wrote them, or left out; --framing has the last word, so it changes the framing "
        "of messages, and a header goes when the new one has none. A struct may be given as its "
        "bytes, {\"$hex\": ...} with that member alone, and then no IDL is needed; what decode "
        "shows beside them, decoded "
        "and fields, is not read, and a line says when it was changed.\n\n"
        "Fields that are not in the JSON are absent in the bytes: defaults of the IDL are not "
        "written, and only a required field must be there. What the IDL does not know is left out, "
        "of what is repeated the last counts, and a line on standard error says so; with --strict "
        "these are errors. An unknown member around the struct always is one.\n\n"
        "Text that is no JSON, or does not fit the IDL, is an error with file, line, column and "
        "the path of the field.",
    .examples     = examples,
    .options      = options,
    .operands_max = 1,
    .run          = run,
};
