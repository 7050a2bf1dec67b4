/* frugal/service.h - services and methods as tables: what calls carry, without any connection.
 *
 *   FRUGAL_SERVICE(directory,
 *       FRUGAL_METHOD(lookup, directory_lookup_args, directory_lookup_result),
 *       FRUGAL_ONEWAY(forget, directory_forget_args));
 *
 * frugal_schema_load makes the same tables of an IDL, `frugal gen` prints them. Tables are
 * immutable. */
#ifndef FRUGAL_SERVICE_H
#define FRUGAL_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include <frugal/codec.h>
#include <frugal/describe.h>
#include <frugal/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct frugal_method {
    const char          *name; /* as on the wire */
    const frugal_struct *args; /* one field an argument */
    /* field 0 `success` is what it returns (void: none), the others are its declared exceptions;
     * NULL: oneway, no answer */
    const frugal_struct *result;
} frugal_method;

typedef struct frugal_service frugal_service;
struct frugal_service {
    uint32_t              abi; /* FRUGAL_TABLE_ABI */
    uint32_t              method_count;
    const char           *name;
    const frugal_method  *methods; /* its own, not those of base */
    const frugal_service *base;    /* the service it extends, or NULL */
};

/* The method of that name, its own or inherited; NULL when there is none (or service is NULL). At
 * most 64 services extend each other. `name` need not end in a NUL. */
FRUGAL_API const frugal_method *frugal_service_method(const frugal_service *service,
                                                      frugal_str            name);

/* frugal_pretouch for arguments and results of all methods, inherited ones included. Stops at the
 * first failure, and fails as it, or FRUGAL_INVALID (service NULL). */
FRUGAL_API frugal_status frugal_pretouch_service(const frugal_service          *service,
                                                 const frugal_pretouch_options *options,
                                                 frugal_error                  *error);

#ifdef __cplusplus
}
#    define FRUGAL_DECLARE_SERVICE(S) \
        extern "C" FRUGAL_TABLE const frugal_service frugal_service_##S
#else
#    define FRUGAL_DECLARE_SERVICE(S)           extern FRUGAL_TABLE const frugal_service frugal_service_##S

/* A method is called as it is spelled; FRUGAL_METHOD_AS gives it another name on the wire. */
#    define FRUGAL_METHOD(method, args, result) FRUGAL_METHOD_AS(#    method, args, result)
#    define FRUGAL_METHOD_AS(name, args, result)                    \
        {                                                           \
            "" name, &frugal_struct_##args, &frugal_struct_##result \
        }
#    define FRUGAL_ONEWAY(method, args) FRUGAL_ONEWAY_AS(#    method, args)
#    define FRUGAL_ONEWAY_AS(name, args)         \
        {                                        \
            "" name, &frugal_struct_##args, NULL \
        }

#    define FRUGAL_SERVICE(S, ...) FRUGAL_SERVICE_(S, #    S, NULL, __VA_ARGS__)
/* The same with the methods of another service, which is declared before. */
#    define FRUGAL_SERVICE_EXTENDS(S, B, ...) \
        FRUGAL_SERVICE_(S, #S, &frugal_service_##B, __VA_ARGS__)
#    define FRUGAL_SERVICE_(S, text, of, ...)                                                    \
        FRUGAL_DECLARE_SERVICE(S);                                                               \
        static const frugal_method frugal_methods_##S[] = { __VA_ARGS__ };                       \
        const frugal_service       frugal_service_##S   = { FRUGAL_TABLE_ABI,                    \
                                                            sizeof(frugal_methods_##S)           \
                                                                / sizeof(frugal_methods_##S[0]), \
                                                            text, frugal_methods_##S, of }
#endif

#endif /* FRUGAL_SERVICE_H */
