/* cli/cmd_decode.c - frugal decode: Thrift bytes become JSON. */
#define _XOPEN_SOURCE 700
#include <stdio.h>
#include <unistd.h>

#include "cli/convert.h"
#include "core/status.h"

#define HINT_MAX    160
#define LACKING_MAX 4096 /* bytes of the names of methods that are told */

static const cli_option exact = {
    .name = "exact",
    .help = "of a message that encode could not rebuild, show the bytes of its struct, too",
};
static const cli_option stats = {
    .name = "stats",
    .help = "say on standard error what was read and how much memory it took",
};
static const cli_option *const options[] = {
    &cli_idl,
    &cli_include,
    &cli_auto_ids,
    &cli_type,
    &cli_service,
    &cli_protocol,
    &cli_framing,
    &cli_hex,
    &cli_output_file,
    &cli_pretty,
    &cli_compact_json,
    &cli_enum,
    &cli_i64,
    &cli_binary,
    &cli_defaults,
    &cli_keep_unknown,
    &cli_strict,
    &cli_input_max,
    &cli_memory_max,
    &cli_engine,
    &exact,
    &stats,
    NULL,
};

typedef struct decoder {
    convert     convert;
    cli_input   input;
    cli_output *output;
    frugal_buf  text;  /* JSON of one value */
    frugal_buf  again; /* the bytes that encode makes of it */
    size_t      count; /* values */
    bool        exact;
    frugal_buf  lacking; /* names of methods that were told, a zero behind each */
} decoder;

/* ---- what was lost -------------------------------------------------------------------------- */

/* Behind the JSON it is about, where both go to one terminal. */
static void warn(const decoder *d, const char *why)
{
    cli_output_flush(d->output);
    cli_say("%s: not reproducible: %s", d->input.name, why);
}

static bool is_same(const frugal_buf *again, frugal_bytes bytes)
{
    return again->size == bytes.len
           && (bytes.len == 0 || memcmp(again->data, bytes.ptr, bytes.len) == 0);
}

/* The JSON in d->text as encode sees it. */
static frugal_status check_text(decoder *d, json_value *value, frugal_error *error)
{
    frugal_str text = { (const char *)d->text.data, d->text.size };
    d->again.size   = 0;
    convert_reset(&d->convert);
    return json_check(text, JSON_PLACE_FIRST, CONVERT_DEPTH_JSON, value, NULL, error);
}

static void check_struct(decoder *d, const frugal_struct *type, frugal_bytes bytes)
{
    json_value    value;
    frugal_error  error;
    char          why[CONVERT_WHY_MAX];
    frugal_status status = check_text(d, &value, &error);
    if (status == FRUGAL_OK)
        status = convert_struct_in(&d->convert, type, &value, &d->again, &error);
    if (status == FRUGAL_OK && is_same(&d->again, bytes))
        return;
    error.status = status;
    convert_struct_why(&d->convert, type, bytes, 0, &error, why);
    warn(d, why);
}

/* `error`: what encode says when it makes no bytes, FRUGAL_OK when it makes others. */
static bool is_rebuilt(decoder *d, const frame_message *frame, frugal_error *error)
{
    json_value    value;
    frugal_status status = check_text(d, &value, error);
    if (status == FRUGAL_OK)
        status = convert_message_in(&d->convert, &value, &d->again, error);
    error->status = status;
    return status == FRUGAL_OK && is_same(&d->again, frame->bytes);
}

/* ---- hints ----------------------------------------------------------------------------------- */

/* The framing of the message at the front of these bytes; NULL: there is none. */
static const char *framing_found(const decoder *d, frugal_bytes bytes)
{
    convert_stream stream;
    frame_message  frame;
    frugal_message message;
    bool           more = false;
    convert_stream_init(&stream, &d->convert, bytes);
    stream.options.framing = FRAME_AUTO;
    if (convert_stream_next(&stream, &frame, &more, NULL) || !more
        || frugal_message_read(frame.payload, NULL, &message, NULL, NULL))
        return NULL;
    return frame_framing_name(frame.framing);
}

static bool is_one_struct(frugal_bytes bytes)
{
    size_t used;
    return bytes.len > 1 && frugal_skip(bytes, FRUGAL_WIRE_STRUCT, NULL, &used, NULL) == FRUGAL_OK
           && used == bytes.len;
}

/* Of messages of which the one at `at` failed: what else the input may be, or what becomes of the
 * messages before. */
static void hint_messages(const decoder *d, size_t at, char hint[HINT_MAX])
{
    frugal_bytes bytes = frugal_buf_bytes(&d->input.text);
    frugal_bytes rest  = { bytes.ptr + at, bytes.len - at };
    const char  *found = d->convert.framing == FRAME_AUTO ? NULL : framing_found(d, rest);
    if (found)
        snprintf(hint, HINT_MAX, "--framing auto finds %s", found);
    else if (d->count == 0 && is_one_struct(bytes))
        snprintf(hint, HINT_MAX, "one struct? name it with -t");
    else if (d->count && cli_is_whole(d->output))
        snprintf(hint, HINT_MAX,
                 "%zu whole message%s before; -o keeps all or nothing, `> FILE` keeps %s", d->count,
                 plural_s(d->count), d->count == 1 ? "it" : "them");
}

static void hint_struct(const decoder *d, char hint[HINT_MAX])
{
    const char *found = framing_found(d, frugal_buf_bytes(&d->input.text));
    if (found)
        snprintf(hint, HINT_MAX, "looks like messages (%s); leave out -t", found);
}

/* ---- structs -------------------------------------------------------------------------------- */

static cli_exit put_text(decoder *d)
{
    d->count++;
    if (frugal_buf_append(&d->text, "\n", 1))
        return cli_say_memory();
    return cli_output_put(d->output, d->text.data, d->text.size);
}

static cli_exit fail_struct(const decoder *d, frugal_error *error, size_t offset)
{
    char hint[HINT_MAX] = "";
    convert_add_limit(error);
    hint_struct(d, hint);
    cli_output_flush(d->output);
    return cli_say_bytes_and(d->input.name, error, offset, hint);
}

static cli_exit decode_struct(decoder *d, const cli_args *args)
{
    const frugal_struct *type;
    frugal_error         error;
    size_t               used;
    frugal_bytes         bytes  = frugal_buf_bytes(&d->input.text);
    cli_exit             result = cli_idl_type(args, d->convert.schema, &type);
    if (result != CLI_DONE)
        return result;
    if (convert_struct_out(&d->convert, type, bytes, &used, &d->text, &error))
        return fail_struct(d, &error, 0);
    if (used < bytes.len) {
        error_set(&error, FRUGAL_MALFORMED, "%zu byte%s behind the end of the %s", bytes.len - used,
                  plural_s(bytes.len - used), type->name);
        return fail_struct(d, &error, used);
    }
    result = put_text(d);
    check_struct(d, type, bytes);
    return result;
}

/* ---- messages ------------------------------------------------------------------------------- */

/* `at`: where the message begins. */
static cli_exit fail_message(const decoder *d, frugal_error *error, size_t at)
{
    char hint[HINT_MAX] = "";
    convert_add_limit(error);
    hint_messages(d, at, hint);
    cli_output_flush(d->output);
    return cli_say_bytes_and(d->input.name, error, 0, hint);
}

static bool was_told(const decoder *d, frugal_str name)
{
    const uint8_t *at = d->lacking.data, *end = at + d->lacking.size;
    while (at < end) {
        size_t len = strlen((const char *)at);
        if (len == name.len && memcmp(at, name.ptr, len) == 0)
            return true;
        at += len + 1;
    }
    return false;
}

/* A method that is not in the IDL is told, each once, as long as they are few. */
static void tell_lacking(decoder *d, const frame_message *frame)
{
    frugal_message       message;
    const frugal_struct *type;
    if (d->convert.schema == NULL || d->lacking.size > LACKING_MAX
        || frugal_message_read(frame->payload, NULL, &message, NULL, NULL)
        || convert_body(&d->convert, &message, &frame->header, &type, NULL) || type
        || memchr(message.name.ptr, 0, message.name.len) || was_told(d, message.name))
        return;
    if (frugal_buf_append(&d->lacking, message.name.ptr, message.name.len)
        || frugal_buf_append(&d->lacking, "", 1))
        return;
    cli_output_flush(d->output);
    if (d->lacking.size > LACKING_MAX)
        cli_say("%s: more methods are not in the IDL", d->input.name);
    else
        cli_say("%s: method %.*s is not in the IDL; shown as bytes", d->input.name,
                message.name.len == 0    ? 2
                : message.name.len < 100 ? (int)message.name.len
                                         : 100,
                message.name.len ? message.name.ptr : "\"\"");
}

static cli_exit put_message(decoder *d, const frame_message *frame, bool as_bytes)
{
    frugal_error error  = { .offset = 0 };
    d->text.size        = 0;
    d->convert.as_bytes = as_bytes;
    convert_reset(&d->convert);
    return convert_message_out(&d->convert, frame, &d->text, &error)
               ? fail_message(d, &error, frame->offset)
               : CLI_DONE;
}

static cli_exit decode_message(decoder *d, const frame_message *frame)
{
    char         why[CONVERT_WHY_MAX];
    frugal_error refused;
    cli_exit     result  = put_message(d, frame, false);
    bool         rebuilt = result == CLI_DONE && is_rebuilt(d, frame, &refused);
    if (result == CLI_DONE && !rebuilt && d->exact) {
        result  = put_message(d, frame, true);
        rebuilt = result == CLI_DONE && is_rebuilt(d, frame, &refused);
    }
    if (result == CLI_DONE)
        result = put_text(d);
    if (result == CLI_DONE)
        tell_lacking(d, frame);
    if (result == CLI_DONE && !rebuilt) {
        convert_message_why(&d->convert, frame, &refused, why);
        warn(d, why);
    }
    return result;
}

static cli_exit decode_messages(decoder *d)
{
    convert_stream stream;
    frame_message  frame;
    frugal_error   error  = { .offset = 0 };
    bool           more   = true;
    cli_exit       result = CLI_DONE;
    convert_stream_init(&stream, &d->convert, frugal_buf_bytes(&d->input.text));
    while (result == CLI_DONE && more) {
        if (convert_stream_next(&stream, &frame, &more, &error))
            return fail_message(d, &error, stream.at);
        if (more)
            result = decode_message(d, &frame);
    }
    return result;
}

/* ---- the command ---------------------------------------------------------------------------- */

static void say_stats(decoder *d)
{
    convert_reset(&d->convert);
    cli_say("%s: %zu value%s, %zu bytes read, %zu bytes of arena for the largest, %zu reserved",
            d->input.name, d->count, plural_s(d->count), d->input.text.size, d->convert.arena_used,
            frugal_arena_reserved(d->convert.arena));
}

static cli_exit decode(decoder *d, const cli_args *args)
{
    d->exact = cli_given(args, &exact);
    if (d->exact && cli_given(args, &cli_type))
        return cli_say_usage(args->command, "--exact is for messages, --type for structs");
    cli_exit result = convert_init(&d->convert, args, cli_given(args, &cli_keep_unknown));
    if (result == CLI_DONE)
        result = cli_input_read(args, cli_operand(args, 0), cli_given(args, &cli_hex), &d->input);
    if (result == CLI_DONE)
        result = cli_output_open(cli_value(args, &cli_output_file), &d->output);
    if (result != CLI_DONE)
        return result;
    if (!cli_given(args, &cli_compact_json) && cli_is_terminal(d->output))
        d->convert.write.pretty = true;
    result = cli_given(args, &cli_type) ? decode_struct(d, args) : decode_messages(d);
    if (cli_given(args, &stats))
        say_stats(d);
    return result;
}

static cli_exit run(const cli_args *args)
{
    decoder d = { .count = 0 };
    frugal_buf_init(&d.text, NULL, 0, NULL);
    frugal_buf_init(&d.again, NULL, 0, NULL);
    frugal_buf_init(&d.lacking, NULL, 0, NULL);
    cli_exit result = decode(&d, args);
    result          = cli_output_close(d.output, result);
    frugal_buf_release(&d.text);
    frugal_buf_release(&d.again);
    frugal_buf_release(&d.lacking);
    cli_input_release(&d.input);
    convert_release(&d.convert);
    return result;
}

static const cli_example examples[] = {
    { "frugal decode -i echo.thrift captured.bin", "recorded messages, one value each" },
    { "frugal decode -i user.thrift -t User user.bin", "one struct" },
    { "echo '0a0001000000000000002a00' | frugal decode -i user.thrift -t User -x",
      "the same from hexadecimal text" },
    { "frugal decode -i echo.thrift captured.bin | frugal encode -i echo.thrift",
      "there and back: the same bytes" },
    { NULL, NULL },
};

const cli_command cli_decode = {
    .name     = "decode",
    .summary  = "Thrift bytes become JSON",
    .operands = "[FILE]",
    .about =
        "With --type the input is one struct. Without, it is messages, as many as there are, and "
        "each becomes one JSON value: what is around it (framing, header), its envelope (method, "
        "kind, seq) and its struct (args, result or exception). A method that the IDL does not "
        "have (a line on standard error says which), and every method when there is no IDL, shows "
        "its "
        "bytes as {\"$hex\": ...}, which "
        "encode takes back, and its fields as inspect does.\n\n"
        "What decode prints is read back and compared with the input. When encode could not make "
        "the same bytes of it, a line on standard error says why: not reproducible. With --exact "
        "such "
        "a message has the bytes of its struct, which encode takes, and the struct beside them as "
        "decoded, which encode does not read.\n\n"
        "Old envelopes, without a version, are found by their method; an empty "
        "method and one that is not ASCII are not, and need --framing buffered.\n\n"
        "When the input breaks off, the messages before have been printed and the exit code is 1; "
        "a "
        "file of -o holds all messages or does not appear.",
    .examples     = examples,
    .options      = options,
    .operands_max = 1,
    .run          = run,
};
