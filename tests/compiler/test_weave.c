// Strands: what must come after what, in time and in memory, of programs by hand and of all that are stored; and what must not wait.
#include <dirent.h>

#include "compiler/weave/weave.h"
#include "tests/compiler/execute_harness.h"
#include "tests/file.h"

// As many units as asked for, whatever strands cost; "": by cost.
static mr_executable *compile_for(const char *units, const char *text) {
  setenv("MILLRACE_STRANDS", units, 1);
  mr_executable *executable = compile(text);
  unsetenv("MILLRACE_STRANDS");
  expect_ok(mr_weave_verify(executable));
  return executable;
}

static bool comes_before(const plan_graph *g, uint32_t a, uint32_t b) {
  for (uint32_t e = g->input_offsets[b]; e < g->input_offsets[b + 1]; e++) {
    if (g->inputs[e] == a || comes_before(g, a, g->inputs[e])) {
      return true;
    }
  }
  return false;
}

// Two sorts have nothing to do with one another; the third wants both.
static const char fork_and_join[] =
    "func.func @main(%a: tensor<512x64xf32>, %b: tensor<512x64xf32>) -> (tensor<512x64xf32>, tensor<512x64xf32>) {\n"
    "  %x = \"stablehlo.sort\"(%a) ({\n"
    "  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
    "    %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  }) {dimension = 1 : i64} : (tensor<512x64xf32>) -> tensor<512x64xf32>\n"
    "  %y = \"stablehlo.sort\"(%b) ({\n"
    "  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
    "    %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  }) {dimension = 1 : i64} : (tensor<512x64xf32>) -> tensor<512x64xf32>\n"
    "  %s = stablehlo.add %x, %y : tensor<512x64xf32>\n"
    "  %z = \"stablehlo.sort\"(%s) ({\n"
    "  ^bb0(%l: tensor<f32>, %r: tensor<f32>):\n"
    "    %c = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  }) {dimension = 1 : i64} : (tensor<512x64xf32>) -> tensor<512x64xf32>\n"
    "  return %z, %x : tensor<512x64xf32>, tensor<512x64xf32>\n}\n";

// What needs nothing of one another is in two strands, of which neither comes first; what needs both comes after both.
static void test_fork_and_join(void **state) {
  (void)state;
  mr_executable *e = compile_for("2", fork_and_join);
  const plan_graph *g = e->main.graph;
  assert_non_null(g);
  assert_int_equal(g->num_strands, 3);
  assert_false(comes_before(g, 0, 1));
  assert_true(comes_before(g, 0, 2) && comes_before(g, 1, 2));
  assert_int_equal(g->result_offsets[1], 1);
  assert_int_equal(g->result_strands[0], 2);
  mr_executable_release(e);
}

// On one unit nothing overlaps.
static void test_one_unit(void **state) {
  (void)state;
  for (int units = 0; units < 2; units++) {
    mr_executable *e = compile_for(units ? "1" : "0", fork_and_join);
    assert_null(e->main.graph);
    mr_executable_release(e);
  }
}

static plan_step *find_step(plan_sequence *sequence, plan_step_kind kind) {
  for (uint32_t i = 0; i < sequence->count; i++) {
    if (sequence->steps[i].kind == kind) {
      return &sequence->steps[i];
    }
  }
  fail_msg("no such step");
  return NULL;
}

// Two products each, of which the first is a temporary.
static const char two_chains[] =
    "func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {\n"
    "  %c = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "  %d = stablehlo.dot_general %c, %c, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "  %e = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "  %f = stablehlo.dot_general %e, %e, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "  return %d, %f : tensor<64x64xf32>, tensor<64x64xf32>\n}\n";

// What is wrong is seen: an edge that is missing, a step that came too early, memory that two strands have at once.
static void test_verifier_sees(void **state) {
  (void)state;
  mr_executable *e = compile_for("2", fork_and_join);
  plan_graph *g = e->main.graph;
  uint32_t input = g->inputs[g->input_offsets[2]];
  g->inputs[g->input_offsets[2]] = g->inputs[g->input_offsets[2] + 1];
  expect_code(mr_weave_verify(e), MR_INTERNAL);
  g->inputs[g->input_offsets[2]] = 2;
  expect_code(mr_weave_verify(e), MR_INTERNAL);
  g->inputs[g->input_offsets[2]] = input;
  plan_step *steps = e->main.steps, first = steps[0];
  steps[0] = steps[e->main.count - 1];
  steps[e->main.count - 1] = first;
  expect_code(mr_weave_verify(e), MR_INTERNAL);
  steps[e->main.count - 1] = steps[0];
  steps[0] = first;
  mr_executable_release(e);
  e = compile_for("2", two_chains);
  expect_ok(mr_weave_verify(e));
  for (uint32_t b = 0; b < e->num_buffers; b++) {
    e->buffers[b].offset = 0;
  }
  expect_code(mr_weave_verify(e), MR_INTERNAL);
  mr_executable_release(e);
}

// Two rounds' halves that have nothing to do with one another: the body is strands; calls that act are in one strand after the
// other, whatever they work on.
static const char busy_loop[] =
    "func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {\n"
    "  %zero = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %two = stablehlo.constant dense<2> : tensor<i32>\n"
    "  %r:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>\n"
    "  cond {\n"
    "    %c = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %c : tensor<i1>\n"
    "  } do {\n"
    "    %j = stablehlo.add %i, %one : tensor<i32>\n"
    "    %d = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "    %e = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> "
    "tensor<64x64xf32>\n"
    "    stablehlo.return %j, %d, %e : tensor<i32>, tensor<64x64xf32>, tensor<64x64xf32>\n"
    "  }\n"
    "  return %r#1, %r#2 : tensor<64x64xf32>, tensor<64x64xf32>\n}\n";

static uint32_t strand_of(const plan_sequence *sequence, uint32_t step) {
  uint32_t strand = 0;
  while (sequence->graph->strands[strand].first + sequence->graph->strands[strand].count <= step) {
    strand++;
  }
  return strand;
}

static void test_loop_body(void **state) {
  (void)state;
  mr_executable *e = compile_for("2", busy_loop);
  const plan_sequence *body = &find_step(&e->main, STEP_WHILE)->sequences[1];
  assert_non_null(body->graph);
  assert_null(body->graph->result_offsets);
  uint32_t products[2], found = 0;
  for (uint32_t i = 0; i < body->count; i++) {
    if (body->steps[i].kind == STEP_LIBRARY) {
      assert_true(found < 2);
      products[found++] = strand_of(body, i);
    }
  }
  assert_int_equal(found, 2);
  assert_false(products[0] == products[1] || comes_before(body->graph, products[0], products[1]));
  mr_executable_release(e);
}

static const char draws[] =
    "func.func @main() -> (tensor<2xui64>, tensor<2xui64>, tensor<2xui64>) {\n"
    "  %a = stablehlo.custom_call @millrace.rng_state() {has_side_effect = true} : () -> tensor<2xui64>\n"
    "  %b = stablehlo.custom_call @millrace.rng_state() {has_side_effect = true} : () -> tensor<2xui64>\n"
    "  %c = stablehlo.custom_call @millrace.rng_state() : () -> tensor<2xui64>\n"
    "  return %a, %b, %c : tensor<2xui64>, tensor<2xui64>, tensor<2xui64>\n}\n";

static void test_what_acts_keeps_its_order(void **state) {
  (void)state;
  mr_executable *e = compile_for("3", draws);
  const plan_graph *g = e->main.graph;
  assert_non_null(g);
  uint32_t acting[2], calm = 0, found = 0;
  for (uint32_t i = 0; i < e->main.count; i++) {
    if (e->main.steps[i].acts) {
      assert_true(found < 2);
      acting[found++] = strand_of(&e->main, i);
    } else {
      calm = strand_of(&e->main, i);
    }
  }
  assert_int_equal(found, 2);
  assert_true(acting[0] == acting[1] || comes_before(g, acting[0], acting[1]));
  assert_false(calm == acting[0] || calm == acting[1] || comes_before(g, acting[0], calm));
  mr_executable_release(e);
}

// Chains of products of `rows` rows, which have nothing to do with one another.
static void write_chains(int chains, int rows, int columns, mr_text *text) {
  mr_text_put(text, "func.func @main(%%w: tensor<%dx%dxf32>", columns, columns);
  for (int c = 0; c < chains; c++) {
    mr_text_put(text, ", %%p%d: tensor<%dx%dxf32>", c, rows, columns);
  }
  mr_text_put(text, ") -> (");
  for (int c = 0; c < chains; c++) {
    mr_text_put(text, "%stensor<%dx%dxf32>", c ? ", " : "", rows, columns);
  }
  mr_text_put(text, ") {\n");
  for (int c = 0; c < chains; c++) {
    for (int i = 0; i < 8; i++) {
      mr_text_put(text, "  %%v%d_%d = stablehlo.dot_general ", c, i + 1);
      mr_text_put(text, i ? "%%v%d_%d" : "%%p%d", c, i);
      mr_text_put(text,
                  ", %%w, contracting_dims = [1] x [0] : (tensor<%dx%dxf32>, tensor<%dx%dxf32>) -> tensor<%dx%dxf32>\n",
                  rows, columns, columns, columns, rows, columns);
    }
  }
  mr_text_put(text, "  return ");
  for (int c = 0; c < chains; c++) {
    mr_text_put(text, "%s%%v%d_8", c ? ", " : "", c);
  }
  mr_text_put(text, " : ");
  for (int c = 0; c < chains; c++) {
    mr_text_put(text, "%stensor<%dx%dxf32>", c ? ", " : "", rows, columns);
  }
  mr_text_put(text, "\n}\n");
}

// As it is by cost, on so many units.
static mr_executable *compile_rows(const char *units, const mr_compile_options *options, int rows, int columns) {
  mr_text text = {0};
  write_chains(16, rows, columns, &text);
  setenv("MILLRACE_PLAN_UNITS", units, 1);
  mr_executable *e = NULL;
  expect_ok(mr_compile((mr_span){text.data, text.size}, options, &e));
  unsetenv("MILLRACE_PLAN_UNITS");
  mr_text_deinit(&text);
  expect_ok(mr_weave_verify(e));
  return e;
}

static mr_executable *compile_chains(const char *units, int rows, int columns) {
  return compile_rows(units, NULL, rows, columns);
}

// The rows of a program share the units, so strands are for what each of them has.
static void test_rows_share_units(void **state) {
  (void)state;
  mr_executable *two = compile_rows("2", &(mr_compile_options){.num_partitions = 2}, 16, 64);
  mr_executable *four = compile_rows("4", &(mr_compile_options){.num_partitions = 2}, 16, 64);
  assert_null(two->main.graph);
  assert_non_null(four->main.graph);
  mr_executable_release(two);
  mr_executable_release(four);
}

// Eight chains of three products, of which the last is short, and the sum of all.
static void write_ensemble(mr_text *text) {
  mr_text_put(text, "func.func @main(%%v: tensor<256x64xf32>");
  for (int c = 0; c < 8; c++) {
    mr_text_put(text, ", %%x%d: tensor<8x256xf32>, %%w%d: tensor<256x256xf32>", c, c);
  }
  mr_text_put(text, ") -> tensor<8x64xf32> {\n");
  for (int c = 0; c < 8; c++) {
    for (int i = 0; i < 2; i++) {
      mr_text_put(text, "  %%%s%d = stablehlo.dot_general %%%s%d", i ? "y" : "h", c, i ? "h" : "x", c);
      mr_text_put(text,
                  ", %%w%d, contracting_dims = [1] x [0] : (tensor<8x256xf32>, tensor<256x256xf32>) -> "
                  "tensor<8x256xf32>\n",
                  c);
    }
    mr_text_put(text,
                "  %%z%d = stablehlo.dot_general %%y%d, %%v, contracting_dims = [1] x [0] : (tensor<8x256xf32>, "
                "tensor<256x64xf32>) -> tensor<8x64xf32>\n",
                c, c);
  }
  for (int c = 1; c < 8; c++) {
    mr_text_put(text, "  %%s%d = stablehlo.add %%%s%d, %%z%d : tensor<8x64xf32>\n", c, c == 1 ? "z" : "s", c - 1, c);
  }
  mr_text_put(text, "  return %%s7 : tensor<8x64xf32>\n}\n");
}

// What all wait for is done as early as can be: the short end of a chain lies with the chain and not with the sum, where nothing else
// runs beside it.
static void test_the_end_of_a_chain_is_its_own(void **state) {
  (void)state;
  mr_text text = {0};
  write_ensemble(&text);
  setenv("MILLRACE_PLAN_UNITS", "2", 1);
  mr_executable *e = compile(text.data);
  unsetenv("MILLRACE_PLAN_UNITS");
  mr_text_deinit(&text);
  expect_ok(mr_weave_verify(e));
  const plan_graph *g = e->main.graph;
  assert_non_null(g);
  assert_int_equal(g->strands[g->num_strands - 1].count, 1);
  assert_int_equal(e->main.steps[e->main.count - 1].kind, STEP_KERNEL);
  mr_executable_release(e);
}

// Each chain alone could be in memory of its own. Small ones are; of larger ones no more are there than run at once; and where even that
// is much more than before, there is one straight call.
static void test_memory_is_bounded(void **state) {
  (void)state;
  enum { SLACK = 66 << 10 };
  static const struct {
    int rows, columns;
    bool strands, ordered;
  } cases[] = {{16, 64, true, false}, {128, 64, true, true}, {8192, 16, false, false}};
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    mr_executable *straight = compile_chains("1", cases[i].rows, cases[i].columns);
    mr_executable *wide = compile_chains("2", cases[i].rows, cases[i].columns);
    assert_null(straight->main.graph);
    const plan_graph *g = wide->main.graph;
    assert_int_equal(g != NULL, cases[i].strands);
    assert_int_equal(g && g->input_offsets[g->num_strands] > 0, cases[i].ordered);
    assert_true(!g == (wide->temp_bytes == straight->temp_bytes));
    assert_true(wide->temp_bytes <= straight->temp_bytes + SLACK);
    mr_executable_release(straight);
    mr_executable_release(wide);
  }
}

// A larger machine has more of them at once, each unit with memory for its own.
static void test_memory_of_more_units(void **state) {
  (void)state;
  enum { SLACK = 66 << 10 };
  static const char *const units[] = {"2", "4", "8", "16", "64"};
  static const int sizes[][2] = {{16, 64}, {128, 64}};
  for (size_t s = 0; s < MR_ARRAY_SIZE(sizes); s++) {
    mr_executable *straight = compile_chains("1", sizes[s][0], sizes[s][1]);
    for (size_t i = 0; i < MR_ARRAY_SIZE(units); i++) {
      mr_executable *wide = compile_chains(units[i], sizes[s][0], sizes[s][1]);
      assert_non_null(wide->main.graph);
      assert_true(wide->temp_bytes <= straight->temp_bytes + (size_t)(atoi(units[i]) - 1) * SLACK);
      mr_executable_release(wide);
    }
    mr_executable_release(straight);
  }
}

static uint32_t count_strands(const plan_sequence *sequence) {
  uint32_t count = sequence->graph ? sequence->graph->num_strands : 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    for (uint32_t r = 0; r < sequence->steps[i].num_sequences; r++) {
      count += count_strands(&sequence->steps[i].sequences[r]);
    }
  }
  return count;
}

static uint32_t count_stored(const char *folder, const char *ending, const char *units, uint32_t *out_strands) {
  uint32_t compiled = 0;
  DIR *directory = opendir(folder);
  assert_non_null(directory);
  for (struct dirent *entry; (entry = readdir(directory));) {
    size_t size = strlen(entry->d_name), tail = strlen(ending);
    if (size <= tail || strcmp(entry->d_name + size - tail, ending) != 0) {
      continue;
    }
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    mr_span bytes = file_read(path);
    setenv("MILLRACE_STRANDS", units, 1);
    mr_executable *e = NULL;
    mr_status status = mr_compile(bytes, NULL, &e);
    unsetenv("MILLRACE_STRANDS");
    mr_free((void *)(uintptr_t)bytes.data);
    if (status) {
      mr_status_free(status);  // what is refused is another test's
      continue;
    }
    status = mr_weave_verify(e);
    if (status) {
      fail_msg("%s on %s units: %s", entry->d_name, units, mr_status_message(status));
    }
    compiled++;
    *out_strands += count_strands(&e->main);
    mr_executable_release(e);
  }
  closedir(directory);
  return compiled;
}

// Every stored program, cut for two units, for many, and for as many as there are: what must be in order is.
static void test_stored_programs(void **state) {
  (void)state;
  static const char *const units[] = {"2", "64", ""};
  for (size_t i = 0; i < MR_ARRAY_SIZE(units); i++) {
    uint32_t strands = 0;
    assert_true(count_stored(MR_SOURCE_DIR "/tests/programs", ".mlirbc", units[i], &strands) > 40);
    assert_true(strands > 200 || !*units[i]);
  }
}

// What the environment says that is no number of units is refused by name when the first program is planned.
static void test_wrong_environment(void **state) {
  (void)state;
  static const char *const names[] = {"MILLRACE_STRANDS", "MILLRACE_PLAN_UNITS"};
  for (size_t i = 0; i < MR_ARRAY_SIZE(names); i++) {
    setenv(names[i], "many", 1);
    mr_executable *executable = NULL;
    mr_status status = mr_compile((mr_span){fork_and_join, strlen(fork_and_join)}, NULL, &executable);
    unsetenv(names[i]);
    assert_null(executable);
    assert_non_null(strstr(mr_status_message(status), names[i]));
    expect_code(status, MR_INVALID_ARGUMENT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_environment),
      cmocka_unit_test(test_fork_and_join),
      cmocka_unit_test(test_one_unit),
      cmocka_unit_test(test_verifier_sees),
      cmocka_unit_test(test_loop_body),
      cmocka_unit_test(test_what_acts_keeps_its_order),
      cmocka_unit_test(test_the_end_of_a_chain_is_its_own),
      cmocka_unit_test(test_memory_is_bounded),
      cmocka_unit_test(test_memory_of_more_units),
      cmocka_unit_test(test_rows_share_units),
      cmocka_unit_test(test_stored_programs),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
