/* cli/input.c - what a command reads: a file or standard input, as it is or as hexadecimal text. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#define INPUT_MAX_DEFAULT ((size_t)1 << 30)
#define READ_SIZE         ((size_t)1 << 16)

static const cli_option *const input_max = &cli_input_max;

static bool has_option(const cli_args *args, const cli_option *option)
{
    for (const cli_option *const *one = args->command->options; *one; one++) {
        if (*one == option)
            return true;
    }
    return false;
}

/* Up to one byte more than `max`, which says that there was too much. */
static cli_exit read_all(int file, size_t max, cli_input *input)
{
    frugal_buf *text = &input->text;
    while (text->size <= max) {
        size_t want = max - text->size < READ_SIZE ? max - text->size + 1 : READ_SIZE;
        if (frugal_buf_reserve(text, want))
            return cli_say_memory();
        ssize_t got = read(file, text->data + text->size, want);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return cli_say("%s: %s", input->name, strerror(errno));
        if (got == 0)
            return CLI_DONE;
        text->size += (size_t)got;
    }
    return CLI_FAULT;
}

static cli_exit say_too_large(const cli_args *args, const cli_input *input, size_t max)
{
    return cli_say("%s: larger than %zu bytes%s", input->name, max,
                   has_option(args, input_max) ? ", the limit that --input-max sets" : "");
}

/* ---- hexadecimal ---------------------------------------------------------------------------- */

static int digit_value(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    byte |= 0x20;
    return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

static bool is_space(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static cli_exit say_no_digit(const cli_input *input, size_t at)
{
    size_t line = 1, start = 0;
    for (size_t i = 0; i < at; i++) {
        if (input->text.data[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    uint8_t byte = input->text.data[at];
    if (byte == ':' || byte == '|') /* of xxd and hexdump -C, with offsets and text */
        return cli_say("%s:%zu:%zu: '%c' is no hexadecimal digit; wanted are digits alone (xxd -p)",
                       input->name, line, at - start + 1, byte);
    if (byte > 0x20 && byte < 0x7F)
        return cli_say("%s:%zu:%zu: '%c' is no hexadecimal digit", input->name, line,
                       at - start + 1, byte);
    return cli_say("%s:%zu:%zu: byte 0x%02x is no hexadecimal digit", input->name, line,
                   at - start + 1, byte);
}

/* How many digits there are; what is neither digit nor white space is said. */
static cli_exit count_digits(const cli_input *input, size_t *digits)
{
    *digits = 0;
    for (size_t i = 0; i < input->text.size; i++) {
        uint8_t byte = input->text.data[i];
        if (is_space(byte))
            continue;
        if (digit_value(byte) < 0)
            return say_no_digit(input, i);
        ++*digits;
    }
    if (*digits % 2)
        return cli_say("%s: %zu hexadecimal digits; a byte has two", input->name, *digits);
    return CLI_DONE;
}

/* 0x in front becomes white space. */
static void take_prefix(const cli_input *input)
{
    size_t at = 0;
    while (at < input->text.size && is_space(input->text.data[at]))
        at++;
    if (input->text.size - at >= 2 && input->text.data[at] == '0'
        && (input->text.data[at + 1] | 0x20) == 'x')
        memset(input->text.data + at, ' ', 2);
}

/* In place: a byte is written where its digits are already read. */
static cli_exit from_hex(cli_input *input)
{
    uint8_t *data = input->text.data;
    size_t   digits, done = 0;
    take_prefix(input);
    cli_exit result = count_digits(input, &digits);
    if (result != CLI_DONE)
        return result;
    for (size_t i = 0; i < input->text.size; i++) {
        if (is_space(data[i]))
            continue;
        uint8_t value  = (uint8_t)digit_value(data[i]);
        data[done / 2] = (uint8_t)(done % 2 ? data[done / 2] | value : value << 4);
        done++;
    }
    input->text.size = digits / 2;
    return CLI_DONE;
}

/* ---- the door ------------------------------------------------------------------------------- */

static cli_exit open_file(const char *path, cli_input *input, int *file)
{
    struct stat about;
    if (path == NULL || strcmp(path, "-") == 0) {
        input->name = "stdin";
        *file       = STDIN_FILENO;
    } else {
        input->name = path;
        *file       = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (*file < 0)
        return cli_say("%s: %s", input->name, strerror(errno));
    if (fstat(*file, &about) == 0 && S_ISDIR(about.st_mode)) {
        if (*file != STDIN_FILENO)
            close(*file);
        return cli_say("%s: is a folder", input->name);
    }
    return CLI_DONE;
}

cli_exit cli_input_read(const cli_args *args, const char *path, bool hex, cli_input *input)
{
    size_t max = INPUT_MAX_DEFAULT;
    int    file;
    *input = (cli_input){ .name = "" };
    frugal_buf_init(&input->text, NULL, 0, NULL);
    cli_exit result = cli_value_size(args, input_max, &max);
    if (result == CLI_DONE)
        result = open_file(path, input, &file);
    if (result != CLI_DONE)
        return result;

    result = read_all(file, max, input);
    if (file != STDIN_FILENO)
        close(file);
    if (result == CLI_FAULT && input->text.size > max)
        return say_too_large(args, input, max);
    if (result == CLI_DONE && hex)
        result = from_hex(input);
    return result;
}

void cli_input_release(cli_input *input)
{
    frugal_buf_release(&input->text);
}
