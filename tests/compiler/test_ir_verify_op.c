// What the verifier asks of single ops beyond their shapes. Each text is wrong in one thing, which the message names.
#include "tests/compiler/pass_text.h"

#define Q "!quant.uniform<i8:f32, 0.5:1>"
#define FOLD                                                                                                     \
  "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : " \
  "tensor<f32>\n})"
#define REDUCE(attrs) "%r = \"stablehlo.all_reduce\"(%x) " FOLD " {" attrs "} : (tensor<4xf32>) -> tensor<4xf32>\n"
#define PERMUTE(pairs) \
  "%r = \"stablehlo.collective_permute\"(%x) {source_target_pairs = " pairs "} : (tensor<4xf32>) -> tensor<4xf32>\n"

typedef struct wrong {
  const char *args, *body, *message;
} wrong;

static const wrong texts[] = {
    {"%x: tensor<4xf32>", REDUCE("replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"), "has 1 twice"},
    {"%x: tensor<4xf32>", REDUCE("replica_groups = dense<[[0, 1], [3, 4]]> : tensor<2x2xi64>"),
     "has 4 devices, and not 2"},
    {"%x: tensor<4xf32>", REDUCE("replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>"), "has -2"},
    {"%x: tensor<4xf32>", REDUCE("replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids"),
     "wants a positive channel_id"},
    {"%x: tensor<4xf32>", PERMUTE("dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>"), "has 0 as a source twice"},
    {"%x: tensor<4xf32>", PERMUTE("dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>"), "has 1 as a target twice"},
    {"%x: tensor<4xf32>", PERMUTE("dense<[[0, -1]]> : tensor<1x2xi64>"), "has -1"},
    {"%x: tensor<3x4x5xf32>, %i: tensor<2xi32>",
     "%r = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2, 1], "
     "collapsed_slice_dims "
     "= [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4, 5>, indices_are_sorted = "
     "false}> "
     ": (tensor<3x4x5xf32>, tensor<2xi32>) -> tensor<2x4x5xf32>\n",
     "offset_dims is not sorted: 2 before 1"},
    {"%x: tensor<4x!quant.uniform<i8:f32, 0.5:300>>", "", "zero point 300 outside of -128 to 127"},
    {"%x: tensor<4x!quant.uniform<i8:f16, 1.0e6>>", "", "scale 1e+06 is no positive number of f16"},
    {"%x: tensor<4x" Q ">, %y: tensor<4x!quant.uniform<i16:f32, 0.5:1>>",
     "%r = \"stablehlo.add\"(%x, %y) : (tensor<4x" Q ">, tensor<4x!quant.uniform<i16:f32, 0.5:1>>) -> tensor<4x" Q
     ">\n",
     "operand 1 and the result express or store different types"},
    {"%x: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>",
     "%r = stablehlo.abs %x : tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>\n",
     "takes one scale for a whole tensor only"},
    {"%x: tensor<2x3x" Q ">",
     "%r = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3x" Q ">) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:2>>\n",
     "different scales or zero points"},
    {"%x: tensor<2x2x" Q ">",
     "%r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<2x2x" Q ">, tensor<2x2x" Q
     ">) -> tensor<2x2x" Q ">\n",
     "wants 0 as the right operand's zero point, not 1"},
    {"%x: tensor<4xf32>",
     "%r = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f64, 0.5:1>>\n",
     "expresses f64, wanted f32"},
};

// Each is refused, and the message says what for.
static void test_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    char text[4096];
    snprintf(text, sizeof text, "func.func @main(%s) {\n%sreturn\n}\n", texts[i].args, texts[i].body);
    mr_module *module = NULL;
    mr_status status = mr_read_text((mr_span){text, strlen(text)}, &module);
    if (!status) {
      status = mr_module_verify(module);
    }
    if (mr_status_code(status) != MR_INVALID_ARGUMENT || !strstr(mr_status_message(status), texts[i].message)) {
      fail_msg("\"%s\" for\n%s", status ? mr_status_message(status) : "OK", text);
    }
    mr_status_free(status);
    mr_module_release(module);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
