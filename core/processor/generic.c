// A processor that nothing is known about: the engine runs, and kernels cannot be loaded.
#include "core/processor/processor.h"

#if !defined(__x86_64__)

#include <stdio.h>

uint64_t mr_processor_describe(char *text, size_t size) {
  snprintf(text, size, "unknown processor");
  return 0;
}

void mr_processor_write_lacking(mr_vectors wanted, char *text, size_t size) {
  snprintf(text, size, "%s", wanted > MR_VECTORS_PLAIN ? "vectors" : "");
}

void mr_processor_code_is_written(void *code, size_t size) { __builtin___clear_cache(code, (char *)code + size); }

uint16_t mr_processor_elf_machine(void) { return 0; }

bool mr_processor_elf_is_unwind(uint32_t section_type) {
  (void)section_type;
  return false;
}

bool mr_processor_needs_slot(uint32_t type) {
  (void)type;
  return false;
}

void mr_processor_write_stub(unsigned char *stub, const unsigned char *got) { (void)stub, (void)got; }

mr_status mr_processor_relocate(const mr_processor_fixup *fixup) {
  return mr_error(MR_UNIMPLEMENTED, "relocation type %u on this processor", fixup->type);
}

#endif
