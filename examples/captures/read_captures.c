/* read_captures.c - recorded Kitex connections become C structs, and the same bytes again.
 *
 *   read_captures data                     every message of every capture, in words
 *   read_captures --quiet data             only what is wrong, and the summary
 *   read_captures --batch data             ... and how fast that goes
 *
 * For each message: find its frame (frame.c), decode the message into a described struct (call.c,
 * peer.c), print it, encode the struct again behind the same header, and compare with the capture
 * byte for byte. Fields that the writer did not put in order of their ids come back in that order;
 * then the comparison is with the capture in that order (order.c), and the summary says how many
 * those were. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch.h"
#include "call.h"
#include "frame.h"
#include "order.h"
#include "text.h"

static const char usage[] =
    "usage: read_captures [--quiet] [--batch [COUNT]] FOLDER|FILE...\n"
    "\n"
    "Reads captures (of a folder: all that end in .bin): the bytes of one direction of a\n"
    "recorded connection. Each message is decoded, printed, encoded again and compared.\n"
    "\n"
    "  --quiet          print only what is wrong, and the summary\n"
    "  --batch [COUNT]  the same, then decode and encode each distinct message COUNT times\n"
    "                   (100000) and print how fast that is\n"
    "  --help           print this\n"
    "\n"
    "Exit status: 0 all the same bytes again, 1 something is wrong, 2 wrong usage.\n";

struct options {
    bool          quiet;
    unsigned long rounds; /* 0: no batch */
};

struct reader {
    struct options options;
    unsigned       files, messages, reordered, problems;
    const char    *path;  /* of the capture that is being read */
    frugal_arena  *arena; /* reset before each message */
    frugal_arena  *keep;  /* what the batch will need; NULL: no batch */
    frugal_buf     input, output, scratch;
    struct batch   batch;
};

static int  parse_options(int argc, char **argv, struct options *options);
static bool reader_init(struct reader *reader);
static void reader_release(struct reader *reader);
static void read_path(struct reader *reader, const char *path);
static void read_folder(struct reader *reader, const char *path);
static void read_capture(struct reader *reader, const char *path);
static int  finish(struct reader *reader);

int main(int argc, char **argv)
{
    struct reader reader = { 0 };
    int           paths  = parse_options(argc, argv, &reader.options);
    if (paths <= 0)
        return -paths;
    int status = 1;
    if (reader_init(&reader)) {
        for (int i = 0; i < paths; i++)
            read_path(&reader, argv[i]);
        status = finish(&reader);
    } else
        fputs("read_captures: out of memory\n", stderr);
    reader_release(&reader);
    return status;
}

/* ---- one message ---------------------------------------------------------------------------- */

static void report(struct reader *reader, size_t offset, const frugal_error *error)
{
    reader->problems++;
    fflush(stdout);
    fprintf(stderr, "%s: at byte %zu: %s: ", reader->path, offset + error->offset,
            frugal_status_name(error->status));
    if (error->path[0])
        fprintf(stderr, "%s: ", error->path);
    text_print(stderr, error->message, strlen(error->message));
    putc('\n', stderr);
}

/* Header, envelope and struct behind each other, as they would be sent. */
static frugal_status build_frame(struct reader *reader, const struct frame *frame,
                                 const struct call *call, frugal_error *error)
{
    reader->output.size  = 0;
    frugal_status status = frame_begin(frame, &reader->output);
    if (status != FRUGAL_OK)
        return error_say(error, status, 0, "no memory for the frame");
    status = call_encode(call, &reader->output, error);
    if (status == FRUGAL_OK)
        frame_end(frame, &reader->output, 0);
    return status;
}

/* Compares what was built with the capture; `*reordered`: they are equal once the fields of the
 * capture are in order of their ids. */
static frugal_status compare(struct reader *reader, frugal_bytes capture, const struct frame *frame,
                             bool *reordered, frugal_error *error)
{
    frugal_bytes built = frugal_buf_bytes(&reader->output);
    size_t       same  = 0;
    while (same < built.len && same < capture.len && built.ptr[same] == capture.ptr[same])
        same++;
    *reordered = false;
    if (same == capture.len && same == built.len)
        return FRUGAL_OK;

    size_t   body_at = 0;
    uint8_t *sorted  = frugal_arena_alloc(reader->arena, capture.len, 1);
    if (!sorted)
        return error_say(error, FRUGAL_NOMEM, 0, "no memory to compare");
    memcpy(sorted, capture.ptr, capture.len);
    if (built.len == capture.len
        && frugal_message_read(frame->message, NULL, &(frugal_message){ 0 }, &body_at, error)
               == FRUGAL_OK
        && order_fields(sorted + frame->header.len + body_at, frame->message.len - body_at)
        && !memcmp(sorted, built.ptr, built.len)) {
        *reordered = true;
        return FRUGAL_OK;
    }
    return error_say(error, FRUGAL_MALFORMED, same,
                     "encoded again, the message differs from here on"
                     " (%zu bytes, %zu in the capture)",
                     built.len, capture.len);
}

static frugal_status print_message(struct reader *reader, const struct frame *frame,
                                   const struct call *call, size_t offset, frugal_error *error)
{
    printf("%s, byte %zu: ", reader->path, offset);
    frame_print(frame, stdout);
    putchar('\n');
    return call_print(call, stdout, &reader->scratch, error);
}

/* The road of a message, there and back. */
static frugal_status read_message(struct reader *reader, frugal_bytes capture,
                                  const struct frame *frame, size_t offset, frugal_error *error)
{
    struct call call;
    bool        reordered;

    frugal_arena_reset(reader->arena);
    frugal_status status = call_decode(&call, frame->message, reader->arena, error);
    if (status != FRUGAL_OK) {
        error->offset += frame->header.len;
        return status;
    }
    if (!reader->options.quiet)
        status = print_message(reader, frame, &call, offset, error);
    if (status == FRUGAL_OK)
        status = build_frame(reader, frame, &call, error);
    if (status == FRUGAL_OK)
        status = compare(reader, capture, frame, &reordered, error);
    if (status != FRUGAL_OK)
        return status;
    reader->messages++;
    reader->reordered += reordered;
    if (!reader->options.quiet)
        printf("%s\n\n",
               reordered ? "= the same bytes, fields in order of id" : "= the same bytes");
    frugal_bytes encoded = { reader->output.data + frame->header.len, frame->message.len };
    return reader->keep ? batch_add(&reader->batch, frame->message, encoded, reader->keep, error)
                        : FRUGAL_OK;
}

/* ---- one capture ---------------------------------------------------------------------------- */

#define CAPTURE_MAX ((size_t)256 << 20) /* bytes of one file, which is read whole */

static bool load(struct reader *reader, const char *path)
{
    FILE *file         = fopen(path, "rb");
    bool  good         = file != NULL;
    reader->input.size = 0;
    while (good && !feof(file)) {
        if (reader->input.size > CAPTURE_MAX) {
            errno = EFBIG;
            good  = false;
            break;
        }
        good = frugal_buf_reserve(&reader->input, 4096) == FRUGAL_OK;
        if (!good)
            errno = ENOMEM;
        else
            reader->input.size += fread(reader->input.data + reader->input.size, 1,
                                        reader->input.capacity - reader->input.size, file);
        good = good && !ferror(file);
    }
    if (!good) {
        fprintf(stderr, "%s: cannot read it: %s\n", path, strerror(errno));
        reader->problems++;
    }
    if (file)
        fclose(file);
    return good;
}

/* Messages stand behind each other; nothing is between them. After a bad one nobody can say where
 * the next one begins. */
static void read_capture(struct reader *reader, const char *path)
{
    frugal_error error = { 0 };
    if (!load(reader, path))
        return;
    reader->path = path;
    reader->files++;
    frugal_bytes all = frugal_buf_bytes(&reader->input);
    if (all.len == 0 && !reader->options.quiet)
        printf("%s: nothing was sent\n\n", path);
    for (size_t at = 0; at < all.len;) {
        struct frame  frame;
        frugal_bytes  rest   = { all.ptr + at, all.len - at };
        frugal_status status = frame_read(rest, &frame, &error);
        if (status == FRUGAL_OK) {
            frugal_bytes capture = { rest.ptr, frame.size };
            status               = read_message(reader, capture, &frame, at, &error);
        }
        if (status != FRUGAL_OK) {
            report(reader, at, &error);
            return;
        }
        at += frame.size;
    }
}

static int is_capture(const struct dirent *entry)
{
    size_t len = strlen(entry->d_name);
    return len > 4 && !strcmp(entry->d_name + len - 4, ".bin");
}

static void read_folder(struct reader *reader, const char *path)
{
    struct dirent **entries;
    int             count = scandir(path, &entries, is_capture, alphasort);
    if (count <= 0) {
        fprintf(stderr, "%s: %s\n", path,
                count == 0 ? "no captures (*.bin) in it" : strerror(errno));
        reader->problems++;
    }
    for (int i = 0; i < count; i++) {
        char name[4096];
        int  len = snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (len > 0 && (size_t)len < sizeof name)
            read_capture(reader, name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

static void read_path(struct reader *reader, const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        read_folder(reader, path);
    else
        read_capture(reader, path);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static bool reader_init(struct reader *reader)
{
    frugal_buf_init(&reader->input, NULL, 0, NULL);
    frugal_buf_init(&reader->output, NULL, 0, NULL);
    frugal_buf_init(&reader->scratch, NULL, 0, NULL);
    reader->arena = frugal_arena_new(NULL);
    reader->keep  = reader->options.rounds ? frugal_arena_new(NULL) : NULL;
    return reader->arena && (reader->keep || !reader->options.rounds);
}

static void reader_release(struct reader *reader)
{
    frugal_arena_free(reader->keep);
    frugal_arena_free(reader->arena);
    frugal_buf_release(&reader->scratch);
    frugal_buf_release(&reader->output);
    frugal_buf_release(&reader->input);
}

static int finish(struct reader *reader)
{
    frugal_error error = { 0 };
    printf("%u files, %u messages", reader->files, reader->messages);
    if (reader->problems)
        printf(", %u problem%s\n", reader->problems, reader->problems == 1 ? "" : "s");
    else if (reader->messages)
        printf(", all the same bytes again\n");
    else
        printf(": nothing was sent\n");
    if (reader->reordered)
        printf("(%u of them with their fields in order of id; the writer had another order)\n",
               reader->reordered);
    if (reader->problems && reader->keep)
        fputs("batch: not run, because of the problems above\n", stderr);
    else if (reader->batch.count
             && batch_run(&reader->batch, reader->options.rounds, &error) != FRUGAL_OK) {
        fprintf(stderr, "batch: %s: %s\n", frugal_status_name(error.status), error.message);
        reader->problems++;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "read_captures: cannot write: %s\n", strerror(errno));
        reader->problems++;
    }
    return reader->problems ? 1 : 0;
}

static bool is_number(const char *text)
{
    return text && text[0] && text[strspn(text, "0123456789")] == '\0';
}

/* 0: not a number of 1 and more. */
static unsigned long number(const char *text)
{
    errno               = 0;
    unsigned long value = strtoul(text, NULL, 10);
    return errno ? 0 : value;
}

/* Takes the options out of `argv`, wherever they stand, and leaves the paths: how many, or 0 or
 * less: that exit status with its sign turned. */
static int parse_options(int argc, char **argv, struct options *options)
{
    int paths = 0;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            argv[paths++] = argv[i];
        else if (!strcmp(argv[i], "--quiet"))
            options->quiet = true;
        else if (!strcmp(argv[i], "--batch")) {
            options->rounds = 100000;
            options->quiet  = true;
            if (is_number(argv[i + 1])) /* NULL behind the last */
                options->rounds = number(argv[++i]);
            if (options->rounds == 0) {
                fprintf(stderr, "read_captures: not a count from 1: %s\n%s", argv[i], usage);
                return -2;
            }
        } else if (!strcmp(argv[i], "--help")) {
            fputs(usage, stdout);
            return 0;
        } else {
            fprintf(stderr, "read_captures: unknown option %s\n%s", argv[i], usage);
            return -2;
        }
    }
    if (paths == 0) {
        fprintf(stderr, "read_captures: no capture is named\n%s", usage);
        return -2;
    }
    return paths;
}
