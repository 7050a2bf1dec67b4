/* plan/plan.h - what a type means on the wire, as a short array of steps.
 *
 * One plan for each (table, protocol). It holds routines; a routine reads, writes or measures
 * records that lie `stride` apart. The interpreter runs a plan and is its definition, machine code
 * is made from the same steps, frugal_describe_plan prints them. A plan is immutable once it is
 * published in the table's slot; it refers to the table and to those that the table reaches, and to
 * nothing else.
 *
 * A routine's steps are the fields of its struct in the order of their signed ids, the steps of
 * structs by value among them (ENTER … STOP) as long as the routine stays small, then STOP and END.
 * Each step carries the header that it expects on the wire; a reader compares, and only when it
 * differs asks which step the header belongs to (the scope knows). Where the wire has no header -
 * elements, keys, values - the step stands in an element place. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <frugal/codec.h>

#include "core/bytes.h"
#include "schema/schema.h"

typedef enum plan_op {
    PLAN_BOOL, /* stored as 0 or 1, whatever the byte */
    PLAN_I8,
    PLAN_I16,
    PLAN_I32, /* enum too */
    PLAN_I64, /* double too: eight bytes are eight bytes */
    PLAN_TEXT,
    PLAN_VECTOR, /* list or set of i8 .. i64, double, enum: one check, one byte swap loop */
    PLAN_BOOLS,  /* list or set of bool */
    PLAN_LIST,   /* list or set of anything else: `body` is the routine of an element */
    PLAN_MAP,    /* `body` is the routine of an entry */
    PLAN_RECORD, /* a struct or union by the routine `body`; INDIRECT: behind a pointer */
    PLAN_ENTER,  /* a struct by value, flattened: its steps follow, up to its STOP; `body` is its
                    routine all the same, for reading it out of order */
    PLAN_UNION,  /* the whole union of this routine; its arms are routines of their own */
    PLAN_KEEP,   /* the member that keeps unknown fields: written before the stop byte */
    PLAN_STOP,   /* the stop byte of a struct, flattened or own */
    PLAN_END,    /* next record of the routine, or return */
    PLAN_OPS
} plan_op;

/* Where a step stands, and how the record says that the value is absent. */
typedef enum plan_place {
    PLAN_ELEMENT,    /* no header, always there */
    PLAN_FIELD,      /* header, always there */
    PLAN_BY_POINTER, /* header, absent when the pointer is NULL */
    PLAN_BY_HAS,     /* header, absent when the byte at `has` is 0 */
    PLAN_PLACES
} plan_place;

/* Operation and place in one number, to dispatch on. */
#define PLAN_CODE(op, place) ((uint8_t)((place)*PLAN_OPS + (op)))
#define PLAN_CODES           (PLAN_PLACES * PLAN_OPS)

enum plan_flag {
    PLAN_INDIRECT = 1,  /* RECORD: the place is a pointer */
    PLAN_SET      = 2,  /* LIST, VECTOR, BOOLS: a set */
    PLAN_ANY_TEXT = 4,  /* TEXT */
    PLAN_STRING   = 8,  /* TEXT that is a string: must be UTF-8 when checked */
    PLAN_NO_COPY  = 16, /* TEXT: always a view */
    PLAN_INIT     = 32, /* RECORD by value, ENTER: what surrounds it has not initialised it */
    PLAN_INITIAL  = 64, /* the field has a default that readers may show */
    PLAN_REQUIRED = 128
};

#define PLAN_NONE UINT32_MAX

typedef struct plan_step {
    uint8_t op, code, flags;
    uint8_t tag, key_tag; /* wire type of the element or value, of the key */
    uint8_t wire;         /* wire type of the value; 0: KEEP, STOP, UNION, END, which have none */
    uint8_t shift;        /* VECTOR: log2 of an element's bytes */
    /* structs and containers between routine entry and here, this value included */
    uint8_t  depth;
    uint32_t index;  /* position in its scope, in the order of ids; STOP: count of fields */
    uint32_t number; /* its own index in plan->steps, also in a copy */
    uint32_t head;   /* what load_u32 sees at the field: see plan_head_size */
    uint32_t run;    /* 1 + index in plan->runs of the run that begins here; 0: none */
    uint32_t offset; /* of the value in the routine's record */
    uint32_t has;    /* BY_HAS: offset of .has */
    uint32_t stride; /* C bytes of an element, an entry; END: of the record */
    uint32_t scope;  /* plan->scopes[scope] */
    /* bytes of steps before this one that may be passed over: no required field is there */
    uint32_t    reach;
    uint32_t    body;         /* plan->routines[body], or PLAN_NONE */
    const void *read, *write; /* where the interpreter's loops go on: theirs alone */
} plan_step;
_Static_assert(sizeof(void *) != 8 || sizeof(plan_step) == 64, "a step is one cache line");

/* What a step was made from. */
typedef struct plan_origin {
    const frugal_field *field; /* NULL in an element place, and for STOP, UNION, END */
    const frugal_type  *type;  /* of the value; NULL for KEEP, STOP, UNION, END */
} plan_origin;

/* One for each struct in a routine, flattened ones included: what is needed when a header
 * differs. */
typedef struct plan_scope {
    const frugal_struct *type;
    const int16_t       *ids; /* [count], ascending */
    /* [count + 1]: step of each field, then of STOP; union: arms, then UNION */
    const uint32_t *step_of;
    const uint32_t *arms; /* union: [count] routines */
    /* [span]: step of each id from `low` on, step_of[count] where there is none; or NULL */
    const uint32_t *by_id;
    int32_t         low;
    uint32_t        span;  /* 0 when ids are too far apart for a table */
    uint32_t        count; /* fields */
    uint32_t        base;  /* where the struct lies in the routine's record */
    /* offset in the routine's record of what keeps unknown fields, or PLAN_NONE */
    uint32_t keeper;
    uint32_t parent_step; /* the ENTER that begins it, or PLAN_NONE */
} plan_scope;

/* What a word of a run stands for, when it is not 0. */
typedef enum plan_spot_kind {
    PLAN_SPOT_NUMBER, /* one i8 .. i64, double, enum, of which 8 bytes may be read */
    PLAN_SPOT_TEXT,
    PLAN_SPOT_FLAGS, /* one field by .has or several, of which one at least is there */
    PLAN_SPOT_OTHER  /* a container, a struct behind a pointer */
} plan_spot_kind;

typedef struct plan_spot {
    uint8_t  kind;
    uint8_t  shift; /* NUMBER: 64 less the bits of the value */
    uint8_t  size;  /* NUMBER, TEXT: bytes on the wire that do not depend on the value */
    uint8_t  count; /* FLAGS: fields */
    uint32_t step;  /* of the first field */
    union {
        struct {
            uint32_t head, offset; /* NUMBER, TEXT: of the step */
        };
        uint8_t sizes[8]; /* FLAGS: what each field takes on the wire, at the place of its .has */
    };
} plan_spot;

/* Optional fields in a row, in memory as in the order of ids: which of them are there is found for
 * all at once, and those that are not cost nothing. At most 64 words of eight bytes of the record
 * say so, each by not being 0 under its mask. */
#define PLAN_RUN_WORDS 64
#define PLAN_RUN_BLOCK 32 /* words that are looked at together: no run has fewer */
#define PLAN_RUN_LEAST 32 /* fields: with 20 that are mostly there, encoding lost a fifth */
typedef struct plan_run {
    uint8_t   mask[PLAN_RUN_WORDS * 8]; /* 0xff where a byte says that a field is there */
    plan_spot spots[PLAN_RUN_WORDS];
    uint64_t  seconds; /* words that belong to the field of the word before */
    uint32_t  offset;  /* of the first word, in the routine's record */
    uint32_t  words;
    uint32_t  step, count; /* the fields: one step each */
    uint32_t  sizes;       /* plan->sizes from here on: one for each field */
    uint32_t  probes[2];   /* the words of the middle and of the last field */
    bool      only_texts;
} plan_run;

typedef struct plan_routine {
    const frugal_struct *type;                   /* NULL: an element, an entry or an arm */
    const void          *initial;                /* what a record starts from; NULL: zeroes */
    uint32_t             first, count;           /* steps, END included */
    uint32_t             stride, align;          /* of the record in C */
    uint32_t             wire_min;               /* least bytes of a record on the wire */
    uint32_t             value_offset;           /* entry: where the value begins; else 0 */
    uint32_t             size_first, size_count; /* plan->sizes: the variable parts */
    uint32_t             size_fixed;             /* bytes on the wire of what is always there */
    uint32_t             batch; /* records to initialise at once: some 16 KiB of them */
    uint8_t              depth; /* 1 for a struct or union, which is a level; else 0 */
    bool initialise;            /* a record must be given its initial value before it is read */
    bool only_texts;            /* all variable parts are texts that are always there */
} plan_routine;

/* How many bytes a record takes: size_fixed, and for each of these what its value adds. */
typedef enum plan_size_op {
    PLAN_SIZE_FIXED, /* an optional scalar: `fixed` when there */
    PLAN_SIZE_TEXT,  /* `fixed` when there, and the length */
    PLAN_SIZE_SPAN,  /* `fixed` when there, and `each` for every element */
    PLAN_SIZE_LIST,  /* `fixed` when there, `each` for every element, and its variable parts */
    /* `fixed` when there, and the routine's record; NULL and not optional: one stop byte */
    PLAN_SIZE_RECORD,
    PLAN_SIZE_ENTER, /* nothing, but it is a level: checked against the depth */
    PLAN_SIZE_UNION,
    PLAN_SIZE_KEEP,
    PLAN_SIZE_RUN /* the fields of plan->runs[body] */
} plan_size_op;

typedef struct plan_size {
    uint8_t  op, place;
    uint8_t  flags; /* of the step */
    uint16_t depth;
    uint32_t offset, has;
    uint32_t fixed, each;
    uint32_t body;
    uint32_t step; /* plan->steps[step]: for errors, for defaults */
} plan_size;

/* Machine code that was made of a plan, after it was published: the only thing in a plan that
 * changes. The codec writes it, atomically, and frees it by `release` when the plan goes. */
#define PLAN_MACHINES 4
typedef struct plan_machine {
    void   *units[PLAN_MACHINES];
    uint8_t states[PLAN_MACHINES];
    void (*release)(struct plan_machine *machine, const frugal_allocator *allocator);
} plan_machine;

struct plan {
    const frugal_struct *type;
    frugal_protocol      protocol;
    uint32_t             step_count, scope_count, routine_count, size_count, run_count;
    const void          *engine;      /* the codec's: which loops the steps are ready for */
    bool                 mixes_views; /* some text is always a view (no_copy of a field) */
    const plan_step     *steps;
    const plan_origin   *origins; /* one for each step */
    const plan_scope    *scopes;
    const plan_routine  *routines; /* [0] is the type's own */
    const plan_size     *sizes;
    const plan_run      *runs;
    plan_machine        *machine;
    frugal_arena        *arena; /* all of this is in it */
};

/* How deep structs by value are flattened, and until how many steps a routine has. */
#define PLAN_FLATTEN_DEPTH 4
#define PLAN_FLATTEN_STEPS 512

/* What makes steps ready for the loops that will run them, before anybody else sees them. Which
 * loops those are is returned, and kept as plan->engine. See codec.h. */
typedef const void *plan_prepare(plan_step *steps, uint32_t count);

/* Compiles a table that has passed schema_check; FRUGAL_NOMEM otherwise. */
frugal_status plan_build(const frugal_struct *type, frugal_protocol protocol, plan_prepare *prepare,
                         const frugal_allocator *allocator, const struct plan **built,
                         frugal_error *error);
void          plan_free(const struct plan *plan);

/* The plan in the table's slot, compiled and published there when it is not yet. Any number of
 * threads may ask at once; no lock is held while compiling, the first to finish is kept. */
frugal_status plan_get_slow(const frugal_struct *type, frugal_protocol protocol,
                            plan_prepare *prepare, const frugal_allocator *allocator,
                            const struct plan **found, frugal_error *error);
void          plan_drop(const frugal_struct *type);

/* A slot holds a list of these, one for each protocol and each copy of this library in the process
 * (told apart by the address of plan_instance). The first two members are the same in every
 * version. */
typedef struct plan_cell {
    const void        *instance;
    struct plan_cell  *next;
    frugal_protocol    protocol;
    const struct plan *plan;
} plan_cell;
extern const char plan_instance;

/* The plan of a type, when it is the first in its slot; NULL otherwise. */
ALWAYS_INLINE const struct plan *plan_ready(const frugal_struct *type, frugal_protocol protocol)
{
    if (LIKELY(type != NULL && type->abi == FRUGAL_TABLE_ABI && type->slot != NULL)) {
        const plan_cell *cell = __atomic_load_n(&type->slot->plans, __ATOMIC_ACQUIRE);
        if (LIKELY(cell != NULL && cell->instance == &plan_instance && cell->protocol == protocol
                   && cell->plan->type == type))
            return cell->plan;
    }
    return NULL;
}

static inline frugal_status plan_get(const frugal_struct *type, frugal_protocol protocol,
                                     plan_prepare *prepare, const struct plan **found,
                                     frugal_error *error)
{
    *found = plan_ready(type, protocol);
    return LIKELY(*found != NULL) ? FRUGAL_OK
                                  : plan_get_slow(type, protocol, prepare, NULL, found, error);
}

/* The step of this id in a scope; NULL when there is none. */
static inline const plan_step *plan_find(const struct plan *plan, const plan_scope *scope,
                                         int16_t id)
{
    if (scope->by_id) {
        uint32_t         slot = (uint32_t)((int32_t)id - scope->low);
        const plan_step *step = &plan->steps[scope->by_id[slot < scope->span ? slot : 0]];
        return slot < scope->span && step->wire ? step : NULL;
    }
    uint32_t low = 0, high = scope->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scope->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scope->count && scope->ids[low] == id ? &plan->steps[scope->step_of[low]] : NULL;
}

/* How many bytes of `head` must agree: 4 where the byte behind the id is part of the format, else
 * 3. */
static inline unsigned plan_head_size(const plan_step *step)
{
    return step->op >= PLAN_TEXT && step->op <= PLAN_MAP ? 4 : 3;
}

/* The wire type of a described type (Binary's numbers). */
uint8_t plan_wire_type(const frugal_type *type);

/* Appends the plan as text. Fails as frugal_buf_reserve. */
frugal_status plan_dump(const struct plan *plan, frugal_buf *text);

#endif /* PLAN_PLAN_H */
