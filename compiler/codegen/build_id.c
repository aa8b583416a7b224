// The linker's build ID of the library that this code is part of: a note in its program headers, a hash of all its content.
#include <elf.h>
#include <link.h>
#include <string.h>

#include "compiler/codegen/target.h"

typedef struct search {
  uintptr_t inside;  // an address of the library asked for
  mr_span found;
} search;

static bool holds(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && address - (info->dlpi_addr + header->p_vaddr) < header->p_memsz) {
      return true;
    }
  }
  return false;
}

// Notes are a header, a name and a descriptor, the latter two padded to four bytes.
static mr_span find_note(const uint8_t *data, size_t size) {
  for (size_t at = 0; size - at >= sizeof(ElfW(Nhdr)) && at < size;) {
    ElfW(Nhdr) note;
    memcpy(&note, data + at, sizeof note);
    size_t name = at + sizeof note, descriptor = name + (((size_t)note.n_namesz + 3) & ~(size_t)3);
    if (descriptor + note.n_descsz > size) {
      break;
    }
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(data + name, "GNU", 4)) {
      return (mr_span){data + descriptor, note.n_descsz};
    }
    at = descriptor + (((size_t)note.n_descsz + 3) & ~(size_t)3);
  }
  return (mr_span){0};
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  search *s = context;
  if (!holds(info, s->inside)) {
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum && !s->found.size; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_NOTE) {
      s->found = find_note((const uint8_t *)(info->dlpi_addr + header->p_vaddr), header->p_memsz);
    }
  }
  return 1;
}

mr_span mr_codegen_build_id(void) {
  static const char here = 0;
  search s = {.inside = (uintptr_t)&here};
  dl_iterate_phdr(visit, &s);
  return s.found;
}
