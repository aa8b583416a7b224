// Warming up: a small kernel compiled for its side effects.
#include "compiler/codegen/codegen.h"
#include "compiler/codegen/disk_cache.h"

// y[i] = exp(x[i]) + 1 touches what most kernels need: the loop passes, the vectoriser, the element functions.
static void build(mr_loop_program *p) {
  mr_lbuf x = mr_l_buffer(p, MR_F32, MR_L_READ), y = mr_l_buffer(p, MR_F32, MR_L_WRITE);
  mr_lv i = mr_l_for(p, mr_l_begin(p), mr_l_end_of_range(p), 1, MR_L_INDEPENDENT);
  mr_lv e = mr_l_unary(p, MR_OP_exponential, MR_F32, mr_l_load(p, x, i));
  mr_l_store(p, y, i, mr_l_binary(p, MR_OP_add, MR_F32, e, mr_l_float(p, MR_F32, 1.0)));
  mr_l_end(p);
}

void mr_codegen_warm_up(void) {
  mr_codegen_target();
  if (!mr_disk_cache_is_empty()) return;
  mr_loop_program *program = NULL;
  mr_kernel *kernel = NULL;
  mr_status status = mr_loop_create(&program);
  if (!status) {
    build(program);
    status = mr_kernel_compile(program, &kernel);
  }
  mr_kernel_release(kernel);
  mr_loop_release(program);
  mr_status_free(status);  // whoever compiles for real hears of it
}
