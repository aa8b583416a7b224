// Chains of operations on bf16 and f16: every step rounds but in front of a conversion to f32, and a program may ask for that one too.
#include "tests/compiler/execute_harness.h"

// t is so small that 1 + t rounds to 1.
#define SUM                                                           \
  "  %x = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xTYPE>\n" \
  "  %t = stablehlo.convert %b : (tensor<2xf32>) -> tensor<2xTYPE>\n" \
  "  %sum = stablehlo.add %x, %t : tensor<2xTYPE>\n"
#define BACK(name) "  %r = stablehlo.convert %" name " : (tensor<2xTYPE>) -> tensor<2xf32>\n"
#define MAIN "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n"
#define END "  return %r : tensor<2xf32>\n}\n"

typedef struct chain {
  const char *what, *text;
  bool stays_wide;  // in bf16 the result is t; else, in f16, and where steps round, 0
} chain;

static const chain chains[] = {
    {"arithmetic", MAIN SUM "  %d = stablehlo.subtract %sum, %x : tensor<2xTYPE>\n" BACK("d") END, false},
    {"a conversion to f32",
     MAIN SUM "  %w = stablehlo.convert %sum : (tensor<2xTYPE>) -> tensor<2xf32>\n"
              "  %r = stablehlo.subtract %w, %a : tensor<2xf32>\n" END,
     true},
    {"a conversion to f32 of what others see too",
     "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xTYPE>) {\n" SUM
     "  %w = stablehlo.convert %sum : (tensor<2xTYPE>) -> tensor<2xf32>\n"
     "  %r = stablehlo.subtract %w, %a : tensor<2xf32>\n"
     "  return %r, %sum : tensor<2xf32>, tensor<2xTYPE>\n}\n",
     true},
    {"a conversion to f32 behind a reshape",
     MAIN SUM "  %s = stablehlo.reshape %sum : (tensor<2xTYPE>) -> tensor<1x2xTYPE>\n"
              "  %w = stablehlo.convert %s : (tensor<1x2xTYPE>) -> tensor<1x2xf32>\n"
              "  %f = stablehlo.reshape %w : (tensor<1x2xf32>) -> tensor<2xf32>\n"
              "  %r = stablehlo.subtract %f, %a : tensor<2xf32>\n" END,
     false},
    {"a conversion to f32 behind a barrier",
     MAIN SUM "  %s = stablehlo.optimization_barrier %sum : tensor<2xTYPE>\n"
              "  %w = stablehlo.convert %s : (tensor<2xTYPE>) -> tensor<2xf32>\n"
              "  %r = stablehlo.subtract %w, %a : tensor<2xf32>\n" END,
     false},
    {"a conversion to f32 of a product",
     MAIN SUM
     "  %u = stablehlo.concatenate %x, %t, dim = 0 : (tensor<2xTYPE>, tensor<2xTYPE>) -> tensor<4xTYPE>\n"
     "  %m = stablehlo.reshape %u : (tensor<4xTYPE>) -> tensor<2x2xTYPE>\n"
     "  %e = stablehlo.divide %x, %x : tensor<2xTYPE>\n"
     "  %p = stablehlo.dot_general %m, %e, contracting_dims = [0] x [0] : (tensor<2x2xTYPE>, tensor<2xTYPE>) -> "
     "tensor<2xTYPE>\n"
     "  %w = stablehlo.convert %p : (tensor<2xTYPE>) -> tensor<2xf32>\n"
     "  %r = stablehlo.subtract %w, %a : tensor<2xf32>\n" END,
     true},
    {"a choice",
     MAIN SUM "  %p = stablehlo.compare GT, %x, %t : (tensor<2xTYPE>, tensor<2xTYPE>) -> tensor<2xi1>\n"
              "  %c = stablehlo.select %p, %sum, %t : tensor<2xi1>, tensor<2xTYPE>\n"
              "  %d = stablehlo.subtract %c, %x : tensor<2xTYPE>\n" BACK("d") END,
     false},
    {"constants",
     MAIN "  %x = stablehlo.constant dense<1.0> : tensor<2xTYPE>\n"
          "  %t = stablehlo.constant dense<STEP> : tensor<2xTYPE>\n"
          "  %sum = stablehlo.add %x, %t : tensor<2xTYPE>\n"
          "  %d = stablehlo.subtract %sum, %x : tensor<2xTYPE>\n" BACK("d") END,
     false},
    {"a comparison",
     MAIN SUM "  %p = stablehlo.compare NE, %sum, %x : (tensor<2xTYPE>, tensor<2xTYPE>) -> tensor<2xi1>\n"
              "  %r = stablehlo.convert %p : (tensor<2xi1>) -> tensor<2xf32>\n" END,
     false},
    {"a conversion by hand",
     MAIN "  %s = stablehlo.add %a, %b : tensor<2xf32>\n"
          "  %n = stablehlo.convert %s : (tensor<2xf32>) -> tensor<2xTYPE>\n"
          "  %w = stablehlo.convert %n : (tensor<2xTYPE>) -> tensor<2xf32>\n"
          "  %r = stablehlo.subtract %w, %a : tensor<2xf32>\n" END,
     false},
    {"reduce_precision",
     MAIN SUM "  %p = stablehlo.reduce_precision %sum, format = e8m10 : tensor<2xTYPE>\n"
              "  %d = stablehlo.subtract %p, %x : tensor<2xTYPE>\n" BACK("d") END,
     false},
    {"a function with steps",
     MAIN SUM "  %c = stablehlo.ceil %sum : tensor<2xTYPE>\n"
              "  %d = stablehlo.subtract %c, %x : tensor<2xTYPE>\n" BACK("d") END,
     false},
    {"a value that is stored",
     "func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xTYPE>) {\n" SUM
     "  %d = stablehlo.subtract %sum, %x : tensor<2xTYPE>\n" BACK(
         "d") "  return %r, %sum : tensor<2xf32>, tensor<2xTYPE>\n}\n",
     false},
    {"a carried value",
     MAIN SUM "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
              "  %n = stablehlo.constant dense<3> : tensor<i32>\n"
              "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
              "  %l:2 = stablehlo.while(%i = %z, %c = %x) : tensor<i32>, tensor<2xTYPE>\n"
              "    cond { %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
              "      stablehlo.return %p : tensor<i1> }\n"
              "    do { %j = stablehlo.add %i, %one : tensor<i32>\n"
              "      %k = stablehlo.add %c, %t : tensor<2xTYPE>\n"
              "      stablehlo.return %j, %k : tensor<i32>, tensor<2xTYPE> }\n"
              "  %d = stablehlo.subtract %l#1, %x : tensor<2xTYPE>\n" BACK("d") END,
     false},
};

// `text` with TYPE and STEP filled in.
static char *program_of(const char *text, const char *type, const char *step) {
  char *out = calloc(1, strlen(text) + 512);
  assert_non_null(out);
  for (size_t n = 0; *text;) {
    bool is_type = strncmp(text, "TYPE", 4) == 0, is_step = strncmp(text, "STEP", 4) == 0;
    const char *word = is_type ? type : is_step ? step : NULL;
    if (word) {
      n += (size_t)sprintf(out + n, "%s", word);
      text += 4;
    } else {
      out[n++] = *text++;
    }
  }
  return out;
}

static void expect_chain(const chain *c, const char *type, const char *step, float t, bool round_steps) {
  char *text = program_of(c->text, type, step);
  mr_compile_options options = {.round_steps = round_steps};
  mr_executable *executable = NULL;
  expect_ok(mr_compile((mr_span){text, strlen(text)}, &options, &executable));
  mr_buffer *arguments[2] = {floats((float[]){1, 1}, 2), floats((float[]){t, t}, 2)}, *results[2] = {NULL};
  run(executable, arguments, 2, results);
  bool stays_wide = c->stays_wide && !round_steps && strcmp(type, "bf16") == 0;
  float want = stays_wide ? t : 0, got[2];
  mr_future *done = NULL;
  expect_ok(mr_buffer_to_host(results[0], got, NULL, &done));
  wait_for(done);
  if (got[0] != want || got[1] != want) {
    fail_msg("%s of %s%s: %g, wanted %g", c->what, type, round_steps ? ", each step rounded" : "", (double)got[0],
             (double)want);
  }
  for (int i = 0; i < 2; i++) {
    mr_buffer_release(arguments[i]);
    if (results[i]) {
      mr_buffer_release(results[i]);
    }
  }
  mr_executable_release(executable);
  free(text);
}

// Every step rounds, as on XLA:CPU: there what stands right behind an operation on bf16 and converts to f32 takes the number before it
// is rounded, and no longer where the program's options say so.
static void test_where_chains_round(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    for (int rounds = 0; rounds < 2; rounds++) {
      expect_chain(&chains[i], "bf16", "0x3B00", 0x1p-9f, rounds);
      expect_chain(&chains[i], "f16", "0x1000", 0x1p-11f, rounds);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_where_chains_round)};
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
