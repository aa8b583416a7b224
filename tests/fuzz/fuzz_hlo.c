// Fuzz target: bytes as HloModuleProto. Reads a copy that is gone before the module is verified and printed, and reads the
// text back; any crash, leak or hang is a finding.
#include <string.h>

#include "compiler/reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *copy = mr_alloc(size + (size == 0));
  if (!copy) {
    return 0;
  }
  if (size) {
    memcpy(copy, data, size);
  }
  mr_module *module, *again = NULL;
  mr_status status = mr_read_hlo((mr_span){copy, size}, false, &module);
  mr_free(copy);
  if (!status) {
    status = mr_module_verify(module);
  }
  if (!status) {
    mr_text text = {0};
    mr_module_print(module, &text);
    status = mr_read_text((mr_span){text.data, text.size}, &again);
    mr_text_deinit(&text);
  }
  mr_status_free(status);
  mr_module_release(again);
  mr_module_release(module);
  return 0;
}
