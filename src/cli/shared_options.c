/* cli/shared_options.c - options that several sub-commands have. */
#include "cli/cli.h"

/* ---- what to read --------------------------------------------------------------------------- */

const cli_option cli_idl = {
    .letter     = 'i',
    .name       = "idl",
    .value      = "FILE",
    .names_file = true,
    .help       = "the IDL, a .thrift file",
};
const cli_option cli_include = {
    .letter       = 'I',
    .name         = "include",
    .value        = "DIR",
    .repeats      = true,
    .names_folder = true,
    .help         = "a folder to look for included files in, after that of the including file",
};
const cli_option cli_auto_ids = {
    .name    = "auto-ids",
    .value   = "HOW",
    .choices = "apache|thriftgo",
    .help    = "how fields without ids are numbered: -1, -2, ... or 1, 2, ...",
};
const cli_option cli_type = {
    .letter = 't',
    .name   = "type",
    .value  = "NAME",
    .help   = "a struct, union or exception, Name or file.Name: the input is one of these",
};
const cli_option cli_service = {
    .letter = 's',
    .name   = "service",
    .value  = "NAME",
    .help   = "a service: the input is messages of its methods; needed when several services fit",
};
const cli_option cli_protocol = {
    .letter  = 'p',
    .name    = "protocol",
    .value   = "P",
    .choices = "auto|binary",
    .later   = "compact|tjson|protobuf",
    .help    = "the wire format",
};
const cli_option cli_framing = {
    .name    = "framing",
    .value   = "F",
    .choices = "auto|buffered|framed|ttheader|ttheader-framed",
    .help    = "what is around each message; auto looks at the bytes, or at what the JSON says",
};
const cli_option cli_hex = {
    .letter = 'x',
    .name   = "hex",
    .help = "binary input and output is hexadecimal text; white space and 0x in front are ignored",
};
const cli_option cli_input_max = {
    .name  = "input-max",
    .value = "SIZE",
    .help  = "the most that is read, like 64K, 16M or 1G (1G)",
};
const cli_option cli_memory_max = {
    .name  = "memory-max",
    .value = "SIZE",
    .help  = "the most memory for the fields of one struct or message, like 64M or 4G (1G)",
};

const cli_option cli_engine = {
    .name    = "engine",
    .value   = "E",
    .choices = "auto|interpreter|jit",
    .help = "what runs the codec; the results are the same; jit, as auto, is machine code where it "
            "can be had",
};

/* ---- what to write -------------------------------------------------------------------------- */

const cli_option cli_output_file = {
    .letter     = 'o',
    .name       = "output",
    .value      = "FILE",
    .names_file = true,
    .help       = "instead of standard output; the file appears only when it is whole",
};
const cli_option cli_compact_json = {
    .name = "compact-json",
    .help = "one line a value",
};
const cli_option cli_pretty = {
    .name = "pretty",
    .help = "indented; the default on a terminal",
};
const cli_option cli_enum = {
    .name    = "enum",
    .value   = "AS",
    .choices = "name|number",
    .help    = "enums in JSON",
};
const cli_option cli_i64 = {
    .name    = "i64",
    .value   = "AS",
    .choices = "number|string",
    .help    = "i64 in JSON; string is for readers that take every number for a double",
};
const cli_option cli_binary = {
    .name    = "binary",
    .value   = "AS",
    .choices = "base64|utf8",
    .help    = "binary in JSON; what is not UTF-8 is {\"$hex\": ...} then",
};
const cli_option cli_defaults = {
    .name = "defaults",
    .help = "show absent optional fields that have a default, with it",
};

/* ---- what is right -------------------------------------------------------------------------- */

const cli_option cli_keep_unknown = {
    .name = "keep-unknown",
    .help = "keep fields that the IDL does not know, in \"$unknown\"",
};
const cli_option cli_strict = {
    .name = "strict",
    .help =
        "refuse what is usually forgiven: other types than the IDL's, unknown or repeated members",
};
