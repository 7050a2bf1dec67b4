/* schema/service.c - looking methods up in the tables of services. */
#include <string.h>

#include <frugal/service.h>

#define EXTENDS_MAX 64 /* a row of services may be a circle */

static const frugal_method *find_own(const frugal_service *service, frugal_str name)
{
    for (uint32_t i = 0; i < service->method_count; i++) {
        const frugal_method *method = &service->methods[i];
        if (strlen(method->name) == name.len
            && (name.len == 0 || memcmp(method->name, name.ptr, name.len) == 0))
            return method;
    }
    return NULL;
}

const frugal_method *frugal_service_method(const frugal_service *service, frugal_str name)
{
    for (int i = 0; service && i < EXTENDS_MAX; i++, service = service->base) {
        const frugal_method *method = find_own(service, name);
        if (method)
            return method;
    }
    return NULL;
}
