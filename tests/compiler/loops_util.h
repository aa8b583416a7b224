// Shared by the tests of loops and code generation: building small programs and running them.
#ifndef MR_TESTS_COMPILER_LOOPS_UTIL_H
#define MR_TESTS_COMPILER_LOOPS_UTIL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/codegen/codegen.h"
#include "tests/cmocka.h"

static inline mr_loop_program *new_program(void) {
  mr_loop_program *p;
  mr_status status = mr_loop_create(&p);
  assert_null(status);
  return p;
}

// Fails the test with the message, which holds the program.
static inline void check_ok(mr_status status) {
  if (status) {
    print_error("%s\n", mr_status_message(status));
  }
  assert_null(status);
}

static inline mr_kernel *compile(const mr_loop_program *p) {
  mr_kernel *kernel;
  check_ok(mr_kernel_compile(p, &kernel));
  return kernel;
}

// Compiles, runs once over [0, count), frees the program.
static inline void run_program(mr_loop_program *take_p, void *const *buffers, int64_t count) {
  mr_kernel *kernel = compile(take_p);
  mr_kernel_function(kernel)(buffers, &mr_stop_no_token, 0, count);
  mr_kernel_release(kernel);
  mr_loop_release(take_p);
}

// The start of most programs: for i in the share.
static inline mr_lv for_share(mr_loop_program *p) {
  return mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
}

#endif
