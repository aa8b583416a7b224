// Saved programs: any bytes behind a checksum that is right are kernels that are loaded, and not run, or a status.
#include "compiler/saved.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *copy = fuzz_copy(data, size);
  if (!copy) {
    return 0;
  }
  mr_saved_seal(copy, size);
  mr_saved saved;
  mr_status status = mr_saved_read((mr_span){copy, size}, &saved);
  if (!status) {
    mr_saved_release(&saved);
  }
  mr_status_free(status);
  mr_free(copy);
  return 0;
}
