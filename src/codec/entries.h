/* codec/entries.h - the entries of a map or the elements of a set as they are on the wire, in the
 * order of the bytes of their keys: what `canonical` writes and where `reject_duplicates` looks. */
#ifndef CODEC_ENTRIES_H
#define CODEC_ENTRIES_H

#include "plan/plan.h"

typedef struct entry {
    uint32_t start, key_size, size; /* of the bytes in `wire` */
    uint32_t index;                 /* in the container */
} entry;

typedef struct entries {
    frugal_buf              wire;  /* all entries, in their own order */
    entry                  *items; /* sorted; equal keys by index */
    size_t                  count;
    const frugal_allocator *allocator;
    size_t                  limit; /* of memory; FRUGAL_BUDGET beyond */
} entries;

/* What is written of a container's entries. */
typedef enum entries_part {
    ENTRIES_WHOLE,
    ENTRIES_WITHOUT_DEFAULTS, /* as under skip_defaults */
    ENTRIES_KEYS              /* of a map; of a set, whole elements */
} entries_part;

/* Fills `sorted`, to be released in any case. Fails where encoding the container would, or
 * FRUGAL_NOMEM. */
frugal_status entries_sorted(entries *sorted, const struct plan *plan, const plan_step *step,
                             const schema_span *span, entries_part part, uint32_t left,
                             const frugal_allocator *allocator, size_t limit);
void          entries_release(entries *sorted);

/* Whether two keys are the same bytes: `*index` is then the later of the first such pair. */
bool entries_find_repeat(const entries *sorted, size_t *index);

#endif /* CODEC_ENTRIES_H */
