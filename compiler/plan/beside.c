// What devices do beside their meetings. Who has come to one goes on with what does not need what it gives (compiler/run/due.c), as far as
// the program's order has that behind the meeting, and the buffers of both stay out of each other's way; here they are made to.
//
// The order changes in two ways, each within a window. A meeting moves up over what it does not need. And going down from it, what needs what
// it gives, and what needs that, is put off until about as much other work was found as is worth waiting. Ops that act keep their order.
//
// That is of use where devices come at different times: where they call the host, send each other something, meet in loops, or take
// their time. A program that does nothing of all that runs in step (compiler/run/in_step.c), and is left as it is.
#include <string.h>

#include "compiler/choose/choose.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

static bool is_control(const mr_op *op) {
  return op->kind == MR_OP_while || op->kind == MR_OP_case || op->kind == MR_OP_if;
}

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
    next = is_control(op) ? mr_walk_next(op, body) : mr_walk_skip(op, body);
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

// ---- What ops take ----------------------------------------------------------------------------------------------------------

static uint64_t bytes_of(const mr_type *type) { return type->kind == MR_TYPE_TENSOR ? mr_type_bytes(type) : 0; }

static double flops_of(const mr_op *op) {
  mr_matmul_desc dot;
  mr_conv_desc conv;
  if (op->kind == MR_OP_dot_general && mr_choose_matmul_of(op, &dot)) {
    return 2.0 * (double)dot.batch * (double)dot.m * (double)dot.n * (double)dot.k;
  }
  if (op->kind != MR_OP_convolution || !mr_choose_conv_of(op, &conv)) {
    return 0;
  }
  double flops = 2.0 * (double)mr_type_count(&op->results[0].type) * (double)conv.kernel_in_features;
  for (int i = 0; i < conv.spatial; i++) {
    flops *= (double)conv.kernel_size[i];
  }
  return flops;
}

// About, by the bytes it touches and the products it makes.
static uint64_t work_of(const mr_module *module, const mr_op *op) {
  if (is_of_host(op)) {
    return MR_PLAN_HOST_NS;
  }
  if (is_control(op)) {
    return MR_PLAN_BESIDE_NS;
  }
  uint64_t bytes = 0;
  for (uint32_t i = 0; op->kind != MR_OP_constant && i < op->num_operands; i++) {
    bytes = mr_size_add(bytes, bytes_of(&mr_op_operand(op, i)->type));
  }
  for (uint32_t i = 0; op->kind != MR_OP_constant && i < op->num_results; i++) {
    bytes = mr_size_add(bytes, bytes_of(&op->results[i].type));
  }
  const mr_figures *f = module->figures;
  double ns = (double)bytes / f->copy_bytes_per_ns + flops_of(op) / f->f32_flops_per_ns;
  return (uint64_t)MR_MIN(ns, (double)MR_PLAN_BESIDE_NS);
}

// ---- Meetings up ------------------------------------------------------------------------------------------------------------

static bool acts(const mr_op *op) {
  mr_op_effect effect = mr_op_table[op->kind].effect;
  return effect != MR_EFFECT_PURE && !(effect == MR_EFFECT_ASKED && !mr_op_int(op, MR_ATTR_has_side_effect, 0));
}

static bool gives(const mr_op *op, const mr_op *meeting) {
  for (uint32_t i = 0; i < meeting->num_operands; i++) {
    if (mr_op_operand(meeting, i)->def == op) {
      return true;
    }
  }
  return false;
}

static void move_up(const mr_module *module, mr_op *meeting) {
  mr_op *where = meeting;
  uint64_t work = 0;
  for (uint32_t n = 0; n < MR_PLAN_BESIDE_OPS && work < MR_PLAN_BESIDE_NS; n++) {
    mr_op *before = where->prev;
    if (!before || acts(before) || gives(before, meeting)) {
      break;
    }
    work += work_of(module, before);
    where = before;
  }
  if (work) {
    mr_op_move_before(meeting, where);
  }
}

// ---- What needs them down ---------------------------------------------------------------------------------------------------

typedef struct putting_off {
  const mr_module *module;
  mr_op *ops[MR_PLAN_BESIDE_OPS];  // that are put off, in their order; they lie behind all that is not
  uint32_t count, acting;          // acting: those that act
  struct {
    mr_op *op;
    uint64_t since;                                          // work before it
  } open[MR_PLAN_BESIDE_MEETINGS + MR_PLAN_BESIDE_OPS + 1];  // meetings, in the order in which they begin
  uint32_t num_open;
  uint64_t work;  // so far
} putting_off;

// Marks in op->side: a meeting that is open, and what is put off.
static char open_mark, later_mark;

static bool is_marked(const mr_value *value, const mr_block *block) {
  return value->def && value->def->block == block && value->def->side;
}

static bool needs_marked(const mr_op *op, const mr_block *block) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (is_marked(mr_op_operand(op, i), block)) {
      return true;
    }
  }
  return false;
}

static bool needs_what_is_late(const mr_op *op) {
  if (needs_marked(op, op->block)) {
    return true;
  }
  for (uint32_t r = 0; is_control(op) && r < op->num_regions; r++) {
    for (const mr_op *inner = mr_walk_first(op->regions[r]); inner; inner = mr_walk_next(inner, op->regions[r])) {
      if (needs_marked(inner, op->block)) {
        return true;
      }
    }
  }
  return false;
}

// All that act are in the program's order, but meetings among themselves, which do nothing else.
static bool keeps_order(const mr_op *op) { return acts(op) && mr_op_table[op->kind].op_class != MR_OPS_COLLECTIVE; }

// Behind what is not put off.
static void put(putting_off *p, mr_op *op) {
  if (p->count) {
    mr_op_move_before(op, p->ops[0]);
  }
  if (mr_planner_is_meeting(op)) {
    op->side = &open_mark;
    p->open[p->num_open].op = op;
    p->open[p->num_open++].since = p->work;
  } else {
    p->work += work_of(p->module, op);
  }
}

static void take(putting_off *p, mr_op *op) {
  op->side = NULL;
  if (needs_what_is_late(op) || (p->acting && keeps_order(op))) {
    op->side = &later_mark;
    p->ops[p->count++] = op;
    p->acting += keeps_order(op);
  } else {
    put(p, op);
  }
}

// The meeting that began first is over: what waited for it alone comes.
static void close_first(putting_off *p) {
  mr_op *ops[MR_PLAN_BESIDE_OPS];
  uint32_t count = p->count;
  memcpy(ops, p->ops, count * sizeof *ops);
  p->open[0].op->side = NULL;
  memmove(p->open, p->open + 1, --p->num_open * sizeof *p->open);
  p->count = p->acting = 0;
  for (uint32_t i = 0; i < count; i++) {
    take(p, ops[i]);
  }
}

static void put_off(const mr_module *module, mr_block *block) {
  putting_off p = {.module = module};
  for (mr_op *op = block->first, *next; op != block->last; op = next) {
    next = op->next;
    take(&p, op);
    while (p.num_open && (p.work - p.open[0].since >= MR_PLAN_BESIDE_NS || p.num_open > MR_PLAN_BESIDE_MEETINGS ||
                          p.count == MR_PLAN_BESIDE_OPS)) {
      close_first(&p);
    }
  }
  while (p.num_open) {
    close_first(&p);
  }
}

// ---- Blocks -----------------------------------------------------------------------------------------------------------------

static void order_block(const mr_module *module, mr_block *block) {
  bool meets = false;
  for (mr_op *op = block->first, *next; op; op = next) {
    next = op->next;
    op->side = NULL;
    if (mr_planner_is_meeting(op)) {
      meets = true;
      move_up(module, op);
    }
  }
  if (meets) {
    put_off(module, block);
  }
  for (mr_op *op = block->first; op; op = op->next) {
    for (uint32_t r = 0; is_control(op) && r < op->num_regions; r++) {
      order_block(module, op->regions[r]);
    }
  }
}

mr_status mr_planner_order_meetings(mr_module *module, mr_function *function) {
  if (!module->keeps_order && mr_planner_goes_on(module, function)) {
    order_block(module, &function->body);
  }
  return MR_OK;
}
