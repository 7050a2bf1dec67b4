/* support/law_cells.h - which values the laws have seen: engine × step × place × direction, counted
 * by walking the values themselves. */
#ifndef SUPPORT_LAW_CELLS_H
#define SUPPORT_LAW_CELLS_H

#include "support/engines.h"
#include "support/gen_table.h"

typedef enum law_direction { LAW_ENCODED, LAW_DECODED, LAW_DIRECTION_COUNT } law_direction;

typedef struct law_cells {
    uint64_t counts[ENGINES_MAX][GEN_STEP_COUNT][GEN_PLACE_COUNT][LAW_DIRECTION_COUNT];
} law_cells;

/* Counts every value in the record for each of these engines, a bit for each. */
void law_count(law_cells *cells, const frugal_struct *type, const void *record,
               law_direction direction, uint32_t engines);

/* The smallest of both directions and of all engines that there are. */
uint64_t law_cell_least(const law_cells *cells, gen_step step, gen_place place);

/* A table for each engine. */
void law_cells_print(const law_cells *cells, FILE *file);

#endif /* SUPPORT_LAW_CELLS_H */
