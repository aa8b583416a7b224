// What a trace says of the steps of a program: which op, of which program and execution, and where the program has it from, whichever
// form the program comes in; and that no execution is missing in it.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/proto/hlo.pb-c.h"
#include "compiler/reader/reader.h"
#include "core/trace.h"
#include "tests/cmocka.h"

static mr_platform *platform;
static mr_device *device;

static int open_platform(void **state) {
  (void)state;
  assert_null(mr_platform_create(NULL, &platform));
  device = mr_platform_device(platform, 0);
  return 0;
}

static int close_platform(void **state) {
  (void)state;
  mr_platform_release(platform);
  return 0;
}

static mr_executable *compile(const char *text) {
  mr_executable *executable;
  mr_status status = mr_compile((mr_span){text, strlen(text)}, NULL, &executable);
  if (status) {
    fail_msg("%s", mr_status_message(status));
  }
  return executable;
}

static mr_buffer *square(int64_t side) {
  float *data = calloc((size_t)(side * side), sizeof *data);
  mr_host_array host = {.data = data, .dtype = MR_F32, .dims = (const int64_t[]){side, side}, .rank = 2};
  mr_buffer *buffer;
  assert_null(
      mr_buffer_from_host(&device->memories[MR_MEMORY_DEVICE], &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, &buffer));
  free(data);
  return buffer;
}

static void run(mr_executable *executable, mr_buffer *argument) {
  mr_buffer *result = NULL;
  mr_future *done = NULL;
  assert_null(mr_execute(executable, device, NULL, &argument, 1, &result, &done));
  if (done) {
    mr_future_wait(done);
  }
  mr_future_release(done);
  mr_buffer_release(result);
}

// ---- What is said ---------------------------------------------------------------------------------------------------------

enum { MOST = 64 };
typedef struct told {
  mr_trace_op ops[MOST];
  uint64_t runs[MOST];
  int count;
} told;

static void see(void *context, const mr_trace_event *event) {
  told *all = context;
  if (event->op && all->count < MOST) {
    all->runs[all->count] = event->run;
    all->ops[all->count++] = *event->op;
  }
}

// The op of this name in the trace of a run; `path` NULL: any.
static const mr_trace_op *find(const told *all, const char *name, const char *path) {
  for (int i = 0; i < all->count; i++) {
    const mr_trace_op *op = &all->ops[i];
    if (strstr(op->name, name) && (!path || (op->path && strcmp(op->path, path) == 0))) {
      return op;
    }
  }
  for (int i = 0; i < all->count; i++) {
    print_message("%s %s %s\n", all->ops[i].name, all->ops[i].path, all->ops[i].source);
  }
  fail_msg("the trace has no %s of %s", name, path ? path : "whatever");
  return NULL;
}

static void trace_run(const char *text, int64_t side, told *out, mr_trace_session *session) {
  mr_executable *executable = compile(text);
  mr_buffer *argument = square(side);
  *out = (told){.count = 0};
  mr_trace_session_start(session);
  run(executable, argument);
  mr_trace_session_stop(session);
  mr_buffer_release(argument);
  mr_executable_release(executable);
  mr_trace_session_visit(session, see, out);
}

#define LONG_NAME "a_function_with_a_name_that_is_a_good_deal_longer_than_thirty_two_bytes"

static const char text_with_locations[] =
    "#loc1 = loc(\"model.py\":12:3)\n"
    "#loc2 = loc(\"layer\"(#loc1))\n"
    "module @" LONG_NAME " {\n"
    "  func.func public @main(%a: tensor<300x300xf32>) -> tensor<300x300xf32> {\n"
    "    %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x300xf32>) "
    "-> "
    "tensor<300x300xf32> loc(#loc4)\n"
    "    %1 = call @inner(%0) : (tensor<300x300xf32>) -> tensor<300x300xf32> loc(\"jit(f)/call\"(\"model.py\":20:1))\n"
    "    %2 = stablehlo.dot_general %1, %a, contracting_dims = [1] x [0] : (tensor<300x300xf32>, tensor<300x300xf32>) "
    "-> "
    "tensor<300x300xf32> loc(fused<\"some\">[unknown, \"second\", callsite(\"b\"(\"deep.py\":7:1 to 8:2) at #loc9)])\n"
    "    return %2 : tensor<300x300xf32> loc(#loc)\n"
    "  }\n"
    "  func.func private @inner(%a: tensor<300x300xf32>) -> tensor<300x300xf32> {\n"
    "    %0 = stablehlo.cholesky %a : tensor<300x300xf32> loc(\"inside/cholesky\"(#loc3))\n"
    "    return %0 : tensor<300x300xf32>\n"
    "  }\n"
    "}\n"
    "#loc = loc(unknown)\n"
    "#loc3 = loc(callsite(#loc2 at \"outer\"(\"main.py\":99:1)))\n"
    "#loc4 = loc(\"jit(f)/dot_general\"(#loc3))\n"
    "#loc9 = loc(\"loops\"(#loc9))\n";

// Names are whole, and paths and lines those of the text: by alias, inline, through a call and out of several.
static void test_text(void **state) {
  (void)state;
  told all;
  mr_trace_session session;
  trace_run(text_with_locations, 300, &all, &session);
  const mr_trace_op *first = find(&all, "matmul", "jit(f)/dot_general");
  assert_string_equal(first->source, "model.py:12");
  assert_string_equal(first->program->module, LONG_NAME);
  assert_string_equal(find(&all, "cholesky", "jit(f)/call/inside/cholesky")->source, "model.py:12");
  assert_string_equal(find(&all, "matmul", "second")->source, "deep.py:7");
  const mr_trace_op *whole = find(&all, LONG_NAME, NULL);
  assert_null(whole->op);
  assert_int_equal(whole->program->id, first->program->id);
  for (int i = 0; i < all.count; i++) {
    assert_int_equal(all.runs[i], all.runs[0]);
    for (int k = 0; k < i; k++) {  // what a step is called besides its name is its own
      assert_true(!all.ops[i].op || !all.ops[k].op || strcmp(all.ops[i].op, all.ops[k].op) != 0);
    }
  }
  assert_int_not_equal(all.runs[0], 0);
  mr_trace_session_close(&session);
}

// A location that makes no sense says nothing and refuses nothing.
static void test_locations_that_make_no_sense(void **state) {
  (void)state;
  static const char *const locations[] = {"#loc",
                                          "\"",
                                          "#loc77",
                                          "fused[",
                                          "callsite(",
                                          "callsite(#loc77 at)",
                                          "\"f.py\":",
                                          "\"x\"()",
                                          "fused[#loc77, (]",
                                          "at",
                                          "\"f.py\":9999999999999999999:1",
                                          "fused<[[>[]"};
  for (size_t i = 0; i < sizeof locations / sizeof *locations; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func @main(%%a: tensor<4x4xf32>) -> tensor<4x4xf32> {\n"
             "  %%0 = stablehlo.add %%a, %%a : tensor<4x4xf32> loc(%s)\n  return %%0 : tensor<4x4xf32>\n}\n",
             locations[i]);
    mr_executable *executable = NULL;
    mr_status status = mr_compile((mr_span){text, strlen(text)}, NULL, &executable);
    bool unbalanced = strpbrk(locations[i], "\"([") && status;
    assert_true(!status || unbalanced);  // brackets and strings that do not close are an error of the text, as before
    mr_status_free(status);
    mr_executable_release(executable);
  }
}

// An instruction's metadata, through the text that HLO becomes.
static void test_hlo(void **state) {
  (void)state;
  mr_module *module;
  mr_text text = {0};
  Millrace__Hlo__Metadata metadata = MILLRACE__HLO__METADATA__INIT;
  metadata.op_name = (char *)"jit(f)/dot \"q\"";
  metadata.source_file = (char *)"dir/hlo.py";
  metadata.source_line = 41;
  static uint8_t bytes[1 << 16];
  FILE *file = fopen(MR_SOURCE_DIR "/tests/pjrt_walk/double_hlo.pb", "rb");
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  Millrace__Hlo__Module *proto = millrace__hlo__module__unpack(NULL, size, bytes);
  assert_non_null(proto);
  assert_true(proto->n_computations > 0);
  for (size_t c = 0; c < proto->n_computations; c++) {
    Millrace__Hlo__Computation *computation =
        millrace__hlo__computation__unpack(NULL, proto->computations[c].len, proto->computations[c].data);
    assert_non_null(computation);
    for (size_t i = 0; i < computation->n_instructions; i++) {
      Millrace__Hlo__Instruction *instruction =
          millrace__hlo__instruction__unpack(NULL, computation->instructions[i].len, computation->instructions[i].data);
      free(computation->instructions[i].data);
      Millrace__Hlo__Metadata *before = instruction->metadata;
      instruction->metadata = &metadata;
      computation->instructions[i].len = millrace__hlo__instruction__get_packed_size(instruction);
      computation->instructions[i].data = malloc(computation->instructions[i].len);
      millrace__hlo__instruction__pack(instruction, computation->instructions[i].data);
      instruction->metadata = before;
      millrace__hlo__instruction__free_unpacked(instruction, NULL);
    }
    free(proto->computations[c].data);
    proto->computations[c].len = millrace__hlo__computation__get_packed_size(computation);
    proto->computations[c].data = malloc(proto->computations[c].len);
    millrace__hlo__computation__pack(computation, proto->computations[c].data);
    millrace__hlo__computation__free_unpacked(computation, NULL);
  }
  size = millrace__hlo__module__get_packed_size(proto);
  assert_true(size <= sizeof bytes);
  millrace__hlo__module__pack(proto, bytes);
  millrace__hlo__module__free_unpacked(proto, NULL);
  mr_status status = mr_read_hlo((mr_span){bytes, size}, false, &module);
  if (status) {
    fail_msg("%s", mr_status_message(status));
  }
  mr_module_print(module, &text);
  mr_module_release(module);
  mr_text_append(&text, (mr_str){"", 1});
  assert_non_null(strstr(text.data, "loc(\"jit(f)/dot \\22q\\22\"(\"dir/hlo.py\":41:0))"));
  // And back.
  assert_null(mr_read_text((mr_span){text.data, text.size - 1}, &module));
  const mr_origin *origin = mr_module_entry(module)->body.first->loc.origin;
  assert_non_null(origin);
  assert_true(mr_str_is(origin->path, "jit(f)/dot \"q\"") && mr_str_is(origin->file, "dir/hlo.py"));
  assert_int_equal(origin->line, 41);
  mr_module_release(module);
  mr_text_deinit(&text);
}

// ---- None is missing ----------------------------------------------------------------------------------------------------

typedef struct counted {
  int executions;
  uint64_t program;
} counted;

static void count(void *context, const mr_trace_event *event) {
  counted *c = context;
  c->executions += event->op && !event->op->op && event->category == MR_TRACE_NODE;
}

typedef struct stopper {
  mr_waiter waiter;
  mr_trace_session *session;
} stopper;

static void stop(mr_waiter *waiter, mr_status status) {
  (void)status;
  mr_trace_session_stop(MR_CONTAINER_OF(waiter, stopper, waiter)->session);
}

static int executions_in_trace(mr_executable *executable, mr_buffer *argument, int calls) {
  enum { MOST_CALLS = 8 };
  mr_trace_session session;
  mr_buffer *results[MOST_CALLS];
  mr_future *done[MOST_CALLS];
  stopper last = {.waiter = {.run = stop}, .session = &session};
  mr_trace_session_start(&session);
  for (int i = 0; i < calls; i++) {
    mr_buffer *from = i ? results[i - 1] : argument;
    results[i] = NULL;
    done[i] = NULL;
    assert_null(mr_execute(executable, device, NULL, &from, 1, &results[i], &done[i]));
  }
  // As early as anybody can know: on the thread that announces the last result, before anything else learns of it.
  if (done[calls - 1]) {
    mr_future_then(done[calls - 1], &last.waiter);
    mr_future_wait(done[calls - 1]);
  } else {
    stop(&last.waiter, MR_OK);
  }
  counted c = {0};
  mr_trace_session_visit(&session, count, &c);
  mr_trace_session_close(&session);
  for (int i = 0; i < calls; i++) {
    mr_future_release(done[i]);
    mr_buffer_release(results[i]);
  }
  return c.executions;
}

// Whoever stops a profile when a result is there finds all executions in it, in each of many rounds: those that run within the call, those
// that are queued, those whose steps overlap.
static void test_no_execution_is_missing(void **state) {
  (void)state;
  static const struct {
    const char *text, *strands;
    int64_t side;
    int rounds;
  } programs[] = {
      {"func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
       "  %0 = stablehlo.add %a, %a : tensor<8x8xf32>\n  return %0 : tensor<8x8xf32>\n}\n",
       NULL, 8, 400},
      {"func.func @main(%a: tensor<200x200xf32>) -> tensor<200x200xf32> {\n"
       "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<200x200xf32>, tensor<200x200xf32>) "
       "-> "
       "tensor<200x200xf32>\n  %1 = stablehlo.tanh %0 : tensor<200x200xf32>\n  return %1 : tensor<200x200xf32>\n}\n",
       NULL, 200, 100},
      {"func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {\n"
       "  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
       "tensor<64x64xf32>\n"
       "  %1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
       "tensor<64x64xf32>\n"
       "  %2 = stablehlo.cholesky %0 : tensor<64x64xf32>\n  %3 = stablehlo.cholesky %1 : tensor<64x64xf32>\n"
       "  %4 = stablehlo.add %2, %3 : tensor<64x64xf32>\n  return %4 : tensor<64x64xf32>\n}\n",
       "4", 64, 300},
  };
  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
    if (programs[p].strands) {
      setenv("MILLRACE_STRANDS", programs[p].strands, 1);
    }
    mr_executable *executable = compile(programs[p].text);
    unsetenv("MILLRACE_STRANDS");
    mr_buffer *argument = square(programs[p].side);
    for (int i = 0; i < programs[p].rounds; i++) {
      int calls = 1 + i % 8, seen = executions_in_trace(executable, argument, calls);
      if (seen != calls) {
        fail_msg("program %zu, round %d: %d executions in the trace of %d", p, i, seen, calls);
      }
    }
    mr_buffer_release(argument);
    mr_executable_release(executable);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_locations_that_make_no_sense),
      cmocka_unit_test(test_hlo),
      cmocka_unit_test(test_no_execution_is_missing),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
