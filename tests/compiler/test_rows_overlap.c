// What does not depend on a meeting goes on while others are waited for there: one device's call of the host, behind a sum in the program, is
// what the other device's call, before the sum, waits for.
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "compiler/ir/ir.h"
#include "ops/library/library.h"
#include "tests/compiler/rows_harness.h"

#define T "tensor<8xf32>"
#define GLOBAL "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"
#define HOST(to, from, number)                                                                                  \
  to " = stablehlo.custom_call @host(" from ", %id) {backend_config = \"" number "\"} : (" T ", tensor<1xf32>)" \
     " -> " T "\n"
#define SUM(to, from)                                                                          \
  to " = \"stablehlo.all_reduce\"(" from ") ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"     \
     "%s = stablehlo.add %p, %q : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) {" GLOBAL \
     ", replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (" T ") -> " T "\n"
#define ADD(to, a, b) to " = stablehlo.add " a ", " b " : " T "\n"
#define MAIN(body) "func.func @main(%a: " T ", %id: tensor<1xf32>) -> " T " {\n" body "return %r : " T "\n}\n"

// ---- Calls of the host's ------------------------------------------------------------------------------------------------------

// Number 0 of the second device waits until number 1 of the first has run. Number 2 fails on the first. Number 3 waits until it is
// told that the first has failed. Number 5 of the second waits until number 6 of the first has run.
enum { BEFORE, BEHIND, FAILS, UNTIL_FAILED, NOTHING, UNTIL_MET, HAS_MET, CALLS };
static sem_t first_is_behind, first_has_failed, first_has_met;
static bool came_too_late;

static void wait_for_it(sem_t *it) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 20;
  came_too_late |= sem_timedwait(it, &until) != 0;
}

static mr_library_call calls[CALLS];

static mr_status run_call(const mr_library_call *call, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  bool first = *(const float *)buffers[1] == 0;
  memcpy(buffers[2], buffers[0], 8 * sizeof(float));
  if (first && call == &calls[BEHIND]) {
    assert_int_equal(sem_post(&first_is_behind), 0);
  } else if (!first && call == &calls[BEFORE]) {
    wait_for_it(&first_is_behind);
  } else if (!first && call == &calls[UNTIL_FAILED]) {
    wait_for_it(&first_has_failed);
  } else if (!first && call == &calls[UNTIL_MET]) {
    wait_for_it(&first_has_met);
  } else if (first && call == &calls[HAS_MET]) {
    assert_int_equal(sem_post(&first_has_met), 0);
  } else if (first && call == &calls[FAILS]) {
    return mr_error(MR_DATA_LOSS, "thirteen");
  }
  return MR_OK;
}

static void keep_call(mr_library_call *call) { (void)call; }

static mr_status make_call(const struct mr_op *op, mr_library_call **out_call) {
  mr_library_call *call = &calls[mr_op_string(op, MR_ATTR_backend_config).data[0] - '0'];
  *call = (mr_library_call){.run = run_call, .destroy = keep_call, .calls_host = true, .name = "host"};
  *out_call = call;
  return MR_OK;
}

// ---- Rows -----------------------------------------------------------------------------------------------------------------------

static rows_case *two_rows(const char *text) {
  rows_case *c = rows_of(text, 1, 2);
  for (uint32_t i = 0; i < 2; i++) {
    float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, id = (float)i;
    c->arguments[i][0] = on_device(i, MR_F32, data, (int64_t[]){8}, 1);
    c->arguments[i][1] = on_device(i, MR_F32, &id, (int64_t[]){1}, 1);
  }
  return c;
}

// The second device's number comes when both rows have been begun, so that they do not run on this thread, one after the other.
static void begin(rows_case *c) {
  mr_future *ready;
  mr_storage *content;
  sem_init(&first_is_behind, 0, 0);
  sem_init(&first_has_failed, 0, 0);
  sem_init(&first_has_met, 0, 0);
  mr_memory *there = &mr_platform_device(platform, 1)->memories[MR_MEMORY_DEVICE];
  mr_buffer_release(c->arguments[1][1]);
  assert_null(mr_future_create(&ready));
  expect_ok(mr_storage_allocate(there, sizeof(float), &content));
  if (mr_platform_device(platform, 1)->direct) {
    *(float *)content->data = 1;
  }
  expect_ok(mr_buffer_create(there, MR_F32, (int64_t[]){1}, 1, content, mr_future_retain(ready), &c->arguments[1][1]));
  expect_ok(mr_execute_rows(c->executable, c->rows, c->count, 2));
  mr_future_set(ready, MR_OK);
  mr_future_release(ready);
}

// Both rows have this in all elements but the last, times what the argument has there.
static void expect_goes_on(const char *text, float times) {
  rows_case *c = two_rows(text);
  for (int round = 0; round < 20; round++) {
    float got[8];
    begin(c);
    for (uint32_t i = 0; i < 2; i++) {
      wait_for(c->rows[i].done);
      c->rows[i].done = NULL;
      read_result(c, i, 0, got);
      assert_true(got[0] == times && got[7] == 8 * times);
    }
    assert_false(came_too_late);
    drop_results(c);
  }
  end_rows(c);
}

// ---- Tests ----------------------------------------------------------------------------------------------------------------------

static void test_goes_on(void **state) {
  (void)state;
  expect_goes_on(MAIN(HOST("%b", "%a", "0") SUM("%c", "%b") HOST("%d", "%a", "1") ADD("%r", "%c", "%d")), 3);
}

// Two meetings that are open at one time, and one that needs the first.
static void test_goes_on_beside_several(void **state) {
  (void)state;
  expect_goes_on(MAIN(HOST("%b", "%a", "0") SUM("%c", "%b")                        //
                      "%o = stablehlo.multiply %b, %b : " T "\n" SUM("%e", "%o")   //
                      HOST("%d", "%a", "1") ADD("%f", "%c", "%d") SUM("%g", "%f")  //
                      "%h = stablehlo.subtract %e, %e : " T "\n" ADD("%r", "%g", "%h")),
                 6);
}

#define LOOP(body)                                                                                        \
  "%zero = stablehlo.constant dense<0> : tensor<i32>\n%one = stablehlo.constant dense<1> : tensor<i32>\n" \
  "%three = stablehlo.constant dense<3> : tensor<i32>\n"                                                  \
  "%w:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, " T "\ncond {\n"                            \
  "%more = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"         \
  "stablehlo.return %more : tensor<i1>\n} do {\n%j = stablehlo.add %i, %one : tensor<i32>\n" body         \
  "stablehlo.return %j, %y : tensor<i32>, " T "\n}\n"

// A round ends when its meetings have, and the next one comes to the same.
static void test_goes_on_in_a_loop(void **state) {
  (void)state;
  expect_goes_on(MAIN(LOOP(HOST("%b", "%x", "0") SUM("%c", "%b") HOST("%d", "%x", "1") ADD("%y", "%c", "%d"))
                          ADD("%r", "%w#1", "%w#1")),
                 54);
}

// The whole of a loop that does not need what is met for.
static void test_goes_on_with_a_loop(void **state) {
  (void)state;
  expect_goes_on(MAIN(HOST("%b", "%a", "0") SUM("%c", "%b") LOOP(HOST("%k", "%x", "1") ADD("%y", "%k", "%x"))
                          ADD("%r", "%c", "%w#1")),
                 10);
}

// What needs the sum comes behind a call that does not, though the program has it before.
static void test_goes_on_in_another_order(void **state) {
  (void)state;
  expect_goes_on(MAIN(HOST("%b", "%a", "0") SUM("%c", "%b")  //
                      "%e = stablehlo.multiply %c, %c : " T
                      "\n" HOST("%f", "%e", "4") "%g = stablehlo.divide %f, %c : " T "\n" HOST("%d", "%a", "1")
                          ADD("%r", "%g", "%d")),
                 3);
}

// The second device comes to the sum before its call, which waits until the first one has got that.
static void test_comes_early(void **state) {
  (void)state;
  expect_goes_on(MAIN(HOST("%b", "%a", "5") SUM("%c", "%a") HOST("%d", "%c", "6") ADD("%r", "%b", "%d")), 3);
}

// A row that fails beside a meeting fails all at once, though the other one has yet to come to that: it ends when it does not, and the other
// one when it does. Nobody reads what is gone then.
static void test_fails_beside_a_meeting(void **state) {
  (void)state;
  rows_case *c = two_rows(MAIN(HOST("%b", "%a", "3") SUM("%c", "%b") HOST("%d", "%a", "2") ADD("%r", "%c", "%d")));
  for (int round = 0; round < 20; round++) {
    begin(c);
    assert_true(mr_future_wait_until(c->rows[0].done, mr_now_ns() + 20000000000));
    assert_int_equal(sem_post(&first_has_failed), 0);
    for (uint32_t i = 0; i < 2; i++) {
      mr_future_wait(c->rows[i].done);
      mr_status status = mr_future_status(c->rows[i].done);
      assert_int_equal(mr_status_code(status), MR_DATA_LOSS);
      assert_non_null(strstr(mr_status_message(status), "thirteen"));
      assert_non_null(strstr(mr_status_message(status), "on device 0, partition 0"));
      mr_future_release(c->rows[i].done);
      c->rows[i].done = NULL;
    }
    assert_false(came_too_late);
    drop_results(c);
  }
  end_rows(c);
}

#define MAIL                                                                                     \
  "channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false, " \
  "source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>"

// The first device waits for what the second sends when the first has gone on.
static void test_goes_on_beside_a_receive(void **state) {
  (void)state;
  rows_case *c = two_rows(MAIN("%t = stablehlo.create_token : !stablehlo.token\n" HOST(
      "%b", "%a", "0") "%u = \"stablehlo.send\"(%b, %t) {" MAIL "} : (" T ", !stablehlo.token) -> !stablehlo.token\n"
                       "%v:2 = \"stablehlo.recv\"(%u) {" MAIL "} : (!stablehlo.token) -> (" T
                       ", !stablehlo.token)\n" HOST("%d", "%a", "1") ADD("%r", "%v#0", "%d")));
  for (int round = 0; round < 20; round++) {
    float got[8];
    begin(c);
    for (uint32_t i = 0; i < 2; i++) {
      wait_for(c->rows[i].done);
      c->rows[i].done = NULL;
      read_result(c, i, 0, got);
      assert_true(got[7] == (i ? 8 : 16));
    }
    assert_false(came_too_late);
    drop_results(c);
  }
  end_rows(c);
}

static int open_two(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  came_too_late = false;
  return open_devices(2, NULL);
}

// Each row's steps are several strands, as on a machine of more cores than devices.
static int open_two_woven(void **state) {
  setenv("MILLRACE_STRANDS", "3", 1);
  return open_two(state);
}

// Memory that nobody else can touch: what rows read and write in meetings is staged.
static int open_two_fenced(void **state) {
  (void)state;
  mr_set_custom_call_maker(make_call);
  came_too_late = false;
  return open_devices(2, "fenced");
}

static int close_woven(void **state) {
  unsetenv("MILLRACE_STRANDS");
  return close_platform(state);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, open_two, close_platform)
#define WOVEN(name) cmocka_unit_test_setup_teardown(test_##name, open_two_woven, close_woven)
#define FENCED(name) cmocka_unit_test_setup_teardown(test_##name, open_two_fenced, close_platform)
  const struct CMUnitTest tests[] = {
      TEST(goes_on),
      TEST(goes_on_beside_several),
      TEST(goes_on_in_a_loop),
      TEST(goes_on_with_a_loop),
      TEST(goes_on_in_another_order),
      TEST(comes_early),
      TEST(fails_beside_a_meeting),
      TEST(goes_on_beside_a_receive),
      WOVEN(goes_on),
      WOVEN(goes_on_beside_several),
      WOVEN(goes_on_in_a_loop),
      WOVEN(goes_on_with_a_loop),
      WOVEN(goes_on_in_another_order),
      WOVEN(comes_early),
      WOVEN(fails_beside_a_meeting),
      WOVEN(goes_on_beside_a_receive),
      FENCED(goes_on),
      FENCED(goes_on_beside_several),
      FENCED(goes_on_in_a_loop),
      FENCED(goes_on_with_a_loop),
      FENCED(goes_on_in_another_order),
      FENCED(comes_early),
      FENCED(fails_beside_a_meeting),
      FENCED(goes_on_beside_a_receive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
