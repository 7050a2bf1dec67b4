/* gen/members.h - the members of a record, in the order of memory, with their names in C. */
#ifndef GEN_MEMBERS_H
#define GEN_MEMBERS_H

#include "gen/unit.h"

typedef struct gen_member_of {
    const frugal_field *field;
    const idl_field    *written; /* NULL: success of a result, and what keeps unknown fields */
    const idl_type     *type;    /* as written; NULL: nothing was */
    const char         *name;
} gen_member_of;

struct gen_members {
    gen_member_of *items;
    uint32_t       count;
};

/* Looks them up once, finds two with one name. NULL: has failed. */
const gen_members *gen_members_of(gen *g, gen_record *record);

/* The member that holds the arm of a union. */
#define GEN_WHICH "which"

#endif /* GEN_MEMBERS_H */
