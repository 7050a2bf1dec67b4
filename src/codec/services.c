/* codec/services.c - getting ready for all that a service can carry. */
#include <frugal/service.h>

#include "core/status.h"

#define EXTENDS_MAX 64 /* as frugal_service_method looks */

static frugal_status pretouch_methods(const frugal_service          *service,
                                      const frugal_pretouch_options *options, frugal_error *error)
{
    frugal_status status = FRUGAL_OK;
    for (uint32_t i = 0; i < service->method_count && status == FRUGAL_OK; i++) {
        const frugal_method *method = &service->methods[i];
        status                      = frugal_pretouch(method->args, options, error);
        if (status == FRUGAL_OK && method->result)
            status = frugal_pretouch(method->result, options, error);
    }
    return status;
}

frugal_status frugal_pretouch_service(const frugal_service          *service,
                                      const frugal_pretouch_options *options, frugal_error *error)
{
    frugal_status status = FRUGAL_OK;
    if (service == NULL)
        return error_set(error, FRUGAL_INVALID, "no service");
    for (int i = 0; service && i < EXTENDS_MAX && status == FRUGAL_OK;
         i++, service = service->base) {
        if (service->abi != FRUGAL_TABLE_ABI)
            return error_set(error, FRUGAL_DESCRIPTOR, "a service of abi %u; this library knows %d",
                             service->abi, FRUGAL_TABLE_ABI);
        status = pretouch_methods(service, options, error);
    }
    return status;
}
