// Transfers beside executions: what a trace of a process shows that fills buffers while a program runs.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host.h"

#define ROUNDS "MILLRACE_TEST_ROUNDS"  // of the traced process: how many products its program makes

enum { THREADS = 8, PIECE = 64 << 10, BLOCK = 16 << 20, MOST_BLOCKS = 400 };

static const char *self;

// ---- The process that is traced -------------------------------------------------------------------------------------------------

// Products of 512 by 512, as many as the argument says: some tens of milliseconds for 40.
static const char busy[] =
    "module @busy {\nfunc.func public @main(%n: tensor<f32>) -> tensor<512x512xf32> {\n"
    "  %c = stablehlo.constant dense<0.001> : tensor<512x512xf32>\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n  %one = stablehlo.constant dense<1.0> : tensor<f32>\n"
    "  %r:2 = stablehlo.while(%i = %z, %x = %c) : tensor<f32>, tensor<512x512xf32>\n"
    "  cond {\n    %p = stablehlo.compare LT, %i, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    stablehlo.return %p : tensor<i1>\n  } do {\n    %j = stablehlo.add %i, %one : tensor<f32>\n"
    "    %y = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) "
    "-> "
    "tensor<512x512xf32>\n"
    "    stablehlo.return %j, %y : tensor<f32>, tensor<512x512xf32>\n  }\n"
    "  return %r#1 : tensor<512x512xf32>\n}\n}\n";

typedef struct job {
  PJRT_AsyncHostToDeviceTransferManager *manager;
  const char *source;
  int thread;
} job;

static void *move_pieces(void *argument) {
  const job *j = argument;
  for (int64_t at = (int64_t)j->thread * PIECE; at < BLOCK; at += (int64_t)THREADS * PIECE) {
    HOST_ARGS(args, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = j->manager,
              .data = j->source + at, .offset = at, .transfer_size = PIECE);
    HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &args);
    host_await(args.done_with_h2d_transfer, NULL);
  }
  return NULL;
}

static void fill_block(PJRT_Client *client, const char *source) {
  const int64_t dims[] = {BLOCK};
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_U8};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  pthread_t threads[THREADS];
  job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (job){create.transfer_manager, source, i};
    assert_int_equal(pthread_create(&threads[i], NULL, move_pieces, &jobs[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);
}

// Fills blocks, each given up at once, for as long as the program runs.
static int run_child(void) {
  PJRT_Client *client = host_client_create(1);
  PJRT_LoadedExecutable *loaded = host_compile(client, busy);
  char *source = calloc(1, BLOCK);
  const float rounds = strtof(getenv(ROUNDS), NULL);
  PJRT_Buffer *count = host_put(client, host_device(client, 0), &rounds, NULL, 0), *result = NULL;
  PJRT_Buffer *const *arguments = &count;
  PJRT_Buffer **outputs = &result;
  PJRT_Event *done = NULL;
  HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .argument_lists = &arguments, .num_devices = 1,
            .num_args = 1, .output_lists = &outputs, .device_complete_events = &done);
  HOST_OK(LoadedExecutable_Execute, &run);
  HOST_ARGS(ready, Event_IsReady, .event = done);
  for (int i = 0; i < MOST_BLOCKS && !ready.is_ready; i++) {
    fill_block(client, source);
    HOST_OK(Event_IsReady, &ready);
  }
  assert_int_equal(host_await(done, NULL), PJRT_Error_Code_OK);
  HOST_ARGS(stats, Device_MemoryStats, .device = host_device(client, 0));
  HOST_OK(Device_MemoryStats, &stats);
  assert_true(stats.peak_bytes_in_use < 4 * (int64_t)BLOCK);  // blocks that are given up are used again
  host_buffer_destroy(result);
  host_buffer_destroy(count);
  host_loaded_destroy(loaded);
  free(source);
  host_client_destroy(client);
  return 0;
}

// ---- What its trace says ----------------------------------------------------------------------------------------------------------

typedef struct span {
  double start, end;
} span;

// Spans of one name, from a file with one event a line.
static size_t read_spans(FILE *file, const char *name, span *out, size_t room) {
  char line[1024], wanted[64];
  size_t count = 0;
  snprintf(wanted, sizeof wanted, "\"ph\":\"X\",\"name\":\"%s\"", name);
  rewind(file);
  while (count < room && fgets(line, sizeof line, file)) {
    const char *at = strstr(line, wanted) ? strstr(line, "\"ts\":") : NULL;
    double duration = 0;
    if (at && sscanf(at, "\"ts\":%lf,\"dur\":%lf", &out[count].start, &duration) == 2) {
      out[count].end = out[count].start + duration;
      count++;
    }
  }
  return count;
}

// How many spans of pieces lie inside a span of the execution, in the trace of a process whose program makes so many products.
static size_t count_inside(int rounds) {
  char text[16];
  snprintf(text, sizeof text, "%d", rounds);
  setenv(ROUNDS, text, 1);
  FILE *file = host_trace_of_child(self);
  enum { ROOM = 1 << 16 };
  span runs[64], *pieces = malloc(ROOM * sizeof *pieces);
  size_t num_runs = read_spans(file, "busy", runs, 64), num_pieces = read_spans(file, "piece to device", pieces, ROOM);
  fclose(file);
  size_t inside = 0;
  for (size_t r = 0; r < num_runs; r++) {
    for (size_t p = 0; p < num_pieces; p++) {
      inside += pieces[p].start >= runs[r].start && pieces[p].end <= runs[r].end;
    }
  }
  free(pieces);
  return inside;
}

// Pieces are moved while the program runs: inside the span of the execution lie spans of pieces. Where the filling threads come
// to run only after the program is over (a loaded machine), a longer program says it; where pieces wait for it, none does.
static void test_pieces_overlap_an_execution(void **state) {
  (void)state;
  size_t inside = 0;
  for (int rounds = 40; inside == 0 && rounds <= 40 << 6; rounds *= 4) {
    inside = count_inside(rounds);
  }
  assert_true(inside > 0);
}

int main(int argc, char **argv) {
  self = argv[0];
  if (argc > 1 && strcmp(argv[1], "--child") == 0) {
    return run_child();
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces_overlap_an_execution)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
