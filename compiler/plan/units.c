// The kernels of a plan as text, for devices whose drivers compile: equal programs have one entry, and many entries are one unit, since
// each unit that is built costs a driver tens of milliseconds. What the text cannot say, or the device not do, is left to the host where
// the target allows it.
#include <stdio.h>
#include <string.h>

#include "compiler/choose/choose.h"
#include "compiler/codegen/clc.h"
#include "compiler/plan/plan.h"
#include "compiler/plan/tuning.h"

// A program that has an entry.
typedef struct known_entry {
  mr_hash128 hash;
  int64_t range;  // of a product
  uint32_t unit;
  const char *entry;  // NULL: the place is free
} known_entry;

typedef struct unit_maker {
  mr_executable *e;
  mr_clc_unit unit;  // being made
  known_entry *known;
  uint32_t mask;
} unit_maker;

// The place of a program's entry, or where it would be.
static known_entry *find_entry(const unit_maker *m, mr_hash128 hash) {
  uint32_t at = (uint32_t)hash.low & m->mask;
  while (m->known[at].entry && (m->known[at].hash.low != hash.low || m->known[at].hash.high != hash.high)) {
    at = (at + 1) & m->mask;
  }
  return &m->known[at];
}

// What is being made becomes a unit of the executable's.
static mr_status close_unit(unit_maker *m) {
  if (m->unit.num_kernels == 0) {
    return MR_OK;
  }
  mr_executable *e = m->e;
  mr_text text = {0};
  mr_status status = mr_clc_finish(&m->unit, &text);
  const char *source = status ? NULL : mr_arena_copy(&e->arena, text.data, text.size);
  if (!status && !source) {
    status = MR_NO_MEMORY();
  }
  if (!status) {
    mr_code_unit *unit = &e->units[e->num_units++];
    *unit = (mr_code_unit){.language = MR_CODE_OPENCL_C, .source = {source, text.size}};
    unit->key = mr_hash128_of(source, text.size, (mr_hash128){MR_CODE_OPENCL_C, 0});
    e->stats.code_bytes = mr_size_add(e->stats.code_bytes, text.size);
  }
  mr_text_deinit(&text);
  mr_clc_unit_deinit(&m->unit);
  m->unit = (mr_clc_unit){.target = &e->target};
  return status;
}

static mr_status add_product(mr_clc_unit *unit, const plan_product *product, const char *entry, int64_t *out_range) {
  size_t scratch_bytes;
  switch (product->kind) {
  case PRODUCT_CONV: return mr_clc_add_convolution(unit, &product->conv, entry, out_range);
  case PRODUCT_FFT: return mr_clc_add_fft(unit, &product->fft, entry, out_range, &scratch_bytes);
  default: return mr_clc_add_matmul(unit, &product->matmul, entry, out_range);
  }
}

// Padding makes two of what is one, and never one of two.
static mr_hash128 hash_of(const plan_step *step) {
  return step->product ? mr_hash128_of(step->product, sizeof *step->product, (mr_hash128){1, 1})
                       : mr_loop_hash(step->launch.program);
}

static mr_status add_entry(unit_maker *m, const plan_step *step, mr_hash128 hash, known_entry *place) {
  char name[24];
  snprintf(name, sizeof name, "k%u", m->unit.num_kernels);
  const char *entry = mr_arena_copy(&m->e->arena, name, strlen(name) + 1);
  if (!entry) {
    return MR_NO_MEMORY();
  }
  int64_t range = step->launch.range;
  MR_TRY(step->product ? add_product(&m->unit, step->product, entry, &range)
                       : mr_clc_add(&m->unit, step->launch.program, entry));
  *place = (known_entry){hash, range, m->e->num_units, entry};
  return MR_OK;
}

// Leaves the step without an entry when the host is to run it.
static mr_status give_entry(unit_maker *m, plan_step *step) {
  mr_hash128 hash = hash_of(step);
  known_entry *place = find_entry(m, hash);
  if (!place->entry) {
    bool full = m->unit.num_kernels >= MR_PLAN_UNIT_KERNELS || m->unit.kernels.size >= MR_PLAN_UNIT_BYTES;
    MR_TRY(full ? close_unit(m) : MR_OK);
    mr_status status = add_entry(m, step, hash, place);
    mr_code code = mr_status_code(status);
    if (!step->product && m->e->target.host_steps && (code == MR_UNIMPLEMENTED || code == MR_RESOURCE_EXHAUSTED)) {
      mr_status_free(status);
      return MR_OK;
    }
    MR_TRY(mr_status_note(status, "%s", step->name));
  }
  step->entry = place->entry;
  step->unit = &m->e->units[place->unit];
  step->launch.range = step->product ? place->range : step->launch.range;
  mr_loop_release(step->launch.program);
  step->launch.program = NULL;
  return MR_OK;
}

static bool describe(const mr_op *op, plan_product *out) {
  if (op->kind == MR_OP_dot_general && mr_choose_matmul_of(op, &out->matmul)) {
    const mr_matmul_desc *d = &out->matmul;
    out->multiplies = (double)d->batch * (double)d->m * (double)d->n * (double)d->k;
    return true;
  }
  if (op->kind == MR_OP_convolution && mr_choose_conv_of(op, &out->conv)) {
    const mr_type *kernel = &mr_op_operand(op, 1)->type;
    out->kind = PRODUCT_CONV;
    out->multiplies =
        (double)mr_type_count(&op->results[0].type) * (double)mr_type_count(kernel) / (double)out->conv.out_features;
    return true;
  }
  return false;
}

mr_status mr_planner_product(planner *p, const mr_op *op, const plan_product **out_product) {
  plan_product product;
  *out_product = NULL;
  memset(&product, 0, sizeof product);
  if (!p->executable->for_target || !describe(op, &product)) {
    return MR_OK;
  }
  mr_clc_unit trial = {.target = &p->executable->target};
  int64_t range;
  mr_status status = add_product(&trial, &product, "trial", &range);
  mr_clc_unit_deinit(&trial);
  if (status) {  // a step of the host's, then
    mr_status_free(status);
    return MR_OK;
  }
  *out_product = mr_arena_copy(p->arena, &product, sizeof product);
  return *out_product ? MR_OK : MR_NO_MEMORY();
}

mr_status mr_planner_units(mr_executable *e, mr_module *module, plan_step *const *steps, uint32_t count) {
  unit_maker m = {.e = e, .unit = {.target = &e->target}, .mask = 63};
  while (m.mask < 2 * count) {
    m.mask = 2 * m.mask + 1;
  }
  m.known = mr_arena_array(&module->arena, known_entry, m.mask + 1);
  e->units = mr_arena_array(&e->arena, mr_code_unit, count + 1);
  if (!m.known || !e->units) {
    return MR_NO_MEMORY();
  }
  uint64_t start = mr_trace_begin();
  mr_status status = MR_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    status = give_entry(&m, steps[i]);
  }
  status = status ? status : close_unit(&m);
  mr_clc_unit_deinit(&m.unit);
  mr_trace_end(MR_TRACE_COMPILE, "units", start);
  return status;
}
