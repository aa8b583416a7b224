// Gives every value of a block a buffer and makes the block's steps.
//
// Ops are visited in order. A buffer remembers the last position at which what it holds now is needed (`end`); it may be
// written at position p when end < p, or end == p and the op at p allows its result in that operand's place. Because values
// only extend `end` when they are put into a buffer, looking at the buffer is enough: no interference graph.
#include <stdio.h>
#include <string.h>

#include "compiler/choose/choose.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

// ---- Buffers and steps ------------------------------------------------------------------------------------------------

uint32_t mr_planner_new_buffer(planner *p, size_t bytes, int64_t start, int64_t end) {
  if (p->num_buffers == p->buffer_capacity) {
    uint32_t capacity = MR_MAX(2 * p->buffer_capacity, 64u);
    plan_buffer *grown = mr_arena_array(p->arena, plan_buffer, capacity);
    if (!grown) {
      return NO_BUFFER;
    }
    if (p->num_buffers) {
      memcpy(grown, p->buffers, p->num_buffers * sizeof *grown);
    }
    p->buffers = grown;
    p->buffer_capacity = capacity;
  }
  p->buffers[p->num_buffers] = (plan_buffer){.place = PLACE_TEMP, .bytes = bytes, .start = start, .end = end};
  return p->num_buffers++;
}

plan_step *mr_planner_add_step(planner *p, plan_sequence *sequence, plan_step_kind kind, const char *name,
                               uint32_t num_buffers, int64_t position) {
  if (sequence->count == sequence->capacity) {
    uint32_t capacity = MR_MAX(2 * sequence->capacity, 8u);
    plan_step *grown = mr_arena_array(p->arena, plan_step, capacity);
    if (!grown) {
      return NULL;
    }
    if (sequence->count) {
      memcpy(grown, sequence->steps, sequence->count * sizeof *grown);
    }
    sequence->steps = grown;
    sequence->capacity = capacity;
  }
  uint32_t *buffers = mr_arena_alloc(p->arena, (num_buffers + 1) * (sizeof(uint32_t) + sizeof(uint8_t)));
  if (!buffers) {
    return NULL;
  }
  plan_step *step = &sequence->steps[sequence->count++];
  *step = (plan_step){.kind = kind,
                      .name = name,
                      .origin = p->origin,
                      .buffers = buffers,
                      .access = (uint8_t *)(buffers + num_buffers + 1),
                      .num_buffers = num_buffers,
                      .position = position,
                      .scratch = NO_BUFFER};
  return step;
}

mr_status mr_planner_copy(planner *p, plan_sequence *sequence, uint32_t to, uint32_t from, int64_t position) {
  if (to == from || p->buffers[to].bytes == 0) {
    return MR_OK;
  }
  plan_step *step = mr_planner_add_step(p, sequence, STEP_COPY, "copy", 2, position);
  if (!step) {
    return MR_NO_MEMORY();
  }
  step->buffers[0] = to;
  step->buffers[1] = from;
  step->access[0] = MR_L_WRITE;
  step->access[1] = MR_L_READ;
  step->bytes = p->buffers[to].bytes;
  step->cost_ns = (uint64_t)((double)step->bytes / p->module->figures->copy_bytes_per_ns) + MR_PLAN_COPY_NS;
  step->shape_ns = step->bytes / MR_PLAN_COPY_BYTES_PER_NS + MR_PLAN_COPY_NS;
  mr_planner_count_access(p, step, mr_size_mul(step->bytes, 2));
  if (p->buffers[to].place == PLACE_PARAM) {
    p->buffers[to].written = true;
  }
  return MR_OK;
}

void mr_planner_mention(planner *p, const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    p->buffers[mr_planner_buffer_of(p, mr_op_operand(op, i))].mentions++;
  }
}

void mr_planner_unmention(planner *p, const mr_op *op) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    p->buffers[mr_planner_buffer_of(p, mr_op_operand(op, i))].mentions--;
  }
}

// Puts a value into a buffer: what the buffer held before is gone, or is the same bytes (aliases).
static void put(planner *p, const mr_value *value, uint32_t buffer, int64_t position) {
  p->buffers[buffer].start = MR_MIN(p->buffers[buffer].start, position);
  mr_planner_hold(p, value, buffer, position);
}

// ---- Constants --------------------------------------------------------------------------------------------------------

static mr_status add_constant(planner *p, const mr_op *op) {
  const mr_value *value = &op->results[0];
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_value);
  size_t bytes = mr_type_bytes(&value->type);
  if (!attr || attr->kind != MR_ATTR_DENSE) {
    return mr_error(MR_INTERNAL, "constant without data");
  }
  uint32_t buffer = mr_planner_new_buffer(p, bytes, 0, INT64_MAX);
  if (buffer == NO_BUFFER) {
    return MR_NO_MEMORY();
  }
  static const char padding[64];
  const mr_dense *dense = &attr->dense;
  plan_constants which = bytes >= MR_PLAN_COMMON_BYTES && dense->size == bytes ? CONSTANTS_COMMON : CONSTANTS_OWN;
  mr_text *constants = &p->constants[which];
  size_t unaligned = constants->size % 64;
  if (unaligned) {
    mr_text_append(constants, (mr_str){padding, 64 - unaligned});
  }
  p->buffers[buffer].place = PLACE_CONST;
  p->buffers[buffer].index = which;
  p->buffers[buffer].offset = constants->size;
  for (size_t done = 0; done < bytes; done += dense->size) {
    mr_text_append(constants, (mr_str){dense->data, dense->size});
  }
  if (bytes && !constants->failed) {
    mr_dtype_clear_above(value->type.dtype, constants->data + p->buffers[buffer].offset, bytes);
  }
  p->buffer_of[value->id] = buffer;
  return constants->failed ? MR_NO_MEMORY() : MR_OK;
}

// Which device this is: a number that each finds at its own place of a list.
static mr_status add_row_number(planner *p, const mr_op *op) {
  static const char padding[PLAN_ROW_BYTES];
  uint32_t most = MR_MAX(p->executable->num_partitions, p->executable->num_replicas);
  if (!p->row_numbers) {
    size_t unaligned = p->constants[CONSTANTS_OWN].size % PLAN_ROW_BYTES;
    mr_text_append(&p->constants[CONSTANTS_OWN], (mr_str){padding, unaligned ? PLAN_ROW_BYTES - unaligned : 0});
    p->row_numbers = p->constants[CONSTANTS_OWN].size + 1;
    for (uint32_t i = 0; i < most; i++) {
      mr_text_append(&p->constants[CONSTANTS_OWN], (mr_str){(const char *)&i, sizeof i});
      mr_text_append(&p->constants[CONSTANTS_OWN], (mr_str){padding, PLAN_ROW_BYTES - sizeof i});
    }
  }
  uint32_t buffer = mr_planner_new_buffer(p, sizeof(uint32_t), 0, INT64_MAX);
  if (buffer == NO_BUFFER || p->constants[CONSTANTS_OWN].failed) {
    return MR_NO_MEMORY();
  }
  p->buffers[buffer].place = PLACE_ROW;
  p->buffers[buffer].index = op->kind == MR_OP_partition_id ? ROW_PARTITION : ROW_REPLICA;
  p->buffers[buffer].offset = p->row_numbers - 1;
  p->buffer_of[op->results[0].id] = buffer;
  return MR_OK;
}

// ---- Kernels ----------------------------------------------------------------------------------------------------------

typedef struct choice {
  const mr_op *op;
  const mr_launch *launch;  // NULL for library calls: nothing may be shared
  int64_t position;
  uint32_t result;
} choice;

// Every operand that lies in `buffer` may be overwritten by the result as the kernel runs.
static bool operands_allow(const planner *p, const choice *c, uint32_t buffer) {
  uint64_t mask = c->launch && c->launch->may_reuse ? c->launch->may_reuse[c->result] : 0;
  uint32_t allowed = 0;
  for (uint32_t j = 0; j < c->op->num_operands && j < 64; j++) {
    allowed += (mask >> j & 1) && mr_planner_buffer_of(p, mr_op_operand(c->op, j)) == buffer;
  }
  return allowed == p->buffers[buffer].mentions;
}

// No result of this op that was placed before lies there.
static bool not_taken(const planner *p, const choice *c, uint32_t buffer) {
  return p->buffers[buffer].taken != c->position;
}

static bool may_take(const planner *p, const choice *c, uint32_t buffer, size_t bytes) {
  const plan_buffer *b = &p->buffers[buffer];
  return mr_planner_writable(p, b) && b->bytes == bytes && b->end <= c->position && not_taken(p, c, buffer) &&
         (b->end < c->position || operands_allow(p, c, buffer));
}

// The buffer an elementwise result can reuse, or a fresh one.
static uint32_t choose_plain(planner *p, const choice *c) {
  const mr_value *value = &c->op->results[c->result];
  size_t bytes = mr_type_bytes(&value->type);
  uint32_t wanted = p->wanted[value->id];
  if (wanted != NO_BUFFER && may_take(p, c, wanted, bytes)) {
    return wanted;
  }
  uint64_t mask = c->launch && c->launch->may_reuse ? c->launch->may_reuse[c->result] : 0;
  for (uint32_t j = 0; j < c->op->num_operands && j < 64; j++) {
    uint32_t buffer = mr_planner_buffer_of(p, mr_op_operand(c->op, j));
    if ((mask >> j & 1) && p->buffers[buffer].place == PLACE_TEMP && may_take(p, c, buffer, bytes)) {
      return buffer;
    }
  }
  return mr_planner_new_buffer(p, bytes, c->position, c->position);
}

// In place of operand j: its own buffer when nobody else needs it, else a copy of it.
static uint32_t choose_in_place(planner *p, const choice *c, uint32_t j, plan_sequence *sequence,
                                mr_status *out_status) {
  const mr_value *value = &c->op->results[c->result];
  size_t bytes = mr_type_bytes(&value->type);
  uint32_t from = mr_planner_buffer_of(p, mr_op_operand(c->op, j));
  const plan_buffer *b = &p->buffers[from];
  bool only = b->mentions == 1;  // no other operand reads the same memory
  if (only && mr_planner_writable(p, b) && b->bytes == bytes && b->end <= c->position && not_taken(p, c, from)) {
    return from;
  }
  uint32_t wanted = p->wanted[value->id], to = NO_BUFFER;
  if (wanted != NO_BUFFER && mr_planner_writable(p, &p->buffers[wanted]) && p->buffers[wanted].bytes == bytes &&
      p->buffers[wanted].end < c->position && not_taken(p, c, wanted)) {
    to = wanted;
  } else {
    to = mr_planner_new_buffer(p, bytes, c->position, c->position);
  }
  *out_status = to == NO_BUFFER ? MR_NO_MEMORY() : mr_planner_copy(p, sequence, to, from, c->position);
  return to;
}

static mr_status place_each(planner *p, const mr_op *op, const mr_launch *launch, plan_sequence *sequence) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    choice c = {op, launch, mr_planner_start(op), i};
    mr_status status = MR_OK;
    uint32_t buffer = launch && launch->inplace && launch->inplace[i] >= 0
                          ? choose_in_place(p, &c, (uint32_t)launch->inplace[i], sequence, &status)
                          : choose_plain(p, &c);
    MR_TRY(status);
    if (buffer == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    put(p, &op->results[i], buffer, c.position);
    p->buffers[buffer].taken = c.position;
    p->buffers[buffer].written |= p->buffers[buffer].place == PLACE_PARAM;
  }
  return MR_OK;
}

static mr_status place_results(planner *p, const mr_op *op, const mr_launch *launch, plan_sequence *sequence) {
  mr_planner_mention(p, op);
  mr_status status = place_each(p, op, launch, sequence);
  mr_planner_unmention(p, op);
  return status;
}

mr_status mr_planner_place(planner *p, const mr_op *op, plan_sequence *sequence) {
  return place_results(p, op, NULL, sequence);
}

// Pictures do without where there is no memory.
static void note_type(planner *p, uint32_t buffer, const mr_type *type) {
  plan_buffer *b = &p->buffers[buffer];
  if (b->dtype != MR_INVALID || type->kind != MR_TYPE_TENSOR) {
    return;
  }
  b->dims = mr_arena_copy(p->arena, type->dims, type->rank * sizeof *b->dims);
  b->rank = (uint32_t)type->rank;
  b->dtype = type->rank && !b->dims ? MR_INVALID : type->dtype;
}

static void fill_buffers(planner *p, const mr_op *op, plan_step *step) {
  for (uint32_t i = 0; i < op->num_operands; i++) {
    step->buffers[i] = mr_planner_buffer_of(p, mr_op_operand(op, i));
    step->access[i] = MR_L_READ;
    note_type(p, step->buffers[i], &mr_op_operand(op, i)->type);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    step->buffers[op->num_operands + i] = mr_planner_buffer_of(p, &op->results[i]);
    step->access[op->num_operands + i] = MR_L_WRITE;
    note_type(p, step->buffers[op->num_operands + i], &op->results[i].type);
  }
}

// "multiply, add 2, tanh": the ops of a fusion, in the order in which each first comes.
static const char *contents_of(planner *p, const mr_op *fusion) {
  enum { KINDS = 12 };
  mr_op_kind kinds[KINDS];
  uint32_t counts[KINDS], num_kinds = 0;
  bool more = false;
  for (const mr_op *op = fusion->regions[0]->first; op && op->kind != MR_OP_return; op = op->next) {
    uint32_t k = 0;
    while (k < num_kinds && kinds[k] != op->kind) {
      k++;
    }
    if (k == KINDS) {
      more = true;
      continue;
    }
    if (k == num_kinds) {
      kinds[num_kinds] = op->kind;
      counts[num_kinds++] = 0;
    }
    counts[k]++;
  }
  char text[256];
  size_t used = 0;
  text[0] = '\0';
  for (uint32_t k = 0; k < num_kinds && used < sizeof text; k++) {
    char count[16] = "";
    if (counts[k] > 1) {
      snprintf(count, sizeof count, " %u", counts[k]);
    }
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", k ? ", " : "", mr_op_table[kinds[k]].name, count);
  }
  if (more && used < sizeof text) {
    used += (size_t)snprintf(text + used, sizeof text - used, ", ...");
  }
  return mr_arena_copy(p->arena, text, strlen(text) + 1);
}

// A result that lies in an operand's place: the code may not assume that the two are distinct.
static void mark_shared(planner *p, const mr_op *op, const plan_step *step, mr_loop_program *program) {
  mr_planner_mention(p, op);
  for (uint32_t k = op->num_operands; k < op->num_operands + op->num_results; k++) {
    if (p->buffers[step->buffers[k]].mentions) {
      program->buffers[k].flags |= MR_L_MAY_ALIAS;
    }
  }
  mr_planner_unmention(p, op);
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (p->buffers[step->buffers[i]].taken == step->position) {
      program->buffers[i].flags |= MR_L_MAY_ALIAS;
    }
  }
}

static mr_status add_kernel(planner *p, const mr_op *op, plan_sequence *sequence) {
  mr_launch launch = {0};
  MR_TRY(mr_lower_op(p->lowering, op, &launch));
  mr_status status = place_results(p, op, &launch, sequence);
  uint32_t extra = launch.num_scratch;
  plan_step *step = status ? NULL
                           : mr_planner_add_step(p, sequence, STEP_KERNEL, mr_op_table[op->kind].name,
                                                 op->num_operands + op->num_results + extra, mr_planner_start(op));
  if (!step) {
    mr_launch_deinit(&launch);
    return status ? status : MR_NO_MEMORY();
  }
  fill_buffers(p, op, step);
  for (uint32_t i = 0; i < extra; i++) {
    uint32_t scratch = mr_planner_new_buffer(p, launch.scratch_bytes[i], step->position, step->position);
    if (scratch == NO_BUFFER) {
      mr_launch_deinit(&launch);
      return MR_NO_MEMORY();
    }
    step->buffers[op->num_operands + op->num_results + i] = scratch;
  }
  mark_shared(p, op, step, launch.program);
  for (uint32_t i = 0; i < step->num_buffers; i++) {
    step->access[i] = launch.program->buffers[i].flags & (MR_L_READ | MR_L_WRITE);
  }
  step->contents = op->kind == MR_OP_fusion ? contents_of(p, op) : NULL;
  step->launch = launch;
  step->cost_ns = launch.cost_ns;
  step->shape_ns = launch.shape_ns;
  p->executable->stats.flops += launch.flops;
  mr_planner_count_access(p, step, launch.bytes);
  p->executable->stats.transcendentals += launch.transcendentals;
  return MR_OK;
}

// Every operand read and every result written once.
static uint64_t bytes_of_values(const mr_op *op) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *type = &mr_op_operand(op, i)->type;
    bytes = mr_size_add(bytes, type->kind == MR_TYPE_TENSOR ? mr_type_bytes(type) : 0);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    const mr_type *type = &op->results[i].type;
    bytes = mr_size_add(bytes, type->kind == MR_TYPE_TENSOR ? mr_type_bytes(type) : 0);
  }
  return bytes;
}

// A library's estimate is of the shapes, for a core of the default figures.
static uint64_t call_cost(const mr_figures *f, const mr_library_call *call) {
  return (uint64_t)((double)(call->takes_ns ? call->takes_ns : call->cost_ns) * mr_figures_default.f32_flops_per_ns /
                    f->f32_flops_per_ns);
}

static bool acts(const mr_op *op) {
  mr_op_effect effect = mr_op_table[op->kind].effect;
  return effect == MR_EFFECT_ACTS || (effect == MR_EFFECT_ASKED && mr_op_int(op, MR_ATTR_has_side_effect, 0) != 0);
}

// What the device has no code for, unless that is the host's by its nature.
static mr_status check_call(const planner *p, const mr_op *op, const mr_library_call *call) {
  bool of_host = call->start || call->meets || call->calls_host;
  if (!p->executable->for_target || p->executable->target.host_steps || of_host) {
    return MR_OK;
  }
  return mr_error(MR_UNIMPLEMENTED, "the device has no code for %.*s, and steps on the host are not allowed",
                  MR_STR_ARG(op->name));
}

static mr_status add_call(planner *p, const mr_op *op, mr_library_call *call, plan_sequence *sequence) {
  mr_status status = check_call(p, op, call);
  status = status ? status : place_results(p, op, NULL, sequence);
  plan_step *step = status ? NULL
                           : mr_planner_add_step(p, sequence, STEP_LIBRARY, call->name,
                                                 op->num_operands + op->num_results, mr_planner_start(op));
  if (!step) {
    mr_library_call_destroy(call);
    return status ? status : MR_NO_MEMORY();
  }
  fill_buffers(p, op, step);
  step->library = call;
  step->shape_ns = call->cost_ns;
  step->cost_ns = call_cost(p->module->figures, call);
  step->acts = acts(op);
  step->num_inputs = op->num_operands;
  p->executable->stats.flops += call->flops;
  mr_planner_count_access(p, step, bytes_of_values(op));
  if (call->scratch_bytes) {
    step->scratch = mr_planner_new_buffer(p, call->scratch_bytes, step->position, step->position);
    if (step->scratch == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
  }
  return MR_OK;
}

// A small one is loops as well: a while that has it may then be one kernel, whose rounds need no look from the host.
static mr_status add_loops(planner *p, const mr_op *op, plan_step *step) {
  mr_launch loops = {0};
  if (step->shape_ns > MR_INLINE_CONTROL_FAR_NS || !mr_lower_supports(op)) {
    return MR_OK;
  }
  MR_TRY(mr_lower_op(p->lowering, op, &loops));
  if (loops.num_scratch) {
    mr_launch_deinit(&loops);
    return MR_OK;
  }
  mark_shared(p, op, step, loops.program);
  step->launch = loops;
  return MR_OK;
}

// A contraction as a kernel of the device's.
static mr_status add_product(planner *p, const mr_op *op, const plan_product *product, plan_sequence *sequence) {
  MR_TRY(place_results(p, op, NULL, sequence));
  plan_step *step = mr_planner_add_step(p, sequence, STEP_KERNEL, mr_op_table[op->kind].name,
                                        op->num_operands + op->num_results, mr_planner_start(op));
  if (!step) {
    return MR_NO_MEMORY();
  }
  fill_buffers(p, op, step);
  step->product = product;
  step->launch.range = step->launch.grain = 1;
  step->shape_ns = (uint64_t)(2 * product->multiplies / mr_figures_default.f32_flops_per_ns) + 1;
  step->cost_ns = (uint64_t)(2 * product->multiplies / p->module->figures->f32_flops_per_ns) + 1;
  p->executable->stats.flops += (uint64_t)(2 * product->multiplies);
  mr_planner_count_access(p, step, bytes_of_values(op));
  return add_loops(p, op, step);
}

static mr_status add_library(planner *p, const mr_op *op, plan_sequence *sequence) {
  const plan_product *product;
  MR_TRY(mr_planner_product(p, op, &product));
  if (product) {
    return add_product(p, op, product, sequence);
  }
  bool added;
  MR_TRY(mr_planner_transform(p, op, sequence, &added));
  if (added) {
    return MR_OK;
  }
  mr_library_call *call = NULL;
  MR_TRY(mr_choose_library_call(op, &call));
  return add_call(p, op, call, sequence);
}

// A custom call or a host transfer that the embedder knows; anything else is not implemented.
static mr_status add_custom_call(planner *p, const mr_op *op, plan_sequence *sequence) {
  mr_library_call *call = NULL;
  MR_TRY(mr_choose_custom_call(op, &call));
  if (!call && op->kind != MR_OP_custom_call) {
    return mr_error(MR_UNIMPLEMENTED, "transfers to and from a host that has no callbacks for them");
  }
  if (!call) {
    return mr_error(MR_UNIMPLEMENTED, "custom call %.*s is not implemented on millrace",
                    MR_STR_ARG(mr_op_string(op, MR_ATTR_call_target_name)));
  }
  return add_call(p, op, call, sequence);
}

// ---- Blocks -----------------------------------------------------------------------------------------------------------

// The result is the operand's bytes under another shape.
static bool is_alias(const mr_op *op) {
  if (op->kind == MR_OP_bitcast_convert) {
    return mr_type_bytes(&op->results[0].type) == mr_type_bytes(&mr_op_operand(op, 0)->type) &&
           mr_dtype_bits(op->results[0].type.dtype) % 8 == 0 &&
           mr_dtype_bits(mr_op_operand(op, 0)->type.dtype) % 8 == 0;
  }
  return op->kind == MR_OP_reshape;
}

void mr_planner_want(planner *p, const mr_value *value, uint32_t buffer) {
  p->wanted[value->id] = buffer;
  while (value->def && is_alias(value->def) && mr_op_operand(value->def, 0)->block == value->block) {
    value = mr_op_operand(value->def, 0);
    p->wanted[value->id] = buffer;
  }
}

static mr_status plan_op(planner *p, mr_op *op, plan_sequence *sequence) {
  switch (op->kind) {
  case MR_OP_constant: return add_constant(p, op);
  case MR_OP_partition_id:
  case MR_OP_replica_id: return add_row_number(p, op);
  case MR_OP_while: return mr_planner_while(p, op, sequence);
  case MR_OP_case: return mr_planner_case(p, op, sequence);
  case MR_OP_return: return MR_OK;
  case MR_OP_create_token:
  case MR_OP_after_all: {
    uint32_t token = mr_planner_new_buffer(p, 0, mr_planner_start(op), mr_planner_start(op));
    if (token == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    put(p, &op->results[0], token, mr_planner_start(op));
    return MR_OK;
  }
  default: break;
  }
  if (is_alias(op)) {
    put(p, &op->results[0], mr_planner_buffer_of(p, mr_op_operand(op, 0)), mr_planner_start(op));
    return MR_OK;
  }
  if (mr_choose_library_wants(op)) {
    return add_library(p, op, sequence);
  }
  if (op->kind == MR_OP_custom_call || op->kind == MR_OP_send || op->kind == MR_OP_recv) {
    return add_custom_call(p, op, sequence);
  }
  if (!mr_lower_supports(op)) {
    return mr_error(MR_UNIMPLEMENTED, "%.*s is not implemented on millrace", MR_STR_ARG(op->name));
  }
  return add_kernel(p, op, sequence);
}

mr_status mr_planner_block(planner *p, mr_block *block, plan_sequence *sequence) {
  const mr_origin *outer = p->origin;
  for (mr_op *op = block->first; op; op = op->next) {
    p->origin = op->loc.origin;
    mr_status status = plan_op(p, op, sequence);
    if (status) {
      return mr_status_note(status, "%.*s", MR_STR_ARG(op->name));
    }
  }
  p->origin = outer;
  return MR_OK;
}
