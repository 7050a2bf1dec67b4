/* bench/codec_frugal.cpp - this library: as it is by default, and with interpreter_only. */
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <frugal/frugal.h>

#include "codec_bench.h"

namespace {

using benchmark::State;

struct Mode {
    bool interpreter_only;
    bool no_copy;
};

frugal_encode_options encode_options(Mode mode)
{
    frugal_encode_options options = {};

    options.struct_size      = sizeof options;
    options.interpreter_only = mode.interpreter_only;
    return options;
}

frugal_decode_options decode_options(Mode mode)
{
    frugal_decode_options options = {};

    options.struct_size      = sizeof options;
    options.no_copy          = mode.no_copy;
    options.interpreter_only = mode.interpreter_only;
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

    void must_decode(Mode mode)
    {
        frugal_error error = {};

        if (decode(decode_options(mode), &error) != FRUGAL_OK)
            fail(object_, "frugal_decode: " + std::string(error.message));
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

/* Decoded and encoded again, in both ways to write. */
Bytes round_trip(const bench_object &object, Mode mode)
{
    Record                record(object);
    Bytes                 out(object.message.len);
    frugal_buf            appended;
    frugal_encode_options options = encode_options(mode);

    record.must_decode(mode);
    out.resize(encode_exactly(record.view(), options, out));
    if (out.empty())
        fail(object, "frugal does not encode it");
    frugal_buf_init(&appended, nullptr, 0, nullptr);
    if (frugal_encode(record.view(), &options, &appended, nullptr) != FRUGAL_OK
        || Bytes(appended.data, appended.data + appended.size) != out)
        fail(object, "frugal appends other bytes than it writes");
    frugal_buf_release(&appended);
    return out;
}

/* What frugal makes of the message, after all ways to read and to write it agreed. */
Bytes verify(const bench_object &object)
{
    Bytes first = round_trip(object, { true, false });

    for (Mode mode : { Mode{ true, true }, Mode{ false, false }, Mode{ false, true } })
        if (round_trip(object, mode) != first)
            fail(object, "frugal's ways to decode and to encode it do not agree");
    if (object.encoding == BENCH_SAME
        && first != Bytes(object.message.ptr, object.message.ptr + object.message.len))
        fail(object, "frugal encodes other bytes than it decoded");
    if (object.encoding == BENCH_REORDERS && first.size() != object.message.len)
        fail(object, "frugal encodes more or fewer bytes than it decoded");
    return first;
}

void decode(State &state, const bench_object &object, Mode mode)
{
    frugal_decode_options options = decode_options(mode);
    Record                record(object);

    record.must_decode(mode);
    Meter meter(state, object.message.len);
    for (auto _ : state) {
        if (record.decode(options) != FRUGAL_OK)
            fail(object, "frugal_decode failed while it was measured");
        benchmark::ClobberMemory();
    }
}

void encode(State &state, const bench_object &object, Mode mode)
{
    frugal_encode_options options = encode_options(mode);
    Record                record(object);
    Bytes                 out(object.message.len);

    record.must_decode(mode);
    Meter meter(state, object.message.len);
    for (auto _ : state) {
        if (encode_exactly(record.view(), options, out) == 0)
            fail(object, "encoding failed while it was measured");
        benchmark::ClobberMemory();
    }
}

void append(State &state, const bench_object &object, Mode mode)
{
    frugal_encode_options options = encode_options(mode);
    Record                record(object);
    frugal_buf            out;

    record.must_decode(mode);
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

/* Whether the default makes machine code of this type: its plan then says so, in a line of its own
 * that begins with these words. */
bool has_machine_code(const bench_object &object)
{
    static const char words[] = "\nmachine code: ";
    frugal_buf        text;
    const uint8_t     zero = 0;

    frugal_buf_init(&text, nullptr, 0, nullptr);
    if (frugal_describe_plan(object.type, nullptr, &text, nullptr) != FRUGAL_OK
        || frugal_buf_append(&text, &zero, 1) != FRUGAL_OK)
        fail(object, "frugal_describe_plan failed");
    const char *found = std::strstr(reinterpret_cast<const char *>(text.data), words);
    bool        has   = found != nullptr && std::strncmp(found + sizeof words - 1, "no", 2) != 0;
    frugal_buf_release(&text);
    return has;
}

void add_mode(const std::string &name, const bench_object &object, bool interpreter_only)
{
    const Mode copying = { interpreter_only, false }, viewing = { interpreter_only, true };

    add("decode", name, object, [&object, copying](State &s) { decode(s, object, copying); });
    add("decode_nocopy", name, object,
        [&object, viewing](State &s) { decode(s, object, viewing); });
    if (object.encoding == BENCH_LOSES)
        return;
    add("encode", name, object, [&object, copying](State &s) { encode(s, object, copying); });
    add("append", name, object, [&object, copying](State &s) { append(s, object, copying); });
}

} // namespace

Bytes add_frugal(const bench_object &object)
{
    Bytes bytes = verify(object);

    add_mode(has_machine_code(object) ? "frugal-jit" : "frugal", object, false);
    add_mode("frugal-interpreter", object, true);
    return bytes;
}
