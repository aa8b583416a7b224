// What a loop copies each round of an array that it carries through branches: a number of the plan's, not a time.
#include "compiler/weave/weave.h"
#include "tests/compiler/execute_harness.h"

#define ARRAY "tensor<256x512xf32>"
enum { ARRAY_BYTES = 256 * 512 * 4, SCALARS_BYTES = 64 };

#define UPDATE(result, of)                                                          \
  "%" result " = stablehlo.dynamic_update_slice %" of ", %row, %i, %zero : (" ARRAY \
  ", tensor<1x512xf32>, tensor<i32>, tensor<i32>) -> " ARRAY "\n"
#define RETURN(value) "stablehlo.return %" value " : " ARRAY "\n"

typedef struct form {
  const char *name, *first, *second, *after, *returned;
  size_t arrays;  // copied in all branches and around them
} form;

static const form forms[] = {
    {"one branch updates", UPDATE("x", "c") RETURN("x"), RETURN("c"), "", "%d", 0},
    {"both update", UPDATE("x", "c") RETURN("x"), UPDATE("y", "c") UPDATE("z", "y") RETURN("z"), "", "%d", 0},
    {"neither does", RETURN("c"), RETURN("c"), "", "%d", 0},
    {"one begins anew", RETURN("a"), UPDATE("x", "c") RETURN("x"), "", "%d", 1},
    {"a branch in a branch",
     "%x = \"stablehlo.if\"(%r) ({\n" UPDATE("y", "c") RETURN("y") "}, {\n" RETURN("c") "}) : (tensor<i1>) -> " ARRAY
                                                                                        "\n" RETURN("x"),
     RETURN("c"), "", "%d", 0},
    {"the update is read with what it was", UPDATE("x", "c") "%y = stablehlo.add %x, %c : " ARRAY "\n" RETURN("y"),
     RETURN("c"), "", "%d", 1},
    {"what it was is read behind the branches", UPDATE("x", "c") RETURN("x"), RETURN("c"),
     "%e = stablehlo.add %d, %c : " ARRAY "\n", "%e", 2},
};

static size_t copied(const plan_sequence *sequence) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < sequence->count; i++) {
    const plan_step *step = &sequence->steps[i];
    bytes += step->kind == STEP_COPY ? step->bytes : 0;
    for (uint32_t r = 0; r < step->num_sequences; r++) {
      bytes += copied(&step->sequences[r]);
    }
  }
  return bytes;
}

static void test_copies_of_a_round(void **state) {
  (void)state;
  for (size_t k = 0; k < MR_ARRAY_SIZE(forms); k++) {
    const form *f = &forms[k];
    char text[4096];
    snprintf(text, sizeof text,
             "func.func @main(%%n: tensor<i32>, %%a: " ARRAY ", %%row: tensor<1x512xf32>) -> " ARRAY " {\n"
             "%%zero = stablehlo.constant dense<0> : tensor<i32>\n"
             "%%one = stablehlo.constant dense<1> : tensor<i32>\n"
             "%%two = stablehlo.constant dense<2> : tensor<i32>\n"
             "%%l:2 = stablehlo.while(%%i = %%zero, %%c = %%a) : tensor<i32>, " ARRAY "\n"
             "cond {\n"
             "%%p = stablehlo.compare LT, %%i, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
             "stablehlo.return %%p : tensor<i1>\n"
             "} do {\n"
             "%%q = stablehlo.compare GE, %%i, %%two : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
             "%%r = stablehlo.compare GE, %%i, %%one : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
             "%%d = \"stablehlo.if\"(%%q) ({\n%s}, {\n%s}) : (tensor<i1>) -> " ARRAY "\n%s"
             "%%next = stablehlo.add %%i, %%one : tensor<i32>\n"
             "stablehlo.return %%next, %s : tensor<i32>, " ARRAY "\n"
             "}\nreturn %%l#1 : " ARRAY "\n}\n",
             f->first, f->second, f->after, f->returned);
    mr_executable *e = compile(text);
    expect_ok(mr_weave_verify(e));
    size_t bytes = 0;
    for (uint32_t i = 0; i < e->main.count; i++) {
      bytes += e->main.steps[i].kind == STEP_WHILE ? copied(&e->main.steps[i].sequences[1]) : 0;
    }
    if (bytes / ARRAY_BYTES != f->arrays || bytes % ARRAY_BYTES > SCALARS_BYTES) {
      fail_msg("%s: a round's branches copy %zu bytes, wanted %zu arrays of %d", f->name, bytes, f->arrays,
               ARRAY_BYTES);
    }
    mr_executable_release(e);
  }
}

// Indices that name no dimension, so that a window lies at the first place: it is divided by their number nowhere.
static void test_sum_with_a_window_of_no_index(void **state) {
  (void)state;
  mr_executable *e =
      compile("func.func @main(%x: tensor<4xf32>, %v: tensor<1xf32>, %n: tensor<0xf32>) -> tensor<4xf32> {\n"
              "%u = stablehlo.reshape %v : (tensor<1xf32>) -> tensor<1x1xf32>\n"
              "%m = stablehlo.convert %n : (tensor<0xf32>) -> tensor<0xi32>\n"
              "%i = stablehlo.reshape %m : (tensor<0xi32>) -> tensor<1x0xi32>\n"
              "%zeros = stablehlo.constant dense<0.0> : tensor<4xf32>\n"
              "%s = \"stablehlo.scatter\"(%zeros, %i, %u) <{scatter_dimension_numbers = "
              "#stablehlo.scatter<update_window_dims = [1], index_vector_dim = 1>}> ({\n"
              "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
              "%c = stablehlo.add %a, %b : tensor<f32>\n"
              "stablehlo.return %c : tensor<f32>\n"
              "}) : (tensor<4xf32>, tensor<1x0xi32>, tensor<1x1xf32>) -> tensor<4xf32>\n"
              "%y = stablehlo.add %x, %s : tensor<4xf32>\n"
              "return %y : tensor<4xf32>\n}\n");
  mr_buffer *arguments[] = {floats((float[]){1, 2, 3, 4}, 4), floats((float[]){10}, 1), floats((float[]){0}, 0)},
            *result;
  run(e, arguments, 3, &result);
  expect_floats(result, (float[]){11, 2, 3, 4}, 4);
  release_all(&result, 1);
  release_all(arguments, 3);
  mr_executable_release(e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_copies_of_a_round),
      cmocka_unit_test(test_sum_with_a_window_of_no_index),
  };
  return cmocka_run_group_tests(tests, open_platform, close_platform);
}
