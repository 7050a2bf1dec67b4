/* codec/door.c - getting ready ahead of time, looking at plans, letting them go. */
#include "codec/decode.h"
#include "codec/encode.h"
#include "codec/machine.h"
#include "core/status.h"
#include "plan/plan.h"

static const codec_engine engine_base = { decode_run_base, encode_run_base, look_run_base };
#ifdef __x86_64__
static const codec_engine engine_avx2 = { decode_run_avx2, encode_run_avx2, look_run_avx2 };
#endif

static const codec_engine *choose_engine(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi")
        && __builtin_cpu_supports("bmi2"))
        return &engine_avx2;
#endif
    return &engine_base;
}

const void *codec_prepare(plan_step *steps, uint32_t count)
{
    const codec_engine *engine = choose_engine();
    engine->decode(NULL, steps, NULL, NULL, count, 0);
    engine->encode(NULL, steps, NULL, NULL, count, 0);
    return engine;
}

static frugal_status get(const frugal_struct *type, const frugal_pretouch_options *options,
                         const struct plan **found, frugal_error *error)
{
    static const frugal_pretouch_options defaults;
    if (options == NULL)
        options = &defaults;
    if (options->struct_size && options->struct_size < sizeof *options)
        return error_set(error, FRUGAL_INVALID, "options of an unknown size: %zu",
                         options->struct_size);
    return plan_get_slow(type, options->protocol, codec_prepare, options->allocator, found, error);
}

frugal_status frugal_pretouch(const frugal_struct *type, const frugal_pretouch_options *options,
                              frugal_error *error)
{
    const struct plan *found;
    frugal_status      status = get(type, options, &found, error);
    if (status == FRUGAL_OK && (options == NULL || !options->interpreter_only))
        machine_pretouch(found);
    return status;
}

frugal_status frugal_pretouch_all(const frugal_struct *const *types, size_t count,
                                  const frugal_pretouch_options *options, frugal_error *error)
{
    frugal_status status = FRUGAL_OK;
    if (types == NULL && count)
        return error_set(error, FRUGAL_INVALID, "NULL list of %zu types", count);
    for (size_t i = 0; i < count && status == FRUGAL_OK; i++)
        status = frugal_pretouch(types[i], options, error);
    return status;
}

void frugal_plan_drop(const frugal_struct *type)
{
    plan_drop(type);
}

frugal_status frugal_describe_plan(const frugal_struct           *type,
                                   const frugal_pretouch_options *options, frugal_buf *text,
                                   frugal_error *error)
{
    const struct plan *found;
    if (text == NULL)
        return error_set(error, FRUGAL_INVALID, "no buffer for the text");
    frugal_status status = get(type, options, &found, error);
    if (status != FRUGAL_OK)
        return status;
    size_t before = text->size;
    status        = plan_dump(found, text);
    if (status == FRUGAL_OK)
        status = machine_describe(found, text);
    if (status != FRUGAL_OK)
        text->size = before;
    return status == FRUGAL_OK ? FRUGAL_OK
                               : error_set(error, status, "no room for the text of the plan");
}
