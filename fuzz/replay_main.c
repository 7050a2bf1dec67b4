/* fuzz/replay_main.c - a main for fuzz targets where libFuzzer is not: every file of the named
 * folders goes through the target once.
 *
 * Each input is a heap block of exactly its size, so that a sanitizer sees the first byte read
 * behind it. The empty input is always tried. A failure is an abort inside the target; the name of
 * the file is on stderr before it. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int                       LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static unsigned file_count;

static void die(const char *what, const char *name)
{
    fprintf(stderr, "%s: cannot %s\n", name, what);
    exit(1);
}

static void run_file(const char *name, size_t size)
{
    uint8_t *data = malloc(size);
    FILE    *file = fopen(name, "rb");
    if ((data == NULL && size > 0) || file == NULL || fread(data, 1, size, file) != size)
        die("read", name);
    fclose(file);
    fprintf(stderr, "%s\n", name);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    file_count++;
}

static void run_path(const char *name);

static void run_folder(const char *name)
{
    struct dirent **entries;
    int             count = scandir(name, &entries, NULL, alphasort);
    if (count < 0)
        die("list", name);
    for (int i = 0; i < count; i++) {
        char path[4096];
        if (entries[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", name, entries[i]->d_name);
            run_path(path);
        }
        free(entries[i]);
    }
    free(entries);
}

static void run_path(const char *name)
{
    struct stat info;
    if (stat(name, &info) != 0)
        die("find", name);
    if (S_ISDIR(info.st_mode))
        run_folder(name);
    else
        run_file(name, (size_t)info.st_size);
}

int main(int argc, char **argv)
{
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < argc; i++)
        run_path(argv[i]);
    printf("%u files replayed\n", file_count);
    return 0;
}
