/* tests/schema/cxx_service.cpp - what C++17 users have of services and schemas: tables from a C
 * file or from an IDL. Compiled only. */
#include <frugal/frugal.h>

FRUGAL_DECLARE_SERVICE(calc);

const frugal_method *find_add();
frugal_status        get_ready(const char *path, frugal_schema **schema, frugal_error *error);

const frugal_method *find_add()
{
    return frugal_service_method(&frugal_service_calc, FRUGAL_STR("add"));
}

frugal_status get_ready(const char *path, frugal_schema **schema, frugal_error *error)
{
    frugal_schema_options options = {};
    options.struct_size           = sizeof options;
    options.presence              = true;
    frugal_status status          = frugal_schema_load(path, &options, schema, error);
    if (status != FRUGAL_OK)
        return status;
    return frugal_pretouch_service(frugal_schema_service(*schema, "Calc"), nullptr, error);
}
