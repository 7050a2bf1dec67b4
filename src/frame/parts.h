/* frame/parts.h - what the files of this room share. */
#ifndef FRAME_PARTS_H
#define FRAME_PARTS_H

#include "core/bytes.h"
#include "core/status.h"
#include "frame/frame.h"
#include "wire/fault.h"

#define MAGIC_BINARY   0x8001u /* the upper halves of words */
#define MAGIC_PROTOBUF 0x9001u
#define MAGIC_TTHEADER 0x1000u
#define MAGIC_THEADER  0x0FFFu
#define MAGIC_MESH     0xFFAFu

#define TTHEADER_FIXED 14 /* bytes up to the protocol id */
#define MESH_FIXED     4
#define FRAME_LENGTH   4

/* Gives an error its place and hands the status on. */
static inline frugal_status frame_place(frugal_error *error, size_t offset, frugal_status status)
{
    if (error)
        error->offset = offset;
    return status;
}

/* The same for an error that has an offset from `base`. */
static inline frugal_status frame_shift(frugal_error *error, size_t base, frugal_status status)
{
    if (error)
        error->offset += base;
    return status;
}

/* Kitex's words for both directions. */
static inline frugal_status frame_too_large(frugal_error *error, size_t offset, uint64_t size,
                                            size_t limit)
{
    return frame_place(error, offset,
                       error_set(error, FRUGAL_SIZE,
                                 "invalid data: payload size(%llu) larger than the limit(%zu)",
                                 (unsigned long long)size, limit));
}

/* ---- buffered.c ----------------------------------------------------------------------------- */

/* One message of the Binary protocol at the front of `input`, as far as it is there: OK and *need 0
 * when reader->skipper.at is its size. Goes on where it stopped. */
frugal_status frame_pass_message(frame_reader *reader, frugal_bytes input, size_t *need,
                                 frugal_error *error);

/* The same in one go, for bytes that are all there; `used` on success. Offsets from the front. */
frugal_status frame_pass_whole(const frame_reader *reader, frugal_bytes input, size_t *used,
                               frugal_error *error);

/* ---- ttheader.c ----------------------------------------------------------------------------- */

/* A header at the front of `input`, which has TTHEADER_FIXED (MESH_FIXED) bytes at least: checks
 * lengths and, once it is all there, its info. *size: of the header; *payload: of what follows it,
 * SIZE_MAX behind a mesh header, which does not say. `header` is filled when `input` has *size
 * bytes. Offsets from the front. */
frugal_status frame_read_ttheader(frame_reader *reader, frugal_bytes input, frame_header *header,
                                  size_t *size, size_t *payload, frugal_error *error);
frugal_status frame_read_mesh(frame_reader *reader, frugal_bytes input, frame_header *header,
                              size_t *size, size_t *payload, frugal_error *error);

#endif /* FRAME_PARTS_H */
