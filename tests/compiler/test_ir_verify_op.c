// What the verifier asks of single ops beyond their shapes. Each text is wrong in one thing, which the message names.
#include "tests/compiler/pass_text.h"

#define Q "!quant.uniform<i8:f32, 0.5:1>"
#define FOLD                                                                                                     \
  "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : " \
  "tensor<f32>\n})"
#define REDUCE(attrs) "%r = \"stablehlo.all_reduce\"(%x) " FOLD " {" attrs "} : (tensor<4xf32>) -> tensor<4xf32>\n"
#define PERMUTE(pairs) \
  "%r = \"stablehlo.collective_permute\"(%x) {source_target_pairs = " pairs "} : (tensor<4xf32>) -> tensor<4xf32>\n"

#define AXIS(axis, scales) "!quant.uniform<i8:f32:" #axis ", " scales ">"
#define DOT(precision, left, right, sums, a, b, products)                                                         \
  "%r = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [" precision ", " precision "], " \
  "algorithm = <lhs_precision_type = " left ", rhs_precision_type = " right ", accumulation_type = " sums         \
  ", lhs_component_count = " a ", rhs_component_count = " b ", num_primitive_operations = " products              \
  ", allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>\n"
#define CALL(attrs) \
  "%r = \"stablehlo.custom_call\"(%x) {call_target_name = \"f\", " attrs "} : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
#define CONSTANT(value, size) "%c = stablehlo.constant dense<" value "> : tensor<" size "xi32>\n"
#define BROADCAST(shape, attrs)                                                                        \
  CONSTANT(shape, "3")                                                                                 \
  "%r = \"stablehlo.dynamic_broadcast_in_dim\"(%x, %c) {broadcast_dimensions = array<i64: 1, 2>" attrs \
  "} : (tensor<1x3xi32>, tensor<3xi32>) -> tensor<?x?x?xi32>\n"
#define ASYNC(op, size, future)                                                                                      \
  "%r = \"stablehlo.async_start\"(%x) ({\n^bb0(%a: tensor<8xf32>):\n%s = " op "\nstablehlo.return %s : tensor<" size \
  "xf32>\n}) : (tensor<8xf32>) -> !stablehlo.future<" future ">\n"

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
    {"%x: tensor<1x2x3x" AXIS(0, "{0.5}") ">",
     "%r = stablehlo.reshape %x : (tensor<1x2x3x" AXIS(0, "{0.5}") ">) -> tensor<2x1x3x" AXIS(1, "{0.5}") ">\n",
     "another size or place"},
    {"%x: tensor<1x" AXIS(0, "{0.5}") ">", "%r = stablehlo.optimization_barrier %x : tensor<1x" AXIS(0, "{0.5}") ">\n",
     "takes one scale for a whole tensor only"},
    {"%x: tensor<4xf32>",
     "%r = \"stablehlo.tanh\"(%x) {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, ulps = 4, mode "
     "= "
     "#stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>\n",
     "wanted none unless its mode is TOLERANCE"},
    {"%x: tensor<2x2xf32>", DOT("HIGHEST", "tf32", "tf32", "f32", "1", "1", "1"), "wanted DEFAULT precision"},
    {"%x: tensor<2x2xf32>", DOT("DEFAULT", "tf32", "tf32", "f32", "0", "1", "1"), "wanted one of each at least"},
    {"%x: tensor<2x2xf32>", DOT("DEFAULT", "bf16", "bf16", "f32", "1", "1", "4"),
     "with 4 products, which no hardware has"},
    {"%x: tensor<2x2xf32>", DOT("DEFAULT", "f16", "bf16", "f32", "1", "1", "1"), "algorithm of f16 and bf16"},
    {"%x: tensor<2x2xf32>", CALL("operand_layouts = [dense<[0, 1]> : tensor<2xindex>]"), "wanted both or none"},
    {"%x: tensor<2x2xf32>",
     CALL("operand_layouts = [dense<[0, 0]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]"),
     "layout of operand 0 is no permutation"},
    {"%x: tensor<2x2xf32>",
     CALL("output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, "
          "operand_tuple_indices = []>]"),
     "an alias names operand 1 of 1"},
    {"%x: tensor<2x2xf32>",
     CALL("output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, "
          "operand_tuple_indices = []>]"),
     "a part of the results that is not there"},
    {"%x: tensor<2x2xf32>", CALL("api_version = 4 : i32, backend_config = \"text\""), "wanted a dictionary"},
    {"%x: tensor<2x2xf32>", CALL("api_version = 2 : i32, backend_config = {a = 1 : i32}"), "wanted a string"},
    {"%t: !stablehlo.token",
     "%r = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, is_host_transfer "
     "= "
     "true} : (!stablehlo.token) -> !stablehlo.token\n",
     "channel of type 1, wanted 3"},
    {"%t: !stablehlo.token",
     "%r = \"stablehlo.infeed\"(%t) {infeed_config = \"\"} : (!stablehlo.token) -> tensor<i32>\n",
     "wanted a token, which comes last"},
    {"%t: !stablehlo.token",
     "%r:2 = \"stablehlo.infeed\"(%t) {infeed_config = \"\", layout = [[0], [0]]} : (!stablehlo.token) -> "
     "(tensor<4xi32>, "
     "!stablehlo.token)\n",
     "layout has 2 entries"},
    {"%x: tensor<4x0xf32>",
     "%r = \"stablehlo.all_gather\"(%x) {all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = "
     "1, "
     "type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x0xf32>) -> tensor<4x8xf32>\n",
     "gathers dimension 1 of size 0"},
    {"%x: tensor<4xi32>",
     "%r = \"stablehlo.all_reduce\"(%x) ({\n^bb0(%a: tensor<i8>, %b: tensor<i8>):\n%s = stablehlo.add %a, %b : "
     "tensor<i8>\nstablehlo.return %s : tensor<i8>\n}) {replica_groups = dense<[[0]]> : tensor<1x1xi64>} : "
     "(tensor<4xi32>) -> tensor<4xi8>\n",
     "operand 0 is tensor<4xi32>, the region computes in tensor<i8>"},
    {"%x: tensor<1x3xi32>", BROADCAST("[2, 1, 1]", ""), "dimension 1 of size 3 does not fit"},
    {"%x: tensor<1x3xi32>", BROADCAST("[2, 1, 3]", ", known_expanding_dimensions = array<i64: 0, 0>"),
     "known_expanding_dimensions has 0"},
    {"%x: tensor<6xf32>, %s: tensor<?xi32>",
     "%r = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<?xi32>) -> tensor<?x?xf32>\n",
     "wanted a list of known length"},
    {"%x: tensor<6xf32>",
     CONSTANT("[2, 3]",
              "2") "%r = stablehlo.dynamic_reshape %x, %c : (tensor<6xf32>, tensor<2xi32>) -> tensor<3x2xf32>\n",
     "says 2 for dimension 0"},
    {"%x: tensor<4xf64>, %v: tensor<f64>",
     CONSTANT("-1", "1") "%r = stablehlo.dynamic_pad %x, %v, %c, %c, %c : (tensor<4xf64>, tensor<f64>, tensor<1xi32>, "
                         "tensor<1xi32>, "
                         "tensor<1xi32>) -> tensor<?xf64>\n",
     "interior padding -1"},
    {"%x: tensor<4xf64>, %v: tensor<f64>",
     CONSTANT("1", "1") "%r = stablehlo.dynamic_pad %x, %v, %c, %c, %c : (tensor<4xf64>, tensor<f64>, tensor<1xi32>, "
                        "tensor<1xi32>, "
                        "tensor<1xi32>) -> tensor<4xf64>\n",
     "becomes 9, the result has 4"},
    {"%x: tensor<?xf32, #stablehlo.bounds<4>>",
     "%r = \"stablehlo.add\"(%x, %x) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> "
     "tensor<5xf32>\n",
     "do not agree"},
    {"%x: tensor<3xf32, #stablehlo.bounds<3>>", "", "has a size and a bound"},
    {"%x: tensor<8xf32>", ASYNC("stablehlo.negate %a : tensor<8xf32>", "8", "tensor<8xf32>"),
     "wants one collective or slice"},
    {"%x: tensor<8xf32>", ASYNC("stablehlo.slice %a [0:4] : (tensor<8xf32>) -> tensor<4xf32>", "4", "tensor<8xf32>"),
     "do not agree"},
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
