#include "tests/pjrt_walk/host_store.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cmocka.h"

static char folder[] = "/tmp/millrace-store-XXXXXX";
static int current_run;

bool host_store_create(void) {
  if (mkdtemp(folder) == NULL) {
    perror(folder);
    return false;
  }
  return true;
}

void host_store_remove(void) {
  char command[300];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) {
    perror("removing the store");
  }
}

void host_store_run(int run) { current_run = run; }

static void path_of(const char *key, size_t size, char *out) {
  size_t n = (size_t)sprintf(out, "%s/%d-", folder, current_run);
  for (size_t i = 0; i < size; i++) {
    out[n++] = key[i] == '/' ? '-' : key[i];
  }
  out[n] = 0;
}

// Whoever reads the file finds all of it.
static void write_file(const char *path, const char *value, size_t size) {
  char draft[300];
  snprintf(draft, sizeof draft, "%s.%d", path, (int)getpid());
  FILE *file = fopen(draft, "w");
  fwrite(value, 1, size, file);
  fclose(file);
  rename(draft, path);
}

void host_store_write(const char *key, const char *value, size_t size) {
  char path[256];
  path_of(key, strlen(key), path);
  write_file(path, value, size);
}

static PJRT_Error *store_put(PJRT_KeyValuePutCallback_Args *args) {
  char path[256];
  path_of(args->key, args->key_size, path);
  if (access(path, F_OK) == 0) {
    return (*args->callback_error)(PJRT_Error_Code_ALREADY_EXISTS, "key is there", 12);
  }
  write_file(path, args->value, args->value_size);
  return NULL;
}

static void delete_value(char *value) { free(value); }

static PJRT_Error *store_get(PJRT_KeyValueGetCallback_Args *args) {
  char path[256];
  path_of(args->key, args->key_size, path);
  for (int waited = 0; access(path, F_OK) != 0; waited += 5) {
    if (waited >= args->timeout_in_ms) {
      return (*args->callback_error)(PJRT_Error_Code_DEADLINE_EXCEEDED, "no key", 6);
    }
    usleep(5000);
  }
  FILE *file = fopen(path, "r");
  args->value = malloc(4096);
  args->value_size = fread(args->value, 1, 4096, file);
  args->value_deleter_callback = delete_value;
  fclose(file);
  return NULL;
}

// ---- Runs -----------------------------------------------------------------------------------------------------------

PJRT_Error *host_run_join(int node, int nodes, int devices, int timeout_ms, PJRT_Client **out_client) {
  const struct {
    const char *name;
    int64_t value;
  } numbers[] = {
      {"node_id", node}, {"num_nodes", nodes}, {"num_devices", devices}, {"topology_timeout_ms", timeout_ms}};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  PJRT_NamedValue options[COUNT];
  for (int i = 0; i < COUNT; i++) {
    options[i] = (PJRT_NamedValue){.struct_size = sizeof *options,
                                   .name = numbers[i].name,
                                   .name_size = strlen(numbers[i].name),
                                   .type = PJRT_NamedValue_kInt64,
                                   .int64_value = numbers[i].value,
                                   .value_size = 1};
  }
  HOST_ARGS(init, Plugin_Initialize);
  HOST_OK(Plugin_Initialize, &init);
  HOST_ARGS(args, Client_Create, .create_options = options, .num_options = COUNT, .kv_get_callback = store_get,
            .kv_put_callback = store_put);
  PJRT_Error *error = host_api()->PJRT_Client_Create(&args);
  *out_client = args.client;
  return error;
}

static void *join_second(void *out_client) { return host_run_join(1, 2, 1, HOST_RUN_TIMEOUT_MS, out_client); }

void host_run_of_two(PJRT_Client *out_clients[2]) {
  pthread_t thread;
  void *error;
  host_api();  // opened before there are two threads
  assert_int_equal(pthread_create(&thread, NULL, join_second, &out_clients[1]), 0);
  host_ok(host_run_join(0, 2, 1, HOST_RUN_TIMEOUT_MS, &out_clients[0]), "Client_Create");
  pthread_join(thread, &error);
  host_ok(error, "Client_Create");
}
