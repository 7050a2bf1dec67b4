/* text.c - words for people; see text.h. */
#include "text.h"

#include <stdarg.h>

frugal_status error_say(frugal_error *error, frugal_status status, size_t offset,
                        const char *format, ...)
{
    va_list arguments;
    *error = (frugal_error){ .status = status, .offset = offset };
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

void text_print(FILE *out, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; out && i < size; i++)
        putc(at[i] >= 0x20 && at[i] < 0x7f ? at[i] : '.', out);
}
