/* cli/main.c - finds the sub-command and runs it. */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <frugal/version.h>

#include "cli/cli.h"

static const cli_command *find_command(const char *name)
{
    for (const cli_command *const *command = cli_commands; *command; command++) {
        if (strcmp((*command)->name, name) == 0)
            return *command;
    }
    return NULL;
}

static cli_exit say_unknown(const char *name)
{
    cli_guess guess;
    cli_guess_start(&guess, name);
    for (const cli_command *const *command = cli_commands; *command; command++)
        cli_guess_feed(&guess, (*command)->name);
    if (strcmp(name, "version") == 0)
        return cli_say_usage(NULL, "no command \"version\"; it is frugal --version");
    if (*name == '-')
        return cli_say_usage(NULL, "no option %s; options stand behind a command", name);
    if (guess.best)
        return cli_say_usage(NULL, "no command \"%s\"; did you mean %s?", name, guess.best);
    return cli_say_usage(NULL, "no command \"%s\"", name);
}

static cli_exit print(const cli_command *command, const char *text)
{
    cli_output *output;
    cli_exit    result = cli_output_open(NULL, &output);
    if (result == CLI_DONE)
        result = text ? cli_output_text(output, text) : cli_help_write(command, output);
    return cli_output_close(output, result);
}

static const char *version_line(void)
{
    static char line[64];
    int         number = frugal_version();
    snprintf(line, sizeof line, "frugal %d.%d.%d\n", number >> 16, (number >> 8) & 0xFF,
             number & 0xFF);
    return line;
}

static cli_exit run_command(const cli_command *command, int count, char **words)
{
    cli_args args;
    bool     help   = false;
    cli_exit result = cli_args_read(&args, command, count, words, &help);
    if (result == CLI_DONE)
        result = help ? print(command, NULL) : command->run(&args);
    free(args.given);
    free(args.operands);
    return result;
}

static cli_exit run(int count, char **words)
{
    if (count == 0)
        return cli_say_usage(NULL, "which command?");
    if (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)
        return print(NULL, NULL);
    if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "-V") == 0)
        return print(NULL, version_line());
    const cli_command *command = find_command(words[0]);
    return command ? run_command(command, count - 1, words + 1) : say_unknown(words[0]);
}

/* A standard descriptor that is closed must not become that of the next file that is opened. What
 * stands in for it can be used in the wrong direction only, so that the lack is noticed. */
static void hold_descriptors(void)
{
    for (int descriptor = 0; descriptor <= STDERR_FILENO; descriptor++) {
        bool closed = fcntl(descriptor, F_GETFD) < 0;
        if (closed && open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY) < 0)
            _Exit(CLI_FAULT);
    }
}

int main(int count, char **words)
{
    hold_descriptors();
    /* A reader that went away and a limit on the size of files are errors of write. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return (int)run(count > 0 ? count - 1 : 0, words + 1);
}
