// Fuzz target: bytes as MLIR text. Any crash, leak or hang is a finding.
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mr_text text = {0};
  mr_status_free(fuzz_read(data, size, mr_read_text, &text));
  mr_text_deinit(&text);
  return 0;
}
