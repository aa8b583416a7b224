// What a host's partitioner of custom calls is asked and what its answer becomes, and what a host is shown of a sharding.
#include <string.h>

#include "pjrt/layout/layout.h"
#include "pjrt/objects/partitioners.h"
#include "pjrt/proto/options.h"
#include "pjrt/proto/sharding.h"
#include "tests/alloc_loop.h"
#include "tests/cmocka.h"

enum { F32_OF_XLA = 11 };

static const int64_t dims[] = {2, 3}, grid[] = {2, 1}, list[] = {1, 0};
static const mr_tile_sharding split = {
    .kind = MR_TILE_OTHER, .tile_rank = 2, .tile_dims = grid, .devices = list, .num_devices = 2};
static const mr_shard_value values[] = {{.dtype = MR_F32, .rank = 2, .dims = dims, .tiles = &split},
                                        {.dtype = MR_F32, .rank = 1, .dims = dims}};

static mr_shard_call call_of(size_t num_results) {
  return (mr_shard_call){.target = MR_STR("halves"),
                         .backend_config = MR_STR("as configured"),
                         .operands = values,
                         .num_operands = 2,
                         .results = values,
                         .num_results = num_results};
}

// ---- A host -----------------------------------------------------------------------------------------------------------------

static int asked, cleaned_up;
static JAX_CustomCallPartitioner_string answer[2];

static void clean_up(void *data) {
  assert_ptr_equal(data, answer);
  cleaned_up++;
}

static void expect_asked(const mr_shard_value *value, const JAX_CustomCallPartitioner_aval *aval) {
  char *shape, *tiles;
  size_t size, tiles_size;
  assert_null(mr_pjrt_shape_serialize(F32_OF_XLA, (mr_ints){(int64_t *)value->dims, value->rank},
                                      mr_pjrt_layout_row_major(value->rank), &shape, &size));
  assert_null(mr_pjrt_sharding_pack(value->tiles, &tiles, &tiles_size));
  assert_int_equal(aval->shape.size, size);
  assert_memory_equal(aval->shape.data, shape, size);
  assert_true(aval->has_sharding);
  assert_int_equal(aval->sharding.size, tiles_size);
  assert_memory_equal(aval->sharding.data, tiles, tiles_size);
  mr_free(shape);
  mr_free(tiles);
}

// All stays as it comes.
static void keep_all(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args) {
  (void)data;
  asked++;
  assert_int_equal(args->num_args, 2);
  assert_true(mr_str_is((mr_str){args->backend_config.data, args->backend_config.size}, "as configured"));
  for (size_t i = 0; i < 2; i++) {
    answer[i] = args->op_args[i].sharding;
  }
  args->args_sharding = answer;
  args->result_sharding = args->op_result.sharding;
  args->mlir_module = (JAX_CustomCallPartitioner_string){"the part", 8};
  args->header.data = answer;
  args->header.cleanup_fn = clean_up;
}

static void look_closely(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args) {
  keep_all(data, args);
  expect_asked(&values[0], &args->op_args[0]);
  expect_asked(&values[1], &args->op_args[1]);
  expect_asked(&values[0], &args->op_result);
}

static void refuse(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args) {
  keep_all(data, args);
  args->header.has_error = true;
  args->header.code = PJRT_Error_Code_ABORTED;
  args->header.error_msg = (JAX_CustomCallPartitioner_string){"not today, or ever", 9};
}

static void forget_operands(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args) {
  keep_all(data, args);
  args->args_sharding = NULL;
}

static void garble_operand(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args) {
  keep_all(data, args);
  answer[1] = (JAX_CustomCallPartitioner_string){"\x08\x04", 2};  // a manual one
  answer[0] = (JAX_CustomCallPartitioner_string){"\x08", 1};
}

static void lose_result(JAX_CustomCallPartitioner_Callbacks *data, JAX_CustomCallPartitioner_Partition_Args *args) {
  keep_all(data, args);
  args->result_sharding.size = 0;
}

static JAX_CustomCallPartitioner_Callbacks callbacks = {.partition = keep_all};

static mr_status ask(const mr_shard_call *call, mr_arena *arena, mr_shard_answer *out) {
  return mr_pjrt_shard_host.partition(mr_pjrt_shard_host.context, call, arena, out);
}

// ---- Answers ----------------------------------------------------------------------------------------------------------------

static void expect_tiles(const mr_tile_sharding *got, const mr_tile_sharding *wanted) {
  assert_int_equal(got->kind, wanted->kind);
  assert_int_equal(got->tile_rank, wanted->tile_rank);
  assert_int_equal(got->num_devices, wanted->num_devices);
  if (wanted->num_devices) {
    assert_memory_equal(got->devices, wanted->devices, wanted->num_devices * sizeof wanted->devices[0]);
    assert_memory_equal(got->tile_dims, wanted->tile_dims, wanted->tile_rank * sizeof wanted->tile_dims[0]);
  }
}

// A partitioner sees shapes, shardings and the configuration; its answer is copied, so that it may clean up. Several results go as
// one tuple.
static void test_answers(void **state) {
  (void)state;
  static const mr_tile_sharding replicated = {0};
  for (size_t num_results = 0; num_results <= 2; num_results++) {
    mr_arena arena;
    mr_arena_init(&arena, 0);
    mr_shard_call call = call_of(num_results);
    mr_shard_answer got;
    asked = cleaned_up = 0;
    callbacks.partition = num_results == 1 ? look_closely : keep_all;
    assert_null(ask(&call, &arena, &got));
    assert_int_equal(asked, 1);
    assert_int_equal(cleaned_up, 1);
    memset(answer, 0, sizeof answer);
    expect_tiles(&got.operands[0], &split);
    expect_tiles(&got.operands[1], &replicated);
    for (size_t i = 0; i < num_results; i++) {
      expect_tiles(&got.results[i], i ? &replicated : &split);
    }
    assert_true(mr_str_is((mr_str){got.program.data, got.program.size}, "the part"));
    mr_arena_deinit(&arena);
  }
}

static void expect_refusal(void (*partition)(JAX_CustomCallPartitioner_Callbacks *,
                                             JAX_CustomCallPartitioner_Partition_Args *),
                           mr_code code, const char *says) {
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_shard_call call = call_of(2);
  mr_shard_answer got;
  callbacks.partition = partition;
  cleaned_up = 0;
  mr_status status = ask(&call, &arena, &got);
  assert_int_equal(mr_status_code(status), code);
  assert_non_null(strstr(mr_status_message(status), says));
  assert_int_equal(cleaned_up, 1);
  mr_status_free(status);
  mr_arena_deinit(&arena);
}

// A partitioner that refuses, and answers that are none, are told with the call's target, and cleaned up after.
static void test_refusals(void **state) {
  (void)state;
  expect_refusal(refuse, MR_ABORTED, "not today");
  expect_refusal(refuse, MR_ABORTED, "'halves'");
  expect_refusal(forget_operands, MR_INVALID_ARGUMENT, "no shardings of the operands");
  expect_refusal(garble_operand, MR_INVALID_ARGUMENT, "operand 0");
  expect_refusal(lose_result, MR_INVALID_ARGUMENT, "one sharding, wanted a tuple of 2");
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_shard_call call = call_of(1);
  call.target = MR_STR("thirds");
  mr_shard_answer got;
  mr_status status = ask(&call, &arena, &got);
  assert_int_equal(mr_status_code(status), MR_NOT_FOUND);
  assert_non_null(strstr(mr_status_message(status), "'thirds'"));
  mr_status_free(status);
  mr_arena_deinit(&arena);
}

// What was registered with callbacks partitions, what was registered without is done alike for each element.
static void test_kinds(void **state) {
  (void)state;
  assert_null(mr_pjrt_partitioner_add(MR_STR("batched"), NULL));
  assert_null(mr_pjrt_partitioner_add(MR_STR("batched"), NULL));
  const mr_shard_host *host = &mr_pjrt_shard_host;
  assert_true(host->has_partitioner(host->context, MR_STR("halves")));
  assert_false(host->is_batch_partitionable(host->context, MR_STR("halves")));
  assert_false(host->has_partitioner(host->context, MR_STR("batched")));
  assert_true(host->is_batch_partitionable(host->context, MR_STR("batched")));
}

// ---- What a host is shown ---------------------------------------------------------------------------------------------------

// As hosts lay it out.
typedef struct shown {
  const char *sharding;
  size_t size;
  const char *error;
  void *scratch;
  void (*free_error)(void *self);
} shown;

typedef struct viewer {
  void (*call)(void *data, void *arguments);
  void *data;
} viewer;

static int freed;
static void free_error(void *self) {
  assert_string_equal(((shown *)self)->error, "cannot look");
  freed++;
}

static void look(void *data, void *shown_arguments) {
  const shown *arguments = shown_arguments;
  static const unsigned char bytes[] = {0x08, 0x03, 0x1A, 0x02, 0x02, 0x01, 0x22, 0x02, 0x01, 0x00};
  assert_int_equal(arguments->size, sizeof bytes);
  assert_memory_equal(arguments->sharding, bytes, sizeof bytes);
  ++*(int *)data;
}

static void fail_to_look(void *data, void *shown_arguments) {
  shown *arguments = shown_arguments;
  ++*(int *)data;
  arguments->error = "cannot look";
  arguments->free_error = free_error;
}

static mr_status show(void *context) {
  mr_str config = {context, sizeof(viewer)};
  return mr_pjrt_shard_host.inspect(mr_pjrt_shard_host.context, config, &split);
}

// A host that asks for a sharding is called with its bytes; what it says against it is an error, freed once.
static void test_inspection(void **state) {
  (void)state;
  int looks = 0;
  assert_null(show(&(viewer){look, &looks}));
  assert_int_equal(looks, 1);
  mr_status status = show(&(viewer){fail_to_look, &looks});
  assert_int_equal(mr_status_code(status), MR_INTERNAL);
  assert_non_null(strstr(mr_status_message(status), "cannot look"));
  assert_int_equal(freed, 1);
  mr_status_free(status);
  status = mr_pjrt_shard_host.inspect(NULL, MR_STR("short"), &split);
  assert_int_equal(mr_status_code(status), MR_INVALID_ARGUMENT);
  assert_non_null(strstr(mr_status_message(status), "5 bytes, wanted 16"));
  mr_status_free(status);
}

// ---- Memory -----------------------------------------------------------------------------------------------------------------

static mr_status ask_and_forget(void *context) {
  mr_arena arena;
  mr_arena_init(&arena, 0);
  mr_shard_answer got;
  asked = cleaned_up = 0;
  mr_status status = ask(context, &arena, &got);
  assert_int_equal(asked, cleaned_up);
  mr_arena_deinit(&arena);
  return status;
}

// The registry keeps what it was given.
static mr_status add(void *context) {
  (void)context;
  mr_status status = mr_pjrt_partitioner_add(MR_STR("quarters"), &callbacks);
  alloc_loop_kept += status == MR_OK;
  return status;
}

static void test_memory(void **state) {
  (void)state;
  callbacks.partition = keep_all;
  mr_shard_call one = call_of(1), two = call_of(2);
  alloc_loop("a host's partitioner", ask_and_forget, &one, 20000);
  alloc_loop("a host's partitioner of several results", ask_and_forget, &two, 20000);
  int looks = 0;
  alloc_loop("a sharding that is shown", show, &(viewer){look, &looks}, 10000);
  alloc_loop("a partitioner that is registered", add, NULL, 10000);
  alloc_loops_ended_well();
}

int main(void) {
  assert_null(mr_pjrt_partitioner_add(MR_STR("halves"), &callbacks));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_answers),    cmocka_unit_test(test_refusals), cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_inspection), cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
