/* bench/glib_transport.h - a ThriftTransport over one array of bytes.
 *
 * c_glib's own memory buffer moves all that is left to the front after each read, so that reading a
 * message takes a time that grows with the square of its size. That would be measured, and not
 * the generated code. This one does what C++'s TMemoryBuffer does. Names are as GObject's macros
 * make them. */
#ifndef BENCH_GLIB_TRANSPORT_H
#define BENCH_GLIB_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#include <thrift/c_glib/transport/thrift_transport.h>

typedef struct BenchFlat {
    ThriftTransport parent;
    uint8_t        *bytes; /* the caller's; const when it is only read */
    size_t          offset;
    size_t          size;
} BenchFlat;

typedef struct BenchFlatClass {
    ThriftTransportClass parent;
} BenchFlatClass;

GType bench_flat_get_type(void);

/* Reads, or writes, from the front of `bytes` on; they must outlive that. */
void bench_flat_set(BenchFlat *transport, void *bytes, size_t size);

#endif /* BENCH_GLIB_TRANSPORT_H */
