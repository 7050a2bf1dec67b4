/* fuzz/gen_fuzz.c - C text from IDL text: whatever the names, comments and literals of the IDL are,
 * what comes out is made of whole comments, whole literals and balanced brackets, and is the same
 * each time. tests/gen/compile_test.py --corpus has it compiled.
 *
 * The first byte holds options. The rest is the root file up to a line "//// NAME"; what follows
 * that line, up to the next of them, is the file NAME for includes. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gen/gen.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MARK "\n//// "
#define ROOT "root.thrift"

/* ---- files of the input --------------------------------------------------------------------- */

typedef struct input {
    const char *text, *end;
} input;

static const char *find(const char *from, const char *end, const char *what)
{
    size_t len = strlen(what);
    for (; (size_t)(end - from) >= len; from++)
        if (memcmp(from, what, len) == 0)
            return from;
    return NULL;
}

static frugal_status append_part(const input *in, const char *start, frugal_buf *out)
{
    const char *mark = find(start, in->end, MARK);
    return frugal_buf_append(out, start, (size_t)((mark ? mark : in->end) - start));
}

static frugal_status read_part(const char *path, frugal_buf *out, frugal_error *error,
                               void *context)
{
    const input *in  = context;
    size_t       len = strlen(path);
    (void)error;
    if (strcmp(path, ROOT) == 0)
        return append_part(in, in->text, out);
    for (const char *mark = in->text; (mark = find(mark, in->end, MARK)) != NULL; mark++) {
        const char *name = mark + sizeof MARK - 1;
        if ((size_t)(in->end - name) > len && memcmp(name, path, len) == 0 && name[len] == '\n')
            return append_part(in, name + len, out);
    }
    return FRUGAL_NOTFOUND;
}

/* ---- what is written ------------------------------------------------------------------------ */

/* The byte behind a comment that begins at `at`. */
static const char *skip_comment(const char *at, const char *end)
{
    const char *close = find(at + 2, end, "*/");
    assert(close);
    assert(!find(at + 2, close, "/*"));
    return close + 2;
}

static const char *skip_literal(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++) {
        assert(*at >= 0x20 && *at <= 0x7E);
        if (*at == '\\')
            at++;
    }
    assert(at < end);
    return at + 1;
}

static void check_c(frugal_str text)
{
    const char *end   = text.ptr + text.len;
    int         round = 0, curly = 0;
    assert(!find(text.ptr, end, "?\?/"));
    for (const char *at = text.ptr; at < end;) {
        if (end - at > 1 && at[0] == '/' && at[1] == '*') {
            at = skip_comment(at, end);
            continue;
        }
        if (*at == '"') {
            at = skip_literal(at, end);
            continue;
        }
        assert(*at == '\n' || (*at >= 0x20 && *at <= 0x7E));
        assert(*at != '\\' && *at != '\'');
        round += (*at == '(') - (*at == ')');
        /* the braces of extern "C" are in branches of the preprocessor, and balanced as well */
        curly += (*at == '{') - (*at == '}');
        assert(round >= 0 && curly >= 0);
        at++;
    }
    assert(round == 0 && curly == 0);
}

typedef struct output {
    frugal_buf all;
    bool       failed;
} output;

static frugal_status take(const char *name, frugal_str text, void *context, frugal_error *error)
{
    output *out = context;
    (void)error;
    assert(!strpbrk(name, "/\\\"\n") && name[0] != '.');
    check_c(text);
    if (frugal_buf_append(&out->all, text.ptr, text.len) != FRUGAL_OK)
        out->failed = true;
    return FRUGAL_OK;
}

static frugal_status written(const frugal_schema *schema, const gen_options *options, output *out)
{
    gen_sink     sink  = { take, out };
    frugal_error error = { .status = FRUGAL_OK };
    *out               = (output){ .failed = false };
    frugal_buf_init(&out->all, NULL, 0, NULL);
    frugal_status status = gen_write(schema, options, &sink, &error);
    assert(status == error.status);
    assert(status == FRUGAL_OK || status == FRUGAL_DESCRIPTOR || status == FRUGAL_SIZE
           || status == FRUGAL_DEPTH || status == FRUGAL_NOMEM);
    assert(status == FRUGAL_OK || out->all.size == 0);
    assert(status == FRUGAL_OK || error.message[0]);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    input                 in      = { (const char *)data + 1, (const char *)data + size };
    frugal_schema_options loading = {
        .auto_ids     = data[0] & 1 ? FRUGAL_AUTO_IDS_THRIFTGO : FRUGAL_AUTO_IDS_APACHE,
        .presence     = (data[0] & 2) != 0,
        .keep_unknown = (data[0] & 4) != 0,
        .file_max     = 16,
        .text_max     = 1 << 20,
        .read         = read_part,
        .read_context = &in,
    };
    gen_options    options = { .no_tables = (data[0] & 8) != 0,
                               .recursive = (data[0] & 16) != 0,
                               .size_max  = 1 << 22 };
    frugal_schema *schema  = NULL;
    if (frugal_schema_load(ROOT, &loading, &schema, NULL) != FRUGAL_OK)
        return 0;
    output        once, again;
    frugal_status status = written(schema, &options, &once);
    assert(written(schema, &options, &again) == status);
    if (!once.failed && !again.failed) {
        assert(once.all.size == again.all.size);
        assert(once.all.size == 0 || memcmp(once.all.data, again.all.data, once.all.size) == 0);
    }
    frugal_buf_release(&once.all);
    frugal_buf_release(&again.all);
    frugal_schema_free(schema);
    return 0;
}
