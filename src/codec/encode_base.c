/* codec/encode_base.c - the encoder for every CPU. */
#define ENCODE_RUN encode_run_base
#define LOOK_RUN   look_run_base
#include "codec/encode_loop.h"
