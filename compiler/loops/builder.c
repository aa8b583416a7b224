// Appending instructions. Values are numbers of instructions; errors of memory and of nesting set `failed`, after which
// every builder call answers 0 and mr_loop_check reports it.
#include <string.h>

#include "compiler/ir/scalar.h"
#include "compiler/loops/builder.h"
#include "ops/instructions.h"

mr_status mr_loop_create(mr_loop_program **out_program) {
  *out_program = mr_alloc_zeroed(1, sizeof **out_program);
  if (!*out_program) {
    return MR_NO_MEMORY();
  }
  mr_loop_program *p = *out_program;
  p->capacity = 64;
  p->instrs = mr_alloc(p->capacity * sizeof *p->instrs);
  if (!p->instrs) {
    mr_free(p);
    *out_program = NULL;
    return MR_NO_MEMORY();
  }
  p->instrs[0] = (mr_loop_instr){0};
  p->num_instrs = 1;  // the NOP that stands for "none"
  return MR_OK;
}

void mr_loop_release(mr_loop_program *program) {
  if (!program) {
    return;
  }
  mr_free(program->instrs);
  mr_free(program->buffers);
  mr_free(program->shared);
  mr_free(program);
}

void mr_loop_reset(mr_loop_program *p) {
  if (p->shared_count) {
    memset(p->shared, 0, p->shared_capacity * sizeof *p->shared);
  }
  p->num_instrs = 1;
  p->num_buffers = p->num_params = p->depth = p->shared_count = 0;
  p->failed = false;
}

mr_status mr_loop_copy(const mr_loop_program *from, mr_loop_program **out_program) {
  mr_loop_program *p = *out_program = mr_alloc_zeroed(1, sizeof *p);
  mr_loop_instr *instrs = mr_alloc(from->num_instrs * sizeof *instrs);
  mr_loop_buffer *buffers = mr_alloc((from->num_buffers + 1) * sizeof *buffers);
  if (!p || !instrs || !buffers) {
    mr_free(instrs);
    mr_free(buffers);
    mr_free(p);
    *out_program = NULL;
    return MR_NO_MEMORY();
  }
  memcpy(instrs, from->instrs, from->num_instrs * sizeof *instrs);
  memcpy(buffers, from->buffers, from->num_buffers * sizeof *buffers);
  p->instrs = instrs;
  p->num_instrs = p->capacity = from->num_instrs;
  p->buffers = buffers;
  p->num_buffers = from->num_buffers;
  p->buffer_capacity = from->num_buffers + 1;
  p->num_params = from->num_params;
  return MR_OK;
}

static uint32_t append(mr_loop_program *p, mr_loop_instr instr) {
  if (p->failed) {
    return 0;
  }
  if (p->num_instrs == p->capacity) {
    uint32_t capacity = p->capacity * 2;
    mr_loop_instr *bigger = capacity > p->capacity ? mr_realloc(p->instrs, capacity * sizeof *bigger) : NULL;
    if (!bigger) {
      p->failed = true;
      return 0;
    }
    p->instrs = bigger;
    p->capacity = capacity;
  }
  p->instrs[p->num_instrs] = instr;
  return p->num_instrs++;
}

static mr_lbuf add_buffer(mr_loop_program *p, mr_loop_buffer buffer) {
  if (p->failed) {
    return 0;
  }
  if (p->num_buffers == p->buffer_capacity) {
    uint32_t capacity = p->buffer_capacity ? p->buffer_capacity * 2 : 8;
    mr_loop_buffer *bigger = mr_realloc(p->buffers, capacity * sizeof *bigger);
    if (!bigger) {
      p->failed = true;
      return 0;
    }
    p->buffers = bigger;
    p->buffer_capacity = capacity;
  }
  p->buffers[p->num_buffers] = buffer;
  return p->num_buffers++;
}

mr_lbuf mr_l_buffer(mr_loop_program *p, mr_dtype dtype, uint32_t flags) {
  if (p->num_params != p->num_buffers) {
    p->failed = true;  // a parameter after a local
  }
  mr_lbuf buffer = add_buffer(p, (mr_loop_buffer){.dtype = (uint8_t)dtype, .flags = flags});
  if (!p->failed) {
    p->num_params = p->num_buffers;
  }
  return buffer;
}

mr_lbuf mr_l_local(mr_loop_program *p, mr_dtype dtype, int64_t count) {
  return add_buffer(p, (mr_loop_buffer){(uint8_t)dtype, MR_L_READ | MR_L_WRITE | MR_L_LOCAL, count});
}

// ---- Instructions without a scope, made once --------------------------------------------------------------------------

static uint64_t shared_hash(uint8_t code, uint8_t dtype, uint64_t imm) {
  uint64_t h = (imm ^ ((uint64_t)code << 56) ^ ((uint64_t)dtype << 48)) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

static bool grow_shared(mr_loop_program *p) {
  uint32_t capacity = p->shared_capacity ? p->shared_capacity * 2 : 32;
  uint32_t *table = mr_alloc_zeroed(capacity, sizeof *table);
  if (!table) {
    return false;
  }
  for (uint32_t i = 0; i < p->shared_capacity; i++) {
    uint32_t number = p->shared[i];
    if (!number) {
      continue;
    }
    const mr_loop_instr *in = &p->instrs[number];
    uint64_t slot = shared_hash(in->code, in->dtype, in->imm) & (capacity - 1);
    while (table[slot]) {
      slot = (slot + 1) & (capacity - 1);
    }
    table[slot] = number;
  }
  mr_free(p->shared);
  p->shared = table;
  p->shared_capacity = capacity;
  return true;
}

static mr_lv make_shared(mr_loop_program *p, uint8_t code, mr_dtype dtype, uint64_t imm) {
  if (p->failed) {
    return 0;
  }
  if (p->shared_count * 2 >= p->shared_capacity && !grow_shared(p)) {
    p->failed = true;
    return 0;
  }
  uint64_t slot = shared_hash(code, (uint8_t)dtype, imm) & (p->shared_capacity - 1);
  for (; p->shared[slot]; slot = (slot + 1) & (p->shared_capacity - 1)) {
    const mr_loop_instr *in = &p->instrs[p->shared[slot]];
    if (in->code == code && in->dtype == dtype && in->imm == imm) {
      return p->shared[slot];
    }
  }
  mr_lv v = append(p, (mr_loop_instr){.code = code, .dtype = (uint8_t)dtype, .imm = imm});
  if (v) {
    p->shared[slot] = v;
    p->shared_count++;
  }
  return v;
}

mr_lv mr_l_index(mr_loop_program *p, int64_t value) { return make_shared(p, MR_L_CONST, MR_S64, (uint64_t)value); }

mr_lv mr_l_bits(mr_loop_program *p, mr_dtype dtype, uint64_t bits) {
  unsigned width = mr_dtype_bits(dtype);
  if (width < 64) {
    bits &= ((uint64_t)1 << width) - 1;
  }
  return make_shared(p, MR_L_CONST, dtype, bits);
}

mr_lv mr_l_float(mr_loop_program *p, mr_dtype dtype, double value) {
  uint64_t element[MR_SCALAR_BYTES / 8] = {0};
  mr_scalar_from_double(dtype, value, element);
  return mr_l_bits(p, dtype, element[0]);
}

mr_lv mr_l_int(mr_loop_program *p, mr_dtype dtype, int64_t value) {
  return mr_l_bits(p, dtype, dtype == MR_PRED ? value != 0 : (uint64_t)value);
}

mr_lv mr_l_begin(mr_loop_program *p) { return make_shared(p, MR_L_BEGIN, MR_S64, 0); }
mr_lv mr_l_end_of_range(mr_loop_program *p) { return make_shared(p, MR_L_FINISH, MR_S64, 0); }

// ---- Index arithmetic -------------------------------------------------------------------------------------------------

bool mr_l_const_index(const mr_loop_program *p, mr_lv v, int64_t *out_value) {
  if (!v || p->instrs[v].code != MR_L_CONST || p->instrs[v].dtype != MR_S64) {
    return false;
  }
  *out_value = (int64_t)p->instrs[v].imm;
  return true;
}

static bool is_index(const mr_loop_program *p, mr_lv v, int64_t value) {
  int64_t c;
  return mr_l_const_index(p, v, &c) && c == value;
}

static mr_lv index_op(mr_loop_program *p, mr_op_kind kind, mr_lv a, mr_lv b) {
  return append(p, (mr_loop_instr){.code = MR_L_INDEX, .dtype = MR_S64, .kind = (uint16_t)kind, .a = a, .b = b});
}

mr_lv mr_l_iadd(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y, r;
  if (is_index(p, a, 0)) {
    return b;
  }
  if (is_index(p, b, 0)) {
    return a;
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y) && !__builtin_add_overflow(x, y, &r)) {
    return mr_l_index(p, r);
  }
  return index_op(p, MR_OP_add, a, b);
}

mr_lv mr_l_isub(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y, r;
  if (is_index(p, b, 0)) {
    return a;
  }
  if (a == b) {
    return mr_l_index(p, 0);
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y) && !__builtin_sub_overflow(x, y, &r)) {
    return mr_l_index(p, r);
  }
  return index_op(p, MR_OP_subtract, a, b);
}

mr_lv mr_l_imul(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y, r;
  if (is_index(p, a, 1)) {
    return b;
  }
  if (is_index(p, b, 1)) {
    return a;
  }
  if (is_index(p, a, 0) || is_index(p, b, 0)) {
    return mr_l_index(p, 0);
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y) && !__builtin_mul_overflow(x, y, &r)) {
    return mr_l_index(p, r);
  }
  return index_op(p, MR_OP_multiply, a, b);
}

mr_lv mr_l_idiv(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y;
  if (is_index(p, b, 1) || is_index(p, a, 0)) {
    return a;
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y) && y > 0) {
    return mr_l_index(p, x / y);
  }
  return index_op(p, MR_OP_divide, a, b);
}

mr_lv mr_l_irem(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y;
  if (is_index(p, b, 1) || is_index(p, a, 0)) {
    return mr_l_index(p, 0);
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y) && y > 0) {
    return mr_l_index(p, x % y);
  }
  return index_op(p, MR_OP_remainder, a, b);
}

mr_lv mr_l_imin(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y;
  if (a == b) {
    return a;
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y)) {
    return x < y ? a : b;
  }
  return index_op(p, MR_OP_minimum, a, b);
}

mr_lv mr_l_imax(mr_loop_program *p, mr_lv a, mr_lv b) {
  int64_t x, y;
  if (a == b) {
    return a;
  }
  if (mr_l_const_index(p, a, &x) && mr_l_const_index(p, b, &y)) {
    return x > y ? a : b;
  }
  return index_op(p, MR_OP_maximum, a, b);
}

// ---- Elements ---------------------------------------------------------------------------------------------------------

mr_dtype mr_l_dtype(const mr_loop_program *p, mr_lv v) {
  const mr_loop_instr *in = &p->instrs[v];
  if (in->code == MR_L_ELEMENT && mr_op_is_test((mr_op_kind)in->kind)) {
    return MR_PRED;
  }
  return (mr_dtype)in->dtype;
}

static mr_lv element(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b, mr_lv c, uint64_t imm) {
  return append(
      p,
      (mr_loop_instr){
          .code = MR_L_ELEMENT, .dtype = (uint8_t)dtype, .kind = (uint16_t)kind, .a = a, .b = b, .c = c, .imm = imm});
}

mr_lv mr_l_unary(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a) {
  if (kind == MR_OP_convert) {
    return mr_l_convert(p, dtype, a);
  }
  if (kind == MR_OP_bitcast_convert) {
    return mr_l_bitcast(p, dtype, a);
  }
  if (mr_op_is_test(kind)) {
    dtype = mr_l_dtype(p, a);
  }
  return element(p, kind, dtype, a, 0, 0, 0);
}

mr_lv mr_l_binary(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b) {
  return element(p, kind, dtype, a, b, 0, 0);
}

mr_lv mr_l_binary_flags(mr_loop_program *p, mr_op_kind kind, mr_dtype dtype, mr_lv a, mr_lv b, uint32_t flags) {
  mr_lv v = element(p, kind, dtype, a, b, 0, 0);
  if (v) {
    p->instrs[v].flags |= flags;
  }
  return v;
}

// Whether `v` is a product, or with `minus` turned round the negative of one.
static const mr_loop_instr *product_of(const mr_loop_program *p, mr_lv v, bool *minus) {
  const mr_loop_instr *in = &p->instrs[v];
  if (in->code == MR_L_ELEMENT && in->kind == MR_OP_negate) {
    *minus = !*minus;
    in = &p->instrs[in->a];
  }
  bool is_product = in->code == MR_L_ELEMENT && (in->kind == MR_OP_multiply || in->kind == MR_OP_square);
  return is_product ? in : NULL;
}

bool mr_l_join_of(const mr_loop_program *p, const mr_loop_instr *sum, mr_l_join *out) {
  const uint32_t flags[2] = {MR_L_JOIN_LEFT, MR_L_JOIN_RIGHT};
  const mr_lv operands[2] = {sum->a, sum->b};
  bool is_sum = sum->kind == MR_OP_add || sum->kind == MR_OP_subtract;
  for (int side = 0; side < 2 && is_sum && (sum->dtype == MR_F32 || sum->dtype == MR_F64); side++) {
    bool minus[2] = {false, sum->kind == MR_OP_subtract};
    const mr_loop_instr *product = sum->flags & flags[side] ? product_of(p, operands[side], &minus[side]) : NULL;
    if (product) {
      *out = (mr_l_join){.factors = {product->a, product->kind == MR_OP_square ? product->a : product->b},
                         .rest = operands[1 - side],
                         .minus_product = minus[side],
                         .minus_rest = minus[1 - side]};
      return true;
    }
  }
  return false;
}

mr_lv mr_l_compare(mr_loop_program *p, int direction, int compare_type, mr_dtype dtype, mr_lv a, mr_lv b) {
  return element(p, MR_OP_compare, dtype, a, b, 0,
                 (uint64_t)(unsigned)direction | (uint64_t)(unsigned)compare_type << 8);
}

mr_lv mr_l_select(mr_loop_program *p, mr_dtype dtype, mr_lv condition, mr_lv t, mr_lv f) {
  return element(p, MR_OP_select, dtype, condition, t, f, 0);
}

mr_lv mr_l_convert(mr_loop_program *p, mr_dtype to, mr_lv a) {
  return mr_l_dtype(p, a) == to ? a : element(p, MR_OP_convert, to, a, 0, 0, 0);
}

mr_lv mr_l_bitcast(mr_loop_program *p, mr_dtype to, mr_lv a) {
  return mr_l_dtype(p, a) == to ? a : element(p, MR_OP_bitcast_convert, to, a, 0, 0, 0);
}

mr_lv mr_l_reduce_precision(mr_loop_program *p, mr_dtype dtype, int exponent_bits, int mantissa_bits, mr_lv a) {
  uint64_t imm = (uint64_t)(unsigned)exponent_bits | (uint64_t)(unsigned)mantissa_bits << 8;
  return element(p, MR_OP_reduce_precision, dtype, a, 0, 0, imm);
}

// ---- Memory -----------------------------------------------------------------------------------------------------------

static mr_dtype buffer_dtype(const mr_loop_program *p, mr_lbuf buffer) {
  return buffer < p->num_buffers ? (mr_dtype)p->buffers[buffer].dtype : MR_INVALID;
}

mr_lv mr_l_load_flags(mr_loop_program *p, mr_lbuf buffer, mr_lv index, uint32_t flags) {
  return append(
      p,
      (mr_loop_instr){
          .code = MR_L_LOAD, .dtype = (uint8_t)buffer_dtype(p, buffer), .flags = flags, .a = index, .buffer = buffer});
}

mr_lv mr_l_load(mr_loop_program *p, mr_lbuf buffer, mr_lv index) { return mr_l_load_flags(p, buffer, index, 0); }

void mr_l_store_flags(mr_loop_program *p, mr_lbuf buffer, mr_lv index, mr_lv value, uint32_t flags) {
  append(p, (mr_loop_instr){.code = MR_L_STORE,
                            .dtype = (uint8_t)buffer_dtype(p, buffer),
                            .flags = flags,
                            .a = index,
                            .b = value,
                            .buffer = buffer});
}

void mr_l_store(mr_loop_program *p, mr_lbuf buffer, mr_lv index, mr_lv value) {
  mr_l_store_flags(p, buffer, index, value, 0);
}

void mr_l_fill(mr_loop_program *p, mr_lbuf buffer, mr_lv from, mr_lv to, mr_lv value) {
  append(p, (mr_loop_instr){.code = MR_L_FILL,
                            .dtype = (uint8_t)buffer_dtype(p, buffer),
                            .a = from,
                            .b = to,
                            .c = value,
                            .buffer = buffer});
}

void mr_l_copy(mr_loop_program *p, mr_lbuf to, mr_lv to_index, mr_lbuf from, mr_lv from_index, mr_lv count) {
  append(p, (mr_loop_instr){.code = MR_L_COPY,
                            .dtype = (uint8_t)buffer_dtype(p, to),
                            .a = to_index,
                            .b = from_index,
                            .c = count,
                            .buffer = to,
                            .buffer2 = from});
}

// ---- Scopes -----------------------------------------------------------------------------------------------------------

static void open_scope(mr_loop_program *p, uint32_t number) {
  if (p->depth == MR_ARRAY_SIZE(p->open)) {
    p->failed = true;
  }
  if (!p->failed) {
    p->open[p->depth++] = number;
  }
}

mr_lv mr_l_for(mr_loop_program *p, mr_lv from, mr_lv to, int64_t step, uint32_t flags) {
  mr_lv v = append(
      p, (mr_loop_instr){.code = MR_L_FOR, .dtype = MR_S64, .flags = flags, .a = from, .b = to, .imm = (uint64_t)step});
  open_scope(p, v);
  return v;
}

void mr_l_if(mr_loop_program *p, mr_lv condition) {
  open_scope(p, append(p, (mr_loop_instr){.code = MR_L_IF, .a = condition}));
}

void mr_l_else(mr_loop_program *p) { append(p, (mr_loop_instr){.code = MR_L_ELSE}); }

void mr_l_while_flags(mr_loop_program *p, uint32_t flags) {
  open_scope(p, append(p, (mr_loop_instr){.code = MR_L_WHILE, .flags = flags}));
}

void mr_l_while(mr_loop_program *p) { mr_l_while_flags(p, 0); }

void mr_l_do(mr_loop_program *p, mr_lv condition) { append(p, (mr_loop_instr){.code = MR_L_DO, .a = condition}); }

void mr_l_end(mr_loop_program *p) {
  if (!p->depth) {
    p->failed = true;
  }
  if (p->failed) {
    return;
  }
  p->depth--;
  append(p, (mr_loop_instr){.code = MR_L_END});
}

mr_lv mr_l_var(mr_loop_program *p, mr_lv initial) {
  return append(p, (mr_loop_instr){.code = MR_L_VAR, .dtype = (uint8_t)mr_l_dtype(p, initial), .a = initial});
}

mr_lv mr_l_get(mr_loop_program *p, mr_lv var) {
  return append(p, (mr_loop_instr){.code = MR_L_GET, .dtype = p->instrs[var].dtype, .a = var});
}

void mr_l_set(mr_loop_program *p, mr_lv var, mr_lv value) {
  append(p, (mr_loop_instr){.code = MR_L_SET, .dtype = p->instrs[var].dtype, .a = var, .b = value});
}

// ---- Inlining ---------------------------------------------------------------------------------------------------------

mr_lv mr_loop_copy_instr(mr_loop_program *to, const mr_loop_instr *in, const mr_lv *values, const mr_lbuf *buffers,
                         mr_lv begin, mr_lv end) {
  if (in->code == MR_L_CONST) {
    return make_shared(to, MR_L_CONST, (mr_dtype)in->dtype, in->imm);
  }
  if (in->code == MR_L_BEGIN || in->code == MR_L_FINISH) {
    return in->code == MR_L_BEGIN ? begin : end;
  }
  if (in->code == MR_L_END) {
    mr_l_end(to);
    return 0;
  }
  mr_loop_instr copy = *in;
  copy.a = values[in->a];
  copy.b = values[in->b];
  copy.c = values[in->c];
  if (in->code == MR_L_LOAD || in->code == MR_L_STORE || in->code == MR_L_FILL || in->code == MR_L_COPY) {
    copy.buffer = buffers[in->buffer];
  }
  if (in->code == MR_L_COPY) {
    copy.buffer2 = buffers[in->buffer2];
  }
  uint32_t number = append(to, copy);
  if (in->code == MR_L_FOR || in->code == MR_L_IF || in->code == MR_L_WHILE) {
    open_scope(to, number);
  }
  return number;
}

void mr_l_inline(mr_loop_program *to, const mr_loop_program *from, const mr_lbuf *buffers, mr_lv begin, mr_lv end) {
  mr_lv *values = mr_alloc_zeroed(from->num_instrs, sizeof *values);
  mr_lbuf *mapped = mr_alloc_zeroed(from->num_buffers + 1, sizeof *mapped);
  if (!values || !mapped || from->failed || from->depth) {
    to->failed = true;
  } else {
    for (uint32_t i = 0; i < from->num_buffers; i++) {
      mapped[i] =
          i < from->num_params ? buffers[i] : mr_l_local(to, (mr_dtype)from->buffers[i].dtype, from->buffers[i].count);
    }
    for (uint32_t i = 1; i < from->num_instrs && !to->failed; i++) {
      values[i] = mr_loop_copy_instr(to, &from->instrs[i], values, mapped, begin, end);
    }
  }
  mr_free(values);
  mr_free(mapped);
}
