// pjrt/ffi/ffi_*.c: typed FFI handlers called from programs, without a client.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "tests/pjrt/ffi_fixture.h"

static mr_status run(mr_library_call *call, const float *in, float *out) { return run_on(call, in, out, NULL); }

// ---- Handlers ---------------------------------------------------------------------------------------------------------------

static const XLA_FFI_CallFrame *last_frame;
static float seen[6];

static XLA_FFI_Error *add_one(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  last_frame = frame;
  const XLA_FFI_Buffer *in = frame->args.args[0], *out = frame->rets.args[0];
  assert_int_equal(frame->struct_size, 168);
  assert_int_equal(frame->stage, XLA_FFI_STAGE_EXECUTE);
  assert_int_equal(in->dtype, 11);
  assert_int_equal(in->rank, 2);
  assert_int_equal(in->dims[1], 3);
  memcpy(seen, in->data, sizeof seen);
  for (int i = 0; i < 6; i++) {
    ((float *)out->data)[i] = ((const float *)in->data)[i] + 1;
  }
  // Names in sorted order, values with their types.
  assert_int_equal(frame->attrs.size, 3);
  assert_memory_equal(frame->attrs.names[0]->ptr, "alpha", 5);
  assert_int_equal(frame->attrs.types[0], XLA_FFI_ATTR_STRING);
  assert_memory_equal(((const XLA_FFI_ByteSpan *)frame->attrs.attrs[0])->ptr, "text", 4);
  assert_memory_equal(frame->attrs.names[1]->ptr, "half", 4);
  const XLA_FFI_Scalar *half = frame->attrs.attrs[1], *zeta = frame->attrs.attrs[2];
  assert_int_equal(half->dtype, 11);
  assert_true(*(const float *)half->value == 0.5f);
  assert_int_equal(zeta->dtype, 4);
  assert_int_equal(*(const int32_t *)zeta->value, 7);
  return NULL;
}

static XLA_FFI_Error *give_packed(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  memcpy(((const XLA_FFI_Buffer *)frame->rets.args[0])->data, ((const uint8_t[]){0x8F, 0x70, 0xE1}), 3);
  return NULL;
}

static XLA_FFI_Error *refuse(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  XLA_FFI_Error_Create_Args args = {.struct_size = 28, .message = "singular", .errc = 9};
  return frame->api->XLA_FFI_Error_Create(&args);
}

enum { USER_TYPE = 77 };
static XLA_FFI_Error *read_user_data(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  XLA_FFI_TypeId id = {USER_TYPE};
  XLA_FFI_InvokeContext_Get_Args args = {.struct_size = sizeof args, .ctx = frame->ctx, .type_id = &id};
  XLA_FFI_Error *error = frame->api->XLA_FFI_InvokeContext_Get(&args);
  if (!error) {
    *(float *)((const XLA_FFI_Buffer *)frame->rets.args[0])->data = *(const float *)args.data;
  }
  return error;
}

static XLA_FFI_Error *finish_later(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  XLA_FFI_Future_Create_Args args = {.struct_size = 16};
  assert_null(frame->api->XLA_FFI_Future_Create(&args));
  frame->future = args.future;
  XLA_FFI_Error_Create_Args error = {.struct_size = 28, .message = "late", .errc = 10};
  XLA_FFI_Future_Set_Args set = {
      .struct_size = sizeof set, .future = args.future, .error = frame->api->XLA_FFI_Error_Create(&error)};
  assert_null(frame->api->XLA_FFI_Future_SetError(&set));
  // What comes later changes nothing.
  assert_null(frame->api->XLA_FFI_Future_SetAvailable(&set));
  error.message = "afterwards";
  set.error = frame->api->XLA_FFI_Error_Create(&error);
  assert_null(frame->api->XLA_FFI_Future_SetError(&set));
  return NULL;
}

// A target of several stages: instantiate leaves a number that the others find, prepare one for initialize and execute.
enum { STATE_TYPE = 78 };
static int instances, deleted;
static void delete_state(void *object) {
  (void)object;
  deleted++;
}
static XLA_FFI_Error *leave(XLA_FFI_CallFrame *frame, int *object) {
  XLA_FFI_TypeId id = {STATE_TYPE};
  XLA_FFI_State_Args args = {
      .struct_size = sizeof args, .ctx = frame->ctx, .stage = frame->stage, .type_id = &id, .state = object};
  return frame->api->XLA_FFI_State_Set(&args);
}
static XLA_FFI_Error *find(XLA_FFI_CallFrame *frame, XLA_FFI_Stage stage, int64_t type, int **out_object) {
  XLA_FFI_TypeId id = {type};
  XLA_FFI_State_Args args = {.struct_size = sizeof args, .ctx = frame->ctx, .stage = stage, .type_id = &id};
  XLA_FFI_Error *error = frame->api->XLA_FFI_State_Get(&args);
  *out_object = args.state;
  return error;
}
static void assert_refused(XLA_FFI_Error *error, mr_code code) {
  mr_status status = mr_pjrt_ffi_status(error);
  assert_int_equal(mr_status_code(status), code);
  mr_status_free(status);
}
static XLA_FFI_Error *staged_instantiate(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  static int number = 40;
  assert_int_equal(frame->args.size, 0);
  assert_int_equal(frame->attrs.size, 3);
  instances++;
  XLA_FFI_Error *error = leave(frame, &number);
  assert_refused(leave(frame, &number), MR_ALREADY_EXISTS);
  return error;
}
static XLA_FFI_Error *staged_prepare(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  static int number = 2;
  int *instance;
  assert_int_equal(frame->args.size, 1);
  assert_null(find(frame, XLA_FFI_STAGE_INSTANTIATE, STATE_TYPE, &instance));
  assert_int_equal(*instance, 40);
  assert_refused(find(frame, XLA_FFI_STAGE_PREPARE, STATE_TYPE, &instance), MR_NOT_FOUND);
  return leave(frame, &number);
}
static XLA_FFI_Error *staged_execute(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  int *instance, *prepared;
  assert_null(find(frame, XLA_FFI_STAGE_INSTANTIATE, STATE_TYPE, &instance));
  assert_null(find(frame, XLA_FFI_STAGE_PREPARE, STATE_TYPE, &prepared));
  *(float *)((const XLA_FFI_Buffer *)frame->rets.args[0])->data = (float)(*instance + *prepared);
  assert_refused(find(frame, XLA_FFI_STAGE_PREPARE, STATE_TYPE + 1, &prepared), MR_INVALID_ARGUMENT);
  assert_refused(find(frame, 9, STATE_TYPE, &prepared), MR_INVALID_ARGUMENT);
  assert_refused(leave(frame, instance), MR_FAILED_PRECONDITION);
  assert_null(find(frame, XLA_FFI_STAGE_INITIALIZE, STATE_TYPE, &prepared));
  assert_null(prepared);
  return NULL;
}

static mr_library_call *make_call(const fixture *f) {
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f->op, &call));
  assert_non_null(call);
  return call;
}

static const float in[] = {1, 2, 3, 4, 5, 6};

// A handler sees dimensions, data and sorted, typed attributes, and its result arrives.
static void test_call(void **state) {
  (void)state;
  fixture f = make("add_one", false);
  mr_library_call *call = make_call(&f);
  mr_module_release(f.module);  // the call keeps nothing of the program
  float out[6];
  assert_int_equal(call->scratch_bytes, 0);
  assert_null(run(call, in, out));
  assert_memory_equal(seen, in, sizeof in);
  for (int i = 0; i < 6; i++) {
    assert_true(out[i] == in[i] + 1);
  }
  mr_library_call_destroy(call);
}

// Instantiate is called once for a compiled call, the other stages in each run; what they leave is deleted once.
static void test_stages(void **state) {
  (void)state;
  int64_t type = STATE_TYPE;
  assert_null(mr_pjrt_ffi_add_type(MR_STR("state"), delete_state, &type));
  fixture f = make("staged", false);
  mr_library_call *call = make_call(&f);
  mr_module_release(f.module);
  float out[6];
  for (int i = 0; i < 3; i++) {
    assert_null(run(call, in, out));
    assert_true(out[0] == 42);
    assert_int_equal(deleted, i + 1);
  }
  assert_int_equal(instances, 1);
  mr_library_call_destroy(call);
  assert_int_equal(deleted, 4);
}

// A handler that wants column-major data gets it, and its result is turned back.
static void test_column_major(void **state) {
  (void)state;
  fixture f = make("add_one", true);
  mr_library_call *call = make_call(&f);
  float out[6];
  assert_null(run(call, in, out));
  static const float columns[] = {1, 4, 2, 5, 3, 6};
  assert_memory_equal(seen, columns, sizeof columns);
  for (int i = 0; i < 6; i++) {
    assert_true(out[i] == in[i] + 1);
  }
  mr_library_call_destroy(call);
  mr_module_release(f.module);
}

// An operand that shares memory with a result is copied there, and stays as it was.
static void test_alias(void **state) {
  (void)state;
  fixture f = make("add_one", false);
  static int64_t none[1];
  static mr_attr fields[2], alias[1];
  fields[0] = (mr_attr){.name = MR_STR("output_tuple_indices"), .kind = MR_ATTR_INTS, .ints = {none, 0}, .rows = -1};
  fields[1] = int_attr("operand_index", 0, MR_S64);
  alias[0] = (mr_attr){.kind = MR_ATTR_DICT, .items = fields, .count = 2};
  mr_op_set_attr(f.module, f.op,
                 (mr_attr){.key = MR_ATTR_output_operand_aliases, .kind = MR_ATTR_ARRAY, .items = alias, .count = 1});
  mr_library_call *call = make_call(&f);
  float out[6], before[6];
  memcpy(before, in, sizeof in);
  assert_null(run(call, in, out));
  assert_memory_equal(in, before, sizeof in);
  assert_true(out[5] == 7);
  mr_library_call_destroy(call);
  mr_module_release(f.module);
}

static void assert_fails(const char *target, mr_code code, const char *text) {
  fixture f = make(target, false);
  mr_library_call *call = make_call(&f);
  float out[6];
  mr_status status = run(call, in, out);
  assert_int_equal(mr_status_code(status), code);
  assert_non_null(strstr(mr_status_message(status), text));
  assert_non_null(strstr(mr_status_message(status), target));
  mr_status_free(status);
  mr_library_call_destroy(call);
  mr_module_release(f.module);
}

// A handler's error, given at once or through a future, becomes the call's status.
static void test_errors(void **state) {
  (void)state;
  assert_fails("refuse", MR_FAILED_PRECONDITION, "singular");
  assert_fails("finish_later", MR_ABORTED, "late");
  assert_fails("read_user_data", MR_NOT_FOUND, "77");
}

// A target nobody registered is left to others.
static void test_unknown_target(void **state) {
  (void)state;
  fixture f = make("nobody", false);
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f.op, &call));
  assert_null(call);
  mr_module_release(f.module);
}

static XLA_FFI_Error *count_attributes(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  ((float *)((const XLA_FFI_Buffer *)frame->rets.args[0])->data)[0] = (float)frame->attrs.size;
  return NULL;
}

// A call whose version says that it is typed needs no dictionary; one of another version is not ours without one.
static void test_version_without_dictionary(void **state) {
  (void)state;
  fixture f = make("count_attributes", false);
  mr_library_call *call;
  mr_op_set_string(f.module, f.op, MR_ATTR_backend_config, MR_STR(""));
  mr_op_set_int(f.module, f.op, MR_ATTR_api_version, 1);
  assert_null(mr_pjrt_ffi_make_call(f.op, &call));
  assert_null(call);
  mr_op_set_int(f.module, f.op, MR_ATTR_api_version, 4);
  call = make_call(&f);
  float out[6] = {9};
  assert_null(run(call, in, out));
  assert_true(out[0] == 0);
  mr_library_call_destroy(call);
  mr_module_release(f.module);
}

// ---- Threads ------------------------------------------------------------------------------------------------------------------

enum { TASKS = 2 };
typedef struct party {
  bool meets;  // each task waits for the other
  pthread_t caller;
  atomic_int arrived, elsewhere, left;
} party;

static void take_part(void *data) {
  party *p = data;
  atomic_fetch_add(&p->elsewhere, !pthread_equal(p->caller, pthread_self()));
  atomic_fetch_add(&p->arrived, 1);
  while (p->meets && atomic_load(&p->arrived) < TASKS) {
    sched_yield();
  }
  atomic_fetch_sub(&p->left, 1);
}

// Its first result: how many threads; the second: how many tasks ran on another one than its own. Its operand says whether
// the tasks meet. Sleeps until they are over.
static XLA_FFI_Error *schedule(XLA_FFI_CallFrame *frame) {
  FFI_ANSWER(frame, XLA_FFI_MINOR);
  const float *meets = ((const XLA_FFI_Buffer *)frame->args.args[0])->data;
  float *out = ((const XLA_FFI_Buffer *)frame->rets.args[0])->data;
  party p = {.meets = meets[0] != 0, .caller = pthread_self(), .left = TASKS};
  int64_t threads = 0;
  XLA_FFI_ThreadPool_NumThreads_Args count = {.struct_size = sizeof count, .ctx = frame->ctx, .num_threads = &threads};
  assert_null(frame->api->XLA_FFI_ThreadPool_NumThreads(&count));
  for (int i = 0; i < TASKS; i++) {
    XLA_FFI_ThreadPool_Schedule_Args args = {
        .struct_size = sizeof args, .ctx = frame->ctx, .task = take_part, .data = &p};
    assert_null(frame->api->XLA_FFI_ThreadPool_Schedule(&args));
  }
  while (atomic_load(&p.left) > 0) {
    sched_yield();
  }
  out[0] = (float)threads;
  out[1] = (float)p.elsewhere;
  return NULL;
}

typedef struct crowd {
  mr_library_call *call;
  mr_group *group;
} crowd;

static void *call_often(void *data) {
  const crowd *c = data;
  float zeros[6] = {0}, out[6];
  for (int i = 0; i < 200; i++) {
    assert_null(run_on(c->call, zeros, out, c->group));
    assert_true(out[0] == 3);
  }
  return NULL;
}

// Tasks run on the workers, at the same time; without a group on the handler's thread; and when more handlers wait for
// theirs than there are threads, all of them end.
static void test_thread_pool(void **state) {
  (void)state;
  fixture f = make("schedule", false);
  mr_library_call *call;
  assert_null(mr_pjrt_ffi_make_call(f.op, &call));
  const mr_scheduler_options options = {.workers = 3, .synthetic = "core:3 pu:1"};
  mr_scheduler *scheduler;
  assert_null(mr_scheduler_create(&options, &scheduler));
  mr_group *group = mr_scheduler_group(scheduler, 0, 1);
  float zeros[6] = {0}, out[6];
  assert_null(run_on(call, in, out, group));
  assert_true(out[0] == 3 && out[1] == TASKS);
  assert_null(run(call, zeros, out));
  assert_true(out[0] == 1 && out[1] == 0);
  crowd c = {call, group};
  pthread_t threads[6];
  for (int i = 0; i < 6; i++) {
    assert_int_equal(pthread_create(&threads[i], NULL, call_often, &c), 0);
  }
  for (int i = 0; i < 6; i++) {
    pthread_join(threads[i], NULL);
  }
  mr_scheduler_release(scheduler);
  mr_library_call_destroy(call);
  mr_module_release(f.module);
}

// Elements of four bits come packed, and lie below zeros in ours.
static void test_packed_result(void **state) {
  (void)state;
  fixture f = make("give_packed", false);
  f.op->results[0].type.dtype = MR_S4;
  mr_library_call *call = make_call(&f);
  uint8_t out[6];
  void *scratch = malloc(call->scratch_bytes);
  assert_null(call->run(call, (void *const[]){(void *)in, out}, scratch, NULL));
  assert_memory_equal(out, ((const uint8_t[]){15, 8, 0, 7, 1, 14}), sizeof out);
  free(scratch);
  mr_library_call_destroy(call);
  mr_module_release(f.module);
}

int main(void) {
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("give_packed"), XLA_FFI_STAGE_EXECUTE, give_packed));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("schedule"), XLA_FFI_STAGE_EXECUTE, schedule));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("count_attributes"), XLA_FFI_STAGE_EXECUTE, count_attributes));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("staged"), XLA_FFI_STAGE_PREPARE, staged_prepare));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("staged"), XLA_FFI_STAGE_EXECUTE, staged_execute));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("staged"), XLA_FFI_STAGE_INSTANTIATE, staged_instantiate));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("add_one"), XLA_FFI_STAGE_EXECUTE, add_one));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("refuse"), XLA_FFI_STAGE_EXECUTE, refuse));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("read_user_data"), XLA_FFI_STAGE_EXECUTE, read_user_data));
  assert_null(mr_pjrt_ffi_add_handler(MR_STR("finish_later"), XLA_FFI_STAGE_EXECUTE, finish_later));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_call),          cmocka_unit_test(test_stages),
      cmocka_unit_test(test_column_major),  cmocka_unit_test(test_alias),
      cmocka_unit_test(test_errors),        cmocka_unit_test(test_unknown_target),
      cmocka_unit_test(test_thread_pool),   cmocka_unit_test(test_version_without_dictionary),
      cmocka_unit_test(test_packed_result),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
