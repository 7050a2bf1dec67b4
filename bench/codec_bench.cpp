/* bench/codec_bench.cpp - encode and decode, against generated C++ and against memcpy.
 *
 * Benchmarks are called OPERATION/IMPLEMENTATION/OBJECT. Everything is verified before anything is
 * measured, and the first disagreement is the end of the program: a codec that does less than its
 * peer would look fast. What an operation includes is said in README.md. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <benchmark/benchmark.h>
#include <thrift/protocol/TBinaryProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <frugal/frugal.h>

#include "apache_virtual.h"
#include "mallocs.h"
#include "objects.h"
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
using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail(const bench_object &object, const char *what)
{
    std::fprintf(stderr, "codec_bench: %s: %s\n", object.name, what);
    std::abort();
}

Bytes message_of(const bench_object &object)
{
    return Bytes(object.message.ptr, object.message.ptr + object.message.len);
}

/* Bytes a second and allocations an operation, of the loop between construction and destruction. */
class Meter {
  public:
    Meter(State &state, size_t size) : state_(state), size_(size), before_(mallocs_count())
    {
    }
    Meter(const Meter &)            = delete;
    Meter &operator=(const Meter &) = delete;
    ~Meter()
    {
        auto count = static_cast<double>(mallocs_count() - before_);

        state_.counters["allocations"] =
            benchmark::Counter(count, benchmark::Counter::kAvgIterations);
        state_.SetBytesProcessed(state_.iterations() * static_cast<int64_t>(size_));
    }

  private:
    State   &state_;
    size_t   size_;
    uint64_t before_;
};

/* ---- frugal --------------------------------------------------------------------------------- */

frugal_encode_options encode_options()
{
    frugal_encode_options options = {};

    options.struct_size      = sizeof options;
    options.interpreter_only = true;
    return options;
}

frugal_decode_options decode_options(bool no_copy)
{
    frugal_decode_options options = {};

    options.struct_size      = sizeof options;
    options.no_copy          = no_copy;
    options.interpreter_only = true;
    return options;
}

/* A record of the object's type with an arena of its own. */
class Record {
  public:
    explicit Record(const bench_object &object)
        : object_(object), arena_(frugal_arena_new(nullptr), frugal_arena_free),
          memory_(std::calloc(1, object.type->size), std::free)
    {
        if (arena_ == nullptr || memory_ == nullptr)
            fail(object, "no memory for a record");
    }

    frugal_status decode(const frugal_decode_options &options, frugal_error *error = nullptr)
    {
        frugal_arena_reset(arena_.get());
        return frugal_decode(frugal_ref{ object_.type, memory_.get() }, object_.message,
                             arena_.get(), &options, &used_, error);
    }

    void must_decode(bool no_copy)
    {
        frugal_error error = {};

        if (decode(decode_options(no_copy), &error) != FRUGAL_OK)
            fail(object_, ("frugal_decode: " + std::string(error.message)).c_str());
        if (used_ != object_.message.len)
            fail(object_, "frugal does not read the whole message");
    }

    frugal_view view() const
    {
        return frugal_view{ object_.type, memory_.get() };
    }

  private:
    const bench_object                                         &object_;
    std::unique_ptr<frugal_arena, decltype(&frugal_arena_free)> arena_;
    std::unique_ptr<void, decltype(&std::free)>                 memory_;
    size_t                                                      used_ = 0;
};

/* Size and write, as one operation: the bytes that were written, 0 on failure. */
size_t encode_exactly(frugal_view value, const frugal_encode_options &options, Bytes &out)
{
    size_t size = 0, written = 0;

    if (frugal_encoded_size(value, &options, &size, nullptr) != FRUGAL_OK || size > out.size())
        return 0;
    if (frugal_encode_to(value, &options, out.data(), size, &written, nullptr) != FRUGAL_OK)
        return 0;
    return written;
}

/* What frugal makes of the message, after all ways to read and to write it agreed. */
Bytes verify_frugal(const bench_object &object)
{
    Bytes  first;
    Record record(object);

    for (bool no_copy : { false, true }) {
        Bytes      out(object.message.len);
        frugal_buf appended;

        record.must_decode(no_copy);
        out.resize(encode_exactly(record.view(), encode_options(), out));
        if (out.empty())
            fail(object, "frugal does not encode it");
        frugal_encode_options options = encode_options();
        frugal_buf_init(&appended, nullptr, 0, nullptr);
        if (frugal_encode(record.view(), &options, &appended, nullptr) != FRUGAL_OK
            || Bytes(appended.data, appended.data + appended.size) != out)
            fail(object, "frugal appends other bytes than it writes");
        frugal_buf_release(&appended);
        if (no_copy && out != first)
            fail(object, "frugal decodes another record under no_copy");
        first = out;
    }
    if (object.encoding == BENCH_SAME && first != message_of(object))
        fail(object, "frugal encodes other bytes than it decoded");
    if (object.encoding == BENCH_REORDERS && first.size() != object.message.len)
        fail(object, "frugal encodes more or fewer bytes than it decoded");
    return first;
}

void decode_frugal(State &state, const bench_object &object, bool no_copy)
{
    frugal_decode_options options = decode_options(no_copy);
    Record                record(object);

    record.must_decode(no_copy);
    Meter meter(state, object.message.len);
    for (auto _ : state) {
        if (record.decode(options) != FRUGAL_OK)
            fail(object, "frugal_decode failed while it was measured");
        benchmark::ClobberMemory();
    }
}

void encode_frugal(State &state, const bench_object &object)
{
    frugal_encode_options options = encode_options();
    Record                record(object);
    Bytes                 out(object.message.len);

    record.must_decode(false);
    Meter meter(state, object.message.len);
    for (auto _ : state) {
        if (encode_exactly(record.view(), options, out) == 0)
            fail(object, "encoding failed while it was measured");
        benchmark::ClobberMemory();
    }
}

void append_frugal(State &state, const bench_object &object)
{
    frugal_encode_options options = encode_options();
    Record                record(object);
    frugal_buf            out;

    record.must_decode(false);
    frugal_buf_init(&out, nullptr, 0, nullptr);
    if (frugal_buf_reserve(&out, 2 * object.message.len) != FRUGAL_OK)
        fail(object, "no memory for a buffer");
    {
        Meter meter(state, object.message.len);
        for (auto _ : state) {
            out.size = 0;
            if (frugal_encode(record.view(), &options, &out, nullptr) != FRUGAL_OK)
                fail(object, "frugal_encode failed while it was measured");
            benchmark::ClobberMemory();
        }
    }
    frugal_buf_release(&out);
}

/* ---- Apache Thrift C++ ---------------------------------------------------------------------- */

/* Generated code reads and writes through a pointer to `P`: to the base class, every call virtual,
 * as thrift-compiler generates it (apache-cpp), or with its option `templates` to the binary
 * protocol itself (apache-cpp-templates). */
using Protocol = TBinaryProtocolT<TMemoryBuffer>;

/* Observes the message and starts again at its front. TMemoryBuffer::resetBuffer would do that,
 * too, but allocates a configuration each time, which is not the codec's fault. */
class Input : public TMemoryBuffer {
  public:
    explicit Input(const bench_object &object)
        : TMemoryBuffer(const_cast<uint8_t *>(object.message.ptr),
                        static_cast<uint32_t>(object.message.len), OBSERVE)
    {
    }

    void rewind()
    {
        rBase_  = buffer_;
        rBound_ = wBase_;
        resetConsumedMessageSize();
    }
};

template <class T, class P> void verify_apache(const bench_object &object, const Bytes &expected)
{
    auto     input  = std::make_shared<Input>(object);
    auto     output = std::make_shared<TMemoryBuffer>();
    Protocol reader(input), writer(output);
    T        value;

    /* Twice, because what is measured is a second read into the same object. */
    for (int i = 0; i < 2; i++) {
        input->rewind();
        if (value.template read<P>(&reader) != object.message.len)
            fail(object, "apache-cpp does not read the whole message");
        output->resetBuffer();
        value.template write<P>(&writer);
        std::string bytes = output->getBufferAsString();
        if (Bytes(bytes.begin(), bytes.end()) != expected)
            fail(object, "apache-cpp encodes other bytes than frugal");
    }
}

template <class T, class P> void decode_apache(State &state, const bench_object &object)
{
    auto     input = std::make_shared<Input>(object);
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

template <class T, class P> void encode_apache(State &state, const bench_object &object)
{
    auto     input  = std::make_shared<Input>(object);
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

/* ---- memcpy --------------------------------------------------------------------------------- */

void copy_memcpy(State &state, const bench_object &object)
{
    Bytes out(object.message.len);
    Meter meter(state, object.message.len);

    for (auto _ : state) {
        std::memcpy(out.data(), object.message.ptr, object.message.len);
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
}

/* ---- all of them ---------------------------------------------------------------------------- */

template <class Function>
void add(const char *operation, const std::string &implementation, const bench_object &object,
         Function run)
{
    std::string name = operation + ("/" + implementation) + "/" + object.name;

    benchmark::RegisterBenchmark(name.c_str(), run);
}

void add_frugal(const bench_object &object)
{
    const std::string name = "frugal-interpreter";

    add("decode", name, object, [&](State &state) { decode_frugal(state, object, false); });
    add("decode_nocopy", name, object, [&](State &state) { decode_frugal(state, object, true); });
    if (object.encoding == BENCH_LOSES)
        return;
    add("encode", name, object, [&](State &state) { encode_frugal(state, object); });
    add("append", name, object, [&](State &state) { append_frugal(state, object); });
}

template <class T, class P> void add_apache(const std::string &name, const bench_object &object)
{
    add("decode", name, object, [&](State &state) { decode_apache<T, P>(state, object); });
    if (object.encoding != BENCH_LOSES)
        add("encode", name, object, [&](State &state) { encode_apache<T, P>(state, object); });
}

/* `T` is the generated class of the same record. */
template <class T> void add_object(const bench_object &object)
{
    Bytes bytes = verify_frugal(object);

    verify_apache<T, Protocol>(object, bytes);
    verify_apache<T, TProtocol>(object, bytes);
    if (object.encoding == BENCH_LOSES)
        std::fprintf(stderr,
                     "codec_bench: %s is only decoded; its reader skips fields, so what would be "
                     "encoded is less\n",
                     object.name);
    add_frugal(object);
    add_apache<T, TProtocol>("apache-cpp", object);
    add_apache<T, Protocol>("apache-cpp-templates", object);
    add("copy", "memcpy", object, [&](State &state) { copy_memcpy(state, object); });
}

} // namespace

int main(int argc, char **argv)
{
    static bench_object objects[BENCH_OBJECT_COUNT];

    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::AddCustomContext("apache-cpp", BENCH_APACHE);

    bench_objects_init(objects);
    add_object<frugal_bench::Simple>(objects[BENCH_SMALL]);
    add_object<frugal_bench::Nesting>(objects[BENCH_MEDIUM]);
    add_object<frugal_bench::Nesting2>(objects[BENCH_LARGE]);
    add_object<frugal_bench::Nesting>(objects[BENCH_SHORT]);
    add_object<frugal_bench::Wide>(objects[BENCH_WIDE]);
    add_object<frugal_bench::Numbers>(objects[BENCH_I64LIST]);
    add_object<frugal_bench::JournalSeen>(objects[BENCH_UNKNOWN]);
    add_object<frugal_bench::Journal>(objects[BENCH_SHUFFLED]);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
