// Instructions of HLO that call other computations. A region of the IR calls the computation's function; the compiler
// inlines it where it wants to.
#include <string.h>

#include "compiler/reader/hlo.h"

mr_status hlo_callee(hlo_context *c, size_t index, mr_function **out_function) {
  if (index >= c->proto->n_called_computation_ids) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu called computations, wanted at least %zu",
                    c->proto->n_called_computation_ids, index + 1);
  }
  int64_t id = c->proto->called_computation_ids[index];
  const hlo_reader *r = c->reader;
  // Callees are mostly close before their callers.
  for (size_t i = r->num_computations; i-- > 0;) {
    if (r->computations[i].id == id) {
      *out_function = r->computations[i].function;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "calls computation %lld, which is none of those before it", (long long)id);
}

static mr_status finish_return(hlo_reader *r, mr_block *block, mr_op *call) {
  mr_value **values = mr_arena_array(&r->locals, mr_value *, call->num_results + 1);
  if (!values) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < call->num_results; i++) {
    values[i] = mr_op_result(call, i);
  }
  mr_draft draft = {.module = r->module,
                    .scratch = &r->locals,
                    .block = block,
                    .name = MR_STR("stablehlo.return"),
                    .kind = MR_OP_return,
                    .num_operands = call->num_results,
                    .operands = values};
  mr_op *op;
  return mr_draft_finish(&draft, &op);
}

static mr_status build_call(hlo_reader *r, mr_block *block, const mr_function *callee, uint32_t count,
                            mr_value **operands, mr_op **out_call) {
  mr_draft draft = {.module = r->module,
                    .scratch = &r->locals,
                    .block = block,
                    .name = MR_STR("func.call"),
                    .kind = MR_OP_call,
                    .num_operands = count,
                    .operands = operands,
                    .num_results = callee->num_results,
                    .results = callee->result_types};
  MR_TRY(mr_draft_string(&draft, MR_ATTR_callee, callee->name));
  return mr_draft_finish(&draft, out_call);
}

// A region that hands its arguments to a function and returns what that gives; with `captured`, those values instead.
static mr_status add_region(hlo_context *c, mr_draft *draft, size_t callee_index, const hlo_value *captured) {
  hlo_reader *r = c->reader;
  mr_function *callee;
  MR_TRY(hlo_callee(c, callee_index, &callee));
  mr_block *block = mr_block_create(r->module, NULL, r->function);
  if (!block) {
    return MR_NO_MEMORY();
  }
  mr_value **operands = captured ? captured->leaves : NULL;
  uint32_t count = captured ? captured->num_leaves : callee->body.num_args;
  if (!captured) {
    for (uint32_t i = 0; i < count; i++) {
      if (!mr_block_add_arg(r->module, block, &callee->body.args[i]->type)) {
        return MR_NO_MEMORY();
      }
    }
    operands = block->args;
  }
  mr_op *call;
  MR_TRY(build_call(r, block, callee, count, operands, &call));
  draft->regions[draft->num_regions++] = block;
  return finish_return(r, block, call);
}

static mr_status room_for_regions(hlo_context *c, mr_draft *draft, size_t count) {
  draft->regions = mr_arena_array(&c->reader->locals, mr_block *, count + 1);
  return draft->regions ? MR_OK : MR_NO_MEMORY();
}

mr_status hlo_with_regions(hlo_context *c, mr_draft *draft, size_t count) {
  MR_TRY(room_for_regions(c, draft, count));
  for (size_t i = 0; i < count; i++) {
    MR_TRY(add_region(c, draft, i, NULL));
  }
  return hlo_finish(c, draft);
}

mr_status hlo_call(hlo_context *c) {
  if (c->proto->is_composite) {
    return hlo_composite(c);
  }
  mr_function *callee;
  mr_draft draft;
  MR_TRY(hlo_callee(c, 0, &callee));
  MR_TRY(hlo_draft(c, MR_OP_call, &draft));
  MR_TRY(mr_draft_string(&draft, MR_ATTR_callee, callee->name));
  return hlo_finish(c, &draft);
}

// HLO names the body first.
mr_status hlo_while(hlo_context *c) {
  mr_draft draft;
  MR_TRY(hlo_draft(c, MR_OP_while, &draft));
  MR_TRY(room_for_regions(c, &draft, 2));
  MR_TRY(add_region(c, &draft, 1, NULL));
  MR_TRY(add_region(c, &draft, 0, NULL));
  return hlo_finish(c, &draft);
}

// Each branch has its own operand, which its region captures. A predicate chooses the first branch when it is true.
mr_status hlo_conditional(hlo_context *c) {
  size_t branches = c->proto->n_called_computation_ids;
  if (branches == 0 || c->num_operands != branches + 1 || c->operands[0]->type.kind != MR_TYPE_TENSOR) {
    return mr_error(MR_INVALID_ARGUMENT, "%zu branches and %u operands, wanted an index and one for each branch",
                    branches, c->num_operands);
  }
  bool predicate = c->operands[0]->type.dtype == MR_PRED;
  uint32_t all = c->num_operands;
  mr_draft draft;
  c->num_operands = 1;
  mr_status status = hlo_draft(c, predicate ? MR_OP_if : MR_OP_case, &draft);
  c->num_operands = all;
  MR_TRY(status);
  MR_TRY(room_for_regions(c, &draft, branches));
  for (size_t i = 0; i < branches; i++) {
    MR_TRY(add_region(c, &draft, i, c->operands[i + 1]));
  }
  return hlo_finish(c, &draft);
}
