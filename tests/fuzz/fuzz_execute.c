// Fuzz target: bytes as a program that is compiled with real code generation, executed, and compared with the evaluator of
// the random programs (tests/random). What the evaluator finds too long, or does not know, is not executed: so a loop that
// never ends is none here.
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"
#include "tests/random/random.h"

static session *open_session(void) {
  static session s;
  if (!s.platform) {
    mr_status status = mr_platform_create(NULL, &s.platform);
    if (status) {
      abort();
    }
    s.device = mr_platform_device(s.platform, 0);
    s.memory = &s.device->memories[MR_MEMORY_DEVICE];
  }
  return &s;
}

// Calls and devices outside, and state between executions, are other targets' business.
static bool is_wanted(mr_span bytes) {
  mr_module *module = NULL;
  mr_status status = mr_read_program(bytes, &module);
  bool wanted = !status && mr_module_entry(module);
  for (mr_function *f = wanted ? module->functions : NULL; wanted && f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); wanted && op; op = mr_walk_next(op, &f->body)) {
      wanted = op->kind != MR_OP_custom_call && op->kind != MR_OP_send && op->kind != MR_OP_recv &&
               op->kind != MR_OP_infeed && op->kind != MR_OP_outfeed;
    }
  }
  mr_status_free(status);
  mr_module_release(module);
  return wanted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *copy = malloc(size + 1);
  if (!copy) {
    return 0;
  }
  if (size) {
    memcpy(copy, data, size);
  }
  copy[size] = 0;
  if (is_wanted((mr_span){(const uint8_t *)copy, size})) {
    mr_text why = {0};
    if (check_program(open_session(), (mr_str){copy, size}, size, &why) == DIFFERS) {
      fprintf(stderr, "%.*s\n", (int)why.size, why.data);
      abort();
    }
    mr_text_deinit(&why);
  }
  free(copy);
  return 0;
}
