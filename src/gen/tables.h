/* gen/tables.h - NAME.c. */
#ifndef GEN_TABLES_H
#define GEN_TABLES_H

#include "gen/unit.h"

/* Writes the C file of g->file to g->out; its header was written before. */
void gen_write_tables(gen *g);

#endif /* GEN_TABLES_H */
