/* bench/codec_protobuf.cpp - the same values in protobuf's own wire format, by its generated C++.
 *
 * Values are taken from what apache-cpp decoded, so nobody writes them down a second time. A
 * message is reused, as apache-cpp's objects are. */
#include <memory>
#include <string>

#include <google/protobuf/util/message_differencer.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "codec_bench.h"
#include "objects.pb.h"
#include "objects_types.h"

namespace {

namespace pb = frugal_bench::pb;
using apache::thrift::protocol::TBinaryProtocolT;
using apache::thrift::transport::TMemoryBuffer;
using benchmark::State;

/* ---- values --------------------------------------------------------------------------------- */

template <class From, class To> void put_all(const From &from, To *to)
{
    to->Assign(from.begin(), from.end());
}

template <class From, class To> void put_map(const From &from, To *to)
{
    for (const auto &entry : from)
        (*to)[entry.first] = entry.second;
}

void put(const frugal_bench::Simple &from, pb::Simple *to)
{
    to->set_tiny(from.tiny);
    to->set_id(from.id);
    to->set_ratio(from.ratio);
    to->set_count(from.count);
    to->set_text(from.text);
    to->set_data(from.data);
    to->set_color(static_cast<pb::Color>(from.color));
}

void put(const frugal_bench::Nesting &from, pb::Nesting *to)
{
    to->set_name(from.name);
    for (const auto &simple : from.simples)
        put(simple, to->add_simples());
    to->set_ratio(from.ratio);
    to->set_count(from.count);
    put_all(from.counts, to->mutable_counts());
    to->set_id(from.id);
    put_map(from.labels, to->mutable_labels());
    put(from.simple, to->mutable_simple());
    put_map(from.totals, to->mutable_totals());
    put_all(from.words, to->mutable_words());
    to->set_data(from.data);
    put_map(from.names, to->mutable_names());
    put_all(from.ids, to->mutable_ids());
    to->set_tiny(from.tiny);
    for (const auto &entry : from.index)
        put(entry.second, &(*to->mutable_index())[entry.first]);
}

void put(const frugal_bench::Nesting2 &from, pb::Nesting2 *to)
{
    for (const auto &entry : from.cells) {
        pb::Cell *cell = to->add_cells();

        put(entry.first, cell->mutable_key());
        put(entry.second, cell->mutable_value());
    }
    put(from.simple, to->mutable_simple());
    to->set_tiny(from.tiny);
    to->set_ratio(from.ratio);
    for (const auto &nesting : from.nestings)
        put(nesting, to->add_nestings());
    to->set_id(from.id);
    put(from.nesting, to->mutable_nesting());
    to->set_data(from.data);
    to->set_text(from.text);
    to->set_count(from.count);
}

void put(const frugal_bench::Numbers &from, pb::Numbers *to)
{
    put_all(from.values, to->mutable_values());
}

void put(const frugal_bench::Doubles &from, pb::Doubles *to)
{
    put_all(from.values, to->mutable_values());
}

void put(const frugal_bench::Words &from, pb::Words *to)
{
    put_all(from.values, to->mutable_values());
}

void put(const frugal_bench::Totals &from, pb::Totals *to)
{
    put_map(from.values, to->mutable_values());
}

void put(const frugal_bench::Features &from, pb::Features *to)
{
    to->set_model(from.model);
    to->set_user(from.user);
    put_all(from.dense, to->mutable_dense());
    put_all(from.ids, to->mutable_ids());
    put_map(from.weights, to->mutable_weights());
    put_all(from.flags, to->mutable_flags());
}

void put(const frugal_bench::Event &from, pb::Event *to)
{
    to->set_time(from.time);
    to->set_host(from.host);
    to->set_level(from.level);
    to->set_program(from.program);
    to->set_text(from.text);
    to->set_trace(from.trace);
    to->set_span(from.span);
    to->set_sampled(from.sampled);
    to->set_duration(from.duration);
    to->set_status(from.status);
    put_map(from.tags, to->mutable_tags());
    put_all(from.counters, to->mutable_counters());
    to->set_user(from.user);
    to->set_shard(from.shard);
    to->set_zone(from.zone);
    to->mutable_place()->set_latitude(from.place.latitude);
    to->mutable_place()->set_longitude(from.place.longitude);
    to->mutable_place()->set_city(from.place.city);
    to->set_agent(from.agent);
    to->set_received(from.received);
    to->set_sent(from.sent);
    put_all(from.notes, to->mutable_notes());
}

/* ---- benchmarks ----------------------------------------------------------------------------- */

/* The message, in Thrift Binary, as a message of protobuf. */
template <class T, class M> std::shared_ptr<M> message_of(const bench_object &object)
{
    auto input = std::make_shared<TMemoryBuffer>(const_cast<uint8_t *>(object.message.ptr),
                                                 static_cast<uint32_t>(object.message.len),
                                                 TMemoryBuffer::OBSERVE);
    TBinaryProtocolT<TMemoryBuffer> reader(input);
    auto                            message = std::make_shared<M>();
    T                               value;

    value.read(&reader);
    put(value, message.get());
    return message;
}

template <class M> void decode(State &state, const bench_object &object, const std::string &wire)
{
    M message;

    message.ParseFromString(wire);
    Meter meter(state, wire.size());
    for (auto _ : state) {
        if (!message.ParseFromArray(wire.data(), static_cast<int>(wire.size())))
            fail(object, "protobuf-cpp's decode failed while it was measured");
        benchmark::ClobberMemory();
    }
}

/* Size and write, as ours. */
template <class M> void encode(State &state, const M &message)
{
    Bytes out(message.ByteSizeLong());
    Meter meter(state, out.size());

    for (auto _ : state) {
        benchmark::DoNotOptimize(message.ByteSizeLong());
        benchmark::DoNotOptimize(message.SerializeWithCachedSizesToArray(out.data()));
        benchmark::ClobberMemory();
    }
}

template <class T, class M> void add_message(const bench_object &object)
{
    std::shared_ptr<M> message = message_of<T, M>(object);
    std::string        wire    = message->SerializeAsString();
    M                  again;

    if (wire.empty() || !again.ParseFromString(wire)
        || !google::protobuf::util::MessageDifferencer::Equals(*message, again))
        fail(object, "protobuf-cpp decodes another message than it encoded");
    add("decode", "protobuf-cpp", object,
        [&object, wire](State &state) { decode<M>(state, object, wire); });
    add("encode", "protobuf-cpp", object, [message](State &state) { encode(state, *message); });
}

} // namespace

void add_protobuf(bench_object_index index, const bench_object &object, const Bytes &)
{
    switch (index) {
    case BENCH_SMALL: return add_message<frugal_bench::Simple, pb::Simple>(object);
    case BENCH_MEDIUM:
    case BENCH_SHORT: return add_message<frugal_bench::Nesting, pb::Nesting>(object);
    case BENCH_LARGE: return add_message<frugal_bench::Nesting2, pb::Nesting2>(object);
    case BENCH_I64X8:
    case BENCH_I64LIST:
    case BENCH_I64X100000: return add_message<frugal_bench::Numbers, pb::Numbers>(object);
    case BENCH_F64X8:
    case BENCH_F64X1024:
    case BENCH_F64X100000: return add_message<frugal_bench::Doubles, pb::Doubles>(object);
    case BENCH_STRINGS: return add_message<frugal_bench::Words, pb::Words>(object);
    case BENCH_I64MAP: return add_message<frugal_bench::Totals, pb::Totals>(object);
    case BENCH_FEATURES: return add_message<frugal_bench::Features, pb::Features>(object);
    case BENCH_EVENT: return add_message<frugal_bench::Event, pb::Event>(object);
    default: return;
    }
}
