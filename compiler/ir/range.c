// What is known about the size of integers: constants, counts, loop counters, and arithmetic on them that does not wrap.
#include "compiler/ir/ir.h"
#include "compiler/ir/scalar.h"

enum { DEEPEST = 6, MOST_ELEMENTS = 256 };

typedef struct range {
  int64_t low, high;
} range;

static bool find(const mr_value *value, int depth, range *out);

// What the type can hold; false for types without order and for ui64, whose upper half does not fit.
static bool range_of_type(mr_dtype dtype, range *out) {
  unsigned bits = mr_dtype_bits(dtype);
  if (dtype == MR_PRED) {
    *out = (range){0, 1};
    return true;
  }
  if (mr_dtype_is_signed(dtype)) {
    int64_t high = bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
    *out = (range){-high - 1, high};
    return true;
  }
  if (mr_dtype_is_unsigned(dtype) && bits < 64) {
    *out = (range){0, (INT64_C(1) << bits) - 1};
    return true;
  }
  if (dtype == MR_U64) {
    *out = (range){0, INT64_MAX};  // as a bound for arithmetic; find() does not hand it out
    return true;
  }
  return false;
}

static bool fits(mr_dtype dtype, range r) {
  range all;
  return r.low <= r.high && range_of_type(dtype, &all) && r.low >= all.low && r.high <= all.high;
}

static range join(range a, range b) { return (range){MR_MIN(a.low, b.low), MR_MAX(a.high, b.high)}; }

static bool of_constant(const mr_dense *dense, range *out) {
  int64_t count = dense->splat ? 1 : mr_type_count(&dense->type);
  if (count < 1 || count > MOST_ELEMENTS) {
    return false;
  }
  for (int64_t i = 0; i < count; i++) {
    const char *element = (const char *)dense->data + (size_t)i * mr_dtype_bytes(dense->type.dtype);
    int64_t value = mr_scalar_to_int(dense->type.dtype, element);
    if (dense->type.dtype == MR_U64 && value < 0) {
      return false;
    }
    *out = i ? join(*out, (range){value, value}) : (range){value, value};
  }
  return true;
}

static bool add(range a, range b, range *out) {
  return !__builtin_add_overflow(a.low, b.low, &out->low) && !__builtin_add_overflow(a.high, b.high, &out->high);
}

static bool subtract(range a, range b, range *out) {
  return !__builtin_sub_overflow(a.low, b.high, &out->low) && !__builtin_sub_overflow(a.high, b.low, &out->high);
}

static bool multiply(range a, range b, range *out) {
  int64_t p[4];
  if (__builtin_mul_overflow(a.low, b.low, &p[0]) || __builtin_mul_overflow(a.low, b.high, &p[1]) ||
      __builtin_mul_overflow(a.high, b.low, &p[2]) || __builtin_mul_overflow(a.high, b.high, &p[3])) {
    return false;
  }
  *out = (range){p[0], p[0]};
  for (int i = 1; i < 4; i++) {
    *out = join(*out, (range){p[i], p[i]});
  }
  return true;
}

static bool maximum(range a, range b, range *out) {
  *out = (range){MR_MAX(a.low, b.low), MR_MAX(a.high, b.high)};
  return true;
}

static bool minimum(range a, range b, range *out) {
  *out = (range){MR_MIN(a.low, b.low), MR_MIN(a.high, b.high)};
  return true;
}

static bool divide(range a, range b, range *out) {
  if (b.low != b.high || b.low < 1) {
    return false;
  }
  *out = (range){a.low / b.low, a.high / b.low};
  return true;
}

// It has the dividend's sign.
static bool remainder_of(range a, range b, range *out) {
  if (b.low < 1) {
    return false;
  }
  *out = (range){a.low < 0 ? -(b.high - 1) : 0, a.high < 0 ? 0 : MR_MIN(a.high, b.high - 1)};
  return true;
}

// Of ops of two numbers, from their ranges.
static bool (*const of_two[MR_OP_COUNT])(range a, range b, range *out) = {
    [MR_OP_add] = add,         [MR_OP_subtract] = subtract, [MR_OP_multiply] = multiply,      [MR_OP_maximum] = maximum,
    [MR_OP_minimum] = minimum, [MR_OP_divide] = divide,     [MR_OP_remainder] = remainder_of,
};

static bool binary(const mr_op *op, int depth, range *out) {
  range a, b;
  return find(mr_op_operand(op, 0), depth, &a) && find(mr_op_operand(op, 1), depth, &b) && of_two[op->kind](a, b, out);
}

// x & m with m not negative
static bool mask(const mr_op *op, int depth, range *out) {
  range a, b;
  bool known_a = find(mr_op_operand(op, 0), depth, &a) && a.low >= 0;
  bool known_b = find(mr_op_operand(op, 1), depth, &b) && b.low >= 0;
  if (!known_a && !known_b) {
    return false;
  }
  *out = (range){0, !known_a ? b.high : !known_b ? a.high : MR_MIN(a.high, b.high)};
  return true;
}

static bool union_of(const mr_op *op, uint32_t first, int depth, range *out) {
  for (uint32_t i = first; i < op->num_operands; i++) {
    range r;
    if (!find(mr_op_operand(op, i), depth, &r)) {
      return false;
    }
    *out = i > first ? join(*out, r) : r;
  }
  return op->num_operands > first;
}

static bool clamp(const mr_op *op, int depth, range *out) {
  range low, x, high;
  if (!find(mr_op_operand(op, 0), depth, &low) || !find(mr_op_operand(op, 1), depth, &x) ||
      !find(mr_op_operand(op, 2), depth, &high)) {
    return false;
  }
  *out = (range){MR_MIN(MR_MAX(x.low, low.low), high.low), MR_MIN(MR_MAX(x.high, low.high), high.high)};
  return true;
}

static bool of_op(const mr_op *op, int depth, range *out) {
  if (of_two[op->kind]) {
    return binary(op, depth, out);
  }
  switch (op->kind) {
  case MR_OP_constant: {
    const mr_dense *dense = mr_value_constant(&op->results[0]);
    return dense && of_constant(dense, out);
  }
  case MR_OP_iota: {
    int64_t size = op->results[0].type.dims[mr_op_int(op, MR_ATTR_iota_dimension, 0)];
    *out = (range){0, size - 1};
    return size > 0;
  }
  case MR_OP_and: return mask(op, depth, out);
  case MR_OP_clamp: return clamp(op, depth, out);
  case MR_OP_select: return union_of(op, 1, depth, out);
  case MR_OP_concatenate: return union_of(op, 0, depth, out);
  case MR_OP_convert:
  case MR_OP_broadcast_in_dim:
  case MR_OP_reshape:
  case MR_OP_slice:
  case MR_OP_transpose:
  case MR_OP_reverse:
  case MR_OP_dynamic_slice:
  case MR_OP_gather: {
    mr_dtype from = mr_op_operand(op, 0)->type.dtype;
    return (from == MR_PRED || mr_dtype_is_integer(from)) && find(mr_op_operand(op, 0), depth, out);
  }
  default: return false;  // nothing is known, which is always right
  }
}

// ---- Loop counters -------------------------------------------------------------------------------------------------

// The step when slot i of the loop grows by a positive constant each round.
static bool step_of(const mr_op *loop, uint32_t i, int64_t *out) {
  const mr_block *body = loop->regions[1];
  const mr_value *next = mr_op_operand(mr_block_terminator(body), i);
  if (!next->def || next->def->kind != MR_OP_add || next->def->block != body) {
    return false;
  }
  for (uint32_t side = 0; side < 2; side++) {
    const mr_dense *dense = mr_value_constant(mr_op_operand(next->def, 1 - side));
    range r;
    if (mr_op_operand(next->def, side) == body->args[i] && dense && of_constant(dense, &r)) {
      *out = r.low;
      return r.low == r.high && r.low > 0;
    }
  }
  return false;
}

// What a loop's condition asks for: slot < limit, alone or with other things.
typedef struct test {
  const mr_value *slot, *limit;
  bool alone;
} test;

static bool find_test(const mr_block *condition, const mr_value *value, int depth, test *out) {
  const mr_op *op = value->def;
  if (!op || depth == 0) {
    return false;
  }
  if (op->kind == MR_OP_and && value->type.dtype == MR_PRED) {
    bool found = find_test(condition, mr_op_operand(op, 0), depth - 1, out) ||
                 find_test(condition, mr_op_operand(op, 1), depth - 1, out);
    out->alone = false;
    return found;
  }
  if (op->kind != MR_OP_compare) {
    return false;
  }
  int64_t direction = mr_op_int(op, MR_ATTR_comparison_direction, 0);
  if (direction != MR_COMPARE_LT && direction != MR_COMPARE_GT) {
    return false;
  }
  uint32_t smaller = direction == MR_COMPARE_GT;
  *out = (test){mr_op_operand(op, smaller), mr_op_operand(op, 1 - smaller), true};
  return !out->slot->def && out->slot->block == condition && out->slot->type.rank == 0;
}

typedef struct counter {
  uint32_t slot;
  range start, limit;
  int64_t step;
  bool exact;  // the loop goes on exactly while the counter is below the limit
} counter;

// The slot that the condition compares, when it counts up to what it is compared with.
static bool find_counter(const mr_op *loop, int depth, counter *out) {
  const mr_block *condition = loop->regions[0];
  test t;
  range last;
  if (!find_test(condition, mr_op_operand(mr_block_terminator(condition), 0), DEEPEST, &t) ||
      !mr_dtype_is_integer(t.slot->type.dtype) || !step_of(loop, t.slot->index, &out->step)) {
    return false;
  }
  out->slot = t.slot->index;
  out->exact = t.alone;
  return find(t.limit, depth, &out->limit) && find(mr_op_operand(loop, out->slot), depth, &out->start) &&
         add(out->limit, (range){out->step, out->step}, &last) && fits(t.slot->type.dtype, last);
}

// The most rounds a loop with this counter makes.
static bool most_rounds(const counter *c, int64_t *out) {
  int64_t span;
  if (__builtin_sub_overflow(c->limit.high, c->start.low, &span)) {
    return false;
  }
  *out = span <= 0 ? 0 : span / c->step + (span % c->step != 0);
  return true;
}

static bool of_argument(const mr_value *value, int depth, range *out) {
  const mr_op *loop = value->block->parent;
  counter c;
  int64_t step, rounds;
  if (!loop || loop->kind != MR_OP_while || value->type.rank != 0 || !step_of(loop, value->index, &step) ||
      !find_counter(loop, depth, &c) || !most_rounds(&c, &rounds) || rounds == 0) {
    return false;
  }
  range start;
  if (!find(mr_op_operand(loop, value->index), depth, &start)) {
    return false;
  }
  // The body sees the slot before each round, the condition also after the last. The value after the last round is made
  // by the body in either case, so it must fit or the slot has wrapped.
  int64_t grown;
  range after;
  if (__builtin_mul_overflow(step, rounds, &grown) || !add(start, (range){0, grown}, &after) ||
      !fits(value->type.dtype, after)) {
    return false;
  }
  *out = after;
  if (value->block->region == 1) {
    // What the condition lets through is below the limit, whatever it started from.
    out->high = value->index == c.slot ? c.limit.high - 1 : after.high - step;
  }
  return out->low <= out->high;
}

static bool find(const mr_value *value, int depth, range *out) {
  mr_dtype dtype = value->type.dtype;
  range all;
  if (value->type.kind != MR_TYPE_TENSOR || value->type.quant || !(dtype == MR_PRED || mr_dtype_is_integer(dtype)) ||
      !range_of_type(dtype, &all)) {
    return false;
  }
  range found;
  bool known = depth > 0 && (value->def ? of_op(value->def, depth - 1, &found) : of_argument(value, depth - 1, &found));
  if (known && fits(dtype, found)) {
    *out = found;
    return true;
  }
  *out = all;
  return dtype != MR_U64;
}

bool mr_value_range(const mr_value *value, int64_t *out_low, int64_t *out_high) {
  range r;
  if (!find(value, DEEPEST, &r)) {
    return false;
  }
  *out_low = r.low;
  *out_high = r.high;
  return true;
}

bool mr_while_trips(const mr_op *loop, int64_t *out_trips) {
  counter c;
  return find_counter(loop, DEEPEST, &c) && c.exact && c.start.low == c.start.high && c.limit.low == c.limit.high &&
         most_rounds(&c, out_trips);
}

bool mr_while_step(const mr_op *loop, uint32_t slot, int64_t *out_step) { return step_of(loop, slot, out_step); }
