/* bench/glib_peer.c - one protocol, one transport, one object; see the header. */
#include "glib_peer.h"

#include <stdlib.h>

#include <thrift/c_glib/protocol/thrift_binary_protocol.h>

#include "glib_transport.h"
#include "peer_objects_types.h"

struct glib_peer {
    BenchFlat      *transport;
    ThriftProtocol *protocol;
    GType           type;
    ThriftStruct   *object; /* NULL before the first message */
};

static GType type_of(bench_object_index index)
{
    switch (index) {
    case BENCH_SMALL: return PEER_TYPE_SIMPLE;
    case BENCH_MEDIUM:
    case BENCH_SHORT: return PEER_TYPE_NESTING;
    case BENCH_LARGE: return PEER_TYPE_NESTING2;
    case BENCH_WIDE: return PEER_TYPE_WIDE;
    case BENCH_I64LIST: return PEER_TYPE_NUMBERS;
    case BENCH_SHUFFLED: return PEER_TYPE_JOURNAL;
    case BENCH_EVENT: return PEER_TYPE_EVENT;
    case BENCH_FEATURES: return PEER_TYPE_FEATURES;
    case BENCH_STRINGS: return PEER_TYPE_WORDS;
    case BENCH_I64MAP: return PEER_TYPE_TOTALS;
    case BENCH_DEEP: return PEER_TYPE_TREE;
    default: return 0;
    }
}

glib_peer *glib_peer_new(bench_object_index index)
{
    GType      type = type_of(index);
    glib_peer *peer;

    if (type == 0)
        return NULL;
    peer            = g_new0(glib_peer, 1);
    peer->type      = type;
    peer->transport = g_object_new(bench_flat_get_type(), NULL);
    peer->protocol  = g_object_new(THRIFT_TYPE_BINARY_PROTOCOL, "transport", peer->transport, NULL);
    return peer;
}

static void drop_object(glib_peer *peer)
{
    if (peer->object != NULL)
        g_object_unref(peer->object);
    peer->object = NULL;
}

void glib_peer_free(glib_peer *peer)
{
    if (peer == NULL)
        return;
    drop_object(peer);
    g_object_unref(peer->protocol);
    g_object_unref(peer->transport);
    g_free(peer);
}

/* Nothing is written through the pointer that loses its const here. */
bool glib_peer_decode(glib_peer *peer, const void *bytes, size_t size)
{
    GError *error = NULL;
    gint32  used;

    drop_object(peer);
    peer->object = g_object_new(peer->type, NULL);
    bench_flat_set(peer->transport, (void *)(uintptr_t)bytes, size);
    used = thrift_struct_read(peer->object, peer->protocol, &error);
    if (error != NULL)
        g_error_free(error);
    return used >= 0 && (size_t)used == size;
}

size_t glib_peer_encode(glib_peer *peer, void *out, size_t capacity)
{
    GError *error = NULL;
    gint32  size;

    bench_flat_set(peer->transport, out, capacity);
    size = thrift_struct_write(peer->object, peer->protocol, &error);
    if (error != NULL)
        g_error_free(error);
    return size > 0 ? (size_t)size : 0;
}
