/* codec/decode_base.c - the decoder for every CPU. */
#define DECODE_RUN decode_run_base
#define DECODE_ROOT decode_root_base
#include "codec/decode_loop.h"
