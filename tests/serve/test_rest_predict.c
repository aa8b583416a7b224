// :predict in rows and columns.
#include "tests/serve/check.h"
#include "tests/serve/fake_engine.h"

static sv_service service = {.name = "millrace", .version = "0", .body_bytes = 1 << 20};

static sv_exchange *ask(const char *model, const char *json) {
  static sv_exchange exchange;
  fake_exchange_free(&exchange);
  size_t size = strlen(json);
  char *copy = malloc(size ? size : 1);
  memcpy(copy, json, size);
  exchange = (sv_exchange){.http = {.body = {copy, size}, .json_size = -1}};
  sv_rest_predict(&service, &exchange, &exchange.http, sv_str_of(model), (sv_str){0});
  assert_int_equal(exchange.answers, 1);
  free(copy);
  assert_true(fake_is_idle());
  return &exchange;
}

static void check_answer(const char *model, const char *json, const char *wanted) {
  const sv_exchange *exchange = ask(model, json);
  if (exchange->status != 200 || !sv_str_is(sv_text_str(&exchange->body), wanted)) {
    fail_msg("%s: got %d %.*s, wanted %s", json, exchange->status, SV_FMT(sv_text_str(&exchange->body)), wanted);
  }
}

static void check_error(const char *model, const char *json, const char *words) {
  const sv_exchange *exchange = ask(model, json);
  sv_text text = exchange->body;
  if (exchange->status != -MILLRACE_INVALID_ARGUMENT || !memmem(text.data, text.size, words, strlen(words))) {
    fail_msg("%s: got %d %.*s, wanted '%s'", json, exchange->status, SV_FMT(sv_text_str(&text)), words);
  }
}

static void test_rows(void **state) {
  (void)state;
  check_answer("m", "{\"instances\":[[1,2,3],[4,5,6]]}", "{\"predictions\":[[3.0,5.0,7.0],[9.0,11.0,13.0]]}");
  check_answer("m",
               " {\"signature_name\":\"serving_default\", \"instances\" : [ {\"x\":[1,2,3]} , {\"x\":[4,5,6]} ] } ",
               "{\"predictions\":[[3.0,5.0,7.0],[9.0,11.0,13.0]]}");
  check_answer("two",
               "{\"instances\":[{\"a\":[1,2],\"b\":[3,1]},{\"b\":[10,20],\"a\":[0.5,1]},{\"a\":[0,0],\"b\":[0,0]}]}",
               "{\"predictions\":[{\"sum\":[4.0,3.0],\"less\":[true,false]},{\"sum\":[10.5,21.0],\"less\":[true,true]},"
               "{\"sum\":[0.0,0.0],\"less\":[false,false]}]}");
  check_answer("fixed", "{\"instances\":[[1,2,3],[4,5,6]]}", "{\"predictions\":[[2,3,4],[5,6,7]]}");
}

static void test_columns(void **state) {
  (void)state;
  check_answer("m", "{\"inputs\":[[1,2,3],[4,5,6]]}", "{\"outputs\":[[3.0,5.0,7.0],[9.0,11.0,13.0]]}");
  check_answer("m", "{\"inputs\":{\"x\":[[1,2,3]]}}", "{\"outputs\":[[3.0,5.0,7.0]]}");
  check_answer("two", "{\"inputs\":{\"b\":[[3,1],[10,20]],\"a\":[[1,2],[0.5,1]]}}",
               "{\"outputs\":{\"sum\":[[4.0,3.0],[10.5,21.0]],\"less\":[[true,false],[true,true]]}}");
  check_answer("fixed", "{\"inputs\":{\"i\":[[1],[4]]}}", "{\"outputs\":[[2],[5]]}");
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *model, *json, *words;
  } cases[] = {
      {"m", "", "ends at byte 0"},
      {"m", "{}", "wanted the member 'instances' or 'inputs'"},
      {"m", "{\"instances\":[[1,2,3]],\"inputs\":[[1,2,3]]}", "'instances' or 'inputs', once"},
      {"m", "{\"instances\":7}", "wanted an array"},
      {"m", "{\"instances\":[]}", "'instances' is empty"},
      {"m", "{\"instances\":[[1,2,3],[4,5]]}", "not of the same lengths"},
      {"m", "{\"instances\":[[1,2,3],4]}", "not of the same lengths"},
      {"m", "{\"instances\":[4,[1,2,3]]}", "not of the same lengths"},
      {"m", "{\"instances\":[[],[[]]]}", "not of the same lengths"},
      {"m", "{\"instances\":[[[]],[1]]}", "not of the same lengths"},
      {"m", "{\"instances\":[[1,2,3],{\"x\":[1,2,3]}]}", "not of the same lengths"},
      {"m", "{\"instances\":[{\"x\":[1,2,3]},[1,2,3]]}", "wanted an object"},
      {"m", "{\"instances\":[{\"x\":[1,2,3]},{\"x\":[1,2]}]}", "another shape in row 1 than in row 0"},
      {"m", "{\"instances\":[{\"x\":[1,2,3]},{}]}", "input 'x' is missing in row 1"},
      {"m", "{\"instances\":[{\"x\":[1,2,3],\"x\":[1,2,3]}]}", "input 'x' is there twice"},
      {"m", "{\"instances\":[{\"z\":[1,2,3]}]}", "no input 'z'"},
      {"m", "{\"instances\":[{\"b64\":\"\"}]}", "no input 'b64'"},
      {"m", "{\"instances\":[\"text\"]}", "wanted a number"},
      {"m", "{\"instances\":[[1,2,\"3\"]]}", "wanted a number"},
      {"m", "{\"instances\":[[1,2,null]]}", "wanted a number"},
      {"m", "{\"instances\":[1,2,3]}", "wrong shape"},
      {"m", "{\"inputs\":5}", "wrong shape"},
      {"m", "{\"inputs\":{\"x\":[[1,2,3]],\"x\":[[1,2,3]]}}", "twice"},
      {"m", "{\"inputs\":{}}", "input 'x' of model 'm' is missing"},
      {"m", "{\"instances\":[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]}", "more than 16 dimensions"},
      {"m", "{\"instances\":[[1,2,3]]", "ends at byte"},
      {"two", "{\"instances\":[[1,2]]}", "has 2 inputs: wanted their names in 'instances'"},
      {"two", "{\"inputs\":[[1,2]]}", "has 2 inputs: wanted their names in 'inputs'"},
      {"two", "{\"inputs\":{\"a\":[[1,2]]}}", "input 'b' of model 'two' is missing"},
      {"two", "{\"instances\":[{\"a\":[1,2],\"b\":[1.5,2]}]}", "whole number"},
      {"half", "{\"instances\":[[1,2]]}", "FP16"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    check_error(cases[i].model, cases[i].json, cases[i].words);
  }
  assert_int_equal(ask("none", "{}")->status, -MILLRACE_NOT_FOUND);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_columns),
      cmocka_unit_test(test_refused),
  };
  return check_run(tests);
}
