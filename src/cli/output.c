/* cli/output.c - where a command's result goes: standard output, or a file that appears whole.
 *
 * A file is written under another name in its folder and takes its own when all is there, so that a
 * reader sees the old one or the new one. The hard part is what is no file of its own: a pipe, or
 * /dev/stdout, behind which may be a log that others append to. These are written to directly. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#define FLUSH_SIZE ((size_t)1 << 16)
#define HEX_LINE   32
#define LINKS_MAX  40

/* As short as any folder can hold: a target may have the longest name there is. */
#define TEMPORARY_NAME ".frugal-XXXXXX"

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
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };
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

static size_t folder_len(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

static bool open_temporary(cli_output *output)
{
    size_t folder     = folder_len(output->target);
    output->temporary = malloc(folder + sizeof TEMPORARY_NAME);
    if (output->temporary == NULL)
        return false;
    memcpy(output->temporary, output->target, folder);
    memcpy(output->temporary + folder, TEMPORARY_NAME, sizeof TEMPORARY_NAME);
    output->file = mkstemp(output->temporary);
    if (output->file < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    watch_signals(output->temporary);
    return fchmod(output->file, mode_for(output->target)) == 0;
}

/* ---- what a path is ------------------------------------------------------------------------- */

/* The folder of `path` without links, with a slash at its end; to be freed. NULL: there is none, or
 * no memory, and who opens the path will notice. */
static char *real_folder(const char *path)
{
    size_t len  = folder_len(path);
    char  *name = len ? strdup(path) : strdup("./");
    if (name == NULL)
        return NULL;
    name[len ? len : 2] = 0;
    char *real          = realpath(name, NULL);
    free(name);
    size_t size = real ? strlen(real) : 0;
    char  *all  = real ? realloc(real, size + 2) : NULL;
    if (all == NULL)
        free(real);
    else if (size == 0 || all[size - 1] != '/')
        memcpy(all + size, "/", 2);
    return all;
}

/* "17" is 17; -1 when it is no number. */
static int number_of(const char *text)
{
    int value = 0;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || value > INT_MAX / 10 - 1)
            return -1;
        value = value * 10 + (*at - '0');
    }
    return *text ? value : -1;
}

/* The descriptor of ours that a name in this folder is another name of; -1: it is none. */
static int descriptor_of(const char *folder, const char *name)
{
    static const char *const streams[] = { "stdin", "stdout", "stderr" };
    char                     own[40];
    snprintf(own, sizeof own, "/proc/%ld/fd/", (long)getpid());
    for (int i = 0; i < 3 && strcmp(folder, "/dev/") == 0; i++) {
        if (strcmp(name, streams[i]) == 0)
            return i;
    }
    bool numbers = strcmp(folder, "/dev/fd/") == 0 || strcmp(folder, own) == 0;
    return numbers ? number_of(name) : -1;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Where names stand for something else; /dev/shm holds files as any folder does. */
static bool is_special(const char *folder)
{
    return starts_with(folder, "/proc/")
           || (starts_with(folder, "/dev/") && !starts_with(folder, "/dev/shm/"));
}

/* The path that a symbolic link leads to, to be freed; NULL with errno 0: `path` is no link. */
static char *behind_link(const char *path)
{
    char    text[PATH_MAX];
    ssize_t len = readlink(path, text, sizeof text);
    errno       = len >= (ssize_t)sizeof text ? ENAMETOOLONG : 0;
    if (len < 0 || errno)
        return NULL;
    size_t folder = text[0] == '/' ? 0 : folder_len(path);
    char  *target = malloc(folder + (size_t)len + 1);
    if (target == NULL)
        return NULL;
    memcpy(target, path, folder);
    memcpy(target + folder, text, (size_t)len);
    target[folder + (size_t)len] = 0;
    return target;
}

/* A descriptor is used as it is, with its place and O_APPEND. True: the path was one, and
 * output->file is -1 when it could not be had. */
static bool open_special(cli_output *output, const char *path)
{
    char *folder = real_folder(path);
    if (folder == NULL)
        return false;
    int  descriptor = descriptor_of(folder, path + folder_len(path));
    bool special    = is_special(folder);
    free(folder);
    if (descriptor >= 0)
        output->file = dup(descriptor);
    else if (special)
        output->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    return descriptor >= 0 || special;
}

/* `path` is no link. */
static bool open_plain(cli_output *output, const char *path)
{
    struct stat about;
    bool        exists = stat(path, &about) == 0;
    if (!exists && errno == ENAMETOOLONG)
        return false;
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
    output->target = strdup(path);
    return output->target && open_temporary(output);
}

/* Through symbolic links, so that a link stays one, also one to a file that is not there yet. */
static bool open_path(cli_output *output, const char *path)
{
    char *at = strdup(path);
    for (int links = 0; at; links++) {
        if (open_special(output, at)) {
            free(at);
            return output->file >= 0;
        }
        char *next = links < LINKS_MAX ? behind_link(at) : NULL;
        if (links == LINKS_MAX)
            errno = ELOOP;
        if (next == NULL)
            break;
        free(at);
        at = next;
    }
    bool done = at && errno == 0 && open_plain(output, at);
    int  why  = errno;
    free(at);
    errno = why;
    return done;
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
