/* frame/frame.h - Thrift transports without I/O: what stands around a message in a stream of bytes.
 *
 *   buffered         message                      its end is found by skipping through it
 *   framed           length:4 message
 *   ttheader         TTHeader message             Kitex: sequence id, flags, key-value info
 *   ttheader-framed  TTHeader length:4 message
 *   mesh, mesh-framed                             0xFFAF header of a sidecar; read, never written
 *
 * Reading: the caller keeps the bytes from the start of the current message on in one piece, and
 * calls frame_read as more arrive, cut anywhere. It gets whole messages as views into its bytes;
 * nothing is allocated or copied, and a message is walked once however it was cut. Writing: a
 * prefix with its lengths left open, the caller's message, and frame_end, which fills them in.
 *
 * A reader or writer belongs to one thread at a time; everything else here is a function of its
 * arguments. Formats, and the words of errors where Kitex has some: specs of Kitex 0.16. */
#ifndef FRAME_FRAME_H
#define FRAME_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <frugal/codec.h>
#include <frugal/memory.h>
#include <frugal/shapes.h>
#include <frugal/status.h>

/* ---- kinds ---------------------------------------------------------------------------------- */

typedef enum frame_framing {
    FRAME_AUTO, /* in options only: look at the first bytes of each message */
    FRAME_BUFFERED,
    FRAME_FRAMED,
    FRAME_TTHEADER,
    FRAME_TTHEADER_FRAMED,
    FRAME_MESH,
    FRAME_MESH_FRAMED
} frame_framing;

/* "ttheader-framed", the words of the list above; "auto". Static text, never NULL. */
const char *frame_framing_name(frame_framing framing);

/* The framing of this name; false when there is none. `mesh` is one. */
bool frame_framing_from_name(frugal_str name, frame_framing *framing);

/* What the payload of a message is, from its first bytes. */
typedef enum frame_payload {
    FRAME_PAYLOAD_BINARY,   /* an envelope of the Binary protocol, strict form, and a struct */
    FRAME_PAYLOAD_PROTOBUF, /* Kitex protobuf: 0x9001, only in a frame */
    FRAME_PAYLOAD_STRUCT,   /* TTHeader streaming: a bare struct (protocol 0x10, 0x11) */
    FRAME_PAYLOAD_NONE,     /* a TTHeader or mesh header alone, nothing behind it */
    FRAME_PAYLOAD_OTHER     /* only where options name the framing: old envelope, Compact, ... */
} frame_payload;

/* ---- TTHeader ------------------------------------------------------------------------------- */

#define FRAME_TTHEADER_MAX 262140u /* bytes of a header from offset 14 on: 65535 words */
#define FRAME_ACL_KEY      "RPC_TRANSIT_gdpr-token" /* the string key that the ACL token has */

#define FRAME_FLAG_OUT_OF_ORDER 0x0001 /* set by Kitex's mux client */
#define FRAME_FLAG_STREAMING    0x0002
#define FRAME_FLAG_DUPLEX       0x0008
#define FRAME_FLAG_SASL         0x0010

/* Others, among them 2 (Compact), are refused, as by Kitex. Kitex writes 0 for protobuf, too. */
#define FRAME_PROTOCOL_BINARY          0x00
#define FRAME_PROTOCOL_COMPACT_V2      0x03
#define FRAME_PROTOCOL_PROTOBUF        0x04
#define FRAME_PROTOCOL_STRUCT          0x10 /* streaming: no envelope */
#define FRAME_PROTOCOL_PROTOBUF_STRUCT 0x11

/* Numbers of int info. Name and number come from this one list. */
#define FRAME_KEY_MAP(X)                        \
    X(MESH_VERSION, 0, "MeshVersion")           \
    X(TRANSPORT_TYPE, 1, "TransportType")       \
    X(LOG_ID, 2, "LogID")                       \
    X(FROM_SERVICE, 3, "FromService")           \
    X(FROM_CLUSTER, 4, "FromCluster")           \
    X(FROM_IDC, 5, "FromIDC")                   \
    X(TO_SERVICE, 6, "ToService")               \
    X(TO_CLUSTER, 7, "ToCluster")               \
    X(TO_IDC, 8, "ToIDC")                       \
    X(TO_METHOD, 9, "ToMethod")                 \
    X(ENV, 10, "Env")                           \
    X(DEST_ADDRESS, 11, "DestAddress")          \
    X(RPC_TIMEOUT, 12, "RPCTimeout")            \
    X(READ_TIMEOUT, 13, "ReadTimeout")          \
    X(RING_HASH_KEY, 14, "RingHashKey")         \
    X(DDP_TAG, 15, "DDPTag")                    \
    X(WITH_MESH_HEADER, 16, "WithMeshHeader")   \
    X(CONNECT_TIMEOUT, 17, "ConnectTimeout")    \
    X(SPAN_CONTEXT, 18, "SpanContext")          \
    X(SHORT_CONNECTION, 19, "ShortConnection")  \
    X(FROM_METHOD, 20, "FromMethod")            \
    X(STRESS_TAG, 21, "StressTag")              \
    X(MSG_TYPE, 22, "MsgType")                  \
    X(HTTP_CONTENT_TYPE, 23, "HTTPContentType") \
    X(RAW_RING_HASH_KEY, 24, "RawRingHashKey")  \
    X(LB_TYPE, 25, "LBType")                    \
    X(CLUSTER_SHARD_ID, 26, "ClusterShardID")   \
    X(FRAME_TYPE, 27, "FrameType")

typedef enum frame_key {
#define FRAME_KEY_ITEM_(name, number, text) FRAME_KEY_##name = number,
    FRAME_KEY_MAP(FRAME_KEY_ITEM_)
#undef FRAME_KEY_ITEM_
} frame_key;

/* "ToService" for 6; NULL for a number without a name. */
const char *frame_key_name(uint16_t key);

typedef enum frame_info_kind {
    FRAME_INFO_INT,    /* number and value */
    FRAME_INFO_STR,    /* key and value */
    FRAME_INFO_ACL,    /* value */
    FRAME_INFO_PADDING /* `zeros` bytes that are not needed: between blocks, or whole words behind
                        */
} frame_info_kind;

/* One item of a header, in order. Items of INT follow each other in one block, as do those of STR,
 * unless `starts`. */
typedef struct frame_info {
    frame_info_kind kind;
    bool            starts; /* INT, STR: begins a new block though the item before is of its kind */
    bool            empty;  /* INT, STR: a block without pairs; no key, no value */
    uint16_t        number; /* INT */
    uint32_t        zeros;  /* PADDING */
    frugal_str      key;    /* STR */
    frugal_str      value;  /* INT, STR, ACL; up to 65535 bytes */
} frame_info;

/* Read: `blocks` has the info as it was on the wire, checked; `info` is NULL. To write: `info`, or
 * with info NULL `blocks`, which are copied as they are: who passes a header on changes nothing. */
typedef struct frame_header {
    uint16_t          flags;
    int32_t           sequence_id;
    uint8_t           protocol;   /* FRAME_PROTOCOL_ */
    frugal_bytes      transforms; /* ids; noted and ignored, as by Kitex. At most 255 */
    frugal_bytes      blocks;     /* info blocks and padding. A view */
    const frame_info *info;
    size_t            info_count; /* of `info` */
    bool              mesh;       /* a mesh header: string pairs alone, the rest is 0 */
} frame_header;

/* The items of a header one by one, from either form. All zeroes is before the first. */
typedef struct frame_info_cursor {
    size_t   at;    /* index of `info`, or offset in `blocks` */
    uint32_t left;  /* pairs of the current block */
    uint8_t  block; /* id of the current block */
    bool     again; /* the item before was a pair of that block's kind */
} frame_info_cursor;

/* False behind the last item. Views into the header. */
bool frame_info_next(const frame_header *header, frame_info_cursor *cursor, frame_info *info);

/* The value of a key; of several the last one, as in Kitex. The ACL token is found under
 * FRAME_ACL_KEY. False, and `value` as it was, when there is none. `value` may be NULL. */
bool frame_info_int(const frame_header *header, uint16_t key, frugal_str *value);
bool frame_info_str(const frame_header *header, frugal_str key, frugal_str *value);

/* What a list of ["int", n, value], ["str", key, value] and ["acl", value] cannot say of a header,
 * "padding between info blocks", or NULL when writing that list gives the same bytes. Full items
 * (starts, empty, PADDING), transforms included, always give the same bytes. */
const char *frame_header_unused(const frame_header *header);

/* ---- looking at bytes ----------------------------------------------------------------------- */

#define FRAME_LOOK_SIZE 8 /* bytes that decide */

typedef enum frame_look {
    FRAME_LOOK_MORE, /* fewer than FRAME_LOOK_SIZE bytes, and all is still possible */
    FRAME_LOOK_BUFFERED,
    FRAME_LOOK_FRAMED,
    FRAME_LOOK_PROTOBUF, /* Kitex protobuf in a frame */
    FRAME_LOOK_TTHEADER,
    FRAME_LOOK_MESH,
    /* what a reader refuses, by name */
    FRAME_LOOK_UNKNOWN,
    FRAME_LOOK_THEADER, /* Apache's header transport, 0x0FFF */
    FRAME_LOOK_HTTP2,   /* "PRI * HT": gRPC, Triple */
    FRAME_LOOK_HTTP1,
    FRAME_LOOK_TLS,
    FRAME_LOOK_TELNET, /* 0xFF: its commands */
    FRAME_LOOK_COMPACT,
    FRAME_LOOK_COMPACT_FRAMED,
    FRAME_LOOK_TJSON,
    FRAME_LOOK_TEXT /* printable bytes */
} frame_look;

/* In Kitex's order: TTHeader, mesh, Binary, framed Binary, framed protobuf; then the others. A
 * server that also speaks HTTP/2 asks this once a connection. */
frame_look frame_detect(frugal_bytes bytes);

/* "HTTP/2", "Apache THeader". Static text, never NULL. */
const char *frame_look_text(frame_look look);

/* ---- reading -------------------------------------------------------------------------------- */

#define FRAME_MESSAGE_MAX ((size_t)16 << 20) /* default of message_max */
#define FRAME_HEADER_MAX  ((size_t)64 << 10) /* default of header_max */
#define FRAME_INFO_MAX    1024               /* default of info_max */
#define FRAME_DEPTH_MAX   64                 /* the most levels a reader itself has room for */

/* One struct or container that is being skipped. */
typedef struct frame_level {
    uint32_t left; /* values that follow; not of a struct */
    uint8_t  kind; /* its wire type */
    uint8_t  key, value;
} frame_level;

/* All zeroes is a good default. */
typedef struct frame_options {
    frame_framing framing;       /* named: every message has it, and its payload may be anything */
    size_t        message_max;   /* bytes of payload; 0 = FRAME_MESSAGE_MAX; at most 2^31-1 */
    size_t        header_max;    /* bytes of a TTHeader or mesh header; 0 = FRAME_HEADER_MAX */
    uint32_t      info_max;      /* items of a header; 0 = FRAME_INFO_MAX */
    uint32_t      depth_max;     /* 0 = 64; above FRAME_DEPTH_MAX only with `levels` */
    frame_level  *levels;        /* depth_max of them, the caller's, as long as the reader lives */
    bool          check_content; /* skip through framed messages, too: their length must be right */
    bool          strict_only;   /* buffered: refuse the old envelope */
} frame_options;

typedef struct frame_message {
    frame_framing framing; /* never AUTO */
    frame_payload content;
    size_t        offset;         /* of the first byte in the stream */
    size_t        payload_offset; /* of the payload in the stream */
    frugal_bytes  bytes;          /* the whole, all views until the caller's bytes move */
    frugal_bytes  payload;        /* envelope and struct, nothing around them */
    frame_header  header;         /* of TTHeader and mesh, else zeroes */
} frame_message;

/* The passing of one value cut anywhere: see buffered.c. */
typedef struct frame_skipper {
    size_t   at;    /* bytes of the message passed */
    uint32_t depth; /* levels entered */
    bool     begun; /* the envelope is passed, and the struct was tried in one go */
} frame_skipper;

/* About 600 bytes; a plain value, nothing hangs below it. */
typedef struct frame_reader {
    frame_options options; /* defaults filled in */
    size_t        offset;  /* of the current message in the stream */
    bool          header_checked;
    frame_skipper skipper;
    frame_level   levels[FRAME_DEPTH_MAX];
} frame_reader;

/* FRUGAL_INVALID: a limit or framing out of its range. `options` NULL: defaults. */
frugal_status frame_reader_init(frame_reader *reader, const frame_options *options,
                                frugal_error *error);

/* `input`: all bytes that have come from the start of the current message on, what was there before
 * included. FRUGAL_OK with *need 0: `message` is whole; drop message->bytes.len bytes and call
 * again for the next. FRUGAL_OK with *need above 0: not yet; at least so many bytes more are
 * needed, and `message` is untouched. A known length is need in full, so that the caller can make
 * room once; it is never above the limits.
 *
 * Errors have the offset in the stream. FRUGAL_FRAME: no framing we speak, lengths that contradict
 * each other, bytes behind the message in its frame (check_content). FRUGAL_HEADER: in a TTHeader
 * or mesh header. FRUGAL_NEGATIVE, FRUGAL_SIZE: a length below zero, above a limit. As
 * frugal_message_read and frugal_skip: in a message that was walked through. After an error the
 * stream has no more messages: the reader must be made again. */
frugal_status frame_read(frame_reader *reader, frugal_bytes input, frame_message *message,
                         size_t *need, frugal_error *error);

/* The stream ends with `input`, of which frame_read wanted more. FRUGAL_OK when it is empty, else
 * the reason why it is no message, FRUGAL_TRUNCATED most often. */
frugal_status frame_read_end(frame_reader *reader, frugal_bytes input, frugal_error *error);

/* What there is of a message that frame_read did not hand out, because it is not whole or not well:
 * for showing it, never for acting on it. Looks past all limits. `framing` is AUTO when nothing is
 * known, `header` has no items when they are not there or wrong, `payload` may be cut, and
 * `content` says nothing. */
void frame_peek(const frame_reader *reader, frugal_bytes input, frame_message *message);

/* For who has decoded `used` bytes of the payload itself: FRUGAL_FRAME when that is not all. */
frugal_status frame_check_used(const frame_message *message, size_t used, frugal_error *error);

/* ---- writing -------------------------------------------------------------------------------- */

typedef struct frame_writer {
    frame_framing framing;
    size_t        start, payload; /* in `out` */
} frame_writer;

/* The bytes that frame_begin appends, for who wants to reserve: 0 for buffered, 4 for framed.
 * `header` may be NULL where there is none. FRUGAL_SIZE as frame_begin. */
frugal_status frame_prefix_size(frame_framing framing, const frame_header *header, size_t *size,
                                frugal_error *error);

/* Appends what comes in front of a message, lengths open; then append the message, then frame_end.
 * `header` NULL with TTHeader: all zeroes. Items are written in their order. FRUGAL_INVALID: mesh,
 * AUTO, an item of no kind; FRUGAL_SIZE: a key or value above 65535 bytes, a header above
 * FRAME_TTHEADER_MAX; as frugal_buf_reserve. `out` is then as it was. */
frugal_status frame_begin(frame_writer *writer, frame_framing framing, const frame_header *header,
                          frugal_buf *out, frugal_error *error);

/* Fills in the lengths of the message that was appended since. `message_max` 0: 2^31-1. Above it
 * FRUGAL_SIZE, and `out` is as before frame_begin. */
frugal_status frame_end(frame_writer *writer, frugal_buf *out, size_t message_max,
                        frugal_error *error);

/* Puts `count` items into the order Kitex writes: ACL token, strings, ints; inside each as they
 * were. A string item with the key FRAME_ACL_KEY becomes the ACL token. PADDING, `empty` and
 * `starts` are dropped. `to` has room for `count`, and does not overlap `from`. Returns how many
 * there are. */
size_t frame_info_order(const frame_info *from, size_t count, frame_info *to);

#endif /* FRAME_FRAME_H */
