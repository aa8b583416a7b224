// The transfer manager against memcpy: 8 threads move 4 GiB in pieces of 64 KiB into buffers of 256 MiB that are given up
// as soon as they are full, while a program runs on the device. Side by side, the same threads copy the same pieces into
// one block by memcpy. Prints both rates and how much memory the process had at most.
//
//   perf_pjrt_transfer [GiB]          bar: at least 0.8 of memcpy
//   MILLRACE_TRACE=t.json perf_pjrt_transfer 1     the pieces beside the execution
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#include "perf/pjrt/host.h"

enum { THREADS = 8, PIECE = 64 << 10, BLOCK = 256 << 20, SOURCE = 64 << 20 };

static char *source, *block;

// One block: which pieces a thread moves, and where to.
typedef struct job {
  PJRT_AsyncHostToDeviceTransferManager *manager;  // NULL: memcpy into `block`
  int thread;
} job;

static void *move_pieces(void *argument) {
  const job *j = argument;
  for (size_t at = (size_t)j->thread * PIECE; at < BLOCK; at += (size_t)THREADS * PIECE) {
    const char *from = source + at % SOURCE;
    if (j->manager == NULL) {
      memcpy(block + at, from, PIECE);
      continue;
    }
    PJRT_AsyncHostToDeviceTransferManager_TransferData_Args args = {.struct_size = sizeof args,
                                                                    .transfer_manager = j->manager,
                                                                    .data = from,
                                                                    .offset = (int64_t)at,
                                                                    .transfer_size = PIECE};
    CALL(AsyncHostToDeviceTransferManager_TransferData, &args);
    PJRT_Event_Destroy_Args gone = {.struct_size = sizeof gone, .event = args.done_with_h2d_transfer};
    CALL(Event_Destroy, &gone);
  }
  return NULL;
}

static void move_block(PJRT_AsyncHostToDeviceTransferManager *manager) {
  pthread_t threads[THREADS];
  job jobs[THREADS];
  for (int i = 0; i < THREADS; i++) {
    jobs[i] = (job){manager, i};
    pthread_create(&threads[i], NULL, move_pieces, &jobs[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
}

// One buffer, handed out before its data, filled and given up.
static void move_through_manager(PJRT_Client *client) {
  const int64_t dims[] = {BLOCK};
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_U8};
  PJRT_Client_CreateBuffersForAsyncHostToDevice_Args create = {
      .struct_size = sizeof create, .client = client, .shape_specs = &spec, .num_shape_specs = 1};
  CALL(Client_CreateBuffersForAsyncHostToDevice, &create);
  PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer_Args get = {.struct_size = sizeof get,
                                                                   .transfer_manager = create.transfer_manager};
  CALL(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  move_block(create.transfer_manager);
  PJRT_AsyncHostToDeviceTransferManager_TransferData_Args last = {.struct_size = sizeof last,
                                                                  .transfer_manager = create.transfer_manager,
                                                                  .data = source,
                                                                  .is_last_transfer = true};
  CALL(AsyncHostToDeviceTransferManager_TransferData, &last);
  PJRT_AsyncHostToDeviceTransferManager_Destroy_Args gone = {.struct_size = sizeof gone,
                                                             .transfer_manager = create.transfer_manager};
  CALL(AsyncHostToDeviceTransferManager_Destroy, &gone);
  destroy_buffer(get.buffer_out);
}

// Starts a program of some hundred milliseconds and returns its result, pending.
static PJRT_Buffer *start_program(PJRT_Client *client) {
  static const char text[] =
      "func.func public @main() -> tensor<1024x1024xf32> {\n"
      "  %c = stablehlo.constant dense<0.001> : tensor<1024x1024xf32>\n"
      "  %n = stablehlo.constant dense<8> : tensor<i32>\n  %z = stablehlo.constant dense<0> : tensor<i32>\n"
      "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
      "  %r:2 = stablehlo.while(%i = %z, %x = %c) : tensor<i32>, tensor<1024x1024xf32>\n"
      "  cond {\n    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "    stablehlo.return %p : tensor<i1>\n  } do {\n    %j = stablehlo.add %i, %one : tensor<i32>\n"
      "    %y = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, "
      "tensor<1024x1024xf32>) -> tensor<1024x1024xf32>\n"
      "    stablehlo.return %j, %y : tensor<i32>, tensor<1024x1024xf32>\n  }\n"
      "  return %r#1 : tensor<1024x1024xf32>\n}\n";
  PJRT_LoadedExecutable *loaded = compile_text(client, text, sizeof text - 1);
  PJRT_Buffer *result = NULL, **outputs = &result;
  PJRT_LoadedExecutable_Execute_Args run = {
      .struct_size = sizeof run, .executable = loaded, .num_devices = 1, .output_lists = &outputs};
  CALL(LoadedExecutable_Execute, &run);
  destroy_executable(loaded);
  return result;
}

static double gib_per_second(uint64_t bytes, uint64_t ns) { return (double)bytes / (double)ns * 1e9 / (1 << 30); }

int main(int argc, char **argv) {
  uint64_t total = (uint64_t)(argc > 1 ? atoi(argv[1]) : 4) << 30;
  open_plugin(NULL);
  PJRT_Client *client = create_client();
  source = malloc(SOURCE);
  block = malloc(BLOCK);
  memset(source, 1, SOURCE);
  memset(block, 2, BLOCK);
  move_through_manager(client);  // as warm as the block of the other side
  uint64_t ours = 0, plain = 0;
  for (uint64_t moved = 0; moved < total; moved += BLOCK) {  // in turns, so that both meet the same machine
    uint64_t start = mr_now_ns();
    move_block(NULL);
    uint64_t middle = mr_now_ns();
    move_through_manager(client);
    plain += middle - start;
    ours += mr_now_ns() - middle;
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.1f GiB, %d threads, %d KiB pieces: transfer manager %.2f GiB/s, memcpy %.2f GiB/s, ratio %.2f, at most %ld "
         "MiB\n",
         (double)total / (1 << 30), THREADS, PIECE >> 10, gib_per_second(total, ours), gib_per_second(total, plain),
         (double)plain / (double)ours, usage.ru_maxrss >> 10);
  PJRT_Buffer *pending = start_program(client);
  uint64_t start = mr_now_ns();
  move_through_manager(client);
  printf("beside an execution: %.2f GiB/s\n", gib_per_second(BLOCK, mr_now_ns() - start));
  destroy_buffer(pending);
  destroy_client(client);
  free(source);
  free(block);
  return 0;
}
