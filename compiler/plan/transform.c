// Fourier transforms as kernels of text, one for each dimension, where the target has them.
#include <math.h>
#include <string.h>

#include "compiler/choose/choose.h"
#include "compiler/plan/plan.h"

typedef struct transform {
  mr_fft_desc desc;
  plan_product *stages[MR_FFT_RANK];  // in the order in which they are done
  size_t scratch_bytes[MR_FFT_RANK];
  uint32_t count;
} transform;

// Elements of a dimension on the complex side.
static int64_t complex_length(const mr_fft_desc *d, int dim) {
  bool halved = dim == d->rank - 1 && d->kind >= MR_FFT_REAL;
  return halved ? d->length[dim] / 2 + 1 : d->length[dim];
}

// The last dimension first, except on the way back to real numbers, which ends with it.
static mr_clc_fft stage_of(const mr_fft_desc *d, int number) {
  const bool back = d->kind == MR_FFT_REAL_INVERSE;
  const int dim = back ? number : d->rank - 1 - number;
  mr_clc_fft stage;
  memset(&stage, 0, sizeof stage);
  stage.kind = dim == d->rank - 1 ? d->kind : back || d->kind == MR_FFT_INVERSE ? MR_FFT_INVERSE : MR_FFT_FORWARD;
  stage.dtype = d->dtype;
  stage.length = d->length[dim];
  stage.lines = d->batch;
  stage.inner = 1;
  double elements = 1;
  for (int i = 0; i < d->rank; i++) {
    stage.lines *= i == dim ? 1 : complex_length(d, i);
    stage.inner *= i > dim ? complex_length(d, i) : 1;
    elements *= (double)d->length[i];
  }
  const bool last = number == d->rank - 1;
  stage.in_place = number > 0 && !(back && last);
  stage.scale = last && (back || d->kind == MR_FFT_INVERSE) ? 1 / elements : 1;
  return stage;
}

static mr_status try_stage(planner *p, transform *t, int number) {
  plan_product *product = mr_arena_alloc(p->arena, sizeof *product);
  if (!product) {
    return MR_NO_MEMORY();
  }
  memset(product, 0, sizeof *product);
  product->kind = PRODUCT_FFT;
  product->fft = stage_of(&t->desc, number);
  const mr_clc_fft *fft = &product->fft;
  product->multiplies = 2 * (double)fft->lines * (double)fft->length * (1 + log2((double)fft->length));
  mr_clc_unit trial = {.target = &p->executable->target};
  int64_t range;
  mr_status status = mr_clc_add_fft(&trial, fft, "trial", &range, &t->scratch_bytes[number]);
  mr_clc_unit_deinit(&trial);
  t->stages[t->count++] = product;
  return status;
}

static mr_status add_stage(planner *p, const mr_op *op, plan_sequence *sequence, const plan_product *product,
                           const uint32_t *buffers, uint32_t num_buffers) {
  plan_step *step = mr_planner_add_step(p, sequence, STEP_KERNEL, "fft", num_buffers, mr_planner_start(op));
  if (!step) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < num_buffers; i++) {
    const bool reads = i == 0, writes = i > 0 || product->fft.in_place;
    step->buffers[i] = buffers[i];
    step->access[i] = (uint8_t)((reads ? MR_L_READ : 0) | (writes ? MR_L_WRITE : 0));
  }
  step->product = product;
  step->launch.range = step->launch.grain = 1;
  step->shape_ns = (uint64_t)(2 * product->multiplies / mr_figures_default.f32_flops_per_ns) + 1;
  step->cost_ns = (uint64_t)(2 * product->multiplies / p->module->figures->f32_flops_per_ns) + 1;
  p->executable->stats.flops += (uint64_t)(2 * product->multiplies);
  mr_planner_count_access(p, step, p->buffers[buffers[0]].bytes);
  mr_planner_count_access(p, step, p->buffers[buffers[num_buffers - 1]].bytes);
  return MR_OK;
}

static mr_status add_stages(planner *p, const mr_op *op, plan_sequence *sequence, const transform *t) {
  const int64_t position = mr_planner_start(op);
  const uint32_t result = mr_planner_buffer_of(p, &op->results[0]);
  uint32_t from = mr_planner_buffer_of(p, mr_op_operand(op, 0)), between = result;
  if (t->desc.kind == MR_FFT_REAL_INVERSE && t->count > 1) {
    between = mr_planner_new_buffer(p, p->buffers[from].bytes, position, position);
  }
  for (uint32_t i = 0; i < t->count; i++) {
    uint32_t buffers[3] = {from}, count = 1;
    const uint32_t to = i + 1 == t->count ? result : between;
    if (!t->stages[i]->fft.in_place) {
      buffers[count++] = to;
    }
    if (t->scratch_bytes[i]) {
      buffers[count++] = mr_planner_new_buffer(p, t->scratch_bytes[i], position, position);
    }
    if (to == NO_BUFFER || buffers[count - 1] == NO_BUFFER) {
      return MR_NO_MEMORY();
    }
    MR_TRY(add_stage(p, op, sequence, t->stages[i], buffers, count));
    from = to;
  }
  return MR_OK;
}

// A device that is a processor has its memory in common with the host, whose library takes 0.2 to 0.9 of the time there.
static bool wants(const mr_executable *e) { return e->for_target && (e->target.items || !e->target.host_steps); }

mr_status mr_planner_transform(planner *p, const mr_op *op, plan_sequence *sequence, bool *out_added) {
  transform t = {0};
  *out_added = false;
  if (!wants(p->executable) || op->kind != MR_OP_fft || !mr_choose_fft_of(op, &t.desc)) {
    return MR_OK;
  }
  for (int i = 0; i < t.desc.rank; i++) {
    mr_status status = try_stage(p, &t, i);
    if (mr_status_code(status) == MR_UNIMPLEMENTED) {  // a step of the host's, then
      mr_status_free(status);
      return MR_OK;
    }
    MR_TRY(status);
  }
  *out_added = true;
  MR_TRY(mr_planner_place(p, op, sequence));
  return add_stages(p, op, sequence, &t);
}
