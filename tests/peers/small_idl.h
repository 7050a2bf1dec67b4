/* peers/small_idl.h - the one-line schemas of the cases, "struct P { 1: i32 x } struct S { 1: P p
 * }".
 *
 * Not a Thrift parser: structs, unions, enums, requiredness and defaults, as the cases use them and
 * nothing more. Tables are made with presence: fields are optional and scalars FRUGAL_OPT unless
 * required; structs are behind pointers everywhere. */
#ifndef PEERS_SMALL_IDL_H
#define PEERS_SMALL_IDL_H

#include <stdbool.h>

#include <frugal/describe.h>
#include <frugal/memory.h>

/* The table of `type` in `text`; all of it lives in `arena`, but for the plan, which the caller
 * drops with frugal_plan_drop before the arena goes. `keep`: every struct keeps unknown fields.
 * NULL: the text is not understood; what and where was printed. */
const frugal_struct *small_idl_struct(frugal_arena *arena, const char *text, const char *type,
                                      bool keep);

/* The member of a record of `type` that keeps unknown fields. `type` was made with `keep`. */
frugal_bytes small_idl_kept(const frugal_struct *type, const void *record);

#endif /* PEERS_SMALL_IDL_H */
