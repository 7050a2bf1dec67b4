/* frugal/frugal.h - Thrift for C without generated code. Includes the whole library:
 *
 *   version.h    which library this is
 *   status.h     what can go wrong
 *   shapes.h     what Thrift values look like in C
 *   memory.h     allocators, arenas, buffers
 *   describe.h   a C struct says what it is on the wire
 *   codec.h      a struct to bytes and back
 *   value.h      copy, compare, print, find inside any record
 *   message.h    the envelope of a call, a reply, an exception
 *   service.h    services and methods as tables
 *   schema.h     descriptors at run time: IDL, text tags
 *   json.h       any record as JSON text, and back */
#ifndef FRUGAL_FRUGAL_H
#define FRUGAL_FRUGAL_H

#include <frugal/codec.h>
#include <frugal/describe.h>
#include <frugal/json.h>
#include <frugal/memory.h>
#include <frugal/message.h>
#include <frugal/schema.h>
#include <frugal/service.h>
#include <frugal/shapes.h>
#include <frugal/status.h>
#include <frugal/value.h>
#include <frugal/version.h>

#endif /* FRUGAL_FRUGAL_H */
