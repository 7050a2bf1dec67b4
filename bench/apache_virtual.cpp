/* bench/apache_virtual.cpp - generated code over virtual functions; see the header. */
#include "apache_virtual.h"

BENCH_VIRTUAL_ALL()
