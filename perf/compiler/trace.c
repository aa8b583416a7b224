// What tracing costs: executions of small programs with recording on and off, in turns, so that whatever else happens on the
// machine happens to both. Nanoseconds a call from C, medians of 31 turns, and what a call gets more expensive by. A call of
// `x + 1` from JAX takes 3700 ns more than this one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "core/trace.h"

enum { TURNS = 31, TURN_NS = 4000000 };

static mr_device *device;

static void check(mr_status status) {
  if (!status) {
    return;
  }
  fprintf(stderr, "%s\n", mr_status_message(status));
  exit(1);
}

static double time_calls(mr_executable *executable, mr_buffer *const *arguments, size_t count, int calls) {
  uint64_t start = mr_now_ns();
  for (int i = 0; i < calls; i++) {
    mr_buffer *result = NULL;
    mr_future *done = NULL;
    check(mr_execute(executable, device, NULL, arguments, count, &result, &done));
    if (done) {
      mr_future_wait(done);
    }
    mr_future_release(done);
    mr_buffer_release(result);
  }
  return (double)(mr_now_ns() - start) / calls;
}

static int ascending(const void *a, const void *b) {
  double one = *(const double *)a, two = *(const double *)b;
  return one < two ? -1 : one > two;
}

static void compare(const char *name, const char *text, const int64_t (*dims)[2], size_t count) {
  mr_executable *executable = NULL;
  check(mr_compile((mr_span){text, strlen(text)}, NULL, &executable));
  mr_buffer *arguments[4];
  float *data = calloc(1 << 20, sizeof *data);
  for (size_t i = 0; i < count; i++) {
    size_t rank = dims[i][1] ? 2 : 1;
    mr_host_array host = {.data = data, .dtype = MR_F32, .dims = dims[i], .rank = rank};
    check(mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL,
                              &arguments[i]));
  }
  time_calls(executable, arguments, count, 100);
  int calls = (int)(TURN_NS / time_calls(executable, arguments, count, 100)) + 1;
  double off[TURNS], on[TURNS], more[TURNS];
  for (int t = 0; t < TURNS; t++) {
    off[t] = time_calls(executable, arguments, count, calls);
    check(mr_trace_start("/dev/null"));
    on[t] = time_calls(executable, arguments, count, calls);
    more[t] = on[t] - off[t];
    check(mr_trace_stop());
  }
  qsort(off, TURNS, sizeof *off, ascending);
  qsort(on, TURNS, sizeof *on, ascending);
  qsort(more, TURNS, sizeof *more, ascending);
  printf("%-28s off %9.0f ns  on %9.0f ns  %+6.0f ns  %.2f%%\n", name, off[TURNS / 2], on[TURNS / 2], more[TURNS / 2],
         100 * more[TURNS / 2] / off[TURNS / 2]);
  for (size_t i = 0; i < count; i++) {
    mr_buffer_release(arguments[i]);
  }
  mr_executable_release(executable);
  free(data);
}

static const char add_one[] = "func.func @main(%a: tensor<128xf32>) -> tensor<128xf32> {\n"
                              "  %c = stablehlo.constant dense<1.0> : tensor<128xf32>\n"
                              "  %r = stablehlo.add %a, %c : tensor<128xf32>\n"
                              "  return %r : tensor<128xf32>\n}\n";

// Forwards and backwards through one layer, and the new weights.
static const char small_step[] =
    "func.func @main(%x: tensor<64x128xf32>, %w: tensor<128x32xf32>, %y: tensor<64x32xf32>) -> tensor<128x32xf32> {\n"
    "  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x32xf32>) -> "
    "tensor<64x32xf32>\n"
    "  %t = stablehlo.tanh %p : tensor<64x32xf32>\n"
    "  %d = stablehlo.subtract %t, %y : tensor<64x32xf32>\n"
    "  %q = stablehlo.multiply %t, %t : tensor<64x32xf32>\n"
    "  %e = stablehlo.multiply %d, %q : tensor<64x32xf32>\n"
    "  %g = stablehlo.dot_general %x, %e, contracting_dims = [0] x [0] : (tensor<64x128xf32>, tensor<64x32xf32>) -> "
    "tensor<128x32xf32>\n"
    "  %n = stablehlo.subtract %w, %g : tensor<128x32xf32>\n"
    "  return %n : tensor<128x32xf32>\n}\n";

int main(void) {
  mr_platform *platform;
  check(mr_platform_create(NULL, &platform));
  device = mr_platform_device(platform, 0);
  compare("x + 1, f32[128]", add_one, (const int64_t[][2]){{128, 0}}, 1);
  compare("a layer's step, batch 64", small_step, (const int64_t[][2]){{64, 128}, {128, 32}, {64, 32}}, 3);
  mr_platform_release(platform);
  return 0;
}
