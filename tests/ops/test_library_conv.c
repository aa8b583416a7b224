// Convolutions of the library against the definition, in double precision.
#include <alloca.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/library/conv_primitive.h"
#include "ops/library/conv_shape.h"
#include "ops/library/library.h"
#include "scheduler/scheduler.h"
#include "tests/cmocka.h"
#include "tests/ops/numbers.h"

// A case: sizes, and the order of dimensions in memory as a string of b f 0 1 2 (kernel: o i 0 1 2).
typedef struct conv_case {
  const char *lhs, *rhs, *out;
  int64_t batch, in, out_features, groups;
  int64_t size[3], kernel[3], stride[3], low[3], high[3], lhs_dilation[3], rhs_dilation[3];
  bool reverse, stable;
  mr_conv_kind kind;
  mr_dtype type;
} conv_case;

static int role_of(char letter) {
  return letter == 'b' || letter == 'o' ? 0 : letter == 'f' || letter == 'i' ? 1 : 2 + letter - '0';
}

static size_t fill_strides(const char *order, const int64_t *sizes, int64_t *out) {
  int64_t stride = 1;
  for (size_t i = strlen(order); i-- > 0;) {
    out[role_of(order[i])] = stride;
    stride *= sizes[role_of(order[i])];
  }
  return (size_t)stride;
}

static mr_conv_desc describe(const conv_case *c, size_t counts[3]) {
  int spatial = (int)strlen(c->lhs) - 2;
  mr_conv_desc d = {.lhs = c->type,
                    .rhs = c->type,
                    .out = c->type,
                    .spatial = spatial,
                    .batch = c->batch,
                    .stable_weights = c->stable,
                    .in_features = c->in,
                    .out_features = c->out_features,
                    .out_batch = c->batch,
                    .kernel_in_features = c->in / c->groups,
                    .feature_groups = c->groups,
                    .batch_groups = 1};
  for (int i = 0; i < spatial; i++) {
    int64_t ld = c->lhs_dilation[i] ? c->lhs_dilation[i] : 1, rd = c->rhs_dilation[i] ? c->rhs_dilation[i] : 1;
    int64_t stride = c->stride[i] ? c->stride[i] : 1;
    d.in_size[i] = c->size[i];
    d.kernel_size[i] = c->kernel[i];
    d.stride[i] = stride;
    d.pad_low[i] = c->low[i];
    d.pad_high[i] = c->high[i];
    d.lhs_dilation[i] = ld;
    d.rhs_dilation[i] = rd;
    d.reverse[i] = c->reverse;
    d.out_size[i] = ((c->size[i] - 1) * ld + 1 + c->low[i] + c->high[i] - (c->kernel[i] - 1) * rd - 1) / stride + 1;
  }
  int64_t lhs[5] = {d.batch, d.in_features}, rhs[5] = {d.out_features, d.kernel_in_features},
          out[5] = {d.out_batch, d.out_features};
  memcpy(lhs + 2, d.in_size, sizeof d.in_size);
  memcpy(rhs + 2, d.kernel_size, sizeof d.kernel_size);
  memcpy(out + 2, d.out_size, sizeof d.out_size);
  counts[0] = fill_strides(c->lhs, lhs, d.lhs_stride);
  counts[1] = fill_strides(c->rhs, rhs, d.rhs_stride);
  counts[2] = fill_strides(c->out, out, d.out_stride);
  return d;
}

static double load(mr_dtype type, const void *data, int64_t i) {
  if (type == MR_F32) {
    return ((const float *)data)[i];
  }
  uint32_t bits = (uint32_t)((const uint16_t *)data)[i] << 16;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// One output element by the definition; false where a tap falls into padding or a hole.
static bool tap(const mr_conv_desc *d, const int64_t *o, const int64_t *k, int64_t *out_lhs) {
  *out_lhs = 0;
  for (int i = 0; i < d->spatial; i++) {
    int64_t at = o[i] * d->stride[i] + k[i] * d->rhs_dilation[i] - d->pad_low[i];
    if (at < 0 || at % d->lhs_dilation[i] != 0 || at / d->lhs_dilation[i] >= d->in_size[i]) {
      return false;
    }
    *out_lhs += at / d->lhs_dilation[i] * d->lhs_stride[2 + i];
  }
  return true;
}

static bool advance(int64_t *index, const int64_t *sizes, int count) {
  for (int i = count; i-- > 0;) {
    if (++index[i] < sizes[i]) {
      return true;
    }
    index[i] = 0;
  }
  return false;
}

static double expected(const mr_conv_desc *d, const void *lhs, const void *rhs, int64_t n, int64_t f,
                       const int64_t *o) {
  double sum = 0;
  int64_t group = f / (d->out_features / d->feature_groups), k[3] = {0};
  do {
    int64_t lhs_at, rhs_at = f * d->rhs_stride[0];
    if (!tap(d, o, k, &lhs_at)) {
      continue;
    }
    for (int i = 0; i < d->spatial; i++) {
      rhs_at += (d->reverse[i] ? d->kernel_size[i] - 1 - k[i] : k[i]) * d->rhs_stride[2 + i];
    }
    for (int64_t c = 0; c < d->kernel_in_features; c++) {
      int64_t channel = group * d->kernel_in_features + c;
      sum += load(d->lhs, lhs, lhs_at + n * d->lhs_stride[0] + channel * d->lhs_stride[1]) *
             load(d->rhs, rhs, rhs_at + c * d->rhs_stride[1]);
    }
  } while (advance(k, d->kernel_size, d->spatial));
  return sum;
}

static void *make(mr_dtype type, size_t count) {
  size_t bytes = count * mr_dtype_bytes(type);
  void *data = aligned_alloc(64, (bytes + 127) / 64 * 64);
  for (size_t i = 0; i < count; i++) {
    float value = (float)next_value();
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (type == MR_F32) {
      ((float *)data)[i] = value;
    } else {
      ((uint16_t *)data)[i] = (uint16_t)(bits >> 16);
    }
  }
  return data;
}

static void run_case(const conv_case *c) {
  size_t counts[3];
  mr_conv_desc d = describe(c, counts);
  mr_scheduler *scheduler = NULL;
  assert_null(mr_scheduler_acquire(&scheduler));
  assert_int_equal(mr_conv_shape_of(&d).kind, c->kind);
  void *lhs = make(c->type, counts[0]), *rhs = make(c->type, counts[1]), *out = make(c->type, counts[2]);
  mr_library_call *call = NULL;
  mr_status status = mr_conv_create(&d, &call);
  if (status) {
    fail_msg("%s", mr_status_message(status));
  }
  void *scratch = aligned_alloc(64, (call->scratch_bytes + 127) / 64 * 64);
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  void *const buffers[3] = {lhs, rhs, out};
  assert_null(call->run(call, buffers, scratch, group));
  if (c->stable) {  // twice with the same weights, then with others at the same place
    static mr_storage storage;
    mr_content contents[3] = {{NULL, 0}, {&storage, 1}, {NULL, 0}};
    assert_non_null(call->run_identified);
    for (int i = 0; i < 3; i++) {
      if (i == 2) {
        void *other = make(c->type, counts[1]);
        memcpy(rhs, other, counts[1] * mr_dtype_bytes(c->type));
        free(other);
        contents[1].generation++;
      }
      memset(out, 0, counts[2] * mr_dtype_bytes(c->type));
      assert_null(call->run_identified(call, buffers, contents, scratch, group));
    }
  }
  // Of the root of the number of terms, of which f32's sums (Winograd's, too) are off by one unit in the last place at most;
  // bf16's are rounded once more.
  double unit = c->type != MR_F32 ? 0x1p-10 : 0x1p-22;
  double terms = sqrt((double)d.kernel_in_features * (double)counts[1]) + 1;
  for (int64_t n = 0; n < d.out_batch; n++) {
    for (int64_t f = 0; f < d.out_features; f++) {
      int64_t o[3] = {0};
      do {
        int64_t at = n * d.out_stride[0] + f * d.out_stride[1];
        for (int i = 0; i < d.spatial; i++) {
          at += o[i] * d.out_stride[2 + i];
        }
        double want = expected(&d, lhs, rhs, n, f, o), got = load(c->type, out, at);
        if (!(fabs(got - want) <= unit * (terms + fabs(want)))) {
          fail_msg("%s %s %s: got %g, wanted %g", c->lhs, c->rhs, c->out, got, want);
        }
      } while (advance(o, d.out_size, d.spatial));
    }
  }
  mr_library_call_destroy(call);
  free(lhs);
  free(rhs);
  free(out);
  free(scratch);
  mr_scheduler_release(scheduler);
}

#define SAME .low = {1, 1}, .high = {1, 1}

// Forward in the common and in odd layouts, with strides, dilation, groups and reversal.
static void test_forward(void **state) {
  (void)state;
  // clang-format off
  static const conv_case cases[] = {
      {"b01f", "01io", "b01f", 4, 8, 16, 1, {9, 9}, {3, 3}, SAME, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"bf01", "oi01", "bf01", 2, 5, 7, 1, {9, 11}, {3, 2}, .stride = {2, 1}, SAME, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "bf01", 1, 16, 32, 1, {56, 56}, {3, 3}, SAME, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 3, 8, 8, 8, {7, 7}, {3, 3}, SAME, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 3, 8, 4, 2, {7, 7}, {3, 3}, .rhs_dilation = {2, 2}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 2, 4, 4, 1, {8, 8}, {3, 3}, .reverse = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b0f", "0io", "b0f", 2, 4, 6, 1, {20}, {5}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b0f", "0io", "b0f", 3, 32, 32, 32, {50}, {4}, .low = {3}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"bf0", "oi0", "bf0", 2, 5, 5, 5, {21}, {3}, .stride = {2}, .low = {1}, .high = {2}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b0f", "0io", "bf0", 2, 16, 16, 16, {40}, {3}, .rhs_dilation = {4}, .low = {2}, .high = {1}, .reverse = true,
       .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b0f", "0io", "b0f", 2, 4, 12, 4, {20}, {5}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b0f", "0io", "b0f", 2, 24, 24, 24, {33}, {4}, .low = {1}, .high = {2}, .kind = MR_CONV_FORWARD, .type = MR_BF16},
      {"bf012", "oi012", "bf012", 2, 3, 4, 1, {6, 5, 7}, {2, 3, 2}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 2, 8, 16, 1, {9, 9}, {3, 3}, SAME, .kind = MR_CONV_FORWARD, .type = MR_BF16},
      {"bf01", "oi01", "bf01", 2, 8, 16, 1, {9, 9}, {3, 3}, SAME, .kind = MR_CONV_FORWARD, .type = MR_BF16},
  };
  // clang-format on
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    run_case(&cases[i]);
  }
}

// Weights that stay the same are packed once, and packed again when they change; 3x3 ones of large images go through Winograd.
static void test_stable_weights(void **state) {
  (void)state;
  // clang-format off
  static const conv_case cases[] = {
      {"b01f", "01io", "b01f", 1, 32, 32, 1, {28, 28}, {3, 3}, SAME, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 8, 32, 64, 1, {14, 14}, {3, 3}, SAME, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 5, 48, 64, 1, {22, 30}, {3, 3}, SAME, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"bf01", "oi01", "bf01", 2, 64, 32, 1, {33, 40}, {3, 3}, SAME, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 4, 64, 96, 1, {29, 17}, {3, 3}, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 1, 256, 64, 1, {14, 14}, {3, 3}, SAME, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"bf01", "oi01", "bf01", 3, 64, 32, 1, {9, 13}, {3, 3}, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 2, 16, 48, 1, {10, 10}, {5, 5}, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_F32},
      {"b01f", "01io", "b01f", 2, 16, 32, 1, {10, 10}, {3, 3}, .stable = true, .kind = MR_CONV_FORWARD, .type = MR_BF16},
  };
  // clang-format on
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    run_case(&cases[i]);
  }
}

// Whether a convolution is Winograd's is decided by the op, its precision and its shapes: what is known about its weights and
// what they were in the calls before changes no bit.
static void test_history_changes_no_bits(void **state) {
  (void)state;
  static const conv_case c = {
      "b01f",        "01io", "b01f", 1, 64, 64, 1, {56, 56}, {3, 3}, SAME, .stable = true, .kind = MR_CONV_FORWARD,
      .type = MR_F32};
  size_t counts[3];
  mr_conv_desc d = describe(&c, counts);
  mr_library_call *kept = NULL, *fresh = NULL, *exact = NULL;
  assert_null(mr_conv_create(&d, &kept));
  d.stable_weights = false;
  assert_null(mr_conv_create(&d, &fresh));
  d.exact = true;
  assert_null(mr_conv_create(&d, &exact));
  assert_string_equal(kept->name, fresh->name);
  assert_null(strstr(exact->name, "Winograd"));
  assert_null(fresh->run_identified);
  mr_scheduler *scheduler = NULL;
  assert_null(mr_scheduler_acquire(&scheduler));
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  size_t bytes = counts[2] * sizeof(float);
  float *wanted = make(MR_F32, counts[2]), *got = make(MR_F32, counts[2]);
  void *lhs = make(MR_F32, counts[0]), *rhs = make(MR_F32, counts[1]);
  void *scratch = aligned_alloc(64, (MR_MAX(kept->scratch_bytes, fresh->scratch_bytes) + 127) / 64 * 64);
  assert_null(fresh->run(fresh, (void *const[]){lhs, rhs, wanted}, scratch, group));

  static const int uses[] = {1, 2, 1, 30, 1, 1, 1};  // by generation
  static mr_storage storage;
  mr_content contents[3] = {{NULL, 0}, {&storage, 0}, {NULL, 0}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(uses); i++) {
    contents[1].generation++;
    for (int use = 0; use < uses[i]; use++) {
      memset(got, 0xff, bytes);
      assert_null(
          kept->run_identified(kept, (void *const[]){lhs, rhs, got}, contents, scratch, use % 2 ? group : NULL));
      assert_memory_equal(got, wanted, bytes);
    }
  }
  memset(got, 0xff, bytes);
  assert_null(kept->run(kept, (void *const[]){lhs, rhs, got}, scratch, group));
  assert_memory_equal(got, wanted, bytes);
  mr_scheduler_release(scheduler);
  mr_library_call_destroy(kept);
  mr_library_call_destroy(fresh);
  mr_library_call_destroy(exact);
  free(wanted);
  free(got);
  free(lhs);
  free(rhs);
  free(scratch);
}

// Input gradients of strided convolutions: a dilated input and a flipped kernel.
static void test_backward_data(void **state) {
  (void)state;
  // clang-format off
  static const conv_case cases[] = {
      {"b01f", "01oi", "b01f", 2, 16, 8, 1, {5, 5}, {3, 3}, .lhs_dilation = {2, 2}, .low = {1, 1}, .high = {2, 2},
       .kind = MR_CONV_BACKWARD_DATA, .type = MR_F32},
      {"bf01", "io01", "bf01", 3, 6, 4, 1, {4, 5}, {2, 3}, .lhs_dilation = {2, 1}, .low = {1, 2}, .high = {1, 2},
       .kind = MR_CONV_BACKWARD_DATA, .type = MR_F32},
      {"b01f", "01oi", "b01f", 2, 4, 4, 2, {5, 5}, {3, 3}, .lhs_dilation = {2, 2}, .low = {1, 1}, .high = {2, 2},
       .reverse = true, .kind = MR_CONV_BACKWARD_DATA, .type = MR_F32},
      {"b0f", "0oi", "b0f", 2, 8, 8, 8, {9}, {4}, .lhs_dilation = {2}, .low = {2}, .high = {3},
       .kind = MR_CONV_BACKWARD_DATA, .type = MR_F32},
  };
  // clang-format on
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    run_case(&cases[i]);
  }
}

static uint64_t cost_of(const conv_case *c) {
  size_t counts[3];
  mr_conv_desc d = describe(c, counts);
  mr_conv_shape shape = mr_conv_shape_of(&d);
  assert_int_equal(shape.kind, MR_CONV_FORWARD);
  return mr_conv_cost_ns(&shape);
}

// What is cut follows what oneDNN takes: lanes without a feature take as long as others, and elements with little to compute
// are waited for.
static void test_cost_counts_idle_lanes_and_memory(void **state) {
  (void)state;
  static const conv_case one = {"b01f", "01io", "b01f", 64, 16, 1, 1, {28, 28}, {3, 3}, SAME, .type = MR_F32},
                         full = {"b01f", "01io", "b01f", 64, 16, 16, 1, {28, 28}, {3, 3}, SAME, .type = MR_F32},
                         twice = {"b01f", "01io", "b01f", 64, 16, 32, 1, {28, 28}, {3, 3}, SAME, .type = MR_F32},
                         depthwise = {"b01f", "01io", "b01f", 64, 16, 16, 16, {28, 28}, {3, 3}, SAME, .type = MR_F32},
                         wide = {"b01f", "01io", "b01f", 64, 16, 16, 16, {28, 28}, {1, 1}, .type = MR_F32};
  assert_in_range(cost_of(&one), cost_of(&full) * 9 / 10, cost_of(&full));
  assert_in_range(cost_of(&twice), cost_of(&full) * 3 / 2, cost_of(&full) * 2);
  assert_true(cost_of(&depthwise) > cost_of(&full) / 16 * 2);
  assert_true(cost_of(&wide) > cost_of(&depthwise) / 2);
}

// Weight gradients as JAX writes them: features in the role of the batch, an image as the kernel.
static void test_backward_weights(void **state) {
  (void)state;
  // clang-format off
  static const conv_case cases[] = {
      {"f01b", "i01o", "01bf", 8, 4, 16, 1, {14, 14}, {14, 14}, SAME, .kind = MR_CONV_BACKWARD_WEIGHTS, .type = MR_F32},
      {"f01b", "i01o", "01bf", 3, 4, 5, 1, {15, 15}, {7, 7}, .rhs_dilation = {2, 2}, .kind = MR_CONV_BACKWARD_WEIGHTS,
       .type = MR_F32},
      {"fb01", "io01", "bf01", 6, 3, 4, 1, {9, 9}, {7, 7}, .kind = MR_CONV_BACKWARD_WEIGHTS, .type = MR_F32},
  };
  // clang-format on
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    run_case(&cases[i]);
  }
}

// What oneDNN cannot say has no library form, rather than a wrong one.
static void test_refuses_what_it_cannot_say(void **state) {
  (void)state;
  size_t counts[3];
  conv_case negative = {"b01f", "01io", "b01f", 1, 4, 4, 1, {8, 8}, {3, 3}, .low = {-1, 0}, .type = MR_F32};
  mr_conv_desc d = describe(&negative, counts);
  assert_false(mr_conv_supports(&d));
  d.pad_low[0] = 0;
  d.lhs = MR_S32;
  assert_false(mr_conv_supports(&d));
}

// ---- Where oneDNN is called from ------------------------------------------------------------------------------------------

static uintptr_t place_of_call;

static dnnl_status_t make_no_stream(dnnl_stream_t *stream, dnnl_engine_t engine, unsigned flags) {
  (void)engine;
  (void)flags;
  *stream = NULL;
  return dnnl_success;
}

static dnnl_status_t note_place(const_dnnl_primitive_t primitive, dnnl_stream_t stream, int count,
                                const dnnl_exec_arg_t *list) {
  (void)primitive;
  (void)stream;
  (void)count;
  (void)list;
  place_of_call = (uintptr_t)__builtin_frame_address(0) % 64;
  return dnnl_success;
}

// However deep the caller's stack is, oneDNN's frames begin at one place of a line.
static void test_calls_come_from_one_place(void **state) {
  (void)state;
  const mr_dnnl_table table = {.stream_create = make_no_stream, .primitive_execute = note_place};
  assert_null(mr_dnnl_execute(&table, NULL, NULL, 0));
  uintptr_t first = place_of_call;
  for (size_t deeper = 16; deeper <= 128; deeper += 16) {
    volatile char *room = alloca(16);  // all of them stay until the function ends
    room[0] = 0;
    place_of_call = 64;
    assert_null(mr_dnnl_execute(&table, NULL, NULL, 0));
    assert_int_equal(place_of_call, first);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_forward),
      cmocka_unit_test(test_stable_weights),
      cmocka_unit_test(test_history_changes_no_bits),
      cmocka_unit_test(test_backward_data),
      cmocka_unit_test(test_cost_counts_idle_lanes_and_memory),
      cmocka_unit_test(test_backward_weights),
      cmocka_unit_test(test_refuses_what_it_cannot_say),
      cmocka_unit_test(test_calls_come_from_one_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
