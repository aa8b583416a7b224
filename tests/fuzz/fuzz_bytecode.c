// Fuzz target: bytes as an artifact. Reads, verifies and releases; any crash, leak or hang is a finding.
#include "compiler/reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mr_module *module;
  mr_status status = mr_read_bytecode((mr_span){data, size}, &module);
  if (!status) {
    status = mr_module_verify(module);
    mr_module_release(module);
  }
  mr_status_free(status);
  return 0;
}
