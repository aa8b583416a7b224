// What the faulty device lets go wrong goes wrong when it should, nothing else does, and nothing stays behind.
#include <stdio.h>
#include <string.h>

#include "devices/faulty/faulty.h"
#include "tests/cmocka.h"
#include "tests/devices/conform.h"

enum { COUNT = 64 };

static void nothing(void *const *buffers, mr_stop_token *stop, int64_t begin, int64_t end) {
  (void)buffers;
  (void)stop;
  (void)begin;
  (void)end;
}

static mr_status well(const mr_device_work *work, void *const *addresses, mr_group *group) {
  (void)work;
  (void)addresses;
  (void)group;
  return MR_OK;
}

// A world with what one piece of work of each kind needs.
typedef struct stage {
  world w;
  mr_storage *a, *b;
  const mr_device_kernel *kernel;
  int32_t host[COUNT];
} stage;

static void stage_open(stage *s, const char *kind) {
  world_open(&s->w, kind);
  assert_null(world_storage(&s->w, s->w.memory, sizeof s->host, &s->a));
  assert_null(world_storage(&s->w, s->w.memory, sizeof s->host, &s->b));
  assert_null(world_kernel(&s->w, s->w.device, &(world_code){.native = nothing}, &s->kernel));
}

static mr_device_work work_of(stage *s, mr_work_kind kind) {
  return (mr_device_work){.kind = kind,
                          .name = "try",
                          .bytes = sizeof s->host,
                          .to = {s->a, 0},
                          .from = {s->b, 0},
                          .host_to = s->host,
                          .host_from = s->host,
                          .pattern_bytes = 4,
                          .kernel = s->kernel,
                          .range = 1,
                          .grain = 1,
                          .call = well};
}

static const char *const work_names[MR_WORK_KINDS] = {"copy_in", "copy_out", "copy", "fill", "launch", "call"};

static void order(stage *s, const char *operation, const char *rest) {
  char list[64];
  snprintf(list, sizeof list, "%s:%s", operation, rest);
  assert_null(mr_faulty_set(s->w.device, mr_str_of(list)));
}

static void expect(mr_status status, mr_code code) {
  assert_int_equal(mr_status_code(status), code);
  mr_status_free(status);
}

static const char *const wrapped[] = {"faulty:cpu", "faulty:fenced"};

// The n-th of its kind fails, with a status that says so; those before and after do not, nor do others.
static void test_the_nth_fails(void **state) {
  (void)state;
  for (size_t k = 0; k < MR_ARRAY_SIZE(wrapped); k++) {
    stage s;
    stage_open(&s, wrapped[k]);
    for (int kind = 0; kind < MR_WORK_KINDS; kind++) {
      for (int refuse = 0; refuse < 2; refuse++) {
        mr_device_work work = work_of(&s, (mr_work_kind)kind),
                       other = work_of(&s, (mr_work_kind)((kind + 1) % MR_WORK_KINDS));
        order(&s, work_names[kind], refuse ? "3:refuse" : "3");
        for (int i = 1; i <= 5; i++) {
          assert_null(world_do(&s.w, s.w.device, &other));
          mr_future *done = NULL;
          mr_status status = world_submit(&s.w, s.w.device, &work, NULL, 0, &done);
          assert_true((status != MR_OK) == (i == 3 && refuse));
          status = status ? status : world_end_of(done);
          if (i == 3) {
            assert_non_null(strstr(mr_status_message(status), work_names[kind]));
          }
          expect(status, i == 3 ? MR_INTERNAL : 0);
        }
        assert_int_equal(mr_faulty_count(s.w.device, work_names[kind]), 5);
        assert_int_equal(mr_faulty_count(s.w.device, "any"), 10);
      }
    }
    world_close(&s.w);
  }
}

// Work that fails does so in its turn: not before its inputs, and with their status when they fail first.
static void test_it_fails_in_its_turn(void **state) {
  (void)state;
  for (int bad = 0; bad < 2; bad++) {
    stage s;
    stage_open(&s, "faulty:cpu");
    order(&s, "copy", "1");
    mr_device_work work = work_of(&s, MR_WORK_COPY);
    mr_future *gate = world_promise(&s.w), *done;
    assert_null(world_submit(&s.w, s.w.device, &work, &gate, 1, &done));
    assert_false(mr_future_is_set(done));
    mr_future_set(gate, bad ? mr_error(MR_DATA_LOSS, "the input") : MR_OK);
    expect(world_end_of(done), bad ? MR_DATA_LOSS : MR_INTERNAL);
    world_close(&s.w);
  }
}

// What is late is right and comes later.
static void test_late_work_comes(void **state) {
  (void)state;
  for (size_t k = 0; k < MR_ARRAY_SIZE(wrapped); k++) {
    stage s;
    stage_open(&s, wrapped[k]);
    int32_t got[COUNT];
    for (int i = 0; i < COUNT; i++) {
      s.host[i] = i;
    }
    assert_null(world_write(&s.w, s.b, 0, s.host, sizeof s.host));
    order(&s, "copy", "1:late");
    mr_device_work work = work_of(&s, MR_WORK_COPY);
    uint64_t start = mr_now_ns();
    assert_null(world_do(&s.w, s.w.device, &work));
    assert_true(mr_now_ns() - start >= MR_FAULTY_LATE_NS);
    assert_null(world_read(&s.w, s.a, 0, got, sizeof got));
    assert_memory_equal(got, s.host, sizeof got);
    world_close(&s.w);
  }
}

// What never ends does when the platform is given up, and fails; what comes after that as well.
static void test_what_never_ends_is_given_up(void **state) {
  (void)state;
  stage s;
  stage_open(&s, "faulty:cpu");
  assert_null(mr_faulty_set(s.w.device, MR_STR("fill:1:never,fill:2:never")));
  mr_device_work work = work_of(&s, MR_WORK_FILL), next = work_of(&s, MR_WORK_COPY_OUT);
  mr_future *done, *after;
  assert_null(world_submit(&s.w, s.w.device, &work, NULL, 0, &done));
  assert_null(world_submit(&s.w, s.w.device, &next, &done, 1, &after));
  assert_false(mr_future_wait_until(after, mr_now_ns() + 20000000));
  mr_platform_give_up(s.w.platform);
  expect(world_end_of(done), MR_UNAVAILABLE);
  expect(world_end_of(after), MR_UNAVAILABLE);
  expect(world_do(&s.w, s.w.device, &work), MR_UNAVAILABLE);
  assert_null(world_do(&s.w, s.w.device, &work));
  world_close(&s.w);
}

// A lost device takes nothing any more, and lets go of what it has.
static void test_a_lost_device_is_lost(void **state) {
  (void)state;
  stage s;
  stage_open(&s, "faulty:fenced");
  order(&s, "launch", "2:lost");
  mr_device_work launch = work_of(&s, MR_WORK_LAUNCH);
  assert_null(world_do(&s.w, s.w.device, &launch));
  expect(world_do(&s.w, s.w.device, &launch), MR_UNAVAILABLE);
  for (int kind = 0; kind < MR_WORK_KINDS; kind++) {
    mr_device_work work = work_of(&s, (mr_work_kind)kind);
    expect(world_do(&s.w, s.w.device, &work), MR_UNAVAILABLE);
  }
  mr_storage *storage;
  expect(mr_storage_allocate(s.w.memory, 1, &storage), MR_UNAVAILABLE);
  assert_null(storage);
  const mr_device_kernel *kernel;
  expect(world_kernel(&s.w, s.w.device, &(world_code){.native = nothing}, &kernel), MR_UNAVAILABLE);
  // The other one is not.
  assert_null(world_storage(&s.w, &s.w.peer->memories[MR_MEMORY_DEVICE], 64, &storage));
  world_close(&s.w);
}

static void count_call(void *arg) { atomic_fetch_add_explicit((_Atomic(int) *)arg, 1, memory_order_acq_rel); }

// The life of some buffers: counts the arrays that the host gave, and those that it got back.
static mr_status whole_life(world *w, int *given, _Atomic(int) *given_back) {
  static _Alignas(64) float data[COUNT], out[COUNT * 2];
  const int64_t dim = COUNT, strides = 8;
  for (int semantics = MR_HOST_ONLY_DURING_CALL; semantics <= MR_HOST_MUTABLE_ZERO_COPY; semantics++) {
    mr_host_array host = {.data = data, .dtype = MR_F32, .dims = &dim, .rank = 1};
    mr_buffer *buffer, *copy;
    MR_TRY(mr_buffer_from_host(w->memory, &host, (mr_host_semantics)semantics, count_call, given_back, &buffer));
    ++*given;
    world_keep_buffer(w, buffer);
    mr_memory *far = semantics % 2 ? &w->peer->memories[MR_MEMORY_DEVICE] : &w->cpu->memories[MR_MEMORY_DEVICE];
    MR_TRY(mr_buffer_copy_to(buffer, far, &copy));
    world_keep_buffer(w, copy);
    mr_future *done;
    MR_TRY(mr_buffer_to_host(semantics % 2 ? copy : buffer, out, semantics < 2 ? &strides : NULL, &done));
    mr_status status = world_end_of(done);
    status = mr_status_join(status, world_end_of(mr_buffer_ready(copy)));
    mr_future_release(done);
    MR_TRY(status);
  }
  return MR_OK;
}

// Buffers whose device fails anywhere: one status at the end, each of the host's arrays given back, nothing left.
static void test_buffers_survive_every_fault(void **state) {
  (void)state;
  static const char *const fates[] = {"fail", "refuse", "late", "lost"};
  for (size_t f = 0; f < MR_ARRAY_SIZE(fates); f++) {
    bool reached = true;
    for (int number = 1; reached; number++) {
      world w;
      char list[64];
      world_open(&w, "faulty:fenced");
      snprintf(list, sizeof list, "any:%d:%s", number, fates[f]);
      assert_null(mr_faulty_set(w.device, mr_str_of(list)));
      int given = 0;
      _Atomic(int) given_back = 0;
      mr_status status = whole_life(&w, &given, &given_back);
      reached = mr_faulty_count(w.device, "any") >= (uint64_t)number;
      assert_true((status != MR_OK) == (reached && strcmp(fates[f], "late") != 0));
      mr_status_free(status);
      for (size_t i = 0; i < w.num_buffers; i++) {
        if (mr_buffer_ready(w.buffers[i])) {
          mr_future_wait(mr_buffer_ready(w.buffers[i]));
        }
      }
      assert_int_equal(given_back, given);
      world_close(&w);
    }
  }
}

// What is no order is refused by name.
static void test_bad_lists(void **state) {
  (void)state;
  world w;
  world_open(&w, "faulty:cpu");
  static const char *const bad[] = {"copy_in", "copy_in:", "copy_in:0",   "copy_in:x",
                                    "move:1",  ":1",       "copy:1:soon", "copy:1,,"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(bad); i++) {
    mr_status status = mr_faulty_set(w.device, mr_str_of(bad[i]));
    assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
    mr_status_free(status);
  }
  assert_null(mr_faulty_set(w.device, MR_STR("")));
  world_close(&w);
  mr_platform *platform;
  static const char *const kinds[] = {"faulty", "cpu:cpu", "faulty:nothing", "cpu,,cpu", "other"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    mr_platform_options options = {.kinds = kinds[i]};
    expect(mr_platform_create(&options, &platform), MR_INVALID_ARGUMENT);
    assert_null(platform);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_nth_fails),
      cmocka_unit_test(test_it_fails_in_its_turn),
      cmocka_unit_test(test_late_work_comes),
      cmocka_unit_test(test_what_never_ends_is_given_up),
      cmocka_unit_test(test_a_lost_device_is_lost),
      cmocka_unit_test(test_buffers_survive_every_fault),
      cmocka_unit_test(test_bad_lists),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
