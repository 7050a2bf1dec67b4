/* bench/glib_peer.h - records of Apache Thrift's generator for C (c_glib), for codec_glib.cpp: the
 * generated headers are C and have no room for C++. */
#ifndef BENCH_GLIB_PEER_H
#define BENCH_GLIB_PEER_H

#include <stdbool.h>
#include <stddef.h>

#include "objects.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct glib_peer glib_peer;

/* NULL when the object's type was not generated. */
glib_peer *glib_peer_new(bench_object_index index);
void       glib_peer_free(glib_peer *peer);

/* Reads the whole message into a new object, and drops the one from before. Generated code has to:
 * what it reads is added to the maps of an object that has some. */
bool glib_peer_decode(glib_peer *peer, const void *bytes, size_t size);

/* Writes the object that was read last; the bytes it took, or 0. */
size_t glib_peer_encode(glib_peer *peer, void *out, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif /* BENCH_GLIB_PEER_H */
