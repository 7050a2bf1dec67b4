/* bench/codec_bench.h - what the parts of codec_bench share. Each part is one codec with its own
 * file: it verifies an object, registers benchmarks, and knows nothing of the others. */
#ifndef BENCH_CODEC_BENCH_H
#define BENCH_CODEC_BENCH_H

#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "mallocs.h"
#include "objects.h"

using Bytes = std::vector<uint8_t>;

[[noreturn]] void fail(const bench_object &object, const std::string &what);

/* Bytes a second, and allocations an operation, of the loop between construction and destruction.
 * `size`: bytes of the message, on the wire of whoever is measured. */
class Meter {
  public:
    Meter(benchmark::State &state, size_t size)
        : state_(state), size_(size), count_(mallocs_count()), bytes_(mallocs_bytes())
    {
    }
    Meter(const Meter &)            = delete;
    Meter &operator=(const Meter &) = delete;
    ~Meter()
    {
        auto count = static_cast<double>(mallocs_count() - count_);
        auto bytes = static_cast<double>(mallocs_bytes() - bytes_);

        state_.counters["allocations"] =
            benchmark::Counter(count, benchmark::Counter::kAvgIterations);
        state_.counters["allocated"] =
            benchmark::Counter(bytes, benchmark::Counter::kAvgIterations);
        state_.counters["size"] = benchmark::Counter(static_cast<double>(size_));
        state_.SetBytesProcessed(state_.iterations() * static_cast<int64_t>(size_));
    }

  private:
    benchmark::State &state_;
    size_t            size_;
    uint64_t          count_, bytes_;
};

/* Registers OPERATION/IMPLEMENTATION/OBJECT. */
template <class Function>
void add(const char *operation, const std::string &implementation, const bench_object &object,
         Function run)
{
    std::string name = operation + ("/" + implementation) + "/" + object.name;

    benchmark::RegisterBenchmark(name.c_str(), run);
}

/* ---- the parts: all verify before they register, and end the program when bytes differ ------ */

/* The bytes that frugal makes of the message. */
Bytes add_frugal(const bench_object &object);

/* `expected`: these, and the peer must make the same. */
void add_apache(bench_object_index index, const bench_object &object, const Bytes &expected);

/* Whether these bytes are `expected` but for the order of entries in maps, of which apache-cpp is
 * the judge: its maps sort. */
bool apache_agrees(bench_object_index index, const Bytes &bytes, const Bytes &expected);

/* Those that are left out at build, or do not know the object, register nothing. */
void add_c_glib(bench_object_index index, const bench_object &object, const Bytes &expected);
void add_protobuf(bench_object_index index, const bench_object &object, const Bytes &expected);

#endif /* BENCH_CODEC_BENCH_H */
