// Nanoseconds that a call takes in the plugin: x + 1 on 128 floats, executed and its result destroyed, without and with the two
// events that hosts ask for. With two libraries, both as clients of this process: short turns alternate, who is first changes,
// and the ratio is the median of the turns' ratios, so that a busy machine hits both. A library against its copy is within 0.5%
// in most runs; say it three times.
//
//   perf_pjrt_dispatch                    the library that this was built with
//   perf_pjrt_dispatch LIBRARY [LIBRARY]  that one; or the first, the second, and first / second
#include "perf/pjrt/host.h"

enum { TURNS = 401, CALLS = 2000, WARM_TURNS = 10, SIZE = 128 };

typedef struct side {
  const PJRT_Api *api;
  PJRT_Client *client;
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *x;
} side;

static side open_side(const char *path) {
  static const char text[] = "func.func @main(%x: tensor<128xf32>) -> tensor<128xf32> {\n"
                             "  %c = stablehlo.constant dense<1.0> : tensor<128xf32>\n"
                             "  %y = stablehlo.add %x, %c : tensor<128xf32>\n"
                             "  return %y : tensor<128xf32>\n}\n";
  static const float data[SIZE];
  static const int64_t dims[1] = {SIZE};
  open_plugin(path);
  PJRT_Client *client = create_client();
  PJRT_Client_AddressableDevices_Args devices = {.struct_size = sizeof devices, .client = client};
  CALL(Client_AddressableDevices, &devices);
  PJRT_Client_BufferFromHostBuffer_Args put = {.struct_size = sizeof put,
                                               .client = client,
                                               .data = data,
                                               .type = PJRT_Buffer_Type_F32,
                                               .dims = dims,
                                               .num_dims = 1,
                                               .host_buffer_semantics =
                                                   PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                                               .device = devices.addressable_devices[0]};
  CALL(Client_BufferFromHostBuffer, &put);
  destroy_event(put.done_with_host_buffer);
  return (side){api, client, compile_text(client, text, sizeof text - 1), put.buffer};
}

static void close_side(const side *s) {
  api = s->api;
  destroy_buffer(s->x);
  destroy_executable(s->executable);
  destroy_client(s->client);
}

static void call_once(const side *s, bool with_events) {
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

static double turn_ns(const side *s, bool with_events) {
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

static void measure(const side *sides, int count, bool with_events) {
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
  side sides[2];
  for (int i = 0; i < count; i++) {
    sides[i] = open_side(argc > 1 ? argv[1 + i] : NULL);
  }
  measure(sides, count, false);
  measure(sides, count, true);
  for (int i = 0; i < count; i++) {
    close_side(&sides[i]);
  }
  return 0;
}
