/* bench/glib_transport.c - reads and writes are a memcpy and a sum; see the header. */
#include "glib_transport.h"

#include <string.h>

G_DEFINE_TYPE(BenchFlat, bench_flat, THRIFT_TYPE_TRANSPORT)

static BenchFlat *flat(ThriftTransport *transport)
{
    return (BenchFlat *)transport;
}

static gboolean always(ThriftTransport *transport)
{
    (void)transport;
    return TRUE;
}

static gboolean succeed(ThriftTransport *transport, GError **error)
{
    (void)transport;
    (void)error;
    return TRUE;
}

static gboolean has_more(ThriftTransport *transport, GError **error)
{
    (void)error;
    return flat(transport)->offset < flat(transport)->size;
}

/* All or nothing: `len` bytes, or -1 and an error. */
static gint32 read_all(ThriftTransport *transport, gpointer buf, guint32 len, GError **error)
{
    BenchFlat *self = flat(transport);

    if (len > self->size - self->offset) {
        g_set_error(error, THRIFT_TRANSPORT_ERROR, THRIFT_TRANSPORT_ERROR_RECEIVE, "truncated");
        return -1;
    }
    memcpy(buf, self->bytes + self->offset, len);
    self->offset += len;
    return (gint32)len;
}

static gboolean write_all(ThriftTransport *transport, const gpointer buf, const guint32 len,
                          GError **error)
{
    BenchFlat *self = flat(transport);

    if (len > self->size - self->offset) {
        g_set_error(error, THRIFT_TRANSPORT_ERROR, THRIFT_TRANSPORT_ERROR_SEND, "no room");
        return FALSE;
    }
    memcpy(self->bytes + self->offset, buf, len);
    self->offset += len;
    return TRUE;
}

static void bench_flat_class_init(BenchFlatClass *class)
{
    ThriftTransportClass *transport = &class->parent;

    transport->is_open   = always;
    transport->peek      = has_more;
    transport->open      = succeed;
    transport->close     = succeed;
    transport->read      = read_all;
    transport->read_all  = read_all;
    transport->read_end  = succeed;
    transport->write     = write_all;
    transport->write_end = succeed;
    transport->flush     = succeed;
}

static void bench_flat_init(BenchFlat *self)
{
    (void)self;
}

void bench_flat_set(BenchFlat *transport, void *bytes, size_t size)
{
    transport->bytes                        = bytes;
    transport->offset                       = 0;
    transport->size                         = size;
    transport->parent.remainingMessageSize_ = (glong)size;
}
