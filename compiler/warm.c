// The compiler's warm-up: a small program compiled in the background, as a node of the graph that ends with the scheduler like
// any other work. With an empty kernel cache this opens and tries LLVM (20 ms that the first real compile would wait for);
// otherwise its kernel comes from the disk, and what is warmed is only our own code and the cache's folder. Then a machine that
// was never measured is, which nobody waits for.
#include "compiler/compiler.h"

// The exponential brings in the element functions, which most programs need sooner or later.
static const char program[] = "func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
                              "  %e = stablehlo.exponential %x : tensor<64xf32>\n"
                              "  return %e : tensor<64xf32>\n}\n";

static bool is_cancelled(void *node) {
  mr_status status = mr_node_error(node);
  mr_status_free(status);
  return status != MR_OK;
}

static void warm_run(mr_node *node) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){program, sizeof program - 1}, NULL, &executable);
  mr_executable_release(executable);
  mr_status_free(status);  // whoever compiles for real hears of it
  (void)mr_device_measure(*(mr_device **)mr_node_payload(node), is_cancelled, node);
  mr_node_finish(node, MR_OK);
}

static const mr_node_type warm_type = {.name = "warm up", .kind = MR_NODE_COMPILE, .run = warm_run};

mr_future *mr_compiler_warm_up(mr_platform *platform) {
  mr_node *node = NULL;
  mr_device *device = mr_platform_device(platform, 0);
  mr_status status = mr_node_create(&warm_type, sizeof device, device->executor, &node);
  if (status) {
    mr_status_free(status);  // a shortcut that is not taken
    return NULL;
  }
  *(mr_device **)mr_node_payload(node) = device;
  node->priority = -1;
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return done;
}

void mr_compiler_warm_up_end(mr_future *take_warm) {
  if (take_warm) {
    mr_node_cancel(mr_node_of_done(take_warm), mr_error(MR_CANCELLED, "nobody compiles any more"));
    mr_future_wait(take_warm);
    mr_future_release(take_warm);
  }
}
