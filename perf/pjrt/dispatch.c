// Nanoseconds that a call takes in the plugin: x + 1 on 128 floats, executed and its result destroyed, without and with the two
// events that hosts ask for. With two libraries, both as clients of this process: short turns alternate, who is first changes,
// and the ratio is the median of the turns' ratios, so that a busy machine hits both. A library against its copy is within 0.5%
// in most runs; say it three times.
//
//   perf_pjrt_dispatch                    the library that this was built with
//   perf_pjrt_dispatch LIBRARY [LIBRARY]  that one; or the first, the second, and first / second
#include "perf/pjrt/add_one.h"

enum { TURNS = 401, CALLS = 2000, WARM_TURNS = 10 };

static void close_side(const add_one *s) {
  api = s->api;
  destroy_buffer(s->x);
  destroy_executable(s->executable);
  destroy_client(s->client);
}

static void call_once(const add_one *s, bool with_events) {
  PJRT_Buffer *result = NULL, **results = &result, *const *arguments = &s->x;
  PJRT_Event *done = NULL;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  PJRT_LoadedExecutable_Execute_Args run = {.struct_size = sizeof run,
                                            .executable = s->executable,
                                            .options = &options,
                                            .num_devices = 1,
                                            .num_args = 1,
                                            .argument_lists = &arguments,
                                            .output_lists = &results,
                                            .device_complete_events = with_events ? &done : NULL};
  CALL(LoadedExecutable_Execute, &run);
  if (with_events) {
    PJRT_Buffer_ReadyEvent_Args ready = {.struct_size = sizeof ready, .buffer = result};
    CALL(Buffer_ReadyEvent, &ready);
    destroy_event(ready.event);
    destroy_event(done);
  }
  destroy_buffer(result);
}

static double turn_ns(const add_one *s, bool with_events) {
  api = s->api;
  uint64_t start = mr_now_ns();
  for (int i = 0; i < CALLS; i++) {
    call_once(s, with_events);
  }
  return (double)(mr_now_ns() - start) / CALLS;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double values[TURNS]) {
  qsort(values, TURNS, sizeof *values, compare);
  return values[TURNS / 2];
}

static void measure(const add_one *sides, int count, bool with_events) {
  static double ns[2][TURNS], ratios[TURNS];
  for (int turn = -WARM_TURNS; turn < TURNS; turn++) {
    for (int i = 0; i < count; i++) {
      int which = count == 2 ? (turn + i) & 1 : 0;
      ns[which][MR_MAX(turn, 0)] = turn_ns(&sides[which], with_events);
    }
    ratios[MR_MAX(turn, 0)] = ns[0][MR_MAX(turn, 0)] / ns[1][MR_MAX(turn, 0)];
  }
  printf("x + 1%s  %7.1f ns", with_events ? " with events" : "            ", median(ns[0]));
  if (count == 2) {
    printf("  %7.1f ns  ratio %.4f", median(ns[1]), median(ratios));
  }
  printf("\n");
}

int main(int argc, char **argv) {
  int count = MR_MAX(1, MR_MIN(argc - 1, 2));
  add_one sides[2];
  for (int i = 0; i < count; i++) {
    sides[i] = open_add_one(argc > 1 ? argv[1 + i] : NULL);
  }
  measure(sides, count, false);
  measure(sides, count, true);
  for (int i = 0; i < count; i++) {
    close_side(&sides[i]);
  }
  return 0;
}
