// What devices do beside their meetings. Who has come to one goes on with what does not need what it gives (compiler/run/due.c), as far as
// the buffers of both stay out of each other's way; here they are made to.
//
// That is of use where devices come at different times: where they call the host, send each other something, meet in loops, or take
// their time. A program that does nothing of all that runs in step (compiler/run/in_step.c), and is left as it is.
#include "compiler/choose/choose.h"
#include "compiler/plan/plan.h"

bool mr_planner_is_meeting(const mr_op *op) {
  return (mr_op_table[op->kind].op_class == MR_OPS_COLLECTIVE && mr_op_table[op->kind].effect == MR_EFFECT_ACTS) ||
         (op->kind == MR_OP_recv && mr_op_ints(op, MR_ATTR_source_target_pairs).size);
}

// It takes a time of its own.
static bool is_of_host(const mr_op *op) {
  switch (op->kind) {
  case MR_OP_custom_call: return !mr_choose_library_wants(op);
  case MR_OP_send:
  case MR_OP_recv: return true;
  default: return false;
  }
}

bool mr_planner_goes_on(const mr_module *module, const mr_function *function) {
  if (mr_module_replicas(module) * mr_module_partitions(module) < 2) {
    return false;
  }
  bool meets = false, apart = module->target != NULL;
  const mr_block *body = &function->body;
  for (mr_op *op = mr_walk_first(body), *next; op && !(meets && apart); op = next) {
    bool inner = op->kind != MR_OP_while && op->kind != MR_OP_case && op->kind != MR_OP_if;
    next = inner ? mr_walk_skip(op, body) : mr_walk_next(op, body);
    bool meeting = mr_planner_is_meeting(op);
    meets |= meeting;
    apart |= is_of_host(op) || (meeting && op->block != body);
  }
  return meets && apart;
}

// The first op of the meeting's block that has a use of what it gives, in it or below; NULL: none.
const mr_op *mr_planner_due(const mr_op *meeting) {
  const mr_op *first = NULL;
  for (uint32_t i = 0; i < meeting->num_results; i++) {
    for (const mr_use *use = meeting->results[i].uses; use; use = use->next) {
      const mr_op *op = use->user;
      while (op->block != meeting->block) {
        op = op->block->parent;
      }
      if (!first || mr_planner_start(op) < mr_planner_start(first)) {
        first = op;
      }
    }
  }
  return first;
}
