/* codec/decode_avx2.c - the decoder for x86-64 with AVX2: the same loop, wider copies. */
#ifdef __x86_64__
#    define CODEC_AVX2 1
#    define DECODE_RUN decode_run_avx2
#    include "codec/decode_loop.h"
#else
typedef int no_avx2_here; /* an empty file is not C */
#endif
