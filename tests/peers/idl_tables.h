/* peers/idl_tables.h - tables of the vectors' own .thrift files. */
#ifndef PEERS_IDL_TABLES_H
#define PEERS_IDL_TABLES_H

#include <stdbool.h>

#include <frugal/schema.h>

#include "support/vectors.h"

/* As vectors_type, but loaded: the table of "Scalars" in "scalars", a file of vectors/idl, as
 * declared or with presence. What does not load, or is not in it, ends the program. The tables live
 * until idl_tables_release. idl_tables_schema: all that the file has. */
const frugal_struct *idl_tables_type(const char *schema, const char *type, vectors_flavour flavour);
const frugal_schema *idl_tables_schema(const char *schema, vectors_flavour flavour);
void                 idl_tables_release(void);

/* The schema of one text of a case. `keep`: every struct keeps unknown fields. NULL: what is wrong
 * was printed. */
frugal_schema *idl_tables_text(const char *text, bool keep);

/* The member of a record of `type` that keeps unknown fields; the schema was loaded with `keep`. */
frugal_bytes idl_tables_kept(const frugal_struct *type, const void *record);

#endif /* PEERS_IDL_TABLES_H */
