/* cli/beside.c - compares "decoded" and "fields" with the bytes they stand beside.
 *
 * "decoded" may be in any style (numbers for enums, other spaces), so both sides become records and
 * the text of those is compared. Kept unknown fields do not count: decode shows them on request
 * only. */
#include "cli/beside.h"

#include "cli/members.h"
#include "core/status.h"

/* ---- decoded -------------------------------------------------------------------------------- */

static bool next_known(json_walk *walk)
{
    bool more = json_next(walk);
    while (more && walk->is_object && json_string_is(&walk->key, "$unknown"))
        more = json_next(walk);
    return more;
}

static bool is_same_text(const json_value *a, const json_value *b)
{
    return a->text.len == b->text.len && memcmp(a->text.ptr, b->text.ptr, a->text.len) == 0;
}

/* Both as the writer of records makes them, but for unknown fields; as deep as json_check allows.
 */
static bool is_same(const json_value *a, const json_value *b)
{
    json_kind kind = json_kind_of(a);
    if (kind != json_kind_of(b))
        return false;
    if (kind != JSON_OBJECT && kind != JSON_ARRAY)
        return is_same_text(a, b);
    json_walk left = json_enter(a), right = json_enter(b);
    for (;;) {
        bool more = next_known(&left);
        if (more != next_known(&right))
            return false;
        if (!more)
            return true;
        if ((left.is_object && !is_same_text(&left.key, &right.key))
            || !is_same(&left.value, &right.value))
            return false;
    }
}

/* Absent and default are one: --defaults may have been given. */
static frugal_status put_record(convert *c, frugal_ref record, frugal_buf *text, json_value *value)
{
    frugal_json_write_options how = { .defaults = true, .depth_max = c->write.depth_max };
    frugal_error              error;
    frugal_status             status =
        frugal_json_write((frugal_view){ record.type, record.ptr }, &how, text, &error);
    if (status)
        return status;
    return json_check((frugal_str){ (const char *)text->data, text->size }, JSON_PLACE_FIRST,
                      CONVERT_DEPTH_JSON, value, NULL, &error);
}

static bool is_decoded(convert *c, const frugal_struct *type, const convert_beside *beside,
                       frugal_buf texts[2])
{
    frugal_error  error;
    json_value    said, meant;
    frugal_ref    record  = { type, frugal_arena_alloc(c->arena, type->size, type->align) };
    frugal_status written = FRUGAL_NOMEM;
    if (record.ptr == NULL)
        return true; /* nothing can be said */
    if (json_get_record(record, beside->decoded, c->arena, &c->read, &error)
        || put_record(c, record, &texts[0], &said))
        return false;
    if (frugal_decode(record, beside->bytes, c->arena, &c->decode, NULL, &error) == FRUGAL_OK)
        written = put_record(c, record, &texts[1], &meant);
    return written == FRUGAL_OK && is_same(&said, &meant);
}

static bool check_decoded(convert *c, const convert_beside *beside)
{
    const frugal_struct *type;
    frugal_buf           texts[2];
    if (convert_body(c, beside->message, beside->header, &type, NULL) || type == NULL)
        return true;
    frugal_buf_init(&texts[0], NULL, 0, NULL);
    frugal_buf_init(&texts[1], NULL, 0, NULL);
    bool same = is_decoded(c, type, beside, texts);
    frugal_buf_release(&texts[0]);
    frugal_buf_release(&texts[1]);
    return same;
}

/* ---- fields --------------------------------------------------------------------------------- */

static bool check_fields(convert *c, const convert_beside *beside)
{
    frugal_buf text;
    size_t     at   = 0;
    bool       same = json_kind_of(beside->fields) == JSON_ARRAY;
    frugal_buf_init(&text, NULL, 0, NULL);
    convert_fields_out(beside->bytes, &text);
    for (json_walk walk = json_enter(beside->fields); same && json_next(&walk);) {
        frugal_str   line;
        frugal_error error;
        same = members_text(c->arena, &walk.value, &line, &error) == FRUGAL_OK
               && text.size - at > line.len && memcmp(text.data + at, line.ptr, line.len) == 0
               && text.data[at + line.len] == '\n';
        at += same ? line.len + 1 : 0;
    }
    same = same && at == text.size;
    frugal_buf_release(&text);
    return same;
}

/* ---- the door ------------------------------------------------------------------------------- */

static void tell(const convert *c, const json_value *value, const char *name)
{
    frugal_error error;
    json_blame(value, FRUGAL_INVALID, &error,
               "%s is not what the bytes say; the bytes in $hex are written", name);
    cli_say_text(c->input, &error);
}

void convert_check_beside(convert *c, const convert_beside *beside)
{
    if (beside->decoded->text.len && !check_decoded(c, beside))
        tell(c, beside->decoded, "decoded");
    if (beside->fields->text.len && !check_fields(c, beside))
        tell(c, beside->fields, "fields");
}
