/* jit/image.c - an ELF object in memory that describes machine code somewhere else.
 *
 * Its text section has an address and a size, and no bytes. Everything is laid out one behind the
 * other: header, unwinding rules, symbols, strings, section headers. */
#include "jit/inspect.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#    include <elf.h>

enum { NONE, TEXT, FRAMES, SYMBOLS, STRINGS, SECTIONS };

/* Section names stand in the strings, too. */
static const char section_names[] = "\0.text\0.eh_frame\0.symtab\0.strtab";
enum { NAME_TEXT = 1, NAME_FRAMES = 7, NAME_SYMBOLS = 17, NAME_STRINGS = 25 };

typedef struct layout {
    uint32_t symbols; /* the first is none */
    size_t   frames, symbols_at, strings_at, sections_at, size;
    size_t   strings_size;
} layout;

static uint32_t routine_of(uint32_t symbol)
{
    return symbol == 1 ? JIT_NO_OFFSET : symbol - 2;
}

static layout lay_out(const jit_compiler *c, jit_kind kind, uint32_t frames_size)
{
    layout l = { .symbols = c->plan->routine_count + 2, .frames = sizeof(Elf64_Ehdr) };
    char   name[INSPECT_NAME_MAX];
    l.strings_size = sizeof section_names;
    for (uint32_t i = 1; i < l.symbols; i++) {
        inspect_name(c->plan, kind, routine_of(i), name, sizeof name);
        l.strings_size += strlen(name) + 1;
    }
    l.symbols_at  = align_up(l.frames + frames_size, 8);
    l.strings_at  = l.symbols_at + l.symbols * sizeof(Elf64_Sym);
    l.sections_at = align_up(l.strings_at + l.strings_size, 8);
    l.size        = l.sections_at + SECTIONS * sizeof(Elf64_Shdr);
    return l;
}

static void put_symbols(const jit_compiler *c, jit_kind kind, const layout *l, uint8_t *image)
{
    const uint32_t *labels = c->code.labels;
    uint8_t        *at     = image + l->symbols_at + sizeof(Elf64_Sym);
    char           *string = (char *)image + l->strings_at;
    uint32_t        name = sizeof section_names, begin = 0;
    memcpy(string, section_names, sizeof section_names);
    for (uint32_t i = 1; i < l->symbols; i++, at += sizeof(Elf64_Sym)) {
        bool      last   = i + 1 == l->symbols;
        uint32_t  end    = last ? c->code.size : labels[c->routines[i - 1]];
        Elf64_Sym symbol = { .st_name  = name,
                             .st_info  = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                             .st_shndx = TEXT,
                             .st_value = begin,
                             .st_size  = end - begin };
        memcpy(at, &symbol, sizeof symbol);
        inspect_name(c->plan, kind, routine_of(i), string + name, INSPECT_NAME_MAX);
        name += (uint32_t)strlen(string + name) + 1;
        begin = end;
    }
}

static void put_sections(const jit_compiler *c, const layout *l, const void *base,
                         uint32_t frames_size, uint8_t *image)
{
    Elf64_Shdr sections[SECTIONS] = {
        [TEXT]    = { .sh_name      = NAME_TEXT,
                      .sh_type      = SHT_NOBITS,
                      .sh_flags     = SHF_ALLOC | SHF_EXECINSTR,
                      .sh_addr      = (uintptr_t)base,
                      .sh_size      = c->code.size,
                      .sh_addralign = 1 },
        [FRAMES]  = { .sh_name      = NAME_FRAMES,
                      .sh_type      = SHT_PROGBITS,
                      .sh_flags     = SHF_ALLOC,
                      .sh_addr      = (uintptr_t)image + l->frames,
                      .sh_offset    = l->frames,
                      .sh_size      = frames_size,
                      .sh_addralign = 8 },
        [SYMBOLS] = { .sh_name      = NAME_SYMBOLS,
                      .sh_type      = SHT_SYMTAB,
                      .sh_offset    = l->symbols_at,
                      .sh_size      = l->symbols * sizeof(Elf64_Sym),
                      .sh_link      = STRINGS,
                      .sh_info      = 1,
                      .sh_addralign = 8,
                      .sh_entsize   = sizeof(Elf64_Sym) },
        [STRINGS] = { .sh_name      = NAME_STRINGS,
                      .sh_type      = SHT_STRTAB,
                      .sh_offset    = l->strings_at,
                      .sh_size      = l->strings_size,
                      .sh_addralign = 1 },
    };
    memcpy(image + l->sections_at, sections, sizeof sections);
}

static void put_header(const layout *l, uint8_t *image)
{
    Elf64_Ehdr header = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                       EV_CURRENT, ELFOSABI_NONE },
                          .e_type  = ET_REL,
#    ifdef __x86_64__
                          .e_machine = EM_X86_64,
#    else
                          .e_machine = EM_AARCH64,
#    endif
                          .e_version   = EV_CURRENT,
                          .e_shoff     = l->sections_at,
                          .e_ehsize    = sizeof header,
                          .e_shentsize = sizeof(Elf64_Shdr),
                          .e_shnum     = SECTIONS,
                          .e_shstrndx  = STRINGS };
    memcpy(image, &header, sizeof header);
}

size_t inspect_image(const jit_compiler *c, jit_kind kind, const void *base, const uint8_t *frames,
                     uint32_t frames_size, uint8_t *image)
{
    layout l = lay_out(c, kind, frames_size);
    if (image == NULL)
        return l.size;
    memset(image, 0, l.size);
    put_header(&l, image);
    memcpy(image + l.frames, frames, frames_size);
    put_symbols(c, kind, &l, image);
    put_sections(c, &l, base, frames_size, image);
    return l.size;
}

#else

size_t inspect_image(const jit_compiler *c, jit_kind kind, const void *base, const uint8_t *frames,
                     uint32_t frames_size, uint8_t *image)
{
    (void)c, (void)kind, (void)base, (void)frames, (void)frames_size, (void)image;
    return 0;
}

#endif
