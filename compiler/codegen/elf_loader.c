// Sections with memory are laid one after the other in one block of code pages, then a slot (address) and a stub (jump)
// per external symbol, then relocations are applied and the block is sealed.
#include "compiler/codegen/elf_loader.h"

#include <elf.h>
#include <string.h>

#include "core/processor/processor.h"

#define MAX_SECTIONS 256u
#define MAX_SYMBOLS 65536u
#define MAX_BYTES ((uint64_t)64 << 20)

typedef struct loader {
  const unsigned char *bytes;
  size_t size;
  const Elf64_Shdr *sections;
  uint32_t num_sections;
  const Elf64_Sym *symbols;
  uint32_t num_symbols;
  const char *names;  // of symbols; NUL-terminated as a whole
  uint64_t names_size;
  uint64_t offsets[MAX_SECTIONS];  // in the block
  bool placed[MAX_SECTIONS];
  uint64_t slots_offset, stubs_offset, total;
  mr_code_block code;
} loader;

static mr_status damaged(const char *what) { return mr_error(MR_DATA_LOSS, "kernel object is damaged: %s", what); }

static bool inside(const loader *l, uint64_t offset, uint64_t size) {
  return offset <= l->size && size <= l->size - offset;
}

// ---- Reading ----------------------------------------------------------------------------------------------------------

static mr_status read_header(loader *l) {
  Elf64_Ehdr header;
  if (l->size < sizeof header) {
    return damaged("shorter than its header");
  }
  memcpy(&header, l->bytes, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
      header.e_machine != mr_processor_elf_machine()) {
    return damaged("not a relocatable object for this machine");
  }
  if (header.e_shentsize != sizeof(Elf64_Shdr) || !header.e_shnum || header.e_shnum > MAX_SECTIONS ||
      header.e_shoff % 8 || !inside(l, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr))) {
    return damaged("section table");
  }
  l->sections = (const Elf64_Shdr *)(const void *)(l->bytes + header.e_shoff);
  l->num_sections = header.e_shnum;
  for (uint32_t i = 0; i < l->num_sections; i++) {
    const Elf64_Shdr *s = &l->sections[i];
    if (s->sh_type != SHT_NOBITS && s->sh_type != SHT_NULL && !inside(l, s->sh_offset, s->sh_size)) {
      return damaged("section outside the file");
    }
  }
  return MR_OK;
}

static mr_status read_symbols(loader *l) {
  for (uint32_t i = 0; i < l->num_sections; i++) {
    const Elf64_Shdr *s = &l->sections[i];
    if (s->sh_type != SHT_SYMTAB) {
      continue;
    }
    if (s->sh_entsize != sizeof(Elf64_Sym) || s->sh_offset % 8 || s->sh_size / sizeof(Elf64_Sym) > MAX_SYMBOLS ||
        s->sh_link >= l->num_sections) {
      return damaged("symbol table");
    }
    const Elf64_Shdr *strings = &l->sections[s->sh_link];
    if (strings->sh_type != SHT_STRTAB || !strings->sh_size) {
      return damaged("symbol names");
    }
    l->symbols = (const Elf64_Sym *)(const void *)(l->bytes + s->sh_offset);
    l->num_symbols = (uint32_t)(s->sh_size / sizeof(Elf64_Sym));
    l->names = (const char *)l->bytes + strings->sh_offset;
    l->names_size = strings->sh_size;
    return l->names[l->names_size - 1] ? damaged("symbol names do not end") : MR_OK;
  }
  return damaged("no symbols");
}

static const char *symbol_name(const loader *l, uint32_t i) {
  return l->symbols[i].st_name < l->names_size ? l->names + l->symbols[i].st_name : "";
}

// ---- Layout -----------------------------------------------------------------------------------------------------------

// Kernels never unwind, so .eh_frame is not loaded; writable data would be a variable, which kernels do not have.
static bool wanted(const loader *l, const Elf64_Shdr *s) {
  if (!(s->sh_flags & SHF_ALLOC) || mr_processor_elf_is_unwind(s->sh_type)) {
    return false;
  }
  (void)l;
  return s->sh_type == SHT_PROGBITS;
}

// Clang's function sanitizer looks for a signature in the eight bytes before a function it calls.
#define BYTES_IN_FRONT 64

static mr_status lay_out(loader *l) {
  uint64_t at = BYTES_IN_FRONT;
  for (uint32_t i = 0; i < l->num_sections; i++) {
    const Elf64_Shdr *s = &l->sections[i];
    if (s->sh_type == SHT_NOBITS && (s->sh_flags & SHF_ALLOC) && s->sh_size) {
      return damaged("zeroed variables");
    }
    if (!wanted(l, s)) {
      continue;
    }
    uint64_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (align > mr_processor_page() || (align & (align - 1))) {
      return damaged("alignment");
    }
    at = (at + align - 1) & ~(align - 1);
    l->offsets[i] = at;
    l->placed[i] = true;
    at += s->sh_size;
    if (at > MAX_BYTES) {
      return damaged("too large");
    }
  }
  l->slots_offset = (at + 15) & ~(uint64_t)15;
  l->stubs_offset = l->slots_offset + (uint64_t)l->num_symbols * 8;
  l->total = l->stubs_offset + (uint64_t)l->num_symbols * MR_PROCESSOR_STUB_BYTES;
  return MR_OK;
}

// The address of a symbol: in a placed section, or one of the externals.
static mr_status resolve(const loader *l, uint32_t i, uint64_t *out_address, bool *out_external) {
  if (i >= l->num_symbols) {
    return damaged("symbol number");
  }
  const Elf64_Sym *s = &l->symbols[i];
  *out_external = s->st_shndx == SHN_UNDEF;
  *out_address = 0;
  if (s->st_shndx == SHN_UNDEF) {
    if (i == 0) {
      return MR_OK;
    }
    *out_address = (uint64_t)(uintptr_t)mr_elf_external(symbol_name(l, i));
    if (*out_address) {
      return MR_OK;
    }
    return mr_error(MR_UNIMPLEMENTED, "a kernel calls '%s', which is not among the functions it may call",
                    symbol_name(l, i));
  }
  if (s->st_shndx >= l->num_sections || !l->placed[s->st_shndx] || s->st_value > l->sections[s->st_shndx].sh_size) {
    return damaged("symbol outside its section");
  }
  *out_address = (uint64_t)(uintptr_t)l->code.data + l->offsets[s->st_shndx] + s->st_value;
  return MR_OK;
}

static mr_status place(loader *l) {
  MR_TRY(mr_code_take((size_t)l->total, &l->code));
  for (uint32_t i = 0; i < l->num_sections; i++) {
    if (!l->placed[i]) {
      continue;
    }
    memcpy(l->code.data + l->offsets[i], l->bytes + l->sections[i].sh_offset, (size_t)l->sections[i].sh_size);
  }
  return MR_OK;
}

// ---- Relocations ------------------------------------------------------------------------------------------------------

static mr_status relocate_one(loader *l, uint32_t section, const Elf64_Rela *rela) {
  uint32_t symbol = (uint32_t)ELF64_R_SYM(rela->r_info), type = (uint32_t)ELF64_R_TYPE(rela->r_info);
  uint64_t size = l->sections[section].sh_size, target;
  bool external;
  if (rela->r_offset >= size) {
    return damaged("relocation outside its section");
  }
  MR_TRY(resolve(l, symbol, &target, &external));
  mr_processor_fixup fixup = {.type = type,
                              .place = l->code.data + l->offsets[section] + rela->r_offset,
                              .room = (size_t)(size - rela->r_offset),
                              .target = target,
                              .addend = rela->r_addend};
  if (mr_processor_needs_slot(type)) {
    fixup.got = l->code.data + l->slots_offset + (uint64_t)symbol * 8;
    memcpy(fixup.got, &target, sizeof target);
    if (external) {
      fixup.stub = l->code.data + l->stubs_offset + (uint64_t)symbol * MR_PROCESSOR_STUB_BYTES;
      mr_processor_write_stub(fixup.stub, fixup.got);
    }
  }
  return mr_processor_relocate(&fixup);
}

static mr_status relocate(loader *l) {
  for (uint32_t i = 0; i < l->num_sections; i++) {
    const Elf64_Shdr *s = &l->sections[i];
    if (s->sh_type == SHT_REL) {
      return damaged("relocations without addends");
    }
    if (s->sh_type != SHT_RELA) {
      continue;
    }
    if (s->sh_info >= l->num_sections) {
      return damaged("relocation target");
    }
    if (!l->placed[s->sh_info]) {
      continue;
    }
    if (s->sh_entsize != sizeof(Elf64_Rela)) {
      return damaged("relocation size");
    }
    for (uint64_t k = 0; k < s->sh_size / sizeof(Elf64_Rela); k++) {
      Elf64_Rela rela;
      memcpy(&rela, l->bytes + s->sh_offset + k * sizeof rela, sizeof rela);
      MR_TRY(relocate_one(l, s->sh_info, &rela));
    }
  }
  return MR_OK;
}

static mr_status find_entry(const loader *l, const char *symbol, void **out_entry) {
  for (uint32_t i = 1; i < l->num_symbols; i++) {
    const Elf64_Sym *s = &l->symbols[i];
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || strcmp(symbol_name(l, i), symbol) != 0) {
      continue;
    }
    uint64_t address;
    bool external;
    MR_TRY(resolve(l, i, &address, &external));
    if (external || !(l->sections[s->st_shndx].sh_flags & SHF_EXECINSTR)) {
      return damaged("entry is not code");
    }
    *out_entry = (void *)(uintptr_t)address;
    return MR_OK;
  }
  return damaged("no entry point");
}

static mr_status load(loader *l, const char *symbol, void **out_entry) {
  MR_TRY(read_header(l));
  MR_TRY(read_symbols(l));
  MR_TRY(lay_out(l));
  MR_TRY(place(l));
  MR_TRY(relocate(l));
  MR_TRY(find_entry(l, symbol, out_entry));
  return mr_code_seal(l->code);
}

mr_status mr_elf_load(mr_span object, const char *symbol, mr_code_block *out_code, void **out_entry) {
  *out_code = (mr_code_block){0};
  *out_entry = NULL;
  if ((uintptr_t)object.data % 8) {
    return damaged("object is not aligned in memory");
  }
  loader *l = mr_alloc_zeroed(1, sizeof *l);
  if (!l) {
    return MR_NO_MEMORY();
  }
  l->bytes = object.data;
  l->size = object.size;
  mr_status status = load(l, symbol, out_entry);
  if (status) {
    mr_code_free(l->code);
    *out_entry = NULL;
  } else {
    *out_code = l->code;
  }
  mr_free(l);
  return status;
}
