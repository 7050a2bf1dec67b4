/* cli/convert.c - the options that decode and encode share, and finding a message's table. */
#include "cli/convert.h"

#include <string.h>

#include "core/status.h"

#define EXTENDS_MAX 64 /* as frugal_service_method looks */

/* What a server says when the IDL has no exception for it. */
struct application_exception {
    frugal_str          message;
    FRUGAL_OPT(int32_t) type;
    frugal_bytes        unknown;
};
FRUGAL_STRUCT(application_exception, FRUGAL_FIELD(application_exception, message, 1, optional, string),
              FRUGAL_FIELD(application_exception, type, 2, optional),
              FRUGAL_UNKNOWN(application_exception, unknown));

/* ---- options -------------------------------------------------------------------------------- */

static cli_exit check_options(const cli_args *args)
{
    if (cli_given(args, &cli_compact_json) && cli_given(args, &cli_pretty))
        return cli_say_usage(args->command, "--compact-json and --pretty contradict each other");
    if (cli_given(args, &cli_type) && cli_given(args, &cli_service))
        return cli_say_usage(args->command, "--type is for structs, --service for messages");
    if (cli_given(args, &cli_type) && cli_choice(args, &cli_framing))
        return cli_say_usage(args->command, "--type is for structs, --framing for messages");
    if (cli_given(args, &cli_service) && !cli_given(args, &cli_idl))
        return cli_say_usage(args->command, "--service needs an IDL: --idl FILE");
    return CLI_DONE;
}

static cli_exit find_service(convert *c, const cli_args *args)
{
    const char *name = cli_value(args, &cli_service);
    if (name == NULL)
        return CLI_DONE;
    c->service = frugal_schema_service(c->schema, name);
    if (c->service)
        return CLI_DONE;
    cli_guess guess;
    cli_guess_start(&guess, name);
    const frugal_service *service;
    for (size_t i = 0; (service = frugal_schema_service_at(c->schema, i)) != NULL; i++)
        cli_guess_feed(&guess, service->name);
    return cli_say("%s: no service \"%s\"%s%s%s", cli_value(args, &cli_idl), name,
                   guess.best ? "; did you mean " : "", guess.best ? guess.best : "",
                   guess.best ? "?" : "");
}

static cli_exit take_limits(convert *c, const cli_args *args)
{
    size_t   max    = CONVERT_MEMORY_MAX;
    cli_exit result = cli_value_size(args, &cli_memory_max, &max);
    /* 0 would be the library's own limit, which grows with the input. */
    c->read.size_max   = max ? max : 1;
    c->decode.size_max = c->read.size_max;
    return result;
}

static void take_style(convert *c, const cli_args *args)
{
    bool strict           = cli_given(args, &cli_strict);
    c->framing            = (frame_framing)cli_choice(args, &cli_framing);
    c->write.pretty       = cli_given(args, &cli_pretty);
    c->write.enum_numbers = cli_choice(args, &cli_enum) == 1;
    c->write.i64_strings  = cli_choice(args, &cli_i64) == 1;
    c->write.binary_utf8  = cli_choice(args, &cli_binary) == 1;
    c->write.defaults     = cli_given(args, &cli_defaults);
    c->read.strict        = strict;
    c->read.binary_utf8   = c->write.binary_utf8;
    c->read.depth_max     = CONVERT_DEPTH_JSON;
    c->decode.strict      = strict;

    c->decode.interpreter_only = cli_choice(args, &cli_engine) == 1;
    c->encode.interpreter_only = c->decode.interpreter_only;
}

cli_exit convert_init(convert *c, const cli_args *args, bool keep_unknown)
{
    *c              = (convert){ .framing = FRAME_AUTO };
    cli_exit result = check_options(args);
    if (result != CLI_DONE)
        return result;
    take_style(c, args);
    result = take_limits(c, args);
    if (result != CLI_DONE)
        return result;
    c->arena = frugal_arena_new(NULL);
    if (c->arena == NULL)
        return cli_say_memory();
    result = cli_idl_load(args, cli_given(args, &cli_type), true, keep_unknown, &c->schema);
    return result == CLI_DONE ? find_service(c, args) : result;
}

void convert_release(convert *c)
{
    frugal_plan_drop(FRUGAL_TYPE(application_exception));
    frugal_schema_free(c->schema);
    frugal_arena_free(c->arena);
}

void convert_reset(convert *c)
{
    size_t used = frugal_arena_used(c->arena);
    if (used > c->arena_used)
        c->arena_used = used;
    frugal_arena_reset(c->arena);
}

/* ---- which struct a message has ------------------------------------------------------------- */

const char *convert_kind_name(frugal_message_type type)
{
    static const char *const names[] = { "", "call", "reply", "exception", "oneway" };
    return names[type];
}

const char *convert_body_key(frugal_message_type type)
{
    return type == FRUGAL_MESSAGE_REPLY       ? "result"
           : type == FRUGAL_MESSAGE_EXCEPTION ? "exception"
                                              : "args";
}

/* Services that are looked through: those of the root file, or all when it has none. */
static const frugal_service *candidate(const convert *c, size_t index)
{
    size_t count = frugal_schema_root_services(c->schema);
    return count && index >= count ? NULL : frugal_schema_service_at(c->schema, index);
}

static const frugal_service *by_name(const convert *c, frugal_str name)
{
    const frugal_service *service;
    for (size_t i = 0; (service = frugal_schema_service_at(c->schema, i)) != NULL; i++) {
        if (strlen(service->name) == name.len && memcmp(service->name, name.ptr, name.len) == 0)
            return service;
    }
    return NULL;
}

/* "Service:method", as a multiplexed call is named: the service, if there is one, and `name` is
 * what stands behind it. */
static const frugal_service *multiplexed(const convert *c, frugal_str *name)
{
    const char *colon = name->len ? memchr(name->ptr, ':', name->len) : NULL;
    if (colon == NULL)
        return NULL;
    frugal_str            front   = { name->ptr, (size_t)(colon - name->ptr) };
    const frugal_service *service = by_name(c, front);
    *name                         = (frugal_str){ colon + 1, name->len - front.len - 1 };
    return service;
}

/* The method in whichever service has it, if that is one. */
static frugal_status search(const convert *c, frugal_str name, const frugal_method **method,
                            frugal_error *error)
{
    const frugal_service *service, *first = NULL;
    *method = NULL;
    for (size_t i = 0; (service = candidate(c, i)) != NULL; i++) {
        const frugal_method *found = frugal_service_method(service, name);
        if (found && *method && found != *method)
            return error_set(
                error, FRUGAL_NOTFOUND, "method %.*s is in %s and in %s; --service says which",
                (int)(name.len < 60 ? name.len : 60), name.ptr, first->name, service->name);
        if (found && *method == NULL) {
            *method = found;
            first   = service;
        }
    }
    return FRUGAL_OK;
}

static void guess_methods_of(const frugal_service *service, cli_guess *guess)
{
    for (unsigned depth = 0; service && depth < EXTENDS_MAX; service = service->base, depth++) {
        for (uint32_t i = 0; i < service->method_count; i++)
            cli_guess_feed(guess, service->methods[i].name);
    }
}

void convert_guess_method(const convert *c, cli_guess *guess)
{
    const frugal_service *service;
    if (c->service)
        guess_methods_of(c->service, guess);
    for (size_t i = 0; c->service == NULL && (service = candidate(c, i)) != NULL; i++)
        guess_methods_of(service, guess);
}

static frugal_status find_method(const convert *c, frugal_str name, const frame_header *header,
                                 const frugal_method **method, frugal_error *error)
{
    frugal_str            isn;
    const frugal_service *service = multiplexed(c, &name);
    if (service == NULL)
        service = c->service;
    if (service == NULL && header && frame_info_str(header, FRUGAL_STR("isn"), &isn))
        service = by_name(c, isn);
    *method = frugal_service_method(service, name);
    if (*method || c->service)
        return FRUGAL_OK;
    return search(c, name, method, error);
}

frugal_status convert_body(const convert *c, const frugal_message *message,
                           const frame_header *header, const frugal_struct **body,
                           frugal_error *error)
{
    const frugal_method *method = NULL;
    *body                       = NULL;
    if (message->type == FRUGAL_MESSAGE_EXCEPTION) {
        *body = FRUGAL_TYPE(application_exception);
        return FRUGAL_OK;
    }
    if (c->schema == NULL)
        return FRUGAL_OK;
    frugal_status status = find_method(c, message->name, header, &method, error);
    if (status == FRUGAL_OK && method)
        *body = message->type == FRUGAL_MESSAGE_REPLY ? method->result : method->args;
    return status;
}
