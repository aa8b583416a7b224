// The reference count.
#include "tests/cmocka.h"

#include <pthread.h>

#include "core/core.h"
#include "core/ref.h"

// Exactly the last release destroys.
static void test_last_release_destroys(void **state) {
  (void)state;
  mr_ref ref;
  mr_ref_init(&ref);
  assert_true(mr_ref_is_unique(&ref));
  mr_ref_retain(&ref);
  assert_false(mr_ref_is_unique(&ref));
  assert_false(mr_ref_release(&ref));
  assert_true(mr_ref_is_unique(&ref));
  assert_true(mr_ref_release(&ref));
}

typedef struct shared_object {
  mr_ref ref;
  int written[4];  // one per thread, plain: the last release must see them all
  int sum;
} shared_object;

typedef struct sharer {
  shared_object *object;
  int index;
  bool destroyed;
} sharer;

static void *share(void *argument) {
  sharer *self = argument;
  for (int i = 0; i < 10000; i++) {
    mr_ref_retain(&self->object->ref);
    assert_false(mr_ref_release(&self->object->ref));
  }
  self->object->written[self->index] = self->index + 1;
  self->destroyed = mr_ref_release(&self->object->ref);
  if (self->destroyed) {
    for (int i = 0; i < 4; i++) {
      self->object->sum += self->object->written[i];
    }
  }
  return NULL;
}

// Of many releasing threads one destroys, and it sees what all of them wrote.
static void test_one_thread_destroys(void **state) {
  (void)state;
  shared_object object = {0};
  mr_ref_init(&object.ref);
  sharer sharers[4];
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    sharers[i] = (sharer){.object = &object, .index = i};
    mr_ref_retain(&object.ref);
    assert_int_equal(pthread_create(&threads[i], NULL, share, &sharers[i]), 0);
  }
  int destroyed = mr_ref_release(&object.ref);
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    destroyed += sharers[i].destroyed;
  }
  assert_int_equal(destroyed, 1);
  assert_true(object.sum == 10 || object.sum == 0);  // 0: this thread was the last one
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_last_release_destroys),
      cmocka_unit_test(test_one_thread_destroys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
