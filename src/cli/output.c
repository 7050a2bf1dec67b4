/* cli/output.c - where a command's result goes: standard output, or a file that appears whole.
 *
 * A file is written under another name in its folder and takes its own when all is there, so that a
 * reader sees the old one or the new one. The hard part is what is no file: renaming over
 * /dev/stdout or a pipe would replace it, so these are written to directly. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#define FLUSH_SIZE ((size_t)1 << 16)
#define HEX_LINE   32

struct cli_output {
    int         file;
    const char *name;      /* for messages */
    char       *target;    /* what the temporary file is going to be called; NULL: there is none */
    char       *temporary; /* its name now */
    frugal_buf  waiting;
    bool        failed; /* said; nothing more is written */
};

/* ---- temporary files ------------------------------------------------------------------------ */

/* Of the one output that a signal has to clean up behind. */
static const char *volatile temporary_now;

static void on_signal(int number)
{
    const char *path = temporary_now;
    if (path)
        unlink(path);
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_signals(const char *path)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action    = { .sa_handler = path ? on_signal : SIG_DFL };
    temporary_now              = path;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
}

/* What a new file may be, and what one that is replaced was. */
static mode_t mode_for(const char *target)
{
    struct stat about;
    if (stat(target, &about) == 0)
        return about.st_mode & 07777;
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool open_temporary(cli_output *output)
{
    size_t size       = strlen(output->target) + sizeof ".XXXXXX";
    output->temporary = malloc(size);
    if (output->temporary == NULL)
        return false;
    snprintf(output->temporary, size, "%s.XXXXXX", output->target);
    output->file = mkstemp(output->temporary);
    if (output->file < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    watch_signals(output->temporary);
    return fchmod(output->file, mode_for(output->target)) == 0;
}

/* Through symbolic links, so that a link stays one. */
static bool open_path(cli_output *output, const char *path)
{
    struct stat about;
    bool        exists = stat(path, &about) == 0;
    if (exists && S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return false;
    }
    if (exists && !S_ISREG(about.st_mode)) {
        output->file = open(path, O_WRONLY | O_CLOEXEC);
        return output->file >= 0;
    }
    if (exists && access(path, W_OK) != 0)
        return false;
    output->target = exists ? realpath(path, NULL) : strdup(path);
    return output->target && open_temporary(output);
}

static void free_output(cli_output *output)
{
    watch_signals(NULL);
    free(output->temporary);
    free(output->target);
    frugal_buf_release(&output->waiting);
    free(output);
}

cli_exit cli_output_open(const char *path, cli_output **output)
{
    cli_output *made = calloc(1, sizeof *made);
    *output          = made;
    if (made == NULL)
        return cli_say_memory();
    frugal_buf_init(&made->waiting, NULL, 0, NULL);
    made->file = STDOUT_FILENO;
    made->name = "stdout";
    if (path == NULL || strcmp(path, "-") == 0)
        return CLI_DONE;
    made->name = path;
    if (open_path(made, path))
        return CLI_DONE;
    made->failed = true;
    return cli_say("%s: %s", path, strerror(errno));
}

/* ---- writing -------------------------------------------------------------------------------- */

static cli_exit write_all(cli_output *output, const uint8_t *bytes, size_t size)
{
    while (size && !output->failed) {
        ssize_t written = write(output->file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            output->failed = true;
            /* A reader that has seen enough is nothing to tell its user. */
            if (errno != EPIPE)
                cli_say("%s: %s", output->name, strerror(errno));
            break;
        }
        bytes += written;
        size -= (size_t)written;
    }
    return output->failed ? CLI_FAULT : CLI_DONE;
}

static cli_exit write_waiting(cli_output *output)
{
    size_t size          = output->waiting.size;
    output->waiting.size = 0;
    return write_all(output, output->waiting.data, size);
}

cli_exit cli_output_put(cli_output *output, const void *bytes, size_t size)
{
    if (output->failed)
        return CLI_FAULT;
    if (size >= FLUSH_SIZE) {
        cli_exit result = write_waiting(output);
        return result == CLI_DONE ? write_all(output, bytes, size) : result;
    }
    if (frugal_buf_append(&output->waiting, bytes, size)) {
        output->failed = true;
        return cli_say_memory();
    }
    return output->waiting.size >= FLUSH_SIZE ? write_waiting(output) : CLI_DONE;
}

cli_exit cli_output_text(cli_output *output, const char *text)
{
    return cli_output_put(output, text, strlen(text));
}

cli_exit cli_output_hex(cli_output *output, const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t    *at       = bytes;
    cli_exit          result   = CLI_DONE;
    while (size && result == CLI_DONE) {
        char   line[2 * HEX_LINE + 1];
        size_t count = size < HEX_LINE ? size : HEX_LINE;
        for (size_t i = 0; i < count; i++) {
            line[2 * i]     = digits[at[i] >> 4];
            line[2 * i + 1] = digits[at[i] & 15];
        }
        line[2 * count] = '\n';
        result          = cli_output_put(output, line, 2 * count + 1);
        at += count;
        size -= count;
    }
    return result;
}

cli_exit cli_output_flush(cli_output *output)
{
    return output->target ? CLI_DONE : write_waiting(output);
}

bool cli_is_terminal(const cli_output *output)
{
    return isatty(output->file);
}

bool cli_is_whole(const cli_output *output)
{
    return output->target != NULL;
}

/* ---- the end -------------------------------------------------------------------------------- */

static cli_exit close_file(cli_output *output)
{
    if (close(output->file) == 0 || errno == EINTR || output->failed)
        return output->failed ? CLI_FAULT : CLI_DONE;
    return cli_say("%s: %s", output->name, strerror(errno));
}

cli_exit cli_output_close(cli_output *output, cli_exit result)
{
    if (output == NULL)
        return result;
    cli_exit mine = CLI_DONE;
    if (result == CLI_DONE || output->target == NULL)
        mine = write_waiting(output);
    if (output->file != STDOUT_FILENO && output->file >= 0) {
        cli_exit closed = close_file(output);
        mine            = mine == CLI_DONE ? closed : mine;
    }
    if (result == CLI_DONE)
        result = mine;
    if (output->temporary && result == CLI_DONE && rename(output->temporary, output->target) != 0)
        result = cli_say("%s: %s", output->name, strerror(errno));
    if (output->temporary && result != CLI_DONE)
        unlink(output->temporary);
    free_output(output);
    return result;
}
