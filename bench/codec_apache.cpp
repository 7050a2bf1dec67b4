/* bench/codec_apache.cpp - Apache Thrift C++: generated code and libthrift.
 *
 * Generated code reads and writes through a pointer to `P`: to the base class, every call virtual,
 * as thrift-compiler generates it (apache-cpp), or with its option `templates` to the binary
 * protocol itself (apache-cpp-templates). */
#include <memory>
#include <string>
#include <tuple>

#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include "apache_classes.h"
#include "apache_virtual.h"
#include "codec_bench.h"
#include "objects_types.h"

/* Generated code declares it and leaves it to us; keys differ in their id, which comes second. */
bool frugal_bench::Simple::operator<(const Simple &other) const
{
    return std::tie(tiny, id, ratio, count, text, data, color) < std::tie(
               other.tiny, other.id, other.ratio, other.count, other.text, other.data, other.color);
}

namespace {

using apache::thrift::protocol::TBinaryProtocolT;
using apache::thrift::protocol::TProtocol;
using apache::thrift::transport::TMemoryBuffer;
using benchmark::State;
using Protocol = TBinaryProtocolT<TMemoryBuffer>;

/* Observes the message and starts again at its front. TMemoryBuffer::resetBuffer would do that,
 * too, but allocates a configuration each time, which is not the codec's fault. */
class Input : public TMemoryBuffer {
  public:
    explicit Input(frugal_bytes message)
        : TMemoryBuffer(const_cast<uint8_t *>(message.ptr), static_cast<uint32_t>(message.len),
                        OBSERVE)
    {
    }

    void rewind()
    {
        rBase_  = buffer_;
        rBound_ = wBase_;
        resetConsumedMessageSize();
    }
};

template <class T, class P> Bytes written(const T &value)
{
    auto     output = std::make_shared<TMemoryBuffer>();
    Protocol writer(output);

    value.template write<P>(&writer);
    std::string bytes = output->getBufferAsString();
    return Bytes(bytes.begin(), bytes.end());
}

template <class T, class P> void verify(const bench_object &object, const Bytes &expected)
{
    auto     input = std::make_shared<Input>(object.message);
    Protocol reader(input);
    T        value;

    /* Twice, because what is measured is a second read into the same object. */
    for (int i = 0; i < 2; i++) {
        input->rewind();
        if (value.template read<P>(&reader) != object.message.len)
            fail(object, "apache-cpp does not read the whole message");
        if (written<T, P>(value) != expected)
            fail(object, "apache-cpp encodes other bytes than frugal");
    }
}

template <class T> bool agrees(const Bytes &bytes, const Bytes &expected)
{
    auto     input = std::make_shared<Input>(frugal_bytes{ bytes.data(), bytes.size() });
    Protocol reader(input);
    T        value;

    try {
        return value.template read<Protocol>(&reader) == bytes.size()
               && written<T, Protocol>(value) == expected;
    } catch (const apache::thrift::TException &) {
        return false;
    }
}

template <class T, class P> void decode(State &state, const bench_object &object)
{
    auto     input = std::make_shared<Input>(object.message);
    Protocol protocol(input);
    T        value;

    value.template read<P>(&protocol);
    Meter meter(state, object.message.len);
    for (auto _ : state) {
        input->rewind();
        benchmark::DoNotOptimize(value.template read<P>(&protocol));
        benchmark::ClobberMemory();
    }
}

/* An object for each message, as a server has that keeps none. */
template <class T, class P> void decode_fresh(State &state, const bench_object &object)
{
    auto     input = std::make_shared<Input>(object.message);
    Protocol protocol(input);
    Meter    meter(state, object.message.len);

    for (auto _ : state) {
        T value;

        input->rewind();
        benchmark::DoNotOptimize(value.template read<P>(&protocol));
        benchmark::ClobberMemory();
    }
}

template <class T, class P> void encode(State &state, const bench_object &object)
{
    auto     input  = std::make_shared<Input>(object.message);
    auto     output = std::make_shared<TMemoryBuffer>();
    Protocol reader(input), writer(output);
    T        value;

    value.template read<P>(&reader);
    value.template write<P>(&writer);
    Meter meter(state, object.message.len);
    for (auto _ : state) {
        output->resetBuffer();
        benchmark::DoNotOptimize(value.template write<P>(&writer));
        benchmark::ClobberMemory();
    }
}

template <class T, class P> void add_form(const char *name, const bench_object &object)
{
    add("decode", name, object, [&](State &state) { decode<T, P>(state, object); });
    if (object.encoding != BENCH_LOSES)
        add("encode", name, object, [&](State &state) { encode<T, P>(state, object); });
}

template <class T> void add_class(const bench_object &object, const Bytes &expected)
{
    verify<T, Protocol>(object, expected);
    verify<T, TProtocol>(object, expected);
    add_form<T, TProtocol>("apache-cpp", object);
    add_form<T, Protocol>("apache-cpp-templates", object);
    add("decode", "apache-cpp-fresh", object,
        [&](State &state) { decode_fresh<T, TProtocol>(state, object); });
}

} // namespace

void add_apache(bench_object_index index, const bench_object &object, const Bytes &expected)
{
    switch (index) {
#define ADD(INDEX, T) \
    case INDEX: return add_class<frugal_bench::T>(object, expected);
        BENCH_APACHE_CLASSES(ADD)
    case BENCH_OBJECT_COUNT: break;
    }
    fail(object, "has no generated class");
}

bool apache_agrees(bench_object_index index, const Bytes &bytes, const Bytes &expected)
{
    switch (index) {
#define AGREES(INDEX, T) \
    case INDEX: return agrees<frugal_bench::T>(bytes, expected);
        BENCH_APACHE_CLASSES(AGREES)
    case BENCH_OBJECT_COUNT: break;
    }
    return false;
}
