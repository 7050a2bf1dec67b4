/* idl/files.c - the root file and all it includes: finding, opening, reading, each file once.
 *
 * Files are read in the order in which their includes are found, so there is no recursion; a cycle
 * is looked for when all is read, because only then is it known who includes whom. Two paths are
 * one file when they are equal after "." and ".." were taken out of them by their names, as
 * thriftgo does it; symbolic links are not followed. On disk a path from the working directory and
 * an absolute one are compared, too. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/hash.h"
#include "idl/idl.h"
#include "idl/table.h"

static const idl_place nowhere = { 0, 0 };

/* ---- paths ---------------------------------------------------------------------------------- */

frugal_str idl_base_name(frugal_str path)
{
    size_t start = path.len, end = path.len;
    while (start > 0 && path.ptr[start - 1] != '/')
        start--;
    for (size_t i = path.len; i > start + 1; i--)
        if (path.ptr[i - 1] == '.') {
            end = i - 1;
            break;
        }
    return (frugal_str){ path.ptr + start, end - start };
}

static bool is_absolute(frugal_str path)
{
    return path.len && path.ptr[0] == '/';
}

/* The folder of a path with the slash behind it; empty: the working directory. */
static frugal_str folder_of(frugal_str path)
{
    while (path.len && path.ptr[path.len - 1] != '/')
        path.len--;
    return path;
}

static bool is_part(const char *part, size_t len, const char *dots)
{
    return len == strlen(dots) && memcmp(part, dots, len) == 0;
}

/* Whether `text` ends in a folder that a ".." takes away. */
static bool has_folder(const char *text, size_t len)
{
    if (len == 0 || (len == 1 && text[0] == '/'))
        return false;
    return !(len >= 3 && is_part(text + len - 3, 3, "../") && (len == 3 || text[len - 4] == '/'));
}

/* Takes "." , ".." and repeated slashes out of a path, in place; its new length. */
static size_t normalise(char *text, size_t len)
{
    bool   absolute = len && text[0] == '/';
    size_t to       = absolute;
    for (size_t from = 0; from < len;) {
        size_t end = from;
        while (end < len && text[end] != '/')
            end++;
        size_t      part  = end - from;
        const char *start = text + from;
        bool        up    = is_part(start, part, "..");
        from              = end + 1;
        if (part == 0 || is_part(start, part, ".") || (up && absolute && to == 1))
            continue;
        if (up && has_folder(text, to)) {
            for (to--; to > 0 && text[to - 1] != '/'; to--)
                ;
            continue;
        }
        memmove(text + to, start, part);
        to += part;
        if (end < len)
            text[to++] = '/';
    }
    return to;
}

/* `folder`, a slash when it needs one, and `path`, normalised; ptr NULL: no memory. */
static frugal_str join(idl_load *load, frugal_str folder, frugal_str path)
{
    char  *text = frugal_arena_alloc(load->arena, folder.len + path.len + 2, 1);
    size_t len  = folder.len;
    if (text == NULL) {
        idl_no_memory(load);
        return (frugal_str){ NULL, 0 };
    }
    if (len)
        memcpy(text, folder.ptr, len);
    if (len && text[len - 1] != '/')
        text[len++] = '/';
    memcpy(text + len, path.ptr, path.len);
    len       = normalise(text, len + path.len);
    text[len] = '\0';
    return (frugal_str){ text, len };
}

/* ---- reading -------------------------------------------------------------------------------- */

#define READ_SIZE 65536u

/* The reader when the caller has none. At most `max` bytes, and one more when there are more. */
static frugal_status read_file(const char *path, size_t max, frugal_buf *out, frugal_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        int code = errno;
        snprintf(error->message, sizeof error->message, "%s", strerror(code));
        return code == ENOENT || code == ENOTDIR ? FRUGAL_NOTFOUND : FRUGAL_IO;
    }
    frugal_status status = FRUGAL_OK;
    size_t        got    = 1;
    while (status == FRUGAL_OK && got && out->size <= max) {
        status = frugal_buf_reserve(out, READ_SIZE);
        if (status)
            break;
        size_t room = max - out->size < READ_SIZE ? max - out->size + 1 : READ_SIZE;
        got         = fread(out->data + out->size, 1, room, file);
        out->size += got;
    }
    if (ferror(file)) {
        snprintf(error->message, sizeof error->message, "%s", strerror(errno));
        status = FRUGAL_IO;
    }
    fclose(file);
    return status;
}

static frugal_status read_path(idl_load *load, const char *path, frugal_buf *out,
                               frugal_error *error)
{
    const frugal_schema_options *options = load->options;
    memset(error, 0, sizeof *error);
    if (options->read)
        return options->read(path, out, error, options->read_context);
    return read_file(path, options->text_max - load->text_size, out, error);
}

/* ---- the list of files ---------------------------------------------------------------------- */

/* Files by path: there may be a thousand, and each may include each. */
#define BUCKET_COUNT 256u

typedef struct known {
    struct known *next;
    frugal_str    key;
    idl_file     *file;
    const void   *includer; /* the last file that included it */
} known;

#define FOLDER_MAX 4096u

typedef struct reading {
    idl_load *load;
    known    *buckets[BUCKET_COUNT];
    char      working[FOLDER_MAX]; /* directory, of files on disk; empty: paths are as they are */
} reading;

/* What two spellings of one path share; ptr NULL: no memory. */
static frugal_str key_of(const reading *r, frugal_str path)
{
    if (r->working[0] == '\0' || is_absolute(path))
        return path;
    return join(r->load, (frugal_str){ r->working, strlen(r->working) }, path);
}

static known **bucket_of(reading *r, frugal_str key)
{
    return &r->buckets[hash_bytes(key.ptr, key.len, (uintptr_t)r) % BUCKET_COUNT];
}

static known *find(reading *r, frugal_str key)
{
    for (known *k = *bucket_of(r, key); k; k = k->next)
        if (k->key.len == key.len && memcmp(k->key.ptr, key.ptr, key.len) == 0)
            return k;
    return NULL;
}

static idl_file *add(reading *r, frugal_str path)
{
    idl_load  *load = r->load;
    frugal_str key  = key_of(r, path);
    known     *k    = key.ptr ? idl_alloc(load, sizeof *k) : NULL;
    idl_file  *file = k ? idl_alloc(load, sizeof *file) : NULL;
    if (file == NULL)
        return NULL;
    file->path   = path;
    file->prefix = frugal_arena_str(load->arena, idl_base_name(path));
    file->index  = load->file_count++;
    if (file->prefix.ptr == NULL)
        idl_no_memory(load);
    *load->files_end = file;
    load->files_end  = &file->next;
    known **bucket   = bucket_of(r, key);
    *k               = (known){ *bucket, key, file, NULL };
    *bucket          = k;
    return file;
}

/* Who asked for a file: an include, or, for the root, nobody. */
typedef struct asker {
    const idl_file *file;
    idl_place       place;
    frugal_str      word;
} asker;

static bool check_size(idl_load *load, size_t size, const asker *by)
{
    size_t max = load->options->text_max;
    if (size <= max - load->text_size) {
        load->text_size += size;
        return true;
    }
    idl_error(load, FRUGAL_SIZE, by->file, by->place, by->word,
              "with this file there are more than %zu bytes of text, the bound text_max", max);
    return false;
}

static void report_read(idl_load *load, const asker *by, frugal_status status, frugal_str path,
                        const frugal_error *error)
{
    if (status == FRUGAL_NOMEM)
        idl_no_memory(load);
    else
        idl_error(load, status, by->file, by->place, by->word, "cannot read %.*s: %s",
                  (int)(path.len > 60 ? 60 : path.len), path.ptr,
                  error->message[0] ? error->message : frugal_status_text(status));
    load->stopped = true;
}

/* Opens and parses one path, which must end in the load's memory. NULL and FRUGAL_NOTFOUND: there
 * is no such file; NULL otherwise: reported. */
static idl_file *open_path(reading *r, frugal_str path, const asker *by, frugal_status *status)
{
    idl_load    *load = r->load;
    frugal_buf   buf;
    frugal_error error;
    idl_file    *file = NULL;
    frugal_buf_init(&buf, NULL, 0, load->options->allocator);
    *status = read_path(load, path.ptr, &buf, &error);
    if (*status == FRUGAL_OK && !check_size(load, buf.size, by))
        *status = FRUGAL_SIZE;
    else if (*status == FRUGAL_OK)
        file = add(r, path);
    else if (*status != FRUGAL_NOTFOUND)
        report_read(load, by, *status, path, &error);
    if (file)
        idl_parse(load, file, (frugal_str){ (const char *)buf.data, buf.size });
    frugal_buf_release(&buf);
    return file;
}

/* ---- includes ------------------------------------------------------------------------------- */

/* The file of an include that is in this folder; NULL: it is not, or that was reported, which
 * `*status` says. */
static idl_file *look_in(reading *r, frugal_str folder, const asker *by, frugal_status *status)
{
    frugal_str path = join(r->load, folder, by->word);
    *status         = FRUGAL_NOMEM;
    if (path.ptr == NULL)
        return NULL;
    frugal_str key = key_of(r, path);
    if (key.ptr == NULL)
        return NULL;
    const known *k = find(r, key);
    *status        = FRUGAL_OK;
    return k ? k->file : open_path(r, path, by, status);
}

static idl_file *look_for(reading *r, const asker *by)
{
    const frugal_schema_options *options = r->load->options;
    frugal_str                   here    = folder_of(by->file->path);
    frugal_status                status;
    if (is_absolute(by->word))
        here.len = 0;
    idl_file *file = look_in(r, here, by, &status);
    for (size_t i = 0; i < options->include_dir_count && status == FRUGAL_NOTFOUND; i++) {
        const char *dir = options->include_dirs[i];
        if (is_absolute(by->word))
            break;
        file = look_in(r, (frugal_str){ dir, strlen(dir) }, by, &status);
    }
    if (status == FRUGAL_NOTFOUND)
        idl_error(r->load, FRUGAL_NOTFOUND, by->file, by->place, by->word,
                  is_absolute(by->word)
                      ? "there is no file %.*s"
                      : "%.*s is neither beside this file nor in a folder for includes (-I)",
                  (int)(by->word.len > 100 ? 100 : by->word.len), by->word.ptr);
    return file;
}

static void load_include(reading *r, const idl_file *file, idl_include *include)
{
    idl_load  *load = r->load;
    frugal_str word = include->path.text;
    asker      by   = { file, include->path.place, word };
    if (word.len == 0 || memchr(word.ptr, '\0', word.len)) {
        idl_error(load, FRUGAL_SYNTAX, file, by.place, word, "this is no path of a file");
    } else if (load->file_count >= load->options->file_max) {
        idl_error(load, FRUGAL_SIZE, file, by.place, word,
                  "there are more than %u files, the bound file_max", load->options->file_max);
        load->stopped = true;
    } else {
        include->file = look_for(r, &by);
    }
}

/* Whether `file` included that one before, by whatever path and with the same prefix. */
static bool is_again(reading *r, const idl_file *file, const idl_include *include)
{
    frugal_str key = key_of(r, include->file->path);
    known     *k   = key.ptr ? find(r, key) : NULL;
    if (k == NULL)
        return false;
    bool again  = k->includer == file;
    k->includer = file;
    return again && idl_same_text(include->prefix, include->file->prefix);
}

/* Of two includes of one file the first is kept: names behind their prefix are looked for in each
 * include, of which so there are at most file_max. */
static void load_includes(reading *r, idl_file *file)
{
    for (idl_include **at = &file->includes; *at && !r->load->stopped;) {
        idl_include *include = *at;
        load_include(r, file, include);
        if (include->file && is_again(r, file, include))
            *at = include->next;
        else
            at = &include->next;
    }
}

/* ---- cycles --------------------------------------------------------------------------------- */

/* A walk from the root without recursion: `from` leads back, `at` is the include that is next. */
typedef struct visit {
    struct visit *from;
    idl_include  *at;
    idl_file     *file;
    bool          open, seen;
} visit;

#define CYCLE_TEXT_MAX 96

static void report_cycle(idl_load *load, const visit *last, const idl_include *include)
{
    char   text[CYCLE_TEXT_MAX] = "";
    size_t len                  = 0;
    /* Backwards: the file that is included twice is the last to be named. */
    for (const visit *v = last; v && len < sizeof text; v = v->from) {
        int more =
            snprintf(text + len, sizeof text - len, "%s%s", len ? ", by " : "", v->file->path.ptr);
        len += more > 0 ? (size_t)more : 0;
        if (v->file == include->file)
            break;
    }
    if (last->file == include->file)
        idl_error(load, FRUGAL_DESCRIPTOR, last->file, include->path.place, include->path.text,
                  "the file includes itself");
    else
        idl_error(load, FRUGAL_DESCRIPTOR, last->file, include->path.place, include->path.text,
                  "a cycle: this file is included by %s", text);
}

static void find_cycles(idl_load *load)
{
    visit *visits = frugal_arena_items(load->arena, load->file_count, sizeof *visits);
    if (visits == NULL) {
        idl_no_memory(load);
        return;
    }
    visit *v = &visits[0];
    *v       = (visit){ NULL, load->files->includes, load->files, true, true };
    while (v) {
        idl_include *include = v->at;
        if (include == NULL) {
            v->open = false;
            v       = v->from;
            continue;
        }
        v->at       = include->next;
        visit *next = include->file ? &visits[include->file->index] : NULL;
        if (next && next->open) {
            report_cycle(load, v, include);
        } else if (next && !next->seen) {
            *next = (visit){ v, include->file->includes, include->file, true, true };
            v     = next;
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void load_root(reading *r, frugal_str path, const frugal_str *text)
{
    idl_load     *load   = r->load;
    idl_file      unread = { .path = path };
    asker         nobody = { &unread, nowhere, path };
    frugal_status status = FRUGAL_OK;
    if (text == NULL) {
        open_path(r, path, &nobody, &status);
        if (status == FRUGAL_NOTFOUND)
            idl_error(load, FRUGAL_NOTFOUND, &unread, nowhere, path, "there is no file %.*s",
                      (int)(path.len > 100 ? 100 : path.len), path.ptr);
    } else if (check_size(load, text->len, &nobody)) {
        idl_file *file = add(r, path);
        if (file)
            idl_parse(load, file, *text);
    }
}

void idl_load_files(idl_load *load, const char *path, const frugal_str *text)
{
    reading    r    = { .load = load };
    frugal_str root = join(load, (frugal_str){ NULL, 0 }, (frugal_str){ path, strlen(path) });
    if (load->files_end == NULL)
        load->files_end = &load->files;
    if (load->options->read || getcwd(r.working, sizeof r.working) == NULL)
        r.working[0] = '\0';
    if (root.ptr)
        load_root(&r, root, text);
    for (idl_file *file = load->files; file && !load->stopped; file = file->next)
        load_includes(&r, file);
    if (load->files && !load->stopped)
        find_cycles(load);
}
