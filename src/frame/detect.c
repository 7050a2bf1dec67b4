/* frame/detect.c - which framing begins here, from eight bytes.
 *
 * The order is Kitex's, so that we take for a message what a Kitex peer takes for one, by the same
 * test. What is none of these is named if it can be, because "invalid payload" alone does not tell
 * somebody that a browser is calling. */
#include "frame/parts.h"

static bool is_text(const uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((p[i] < 0x20 || p[i] > 0x7E) && p[i] != '\r' && p[i] != '\n' && p[i] != '\t')
            return false;
    return size > 0;
}

static bool is_http1(const uint8_t *p)
{
    static const char words[][5] = { "GET ", "PUT ", "POST", "HEAD", "HTTP",
                                     "DELE", "OPTI", "PATC", "CONN", "TRAC" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (memcmp(p, words[i], 4) == 0)
            return true;
    return false;
}

static bool is_compact(const uint8_t *p)
{
    return p[0] == 0x82 && (p[1] & 0x1F) == 1;
}

/* All of these are errors, and the order is from the surest to the least sure. */
static frame_look detect_strange(const uint8_t *p)
{
    if (memcmp(p, "PRI * HT", 8) == 0)
        return FRAME_LOOK_HTTP2;
    if (load_be16(p + 4) == MAGIC_THEADER)
        return FRAME_LOOK_THEADER;
    if (is_http1(p))
        return FRAME_LOOK_HTTP1;
    if (p[0] >= 0x14 && p[0] <= 0x17 && p[1] == 3 && p[2] <= 4)
        return FRAME_LOOK_TLS;
    if (p[0] == 0xFF && p[1] >= 0xF0)
        return FRAME_LOOK_TELNET;
    if (is_compact(p))
        return FRAME_LOOK_COMPACT;
    if (is_compact(p + FRAME_LENGTH))
        return FRAME_LOOK_COMPACT_FRAMED;
    if (memcmp(p, "[1,\"", 4) == 0 || memcmp(p + FRAME_LENGTH, "[1,\"", 4) == 0)
        return FRAME_LOOK_TJSON;
    return is_text(p, FRAME_LOOK_SIZE) ? FRAME_LOOK_TEXT : FRAME_LOOK_UNKNOWN;
}

frame_look frame_detect(frugal_bytes bytes)
{
    if (bytes.len < FRAME_LOOK_SIZE)
        return FRAME_LOOK_MORE;
    unsigned first = load_be16(bytes.ptr), second = load_be16(bytes.ptr + 4);
    if (second == MAGIC_TTHEADER)
        return FRAME_LOOK_TTHEADER;
    if (first == MAGIC_MESH)
        return FRAME_LOOK_MESH;
    if (first == MAGIC_BINARY)
        return FRAME_LOOK_BUFFERED;
    if (second == MAGIC_BINARY)
        return FRAME_LOOK_FRAMED;
    if (second == MAGIC_PROTOBUF)
        return FRAME_LOOK_PROTOBUF;
    return detect_strange(bytes.ptr);
}

const char *frame_look_text(frame_look look)
{
    switch (look) {
    case FRAME_LOOK_MORE: return "too short to tell";
    case FRAME_LOOK_BUFFERED: return "Thrift Binary";
    case FRAME_LOOK_FRAMED: return "framed Thrift Binary";
    case FRAME_LOOK_PROTOBUF: return "framed Kitex protobuf";
    case FRAME_LOOK_TTHEADER: return "TTHeader";
    case FRAME_LOOK_MESH: return "mesh header";
    case FRAME_LOOK_UNKNOWN: break;
    case FRAME_LOOK_THEADER: return "Apache THeader";
    case FRAME_LOOK_HTTP2: return "HTTP/2";
    case FRAME_LOOK_HTTP1: return "HTTP/1";
    case FRAME_LOOK_TLS: return "TLS";
    case FRAME_LOOK_TELNET: return "telnet";
    case FRAME_LOOK_COMPACT: return "Thrift Compact";
    case FRAME_LOOK_COMPACT_FRAMED: return "framed Thrift Compact";
    case FRAME_LOOK_TJSON: return "Thrift JSON";
    case FRAME_LOOK_TEXT: return "text";
    }
    return "unknown";
}

/* ---- names ---------------------------------------------------------------------------------- */

static const char *const framing_names[] = { [FRAME_AUTO]            = "auto",
                                             [FRAME_BUFFERED]        = "buffered",
                                             [FRAME_FRAMED]          = "framed",
                                             [FRAME_TTHEADER]        = "ttheader",
                                             [FRAME_MESH]            = "mesh",
                                             [FRAME_TTHEADER_FRAMED] = "ttheader-framed",
                                             [FRAME_MESH_FRAMED]     = "mesh-framed" };
#define FRAMING_COUNT (sizeof framing_names / sizeof framing_names[0])

const char *frame_framing_name(frame_framing framing)
{
    return (unsigned)framing < FRAMING_COUNT ? framing_names[framing] : "unknown";
}

bool frame_framing_from_name(frugal_str name, frame_framing *framing)
{
    for (unsigned i = 0; i < FRAMING_COUNT; i++)
        if (strlen(framing_names[i]) == name.len
            && memcmp(framing_names[i], name.ptr, name.len) == 0) {
            *framing = (frame_framing)i;
            return true;
        }
    return false;
}

const char *frame_key_name(uint16_t key)
{
    static const char *const names[] = {
#define FRAME_KEY_ROW(name, number, text) [number] = text,
        FRAME_KEY_MAP(FRAME_KEY_ROW)
#undef FRAME_KEY_ROW
    };
    return key < sizeof names / sizeof names[0] ? names[key] : NULL;
}
