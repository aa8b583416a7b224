// What a program says of itself: any bytes are names, types and sizes that can be read to their ends, or a status; a program that leaves sizes
// open is looked at with some.
#include "compiler/compiler.h"
#include "tests/fuzz/fuzz.h"

static size_t read_ports(const mr_signature_port *ports, uint32_t count) {
  size_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    sum += strlen(ports[i].name.data) + (size_t)ports[i].alias;
    for (size_t d = 0; d < ports[i].rank; d++) {
      sum += (size_t)ports[i].dims[d] + (ports[i].symbols ? ports[i].symbols[d].size : 0);
    }
  }
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *copy = fuzz_copy(data, size);
  if (!copy) {
    return 0;
  }
  mr_signature *signature;
  mr_status status = mr_signature_read((mr_span){copy, size}, MR_PROGRAM_MLIR, &signature);
  mr_free(copy);
  if (!status) {
    volatile size_t sum =
        read_ports(signature->params, signature->num_params) + read_ports(signature->results, signature->num_results);
    (void)sum;
  }
  mr_signature_free(signature);
  mr_status_free(status);
  return 0;
}
