/* cli/pen.h - JSON around records: what a message has besides its struct.
 *
 *   pen_open(&pen, '{');
 *   pen_key(&pen, "seq");
 *   pen_number(&pen, 7);
 *   pen_close(&pen, '}');
 *
 * Pretty text has the form of frugal_json_write: two spaces a level. The error is sticky: after the
 * first failure nothing more is written, and pen.status says so. */
#ifndef CLI_PEN_H
#define CLI_PEN_H

#include <frugal/json.h>

typedef struct pen {
    frugal_buf   *out;
    bool          pretty;
    uint32_t      level; /* of what is open */
    uint32_t      flat;  /* levels of a container that stays on one line; 0: none is open */
    bool          empty; /* nothing is in the innermost container yet */
    bool          after_key;
    frugal_status status;
    frugal_error *error;
} pen;

void pen_init(pen *p, frugal_buf *out, bool pretty, frugal_error *error);

/* '{' or '['; pen_open_flat keeps what is inside on one line also in pretty text. */
void pen_open(pen *p, char bracket);
void pen_open_flat(pen *p, char bracket);
void pen_close(pen *p, char bracket);

/* A member of an object begins; the value is written next. */
void pen_key(pen *p, const char *key);

void pen_number(pen *p, int64_t number);
void pen_string(pen *p, frugal_str text); /* {"$hex": …} where it is not UTF-8 */
void pen_hex(pen *p, frugal_bytes bytes); /* {"$hex": …} */
void pen_record(pen *p, frugal_view record, const frugal_json_write_options *options);

#endif /* CLI_PEN_H */
