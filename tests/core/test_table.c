// Tables and pointers that are read without a lock.
#include "core/table.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ref.h"
#include "tests/cmocka.h"

enum { KEYS = 37, ROUNDS = 3000 };

typedef struct thing {
  mr_table_entry entry;
  mr_ref ref;
  uint64_t value, again;  // equal while the thing lives
} thing;

static mr_hash128 key_of(uint64_t number) { return mr_hash128_of(&number, sizeof number, (mr_hash128){1, 2}); }

static thing *thing_create(uint64_t number) {
  thing *self = mr_alloc_zeroed(1, sizeof *self);
  self->entry.key = key_of(number);
  mr_ref_init(&self->ref);
  self->value = self->again = number;
  return self;
}

static void thing_release(thing *self) {
  if (mr_ref_release(&self->ref)) {
    memset(self, 0x55, sizeof *self);
    mr_free(self);
  }
}

static thing *thing_find(mr_table *table, uint64_t number) {
  mr_rcu_begin();
  mr_table_entry *entry = mr_table_find(table, key_of(number));
  thing *found = entry ? MR_CONTAINER_OF(entry, thing, entry) : NULL;
  if (found) {
    mr_ref_retain(&found->ref);
  }
  mr_rcu_end();
  return found;
}

static thing *thing_add(mr_table *table, thing *self) {
  mr_rcu_begin();
  thing *there = MR_CONTAINER_OF(mr_table_add(table, &self->entry), thing, entry);
  mr_rcu_end();
  return there;
}

static void thing_remove(mr_table *table, thing *self) {
  assert_true(mr_table_remove(table, &self->entry));
  mr_rcu_wait();
  thing_release(self);
}

static void count_entry(mr_table_entry *entry, void *context) {
  uint64_t *sum = context;
  *sum += MR_CONTAINER_OF(entry, thing, entry)->value;
}

// What was added is found by its key, once, until it is removed; more entries than buckets are no matter.
static void test_find_add_remove(void **state) {
  (void)state;
  mr_table *table = mr_table_create(4);
  thing *things[KEYS];
  for (uint64_t i = 0; i < KEYS; i++) {
    things[i] = thing_create(i);
    assert_ptr_equal(thing_add(table, things[i]), things[i]);
  }
  thing *twin = thing_create(5);
  assert_ptr_equal(thing_add(table, twin), things[5]);
  thing_release(twin);
  uint64_t sum = 0;
  mr_table_each(table, count_entry, &sum);
  assert_int_equal(sum, KEYS * (KEYS - 1) / 2);
  for (uint64_t i = 0; i < KEYS; i++) {
    thing *found = thing_find(table, i);
    assert_ptr_equal(found, things[i]);
    assert_true(mr_table_remove(table, &found->entry));
    assert_false(mr_table_remove(table, &found->entry));
    assert_null(thing_find(table, i));
    mr_rcu_wait();
    thing_release(found);
    thing_release(found);
  }
  mr_table_destroy(table);
}

typedef struct crowd {
  mr_table *table;
  atomic_bool over;
  atomic_uint_fast64_t found, wrong;
} crowd;

static void *look_around(void *context) {
  crowd *self = context;
  for (uint64_t i = 0; !atomic_load_explicit(&self->over, memory_order_acquire); i++) {
    thing *found = thing_find(self->table, i % KEYS);
    if (!found) {
      continue;
    }
    if (found->value != i % KEYS || found->again != i % KEYS) {
      atomic_fetch_add(&self->wrong, 1);
    }
    atomic_fetch_add_explicit(&self->found, 1, memory_order_relaxed);
    thing_release(found);
  }
  return NULL;
}

// Readers find whole things or none, whatever is added, removed and freed beside them.
static void test_readers_beside_writers(void **state) {
  (void)state;
  crowd self = {.table = mr_table_create(8)};
  pthread_t readers[3];
  for (int i = 0; i < 3; i++) {
    pthread_create(&readers[i], NULL, look_around, &self);
  }
  thing *things[KEYS] = {0};
  for (uint64_t round = 0; round < ROUNDS || !atomic_load(&self.found); round++) {
    uint64_t at = round * 11 % KEYS;
    if (things[at]) {
      thing_remove(self.table, things[at]);
      things[at] = NULL;
    } else {
      things[at] = thing_add(self.table, thing_create(at));
    }
  }
  atomic_store_explicit(&self.over, true, memory_order_release);
  for (int i = 0; i < 3; i++) {
    pthread_join(readers[i], NULL);
  }
  assert_int_equal(self.wrong, 0);
  for (int i = 0; i < KEYS; i++) {
    if (things[i]) {
      thing_remove(self.table, things[i]);
    }
  }
  mr_table_destroy(self.table);
}

typedef struct sleeper {
  atomic_int step;  // 1: in its section; 2: the writer waits; 3: out of it
} sleeper;

static void *read_for_long(void *context) {
  sleeper *self = context;
  mr_rcu_begin();
  atomic_store(&self->step, 1);
  while (atomic_load(&self->step) == 1) {
    usleep(100);
  }
  usleep(20000);
  atomic_store(&self->step, 3);
  mr_rcu_end();
  return NULL;
}

// A wait ends after the sections that were open when it began.
static void test_wait_outlasts_sections(void **state) {
  (void)state;
  sleeper self = {0};
  pthread_t reader;
  pthread_create(&reader, NULL, read_for_long, &self);
  while (atomic_load(&self.step) == 0) {
    usleep(100);
  }
  atomic_store(&self.step, 2);
  mr_rcu_wait();
  assert_int_equal(atomic_load(&self.step), 3);
  pthread_join(reader, NULL);
}

// In the child of a fork the sections of threads that are not there hold nobody up, and the table is whole.
static void test_fork_with_readers(void **state) {
  (void)state;
  crowd self = {.table = mr_table_create(8)};
  thing *kept = thing_add(self.table, thing_create(3));
  pthread_t readers[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&readers[i], NULL, look_around, &self);
  }
  for (int i = 0; i < 20; i++) {
    pid_t child = fork();
    if (child == 0) {
      alarm(20);
      mr_rcu_wait();
      thing *found = thing_find(self.table, 3);
      _exit(found == kept && found->value == 3 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  atomic_store_explicit(&self.over, true, memory_order_release);
  for (int i = 0; i < 2; i++) {
    pthread_join(readers[i], NULL);
  }
  thing_remove(self.table, kept);
  mr_table_destroy(self.table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find_add_remove),
      cmocka_unit_test(test_readers_beside_writers),
      cmocka_unit_test(test_wait_outlasts_sections),
      cmocka_unit_test(test_fork_with_readers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
