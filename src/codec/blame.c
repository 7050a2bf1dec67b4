/* codec/blame.c - the path of a fault: `user.home.zip`, `friends[3]`, `m{7}[1].t`.
 *
 * Nothing is kept while all goes well. On a failure each routine that returns puts what it knows in
 * front. */
#include "codec/codec.h"
#include "schema/text.h"

void codec_blame(path_builder *path, const struct plan *plan, const plan_step *step)
{
    for (;;) {
        const frugal_field *field = plan->origins[step->number].field;
        if (field)
            path_prepend_name(path, field->name);
        uint32_t enter =
            step->scope == PLAN_NONE ? PLAN_NONE : plan->scopes[step->scope].parent_step;
        if (enter == PLAN_NONE)
            return;
        step = &plan->steps[enter];
    }
}

void codec_blame_index(path_builder *path, const struct plan *plan, const plan_step *step,
                       size_t index, const codec_place *place)
{
    if (step->op == PLAN_MAP && place && place->offset >= plan->routines[step->body].value_offset)
        text_prepend_key(path, plan->origins[step->number].type->key, place->record, index);
    else
        path_prepend_index(path, index);
}

void codec_blame_element(path_builder *path, const struct plan *plan, const plan_step *step,
                         size_t index, const codec_place *place)
{
    codec_blame_index(path, plan, step, index, place);
    codec_blame(path, plan, step);
}
