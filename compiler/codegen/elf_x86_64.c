// Relocations of x86-64 that LLVM emits for position-independent code in the small model.
#include <elf.h>
#include <string.h>

#include "compiler/codegen/elf_loader.h"

uint16_t mr_elf_machine(void) { return EM_X86_64; }

bool mr_elf_needs_slot(uint32_t type) {
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX ||
         type == R_X86_64_PLT32;
}

// jmp *got(%rip)
void mr_elf_write_stub(unsigned char *stub, const unsigned char *got) {
  int32_t distance = (int32_t)(got - (stub + 6));
  stub[0] = 0xFF;
  stub[1] = 0x25;
  memcpy(stub + 2, &distance, sizeof distance);
}

static mr_status put32(const mr_elf_fixup *f, int64_t value, bool is_signed) {
  bool fits = is_signed ? value == (int32_t)value : value == (int64_t)(uint32_t)value;
  if (f->room < 4 || !fits) {
    return mr_error(MR_DATA_LOSS, "relocation %u does not fit", f->type);
  }
  uint32_t word = (uint32_t)value;
  memcpy(f->place, &word, sizeof word);
  return MR_OK;
}

static mr_status put64(const mr_elf_fixup *f, uint64_t value) {
  if (f->room < 8) {
    return mr_error(MR_DATA_LOSS, "relocation %u does not fit", f->type);
  }
  memcpy(f->place, &value, sizeof value);
  return MR_OK;
}

// Wraps rather than overflows: addends of a damaged object may be anything.
static int64_t distance(uint64_t to, const mr_elf_fixup *f) {
  return (int64_t)(to + (uint64_t)f->addend - (uint64_t)(uintptr_t)f->place);
}

mr_status mr_elf_apply(const mr_elf_fixup *f) {
  switch (f->type) {
  case R_X86_64_NONE: return MR_OK;
  case R_X86_64_64: return put64(f, f->target + (uint64_t)f->addend);
  case R_X86_64_PC64: return put64(f, (uint64_t)distance(f->target, f));
  case R_X86_64_32: return put32(f, (int64_t)(f->target + (uint64_t)f->addend), false);
  case R_X86_64_32S: return put32(f, (int64_t)(f->target + (uint64_t)f->addend), true);
  case R_X86_64_PC32: return put32(f, distance(f->target, f), true);
  case R_X86_64_PLT32: return put32(f, distance(f->stub ? (uint64_t)(uintptr_t)f->stub : f->target, f), true);
  case R_X86_64_GOTPCREL:
  case R_X86_64_GOTPCRELX:
  case R_X86_64_REX_GOTPCRELX:
    if (!f->got) {
      return mr_error(MR_DATA_LOSS, "relocation %u without a slot", f->type);
    }
    return put32(f, distance((uint64_t)(uintptr_t)f->got, f), true);
  default: return mr_error(MR_UNIMPLEMENTED, "relocation type %u in a kernel", f->type);
  }
}
