// Compile options from outside: any bytes give options that can be freed, or a status.
#include <stddef.h>
#include <stdint.h>

#include "pjrt/proto/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mr_pjrt_options options;
  mr_status status = mr_pjrt_options_parse(data, size, &options);
  if (!status) {
    status = mr_pjrt_options_check(&options);
    mr_pjrt_options_deinit(&options);
  }
  mr_status_free(status);
  return 0;
}
