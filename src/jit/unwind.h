/* jit/unwind.h - how an unwinder finds the caller of machine code, from anywhere in it.
 *
 * Machine code keeps no frame pointers. What finds a failure's way out finds an unwinder's, too:
 * the stack pointer that `enter` left (x86-64: in the context; AArch64: the frame pointer, which
 * nobody else uses). So one rule holds for all of a unit, whatever the depth, and costs nothing at
 * run time: the frame above machine code is that of the C function that called `enter`. It is
 * written in DWARF, as an .eh_frame. */
#ifndef JIT_UNWIND_H
#define JIT_UNWIND_H

#include "jit/target.h"

#define UNWIND_MAX 320u /* bytes of an .eh_frame */

/* Writes the .eh_frame of the code that will be at `base`; how many bytes, with the zero at its
 * end. 0: none. */
uint32_t unwind_write(const jit_compiler *c, const void *base, uint8_t frames[UNWIND_MAX]);

#endif /* JIT_UNWIND_H */
