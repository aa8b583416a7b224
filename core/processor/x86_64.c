// x86-64: what it can, from CPUID and XCR0, and the relocations that LLVM emits for position-independent code in the small
// model.
#include "core/processor/processor.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>

// ---- Instructions ---------------------------------------------------------------------------------------------------

typedef struct leaf {
  uint32_t a, b, c, d;
} leaf;

static leaf cpuid(uint32_t number, uint32_t sub) {
  leaf l = {0};
  __get_cpuid_count(number, sub, &l.a, &l.b, &l.c, &l.d);
  return l;
}

static uint64_t read_xcr0(bool available) {
  uint32_t low = 0, high = 0;
  if (available) {
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  }
  return (uint64_t)high << 32 | low;
}

static const char *vector_name(const leaf *l1, const leaf *l7, uint64_t xcr0) {
  if ((l7->b >> 16 & 1) && (xcr0 & 0xE6) == 0xE6) {
    return "AVX-512";
  }
  if ((l7->b >> 5 & 1) && (xcr0 & 6) == 6) {
    return "AVX2";
  }
  return l1->c >> 28 & 1 ? "AVX" : "SSE";
}

// The same registers that LLVM's own host detection reads. Bits that differ between cores or boots of one machine (APIC ids, OS
// state) are left out.
uint64_t mr_processor_describe(char *text, size_t size) {
  leaf l1 = cpuid(1, 0), l7 = cpuid(7, 0), l71 = cpuid(7, 1), lx = cpuid(0x80000001, 0);
  uint64_t xcr0 = read_xcr0(l1.c >> 27 & 1);
  uint32_t family = (l1.a >> 8 & 15) + (l1.a >> 20 & 255), model = (l1.a >> 4 & 15) | (l1.a >> 12 & 0xF0);
  uint32_t facts[] = {l1.a,
                      l1.c & ~(1u << 27),
                      l1.d,
                      l7.b,
                      l7.c & ~(1u << 4),
                      l7.d,
                      l71.a,
                      l71.b,
                      l71.d,
                      lx.c,
                      lx.d,
                      cpuid(0xD, 1).a,
                      cpuid(0x80000008, 0).b,
                      cpuid(0x19, 0).b,
                      cpuid(0x24, 0).b,
                      (uint32_t)xcr0};
  uint64_t hash = mr_hash64(facts, sizeof facts, 0);
  snprintf(text, size, "%s family %u model %u (%08x)", vector_name(&l1, &l7, xcr0), family, model,
           (uint32_t)(hash ^ hash >> 32));
  return hash;
}

void mr_processor_write_lacking(mr_vectors wanted, char *text, size_t size) {
  size_t used = 0;
  text[0] = 0;
#define X(set, feature)                                                                 \
  if (MR_VECTORS_##set <= wanted && !__builtin_cpu_supports(feature) && used < size) {  \
    used += (size_t)snprintf(text + used, size - used, "%s" feature, used ? ", " : ""); \
  }
  MR_X86_64_LEAST(X)
  MR_X86_64_VECTORS(X)
#undef X
}

void mr_processor_code_is_written(void *code, size_t size) { (void)code, (void)size; }  // the caches know by themselves

// ---- Objects in ELF -------------------------------------------------------------------------------------------------

uint16_t mr_processor_elf_machine(void) { return EM_X86_64; }

bool mr_processor_elf_is_unwind(uint32_t section_type) { return section_type == SHT_X86_64_UNWIND; }

bool mr_processor_needs_slot(uint32_t type) {
  return type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX ||
         type == R_X86_64_PLT32;
}

// jmp *got(%rip)
void mr_processor_write_stub(unsigned char *stub, const unsigned char *got) {
  int32_t distance = (int32_t)(got - (stub + 6));
  stub[0] = 0xFF;
  stub[1] = 0x25;
  memcpy(stub + 2, &distance, sizeof distance);
}

static mr_status put32(const mr_processor_fixup *f, int64_t value, bool is_signed) {
  bool fits = is_signed ? value == (int32_t)value : value == (int64_t)(uint32_t)value;
  if (f->room < 4 || !fits) {
    return mr_error(MR_DATA_LOSS, "relocation %u does not fit", f->type);
  }
  uint32_t word = (uint32_t)value;
  memcpy(f->place, &word, sizeof word);
  return MR_OK;
}

static mr_status put64(const mr_processor_fixup *f, uint64_t value) {
  if (f->room < 8) {
    return mr_error(MR_DATA_LOSS, "relocation %u does not fit", f->type);
  }
  memcpy(f->place, &value, sizeof value);
  return MR_OK;
}

// Wraps rather than overflows: addends of a damaged object may be anything.
static int64_t distance(uint64_t to, const mr_processor_fixup *f) {
  return (int64_t)(to + (uint64_t)f->addend - (uint64_t)(uintptr_t)f->place);
}

mr_status mr_processor_relocate(const mr_processor_fixup *f) {
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

#endif
