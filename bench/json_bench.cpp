/* bench/json_bench.cpp - records to JSON and back.
 *
 * Benchmarks are called OPERATION/IMPLEMENTATION/OBJECT, as in codec_bench. The peer is a program
 * of its own in another language (bench/dynamicgo); --export=DIR writes what it works on, and ends:
 * for each object the message in NAME.bin and its JSON in NAME.json, and on standard output the
 * list that it takes. Everything is verified before. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include <frugal/frugal.h>

#include "json_objects.h"
#include "mallocs.h"

namespace {

using benchmark::State;

[[noreturn]] void fail(const json_object &object, const std::string &what)
{
    std::fprintf(stderr, "json_bench: %s: %s\n", object.name, what.c_str());
    std::abort();
}

/* Enums as numbers: the peer knows no names. */
frugal_json_write_options write_options()
{
    frugal_json_write_options options = {};

    options.struct_size  = sizeof options;
    options.enum_numbers = true;
    return options;
}

/* A record of the object's type, with an arena and a buffer of its own. */
class Record {
  public:
    explicit Record(const json_object &object)
        : object_(object), arena_(frugal_arena_new(nullptr), frugal_arena_free),
          memory_(std::calloc(1, object.type->size), std::free)
    {
        if (arena_ == nullptr || memory_ == nullptr)
            fail(object, "no memory for a record");
        frugal_buf_init(&text_, nullptr, 0, nullptr);
    }
    Record(const Record &)            = delete;
    Record &operator=(const Record &) = delete;
    ~Record()
    {
        frugal_buf_release(&text_);
    }

    void decode()
    {
        frugal_error error = {};

        if (frugal_decode(ref(), object_.message, arena_.get(), nullptr, nullptr, &error)
            != FRUGAL_OK)
            fail(object_, error.message);
    }

    frugal_status write(frugal_error *error = nullptr)
    {
        text_.size = 0;
        return frugal_json_write(frugal_view{ object_.type, memory_.get() }, &options_, &text_,
                                 error);
    }

    frugal_status read(frugal_str text, frugal_error *error = nullptr)
    {
        frugal_arena_reset(arena_.get());
        return frugal_json_read(ref(), text, arena_.get(), nullptr, nullptr, error);
    }

    frugal_str text() const
    {
        return frugal_str{ reinterpret_cast<const char *>(text_.data), text_.size };
    }

    /* Whether encoding gives the message again. */
    bool is_whole()
    {
        frugal_buf out;

        frugal_buf_init(&out, nullptr, 0, nullptr);
        bool same =
            frugal_encode(frugal_view{ object_.type, memory_.get() }, nullptr, &out, nullptr)
                == FRUGAL_OK
            && out.size == object_.message.len
            && std::memcmp(out.data, object_.message.ptr, out.size) == 0;
        frugal_buf_release(&out);
        return same;
    }

  private:
    frugal_ref ref()
    {
        return frugal_ref{ object_.type, memory_.get() };
    }

    const json_object                                          &object_;
    std::unique_ptr<frugal_arena, decltype(&frugal_arena_free)> arena_;
    std::unique_ptr<void, decltype(&std::free)>                 memory_;
    frugal_buf                                                  text_    = {};
    frugal_json_write_options                                   options_ = write_options();
};

/* The object as JSON, after it was read back and was the same. */
std::string json_of(const json_object &object)
{
    frugal_error error = {};
    Record       written(object), read(object);

    written.decode();
    if (written.write(&error) != FRUGAL_OK)
        fail(object, error.message);
    if (read.read(written.text(), &error) != FRUGAL_OK)
        fail(object, error.message);
    if (!read.is_whole())
        fail(object, "what was read from JSON is another record");
    return std::string(written.text().ptr, written.text().len);
}

/* ---- what is measured ----------------------------------------------------------------------- */

void finish(State &state, size_t size, uint64_t mallocs)
{
    auto count = static_cast<double>(mallocs_count() - mallocs);

    state.counters["allocations"] = benchmark::Counter(count, benchmark::Counter::kAvgIterations);
    state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(size));
}

void write_frugal(State &state, const json_object &object, const std::string &text)
{
    Record record(object);

    record.decode();
    if (record.write() != FRUGAL_OK) /* now the buffer has room */
        fail(object, "cannot be written");
    uint64_t mallocs = mallocs_count();
    for (auto _ : state) {
        if (record.write() != FRUGAL_OK)
            fail(object, "writing failed while it was measured");
        benchmark::ClobberMemory();
    }
    finish(state, text.size(), mallocs);
}

void read_frugal(State &state, const json_object &object, const std::string &text)
{
    Record     record(object);
    frugal_str view = { text.data(), text.size() };

    if (record.read(view) != FRUGAL_OK) /* now the arena has blocks */
        fail(object, "cannot be read");
    uint64_t mallocs = mallocs_count();
    for (auto _ : state) {
        if (record.read(view) != FRUGAL_OK)
            fail(object, "reading failed while it was measured");
        benchmark::ClobberMemory();
    }
    finish(state, text.size(), mallocs);
}

void save(const json_object &object, const std::string &path, const void *bytes, size_t size)
{
    std::FILE *file = std::fopen(path.c_str(), "wb");

    if (file == nullptr || std::fwrite(bytes, 1, size, file) != size || std::fclose(file) != 0)
        fail(object, "cannot write " + path);
}

void export_object(const json_object &object, const std::string &text, const std::string &folder)
{
    const std::string path = folder + "/" + object.name;

    save(object, path + ".bin", object.message.ptr, object.message.len);
    save(object, path + ".json", text.data(), text.size());
    std::printf("%s=%s\n", object.name, object.method);
}

void register_object(const json_object &object, const std::string &text)
{
    const std::string name = std::string("frugal/") + object.name;

    benchmark::RegisterBenchmark(("write/" + name).c_str(), write_frugal, object, text);
    benchmark::RegisterBenchmark(("read/" + name).c_str(), read_frugal, object, text);
}

} // namespace

int main(int argc, char **argv)
{
    static const char wanted[] = "--export=";
    json_object       objects[JSON_OBJECT_COUNT];
    bool is_export = argc == 2 && std::strncmp(argv[1], wanted, sizeof wanted - 1) == 0;

    json_objects_init(objects);
    for (const json_object &object : objects) {
        std::string text = json_of(object);
        if (is_export)
            export_object(object, text, argv[1] + sizeof wanted - 1);
        else
            register_object(object, text);
    }
    if (is_export)
        return 0;
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
