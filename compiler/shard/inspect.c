// Hosts are shown the shardings that they ask for, once each is known.
#include "compiler/shard/export.h"

static bool is_inspection(const mr_op *op) {
  return op->kind == MR_OP_custom_call && mr_str_is(mr_op_string(op, MR_ATTR_call_target_name), "InspectSharding");
}

static mr_status show(const mr_import *import, const mr_shard_host *host, const mr_op *op) {
  mr_tile_sharding tiles;
  const mr_sharding *sharding = op->num_operands ? mr_op_operand(op, 0)->sharding : NULL;
  MR_TRY(mr_sharding_to_tiles(&import->module->arena, sharding, import->num_devices, &tiles));
  return host->inspect(host->context, mr_op_string(op, MR_ATTR_backend_config), &tiles);
}

mr_status mr_export_inspect(const mr_import *import, const mr_shard_host *host) {
  const mr_block *root = &import->function->body;
  bool any = import->module->made[MR_OP_custom_call];
  for (mr_op *op = any ? mr_walk_first(root) : NULL, *next; op; op = next) {
    next = mr_walk_next(op, root);
    if (!is_inspection(op)) {
      continue;
    }
    if (host && host->inspect) {
      MR_TRY(show(import, host, op));
    }
    for (uint32_t i = 0; i < op->num_results && op->num_operands == op->num_results; i++) {
      mr_value_replace_all_uses(&op->results[i], mr_op_operand(op, i));
    }
    if (op->num_operands == op->num_results) {
      mr_op_erase(op);
    }
  }
  return MR_OK;
}
