// A host may destroy a client before what it has of it, in whatever order its finalizers come. Each handle then does what it can
// without the client, nothing begins any more, and with the last handle the client is gone, while another client goes on.
#include <dirent.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "pjrt/ext/extensions.h"
#include "tests/cmocka.h"
#include "tests/pjrt_walk/left.h"
#include "tests/pjrt_walk/walk.h"

static PJRT_Client *bystander;

// ---- Orders -------------------------------------------------------------------------------------------------------------

// How many of these are alive in the plugin.
static int64_t alive(const char *name) {
  const mr_pjrt_census_extension *census =
      (const mr_pjrt_census_extension *)host_extension((PJRT_Extension_Type)MR_PJRT_CENSUS_TYPE);
  int64_t counts[64];
  size_t count = census->count(counts, 64), found = 0;
  while (found < count && strcmp(census->name(found), name) != 0) {
    found++;
  }
  assert_true(found < count);
  return counts[found];
}

// What a thread of the engine's has in hand a moment longer is waited for.
static void expect_alive(const char *name, int64_t wanted) {
  for (int i = 0; i < 10000 && alive(name) != wanted; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  assert_int_equal(alive(name), wanted);
}

static void make_all(left *all) {
  PJRT_Client *client = host_client_create(2);
  memset(all, 0, LEFT_KINDS * sizeof *all);
  for (size_t k = 0; k < LEFT_KINDS; k++) {
    all[k].bystander = bystander;
    all[k].client = client;
    all[k].device = host_device(client, 0);
    left_kinds[k].make(&all[k]);
  }
}

static void use_all(left *all) {
  for (size_t k = 0; k < LEFT_KINDS; k++) {
    if (left_kinds[k].use) {
      left_kinds[k].use(&all[k]);
    }
  }
}

// A client stays for as long as the host has one handle that needs it, and not longer.
static void test_each_kind(void **state) {
  (void)state;
  int64_t clients = alive("clients"), platforms = alive("platforms");
  for (size_t k = 0; k < LEFT_KINDS; k++) {
    print_message("%s\n", left_kinds[k].name);
    left l = {.bystander = bystander, .client = host_client_create(1)};
    l.device = host_device(l.client, 0);
    left_kinds[k].make(&l);
    host_client_destroy(l.client);
    assert_true(left_kinds[k].is_lone || alive("clients") == clients + 1);
    if (left_kinds[k].use) {
      left_kinds[k].use(&l);
    }
    assert_true(left_kinds[k].is_lone || alive("clients") == clients + 1);
    left_kinds[k].drop(&l);
    expect_alive("clients", clients);
    expect_alive("platforms", platforms);
  }
}

// With some handles gone before the client and the others after it, from the first to the last or the other way.
static void test_orders(void **state) {
  (void)state;
  int64_t clients = alive("clients");
  for (size_t before = 0; before < LEFT_KINDS; before += 5) {
    for (int backwards = 0; backwards < 2; backwards++) {
      left all[LEFT_KINDS];
      make_all(all);
      for (size_t i = 0; i < LEFT_KINDS; i++) {
        if (i == before) {
          host_client_destroy(all[0].client);
          assert_int_equal(alive("clients"), clients + 1);
        }
        size_t k = backwards ? LEFT_KINDS - 1 - i : i;
        left_kinds[k].drop(&all[k]);
      }
      expect_alive("clients", clients);
    }
  }
}

// ---- Threads ------------------------------------------------------------------------------------------------------------

enum { THREADS = 4, ROUNDS = MR_TEST_SANITIZED ? 8 : 25 };

typedef struct dropper {
  pthread_barrier_t *start;
  left *all;
  size_t first;
} dropper;

static void *drop_some(void *user) {
  dropper *self = user;
  pthread_barrier_wait(self->start);
  for (size_t k = self->first; k < LEFT_KINDS; k += THREADS) {
    left_kinds[k].drop(&self->all[k]);
  }
  return NULL;
}

// What another client has meanwhile is as it would be.
static void *go_by(void *user) {
  _Atomic(bool) *over = user;
  while (!atomic_load(over)) {
    PJRT_Buffer *buffer = host_put(bystander, host_device(bystander, 0), walk_six, walk_dims, 1);
    left_expect_six(buffer, 1);
    host_buffer_destroy(buffer);
  }
  return NULL;
}

// Threads let go of everything at once, after the client was destroyed, or while it is.
static void test_threads(void **state) {
  (void)state;
  int64_t clients = alive("clients");
  _Atomic(bool) over = false;
  pthread_t other, threads[THREADS];
  pthread_create(&other, NULL, go_by, &over);
  for (int round = 0; round < ROUNDS; round++) {
    left all[LEFT_KINDS];
    pthread_barrier_t start;
    dropper droppers[THREADS];
    make_all(all);
    if (round % 3 == 0) {
      host_client_destroy(all[0].client);
      use_all(all);
    }
    pthread_barrier_init(&start, NULL, THREADS + 1);
    for (size_t t = 0; t < THREADS; t++) {
      droppers[t] = (dropper){&start, all, t};
      pthread_create(&threads[t], NULL, drop_some, &droppers[t]);
    }
    pthread_barrier_wait(&start);
    if (round % 3) {
      host_client_destroy(all[0].client);
    }
    for (size_t t = 0; t < THREADS; t++) {
      pthread_join(threads[t], NULL);
    }
    pthread_barrier_destroy(&start);
    expect_alive("clients", clients);
  }
  atomic_store(&over, true);
  pthread_join(other, NULL);
}

static const char slow[] =
    "func.func public @main(%x: tensor<6xf32>, %y: tensor<6xf32>) -> tensor<6xf32> {\n"
    "  %m = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<6xf32>) -> tensor<6x200000xf32>\n"
    "  %s = stablehlo.sine %m : tensor<6x200000xf32>\n"
    "  %c = stablehlo.cosine %s : tensor<6x200000xf32>\n"
    "  %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %r = stablehlo.reduce(%c init: %z) applies stablehlo.maximum across dimensions = [1] :\n"
    "    (tensor<6x200000xf32>, tensor<f32>) -> tensor<6xf32>\n"
    "  %k = stablehlo.subtract %r, %r : tensor<6xf32>\n"
    "  %a = stablehlo.add %x, %k : tensor<6xf32>\n"
    "  return %a : tensor<6xf32>\n}\n";

// Work that is queued when the client is destroyed ends well, whatever is left of it, and the client goes with it.
static void test_queued_work(void **state) {
  (void)state;
  enum { CALLS = 12 };
  int64_t clients = alive("clients");
  for (int keeps = 0; keeps < 2; keeps++) {
    PJRT_Client *client = host_client_create(1);
    PJRT_LoadedExecutable *loaded = host_compile(client, slow);
    PJRT_Buffer *x[CALLS + 1] = {host_put(client, host_device(client, 0), walk_six, walk_dims, 1)};
    PJRT_Event *done[CALLS];
    for (int i = 0; i < CALLS; i++) {
      x[i + 1] = left_run(loaded, x[i], &done[i]);
      if (!keeps) {
        host_buffer_destroy(x[i]);
      }
    }
    host_client_destroy(client);
    host_loaded_destroy(loaded);
    left_expect_six(x[CALLS], 1);
    for (int i = 0; i < CALLS; i++) {
      assert_int_equal(host_await(done[i], NULL), PJRT_Error_Code_OK);
    }
    for (int i = keeps ? 0 : CALLS; i <= CALLS; i++) {
      host_buffer_destroy(x[i]);
    }
    expect_alive("clients", clients);
  }
}

// Any number of clients may be in that state at once.
static void test_many_clients(void **state) {
  (void)state;
  enum { MANY = 70 };
  int64_t clients = alive("clients");
  PJRT_Buffer *buffers[MANY];
  for (int i = 0; i < MANY; i++) {
    PJRT_Client *client = host_client_create(1);
    buffers[i] = host_put(client, host_device(client, 0), walk_six, walk_dims, 1);
    host_client_destroy(client);
  }
  assert_int_equal(alive("clients"), clients + MANY);
  for (int i = 0; i < MANY; i++) {
    left_expect_six(buffers[i * 3 % MANY], 1);
    host_buffer_destroy(buffers[i * 3 % MANY]);
  }
  expect_alive("clients", clients);
}

// Threads of the engine's, but for the one that gives back what nobody uses.
static int engine_threads(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  assert_non_null(tasks);
  for (struct dirent *entry; (entry = readdir(tasks));) {
    char path[300], name[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE *file = fopen(path, "r");
    if (file) {
      count +=
          fgets(name, sizeof name, file) && strncmp(name, "millrace-", 9) == 0 && strcmp(name, "millrace-tidy\n") != 0;
      fclose(file);
    }
  }
  closedir(tasks);
  return count;
}

// The last handle of the last client takes the engine's threads along.
static void test_threads_end(void **state) {
  (void)state;
  host_client_destroy(bystander);
  bystander = NULL;
  PJRT_Client *client = host_client_create(1);
  PJRT_Buffer *buffer = host_put(client, host_device(client, 0), walk_six, walk_dims, 1);
  host_client_destroy(client);
  assert_true(engine_threads() > 0);
  host_buffer_destroy(buffer);
  for (int i = 0; i < 10000 && engine_threads() > 0; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  assert_int_equal(engine_threads(), 0);
}

static int setup(void **state) {
  (void)state;
  bystander = host_client_create(1);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  if (bystander) {
    host_client_destroy(bystander);
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    host_set_library(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_kind),   cmocka_unit_test(test_orders),       cmocka_unit_test(test_threads),
      cmocka_unit_test(test_queued_work), cmocka_unit_test(test_many_clients), cmocka_unit_test(test_threads_end),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
