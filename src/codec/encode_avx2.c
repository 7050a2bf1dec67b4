/* codec/encode_avx2.c - the encoder for x86-64 with AVX2: the same loop, wider copies. */
#ifdef __x86_64__
#    define CODEC_AVX2 1
#    define ENCODE_RUN encode_run_avx2
#    define LOOK_RUN   look_run_avx2
#    include "codec/encode_loop.h"
#else
typedef int no_avx2_here; /* an empty file is not C */
#endif
