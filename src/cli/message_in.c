/* cli/message_in.c - JSON to bytes: the inverse of message_out.c.
 *
 * What decode writes is read; what a person leaves out has a value that does no harm: a buffered
 * message with sequence id 0, a header of zeroes. */
#include "cli/convert.h"
#include "core/status.h"

#define INFO_MAX 65536 /* items of a header; it has room for fewer */

/* What failed without a place in the text gets that of this value. */
static frugal_status place_error(const json_value *value, frugal_status status, frugal_error *error)
{
    frugal_error inner = *error;
    json_blame(value, status, error, "%s", inner.message);
    memcpy(error->path, inner.path, sizeof error->path);
    return status;
}

/* ---- structs -------------------------------------------------------------------------------- */

frugal_status convert_struct_in(convert *c, const frugal_struct *type, const json_value *value,
                                frugal_buf *out, frugal_error *error)
{
    void *record = frugal_arena_alloc(c->arena, type->size, type->align);
    if (record == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory for a %s", type->name);
    frugal_status status =
        json_get_record((frugal_ref){ type, record }, value, c->arena, &c->read, error);
    if (status)
        return status;
    status = frugal_encode((frugal_view){ type, record }, &c->encode, out, error);
    return status ? place_error(value, status, error) : FRUGAL_OK;
}

/* ---- members -------------------------------------------------------------------------------- */

/* An integer that may be left out: then `*integer` stays as it is. */
static frugal_status get_integer(const json_value *object, const char *name, int64_t least,
                                 int64_t most, int64_t *integer, frugal_error *error)
{
    json_value value;
    if (!json_member(object, name, &value))
        return FRUGAL_OK;
    return json_get_integer(&value, least, most, integer, error);
}

static frugal_status get_text(convert *c, const json_value *value, frugal_str *text,
                              frugal_error *error)
{
    frugal_bytes  bytes;
    frugal_status status = json_get_bytes(value, c->arena, &bytes, error);
    if (status == FRUGAL_OK)
        *text = (frugal_str){ (const char *)bytes.ptr, bytes.len };
    return status;
}

/* ---- the header ----------------------------------------------------------------------------- */

typedef struct info_reader {
    convert      *c;
    frame_info   *info;
    bool          starts; /* a ["block"] was there */
    frugal_error *error;
} info_reader;

static size_t element_count(const json_value *array)
{
    size_t count = 0;
    for (json_walk walk = json_enter(array); json_next(&walk);)
        count++;
    return count;
}

/* The elements of an item, of which there are `count` (at most 3). */
static frugal_status read_elements(info_reader *r, const json_value *item, json_value parts[3],
                                   size_t *count)
{
    *count = 0;
    if (json_kind_of(item) != JSON_ARRAY)
        return json_blame(item, FRUGAL_MISMATCH, r->error,
                          "an item of info is an array like [\"str\", \"key\", \"value\"]");
    for (json_walk walk = json_enter(item); json_next(&walk);) {
        if (*count == 3)
            return json_blame(&walk.value, FRUGAL_MISMATCH, r->error,
                              "an item of info has at most three parts");
        parts[(*count)++] = walk.value;
    }
    return FRUGAL_OK;
}

static frugal_status read_pair(info_reader *r, const json_value *item, const json_value parts[3],
                               size_t count, frame_info *info)
{
    int64_t number = 0;
    if (count == 1) {
        info->empty = true;
        return FRUGAL_OK;
    }
    if (count != 3)
        return json_blame(item, FRUGAL_MISMATCH, r->error, "this item needs a key and a value");
    frugal_status status = info->kind == FRAME_INFO_INT
                               ? json_get_integer(&parts[1], 0, UINT16_MAX, &number, r->error)
                               : get_text(r->c, &parts[1], &info->key, r->error);
    info->number         = (uint16_t)number;
    return status ? status : get_text(r->c, &parts[2], &info->value, r->error);
}

static frugal_status read_padding(info_reader *r, const json_value *item, const json_value parts[3],
                                  size_t count, frame_info *info)
{
    int64_t zeros = 0;
    if (count != 2)
        return json_blame(item, FRUGAL_MISMATCH, r->error, "padding needs a number of bytes");
    frugal_status status = json_get_integer(&parts[1], 0, FRAME_TTHEADER_MAX, &zeros, r->error);
    info->zeros          = (uint32_t)zeros;
    return status;
}

/* One item; `*added` false for ["block"], which belongs to the next. */
static frugal_status read_item(info_reader *r, const json_value *item, frame_info *info,
                               bool *added)
{
    json_value    parts[3];
    size_t        count;
    frugal_status status = read_elements(r, item, parts, &count);
    if (status)
        return status;
    *info  = (frame_info){ .kind = FRAME_INFO_ACL };
    *added = true;
    if (count && json_string_is(&parts[0], "block")) {
        r->starts = true;
        *added    = false;
        return FRUGAL_OK;
    }
    info->starts = r->starts;
    r->starts    = false;
    if (count == 2 && json_string_is(&parts[0], "acl"))
        return get_text(r->c, &parts[1], &info->value, r->error);
    if (count && json_string_is(&parts[0], "padding")) {
        info->kind = FRAME_INFO_PADDING;
        return read_padding(r, item, parts, count, info);
    }
    if (count && (json_string_is(&parts[0], "int") || json_string_is(&parts[0], "str"))) {
        info->kind = json_string_is(&parts[0], "int") ? FRAME_INFO_INT : FRAME_INFO_STR;
        return read_pair(r, item, parts, count, info);
    }
    return json_blame(item, FRUGAL_MISMATCH, r->error,
                      "an item of info is [\"int\", n, value], [\"str\", key, value] or [\"acl\", "
                      "value]");
}

static frugal_status read_info(convert *c, const json_value *list, frame_header *header,
                               frugal_error *error)
{
    info_reader r     = { .c = c, .error = error };
    size_t      count = element_count(list);
    if (json_kind_of(list) != JSON_ARRAY)
        return json_blame(list, FRUGAL_MISMATCH, error, "info is an array of items");
    if (count > INFO_MAX)
        return json_blame(list, FRUGAL_SIZE, error, "%zu items of info, more than %d", count,
                          INFO_MAX);
    r.info = frugal_arena_items(c->arena, count ? count : 1, sizeof *r.info);
    if (r.info == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory for %zu items of info", count);
    header->info = r.info;
    for (json_walk walk = json_enter(list); json_next(&walk);) {
        bool          added;
        frugal_status status = read_item(&r, &walk.value, &r.info[header->info_count], &added);
        if (status)
            return status;
        header->info_count += added;
    }
    return FRUGAL_OK;
}

static frugal_status read_transforms(convert *c, const json_value *list, frame_header *header,
                                     frugal_error *error)
{
    size_t count = element_count(list);
    if (json_kind_of(list) != JSON_ARRAY || count > UINT8_MAX)
        return json_blame(list, FRUGAL_MISMATCH, error, "transforms is an array of up to 255 ids");
    uint8_t *ids = frugal_arena_items(c->arena, count ? count : 1, 1);
    if (ids == NULL)
        return error_set(error, FRUGAL_NOMEM, "no memory for %zu transforms", count);
    for (json_walk walk = json_enter(list); json_next(&walk);) {
        int64_t       id;
        frugal_status status = json_get_integer(&walk.value, 0, UINT8_MAX, &id, error);
        if (status)
            return status;
        ids[walk.index] = (uint8_t)id;
    }
    header->transforms = (frugal_bytes){ ids, count };
    return FRUGAL_OK;
}

static frugal_status read_header(convert *c, const json_value *message, frame_header *header,
                                 frugal_error *error)
{
    static const frame_info none[1];
    json_value              object, list;
    int64_t                 flags = 0, sequence_id = 0, protocol = 0;
    *header = (frame_header){ .info = none };
    if (!json_member(message, "header", &object))
        return FRUGAL_OK;
    if (json_kind_of(&object) != JSON_OBJECT)
        return json_blame(&object, FRUGAL_MISMATCH, error, "header is an object");
    frugal_status status = get_integer(&object, "flags", 0, UINT16_MAX, &flags, error);
    if (status == FRUGAL_OK)
        status = get_integer(&object, "seq", INT32_MIN, INT32_MAX, &sequence_id, error);
    if (status == FRUGAL_OK)
        status = get_integer(&object, "protocol", 0, UINT8_MAX, &protocol, error);
    if (status == FRUGAL_OK && json_member(&object, "transforms", &list))
        status = read_transforms(c, &list, header, error);
    if (status == FRUGAL_OK && json_member(&object, "info", &list))
        status = read_info(c, &list, header, error);
    header->flags       = (uint16_t)flags;
    header->sequence_id = (int32_t)sequence_id;
    header->protocol    = (uint8_t)protocol;
    return status;
}

/* ---- the envelope --------------------------------------------------------------------------- */

/* The kind, or what the member with the struct says of it. */
static frugal_status read_kind(const json_value *object, frugal_message *message,
                               frugal_error *error)
{
    json_value value;
    message->type = json_member(object, "result", &value)      ? FRUGAL_MESSAGE_REPLY
                    : json_member(object, "exception", &value) ? FRUGAL_MESSAGE_EXCEPTION
                                                               : FRUGAL_MESSAGE_CALL;
    if (!json_member(object, "kind", &value))
        return FRUGAL_OK;
    for (int type = FRUGAL_MESSAGE_CALL; type <= FRUGAL_MESSAGE_ONEWAY; type++) {
        if (json_string_is(&value, convert_kind_name((frugal_message_type)type))) {
            message->type = (frugal_message_type)type;
            return FRUGAL_OK;
        }
    }
    return json_blame(&value, FRUGAL_MISMATCH, error, "kind is call, reply, exception or oneway");
}

static frugal_status read_envelope(convert *c, const json_value *object, frugal_message *message,
                                   frugal_error *error)
{
    json_value value;
    int64_t    sequence_id = 0, reserved = 0;
    *message = (frugal_message){ .type = FRUGAL_MESSAGE_CALL };
    if (!json_member(object, "method", &value))
        return json_blame(object, FRUGAL_MISSING, error, "a message needs a method");
    frugal_status status = get_text(c, &value, &message->name, error);
    if (status == FRUGAL_OK)
        status = read_kind(object, message, error);
    if (status == FRUGAL_OK)
        status = get_integer(object, "seq", INT32_MIN, INT32_MAX, &sequence_id, error);
    if (status == FRUGAL_OK)
        status = get_integer(object, "reserved", 0, UINT8_MAX, &reserved, error);
    if (status == FRUGAL_OK && json_member(object, "envelope", &value)) {
        message->old = json_string_is(&value, "old");
        if (!message->old && !json_string_is(&value, "strict"))
            status = json_blame(&value, FRUGAL_MISMATCH, error, "envelope is strict or old");
    }
    message->sequence_id = (int32_t)sequence_id;
    message->reserved    = (uint8_t)reserved;
    return status;
}

/* ---- the body ------------------------------------------------------------------------------- */

static bool is_hex(const json_value *value)
{
    json_value hex;
    return json_kind_of(value) == JSON_OBJECT && json_member(value, "$hex", &hex);
}

/* Bytes that are taken as they are; they must be one struct, or the message could not be read. */
static frugal_status write_raw(convert *c, const json_value *value, frugal_buf *out,
                               frugal_error *error)
{
    frugal_bytes  bytes;
    size_t        used;
    frugal_status status = json_get_bytes(value, c->arena, &bytes, error);
    if (status)
        return status;
    frugal_error inside;
    if (frugal_skip(bytes, FRUGAL_WIRE_STRUCT, NULL, &used, &inside))
        return json_blame(value, inside.status, error, "these bytes are no struct: byte %zu: %s",
                          inside.offset, inside.message);
    if (used != bytes.len)
        return json_blame(value, FRUGAL_MALFORMED, error, "the struct in these bytes ends at %zu",
                          used);
    status = frugal_buf_append(out, bytes.ptr, bytes.len);
    return status ? error_set(error, status, "%s", frugal_status_text(status)) : FRUGAL_OK;
}

static frugal_status blame_method(const json_value *object, const frugal_message *message,
                                  const convert *c, frugal_error *error)
{
    json_value name = *object;
    json_member(object, "method", &name);
    int len = (int)(message->name.len < 60 ? message->name.len : 60);
    if (c->schema == NULL)
        return json_blame(&name, FRUGAL_NOTFOUND, error,
                          "without an IDL a message has its bytes in {\"$hex\": ...}");
    return json_blame(&name, FRUGAL_NOTFOUND, error, "no method %.*s%s in the IDL", len,
                      message->name.ptr ? message->name.ptr : "",
                      message->type == FRUGAL_MESSAGE_REPLY ? " that is answered" : "");
}

static frugal_status write_body(convert *c, const json_value *object, const frugal_message *message,
                                const frame_header *header, frugal_buf *out, frugal_error *error)
{
    const char          *key = convert_body_key(message->type);
    const frugal_struct *type;
    json_value           value;
    if (!json_member(object, key, &value))
        return json_blame(object, FRUGAL_MISSING, error, "a message of kind %s needs \"%s\"",
                          convert_kind_name(message->type), key);
    if (is_hex(&value))
        return write_raw(c, &value, out, error);
    frugal_status status = convert_body(c, message, header, &type, error);
    if (status)
        return place_error(object, status, error);
    if (type == NULL)
        return blame_method(object, message, c, error);
    return convert_struct_in(c, type, &value, out, error);
}

/* ---- the message ---------------------------------------------------------------------------- */

static frugal_status read_framing(const convert *c, const json_value *object,
                                  frame_framing *framing, frugal_error *error)
{
    json_value value;
    *framing = c->framing == FRAME_AUTO ? FRAME_BUFFERED : c->framing;
    if (!json_member(object, "framing", &value))
        return FRUGAL_OK;
    for (int f = FRAME_BUFFERED; f <= FRAME_MESH_FRAMED; f++) {
        *framing = (frame_framing)f;
        if (json_string_is(&value, frame_framing_name(*framing)))
            break;
        if (f == FRAME_MESH_FRAMED)
            return json_blame(&value, FRUGAL_MISMATCH, error,
                              "framing is buffered, framed, ttheader or ttheader-framed");
    }
    if (*framing == FRAME_MESH || *framing == FRAME_MESH_FRAMED)
        return json_blame(&value, FRUGAL_INVALID, error, "mesh headers are read, never written");
    return FRUGAL_OK;
}

/* Members that message_out writes; others are errors under --strict. */
static frugal_status check_members(const convert *c, const json_value *object, frugal_error *error)
{
    static const char *const known[] = { "framing",  "method", "kind", "seq",    "envelope",
                                         "reserved", "header", "args", "result", "exception",
                                         "payload",  "fields", NULL };
    for (json_walk walk = json_enter(object); c->read.strict && json_next(&walk);) {
        size_t i = 0;
        while (known[i] && !json_string_is(&walk.key, known[i]))
            i++;
        if (known[i] == NULL)
            return json_blame(&walk.key, FRUGAL_NOTFOUND, error, "a message has no such member");
    }
    return FRUGAL_OK;
}

static frugal_status write_payload(convert *c, const json_value *object, const frame_header *header,
                                   frugal_buf *out, frugal_error *error)
{
    json_value     value;
    frugal_bytes   bytes;
    frugal_message message;
    if (json_member(object, "payload", &value)) {
        frugal_status status = json_get_bytes(&value, c->arena, &bytes, error);
        if (status == FRUGAL_OK && frugal_buf_append(out, bytes.ptr, bytes.len))
            status = error_set(error, FRUGAL_NOMEM, "no memory for the payload");
        return status;
    }
    frugal_status status = read_envelope(c, object, &message, error);
    if (status == FRUGAL_OK)
        status = frugal_message_write(&message, NULL, out, error);
    return status ? status : write_body(c, object, &message, header, out, error);
}

frugal_status convert_message_in(convert *c, const json_value *object, frugal_buf *out,
                                 frugal_error *error)
{
    frame_framing framing;
    frame_header  header;
    frame_writer  writer;
    size_t        size = out->size;
    if (json_kind_of(object) != JSON_OBJECT)
        return json_blame(object, FRUGAL_MISMATCH, error, "a message is an object");
    frugal_status status = check_members(c, object, error);
    if (status == FRUGAL_OK)
        status = read_framing(c, object, &framing, error);
    if (status == FRUGAL_OK)
        status = read_header(c, object, &header, error);
    if (status)
        return status;
    status = frame_begin(&writer, framing, &header, out, error);
    if (status)
        return place_error(object, status, error);
    status = write_payload(c, object, &header, out, error);
    if (status == FRUGAL_OK)
        status = frame_end(&writer, out, 0, error);
    if (status)
        out->size = size;
    return status;
}
