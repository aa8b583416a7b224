// Executions that wait for their host: each has a recv, and the host answers 10 ms after it was asked. All are begun before the
// first is waited for, so that together they take little more than one, unless each holds a thread while it waits.
//
//   perf_pjrt_recv [library]          the library that this was built with, or another
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/core.h"
#include "pjrt/abi.h"

enum { EXECUTIONS = 64, WAIT_NS = 10000000, ROUNDS = 5 };

static const PJRT_Api *api;

static void check(PJRT_Error *error, const char *call) {
  if (error) {
    PJRT_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
    api->PJRT_Error_Message(&message);
    fprintf(stderr, "%s: %.*s\n", call, (int)message.message_size, message.message);
    exit(1);
  }
}
#define CALL(slot, args) check(api->PJRT_##slot(args), #slot)

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

static void destroy_event(PJRT_Event *event) {
  PJRT_Event_Destroy_Args args = {.struct_size = sizeof args, .event = event};
  CALL(Event_Destroy, &args);
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
  PJRT_Program program = {.struct_size = sizeof program,
                          .code = (char *)text,
                          .code_size = sizeof text - 1,
                          .format = "mlir",
                          .format_size = 4};
  PJRT_Client_Compile_Args args = {.struct_size = sizeof args, .client = client, .program = &program};
  CALL(Client_Compile, &args);
  return args.executable;
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
    PJRT_Buffer_Destroy_Args gone = {.struct_size = sizeof gone, .buffer = results[i]};
    CALL(Buffer_Destroy, &gone);
  }
  return (double)(end - start) / 1e6;
}

static const PJRT_Api *open_library(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, "GetPjrtApi") : NULL;
  if (!symbol) {
    fprintf(stderr, "%s: %s\n", path, dlerror());
    exit(1);
  }
  const PJRT_Api *(*get_api)(void);
  __builtin_memcpy(&get_api, &symbol, sizeof get_api);
  return get_api();
}

int main(int argc, char **argv) {
  api = argc > 1 ? open_library(argv[1]) : GetPjrtApi();
  PJRT_Plugin_Initialize_Args init = {.struct_size = sizeof init};
  CALL(Plugin_Initialize, &init);
  PJRT_Client_Create_Args create = {.struct_size = sizeof create};
  CALL(Client_Create, &create);
  PJRT_LoadedExecutable *loaded = compile(create.client);
  double least = round_ms(loaded);
  for (int round = 1; round < ROUNDS; round++) {
    least = MR_MIN(least, round_ms(loaded));
  }
  printf("%d executions, each with a recv that is answered after %d ms: %.2f ms\n", EXECUTIONS, WAIT_NS / 1000000,
         least);
  PJRT_LoadedExecutable_Destroy_Args unload = {.struct_size = sizeof unload, .executable = loaded};
  CALL(LoadedExecutable_Destroy, &unload);
  PJRT_Client_Destroy_Args gone = {.struct_size = sizeof gone, .client = create.client};
  CALL(Client_Destroy, &gone);
  return 0;
}
