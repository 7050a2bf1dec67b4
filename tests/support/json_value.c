/* support/json_value.c - records as JSON. The table leads the walk, so that it serves every type
 * that anybody describes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/shapes.h>
#include <frugal/value.h>

#include "schema/schema.h"
#include "support/json_value.h"

/* ---- a record becomes JSON ----------------------------------------------------------------- */

static json_t *number_of(const frugal_type *type, const void *value);
static json_t *text_of(frugal_str text);
static json_t *base64_of(frugal_bytes bytes);
static json_t *items_of(const frugal_type *type, const void *value);
static bool is_present(const frugal_struct *type, const frugal_field *field, const uint8_t *record);

/* Where the struct of a place is. */
static const void *record_at(const frugal_type *type, const void *value)
{
    const void *record = value;
    if (type->indirect)
        memcpy(&record, value, sizeof record);
    return record;
}

json_t *json_value_of(const frugal_type *type, const void *value)
{
    switch ((frugal_kind)type->kind) {
    case FRUGAL_KIND_STRUCT: return json_value_of_record(type->record, record_at(type, value));
    case FRUGAL_KIND_LIST:
    case FRUGAL_KIND_SET:
    case FRUGAL_KIND_MAP: return items_of(type, value);
    case FRUGAL_KIND_STRING: {
        frugal_str text;
        memcpy(&text, value, sizeof text);
        return text_of(text);
    }
    case FRUGAL_KIND_BINARY: {
        frugal_bytes bytes;
        memcpy(&bytes, value, sizeof bytes);
        return base64_of(bytes);
    }
    default: return number_of(type, value);
    }
}

json_t *json_value_of_record(const frugal_struct *type, const void *record)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field = &type->fields[i];
        if (!is_present(type, field, record))
            continue;
        json_t *member = json_value_of(&field->type, (const uint8_t *)record + field->offset);
        if (json_object_set_new(object, field->name, member) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static bool is_present(const frugal_struct *type, const frugal_field *field, const uint8_t *record)
{
    const void *pointer;
    if (field->need == FRUGAL_NEED_UNKNOWN)
        return false;
    if (type->is_union) {
        int32_t which;
        memcpy(&which, record + type->which, sizeof which);
        return which == field->id;
    }
    if (field->has != 0)
        return record[field->has] != 0;
    if (field->need != FRUGAL_NEED_OPTIONAL && !field->type.indirect)
        return true;
    memcpy(&pointer, record + field->offset, sizeof pointer);
    return pointer != NULL;
}

static json_t *number_of(const frugal_type *type, const void *value)
{
    int64_t number = 0;
    double  real;
    switch ((frugal_kind)type->kind) {
    case FRUGAL_KIND_BOOL:
        return json_boolean(*(const uint8_t *)value); /* as a byte: a bool of 2 is undefined in C */
    case FRUGAL_KIND_I8: number = *(const int8_t *)value; break;
    case FRUGAL_KIND_I16: number = *(const int16_t *)value; break;
    case FRUGAL_KIND_I32:
    case FRUGAL_KIND_ENUM: number = *(const int32_t *)value; break;
    case FRUGAL_KIND_I64: number = *(const int64_t *)value; break;
    default:
        real = *(const double *)value;
        if (isnan(real))
            return json_string("NaN");
        return isinf(real) ? json_string(real > 0 ? "Infinity" : "-Infinity") : json_real(real);
    }
    return json_integer(number);
}

static json_t *text_of(frugal_str text)
{
    json_t *string = json_stringn(text.len > 0 ? text.ptr : "", text.len);
    if (string != NULL)
        return string;
    char *hex = malloc(2 * text.len + 1); /* Jansson holds UTF-8 alone */
    if (hex == NULL)
        return NULL;
    for (size_t i = 0; i < text.len; i++)
        snprintf(hex + 2 * i, 3, "%02x", (unsigned)(uint8_t)text.ptr[i]);
    json_t *object = json_pack("{s:s}", "$hex", hex);
    free(hex);
    return object;
}

static json_t *base64_of(frugal_bytes bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char             *text     = malloc(bytes.len / 3 * 4 + 5);
    size_t            len      = 0;
    if (text == NULL)
        return NULL;
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t   left = bytes.len - i;
        uint32_t word = (uint32_t)bytes.ptr[i] << 16;
        word |= left > 1 ? (uint32_t)bytes.ptr[i + 1] << 8 : 0;
        word |= left > 2 ? (uint32_t)bytes.ptr[i + 2] : 0;
        text[len++] = digits[word >> 18];
        text[len++] = digits[word >> 12 & 63];
        text[len++] = left > 1 ? digits[word >> 6 & 63] : '=';
        text[len++] = left > 2 ? digits[word & 63] : '=';
    }
    json_t *string = json_stringn(text, len);
    free(text);
    return string;
}

static json_t *items_of(const frugal_type *type, const void *value)
{
    schema_span span;
    json_t     *array = json_array();
    memcpy(&span, value, sizeof span);
    for (size_t i = 0; i < span.len; i++) {
        const uint8_t *item = span.ptr + i * type->stride;
        json_t        *member;
        if (type->kind == FRUGAL_KIND_MAP) {
            member = json_array();
            json_array_append_new(member, json_value_of(type->key, item));
            json_array_append_new(member,
                                  json_value_of(type->elem, item + schema_value_offset(type)));
        } else
            member = json_value_of(type->elem, item);
        if (json_array_append_new(array, member) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* ---- what a record shows without having read it -------------------------------------------- */

static void complete_place(const frugal_type *type, json_t *value)
{
    if (type->kind == FRUGAL_KIND_STRUCT)
        json_value_complete(type->record, value);
    for (size_t i = 0; type->elem != NULL && i < json_array_size(value); i++) {
        json_t *item = json_array_get(value, i);
        if (type->kind == FRUGAL_KIND_MAP) {
            complete_place(type->key, json_array_get(item, 0));
            complete_place(type->elem, json_array_get(item, 1));
        } else
            complete_place(type->elem, item);
    }
}

void json_value_complete(const frugal_struct *type, json_t *value)
{
    void *record = malloc(type->size);
    if (record == NULL)
        abort();
    frugal_init((frugal_ref){ type, record });
    json_t *initial = json_value_of_record(type, record);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const frugal_field *field  = &type->fields[i];
        json_t             *member = json_object_get(value, field->name);
        if (member != NULL)
            complete_place(&field->type, member);
    }
    if (!type->is_union)
        json_object_update_missing(value, initial);
    json_decref(initial);
    free(record);
}

/* ---- comparing ----------------------------------------------------------------------------- */

static bool same(const json_t *expected, const json_t *got, json_value_difference *at);

static void path_add(json_value_difference *at, const char *text)
{
    snprintf(at->path + at->path_len, sizeof at->path - at->path_len, "%s", text);
    at->path_len += strlen(at->path + at->path_len);
}

static void path_cut(json_value_difference *at, size_t len)
{
    at->path_len  = len;
    at->path[len] = '\0';
}

static bool differs(const json_t *expected, const json_t *got, json_value_difference *at)
{
    const json_t *values[2] = { expected, got };
    char         *texts[2]  = { at->expected, at->got };
    for (int i = 0; i < 2; i++) {
        char *text = values[i] == NULL
                         ? NULL
                         : json_dumps(values[i], JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
        snprintf(texts[i], sizeof at->expected, "%s", text == NULL ? "nothing" : text);
        free(text);
    }
    return false;
}

/* The one member of an object that begins so. */
static const json_t *marked(const json_t *value, const char *mark)
{
    return json_object_size(value) == 1 ? json_object_get(value, mark) : NULL;
}

static bool same_members(const json_t *expected, const json_t *got, json_value_difference *at)
{
    const char *name;
    json_t     *member;
    size_t      len = at->path_len;
    json_object_foreach((json_t *)expected, name, member)
    {
        path_add(at, len > 0 ? "." : "");
        path_add(at, name);
        if (!same(member, json_object_get(got, name), at))
            return false;
        path_cut(at, len);
    }
    json_object_foreach((json_t *)got, name, member)
    {
        if (json_object_get(expected, name) == NULL) {
            path_add(at, len > 0 ? "." : "");
            path_add(at, name);
            return differs(NULL, member, at);
        }
    }
    return true;
}

static bool same_items(const json_t *expected, const json_t *got, json_value_difference *at)
{
    size_t len = at->path_len;
    if (!json_is_array(got) || json_array_size(expected) != json_array_size(got))
        return differs(expected, got, at);
    for (size_t i = 0; i < json_array_size(expected); i++) {
        char index[32];
        snprintf(index, sizeof index, "[%zu]", i);
        path_add(at, index);
        if (!same(json_array_get(expected, i), json_array_get(got, i), at))
            return false;
        path_cut(at, len);
    }
    return true;
}

/* Each of `expected` meets another one of `got`. */
static bool same_set(const json_t *expected, const json_t *got, json_value_difference *at)
{
    json_value_difference ignored = { .path_len = 0 };
    json_t               *left    = json_copy((json_t *)got);
    bool                  all     = json_array_size(expected) == json_array_size(got);
    for (size_t i = 0; all && i < json_array_size(expected); i++) {
        size_t j = 0;
        while (j < json_array_size(left)
               && !same(json_array_get(expected, i), json_array_get(left, j), &ignored))
            j++;
        path_cut(&ignored, 0);
        all = json_array_remove(left, j) == 0;
    }
    json_decref(left);
    return all || differs(expected, got, at);
}

static bool same_number(const json_t *expected, const json_t *got, json_value_difference *at)
{
    double a = json_number_value(expected), b = json_number_value(got);
    bool   equal;
    if (json_is_real(got)) /* a double; the text may have written it without a point */
        equal = memcmp(&a, &b, sizeof a) == 0;
    else
        equal = json_is_integer(expected) && json_is_integer(got)
                && json_integer_value(expected) == json_integer_value(got);
    return equal || differs(expected, got, at);
}

static bool same_double(const char *expected, const json_t *got)
{
    if (strcmp(expected, "-0") == 0)
        return json_is_real(got) && json_real_value(got) == 0 && signbit(json_real_value(got));
    const char *text = strcmp(expected, "nan") == 0   ? "NaN"
                       : strcmp(expected, "inf") == 0 ? "Infinity"
                                                      : "-Infinity";
    return json_is_string(got) && strcmp(json_string_value(got), text) == 0;
}

static bool same(const json_t *expected, const json_t *got, json_value_difference *at)
{
    const json_t *inner;
    if (got == NULL)
        return differs(expected, got, at);
    if ((inner = marked(expected, "$map")) != NULL)
        return same_items(inner, got, at);
    if ((inner = marked(expected, "$set")) != NULL)
        return same_set(inner, got, at);
    if ((inner = marked(expected, "$double")) != NULL)
        return same_double(json_string_value(inner), got) || differs(expected, got, at);
    if (json_is_number(expected))
        return same_number(expected, got, at);
    if (json_is_array(expected))
        return same_items(expected, got, at);
    if (json_is_object(expected) && json_is_object(got))
        return same_members(expected, got, at);
    return json_equal(expected, got) || differs(expected, got, at);
}

bool json_value_same(const json_t *expected, const json_t *got, json_value_difference *difference)
{
    *difference = (json_value_difference){ .path_len = 0 };
    return same(expected, got, difference);
}
