// A tile by the items of a work-group together: for devices with many items, which a loop in one of them leaves idle.
//
// Every item runs the whole program. Loops whose rounds are independent are spread: an item takes each so-manieth round, beside
// those of its neighbours, so that neighbours touch neighbouring memory. What such a loop collects (a sum whose order is free, a
// maximum) every item collects for itself, from the operation's neutral element, and a tree in local memory joins that. All else is
// the same in every item: the same loads, the same branches; what it stores, one of them does. Barriers stand around what
// stores to memory that somebody loads. The program's local memory is the group's.
//
// A program with a long loop that cannot be spread is left to one item.
#include <stdio.h>

#include "compiler/codegen/clc_emit.h"
#include "compiler/codegen/tuning.h"

// ---- What a loop collects -------------------------------------------------------------------------------------------------------

// Of what an op's order is free: the column `on` of ops/instructions.def.
typedef enum join_numbers { JOIN_NONE, JOIN_ARITHMETIC, JOIN_ORDER, JOIN_BITS } join_numbers;

static bool is_order_free(const mr_clc_emit *e, const mr_loop_instr *join, mr_lv variable) {
  static const uint8_t on[MR_OP_COUNT] = {
#define JOIN(op, fold, on, neutral, clc) [MR_OP_##op] = JOIN_##on,
#include "ops/instructions.def"
  };
  mr_dtype dtype = (mr_dtype)join->dtype;
  bool is_key = e->values[variable].key != MR_OP_COUNT;
  bool is_plain_float = dtype == MR_F32 || dtype == MR_F64, is_integer = mr_dtype_is_integer(dtype);
  switch ((join_numbers)on[join->kind]) {
  case JOIN_NONE: return false;
  case JOIN_ARITHMETIC:
    return (is_plain_float && join->flags & MR_L_REASSOC) || (is_integer && mr_dtype_bits(dtype) >= 8);
  case JOIN_ORDER: return is_key || (is_integer && mr_dtype_bits(dtype) >= 8);
  case JOIN_BITS: return is_integer || dtype == MR_PRED;
  }
  return false;
}

// The instruction that the SET joins into its variable with; NULL: it is no such one.
static const mr_loop_instr *join_of(const mr_clc_emit *e, const mr_loop_instr *set, mr_lv *out_get) {
  const mr_loop_instr *join = &e->p->instrs[set->b];
  bool joins = mr_clc_collects(e, set, out_get) && is_order_free(e, join, set->a);
  return joins ? join : NULL;
}

// Behind the END of the loop at `in`.
static const mr_loop_instr *end_of(const mr_loop_instr *in) {
  uint32_t depth = 0;
  for (;; in++) {
    depth += in->code == MR_L_FOR || in->code == MR_L_WHILE || in->code == MR_L_IF;
    if (in->code == MR_L_END && --depth == 0) {
      return in + 1;
    }
  }
}

static bool is_inside(const mr_clc_emit *e, const mr_loop_instr *loop, mr_lv v) { return v > mr_clc_number(e, loop); }

// Whether all that the loop does to variables of before is to collect, each by one operation.
static bool only_collects(mr_clc_emit *e, const mr_loop_instr *loop) {
  const mr_loop_instr *end = end_of(loop);
  const uint32_t number = mr_clc_number(e, loop);
  uint32_t collecting = 0, reading = 0;
  for (const mr_loop_instr *in = loop; in < end; in++) {
    if (in->code != MR_L_SET || is_inside(e, loop, in->a)) {
      continue;
    }
    mr_lv get = 0;
    const mr_loop_instr *join = join_of(e, in, &get);
    if (!join || !is_inside(e, loop, get)) {
      return false;
    }
    mr_clc_value *variable = &e->values[in->a];
    const bool first = variable->collected_in != number;
    if (!first && variable->collected_by != (mr_op_kind)join->kind) {
      return false;
    }
    variable->collected_in = number;
    variable->collected_by = (mr_op_kind)join->kind;
    e->values[mr_clc_number(e, in)].begins = first;
    collecting++;
  }
  for (const mr_loop_instr *in = loop; in < end; in++) {
    reading += in->code == MR_L_GET && e->values[in->a].collected_in == number;
  }
  return reading == collecting;
}

// ---- Which loops --------------------------------------------------------------------------------------------------------------

// The loop over the share has one, as a group does a tile at a time; one of an unknown number as many as there are items.
static int64_t rounds_of(const mr_clc_emit *e, const mr_loop_instr *loop) {
  int64_t from, to;
  if (e->p->instrs[loop->a].code == MR_L_BEGIN) {
    return 1;
  }
  bool known = mr_l_const_index(e->p, loop->a, &from) && mr_l_const_index(e->p, loop->b, &to);
  return known ? (to - from + (int64_t)loop->imm - 1) / (int64_t)loop->imm : MR_CLC_GROUP_MOST;
}

typedef struct loop_body {
  bool loops, spreads, fills_local, moves;
} loop_body;

static loop_body look_into(const mr_clc_emit *e, const mr_loop_instr *loop) {
  loop_body body = {0};
  const mr_loop_instr *end = end_of(loop);
  for (const mr_loop_instr *in = loop + 1; in < end; in++) {
    body.loops = body.loops || in->code == MR_L_FOR || in->code == MR_L_WHILE;
    body.spreads = body.spreads || e->values[mr_clc_number(e, in)].spread;
    body.moves = body.moves || in->code == MR_L_FILL || in->code == MR_L_COPY;
    bool stores = in->code == MR_L_STORE || in->code == MR_L_FILL || in->code == MR_L_COPY;
    body.fills_local = body.fills_local || (stores && e->p->buffers[in->buffer].flags & MR_L_LOCAL);
  }
  return body;
}

static bool can_spread(mr_clc_emit *e, const mr_loop_instr *loop, const loop_body *body) {
  bool rounds = loop->code == MR_L_FOR && loop->flags & MR_L_INDEPENDENT && rounds_of(e, loop) >= MR_CLC_GROUP_ROUNDS;
  bool own = !body->spreads && !body->moves && !(body->loops && body->fills_local);
  return rounds && own && only_collects(e, loop);
}

// From the inside out, since loops further inside go along memory. False: a loop is left that takes long in each item.
static bool spread_loops(mr_clc_emit *e, int64_t *out_most) {
  for (uint32_t i = e->p->num_instrs; i-- > 1;) {
    const mr_loop_instr *in = &e->p->instrs[i];
    if (in->code != MR_L_FOR && in->code != MR_L_WHILE) {
      continue;
    }
    loop_body body = look_into(e, in);
    e->values[i].spread = can_spread(e, in, &body);
    if (e->values[i].spread) {
      *out_most = MR_MAX(*out_most, rounds_of(e, in));
    }
  }
  const mr_loop_instr *spread_end = NULL;
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    const mr_loop_instr *in = &e->p->instrs[i];
    if ((in->code != MR_L_FOR && in->code != MR_L_WHILE) || in < spread_end) {
      continue;
    }
    if (e->values[i].spread) {
      spread_end = end_of(in);
      continue;
    }
    loop_body body = look_into(e, in);
    bool is_short = in->code == MR_L_FOR && rounds_of(e, in) <= MR_CLC_GROUP_SERIAL;
    if (!body.spreads && !body.moves && !is_short) {
      return false;
    }
  }
  return true;
}

static void find_shared(mr_clc_emit *e) {
  for (uint32_t i = 0; i < e->p->num_buffers; i++) {
    e->shared[i] = (e->p->buffers[i].flags & MR_L_MAY_ALIAS) != 0;
  }
  for (uint32_t i = 1; i < e->p->num_instrs; i++) {
    const mr_loop_instr *in = &e->p->instrs[i];
    if (in->code == MR_L_LOAD) {
      e->shared[in->buffer] = true;
    } else if (in->code == MR_L_COPY) {
      e->shared[in->buffer2] = true;
    }
  }
}

static uint64_t local_bytes(const mr_clc_emit *e) {
  uint64_t bytes = 0;
  for (uint32_t i = e->p->num_params; i < e->p->num_buffers; i++) {
    const mr_loop_buffer *buffer = &e->p->buffers[i];
    bytes += ((uint64_t)buffer->count * mr_dtype_bytes((mr_dtype)buffer->dtype) + 63) / 64 * 64;
  }
  return bytes;
}

void mr_clc_plan_group(mr_clc_emit *e) {
  int64_t most = 0;
  e->group = 0;
  if (!e->target->items || e->target->group_items < MR_CLC_GROUP_LEAST || !spread_loops(e, &most) || !most) {
    return;
  }
  find_shared(e);
  uint32_t group = MR_CLC_GROUP_LEAST;
  while (group < MR_CLC_GROUP_MOST && 2 * group <= e->target->group_items && 4 * (int64_t)group <= most) {
    group *= 2;
  }
  if (local_bytes(e) + 8 * (uint64_t)group <= e->target->local_bytes) {
    e->group = group;
  }
}

// ---- Text -----------------------------------------------------------------------------------------------------------------------

static void put_fence(mr_clc_emit *e) {
  if (!e->fenced) {
    mr_text_put(e->text, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n");
  }
  e->fenced = true;
}

bool mr_clc_begin_uniform(mr_clc_emit *e, mr_lbuf buffer) {
  if (!e->group || e->spread) {
    return false;
  }
  if (e->shared[buffer]) {
    put_fence(e);
  }
  return true;
}

void mr_clc_end_uniform(mr_clc_emit *e, mr_lbuf buffer) {
  e->fenced = false;
  if (e->shared[buffer]) {
    put_fence(e);
  }
}

static bool stores_to_shared(const mr_clc_emit *e, const mr_loop_instr *loop) {
  const mr_loop_instr *end = end_of(loop);
  for (const mr_loop_instr *in = loop; in < end; in++) {
    if (in->code == MR_L_STORE && e->shared[in->buffer]) {
      return true;
    }
  }
  return false;
}

typedef struct collected {
  mr_op_kind kind;
  const char *type;  // of the variable, and of memory that holds it
  mr_dtype dtype;
  bool is_key;
} collected;

static collected describe(const mr_clc_emit *e, const mr_loop_instr *set) {
  mr_dtype dtype = (mr_dtype)e->p->instrs[set->a].dtype;
  collected c = {(mr_op_kind)e->p->instrs[set->b].kind, mr_clc_type(dtype), dtype, false};
  c.is_key = e->values[set->a].key != MR_OP_COUNT;
  if (c.is_key) {
    c.type = dtype == MR_F64 ? "long" : "int";
    c.dtype = dtype == MR_F64 ? MR_S64 : MR_S32;
  }
  return c;
}

static mr_clc_name extreme_of(mr_dtype dtype, bool largest) {
  unsigned bits = mr_clc_held_bits(dtype);
  bool has_sign = mr_dtype_is_signed(dtype);
  uint64_t ones = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1, value = largest ? ones : 0;
  if (has_sign) {
    value = largest ? ones >> 1 : ones ^ ones >> 1;
  }
  mr_clc_name name;
  snprintf(name.text, sizeof name.text, "(%s)0x%llxul", mr_clc_type(dtype), (unsigned long long)value);
  return name;
}

static mr_clc_name typed(const char *type, const char *number) {
  mr_clc_name name;
  snprintf(name.text, sizeof name.text, "(%s)%s", type, number);
  return name;
}

// What joined with anything gives that.
static mr_clc_name neutral_none(const collected *c) { return typed(c->type, "0"); }
static mr_clc_name neutral_zero(const collected *c) {
  return typed(c->type, mr_dtype_is_float(c->dtype) ? "-0.0f" : "0");
}
static mr_clc_name neutral_one(const collected *c) { return typed(c->type, "1"); }
static mr_clc_name neutral_ones(const collected *c) {
  mr_clc_name name = neutral_one(c);
  if (c->dtype != MR_PRED) {
    snprintf(name.text, sizeof name.text, "(%s)~(%s)0", c->type, c->type);
  }
  return name;
}
static mr_clc_name neutral_lowest(const collected *c) { return extreme_of(c->dtype, false); }
static mr_clc_name neutral_highest(const collected *c) { return extreme_of(c->dtype, true); }

static mr_clc_name neutral(const collected *c) {
  static mr_clc_name (*const names[MR_OP_COUNT])(const collected *c) = {
#define JOIN(op, fold, on, neutral, clc) [MR_OP_##op] = neutral_##neutral,
#include "ops/instructions.def"
  };
  return names[c->kind](c);
}

static void put_join(mr_clc_emit *e, const collected *c, const char *a, const char *b) {
  static const mr_clc_code codes[MR_OP_COUNT] = {
#define JOIN(op, fold, on, neutral, clc) [MR_OP_##op] = MR_CLC_##clc,
#include "ops/instructions.def"
  };
  mr_clc_words w = {.e = e};
  snprintf(w.v[0].text, sizeof w.v[0].text, "%s", a);
  snprintf(w.v[1].text, sizeof w.v[1].text, "%s", b);
  (void)mr_clc_put_coded(&codes[c->kind], &w);
}

// Whether this is the first SET of its variable in the loop, which is spread, of a variable of before.
static bool is_first_set(const mr_clc_emit *e, const mr_loop_instr *loop, const mr_loop_instr *set) {
  return set->code == MR_L_SET && !is_inside(e, loop, set->a) && e->values[mr_clc_number(e, set)].begins;
}

void mr_clc_enter_spread(mr_clc_emit *e, const mr_loop_instr *loop) {
  if (stores_to_shared(e, loop)) {
    put_fence(e);
  }
  const mr_loop_instr *end = end_of(loop);
  mr_text_put(e->text, "{\n");
  for (const mr_loop_instr *in = loop; in < end; in++) {
    if (!is_first_set(e, loop, in)) {
      continue;
    }
    collected c = describe(e, in);
    mr_text_put(e->text, "%s y%u = x%u; x%u = %s;\n", c.type, in->a, in->a, in->a, neutral(&c).text);
  }
  e->spread = loop;
  e->fenced = false;
}

// In local memory: half of the items join what the other half has, and so on.
static void put_tree(mr_clc_emit *e, const mr_loop_instr *set) {
  collected c = describe(e, set);
  const char *memory = c.dtype == MR_PRED ? "uchar" : c.type;
  mr_text_put(e->text, "local %s *t%u = (local %s *)tree;\nt%u[item] = x%u;\nbarrier(CLK_LOCAL_MEM_FENCE);\n", memory,
              set->a, memory, set->a, set->a);
  mr_text_put(e->text, "for (uint n = %uu; n; n >>= 1) {\nif (item < n) t%u[item] = ", e->group / 2, set->a);
  char a[40], b[40];
  snprintf(a, sizeof a, "t%u[item]", set->a);
  snprintf(b, sizeof b, "t%u[item + n]", set->a);
  put_join(e, &c, a, b);
  mr_text_put(e->text, ";\nbarrier(CLK_LOCAL_MEM_FENCE);\n}\nx%u = ", set->a);
  snprintf(a, sizeof a, "y%u", set->a);
  snprintf(b, sizeof b, "t%u[0]", set->a);
  put_join(e, &c, a, b);
  mr_text_put(e->text, ";\nbarrier(CLK_LOCAL_MEM_FENCE);\n");
}

void mr_clc_leave_spread(mr_clc_emit *e, const mr_loop_instr *loop) {
  const mr_loop_instr *end = end_of(loop);
  e->spread = NULL;
  e->fenced = false;
  for (const mr_loop_instr *in = loop; in < end; in++) {
    if (is_first_set(e, loop, in)) {
      put_tree(e, in);
    }
  }
  mr_text_put(e->text, "}\n");
  if (stores_to_shared(e, loop)) {
    put_fence(e);
  }
}
