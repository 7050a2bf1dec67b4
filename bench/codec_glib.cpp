/* bench/codec_glib.cpp - Apache Thrift's generator for C, over a flat transport of ours. */
#include <memory>

#include "codec_bench.h"
#include "glib_peer.h"

namespace {

using benchmark::State;
using Peer = std::unique_ptr<glib_peer, decltype(&glib_peer_free)>;

Peer peer_of(bench_object_index index, const bench_object &object)
{
    Peer peer(glib_peer_new(index), glib_peer_free);

    if (peer != nullptr && !glib_peer_decode(peer.get(), object.message.ptr, object.message.len))
        fail(object, "c-glib does not read the whole message");
    return peer;
}

void decode(State &state, bench_object_index index, const bench_object &object)
{
    Peer  peer = peer_of(index, object);
    Meter meter(state, object.message.len);

    for (auto _ : state) {
        if (!glib_peer_decode(peer.get(), object.message.ptr, object.message.len))
            fail(object, "c-glib's decode failed while it was measured");
        benchmark::ClobberMemory();
    }
}

void encode(State &state, bench_object_index index, const bench_object &object)
{
    Peer  peer = peer_of(index, object);
    Bytes out(object.message.len);
    Meter meter(state, object.message.len);

    for (auto _ : state) {
        if (glib_peer_encode(peer.get(), out.data(), out.size()) == 0)
            fail(object, "c-glib's encode failed while it was measured");
        benchmark::ClobberMemory();
    }
}

} // namespace

/* Its maps are hash tables, so its bytes come in another order. */
void add_c_glib(bench_object_index index, const bench_object &object, const Bytes &expected)
{
    Peer  peer = peer_of(index, object);
    Bytes out(expected.size());

    if (peer == nullptr)
        return;
    out.resize(glib_peer_encode(peer.get(), out.data(), out.size()));
    if (!apache_agrees(index, out, expected))
        fail(object, "c-glib encodes another message than frugal");
    add("decode", "c-glib", object, [index, &object](State &s) { decode(s, index, object); });
    add("encode", "c-glib", object, [index, &object](State &s) { encode(s, index, object); });
}
