#include "tests/compiler/lower_harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "compiler/codegen/codegen.h"

#define LARGE ((size_t)2 << 20)

typedef struct frame {
  harness *h;
  mr_function *function;
  void **buffers;  // by value id
} frame;

static void *take(harness *h, size_t size) {
  if (h->count == h->capacity) {
    h->capacity = h->capacity ? 2 * h->capacity : 64;
    h->buffers = mr_realloc(h->buffers, h->capacity * sizeof *h->buffers);
  }
  void *memory = mr_alloc_aligned(size >= LARGE ? LARGE : 64, (size + 127) / 64 * 64);
  if (size >= LARGE) {
    madvise(memory, size, MADV_HUGEPAGE);  // as the product's own memory is
  }
  memset(memory, 0x5A, (size + 127) / 64 * 64);
  h->buffers[h->count++] = memory;
  return memory;
}

void harness_deinit(harness *h) {
  for (size_t i = 0; i < h->count; i++) {
    mr_free(h->buffers[i]);
  }
  mr_free(h->buffers);
  memset(h, 0, sizeof *h);
}

// Again and again, the whole range at once (which spoils what a kernel updates in place).
static void print_time(const mr_launch *launch, mr_kernel_fn kernel, void **buffers) {
  uint64_t best = UINT64_MAX;
  for (int i = 0; i < 30; i++) {
    uint64_t start = mr_now_ns();
    kernel(buffers, NULL, 0, launch->range);
    best = MR_MIN(best, mr_now_ns() - start);
  }
  fprintf(stderr, "  %10.1f us, estimated %10.1f us, %8.1f MB, %6.2f GB/s, range %lld grain %lld\n", (double)best / 1e3,
          (double)launch->cost_ns / 1e3, (double)launch->bytes / 1e6, (double)launch->bytes / (double)best,
          (long long)launch->range, (long long)launch->grain);
}

// One share, whose results go elsewhere first: what it has stored there is told by the bytes that are not as they were.
static void run_watched(harness *h, const mr_op *op, mr_kernel_fn kernel, void **buffers, int64_t begin, int64_t end) {
  enum { UNTOUCHED = 0x5A };
  void **results = buffers + op->num_operands, *real[16];
  memcpy(real, results, op->num_results * sizeof *real);
  for (uint32_t i = 0; i < op->num_results; i++) {
    results[i] = take(h, mr_type_bytes(&op->results[i].type));
  }
  kernel(buffers, &mr_stop_no_token, begin, end);
  for (uint32_t i = 0; i < op->num_results; i++) {
    const mr_type *type = &op->results[i].type;
    size_t size = mr_dtype_bytes(type->dtype);
    char untouched[16], *to = real[i];
    const char *from = results[i];
    memset(untouched, UNTOUCHED, sizeof untouched);
    for (size_t at = 0; at < mr_type_bytes(type); at += size) {
      if (memcmp(from + at, untouched, size) != 0) {
        h->stored_twice += memcmp(to + at, untouched, size) != 0;
        memcpy(to + at, from + at, size);
      }
    }
  }
  memcpy(results, real, op->num_results * sizeof *real);
}

static mr_status run_kernel(harness *h, const mr_op *op, const mr_launch *launch, void **buffers) {
  mr_kernel *kernel = NULL;
  uint64_t compiling = mr_now_ns();
  MR_TRY(mr_kernel_compile(launch->program, &kernel));
  compiling = mr_now_ns() - compiling;
  int64_t shares = h->shares ? h->shares : 3;
  uint64_t start = mr_now_ns();
  for (int64_t s = 0; s < shares; s++) {
    int64_t begin = launch->range * s / shares, end = launch->range * (s + 1) / shares;
    if (begin < end && h->watches) {
      run_watched(h, op, mr_kernel_function(kernel), buffers, begin, end);
    } else if (begin < end) {
      mr_kernel_function(kernel)(buffers, &mr_stop_no_token, begin, end);
    }
  }
  h->kernel_ns += mr_now_ns() - start;
  if (getenv("MR_HARNESS_TIME")) {
    fprintf(stderr, "  compiled in %.1f ms, %u instructions, %zu bytes\n", (double)compiling / 1e6,
            launch->program->num_instrs, mr_kernel_code_bytes(kernel));
    print_time(launch, mr_kernel_function(kernel), buffers);
  }
  h->kernels++;
  mr_kernel_release(kernel);
  return MR_OK;
}

static void print_op(const mr_op *op, const mr_launch *launch) {
  mr_text text = {0};
  mr_op_print(op, &text);
  mr_text_put(&text, "\nrange %lld grain %lld cost %llu ns\n", (long long)launch->range, (long long)launch->grain,
              (unsigned long long)launch->cost_ns);
  mr_loop_print(launch->program, &text);
  fprintf(stderr, "%.*s\n", (int)text.size, text.data);
  mr_text_deinit(&text);
}

mr_status harness_run_op(harness *h, const mr_op *op, void **buffers) {
  mr_launch launch;
  MR_TRY(harness_lower(op, &launch));
  if (getenv("MR_HARNESS_PRINT")) {
    print_op(op, &launch);
  }
  for (uint32_t i = 0; i < op->num_results; i++) {
    if (launch.inplace[i] >= 0) {
      memcpy(buffers[op->num_operands + i], buffers[launch.inplace[i]], mr_type_bytes(&op->results[i].type));
    }
  }
  if (getenv("MR_HARNESS_TIME")) {
    mr_text text = {0};
    mr_op_print(op, &text);
    fprintf(stderr, "%.*s\n", (int)MR_MIN(text.size, (size_t)3000), text.data);
    mr_text_deinit(&text);
  }
  void **all = take(h, (op->num_operands + op->num_results + launch.num_scratch + 1) * sizeof *all);
  memcpy(all, buffers, (op->num_operands + op->num_results) * sizeof *all);
  for (uint32_t i = 0; i < launch.num_scratch; i++) {
    all[op->num_operands + op->num_results + i] = take(h, launch.scratch_bytes[i]);
  }
  mr_status status = run_kernel(h, op, &launch, all);
  mr_launch_deinit(&launch);
  return mr_status_note(status, "%s", mr_op_table[op->kind].spelling);
}

static mr_status eval_block(frame *f, const mr_block *block, void **results);

static mr_status eval_constant(frame *f, mr_op *op) {
  const mr_dense *dense = &mr_op_attr(op, MR_ATTR_value)->dense;
  size_t size = mr_type_bytes(&op->results[0].type);
  char *data = take(f->h, size);
  size_t have = dense->splat ? mr_dtype_bytes(op->results[0].type.dtype) : dense->size;
  for (size_t at = 0; at < size && have; at += have) {
    memcpy(data + at, dense->data, MR_MIN(have, size - at));
  }
  f->buffers[op->results[0].id] = data;
  return MR_OK;
}

static void **operands_of(frame *f, mr_op *op, uint32_t first) {
  void **list = take(f->h, (op->num_operands + op->num_results + 1) * sizeof *list);
  for (uint32_t i = first; i < op->num_operands; i++) {
    list[i - first] = f->buffers[mr_op_operand(op, i)->id];
  }
  return list;
}

static void give_results(frame *f, mr_op *op, void **results) {
  for (uint32_t i = 0; i < op->num_results; i++) {
    f->buffers[op->results[i].id] = results[i];
  }
}

static mr_status eval_call(frame *f, mr_op *op) {
  mr_str name = mr_op_string(op, op->kind == MR_OP_call ? MR_ATTR_callee : MR_ATTR_decomposition);
  mr_function *callee = mr_module_find(f->function->module, name);
  if (!callee) {
    return mr_error(MR_NOT_FOUND, "function %.*s", MR_STR_ARG(name));
  }
  void **results = take(f->h, (op->num_results + 1) * sizeof *results);
  MR_TRY(harness_run(f->h, callee, operands_of(f, op, 0), results));
  give_results(f, op, results);
  return MR_OK;
}

static mr_status eval_while(frame *f, mr_op *op) {
  void **state = operands_of(f, op, 0);
  for (;;) {
    void *condition = NULL;
    for (uint32_t i = 0; i < op->num_operands; i++) {
      f->buffers[op->regions[0]->args[i]->id] = state[i];
      f->buffers[op->regions[1]->args[i]->id] = state[i];
    }
    MR_TRY(eval_block(f, op->regions[0], &condition));
    if (!*(char *)condition) {
      break;
    }
    void **next = take(f->h, (op->num_operands + 1) * sizeof *next);
    MR_TRY(eval_block(f, op->regions[1], next));
    state = next;
  }
  give_results(f, op, state);
  return MR_OK;
}

static mr_status eval_case(frame *f, mr_op *op) {
  void *index = f->buffers[mr_op_operand(op, 0)->id];
  int64_t n = op->num_regions, which = op->kind == MR_OP_if ? !*(char *)index : *(int32_t *)index;
  if (which < 0 || which >= n) {
    which = n - 1;
  }
  void **results = take(f->h, (op->num_results + 1) * sizeof *results);
  MR_TRY(eval_block(f, op->regions[which], results));
  give_results(f, op, results);
  return MR_OK;
}

static mr_status eval_kernel(frame *f, mr_op *op) {
  void **buffers = operands_of(f, op, 0);
  for (uint32_t i = 0; i < op->num_results; i++) {
    buffers[op->num_operands + i] = take(f->h, mr_type_bytes(&op->results[i].type));
    f->buffers[op->results[i].id] = buffers[op->num_operands + i];
  }
  return harness_run_op(f->h, op, buffers);
}

static mr_status eval_op(frame *f, mr_op *op) {
  switch (op->kind) {
  case MR_OP_constant: return eval_constant(f, op);
  case MR_OP_call:
  case MR_OP_composite: return eval_call(f, op);
  case MR_OP_while: return eval_while(f, op);
  case MR_OP_case:
  case MR_OP_if: return eval_case(f, op);
  case MR_OP_optimization_barrier: give_results(f, op, operands_of(f, op, 0)); return MR_OK;
  case MR_OP_custom_call:
    if (op->num_results != op->num_operands) {
      return mr_error(MR_UNIMPLEMENTED, "custom_call");
    }
    give_results(f, op, operands_of(f, op, 0));
    return MR_OK;
  case MR_OP_sdy_other: return op->num_results ? mr_error(MR_UNIMPLEMENTED, "sdy") : MR_OK;
  default: return eval_kernel(f, op);
  }
}

static mr_status eval_block(frame *f, const mr_block *block, void **results) {
  for (mr_op *op = block->first; op; op = op->next) {
    if (op->kind == MR_OP_return) {
      for (uint32_t i = 0; i < op->num_operands; i++) {
        results[i] = f->buffers[mr_op_operand(op, i)->id];
      }
      return MR_OK;
    }
    MR_TRY(eval_op(f, op));
  }
  return mr_error(MR_INTERNAL, "a block without a return");
}

mr_status harness_run(harness *h, mr_function *function, void *const *inputs, void **out_outputs) {
  mr_function_number(function);
  frame f = {.h = h, .function = function};
  f.buffers = take(h, (function->num_values + 1) * sizeof *f.buffers);
  for (uint32_t i = 0; i < function->body.num_args; i++) {
    f.buffers[function->body.args[i]->id] = inputs[i];
  }
  return eval_block(&f, &function->body, out_outputs);
}
