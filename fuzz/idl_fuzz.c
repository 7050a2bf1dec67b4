/* fuzz/idl_fuzz.c - a schema from text: parse, resolve, lower, and every look-up.
 *
 * The first byte holds options. The rest is the root file up to a line "//// NAME"; what follows
 * that line, up to the next of them, is the file NAME for includes. */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/schema.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MARK "\n//// "
#define ROOT "root.thrift"

typedef struct input {
    const char *text, *end;
    unsigned    errors, warnings;
} input;

static const char *find(const char *from, const char *end, const char *what)
{
    size_t len = strlen(what);
    for (; (size_t)(end - from) >= len; from++)
        if (memcmp(from, what, len) == 0)
            return from;
    return NULL;
}

/* The text from `start` up to the next mark. */
static frugal_str part(const input *in, const char *start)
{
    const char *mark = find(start, in->end, MARK);
    return (frugal_str){ start, (size_t)((mark ? mark : in->end) - start) };
}

static frugal_status read_part(const char *path, frugal_buf *out, frugal_error *error,
                               void *context)
{
    const input *in  = context;
    size_t       len = strlen(path);
    (void)error;
    if (strcmp(path, ROOT) == 0) {
        frugal_str root = part(in, in->text);
        return frugal_buf_append(out, root.ptr, root.len);
    }
    for (const char *mark = in->text; (mark = find(mark, in->end, MARK)) != NULL; mark++) {
        const char *name = mark + sizeof MARK - 1;
        if ((size_t)(in->end - name) > len && memcmp(name, path, len) == 0 && name[len] == '\n') {
            frugal_str file = part(in, name + len);
            return frugal_buf_append(out, file.ptr, file.len);
        }
    }
    return FRUGAL_NOTFOUND;
}

static void count(const frugal_report *report, void *context)
{
    input *in = context;
    assert(report->message[0] != '\0');
    assert(report->is_warning || report->status != FRUGAL_OK);
    assert((report->line == 0) == (report->column == 0));
    if (report->is_warning)
        in->warnings++;
    else
        in->errors++;
}

static void check_name(const frugal_schema *schema, const char *name)
{
    size_t                   many;
    const frugal_annotation *annotations = frugal_schema_annotations(schema, name, &many);
    assert((annotations == NULL) == (many == 0));
    for (size_t i = 0; i < many; i++)
        assert(annotations[i].key && annotations[i].value);
    frugal_schema_doc(schema, name);
}

/* A record that starts from the defaults is one that can be written, unless it has no end or, as a
 * union that is required inside, no arm. All memory of the defaults is read. */
static void check_table(const frugal_struct *record)
{
    frugal_error error = { .status = FRUGAL_OK };
    frugal_buf   out;
    assert(frugal_struct_check(record, &error) == FRUGAL_OK);
    if (record->size > 1 << 20)
        return;
    void *value = malloc(record->size);
    assert(value);
    frugal_init((frugal_ref){ record, value });
    frugal_buf_init(&out, NULL, 0, NULL);
    frugal_status status = frugal_print((frugal_view){ record, value }, NULL, &out, &error);
    assert(status == FRUGAL_OK || status == FRUGAL_DEPTH);
    for (uint32_t i = 0; i < record->field_count; i++)
        if (record->fields[i].initial)
            frugal_get((frugal_view){ record, value }, record->fields[i].name, &(frugal_value){ 0 },
                       NULL);
    frugal_buf_release(&out);
    free(value);
}

static void check_service(const frugal_service *service)
{
    for (uint32_t i = 0; i < service->method_count; i++) {
        const frugal_method *method = &service->methods[i];
        check_table(method->args);
        if (method->result)
            check_table(method->result);
        const size_t len = strlen(method->name);
        assert(frugal_service_method(service, (frugal_str){ method->name, len }) == method);
    }
}

/* What was loaded is a table like any other. */
static void check_schema(const frugal_schema *schema)
{
    const frugal_struct *record;
    for (size_t i = 0; (record = frugal_schema_struct_at(schema, i)) != NULL; i++) {
        check_table(record);
        check_name(schema, record->name);
    }
    const frugal_enum *names;
    for (size_t i = 0; (names = frugal_schema_enum_at(schema, i)) != NULL; i++)
        check_name(schema, names->name);
    size_t services = 0;
    while (frugal_schema_service_at(schema, services))
        check_service(frugal_schema_service_at(schema, services++));
    assert(frugal_schema_root_services(schema) <= services);
    frugal_schema_namespace(schema, "*");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    input                 in      = { (const char *)data + 1, (const char *)data + size, 0, 0 };
    frugal_schema_options options = {
        .auto_ids       = data[0] & 1 ? FRUGAL_AUTO_IDS_THRIFTGO : FRUGAL_AUTO_IDS_APACHE,
        .presence       = (data[0] & 2) != 0,
        .keep_unknown   = (data[0] & 4) != 0,
        .error_max      = data[0] & 8 ? 3 : 0,
        .file_max       = 16,
        .text_max       = 1 << 20,
        .read           = read_part,
        .read_context   = &in,
        .report         = count,
        .report_context = &in,
    };
    frugal_schema *schema = NULL;
    frugal_error   error  = { .status = FRUGAL_OK };
    frugal_status  status = frugal_schema_load(ROOT, &options, &schema, &error);
    assert((status == FRUGAL_OK) == (in.errors == 0));
    assert((status == FRUGAL_OK) == (schema != NULL));
    assert(status == error.status);
    if (schema)
        check_schema(schema);
    frugal_schema_free(schema);
    return 0;
}
