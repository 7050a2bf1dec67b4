/* cli/cmd_disasm.c - frugal disasm: the machine code of a type, beside the steps of its plan.
 *
 * Nothing is executed: the code is made once more for being looked at, with marks of what each part
 * is for, and capstone tells the instructions, where the command was built with it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <frugal/codec.h>

#include "cli/cli.h"
#include "codec/codec.h"
#include "codec/machine.h"
#include "jit/code.h"

#ifdef FRUGAL_CAPSTONE
#    include <capstone/capstone.h>
#endif

static const cli_option direction = {
    .name    = "direction",
    .value   = "D",
    .choices = "decode|decode-views|encode|size",
    .help    = "which of the four routines; views are what no_copy decodes",
};
static const cli_option        raw       = { .name = "raw",
                                             .help = "bytes alone, also where instructions could be named" };
static const cli_option *const options[] = { &cli_idl,   &cli_include, &cli_auto_ids,    &cli_type,
                                             &direction, &raw,         &cli_output_file, NULL };

/* What everything below works on. */
typedef struct listing {
    const struct plan *plan;
    jit_code           code;
    frugal_buf         description; /* frugal_describe_plan's: the words for steps and routines */
    frugal_buf         text;
    frugal_status      status; /* sticky */
    bool               raw;
} listing;

static void put_bytes(listing *l, const void *bytes, size_t size)
{
    if (l->status == FRUGAL_OK)
        l->status = frugal_buf_append(&l->text, bytes, size);
}

__attribute__((format(printf, 2, 3))) static void put(listing *l, const char *format, ...)
{
    char    line[256];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    put_bytes(l, line, len < 0 ? 0 : (size_t)len < sizeof line ? (size_t)len : sizeof line - 1);
}

/* ---- words for parts ------------------------------------------------------------------------ */

/* The line of the description that begins with `prefix` and a number; without either. */
static frugal_str line_of(const listing *l, const char *prefix, uint32_t number)
{
    const char *at = (const char *)l->description.data, *end = at + l->description.size;
    size_t      length = strlen(prefix);
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *from = at;
        stop             = stop ? stop : end;
        at               = stop + 1;
        while (from < stop && *from == ' ')
            from++;
        if ((size_t)(stop - from) <= length || memcmp(from, prefix, length) != 0)
            continue;
        from += length;
        uint32_t found = 0;
        bool     digit = false;
        for (; from < stop && *from >= '0' && *from <= '9'; from++, digit = true)
            found = found * 10 + (uint32_t)(*from - '0');
        if (digit && found == number && from < stop) {
            while (from < stop && (*from == ' ' || *from == ':'))
                from++;
            return (frugal_str){ from, (size_t)(stop - from) };
        }
    }
    return (frugal_str){ "", 0 };
}

static void put_step(listing *l, const char *what, uint32_t step)
{
    frugal_str words = line_of(l, "", step);
    put(l, "; step %u", (unsigned)step);
    if (*what)
        put(l, ", %s", what);
    put(l, ": ");
    put_bytes(l, words.ptr, words.len);
    put(l, "\n");
}

static void put_routine(listing *l, const char *what, uint32_t routine)
{
    frugal_str words = line_of(l, "routine ", routine);
    put(l, "\n; %sroutine %u: ", what, (unsigned)routine);
    put_bytes(l, words.ptr, words.len);
    put(l, "\n");
}

static void put_mark(listing *l, const jit_mark *mark)
{
    switch (mark->part) {
    case JIT_PART_ENTER: put(l, "; C calls this, and failures leave by it\n"); break;
    case JIT_PART_ROUTINE: put_routine(l, "", mark->index); break;
    case JIT_PART_STEP: put_step(l, "", mark->index); break;
    case JIT_PART_MISS: put_step(l, "something else is there", mark->index); break;
    case JIT_PART_AFTER: put_step(l, "reached from elsewhere", mark->index); break;
    case JIT_PART_SLOW: put_step(l, "uncommon", mark->index); break;
    case JIT_PART_EMPTY: put_step(l, "no elements", mark->index); break;
    case JIT_PART_REST: put_routine(l, "rest of a record in C, ", mark->index); break;
    case JIT_PART_SCOPE:
        put(l, "; which field is it? struct %s\n", l->plan->scopes[mark->index].type->name);
        break;
    case JIT_PART_COPY: put(l, "; copies a text\n"); break;
    default: put(l, "; constants and addresses\n"); break;
    }
}

/* ---- code ----------------------------------------------------------------------------------- */

static void put_hex(listing *l, uint32_t begin, uint32_t end)
{
    for (uint32_t at = begin; at < end; at += 16) {
        put(l, "%6x ", (unsigned)at);
        for (uint32_t i = at; i < end && i < at + 16; i++)
            put(l, " %02x", l->code.bytes[i]);
        put(l, "\n");
    }
}

#ifdef FRUGAL_CAPSTONE

static bool open_capstone(csh *handle)
{
#    if defined(__aarch64__)
    cs_err error = cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, handle);
#    else
    cs_err error = cs_open(CS_ARCH_X86, CS_MODE_64, handle);
#    endif
    return error == CS_ERR_OK && cs_option(*handle, CS_OPT_SKIPDATA, CS_OPT_ON) == CS_ERR_OK;
}

/* False: it is not there, and nothing was put. */
static bool put_instructions(listing *l, uint32_t begin, uint32_t end)
{
    csh            handle;
    const uint8_t *bytes   = l->code.bytes + begin;
    size_t         left    = end - begin;
    uint64_t       address = begin;
    if (!open_capstone(&handle))
        return false;
    cs_insn *instruction = cs_malloc(handle);
    while (instruction && cs_disasm_iter(handle, &bytes, &left, &address, instruction))
        put(l, "%6x  %-8s %s\n", (unsigned)instruction->address, instruction->mnemonic,
            instruction->op_str);
    if (instruction)
        cs_free(instruction, 1);
    else
        l->status = FRUGAL_NOMEM;
    cs_close(&handle);
    return true;
}

#else

static bool put_instructions(listing *l, uint32_t begin, uint32_t end)
{
    (void)l;
    (void)begin;
    (void)end;
    return false;
}

#endif

static void put_code(listing *l)
{
    for (uint32_t i = 0; i < l->code.mark_count; i++) {
        const jit_mark *mark = &l->code.marks[i];
        uint32_t        end  = i + 1 < l->code.mark_count ? mark[1].offset : l->code.size;
        if (end == mark->offset)
            continue;
        put_mark(l, mark);
        if (l->raw || mark->part == JIT_PART_DATA || !put_instructions(l, mark->offset, end))
            put_hex(l, mark->offset, end);
    }
}

/* ---- the command ---------------------------------------------------------------------------- */

static const jit_context *context_of(jit_kind kind)
{
    return kind == JIT_ENCODE ? &machine_encoding
           : kind == JIT_SIZE ? &machine_measuring
                              : &machine_decoding;
}

/* The text of a type, in l->text. */
static cli_exit list_type(const cli_args *args, const frugal_schema *schema, listing *l)
{
    const frugal_struct *type;
    frugal_error         error;
    jit_kind             kind   = (jit_kind)cli_choice(args, &direction);
    cli_exit             result = cli_idl_type(args, schema, &type);
    if (result != CLI_DONE)
        return result;
    if (frugal_describe_plan(type, NULL, &l->description, &error)
        || plan_get(type, FRUGAL_PROTOCOL_BINARY, codec_prepare, &l->plan, &error))
        return cli_say_text(cli_value(args, &cli_idl), &error);
    bool made = jit_list(l->plan, kind, context_of(kind), jit_cpu_features(), NULL, &l->code);
    if (!made && l->code.failed)
        return cli_say_memory();
    if (!made)
        return cli_say("there is no machine code of %s on this CPU", type->name);
    put(l, "; %s of %s, %u bytes\n\n",
        cli_value(args, &direction) ? cli_value(args, &direction) : "decode", type->name,
        (unsigned)l->code.size);
    put_code(l);
    return l->status ? cli_say_memory() : CLI_DONE;
}

static cli_exit write_text(const cli_args *args, const frugal_buf *text)
{
    cli_output *output;
    cli_exit    result = cli_output_open(cli_value(args, &cli_output_file), &output);
    if (result == CLI_DONE)
        result = cli_output_put(output, text->data, text->size);
    return cli_output_close(output, result);
}

static cli_exit run(const cli_args *args)
{
    frugal_schema *schema;
    listing        l = { .raw = cli_given(args, &raw) };
    if (!cli_given(args, &cli_type))
        return cli_say_usage(args->command, "of which type? --type NAME");
    cli_exit result = cli_idl_load(args, true, false, false, &schema);
    frugal_buf_init(&l.description, NULL, 0, NULL);
    frugal_buf_init(&l.text, NULL, 0, NULL);
    code_init(&l.code, NULL);
    if (result == CLI_DONE)
        result = list_type(args, schema, &l);
    if (result == CLI_DONE)
        result = write_text(args, &l.text);
    code_release(&l.code);
    frugal_buf_release(&l.text);
    frugal_buf_release(&l.description);
    frugal_schema_free(schema);
    return result;
}

static const cli_example examples[] = {
    { "frugal disasm -i user.thrift -t User", "the code that decodes a User" },
    { "frugal disasm -i user.thrift -t User --direction encode", "the code that encodes one" },
    { NULL, NULL },
};

const cli_command cli_disasm = {
    .name     = "disasm",
    .summary  = "the machine code of a type, beside its plan",
    .operands = "",
    .about = "On x86-64 and AArch64 the plan of a type becomes machine code. This prints the code "
             "for this CPU, each part under the step that it is for. Instructions have names "
             "where the command was built with capstone, else there are bytes. It is for "
             "people; the form may change.",
    .examples = examples,
    .options  = options,
    .run      = run,
};
