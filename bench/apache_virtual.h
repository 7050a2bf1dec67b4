/* bench/apache_virtual.h - generated code that calls the protocol's virtual functions, as it does
 * when it was generated without `templates`. It is compiled apart, in apache_virtual.cpp: where the
 * compiler sees the protocol that will come, it inlines the calls after all. */
#ifndef BENCH_APACHE_VIRTUAL_H
#define BENCH_APACHE_VIRTUAL_H

#include <thrift/protocol/TProtocol.h>

#include "objects_types.h"

#define BENCH_VIRTUAL_CODE(prefix, T)                                                      \
    prefix template uint32_t frugal_bench::T::read(apache::thrift::protocol::TProtocol *); \
    prefix template uint32_t frugal_bench::T::write(apache::thrift::protocol::TProtocol *) const;
#define BENCH_VIRTUAL_ALL(prefix)           \
    BENCH_VIRTUAL_CODE(prefix, Simple)      \
    BENCH_VIRTUAL_CODE(prefix, Nesting)     \
    BENCH_VIRTUAL_CODE(prefix, Nesting2)    \
    BENCH_VIRTUAL_CODE(prefix, Wide)        \
    BENCH_VIRTUAL_CODE(prefix, Numbers)     \
    BENCH_VIRTUAL_CODE(prefix, Journal)     \
    BENCH_VIRTUAL_CODE(prefix, JournalSeen) \
    BENCH_VIRTUAL_CODE(prefix, EventSeen)   \
    BENCH_VIRTUAL_CODE(prefix, Event)       \
    BENCH_VIRTUAL_CODE(prefix, Features)    \
    BENCH_VIRTUAL_CODE(prefix, Words)       \
    BENCH_VIRTUAL_CODE(prefix, Totals)      \
    BENCH_VIRTUAL_CODE(prefix, Shorts)      \
    BENCH_VIRTUAL_CODE(prefix, Ints)        \
    BENCH_VIRTUAL_CODE(prefix, Doubles)     \
    BENCH_VIRTUAL_CODE(prefix, Flags)       \
    BENCH_VIRTUAL_CODE(prefix, Tree)

BENCH_VIRTUAL_ALL(extern)

#endif /* BENCH_APACHE_VIRTUAL_H */
