// The compiler's warm-up: a small program compiled in the background, as a node of the graph that ends with the scheduler like
// any other work. With an empty kernel cache this opens and tries LLVM (20 ms that the first real compile would wait for);
// otherwise its kernel comes from the disk, and what is warmed is only our own code and the cache's folder.
#include "compiler/compiler.h"

// The exponential brings in the element functions, which most programs need sooner or later.
static const char program[] = "func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
                              "  %e = stablehlo.exponential %x : tensor<64xf32>\n"
                              "  return %e : tensor<64xf32>\n}\n";

static void warm_run(mr_node *node) {
  mr_executable *executable = NULL;
  mr_status status = mr_compile((mr_span){program, sizeof program - 1}, NULL, &executable);
  mr_executable_release(executable);
  mr_status_free(status);  // whoever compiles for real hears of it
  mr_node_finish(node, MR_OK);
}

static const mr_node_type warm_type = {.name = "warm up", .kind = MR_NODE_COMPILE, .run = warm_run};

mr_future *mr_compiler_warm_up(mr_platform *platform) {
  mr_node *node = NULL;
  mr_status status = mr_node_create(&warm_type, 0, mr_platform_device(platform, 0)->executor, &node);
  if (status) {
    mr_status_free(status);  // a shortcut that is not taken
    return NULL;
  }
  node->priority = -1;
  mr_future *done = mr_future_retain(mr_node_done(node));
  mr_node_submit(node);
  return done;
}
