/* jit/inspect.h - machine code as it is seen from outside: by debuggers, unwinders, perf.
 *
 * Debuggers find the name of each routine and the frame above it (gdb's interface for code made at
 * run time), so does backtrace() where the program has libgcc's unwinder; both cost nothing until
 * they look. A map for perf is written when the environment asks: FRUGAL_PERF_MAP=1,
 * FRUGAL_JIT=dump. */
#ifndef JIT_INSPECT_H
#define JIT_INSPECT_H

#include "jit/target.h"

typedef struct inspect_unit inspect_unit;

/* A unit was made, of code->size bytes at `base`. What must be told again when it is freed; NULL:
 * nothing, or there was no memory, which harms nobody. */
inspect_unit *inspect_made(const jit_compiler *c, jit_kind kind, const void *base);
void          inspect_gone(inspect_unit *unit);

/* The environment does not count any more. For units made from now on. */
void inspect_perf_map(bool wanted);

/* "frugal:decode:user": of a routine, or of what C calls, index JIT_NO_OFFSET. As long as `size`
 * allows, without blanks. */
void inspect_name(const struct plan *plan, jit_kind kind, uint32_t routine, char *name,
                  size_t size);
#define INSPECT_NAME_MAX 128u

/* ---- an image ------------------------------------------------------------------------------- */

/* An ELF object with a symbol for each routine, and the unwinding rules: what gdb reads. Bytes of
 * it with `image` NULL; else it is written there. 0: not on this system. */
size_t inspect_image(const jit_compiler *c, jit_kind kind, const void *base, const uint8_t *frames,
                     uint32_t frames_size, uint8_t *image);

#endif /* JIT_INSPECT_H */
