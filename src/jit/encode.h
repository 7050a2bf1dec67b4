/* jit/encode.h - the routines that encode and measure, put into a compiler's code. */
#ifndef JIT_ENCODE_H
#define JIT_ENCODE_H

#include "jit/target.h"

void jit_put_encoder(jit_compiler *c);
void jit_put_measurer(jit_compiler *c);

#endif /* JIT_ENCODE_H */
