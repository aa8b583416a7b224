// The compiler's warm-up as a node of the graph: it ends with the scheduler like any other work.
#include "compiler/codegen/codegen.h"
#include "compiler/compiler.h"

static void warm_run(mr_node *node) {
  mr_codegen_warm_up();
  mr_node_finish(node, MR_OK);
}

static const mr_node_type warm_type = {.name = "warm up", .kind = MR_NODE_COMPILE, .run = warm_run};

void mr_compiler_warm_up(mr_platform *platform) {
  mr_node *node = NULL;
  mr_status status = mr_node_create(&warm_type, 0, mr_platform_device(platform, 0)->executor, &node);
  if (status) {
    mr_status_free(status);  // a shortcut that is not taken
    return;
  }
  node->priority = -1;
  mr_node_submit(node);
}
