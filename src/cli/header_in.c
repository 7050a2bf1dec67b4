/* cli/header_in.c - the member "header" of a message: what message_out.c writes of a TTHeader. */
#include "cli/convert.h"
#include "cli/members.h"
#include "core/status.h"

#define INFO_MAX 65536 /* items of a header; it has room for fewer */

enum { HEADER_FLAGS, HEADER_SEQ, HEADER_PROTOCOL, HEADER_TRANSFORMS, HEADER_INFO, HEADER_COUNT };
static const char *const header_names[] = { "flags", "seq", "protocol", "transforms", "info" };

/* ---- items ---------------------------------------------------------------------------------- */

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
                               : members_text(r->c->arena, &parts[1], &info->key, r->error);
    info->number         = (uint16_t)number;
    return status ? status : members_text(r->c->arena, &parts[2], &info->value, r->error);
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
        return members_text(r->c->arena, &parts[1], &info->value, r->error);
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

frugal_status convert_header_in(convert *c, const json_value *object, frame_header *header,
                                frugal_error *error)
{
    static const frame_info none[1];
    json_value              members[HEADER_COUNT];
    int64_t                 flags = 0, sequence_id = 0, protocol = 0;
    *header = (frame_header){ .info = none };
    if (object->text.len == 0)
        return FRUGAL_OK;
    if (json_kind_of(object) != JSON_OBJECT)
        return json_blame(object, FRUGAL_MISMATCH, error, "header is an object");
    frugal_status status = members_read(object, header_names, HEADER_COUNT, members, error);
    if (status == FRUGAL_OK)
        status = members_integer(&members[HEADER_FLAGS], 0, UINT16_MAX, &flags, error);
    if (status == FRUGAL_OK)
        status = members_integer(&members[HEADER_SEQ], INT32_MIN, INT32_MAX, &sequence_id, error);
    if (status == FRUGAL_OK)
        status = members_integer(&members[HEADER_PROTOCOL], 0, UINT8_MAX, &protocol, error);
    if (status == FRUGAL_OK && members[HEADER_TRANSFORMS].text.len)
        status = read_transforms(c, &members[HEADER_TRANSFORMS], header, error);
    if (status == FRUGAL_OK && members[HEADER_INFO].text.len)
        status = read_info(c, &members[HEADER_INFO], header, error);
    header->flags       = (uint16_t)flags;
    header->sequence_id = (int32_t)sequence_id;
    header->protocol    = (uint8_t)protocol;
    return status;
}
