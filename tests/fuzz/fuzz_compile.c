// Fuzz target: bytes as a program, bytecode or text, compiled as mr_compile does it: reader, verifier, passes, fusion,
// plan and lowering. Only the last step is left out: a kernel's loops are checked instead of given to LLVM, which would
// cost a thousand times as much (the linker puts the __wrap functions below in place of code generation's).
#include <stdio.h>
#include <stdlib.h>

#include "compiler/codegen/codegen.h"
#include "compiler/compiler.h"
#include "tests/fuzz/fuzz.h"

mr_status __wrap_mr_kernel_compile(const mr_loop_program *program, mr_kernel **out_kernel);
mr_kernel_fn __wrap_mr_kernel_function(const mr_kernel *kernel);
size_t __wrap_mr_kernel_code_bytes(const mr_kernel *kernel);

// Whatever the program, what is lowered from it must be well-formed loops.
mr_status __wrap_mr_kernel_compile(const mr_loop_program *program, mr_kernel **out_kernel) {
  *out_kernel = NULL;
  mr_status status = mr_loop_check(program);
  if (status) {
    fprintf(stderr, "lowered to loops that are not valid: %s\n", mr_status_message(status));
    abort();
  }
  return MR_OK;
}

mr_kernel_fn __wrap_mr_kernel_function(const mr_kernel *kernel) {
  (void)kernel;
  return NULL;
}

size_t __wrap_mr_kernel_code_bytes(const mr_kernel *kernel) {
  (void)kernel;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *copy = fuzz_copy(data, size);
  if (!copy) {
    return 0;
  }
  mr_executable *executable;
  mr_status status = mr_compile((mr_span){copy, size}, NULL, &executable);
  mr_free(copy);
  if (!status) {
    mr_text text = {0};
    mr_executable_print(executable, &text);
    mr_text_deinit(&text);
  }
  mr_status_free(status);
  mr_executable_release(executable);
  return 0;
}
