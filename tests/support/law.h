/* support/law.h - running a law over many cases, and what the laws share.
 *
 * A law is checked for values of generated tables; each case has its own random stream, so that a
 * failure names the case, and FRUGAL_LAW_CASE=n runs it alone. FRUGAL_LAW_ROUNDS=n: n times as
 * many. */
#ifndef SUPPORT_LAW_H
#define SUPPORT_LAW_H

#include <frugal/frugal.h>

#include "support/gen_pool.h"
#include "support/gen_random.h"
#include "support/gen_table.h"
#include "support/gen_value.h"

typedef struct law_case {
    const char          *law;
    uint32_t             index;
    gen_random           random;
    gen_pool             pool;
    gen_graph            graph;
    const frugal_struct *type;   /* the root */
    uint8_t             *record; /* a value of it */
    bool                 exact;  /* decoding what was encoded gives the same */
    bool                 utf8;   /* all strings are UTF-8 */
    gen_bytes            bytes;  /* the value, written by the reference */
    frugal_arena        *arena;  /* something was allocated in it, nothing may be touched */
    uint32_t             turn;   /* which machine code has its turn */
    uint32_t             served; /* a bit for each engine that did the last call, all of it */
} law_case;

typedef void law_check(law_case *at);

/* Checks the law for `tables` generated tables and `values` values of each. */
void law_run(const char *law, uint32_t tables, uint32_t values, law_check *check);

/* The same with tables made for one cell. */
void law_run_cell(const char *law, gen_step step, gen_place place, uint32_t tables, uint32_t values,
                  law_check *check);

/* From now on each call is made by all engines, not by the interpreter and one more in turn.
 * FRUGAL_LAW_ENGINE=n: by the interpreter and that one. */
void law_use_all_engines(void);

/* How many cases all laws of this program have had. */
uint32_t law_case_count(void);

/* Fails the test with the case: seed, tables, bytes. */
#define LAW(at, condition, ...)                                          \
    do {                                                                 \
        if (!(condition))                                                \
            law_fail((at), __FILE__, __LINE__, #condition, __VA_ARGS__); \
    } while (0)
__attribute__((format(printf, 5, 6), noreturn)) void law_fail(const law_case *at, const char *file,
                                                              int line, const char *condition,
                                                              const char *format, ...);

/* Shows these bytes in a failure instead of the case's own; NULL: its own again. */
void law_show(const uint8_t *bytes, size_t len);

frugal_view law_view(const law_case *at);

/* ---- engines -------------------------------------------------------------------------------- */

/* Every call of a law is made by the interpreter and by machine code, and both give the same:
 * status, offset, path, sentence, bytes, size, and decoding the same record, also in memory. */

/* frugal_encode_to and frugal_encoded_size. */
frugal_status law_encode_to(law_case *at, const frugal_encode_options *options, void *out,
                            size_t capacity, size_t *size, frugal_error *error);
frugal_status law_encoded_size(law_case *at, const frugal_encode_options *options, size_t *size,
                               frugal_error *error);

/* frugal_encode, into buffers that are alike; `out` is the one that is handed back. */
frugal_status law_encode(law_case *at, frugal_view value, const frugal_encode_options *options,
                         frugal_buf *out, frugal_error *error);

/* ---- decoding ------------------------------------------------------------------------------- */

typedef struct law_decoded {
    frugal_status status;
    frugal_error  error;
    size_t        used;
    void         *record; /* in the pool; what it points at is in the case's arena */
} law_decoded;

/* Decodes a copy of the input of exactly its size, which the pool keeps, into a record full of
 * rubbish, and checks what holds for every call: on failure the record is initialised, the arena at
 * its mark, the error filled. */
law_decoded law_decode(law_case *at, const uint8_t *input, size_t len,
                       const frugal_decode_options *options);

/* The same without making a copy, for input at a guard page. */
law_decoded law_decode_here(law_case *at, const uint8_t *input, size_t len,
                            const frugal_decode_options *options);

/* Decodes with the library and the reference: the same record, or the same status, offset and path.
 */
law_decoded law_compare(law_case *at, const uint8_t *input, size_t len,
                        const frugal_decode_options *options);

/* Whether the record is as law_reference_init leaves it, byte for byte. */
bool law_is_initial(const frugal_struct *type, const void *record);

/* Whether two records are the same in memory, padding included, but for where pointers point to;
 * and the records behind pointers likewise. Elements of containers are not looked at. */
bool law_same_memory(const frugal_struct *type, const void *a, const void *b);

/* Whether the record would be written as these bytes. */
bool law_is_written_as(const frugal_struct *type, const void *record, const uint8_t *bytes,
                       size_t len);

#endif /* SUPPORT_LAW_H */
