/* cli/help.h - the three forms in which the tables of commands are told: text, manual, completion.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/cli.h"

typedef struct help_page {
    cli_output *output;
    bool        colours;
    cli_exit    result; /* the first failure ends the writing */
} help_page;

void help_put(help_page *p, const char *text, size_t size);
void help_put_text(help_page *p, const char *text);

/* What an option does, with its choices, without a full stop. */
void help_option_text(const cli_option *option, char *text, size_t size);

/* Of frugal itself. */
extern const char        help_what[];
extern const char        help_about[];
extern const cli_example help_examples[];

/* `command` NULL: of frugal itself. */
void help_text(help_page *p, const cli_command *command);
void help_manual(help_page *p, const cli_command *command);

void help_bash(help_page *p);
void help_zsh(help_page *p);

#endif /* CLI_HELP_H */
