// What is wrong with a configuration can be seen without the model.
#include "serve/config/config.h"
#include "tests/serve/check.h"

static sv_error *check_text(const char *text) {
  sv_config *config;
  check_ok(sv_config_create(&config));
  check_ok(sv_config_read_pbtxt(config, sv_str_of(text), "f"));
  sv_error *error = sv_config_check(config, "f");
  sv_config_release(config);
  return error;
}

// Sizes, names, priorities and files.
static void test_models(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"input { name: 'x' } input { name: 'x' }", "two inputs are called 'x'"},
      {"output { name: 'x' } output { name: 'x' }", "two outputs are called 'x'"},
      {"max_batch_size: 4 dynamic_batching { preferred_batch_size: [2, 8] }", "preferred_batch_size 8 is larger"},
      {"max_batch_size: 4 parameters { key: 'batch_sizes' value { string_value: '5' } }", "batch_sizes 5 is larger"},
      {"max_batch_size: 0 dynamic_batching { preferred_batch_size: 1 }", "which is 0"},
      {"dynamic_batching { priority_levels: 17 default_priority_level: 1 }", "at most 16"},
      {"dynamic_batching { priority_levels: 2 }", "default_priority_level 0"},
      {"dynamic_batching { priority_levels: 2 default_priority_level: 3 }", "default_priority_level 3"},
      {"dynamic_batching { default_priority_level: 1 }", "default_priority_level 1"},
      {"dynamic_batching { priority_levels: 1 default_priority_level: 1 priority_queue_policy { key: 2 value { } } }",
       "for level 2 of 1"},
      {"default_model_filename: '../x'", "'../x'"},
      {"default_model_filename: '.x'", "'.x'"},
      {"output { name: 'x' label_filename: '/etc/passwd' }", "'/etc/passwd'"},
      {"parameters { key: 'weights' value { string_value: 'a/b' } }", "'a/b'"},
      {"version_policy { specific { } }", "without versions"},
      {"platform: 'ensemble'", "without steps"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    check_fails(check_text(cases[i][0]), MILLRACE_INVALID_ARGUMENT, cases[i][1]);
  }
  check_ok(check_text("dynamic_batching { preferred_batch_size: 64 }"));  // the program says how many there may be
  check_ok(check_text("max_batch_size: 4 dynamic_batching { preferred_batch_size: 4 }"));
}

#define IN "input { name: 'x' } "
#define OUT "output { name: 'z' } "
#define STEP(model, in, out)                                                                                       \
  "ensemble_scheduling { step { model_name: '" model "' input_map { key: 'i' value: '" in "' } output_map { key: " \
  "'o' value: '" out "' } } "
#define AND(model, in, out) \
  "step { model_name: '" model "' input_map { key: 'i' value: '" in "' } output_map { key: 'o' value: '" out "' } } "

// Tensors of an ensemble that nobody makes, that two make, and steps that wait for themselves; the order of steps does not matter.
static void test_ensembles(void **state) {
  (void)state;
  check_ok(check_text(IN OUT STEP("b", "y", "z") AND("a", "x", "y") "}"));
  check_ok(check_text("platform: 'ensemble' " IN OUT STEP("b", "x", "z") "}"));
  static const char *const cases[][2] = {
      {OUT STEP("a", "x", "z") "}", "names its inputs and outputs"},
      {IN STEP("a", "x", "z") "}", "names its inputs and outputs"},
      {IN OUT STEP("a", "w", "z") "}", "step 0 needs the tensor 'w'"},
      {IN OUT STEP("a", "x", "y") "}", "no step makes the output 'z'"},
      {IN OUT STEP("a", "x", "z") AND("b", "x", "z") "}", "step 1 makes the tensor 'z', which is there already"},
      {IN OUT STEP("a", "x", "x") "}", "step 0 makes the tensor 'x'"},
      {IN OUT STEP("a", "y", "w") AND("b", "w", "y") AND("c", "x", "z") "}", "step 0 (a) waits for its own outputs"},
      {IN OUT STEP("a", "z", "z") "}", "waits for its own outputs"},
      {IN OUT STEP("", "x", "z") "}", "no model_name"},
      {IN OUT "ensemble_scheduling { step { model_name: 'a' output_map { key: 'o' value: 'z' } } }", "no input_map"},
      {IN OUT "ensemble_scheduling { step { model_name: 'a' input_map { key: 'i' value: 'x' } } }", "no output_map"},
      {IN OUT "ensemble_scheduling { step { model_name: 'a' model_version: 0 } }", "model_version 0"},
      {"platform: 'onnx' " IN OUT STEP("a", "x", "z") "}", "the platform 'onnx'"},
      {IN OUT "ensemble_scheduling { step { model_name: 'a' input_map [ { key: 'i' value: 'x' }, { key: 'i' value: 'x' "
              "} ] output_map { key: 'o' value: 'z' } } }",
       "'i' is twice in input_map"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    check_fails(check_text(cases[i][0]), MILLRACE_INVALID_ARGUMENT, cases[i][1]);
  }
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_models), cmocka_unit_test(test_ensembles)};
int main(void) { return check_run(tests); }
