// How much memory a node holds while it waits, by the number of its inputs and the size of its payload.
#include "tests/cmocka.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "futures/tuning.h"
#include "graph/graph.h"

enum { COUNT = 25000, MOST_INPUTS = 8 };

static int ran;

static void run(mr_node *node) {
  ran++;
  mr_node_finish(node, MR_OK);
}
static const mr_node_type type = {.name = "n", .kind = MR_NODE_CALLBACK, .run = run};

// The pool's chunks that this many pending nodes took.
static uint64_t count_chunks(int inputs, size_t payload) {
  mr_future events[MOST_INPUTS];
  for (int i = 0; i < inputs; i++) {
    mr_future_init(&events[i]);
  }
  static mr_node *nodes[COUNT];
  mr_alloc_fail_nth(0);
  for (int n = 0; n < COUNT; n++) {
    if (mr_node_create(&type, payload, NULL, &nodes[n])) {
      abort();
    }
    for (int i = 0; i < inputs; i++) {
      if (mr_node_after(nodes[n], &events[i])) {
        abort();
      }
    }
  }
  uint64_t chunks = mr_alloc_fail_nth(0);
  for (int n = 0; n < COUNT; n++) {
    mr_node_submit(nodes[n]);
  }
  for (int i = 0; i < inputs; i++) {
    mr_future_set(&events[i], MR_OK);
  }
  if (ran != COUNT) {
    abort();
  }
  return chunks;
}

// In a process of its own, whose pool is empty.
static uint64_t chunks_of(int inputs, size_t payload) {
  int ends[2], status;
  uint64_t chunks = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    chunks = count_chunks(inputs, payload);
    _exit(write(ends[1], &chunks, sizeof chunks) == sizeof chunks ? 0 : 1);
  }
  assert_int_equal(read(ends[0], &chunks, sizeof chunks), sizeof chunks);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  close(ends[0]);
  close(ends[1]);
  return chunks;
}

// A pending node of up to four inputs takes 128 bytes and its payload at most; each two more take 32.
static void test_bytes_of_a_pending_node(void **state) {
  (void)state;
  if (MR_TEST_SANITIZED) {
    skip();  // every block is an allocation of its own, or a process takes seconds
  }
  static const size_t payloads[] = {0, 16, 24, 32, 96, 224, 256};
  for (size_t p = 0; p < MR_ARRAY_SIZE(payloads); p++) {
    for (int inputs = 0; inputs <= MOST_INPUTS; inputs++) {
      uint64_t chunks = chunks_of(inputs, payloads[p]);
      size_t more = inputs > 4 ? (size_t)(inputs - 3) / 2 * 32 : 0;
      size_t bound = payloads[p] + 128 + more;
      if (more && payloads[p] % 32 == 0) {
        bound -= 32;  // nothing is lost to rounding
      }
      // Beside them the thread's cache, its share of the census, and a chunk of each of the two sizes that is not full.
      assert_in_range(chunks, 1, bound * COUNT / MR_POOL_CHUNK + 4);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes_of_a_pending_node)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
