/* jit/decode.h - the routines that decode, put into a compiler's code. */
#ifndef JIT_DECODE_H
#define JIT_DECODE_H

#include "jit/target.h"

void jit_put_decoder(jit_compiler *c);

#endif /* JIT_DECODE_H */
