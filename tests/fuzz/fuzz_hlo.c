// Fuzz target: bytes as HloModuleProto. What was read is printed, and the text read back; any crash, leak or hang is a finding.
#include "tests/fuzz/fuzz.h"

static mr_status read_hlo(mr_span bytes, mr_module **out_module) { return mr_read_hlo(bytes, false, out_module); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mr_text text = {0};
  mr_module *again = NULL;
  mr_status status = fuzz_read(data, size, read_hlo, &text);
  if (!status) {
    status = mr_read_text((mr_span){text.data, text.size}, &again);
  }
  mr_text_deinit(&text);
  mr_status_free(status);
  mr_module_release(again);
  return 0;
}
