// Both syntaxes say the same, key by key.
#include "serve/config/config.h"
#include "tests/serve/check.h"

static const char PBTXT[] =
    "# a model of Triton's\n"
    "name: \"digits\"\n"
    "platform: 'none', backend: \"mill\" 'race'\n"
    "max_batch_size: 0x10;\n"
    "input [ { name: 'x' data_type: TYPE_FP32 format: FORMAT_NONE dims: [ 28, -1 ] } ]\n"
    "input { name: 'y', data_type: TYPE_BF16, optional: false }\n"
    "output: { name: \"a\\\"\\x62\\143\\u00e9\" data_type: TYPE_INT64 dims: 2 dims: 3\n"
    "          label_filename: 'labels.txt' }\n"
    "version_policy: { specific { versions: [1, 3] } }\n"
    "instance_group [ { count: 2 kind: KIND_CPU }, { kind: KIND_AUTO name: 'other' } ]\n"
    "default_model_filename: \"net.mlirbc\"\n"
    "dynamic_batching {\n"
    "  preferred_batch_size: [ 8, 4, 8 ]\n"
    "  max_queue_delay_microseconds: 100\n"
    "  preserve_ordering: true\n"
    "  priority_levels: 2 default_priority_level: 1\n"
    "  default_queue_policy { timeout_action: DELAY default_timeout_microseconds: 5000\n"
    "                         allow_timeout_override: true max_queue_size: 9 }\n"
    "  priority_queue_policy { key: 2 value: { max_queue_size: 3 } }\n"
    "}\n"
    "parameters { key: \"batch_sizes\" value { string_value: \"1, 16,4\" } }\n"
    "parameters: [ { key: 'weights' value: { string_value: 'w.npz' } },\n"
    "              { key: 'own' value { string_value: 'x' } } ]\n"
    "model_warmup [ { name: 'zeros' batch_size: 1 inputs { key: 'x' value: { zero_data: true } } } ]\n"
    "optimization < graph: < level: 1 > >\n"
    "response_cache { enable: false } model_transaction_policy { decoupled: false }\n"
    "metric_tags { key: 'team' value: 'a' }\n";

static const char JSON[] =
    "{\"name\":\"digits\",\"platform\":\"none\",\"backend\":\"millrace\",\"maxBatchSize\":16,"
    "\"input\":[{\"name\":\"x\",\"data_type\":\"TYPE_FP32\",\"format\":\"FORMAT_NONE\",\"dims\":[\"28\",-1]},"
    "{\"name\":\"y\",\"dataType\":14,\"optional\":false}],"
    "\"output\":[{\"name\":\"a\\\"bc\\u00e9\",\"data_type\":\"TYPE_INT64\",\"dims\":[2,3],\"label_filename\":\"labels."
    "txt\"}],"
    "\"version_policy\":{\"specific\":{\"versions\":[1,\"3\"]}},"
    "\"instance_group\":[{\"count\":2,\"kind\":\"KIND_CPU\",\"gpus\":[]},{\"kind\":\"KIND_AUTO\",\"name\":\"other\"}],"
    "\"default_model_filename\":\"net.mlirbc\","
    "\"dynamicBatching\":{\"preferred_batch_size\":[8,4,8],\"maxQueueDelayMicroseconds\":\"100\","
    "\"preserve_ordering\":true,\"priority_levels\":\"2\",\"default_priority_level\":1,"
    "\"default_queue_policy\":{\"timeout_action\":\"DELAY\",\"default_timeout_microseconds\":5000,"
    "\"allow_timeout_override\":true,\"max_queue_size\":9},"
    "\"priority_queue_policy\":{\"2\":{\"max_queue_size\":3}}},"
    "\"parameters\":{\"batch_sizes\":{\"string_value\":\"1, 16,4\"},\"weights\":{\"stringValue\":\"w.npz\"},"
    "\"own\":{\"string_value\":\"x\"}},"
    "\"model_warmup\":[{\"name\":\"zeros\",\"inputs\":{\"x\":{}}}],\"optimization\":{\"graph\":{\"level\":1}},"
    "\"response_cache\":{\"enable\":false},\"model_transaction_policy\":{\"decoupled\":false},"
    "\"metric_tags\":{\"team\":\"a\"},\"sequence_batching\":null}";

static void check_all(const sv_config *c) {
  assert_string_equal(c->name, "digits");
  assert_string_equal(c->platform, "none");
  assert_string_equal(c->backend, "millrace");
  assert_true(c->says_max_batch_size);
  assert_int_equal(c->max_batch_size, 16);
  assert_int_equal(c->num_inputs, 2);
  assert_string_equal(c->inputs[0].name, "x");
  assert_int_equal(c->inputs[0].dtype, MILLRACE_F32);
  assert_int_equal(c->inputs[0].rank, 2);
  assert_int_equal(c->inputs[0].dims[0], 28);
  assert_int_equal(c->inputs[0].dims[1], -1);
  assert_int_equal(c->inputs[1].dtype, MILLRACE_BF16);
  assert_null(c->inputs[1].dims);
  assert_int_equal(c->num_outputs, 1);
  assert_string_equal(c->outputs[0].name, "a\"bc\xc3\xa9");
  assert_int_equal(c->outputs[0].dtype, MILLRACE_S64);
  assert_int_equal(c->outputs[0].dims[1], 3);
  assert_string_equal(c->outputs[0].label_filename, "labels.txt");
  assert_int_equal(c->versions, SV_VERSIONS_SPECIFIC);
  assert_int_equal(c->num_specific, 2);
  assert_int_equal(c->specific[1], 3);
  assert_int_equal(c->instances, 3);
  assert_string_equal(c->filename, "net.mlirbc");
  assert_true(c->batching);
  assert_int_equal(c->num_preferred, 2);
  assert_int_equal(c->preferred[0], 4);
  assert_int_equal(c->preferred[1], 8);
  assert_int_equal(c->max_delay_us, 100);
  assert_true(c->preserve_ordering);
  assert_int_equal(c->priority_levels, 2);
  assert_int_equal(c->default_priority, 1);
  assert_int_equal(c->policy.timeout_action, SV_TIMEOUT_DELAY);
  assert_int_equal(c->policy.default_timeout_us, 5000);
  assert_true(c->policy.allow_timeout_override);
  assert_int_equal(c->policy.max_queue_size, 9);
  assert_true(c->has_policy[2] && !c->has_policy[1]);
  assert_int_equal(c->policies[2].max_queue_size, 3);
  assert_int_equal(c->num_buckets, 3);
  assert_int_equal(c->buckets[2], 16);
  assert_string_equal(c->weights, "w.npz");
}

static sv_error *read_one(const char *text, bool json, sv_config **out_config) {
  check_ok(sv_config_create(out_config));
  sv_error *error = json ? sv_config_read_json(*out_config, sv_str_of(text), "f")
                         : sv_config_read_pbtxt(*out_config, sv_str_of(text), "f");
  return error ? error : sv_config_check(*out_config, "f");
}

// Every key, in every spelling that Triton's users have, comes to the same structure.
static void test_same_in_both(void **state) {
  (void)state;
  for (int json = 0; json < 2; json++) {
    sv_config *config;
    check_ok(read_one(json ? JSON : PBTXT, json, &config));
    check_all(config);
    sv_config_release(config);
  }
}

// Nothing said: the defaults.
static void test_defaults(void **state) {
  (void)state;
  for (int json = 0; json < 2; json++) {
    sv_config *config;
    check_ok(read_one(json ? " {} " : " # nothing\n", json, &config));
    assert_false(config->says_max_batch_size || config->batching);
    assert_int_equal(config->versions, SV_VERSIONS_LATEST);
    assert_int_equal(config->latest, 1);
    assert_null(config->name);
    sv_config_release(config);
  }
}

typedef struct wrong {
  const char *text, *words;
  millrace_code code;
  bool json;
} wrong;

static void check_wrong(const wrong *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sv_config *config;
    check_fails(read_one(cases[i].text, cases[i].json, &config), cases[i].code, cases[i].words);
    sv_config_release(config);
  }
}
#define CHECK_WRONG(cases) check_wrong(cases, sizeof(cases) / sizeof((cases)[0]))

// What the server does not do is named.
static void test_lacking(void **state) {
  (void)state;
  static const wrong cases[] = {
      {"instance_group { kind: KIND_GPU }", "KIND_GPU", MILLRACE_UNIMPLEMENTED, false},
      {"\n\nsequence_batching { }", "f, line 3: sequence_batching", MILLRACE_UNIMPLEMENTED, false},
      {"response_cache { enable: true }", "response_cache", MILLRACE_UNIMPLEMENTED, false},
      {"model_transaction_policy { decoupled: true }", "decoupled", MILLRACE_UNIMPLEMENTED, false},
      {"input { name: 'x' reshape { shape: [1] } }", "reshape", MILLRACE_UNIMPLEMENTED, false},
      {"input { name: 'x' optional: true }", "optional", MILLRACE_UNIMPLEMENTED, false},
      {"input { name: 'x' allow_ragged_batch: true }", "allow_ragged_batch", MILLRACE_UNIMPLEMENTED, false},
      {"input { name: 'x' format: FORMAT_NCHW }", "FORMAT_NCHW", MILLRACE_UNIMPLEMENTED, false},
      {"input { name: 'x' data_type: TYPE_STRING }", "TYPE_STRING", MILLRACE_UNIMPLEMENTED, false},
      {"batch_input [ { kind: X } ]", "batch_input", MILLRACE_UNIMPLEMENTED, false},
      {"{\"model_transaction_policy\":{\"decoupled\":true}}", "decoupled", MILLRACE_UNIMPLEMENTED, true},
      {"{\"sequenceBatching\":{}}", "sequence_batching", MILLRACE_UNIMPLEMENTED, true},
      {"{\"instance_group\":[{\"kind\":\"KIND_GPU\",\"count\":1}]}", "KIND_GPU", MILLRACE_UNIMPLEMENTED, true},
  };
  CHECK_WRONG(cases);
}

// Unknown keys, wrong kinds and numbers are named with their place.
static void test_wrong_keys(void **state) {
  (void)state;
  static const wrong cases[] = {
      {"name: 'a'\nmax_batch: 1", "f, line 2: unknown key 'max_batch'", MILLRACE_INVALID_ARGUMENT, false},
      {"input {\n name: 'a'\n shape: 1 }", "f, line 3: unknown key 'shape' in input", MILLRACE_INVALID_ARGUMENT, false},
      {"maxBatchSize: 1", "unknown key 'maxBatchSize'", MILLRACE_INVALID_ARGUMENT, false},
      {"name: 'a' name: 'b'", "'name' is there twice", MILLRACE_INVALID_ARGUMENT, false},
      {"name: a", "name: wanted a text in quotes", MILLRACE_INVALID_ARGUMENT, false},
      {"name: ['a']", "not a list", MILLRACE_INVALID_ARGUMENT, false},
      {"name: 'a\\0b'", "zero byte", MILLRACE_INVALID_ARGUMENT, false},
      {"max_batch_size: '1'", "max_batch_size: wanted a whole number", MILLRACE_INVALID_ARGUMENT, false},
      {"max_batch_size: -1", "not '-1'", MILLRACE_INVALID_ARGUMENT, false},
      {"max_batch_size: 2147483648", "to 2147483647", MILLRACE_INVALID_ARGUMENT, false},
      {"max_batch_size: 1.5", "1.5", MILLRACE_INVALID_ARGUMENT, false},
      {"max_batch_size: 09", "09", MILLRACE_INVALID_ARGUMENT, false},
      {"dynamic_batching: 1", "dynamic_batching: wanted a message", MILLRACE_INVALID_ARGUMENT, false},
      {"dynamic_batching { preserve_ordering: 2 }", "true or false", MILLRACE_INVALID_ARGUMENT, false},
      {"input { name: 'x' data_type: TYPE_FLOAT }", "TYPE_FLOAT", MILLRACE_INVALID_ARGUMENT, false},
      {"input { data_type: TYPE_FP32 }", "input has no name", MILLRACE_INVALID_ARGUMENT, false},
      {"input { name: 'x' dims: -2 }", "-2", MILLRACE_INVALID_ARGUMENT, false},
      {"input { name: 'x' dims: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }", "more than 16", MILLRACE_INVALID_ARGUMENT,
       false},
      {"version_policy { all { } latest { } }", "one of latest, all and specific", MILLRACE_INVALID_ARGUMENT, false},
      {"version_policy { specific { versions: 0 } }", "from 1", MILLRACE_INVALID_ARGUMENT, false},
      {"parameters { key: 'x' }", "wanted { key: ... value: ... }", MILLRACE_INVALID_ARGUMENT, false},
      {"parameters { key: 'batch_sizes' value { string_value: '1,,2' } }", "'1,,2'", MILLRACE_INVALID_ARGUMENT, false},
      {"dynamic_batching { priority_queue_policy { key: 17 value { } } }", "'17'", MILLRACE_INVALID_ARGUMENT, false},
      {"{\"max_batch\":1}", "f, byte 13: unknown key 'max_batch'", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"input\":{\"name\":\"x\"}}", "input: wanted an array", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"parameters\":[]}", "parameters: wanted an object", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"name\":\"a\",\"name\":\"b\"}", "", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"max_batch_size\":1.5}", "1.5", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"max_batch_size\":[1]}", "not a list", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"max_batch_size\":1", "f: ", MILLRACE_INVALID_ARGUMENT, true},
      {"[]", "wanted an object", MILLRACE_INVALID_ARGUMENT, true},
      {"", "f", MILLRACE_INVALID_ARGUMENT, true},
      {"{\"input\":[null]}", "null in an array", MILLRACE_INVALID_ARGUMENT, true},
      {"{} x", "f", MILLRACE_INVALID_ARGUMENT, true},
  };
  CHECK_WRONG(cases);
}

// What the text format does not allow is told with its line.
static void test_wrong_text(void **state) {
  (void)state;
  static const wrong cases[] = {
      {"name", "wanted : or { after name", MILLRACE_INVALID_ARGUMENT, false},
      {"name:", "wanted a value", MILLRACE_INVALID_ARGUMENT, false},
      {"name: 'a\n'", "f, line 1: a text without its closing '", MILLRACE_INVALID_ARGUMENT, false},
      {"name: 'a", "without its closing", MILLRACE_INVALID_ARGUMENT, false},
      {"name: 'a\\", "without its closing", MILLRACE_INVALID_ARGUMENT, false},
      {"name: 'a\\q'", "unknown escape", MILLRACE_INVALID_ARGUMENT, false},
      {"name: '\\xff'", "not UTF-8", MILLRACE_INVALID_ARGUMENT, false},
      {"name: '\\ud800'", "not UTF-8", MILLRACE_INVALID_ARGUMENT, false},
      {"name: '\\u12'", "bad \\u", MILLRACE_INVALID_ARGUMENT, false},
      {"name: '\\U00110000'", "bad \\U", MILLRACE_INVALID_ARGUMENT, false},
      {"input {\n name: 'x'\n", "f, line 3: the file ends before }", MILLRACE_INVALID_ARGUMENT, false},
      {"input { name: 'x' > }", "name of a field", MILLRACE_INVALID_ARGUMENT, false},
      {"}", "name of a field", MILLRACE_INVALID_ARGUMENT, false},
      {"input [ { name: 'x' }", "comma or ]", MILLRACE_INVALID_ARGUMENT, false},
      {"input [ [ ] ]", "a list in a list", MILLRACE_INVALID_ARGUMENT, false},
      {"input [ { name: 'x' }, ]", "wanted a value", MILLRACE_INVALID_ARGUMENT, false},
      {"x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{x{", "at most 32",
       MILLRACE_INVALID_ARGUMENT, false},
  };
  CHECK_WRONG(cases);
  sv_config *config;
  check_ok(sv_config_create(&config));
  check_fails(sv_config_read_pbtxt(config, (sv_str){"name: 'a'\0", 10}, "f"), MILLRACE_INVALID_ARGUMENT,
              "name of a field");
  sv_config_release(config);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_same_in_both), cmocka_unit_test(test_defaults),   cmocka_unit_test(test_lacking),
    cmocka_unit_test(test_wrong_keys),   cmocka_unit_test(test_wrong_text),
};
int main(void) { return check_run(tests); }
