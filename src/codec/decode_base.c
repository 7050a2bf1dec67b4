/* codec/decode_base.c - the decoder for every CPU. */
#define DECODE_RUN decode_run_base
#include "codec/decode_loop.h"
