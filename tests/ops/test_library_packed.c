// Packed weights are found while calls come, in slots of the same format as well, and freed when none has come for some seconds.
#include <string.h>
#include <unistd.h>

#include "core/tidy.h"
#include "ops/library/packed.h"
#include "tests/cmocka.h"

static mr_storage somewhere;  // only its address counts

static void pack_once(mr_packed_slot *slot, mr_content content) {
  mr_packed *packed = mr_packed_create(content, 1000);
  assert_non_null(packed);
  mr_packed_keep(slot, packed);
  mr_packed_release(packed);
}

static void leave_one(mr_packed_slot *slot, mr_content content) {
  pack_once(slot, content);
  pack_once(slot, content);
}

static bool has(mr_packed_slot *slot, mr_content content) {
  mr_packed *found = mr_packed_find(slot, content);
  mr_packed_release(found);
  return found != NULL;
}

// Weights that come once, or another array each time, are not kept.
static void test_weights_that_are_used_once(void **state) {
  (void)state;
  mr_packed_slot slot;
  mr_packed_slot_init(&slot);
  for (uint64_t i = 1; i < 20; i++) {
    pack_once(&slot, (mr_content){&somewhere, i});
    assert_false(has(&slot, (mr_content){&somewhere, i}));
  }
  leave_one(&slot, (mr_content){&somewhere, 19});
  assert_true(has(&slot, (mr_content){&somewhere, 19}));
  mr_packed_slot_deinit(&slot);
}

// Two slots, one of which is asked: it keeps what it has, the other one loses it, and both take something new.
static void test_what_nobody_asks_for_goes(void **state) {
  (void)state;
  mr_content content = {&somewhere, 7}, other = {&somewhere, 8};
  mr_packed_slot asked, idle;
  mr_packed_slot_init(&asked);
  mr_packed_slot_init(&idle);
  leave_one(&asked, content);
  leave_one(&idle, content);
  assert_true(has(&idle, content));
  assert_false(has(&idle, other));
  mr_packed *held = mr_packed_find(&idle, content);
  // The slot has let go of it when we alone have it; looking for it there would be asking. On a busy machine that may take long.
  for (uint64_t end = mr_now_ns() + 60000000000; !mr_ref_is_unique(&held->ref) && mr_now_ns() < end;) {
    assert_true(has(&asked, content));
    usleep(10000);
  }
  assert_true(mr_ref_is_unique(&held->ref));
  assert_false(has(&idle, content));
  ((char *)held->data)[999] = 1;  // who has it keeps it
  mr_packed_release(held);
  leave_one(&idle, other);
  assert_true(has(&idle, other));
  mr_packed_slot_deinit(&asked);
  mr_packed_slot_deinit(&idle);
}

// ---- What two sizes of a model have in common -------------------------------------------------------------------------------

static mr_storage storages[2];

static mr_content content_of(int storage, uint64_t generation) { return (mr_content){&storages[storage], generation}; }

static void init_slot(mr_packed_slot *slot, const char *format) {
  mr_packed_slot_init(slot);
  if (format) {
    mr_packed_slot_format(slot, &(mr_span){format, strlen(format)}, 1);
  }
}

// Packed twice, as a slot keeps what comes again.
static mr_packed *pack(mr_packed_slot *slot, mr_content content) {
  mr_packed *packed = NULL;
  for (int i = 0; i < 2; i++) {
    mr_packed_release(packed);
    assert_null(mr_packed_find(slot, content));
    packed = mr_packed_create(content, 100);
    assert_non_null(packed);
    mr_packed_keep(slot, packed);
  }
  return packed;
}

static void finds(mr_packed_slot *slot, mr_content content, const mr_packed *wanted) {
  mr_packed *found = mr_packed_find(slot, content);
  assert_ptr_equal(found, wanted);
  mr_packed_release(found);
}

// A slot of the same format finds it, and has it from then on, whatever becomes of the first.
static void test_shared(void **state) {
  (void)state;
  mr_packed_slot one, two, other, none;
  init_slot(&one, "blocks of 8");
  init_slot(&two, "blocks of 8");
  init_slot(&other, "blocks of 16");
  init_slot(&none, NULL);
  mr_packed *packed = pack(&one, content_of(0, 1));
  finds(&one, content_of(0, 1), packed);
  finds(&other, content_of(0, 1), NULL);
  finds(&none, content_of(0, 1), NULL);
  finds(&two, content_of(0, 2), NULL);
  finds(&two, content_of(1, 1), NULL);
  finds(&two, (mr_content){NULL, 0}, NULL);
  finds(&two, content_of(0, 1), packed);
  mr_packed_slot_deinit(&one);
  finds(&two, content_of(0, 1), packed);
  mr_packed_release(packed);
  mr_packed_slot_deinit(&two);
  mr_packed_slot_deinit(&other);
  mr_packed_slot_deinit(&none);
}

// Each slot goes on by itself when the weights change.
static void test_replaced(void **state) {
  (void)state;
  mr_packed_slot one, two;
  init_slot(&one, "blocks of 8");
  init_slot(&two, "blocks of 8");
  mr_packed *before = pack(&one, content_of(0, 1));
  finds(&two, content_of(0, 1), before);
  mr_packed *after = pack(&one, content_of(0, 2));
  finds(&one, content_of(0, 2), after);
  finds(&two, content_of(0, 1), before);
  finds(&two, content_of(0, 2), after);
  finds(&two, content_of(0, 1), NULL);
  mr_packed_release(before);
  mr_packed_release(after);
  mr_packed_slot_deinit(&one);
  mr_packed_slot_deinit(&two);
}

int main(void) {
  alarm(280);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_weights_that_are_used_once),
                                     cmocka_unit_test(test_what_nobody_asks_for_goes), cmocka_unit_test(test_shared),
                                     cmocka_unit_test(test_replaced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
