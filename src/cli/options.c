/* cli/options.c - the words of a command line become options and operands.
 *
 * As getopt_long has taught everybody: -x, -xo FILE, -oFILE, --output FILE, --output=FILE, and --
 * ends the options. Only whole names are taken; one that is nearly right is suggested. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

typedef struct reader {
    cli_args *args;
    char    **words;
    int       count, at;
    cli_exit  result; /* the first failure ends the reading */
    bool      help;
} reader;

/* ---- looking options up --------------------------------------------------------------------- */

static const cli_option *by_name(const cli_command *command, const char *name, size_t len)
{
    for (const cli_option *const *option = command->options; *option; option++) {
        if (strlen((*option)->name) == len && memcmp((*option)->name, name, len) == 0)
            return *option;
    }
    return NULL;
}

static const cli_option *by_letter(const cli_command *command, char letter)
{
    for (const cli_option *const *option = command->options; *option; option++) {
        if ((*option)->letter && (*option)->letter == letter)
            return *option;
    }
    return NULL;
}

static cli_exit say_unknown(const cli_command *command, const char *name, size_t len)
{
    char      word[64];
    cli_guess guess;
    if (len >= sizeof word)
        len = sizeof word - 1;
    memcpy(word, name, len);
    word[len] = 0;
    cli_guess_start(&guess, word);
    cli_guess_feed(&guess, "help");
    for (const cli_option *const *option = command->options; *option; option++)
        cli_guess_feed(&guess, (*option)->name);
    if (guess.best)
        return cli_say_usage(command, "no option --%s; did you mean --%s?", word, guess.best);
    return cli_say_usage(command, "no option --%s", word);
}

/* ---- values --------------------------------------------------------------------------------- */

/* Which of "a|b|c" is `value`; count of them when it is none. */
static size_t choice_index(const char *choices, const char *value, size_t *count)
{
    size_t index = 0, len = strlen(value), found = SIZE_MAX;
    for (const char *at = choices;; index++) {
        size_t item = strcspn(at, "|");
        if (item == len && memcmp(at, value, len) == 0)
            found = index;
        if (at[item] == 0)
            break;
        at += item + 1;
    }
    *count = index + 1;
    return found < *count ? found : *count;
}

static cli_exit say_later(const cli_command *command, const cli_option *option, const char *value)
{
    size_t      len  = strcspn(option->choices, "|");
    const char *last = option->choices + len + (option->choices[len] == '|');
    return cli_say_usage(command, "--%s %s is not built yet; %s is", option->name, value, last);
}

static cli_exit check_value(const cli_command *command, const cli_option *option, const char *value)
{
    size_t count;
    if (option->later && choice_index(option->later, value, &count) < count)
        return say_later(command, option, value);
    if (option->choices && choice_index(option->choices, value, &count) == count)
        return cli_say_usage(command, "--%s is %s, not \"%s\"", option->name, option->choices,
                             value);
    if (*value == 0)
        return cli_say_usage(command, "--%s has an empty value", option->name);
    return CLI_DONE;
}

static void take(reader *r, const cli_option *option, const char *value)
{
    if (value)
        r->result = check_value(r->args->command, option, value);
    if (r->result == CLI_DONE && value && !option->repeats && cli_given(r->args, option))
        r->result = cli_say_usage(r->args->command, "--%s is given twice", option->name);
    if (r->result == CLI_DONE)
        r->args->given[r->args->given_count++] = (cli_given_option){ option, value };
}

/* The word behind an option that needs one. */
static void take_next(reader *r, const cli_option *option)
{
    if (r->at == r->count)
        r->result = cli_say_usage(r->args->command, "--%s needs a value: %s", option->name,
                                  option->choices ? option->choices : option->value);
    else
        take(r, option, r->words[r->at++]);
}

/* ---- words ---------------------------------------------------------------------------------- */

static void read_long(reader *r, const char *word)
{
    size_t            len    = strcspn(word, "=");
    const cli_option *option = by_name(r->args->command, word, len);
    if (len == 4 && memcmp(word, "help", 4) == 0 && word[len] == 0)
        r->help = true;
    else if (option == NULL)
        r->result = say_unknown(r->args->command, word, len);
    else if (word[len] && option->value == NULL)
        r->result = cli_say_usage(r->args->command, "--%s takes no value", option->name);
    else if (word[len])
        take(r, option, word + len + 1);
    else if (option->value)
        take_next(r, option);
    else
        take(r, option, NULL);
}

static void read_letters(reader *r, const char *letters)
{
    while (*letters && r->result == CLI_DONE) {
        const cli_option *option = by_letter(r->args->command, *letters);
        if (option == NULL && *letters == 'h') {
            r->help = true;
            return;
        }
        if (option == NULL) {
            r->result = cli_say_usage(r->args->command, "no option -%c", *letters);
            return;
        }
        letters++;
        if (option->value && *letters) {
            take(r, option, letters);
            return;
        }
        if (option->value)
            take_next(r, option);
        else
            take(r, option, NULL);
    }
}

static void read_words(reader *r)
{
    bool ended = false;
    while (r->at < r->count && r->result == CLI_DONE && !r->help) {
        const char *word = r->words[r->at++];
        if (ended || word[0] != '-' || word[1] == 0)
            r->args->operands[r->args->operand_count++] = word;
        else if (strcmp(word, "--") == 0)
            ended = true;
        else if (word[1] == '-')
            read_long(r, word + 2);
        else
            read_letters(r, word + 1);
    }
}

/* Whoever names the IDL as if it were the input. */
static const char *misplaced_idl(const cli_args *args)
{
    static const char end[] = ".thrift";
    for (size_t i = 0; i < args->operand_count; i++) {
        size_t len = strlen(args->operands[i]);
        if (len >= sizeof end && strcmp(args->operands[i] + len - (sizeof end - 1), end) == 0
            && by_letter(args->command, 'i') == &cli_idl && !cli_given(args, &cli_idl))
            return args->operands[i];
    }
    return NULL;
}

static cli_exit check_operands(const cli_args *args)
{
    const cli_command *command = args->command;
    const char        *idl     = misplaced_idl(args);
    if (idl)
        return cli_say_usage(command, "the IDL goes with -i: -i %s", idl);
    if (args->operand_count > command->operands_max)
        return cli_say_usage(command, "\"%s\" is one operand too many",
                             args->operands[command->operands_max]);
    if (args->operand_count < command->operands_min)
        return cli_say_usage(command, "wants %s", command->operands);
    return CLI_DONE;
}

cli_exit cli_args_read(cli_args *args, const cli_command *command, int count, char **words,
                       bool *help)
{
    /* No word gives more options than it has letters. */
    size_t letters = 1;
    for (int i = 0; i < count; i++)
        letters += strlen(words[i]) + 1;
    *args = (cli_args){ .command  = command,
                        .given    = calloc(letters, sizeof(cli_given_option)),
                        .operands = calloc((size_t)count + 1, sizeof(char *)) };
    if (args->given == NULL || args->operands == NULL)
        return cli_say_memory();

    reader r = { .args = args, .words = words, .count = count };
    read_words(&r);
    *help = r.help;
    if (r.result == CLI_DONE && !r.help)
        r.result = check_operands(args);
    return r.result;
}

/* ---- asking --------------------------------------------------------------------------------- */

const char *cli_value_at(const cli_args *args, const cli_option *option, size_t index)
{
    for (size_t i = 0; i < args->given_count; i++) {
        if (args->given[i].option == option && index-- == 0)
            return args->given[i].value ? args->given[i].value : "";
    }
    return NULL;
}

const char *cli_value(const cli_args *args, const cli_option *option)
{
    return cli_value_at(args, option, 0);
}

bool cli_given(const cli_args *args, const cli_option *option)
{
    return cli_value(args, option) != NULL;
}

size_t cli_choice(const cli_args *args, const cli_option *option)
{
    size_t      count;
    const char *value = cli_value(args, option);
    return value ? choice_index(option->choices, value, &count) : 0;
}

const char *cli_operand(const cli_args *args, size_t index)
{
    return index < args->operand_count ? args->operands[index] : NULL;
}

/* A decimal number and K, M or G. Own arithmetic: strtoull takes signs and spaces. */
static bool read_size(const char *text, size_t *size)
{
    uint64_t value  = 0;
    unsigned digits = 0, shift = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (++digits > 15)
            return false;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    if (*text)
        shift = *text == 'K' ? 10 : *text == 'M' ? 20 : *text == 'G' ? 30 : 0;
    if (digits == 0 || (*text && (shift == 0 || text[1])) || value > (SIZE_MAX >> 1) >> shift)
        return false;
    *size = (size_t)(value << shift);
    return true;
}

cli_exit cli_value_size(const cli_args *args, const cli_option *option, size_t *size)
{
    const char *value = cli_value(args, option);
    if (value && !read_size(value, size))
        return cli_say_usage(args->command, "--%s is a size like 64K, 16M or 1G, not \"%s\"",
                             option->name, value);
    return CLI_DONE;
}
