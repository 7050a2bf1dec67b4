/* jit/code.c - bytes, labels and references of code in the making. */
#include "jit/code.h"

#include <assert.h>

#include "core/allocator.h"

void code_init(jit_code *code, const frugal_allocator *allocator)
{
    *code = (jit_code){ .allocator = allocator_or_malloc(allocator) };
}

void code_release(jit_code *code)
{
    const frugal_allocator *a = code->allocator;
    if (code->bytes)
        a->resize(a->context, code->bytes, code->capacity, 0);
    if (code->labels)
        a->resize(a->context, code->labels, code->label_capacity * sizeof *code->labels, 0);
    if (code->references)
        a->resize(a->context, code->references, code->reference_capacity * sizeof *code->references,
                  0);
    if (code->marks)
        a->resize(a->context, code->marks, code->mark_capacity * sizeof *code->marks, 0);
    *code = (jit_code){ .allocator = a };
}

/* Doubles an array of `item` bytes; false, and failed, when there is no memory. */
static bool grow(jit_code *code, void **array, uint32_t *capacity, uint32_t least, size_t item)
{
    if (code->failed || least > JIT_CODE_MAX) {
        code->failed = true;
        return false;
    }
    uint32_t larger = *capacity ? *capacity * 2 : 64;
    while (larger < least)
        larger *= 2;
    const frugal_allocator *a      = code->allocator;
    void                   *memory = a->resize(a->context, *array, *capacity * item, larger * item);
    if (memory == NULL) {
        code->failed = true;
        return false;
    }
    *array    = memory;
    *capacity = larger;
    return true;
}

bool code_reserve(jit_code *code, uint32_t more)
{
    if (code->failed)
        return false;
    if (code->capacity - code->size >= more)
        return true;
    if (more > JIT_CODE_MAX) {
        code->failed = true;
        return false;
    }
    void *bytes = code->bytes;
    bool  good  = grow(code, &bytes, &code->capacity, code->size + more, 1);
    code->bytes = bytes;
    return good;
}

void code_bytes(jit_code *code, const void *bytes, uint32_t size)
{
    if (!code_reserve(code, size))
        return;
    memcpy(code->bytes + code->size, bytes, size);
    code->size += size;
}

jit_label code_label(jit_code *code)
{
    void *labels = code->labels;
    if (code->label_count == code->label_capacity
        && !grow(code, &labels, &code->label_capacity, code->label_count + 1, sizeof *code->labels))
        return 0;
    code->labels                    = labels;
    code->labels[code->label_count] = JIT_UNBOUND;
    return code->label_count++;
}

void code_bind(jit_code *code, jit_label label)
{
    if (code->failed)
        return;
    assert(label < code->label_count && code->labels[label] == JIT_UNBOUND);
    code->labels[label] = code->size;
}

void code_refer(jit_code *code, uint32_t at, jit_label label, uint8_t kind)
{
    void *references = code->references;
    if (code->failed)
        return;
    if (code->reference_count == code->reference_capacity
        && !grow(code, &references, &code->reference_capacity, code->reference_count + 1,
                 sizeof *code->references))
        return;
    code->references                          = references;
    code->references[code->reference_count++] = (jit_reference){ at, label, kind };
}

void code_mark_wanted(jit_code *code, jit_part part, uint32_t index)
{
    void     *marks = code->marks;
    jit_mark *last  = code->mark_count ? &code->marks[code->mark_count - 1] : NULL;
    if (last && last->part == part && last->index == index)
        return;
    if (last && last->offset == code->size)
        code->mark_count--; /* no code was for that */
    else if (code->mark_count == code->mark_capacity
             && !grow(code, &marks, &code->mark_capacity, code->mark_count + 1,
                      sizeof *code->marks))
        return;
    code->marks                     = marks;
    code->marks[code->mark_count++] = (jit_mark){ code->size, index, part };
}

void *code_scratch(jit_code *code, size_t size)
{
    if (code->failed)
        return NULL;
    const frugal_allocator *a      = code->allocator;
    void                   *memory = a->resize(a->context, NULL, 0, size);
    if (memory)
        memset(memory, 0, size);
    code->failed = memory == NULL;
    return memory;
}

void code_scratch_free(jit_code *code, void *memory, size_t size)
{
    if (memory)
        code->allocator->resize(code->allocator->context, memory, size, 0);
}
