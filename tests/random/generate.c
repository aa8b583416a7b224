// The generator's frame: functions, the pool of values that may be used, constants, what a program ends with.
#include <string.h>

#include "tests/random/random.h"

bool dtype_in(mr_dtype dtype, unsigned classes) {
  switch (mr_dtype_class_of(dtype)) {
  case MR_CLASS_BOOL: return classes & CLASS_BOOL;
  case MR_CLASS_SIGNED:
  case MR_CLASS_UNSIGNED: return classes & CLASS_INT;
  case MR_CLASS_FLOAT: return (classes & CLASS_FLOAT) || ((classes & CLASS_WIDE) && dtype_is_wide(dtype));
  case MR_CLASS_COMPLEX: return classes & CLASS_COMPLEX;
  default: return false;
  }
}

// How often each element type is what a program is about.
static const struct {
  mr_dtype dtype;
  int weight;
} dtype_weights[] = {
    {MR_F32, 34},       {MR_S32, 12},          {MR_PRED, 8},       {MR_F64, 7},    {MR_BF16, 6},      {MR_F16, 6},
    {MR_S8, 3},         {MR_S16, 2},           {MR_S64, 3},        {MR_U8, 3},     {MR_U16, 2},       {MR_U32, 3},
    {MR_U64, 2},        {MR_C64, 4},           {MR_C128, 2},       {MR_F8E5M2, 1}, {MR_F8E4M3FN, 1},  {MR_F8E4M3, 1},
    {MR_F8E4M3FNUZ, 1}, {MR_F8E4M3B11FNUZ, 1}, {MR_F8E5M2FNUZ, 1}, {MR_F8E3M4, 1}, {MR_F8E8M0FNU, 1}, {MR_F4E2M1FN, 1},
    {MR_F6E2M3FN, 1},   {MR_F6E3M2FN, 1},      {MR_S4, 1},         {MR_U4, 1},     {MR_S2, 1},        {MR_U2, 1},
};

static mr_dtype any_dtype(rng *r) {
  int total = 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(dtype_weights); i++) {
    total += dtype_weights[i].weight;
  }
  int64_t at = rng_below(r, total);
  for (size_t i = 0; i < MR_ARRAY_SIZE(dtype_weights); i++) {
    at -= dtype_weights[i].weight;
    if (at < 0) {
      return dtype_weights[i].dtype;
    }
  }
  return MR_F32;
}

// Of a program on half precision.
static mr_dtype half_dtype(rng *r) {
  static const mr_dtype some[] = {MR_BF16, MR_BF16, MR_BF16, MR_F16, MR_F16, MR_F32, MR_S32, MR_PRED};
  return some[rng_below(r, MR_ARRAY_SIZE(some))];
}

mr_dtype random_dtype(generator *g) {
  return rng_chance(&g->random, 90) ? g->dtypes[rng_below(&g->random, 3)]
         : g->half                  ? half_dtype(&g->random)
                                    : any_dtype(&g->random);
}

mr_type random_type(generator *g) {
  mr_dtype dtype = random_dtype(g);
  if (rng_chance(&g->random, 60)) {
    return mr_type_tensor(g->module, dtype, g->rank, g->dims);
  }
  int64_t dims[8], count = 1;
  uint32_t rank = (uint32_t)rng_below(&g->random, rng_chance(&g->random, 10) ? 7 : 4);
  for (uint32_t d = 0; d < rank; d++) {
    dims[d] = rng_chance(&g->random, 3) ? 0 : rng_between(&g->random, 1, rng_chance(&g->random, 10) ? 40 : 7);
    if (count * dims[d] > g->largest) {
      dims[d] = 1;
    }
    count *= dims[d] ? dims[d] : 1;
  }
  return mr_type_tensor(g->module, dtype, rank, dims);
}

void keep_value(generator *g, value v) {
  if (!v || v->type.kind != MR_TYPE_TENSOR) {
    return;
  }
  if (g->pool_size < MR_ARRAY_SIZE(g->pool)) {
    g->pool[g->pool_size++] = v;
  }
}

mr_op *start_op(generator *g, mr_op_kind kind, uint32_t num_operands, value const *operands, uint32_t num_results,
                uint32_t num_regions) {
  mr_type types[32];
  for (uint32_t i = 0; i < num_results; i++) {
    types[i] = mr_type_scalar(MR_F32);  // until the shape rules say
  }
  return mr_build(&g->at, kind, num_operands, operands, num_results, types, num_regions);
}

// The types are the shape rules'; what they refuse, or what would be too large, is taken back.
mr_op *finish_op(generator *g, mr_op *op) {
  mr_type types[32];
  for (uint32_t i = 0; op && i < op->num_results; i++) {
    types[i] = op->results[i].type;
  }
  mr_status status = op ? mr_op_infer(g->module, op, types) : MR_OK;
  bool fits = op && !status;
  for (uint32_t i = 0; fits && i < op->num_results; i++) {
    op->results[i].type = mr_type_copy(g->module, &types[i]);
    fits = types[i].kind == MR_TYPE_TENSOR && mr_type_count(&types[i]) <= g->largest && types[i].rank <= 8;
  }
  mr_status_free(status);
  if (op && !fits) {
    mr_op_erase(op);
    return NULL;
  }
  return op;
}

void set_ints(generator *g, mr_op *op, mr_attr_key key, const int64_t *data, size_t size) {
  if (op) {
    mr_attr attr = {.key = key, .name = mr_str_of(mr_attr_key_name(key)), .kind = MR_ATTR_INTS};
    attr.ints = (mr_ints){size ? mr_arena_copy(&g->module->arena, data, size * sizeof *data) : NULL, size};
    attr.rows = key == MR_ATTR_padding ? (int64_t)size / 2 : -1;
    attr.dtype = key == MR_ATTR_window_reversal ? MR_PRED : MR_INVALID;
    mr_op_set_attr(g->module, op, attr);
  }
}

void set_int(generator *g, mr_op *op, mr_attr_key key, int64_t n, mr_dtype dtype) {
  if (op) {
    mr_attr attr = {.key = key, .name = mr_str_of(mr_attr_key_name(key)), .kind = MR_ATTR_INT, .dtype = dtype};
    attr.integer = n;
    mr_op_set_attr(g->module, op, attr);
  }
}

void end_block(generator *g, mr_block *block, uint32_t count, value const *values) {
  mr_builder at = mr_builder_at_end(block);
  at.module = g->module;
  mr_build(&at, MR_OP_return, count, values, 0, NULL, 0);
}

// ---- Values -----------------------------------------------------------------------------------------------------------

value random_constant(generator *g, const mr_type *type) {
  size_t one = mr_dtype_bytes(type->dtype);
  int64_t count = mr_type_count(type);
  uint8_t *data = mr_arena_alloc(&g->module->arena, (size_t)count * one + 16);
  if (!data) {
    return NULL;
  }
  bool splat = rng_chance(&g->random, 50);
  int kind = rng_chance(&g->random, 10) ? INPUT_SPECIAL : rng_chance(&g->random, 50) ? INPUT_SMALL : INPUT_ORDINARY;
  make_input(&g->random, type->dtype, splat && count ? 1 : count, kind, data);
  for (int64_t i = 1; splat && i < count; i++) {
    memcpy(data + (size_t)i * one, data, one);
  }
  mr_dense dense = mr_dense_make(g->module, type, data);
  return mr_build_constant(&g->at, &dense);
}

value constant_int(generator *g, mr_dtype dtype, int64_t n) {
  mr_type type = mr_type_scalar(dtype);
  return mr_build_splat_int(&g->at, &type, n);
}

static mr_function *main_of(generator *g) { return mr_module_find(g->module, MR_STR("main")); }

// A parameter of the program: what is not known when it is compiled. Helper functions do not see those of main.
static value new_parameter(generator *g, const mr_type *type) {
  mr_function *f = main_of(g);
  if (!f || g->closed || g->at.block->function != f || f->body.num_args >= 12) {
    return NULL;
  }
  return mr_block_add_arg(g->module, &f->body, type);
}

static value fresh(generator *g, const mr_type *type) {
  value v = rng_chance(&g->random, 75) ? new_parameter(g, type) : NULL;
  return v ? v : random_constant(g, type);
}

value random_value(generator *g) {
  if (g->pool_size == 0) {
    mr_type type = random_type(g);
    keep_value(g, fresh(g, &type));
  }
  // Later ones more often, so that chains grow.
  int64_t a = rng_below(&g->random, g->pool_size), b = rng_below(&g->random, g->pool_size);
  return g->pool[a > b ? a : b];
}

value random_value_of(generator *g, unsigned classes) {
  for (int tries = 0; tries < 8; tries++) {
    value v = random_value(g);
    if (dtype_in(v->type.dtype, classes)) {
      return v;
    }
  }
  mr_type type = random_type(g);
  static const mr_dtype fallback[] = {MR_PRED, MR_S32, MR_F32, MR_C64, MR_F32};
  for (int i = 0; i < 5 && !dtype_in(type.dtype, classes); i++) {
    type.dtype = fallback[i];
  }
  value v = fresh(g, &type);
  keep_value(g, v);
  return v;
}

// A value of the pool brought to the type: converted, broadcast or with another shape.
static value adapted(generator *g, const mr_type *type) {
  for (int tries = 0; tries < 6 && g->pool_size; tries++) {
    value v = random_value(g);
    int64_t count = mr_type_count(&v->type);
    bool kind = mr_dtype_is_complex(v->type.dtype) == mr_dtype_is_complex(type->dtype);
    if (!kind || (count != mr_type_count(type) && count != 1)) {
      continue;
    }
    v = v->type.dtype == type->dtype ? v : mr_build_convert(&g->at, v, type->dtype);
    if (count == mr_type_count(type)) {
      return mr_type_same_dims(&v->type, type) ? v : mr_build_reshape(&g->at, v, type->rank, type->dims);
    }
    v = v->type.rank ? mr_build_reshape(&g->at, v, 0, NULL) : v;
    return mr_build_broadcast(&g->at, v, type, (mr_ints){0});
  }
  return NULL;
}

value value_of_type(generator *g, const mr_type *type) {
  for (int tries = 0; tries < 10 && g->pool_size; tries++) {
    value v = random_value(g);
    if (mr_type_equal(&v->type, type)) {
      return v;
    }
  }
  value v = rng_chance(&g->random, 40) ? adapted(g, type) : NULL;
  return v ? v : fresh(g, type);
}

// ---- Programs ---------------------------------------------------------------------------------------------------------

void generate_ops(generator *g, int count) {
  for (int i = 0; i < count; i++) {
    int64_t dice = rng_below(&g->random, 100);
    if (rng_below(&g->random, 100) < (g->loops ? 30 : 3)) {
      rng_chance(&g->random, g->loops ? 30 : 0) ? generate_control(g) : generate_update(g);
    } else if (dice < 50 ||
               (g->half && dice >= 74 && dice < 94)) {  // what adds up half precision rounds where it likes
      generate_element(g);
    } else if (dice < 74) {
      generate_move(g);
    } else if (dice < 86) {
      generate_fold(g);
    } else if (dice < 91) {
      generate_contract(g);
    } else if (dice < 94) {
      generate_composed(g);
    } else {
      generate_control(g);
    }
  }
}

// Functions that main calls: parameters of random types, ops, one or two results.
static void generate_helper(generator *g, int number) {
  mr_type params[3], results[2];
  uint32_t num_params = (uint32_t)rng_between(&g->random, 1, 3), num_results = (uint32_t)rng_between(&g->random, 1, 2);
  for (uint32_t i = 0; i < num_params; i++) {
    params[i] = random_type(g);
  }
  results[0] = results[1] = params[0];
  mr_str name = mr_arena_str(&g->module->arena, number ? MR_STR("second") : MR_STR("first"));
  mr_function *f = mr_module_add_function(g->module, name, false, num_params, params, num_results, results);
  if (!f) {
    return;
  }
  g->pool_size = 0;
  g->at = (mr_builder){.module = g->module, .block = &f->body};
  for (uint32_t i = 0; i < num_params; i++) {
    keep_value(g, f->body.args[i]);
  }
  generate_ops(g, (int)rng_between(&g->random, 1, 4));
  value returned[2];
  for (uint32_t i = 0; i < num_results; i++) {
    returned[i] = random_value(g);
    f->result_types[i] = returned[i]->type;
  }
  end_block(g, &f->body, num_results, returned);
}

// tf.aliasing_output where a result has the parameter's type, else jax.buffer_donor.
static void donate(generator *g, mr_function *f, uint32_t param, bool *taken) {
  mr_attr *dict = mr_arena_array(&g->module->arena, mr_attr, 2);
  if (!dict) {
    return;
  }
  dict[0] = (mr_attr){.kind = MR_ATTR_DICT};
  dict[1] = (mr_attr){.kind = MR_ATTR_INT, .name = MR_STR("jax.buffer_donor"), .dtype = MR_PRED, .integer = 1};
  for (uint32_t r = 0; r < f->num_results; r++) {
    if (!taken[r] && mr_type_equal(&f->result_types[r], &f->body.args[param]->type)) {
      dict[1] = (mr_attr){.kind = MR_ATTR_INT, .name = MR_STR("tf.aliasing_output"), .dtype = MR_S32, .integer = r};
      taken[r] = true;
      break;
    }
  }
  dict[0].items = &dict[1], dict[0].count = 1;
  f->arg_attrs[param] = dict;
}

// Everything that nothing uses is a result, and sometimes what something uses.
static void end_main(generator *g, mr_function *f) {
  value returned[8];
  uint32_t count = 0;
  for (uint32_t i = g->pool_size; i-- > 0 && count < 6;) {
    bool is_param = !g->pool[i]->def;
    if ((mr_value_is_unused(g->pool[i]) && !is_param) || rng_chance(&g->random, 8)) {
      returned[count++] = g->pool[i];
    }
  }
  if (count == 0) {
    returned[count++] = random_value(g);
  }
  end_block(g, &f->body, count, returned);
  f->num_results = count;
  bool taken[8] = {0};
  for (uint32_t i = 0; i < count; i++) {
    f->result_types[i] = returned[i]->type;
  }
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    if (rng_chance(&g->random, 20)) {
      donate(g, f, i, taken);
    }
  }
}

static void generate_main(generator *g, int helpers) {
  mr_type results[8];
  for (int i = 0; i < 8; i++) {
    results[i] = mr_type_scalar(MR_F32);
  }
  for (int i = 0; i < helpers; i++) {
    generate_helper(g, i);
  }
  mr_function *f = mr_module_add_function(g->module, MR_STR("main"), true, 0, NULL, 8, results);
  if (!f) {
    return;
  }
  f->arg_attrs = mr_arena_array(&g->module->arena, mr_attr *, 32);
  memset(f->arg_attrs, 0, 32 * sizeof *f->arg_attrs);
  g->pool_size = 0;
  g->at = (mr_builder){.module = g->module, .block = &f->body};
  int64_t params = rng_between(&g->random, 1, 3);
  for (int64_t i = 0; i < params; i++) {
    mr_type type = random_type(g);
    keep_value(g, new_parameter(g, &type));
  }
  int64_t dice = rng_below(&g->random, 100);
  generate_ops(g, (int)(dice < 40   ? rng_between(&g->random, 1, 5)
                        : dice < 90 ? rng_between(&g->random, 5, 14)
                                    : rng_between(&g->random, 14, 30)));
  end_main(g, f);
}

enum { EVEN = 1, HALF = 2, LOOPS = 4 };

// EVEN: sizes that a few devices can share, mostly; HALF: on bf16, f16 and f32.
static bool generate(rng *r, mr_text *text, unsigned flags) {
  bool even = flags & EVEN, half = flags & HALF;
  generator g = {.random = *r, .largest = rng_chance(r, 5) ? 5000 : 300, .half = half, .loops = flags & LOOPS};
  mr_status status = mr_module_create(0, &g.module);
  if (status) {
    mr_status_free(status);
    return false;
  }
  for (int i = 0; i < 3; i++) {
    g.dtypes[i] = half ? (mr_dtype[]){rng_chance(&g.random, 60) ? MR_BF16 : MR_F16, MR_F32, half_dtype(&g.random)}[i]
                       : any_dtype(&g.random);
  }
  int64_t room = g.largest;
  g.rank = (uint32_t)rng_below(&g.random, rng_chance(&g.random, 15) ? 7 : 4);
  for (uint32_t d = 0; d < g.rank; d++) {
    int64_t most = rng_chance(&g.random, 15) ? 70 : 9;
    g.dims[d] = rng_chance(&g.random, 2) ? 0 : rng_between(&g.random, 1, most < room ? most : room);
    if (even && rng_chance(&g.random, 70) && g.dims[d]) {
      g.dims[d] = room >= 8 ? (int64_t[]){4, 8, 6, 8}[g.dims[d] % 4] : room >= 4 ? 4 : g.dims[d];
    }
    if (d && rng_chance(&g.random, 20) && g.dims[d - 1] <= room) {  // what is square may be turned unseen
      g.dims[d] = g.dims[d - 1];
    }
    room /= g.dims[d] ? g.dims[d] : 1;
  }
  generate_main(&g, rng_chance(&g.random, 12) ? (int)rng_between(&g.random, 1, 2) : 0);
  bool made = !g.module->out_of_memory;
  mr_module_print(g.module, text);
  mr_module_release(g.module);
  return made && !text->failed;
}

bool generate_program(rng *r, mr_text *text) { return generate(r, text, 0); }

bool generate_even_program(rng *r, mr_text *text) { return generate(r, text, EVEN); }

bool generate_half_program(rng *r, mr_text *text) { return generate(r, text, HALF); }

bool generate_looping_program(rng *r, mr_text *text) { return generate(r, text, LOOPS); }
