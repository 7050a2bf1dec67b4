/* cli/cli.h - what the sub-commands of `frugal` share.
 *
 * A sub-command is a const cli_command in a file cmd_NAME.c, listed in commands.c. Its options are
 * const tables, too: from them come the parsing, the checks, `--help`, the manual pages and the
 * completions, so that they cannot say different things. An option is known by its address:
 *
 *   static const cli_option deep = { .name = "deep", .help = "look below the surface" };
 *   static const cli_option *const options[] = { &cli_hex, &cli_output_file, &deep, NULL };
 *   ...
 *   if (cli_given(args, &deep)) ...
 *
 * Whatever goes wrong is told in one line by cli_say or one of its sisters, at the place where it
 * is noticed, and becomes a cli_exit that is handed up to main. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/memory.h>
#include <frugal/schema.h>
#include <frugal/status.h>

typedef enum cli_exit {
    CLI_DONE    = 0,
    CLI_FAULT   = 1, /* the data, the IDL, the peer, a file */
    CLI_USAGE   = 2,
    CLI_NETWORK = 3
} cli_exit;

/* ---- commands and options ------------------------------------------------------------------- */

typedef struct cli_option {
    char        letter; /* of the short form; 0: none */
    const char *name;   /* of the long form, without the dashes */
    const char *value;  /* what stands for its value in help, "FILE"; NULL: a flag */
    const char
        *choices; /* the values it may have, "name|number", the first is the default; or NULL */
    const char *later;      /* the choices that are understood, but not built yet; or NULL */
    bool        repeats;    /* may be given more than once */
    bool        names_file; /* for completion: its value is a file */
    bool        names_folder;
    const char *help; /* a phrase, without a full stop at its end */
} cli_option;

typedef struct cli_example {
    const char *line; /* as typed in a shell */
    const char *does; /* a phrase */
} cli_example;

typedef struct cli_args cli_args;

typedef struct cli_command {
    const char *name;
    const char *summary;  /* a phrase for the list of commands */
    const char *operands; /* "[FILE]", "FILE…"; "": none */
    /* paragraphs for help and manual; an empty line separates them, lines are filled */
    const char              *about;
    const cli_example       *examples; /* at least one; the last has line NULL */
    const cli_option *const *options;  /* NULL behind the last; --help is known to all */
    unsigned                 operands_min, operands_max;
    cli_exit (*run)(const cli_args *args);
} cli_command;

/* All of them, in the order of help; NULL behind the last. */
extern const cli_command *const cli_commands[];

extern const cli_command cli_decode, cli_encode, cli_inspect, cli_check, cli_gen, cli_plan,
    cli_disasm, cli_help_command;

typedef struct cli_given_option {
    const cli_option *option;
    const char       *value;
} cli_given_option;

/* What a command was called with; lives as long as main's argv. */
struct cli_args {
    const cli_command *command;
    cli_given_option  *given; /* in their order */
    size_t             given_count;
    const char       **operands;
    size_t             operand_count;
};

/* Was it given? */
bool cli_given(const cli_args *args, const cli_option *option);

/* Its value; NULL when it was not given. */
const char *cli_value(const cli_args *args, const cli_option *option);

/* Which of its choices, from 0; 0 (the default) also when it was not given. */
size_t cli_choice(const cli_args *args, const cli_option *option);

/* The value it was given for the index-th time; NULL behind the last. */
const char *cli_value_at(const cli_args *args, const cli_option *option, size_t index);

/* A size like 4096, 64K, 16M or 1G; `size` keeps what it is when the option was not given.
 * CLI_USAGE, said, when the value is none. */
cli_exit cli_value_size(const cli_args *args, const cli_option *option, size_t *size);

/* An operand, NULL when there are not so many. */
const char *cli_operand(const cli_args *args, size_t index);

/* Options that several commands have. */
extern const cli_option cli_idl, cli_include, cli_auto_ids, cli_type, cli_service, cli_protocol,
    cli_framing, cli_hex, cli_output_file, cli_input_max, cli_memory_max, cli_keep_unknown,
    cli_strict, cli_engine;
extern const cli_option cli_compact_json, cli_pretty, cli_enum, cli_i64, cli_binary, cli_defaults;

/* ---- trouble -------------------------------------------------------------------------------- */

/* One line on standard error, "frugal: " in front. What is not printable (the text may come from
 * strangers) is shown escaped. Returns CLI_FAULT, so that a failure is one statement. */
__attribute__((format(printf, 1, 2))) cli_exit cli_say(const char *format, ...);

/* The same for wrong usage: names the command's help. `command` NULL: of frugal itself. Returns
 * CLI_USAGE. */
__attribute__((format(printf, 2, 3))) cli_exit cli_say_usage(const cli_command *command,
                                                             const char        *format, ...);

/* "frugal: INPUT: byte N: at user.home.zip: sentence", for bytes. `offset` is added to the error's.
 */
cli_exit cli_say_bytes(const char *input, const frugal_error *error, size_t offset);

/* The same with a hint behind it, in the same line; "" is none. */
cli_exit cli_say_bytes_and(const char *input, const frugal_error *error, size_t offset,
                           const char *hint);

/* "frugal: FILE:LINE:COL: at user.home.zip: sentence", for JSON and IDL; without a place when the
 * error has none. */
cli_exit cli_say_text(const char *file, const frugal_error *error);

/* Out of memory. */
cli_exit cli_say_memory(void);

/* ---- input ---------------------------------------------------------------------------------- */

typedef struct cli_input {
    const char *name; /* for messages: the file, or "stdin" */
    frugal_buf  text; /* what was read; released by cli_input_release, also after a failure */
} cli_input;

/* Reads a file, or standard input when `path` is NULL or "-", up to cli_input_max (1 GiB when the
 * option was not given or the command does not have it). With `hex` what is there is hexadecimal
 * digits and white space, and becomes bytes. */
cli_exit cli_input_read(const cli_args *args, const char *path, bool hex, cli_input *input);
void     cli_input_release(cli_input *input);

/* ---- output --------------------------------------------------------------------------------- */

/* Standard output, or a file that appears, whole, when the output is closed. */
typedef struct cli_output cli_output;

/* `path` NULL or "-": standard output. A path that is no regular file (a device, a pipe), or names
 * a descriptor (/dev/stdout, /dev/fd/3), is written to directly. A link stays one. */
cli_exit cli_output_open(const char *path, cli_output **output);
cli_exit cli_output_put(cli_output *output, const void *bytes, size_t size);
cli_exit cli_output_text(cli_output *output, const char *text);

/* Lines of 32 bytes in hexadecimal. */
cli_exit cli_output_hex(cli_output *output, const void *bytes, size_t size);

/* What was put so far goes to where it belongs, if that is not a file that is to appear whole. */
cli_exit cli_output_flush(cli_output *output);

/* Ends it with what the command has come to: CLI_DONE keeps the file, anything else removes it (and
 * leaves what was there before). Returns `result`, or what went wrong now. NULL is nothing to do.
 */
cli_exit cli_output_close(cli_output *output, cli_exit result);

/* Is this a terminal that wants colours (TERM, NO_COLOR)? */
bool cli_colours(int descriptor);
bool cli_is_terminal(const cli_output *output);

/* Is it a file that appears only when it is whole? */
bool cli_is_whole(const cli_output *output);

/* ---- IDL ------------------------------------------------------------------------------------ */

/* Include folders and numbering of fields, from cli_include and cli_auto_ids; the folders are views
 * into static storage. A folder that is not there is warned of. */
cli_exit cli_idl_options(const cli_args *args, frugal_schema_options *options);

/* A finding on one line. Returns CLI_FAULT. */
cli_exit cli_say_report(const frugal_report *report);

/* Loads cli_idl with cli_include and cli_auto_ids; every error is said. `needed`: a command line
 * without --idl is wrong usage, else `*schema` is NULL then. `presence` and keep_unknown as in
 * frugal_schema_options. */
cli_exit cli_idl_load(const cli_args *args, bool needed, bool presence, bool keep_unknown,
                      frugal_schema **schema);

/* The struct that cli_type names; a name like it is suggested when there is none. */
cli_exit cli_idl_type(const cli_args *args, const frugal_schema *schema,
                      const frugal_struct **type);

/* ---- words ---------------------------------------------------------------------------------- */

/* The name most like `word`, for "did you mean"; NULL when none is like it. Names are fed one by
 * one. */
typedef struct cli_guess {
    const char *word;
    const char *best;
    unsigned    distance;
} cli_guess;
void cli_guess_start(cli_guess *guess, const char *word);
void cli_guess_feed(cli_guess *guess, const char *name);

/* Fills args from what stands behind the command's name. CLI_DONE, or CLI_USAGE, said. `*help`: the
 * user asked for --help, and nothing else was looked at. args->given and args->operands belong to
 * the caller (free). */
cli_exit cli_args_read(cli_args *args, const cli_command *command, int count, char **words,
                       bool *help);

/* Writes the command's --help; `command` NULL: of frugal itself. */
cli_exit cli_help_write(const cli_command *command, cli_output *output);

#endif /* CLI_CLI_H */
