// The plugin under a host while calls to the system fail, one after another (faults.def): programs with kernels, oneDNN and
// OpenBLAS, cold and from the disk cache, large and small, executables to bytes and back, memory of the host's, and buffers
// between two clients over sockets.
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/faults/faults.h"
#include "tests/faults/host.h"

static const PJRT_Api *api;

// ---- Programs -------------------------------------------------------------------------------------------------------

enum { SIDE = 256, AREA = SIDE * SIDE };

static const char small_program[] =
    "module @small {\n"
    "  func.func public @main(%a: tensor<6xf32>) -> tensor<6xf32> {\n"
    "    %c = stablehlo.constant dense<[3.0, 1.0, 2.0, 6.0, 5.0, 4.0]> : tensor<6xf32>\n"
    "    %0 = stablehlo.multiply %a, %c : tensor<6xf32>\n"
    "    %1 = stablehlo.add %0, %a : tensor<6xf32>\n"
    "    return %1 : tensor<6xf32>\n"
    "  }\n"
    "}\n";

static const char warm_program[] = "func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {\n"
                                   "  %e = stablehlo.exponential %x : tensor<64xf32>\n"
                                   "  return %e : tensor<64xf32>\n}\n";

// Too much for the calling thread: it is queued, and its loop is spread.
static const char wide_program[] = "module @wide {\n"
                                   "  func.func public @main(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
                                   "    %0 = stablehlo.exponential %a : tensor<256x256xf32>\n"
                                   "    %1 = stablehlo.sine %0 : tensor<256x256xf32>\n"
                                   "    %2 = stablehlo.subtract %1, %1 : tensor<256x256xf32>\n"
                                   "    %3 = stablehlo.add %2, %a : tensor<256x256xf32>\n"
                                   "    return %3 : tensor<256x256xf32>\n"
                                   "  }\n"
                                   "}\n";

// %s: f32 goes to oneDNN, f64 to OpenBLAS.
static const char product_program[] =
    "module @product {\n"
    "  func.func public @main(%%a: tensor<256x256x%s>) -> tensor<256x256x%s> {\n"
    "    %%0 = stablehlo.dot_general %%a, %%a, contracting_dims = [1] x [0] : (tensor<256x256x%s>, "
    "tensor<256x256x%s>) -> tensor<256x256x%s>\n"
    "    return %%0 : tensor<256x256x%s>\n"
    "  }\n"
    "}\n";

static const int64_t six_dims[] = {6}, square_dims[] = {SIDE, SIDE};
static const float six[] = {1, 2, 3, 4, 5, 6}, small_answer[] = {4, 4, 9, 28, 30, 30};

static bool check(const host *h, PJRT_LoadedExecutable *loaded, PJRT_Buffer *x, const void *wanted, size_t size) {
  PJRT_Buffer *y = NULL;
  void *got = malloc(size);
  bool fine = host_execute(h, loaded, x, &y) && host_get(h, y, got, size);
  if (fine && memcmp(got, wanted, size) != 0) {
    record_wrong(h->record, "a result of %zu bytes is another one", size);
  }
  host_buffer_destroy(h, y);
  free(got);
  return fine;
}

static bool run_program(const host *h, PJRT_Client *client, const char *text, PJRT_Buffer_Type type, const void *input,
                        const void *wanted, const int64_t *dims, size_t rank, size_t size) {
  PJRT_LoadedExecutable *loaded = host_compile(h, client, text);
  PJRT_Buffer *x = loaded ? host_put(h, client, type, input, dims, rank) : NULL;
  bool fine = x && check(h, loaded, x, wanted, size) && check(h, loaded, x, wanted, size);
  host_buffer_destroy(h, x);
  host_loaded_destroy(h, loaded);
  return fine;
}

static bool run_product(const host *h, PJRT_Client *client, bool is_double) {
  const char *type = is_double ? "f64" : "f32";
  char text[sizeof product_program + 24];
  snprintf(text, sizeof text, product_program, type, type, type, type, type, type);
  size_t width = is_double ? sizeof(double) : sizeof(float);
  char *twice = calloc(AREA, width), *four = calloc(AREA, width);
  for (int i = 0; i < SIDE; i++) {
    if (is_double) {
      ((double *)twice)[i * (SIDE + 1)] = 2;
      ((double *)four)[i * (SIDE + 1)] = 4;
    } else {
      ((float *)twice)[i * (SIDE + 1)] = 2;
      ((float *)four)[i * (SIDE + 1)] = 4;
    }
  }
  bool fine = run_program(h, client, text, is_double ? PJRT_Buffer_Type_F64 : PJRT_Buffer_Type_F32, twice, four,
                          square_dims, 2, AREA * width);
  free(twice);
  free(four);
  return fine;
}

static bool run_wide(const host *h, PJRT_Client *client) {
  float *values = malloc(AREA * sizeof *values);
  for (int i = 0; i < AREA; i++) {
    values[i] = (float)(i % 7);
  }
  bool fine =
      run_program(h, client, wide_program, PJRT_Buffer_Type_F32, values, values, square_dims, 2, AREA * sizeof *values);
  free(values);
  return fine;
}

// ---- Executables as bytes -----------------------------------------------------------------------------------------------

static PJRT_LoadedExecutable *load_again(const host *h, PJRT_Client *client, PJRT_Executable *executable) {
  HOST_ARGS(bytes, Executable_Serialize, .executable = executable);
  if (!HOST_CALL(h, Executable_Serialize, &bytes)) {
    return NULL;
  }
  HOST_ARGS(load, Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes.serialized_bytes,
            .serialized_executable_size = bytes.serialized_bytes_size);
  bool fine = HOST_CALL(h, Executable_DeserializeAndLoad, &load);
  bytes.serialized_executable_deleter(bytes.serialized_executable);
  return fine ? load.loaded_executable : NULL;
}

static bool run_bytes(const host *h, PJRT_Client *client) {
  PJRT_LoadedExecutable *loaded = host_compile(h, client, small_program);
  HOST_ARGS(inner, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
  if (!loaded || !HOST_CALL(h, LoadedExecutable_GetExecutable, &inner)) {
    host_loaded_destroy(h, loaded);
    return false;
  }
  PJRT_LoadedExecutable *again = load_again(h, client, inner.executable);
  PJRT_Buffer *x = again ? host_put(h, client, PJRT_Buffer_Type_F32, six, six_dims, 1) : NULL;
  bool fine = x && check(h, again, x, small_answer, sizeof small_answer);
  host_buffer_destroy(h, x);
  host_loaded_destroy(h, again);
  HOST_ARGS(destroy, Executable_Destroy, .executable = inner.executable);
  HOST_CALL(h, Executable_Destroy, &destroy);
  host_loaded_destroy(h, loaded);
  return fine;
}

// ---- The rest of a host's life -----------------------------------------------------------------------------------------

static const PJRT_Extension_Base *extension(PJRT_Extension_Type type) {
  const PJRT_Extension_Base *e = api->extension_start;
  while (e && e->type != type) {
    e = e->next;
  }
  return e;
}

static bool run_memory(const host *h, PJRT_Client *client) {
  const PJRT_HostMemoryAllocator_Extension *allocator =
      (const void *)extension(PJRT_Extension_Type_HostMemoryAllocator);
  PJRT_HostMemoryAllocator_Allocate_Args args = {
      .struct_size = sizeof args, .client = client, .size = 1 << 20, .numa_node = 0};
  if (!host_ok(h, "HostMemoryAllocator_Allocate", allocator->allocate(&args))) {
    return false;
  }
  memset(args.ptr, 1, 1 << 20);
  args.deleter(args.ptr, args.deleter_arg);
  return true;
}

static bool run_copy(const host *h, PJRT_Client *client) {
  PJRT_Buffer *x = host_put(h, client, PJRT_Buffer_Type_F32, six, six_dims, 1);
  HOST_ARGS(copy, Buffer_CopyToDevice, .buffer = x, .dst_device = host_device(h, client, 1));
  float got[6] = {0};
  bool fine = x && HOST_CALL(h, Buffer_CopyToDevice, &copy);
  if (fine) {
    fine = host_get(h, copy.dst_buffer, got, sizeof got);
    host_buffer_destroy(h, copy.dst_buffer);
  }
  if (fine && memcmp(got, six, sizeof six) != 0) {
    record_wrong(h->record, "a copy is another one");
  }
  host_buffer_destroy(h, x);
  return fine;
}

static void forget_error(const PLUGIN_Profiler_Api *p, const host *h, const char *call, PLUGIN_Profiler_Error *error) {
  PLUGIN_Profiler_Error_Message_Args message = {.struct_size = sizeof message, .error = error};
  PLUGIN_Profiler_Error_GetCode_Args code = {.struct_size = sizeof code, .error = error};
  if (error) {
    p->error_message(&message);
    p->error_get_code(&code);
    record_status(h->record, call, (int)code.code, message.message);
    p->error_destroy(&(PLUGIN_Profiler_Error_Destroy_Args){.struct_size = sizeof message, .error = error});
  }
}

static bool run_profiled(const host *h, PJRT_Client *client) {
  const PJRT_Profiler_Extension *e = (const void *)extension(PJRT_Extension_Type_Profiler);
  const PLUGIN_Profiler_Api *p = e->profiler_api;
  PLUGIN_Profiler_Create_Args create = {.struct_size = sizeof create};
  PLUGIN_Profiler_Error *error = p->create(&create);
  if (error) {
    forget_error(p, h, "profiler", error);
    return false;
  }
  PLUGIN_Profiler_Handle_Args handle = {.struct_size = sizeof handle, .profiler = create.profiler};
  forget_error(p, h, "profiler start", p->start(&handle));
  bool fine = run_copy(h, client);
  forget_error(p, h, "profiler stop", p->stop(&handle));
  PLUGIN_Profiler_CollectData_Args collect = {.struct_size = sizeof collect, .profiler = create.profiler};
  forget_error(p, h, "profiler data", p->collect_data(&collect));
  forget_error(p, h, "profiler destroy", p->destroy(&handle));
  return fine && h->record->status[0] == 0;
}

// Little, but with threads: what reads the machine is seen here, and need not be seen again where a round takes longer. Its program is
// the one that a client warms up with (compiler/warm.c): whether that comes to it before the client is gone, it has been compiled.
static bool begin(record *r) {
  const host h = {api, r};
  PJRT_Client *client = host_client(&h, 2);
  float zeros[64] = {0}, ones[64];
  for (int i = 0; i < 64; i++) {
    ones[i] = 1;
  }
  bool fine =
      client &&
      run_program(&h, client, warm_program, PJRT_Buffer_Type_F32, zeros, ones, (int64_t[]){64}, 1, sizeof zeros) &&
      run_copy(&h, client) && run_memory(&h, client) && run_profiled(&h, client);
  host_client_destroy(&h, client);
  return fine;
}

static bool live(record *r) {
  const host h = {api, r};
  PJRT_Client *client = host_client(&h, 2);
  bool fine = client &&
              run_program(&h, client, small_program, PJRT_Buffer_Type_F32, six, small_answer, six_dims, 1,
                          sizeof small_answer) &&
              run_wide(&h, client) && run_product(&h, client, false) && run_product(&h, client, true) &&
              run_bytes(&h, client) && run_copy(&h, client) && run_memory(&h, client) && run_profiled(&h, client);
  host_client_destroy(&h, client);
  return fine;
}

// ---- Two clients ----------------------------------------------------------------------------------------------------

// A key-value store in memory. `over`: one of the two could not join, and the other need not wait for it.
enum { MAX_KEYS = 16, NEVER_MS = 20000 };
static struct {
  pthread_mutex_t lock;
  int count;
  struct {
    char key[128], value[1000];
    size_t size;
  } pairs[MAX_KEYS];
  bool over;
} store = {.lock = PTHREAD_MUTEX_INITIALIZER};

static PJRT_Error *store_put(PJRT_KeyValuePutCallback_Args *args) {
  pthread_mutex_lock(&store.lock);
  if (store.count < MAX_KEYS && args->value_size < sizeof store.pairs[0].value) {
    snprintf(store.pairs[store.count].key, sizeof store.pairs[0].key, "%.*s", (int)args->key_size, args->key);
    memcpy(store.pairs[store.count].value, args->value, args->value_size);
    store.pairs[store.count++].size = args->value_size;
  }
  pthread_mutex_unlock(&store.lock);
  return NULL;
}

static void delete_value(char *value) { free(value); }

static bool find_key(PJRT_KeyValueGetCallback_Args *args) {
  for (int i = 0; i < store.count; i++) {
    if (strlen(store.pairs[i].key) == args->key_size && memcmp(store.pairs[i].key, args->key, args->key_size) == 0) {
      args->value = malloc(sizeof store.pairs[0].value);
      args->value_size = store.pairs[i].size;
      args->value_deleter_callback = delete_value;
      memcpy(args->value, store.pairs[i].value, store.pairs[i].size);
      return true;
    }
  }
  return false;
}

static PJRT_Error *store_get(PJRT_KeyValueGetCallback_Args *args) {
  for (int waited = 0;; waited++) {
    pthread_mutex_lock(&store.lock);
    bool found = find_key(args), over = store.over;
    pthread_mutex_unlock(&store.lock);
    if (found) {
      return NULL;
    }
    if (over) {
      return (*args->callback_error)(PJRT_Error_Code_ABORTED, "the other one is gone", 21);
    }
    if (waited >= args->timeout_in_ms) {
      return (*args->callback_error)(PJRT_Error_Code_DEADLINE_EXCEEDED, "no key", 6);
    }
    usleep(1000);
  }
}

typedef struct joining {
  host host;
  record record;
  int node;
  PJRT_Client *client;
} joining;

static void *join_run(void *argument) {
  joining *self = argument;
  const struct {
    const char *name;
    int64_t value;
  } numbers[] = {{"node_id", self->node}, {"num_nodes", 2}, {"num_devices", 1}, {"topology_timeout_ms", NEVER_MS}};
  PJRT_NamedValue options[4];
  for (int i = 0; i < 4; i++) {
    options[i] = (PJRT_NamedValue){.struct_size = sizeof *options,
                                   .name = numbers[i].name,
                                   .name_size = strlen(numbers[i].name),
                                   .type = PJRT_NamedValue_kInt64,
                                   .int64_value = numbers[i].value,
                                   .value_size = 1};
  }
  self->host = (host){api, &self->record};
  HOST_ARGS(args, Client_Create, .create_options = options, .num_options = 4, .kv_get_callback = store_get,
            .kv_put_callback = store_put);
  self->client = HOST_CALL(&self->host, Client_Create, &args) ? args.client : NULL;
  if (self->client == NULL) {
    pthread_mutex_lock(&store.lock);
    store.over = true;
    pthread_mutex_unlock(&store.lock);
  }
  return NULL;
}

static void pass_on(record *r, const record *from) {
  if (from->status[0]) {
    record_status(r, "another client", 1, from->status);
  }
  if (from->wrong[0]) {
    record_wrong(r, "%s", from->wrong);
  }
}

enum { SENT = 100000 };
static const int64_t sent_dims[] = {SENT};

static PJRT_Buffer *receive(const host *h, PJRT_Client *client) {
  const PJRT_CrossHostTransfers_Extension *e = (const void *)extension(PJRT_Extension_Type_CrossHostTransfers);
  PJRT_Buffer_Type type = PJRT_Buffer_Type_F32;
  const int64_t *dims = sent_dims;
  int64_t key = 7;
  int32_t source = 0;
  size_t rank = 1;
  PJRT_Buffer *buffer = NULL;
  PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args args = {.struct_size = sizeof args,
                                                                  .client = client,
                                                                  .num_shapes = 1,
                                                                  .shape_num_dims = &rank,
                                                                  .num_dims = &dims,
                                                                  .element_types = &type,
                                                                  .device = host_device(h, client, 0),
                                                                  .src_global_device_ids = &source,
                                                                  .transfer_keys = &key,
                                                                  .buffers = &buffer};
  return host_ok(h, "CrossHostReceiveBuffers", e->cross_host_receive_buffers(&args)) ? buffer : NULL;
}

static PJRT_Event *send_away(const host *h, PJRT_Client *client, PJRT_Buffer *buffer) {
  const PJRT_CrossHostTransfers_Extension *e = (const void *)extension(PJRT_Extension_Type_CrossHostTransfers);
  int32_t target = 1;
  int64_t key = 7;
  PJRT_Event *event = NULL;
  PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args args = {.struct_size = sizeof args,
                                                               .client = client,
                                                               .num_buffers = 1,
                                                               .buffers = &buffer,
                                                               .dst_global_device_ids = &target,
                                                               .transfer_keys = &key,
                                                               .send_events = &event};
  return host_ok(h, "CrossHostSendBuffers", e->cross_host_send_buffers(&args)) ? event : NULL;
}

// What is sent arrives. When the sender says that it failed, nobody waits for it any more, and the receiver's client goes away.
static bool transfer(const host *h, joining *both) {
  float *values = malloc(2 * SENT * sizeof *values);
  for (int i = 0; i < SENT; i++) {
    values[i] = (float)i;
  }
  PJRT_Buffer *x = host_put(h, both[0].client, PJRT_Buffer_Type_F32, values, sent_dims, 1);
  PJRT_Buffer *y = x ? receive(h, both[1].client) : NULL;
  PJRT_Event *sent = y ? send_away(h, both[0].client, x) : NULL;
  bool fine = sent && host_await(h, "a send", sent) && host_get(h, y, values + SENT, SENT * sizeof *values);
  if (fine && memcmp(values, values + SENT, SENT * sizeof *values) != 0) {
    record_wrong(h->record, "what arrived is not what was sent");
  }
  HOST_ARGS(ready, Buffer_ReadyEvent, .buffer = y);
  bool waits = y && HOST_CALL(h, Buffer_ReadyEvent, &ready);
  host_buffer_destroy(h, x);
  host_buffer_destroy(h, y);
  for (int i = 0; i < 2; i++) {
    host_client_destroy(h, both[i].client);
    both[i].client = NULL;
  }
  if (waits && !host_await(h, "a receive", ready.event)) {
    fine = false;
  }
  free(values);
  return fine;
}

static bool two_clients(record *r) {
  const host h = {api, r};
  joining both[2] = {{.node = 0}, {.node = 1}};
  pthread_t thread;
  store.count = 0;
  store.over = false;
  HOST_ARGS(init, Plugin_Initialize);
  if (!HOST_CALL(&h, Plugin_Initialize, &init)) {
    return false;
  }
  pthread_create(&thread, NULL, join_run, &both[1]);
  join_run(&both[0]);
  pthread_join(thread, NULL);
  bool fine = both[0].client && both[1].client && transfer(&h, both);
  for (int i = 0; i < 2; i++) {
    pass_on(r, &both[i].record);
    host_client_destroy(&h, both[i].client);
  }
  return fine;
}

int main(int argc, char **argv) {
  const scenario scenarios[] = {
      {"begin", begin, true},
      {"live", live, false},
      {"warm", live, true},
      {"two_clients", two_clients, true},
  };
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("MILLRACE_FIGURES", "default", 1);  // how far measuring comes is a matter of time: test_native.c waits for it
  faults_start();
  api = host_open(getenv("MILLRACE_LIBRARY"));
  if (api == NULL || !faults_patch("/libpjrt_millrace.so", NULL)) {
    return 1;
  }
  // /proc and /sys are hwloc's to read. Two of its habits are not ours to mend: where fdopendir() fails it leaks the
  // descriptor, and where sched_getaffinity() fails it asks for ever (scheduler/topology.c asks first).
  faults_patch("/libhwloc.so.15", (const char *const[]){"fdopendir", "sched_getaffinity", NULL});
  // A child would take most of its time to open these.
  static const char *const large[] = {"libLLVM.so.19.1", "libdnnl.so.2", "libopenblas.so.0"};
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
    dlopen(large[i], RTLD_NOW | RTLD_LOCAL);
  }
  return scenarios_run(scenarios, sizeof scenarios / sizeof *scenarios, argc, argv) != 0;
}
