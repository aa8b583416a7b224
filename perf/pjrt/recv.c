// Executions that wait for their host: each has a recv, and the host answers 10 ms after it was asked. All are begun before the
// first is waited for, so that together they take little more than one, unless each holds a thread while it waits.
//
//   perf_pjrt_recv [library]          the library that this was built with, or another
#include <pthread.h>
#include <time.h>

#include "perf/pjrt/host.h"

// As many as a device takes before who queues is held up.
enum { EXECUTIONS = 32, WAIT_NS = 10000000, ROUNDS = 5 };

// ---- The host's side: what it was asked for, answered in that order by one thread ---------------------------------------

typedef struct wish {
  PJRT_CopyToDeviceStream *stream;
  uint64_t due_ns;
} wish;

static wish wishes[EXECUTIONS];
static size_t asked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static void ask(PJRT_CopyToDeviceStream *stream, void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  wishes[asked++] = (wish){stream, mr_now_ns() + WAIT_NS};
  pthread_cond_signal(&more);
  pthread_mutex_unlock(&lock);
}

static void grant(wish w) {
  static float tens[8] = {10, 20, 30, 40, 50, 60, 70, 80};
  uint64_t now = mr_now_ns();
  if (now < w.due_ns) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(w.due_ns - now)}, NULL);
  }
  PJRT_Chunk chunk = {.data = tens, .size = sizeof tens};
  PJRT_CopyToDeviceStream_AddChunk_Args add = {.struct_size = sizeof add, .stream = w.stream, .chunk = &chunk};
  CALL(CopyToDeviceStream_AddChunk, &add);
  destroy_event(add.transfer_complete);
  PJRT_CopyToDeviceStream_Destroy_Args gone = {.struct_size = sizeof gone, .stream = w.stream};
  CALL(CopyToDeviceStream_Destroy, &gone);
}

static void *answer(void *unused) {
  for (size_t i = 0; i < EXECUTIONS; i++) {
    pthread_mutex_lock(&lock);
    while (asked <= i) {
      pthread_cond_wait(&more, &lock);
    }
    wish w = wishes[i];
    pthread_mutex_unlock(&lock);
    grant(w);
  }
  return unused;
}

// ---- The program ------------------------------------------------------------------------------------------------------

static PJRT_LoadedExecutable *compile(PJRT_Client *client) {
  static const char text[] =
      "func.func @main() -> tensor<8xf32> {\n"
      "  %t = stablehlo.create_token : !stablehlo.token\n"
      "  %r:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>,\n"
      "    is_host_transfer = true} : (!stablehlo.token) -> (tensor<8xf32>, !stablehlo.token)\n"
      "  %y = stablehlo.add %r#0, %r#0 : tensor<8xf32>\n"
      "  return %y : tensor<8xf32>\n}\n";
  return compile_text(client, text, sizeof text - 1);
}

static PJRT_Buffer *begin(PJRT_LoadedExecutable *loaded, PJRT_Event **out_done) {
  PJRT_RecvCallbackInfo recv = {.channel_id = 1, .recv_callback = ask}, *recvs = &recv;
  PJRT_ExecuteOptions options = {.struct_size = sizeof options, .recv_callbacks = &recvs, .num_recv_ops = 1};
  PJRT_Buffer *result = NULL, **results = &result;
  PJRT_LoadedExecutable_Execute_Args args = {.struct_size = sizeof args,
                                             .executable = loaded,
                                             .options = &options,
                                             .num_devices = 1,
                                             .output_lists = &results,
                                             .device_complete_events = out_done};
  CALL(LoadedExecutable_Execute, &args);
  return result;
}

static double round_ms(PJRT_LoadedExecutable *loaded) {
  PJRT_Buffer *results[EXECUTIONS];
  PJRT_Event *done[EXECUTIONS];
  asked = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, answer, NULL);
  uint64_t start = mr_now_ns();
  for (int i = 0; i < EXECUTIONS; i++) {
    results[i] = begin(loaded, &done[i]);
  }
  for (int i = 0; i < EXECUTIONS; i++) {
    PJRT_Event_Await_Args await = {.struct_size = sizeof await, .event = done[i]};
    CALL(Event_Await, &await);
  }
  uint64_t end = mr_now_ns();
  pthread_join(thread, NULL);
  for (int i = 0; i < EXECUTIONS; i++) {
    destroy_event(done[i]);
    destroy_buffer(results[i]);
  }
  return (double)(end - start) / 1e6;
}

int main(int argc, char **argv) {
  open_plugin(argc > 1 ? argv[1] : NULL);
  PJRT_Client *client = create_client();
  PJRT_LoadedExecutable *loaded = compile(client);
  double least = round_ms(loaded);
  for (int round = 1; round < ROUNDS; round++) {
    least = MR_MIN(least, round_ms(loaded));
  }
  printf("%d executions, each with a recv that is answered after %d ms: %.2f ms\n", EXECUTIONS, WAIT_NS / 1000000,
         least);
  destroy_executable(loaded);
  destroy_client(client);
  return 0;
}
