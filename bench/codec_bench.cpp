/* bench/codec_bench.cpp - encode and decode, against what others generate and against memcpy.
 *
 * Benchmarks are called OPERATION/IMPLEMENTATION/OBJECT. Everything is verified before anything is
 * measured, and the first disagreement is the end of the program: a codec that does less than its
 * peer would look fast. What an operation includes is said in README.md.
 *
 * Peers in another language are programs of their own (scripts/bench-peers), and work on our files:
 * --export=DIR writes each message to DIR/OBJECT.bin; --verify=DIR compares what a peer wrote to
 * DIR/OBJECT.out with it. Both end there. */
#include "codec_bench.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

/* The build tells the version of each peer that it found; the others are passed over. */
#ifndef BENCH_C_GLIB
#    define BENCH_C_GLIB "left out, it was not installed"
void add_c_glib(bench_object_index, const bench_object &, const Bytes &)
{
}
#endif
#ifndef BENCH_PROTOBUF
#    define BENCH_PROTOBUF "left out, it was not installed"
void add_protobuf(bench_object_index, const bench_object &, const Bytes &)
{
}
#endif

namespace {

using benchmark::State;

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

void add_object(bench_object_index index, const bench_object &object)
{
    Bytes bytes = add_frugal(object);

    if (object.encoding == BENCH_LOSES)
        std::fprintf(stderr,
                     "codec_bench: %s is only decoded; its reader skips fields, so what would be "
                     "encoded is less\n",
                     object.name);
    add_apache(index, object, bytes);
    add_c_glib(index, object, bytes);
    add_protobuf(index, object, bytes);
    add("copy", "memcpy", object, [&](State &state) { copy_memcpy(state, object); });
}

void export_object(const bench_object &object, const std::string &folder)
{
    std::ofstream file(folder + "/" + object.name + ".bin", std::ios::binary);

    file.write(reinterpret_cast<const char *>(object.message.ptr),
               static_cast<std::streamsize>(object.message.len));
    if (!file.flush())
        fail(object, "cannot be written to " + folder);
}

/* Objects without a file are passed over; the count of the others is printed. */
bool verify_object(bench_object_index index, const bench_object &object, const std::string &folder)
{
    std::ifstream file(folder + "/" + object.name + ".out", std::ios::binary);

    if (!file)
        return false;
    Bytes bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!apache_agrees(index, bytes,
                       Bytes(object.message.ptr, object.message.ptr + object.message.len)))
        fail(object, "the peer's bytes are another message");
    return true;
}

/* What follows `--NAME=` when that is the only argument, else NULL. */
const char *only_argument(int argc, char **argv, const char *name)
{
    const size_t size = std::strlen(name);

    return argc == 2 && std::strncmp(argv[1], name, size) == 0 ? argv[1] + size : nullptr;
}

} // namespace

void fail(const bench_object &object, const std::string &what)
{
    std::fprintf(stderr, "codec_bench: %s: %s\n", object.name, what.c_str());
    std::abort();
}

int main(int argc, char **argv)
{
    static bench_object objects[BENCH_OBJECT_COUNT];
    const char         *exported = only_argument(argc, argv, "--export=");
    const char         *verified = only_argument(argc, argv, "--verify=");
    int                 count    = 0;

    bench_objects_init(objects);
    if (exported == nullptr && verified == nullptr) {
        benchmark::Initialize(&argc, argv);
        if (benchmark::ReportUnrecognizedArguments(argc, argv))
            return 1;
    }
    for (int i = 0; i < BENCH_OBJECT_COUNT; i++) {
        auto index = static_cast<bench_object_index>(i);

        if (exported != nullptr)
            export_object(objects[i], exported);
        else if (verified != nullptr)
            count += verify_object(index, objects[i], verified);
        else
            add_object(index, objects[i]);
    }
    if (verified != nullptr)
        std::printf("%d messages agree\n", count);
    if (exported != nullptr || verified != nullptr)
        return verified != nullptr && count == 0;
    benchmark::AddCustomContext("frugal", BENCH_FRUGAL);
    benchmark::AddCustomContext("compiler", BENCH_COMPILER);
    benchmark::AddCustomContext("apache-cpp", BENCH_APACHE);
    benchmark::AddCustomContext("c-glib", BENCH_C_GLIB);
    benchmark::AddCustomContext("protobuf-cpp", BENCH_PROTOBUF);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
