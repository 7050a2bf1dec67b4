/* support/vectors.c - reading recorded bytes. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/vectors.h"

#define PATH_SIZE     4096
#define WATCH_SECONDS 60

/* ---- where --------------------------------------------------------------------------------- */

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "vectors: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void path_of(char path[PATH_SIZE], const char *folder, const char *file)
{
    const char *data = environment("FRUGAL_TEST_DATA");
    int         size;
    if (vectors_full())
        size = snprintf(path, PATH_SIZE, "%s/%s%s", environment("FRUGAL_SHARED"), folder, file);
    else
        size = snprintf(path, PATH_SIZE, "%s/peers/%s%s", data != NULL ? data : "tests/data",
                        folder, file);
    if (size >= PATH_SIZE)
        give_up(file, "the path is too long");
}

bool vectors_full(void)
{
    return environment("FRUGAL_SHARED") != NULL;
}

void vectors_schema_name(const char *file, char *name, size_t size)
{
    const char *slash = strrchr(file, '/');
    snprintf(name, size, "%s", slash != NULL ? slash + 1 : file);
    name[strcspn(name, ".")] = '\0';
}

/* ---- files --------------------------------------------------------------------------------- */

static frugal_bytes file_read(const char *file)
{
    char path[PATH_SIZE];
    path_of(path, "", file);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL || fseek(stream, 0, SEEK_END) != 0)
        give_up(path, "cannot be opened");
    long size = ftell(stream);
    rewind(stream);
    uint8_t *bytes = size < 0 ? NULL : malloc((size_t)size + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, stream) != (size_t)size)
        give_up(path, "cannot be read");
    fclose(stream);
    return (frugal_bytes){ bytes, (size_t)size };
}

frugal_bytes vectors_file(const char *file)
{
    frugal_bytes read  = file_read(file);
    frugal_bytes exact = vectors_copy(read.ptr, read.len);
    vectors_free(read);
    return exact;
}

static json_t *parse(const char *file, const uint8_t *text, size_t size)
{
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
    json_error_t error;
    json_t      *value = json_loadb((const char *)text, size, flags, &error);
    /* A peer's answer to odd bytes may be an integer of more than 64 bits. Were it an expected
     * value, json_value_same would refuse the double. */
    if (value == NULL && json_error_code(&error) == json_error_numeric_overflow)
        value = json_loadb((const char *)text, size, flags | JSON_DECODE_INT_AS_REAL, &error);
    if (value == NULL)
        give_up(file, error.text);
    return value;
}

json_t *vectors_rows(const char *file)
{
    frugal_bytes text = file_read(file);
    json_t      *rows = json_array();
    for (size_t start = 0; start < text.len;) {
        const uint8_t *newline = memchr(text.ptr + start, '\n', text.len - start);
        size_t         end     = newline == NULL ? text.len : (size_t)(newline - text.ptr);
        if (end > start)
            json_array_append_new(rows, parse(file, text.ptr + start, end - start));
        start = end + 1;
    }
    vectors_free(text);
    return rows;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

json_t *vectors_files(const char *folder, const char *suffix)
{
    enum { FILES_MAX = 256 };
    char *names[FILES_MAX];
    int   count = 0;
    char  path[PATH_SIZE];
    path_of(path, folder, "");
    DIR *directory = opendir(path);
    if (directory == NULL)
        give_up(path, "cannot be opened");
    for (struct dirent *entry; (entry = readdir(directory)) != NULL && count < FILES_MAX;) {
        size_t len = strlen(entry->d_name), suffix_len = strlen(suffix);
        if (len > suffix_len && strcmp(entry->d_name + len - suffix_len, suffix) == 0)
            names[count++] = strdup(entry->d_name);
    }
    closedir(directory);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(array, json_string(names[i]));
        free(names[i]);
    }
    return array;
}

/* ---- rows ---------------------------------------------------------------------------------- */

const char *vectors_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text != NULL ? text : "";
}

/* Files are named from the folder `vectors`. */
static frugal_bytes file_of(const json_t *row, const char *key)
{
    char file[PATH_SIZE];
    snprintf(file, sizeof file, "vectors/%s", vectors_text(row, key));
    return file_read(file);
}

json_t *vectors_value(const json_t *row)
{
    json_t *value = json_object_get(row, "value");
    if (value != NULL)
        return json_incref(value);
    frugal_bytes text = file_of(row, "value_file");
    value             = parse(vectors_text(row, "id"), text.ptr, text.len);
    vectors_free(text);
    return value;
}

frugal_bytes vectors_binary(const json_t *row)
{
    if (json_object_get(row, "binary_hex") != NULL)
        return vectors_hex(row, "binary_hex");
    frugal_bytes file  = file_of(row, "binary_file");
    frugal_bytes bytes = vectors_copy(file.ptr, file.len);
    vectors_free(file);
    return bytes;
}

static int digit_of(char c)
{
    const char *digits = "0123456789abcdef", *at = strchr(digits, c);
    return at != NULL && c != '\0' ? (int)(at - digits) : -1;
}

frugal_bytes vectors_hex(const json_t *row, const char *key)
{
    const char *hex   = vectors_text(row, key);
    size_t      size  = strlen(hex) / 2;
    uint8_t    *bytes = malloc(size);
    for (size_t i = 0; i < size; i++) {
        int high = digit_of(hex[2 * i]), low = digit_of(hex[2 * i + 1]);
        if (bytes == NULL || high < 0 || low < 0)
            give_up(vectors_text(row, "id"), "not hexadecimal");
        bytes[i] = (uint8_t)(high << 4 | low);
    }
    return (frugal_bytes){ bytes, size };
}

frugal_bytes vectors_copy(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size);
    if (copy == NULL && size > 0)
        give_up("copy", "no memory");
    if (size > 0)
        memcpy(copy, bytes, size);
    return (frugal_bytes){ copy, size };
}

void vectors_free(frugal_bytes bytes)
{
    free((void *)(uintptr_t)bytes.ptr);
}

/* ---- limits -------------------------------------------------------------------------------- */

static char watched[256];

static void too_long(int number)
{
    static const char text[] = ": no answer within a minute\n";
    (void)number;
    if (write(STDERR_FILENO, watched, strlen(watched)) < 0
        || write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}

void vectors_watch(const char *id)
{
    struct sigaction action = { .sa_handler = too_long };
    snprintf(watched, sizeof watched, "%s", id != NULL ? id : "");
    sigaction(SIGALRM, &action, NULL);
    alarm(id != NULL ? WATCH_SECONDS : 0);
}

bool vectors_memory_is_modest(const frugal_arena *arena, size_t input_size)
{
    return frugal_arena_reserved(arena) <= 64 * 1024 + 64 * input_size;
}
