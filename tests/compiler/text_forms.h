// Ops as text in their pretty and their generic form, each in a function with these arguments.
#ifndef MR_TESTS_COMPILER_TEXT_FORMS_H
#define MR_TESTS_COMPILER_TEXT_FORMS_H

typedef struct two_forms {
  const char *args, *pretty, *generic;
} two_forms;

static const two_forms text_forms[] = {
    {"%a: tensor<2xf32>", "%0 = stablehlo.abs %a : tensor<2xf32>",
     "%0 = \"stablehlo.abs\"(%a) : (tensor<2xf32>) -> tensor<2xf32>"},
    {"%a: tensor<2xcomplex<f32>>", "%0 = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>",
     "%0 = \"stablehlo.abs\"(%a) : (tensor<2xcomplex<f32>>) -> (tensor<2xf32>)"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.add %a, %a {mhlo.sharding = \"x\"} : tensor<2xf32>",
     "%0 = \"stablehlo.add\"(%a, %a) {mhlo.sharding = \"x\"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.compare LT, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
     "%0 = \"stablehlo.compare\"(%a, %a) <{compare_type = #stablehlo<comparison_type NOTYPE>, comparison_direction = "
     "#stablehlo<comparison_direction LT>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"},
    {"%a: tensor<2xf32>",
     "%0 = stablehlo.compare GE, %a, %a, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
     "%0 = \"stablehlo.compare\"(%a, %a) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = "
     "#stablehlo<comparison_type TOTALORDER>} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>"},
    {"%p: tensor<i1>, %a: tensor<2xf32>", "%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<2xf32>",
     "%0 = \"stablehlo.select\"(%p, %a, %a) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<2xf32>",
     "%0 = \"stablehlo.reduce_precision\"(%a) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : "
     "(tensor<2xf32>) -> tensor<2xf32>"},
    {"%a: tensor<2x3xf32>", "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>",
     "%0 = \"stablehlo.transpose\"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (tensor<2x3xf32>) -> "
     "tensor<3x2xf32>"},
    {"%a: tensor<4x6xf32>", "%0 = stablehlo.slice %a [0:4, 1:5:2] : (tensor<4x6xf32>) -> tensor<4x2xf32>",
     "%0 = \"stablehlo.slice\"(%a) <{limit_indices = array<i64: 4, 5>, start_indices = array<i64: 0, 1>, strides = "
     "array<i64: 1, 2>}> : (tensor<4x6xf32>) -> tensor<4x2xf32>"},
    {"%a: tensor<f32>", "%0 = stablehlo.slice %a [] : (tensor<f32>) -> tensor<f32>",
     "%0 = \"stablehlo.slice\"(%a) <{limit_indices = array<i64>, start_indices = array<i64>, strides = array<i64>}> "
     ": (tensor<f32>) -> tensor<f32>"},
    {"%a: tensor<2xf32>, %v: tensor<f32>",
     "%0 = stablehlo.pad %a, %v, low = [-1], high = [2], interior = [1] : (tensor<2xf32>, tensor<f32>) -> "
     "tensor<4xf32>",
     "%0 = \"stablehlo.pad\"(%a, %v) <{edge_padding_low = array<i64: -1>, edge_padding_high = array<i64: 2>, "
     "interior_padding = array<i64: 1>}> : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>"},
    {"", "%0 = stablehlo.iota dim = 0 : tensor<4xi32>",
     "%0 = \"stablehlo.iota\"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>"},
    {"%a: tensor<4x8xf32>, %i: tensor<i32>",
     "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> "
     "tensor<1x4xf32>",
     "%0 = \"stablehlo.dynamic_slice\"(%a, %i, %i) <{slice_sizes = array<i64: 1, 4>}> : (tensor<4x8xf32>, "
     "tensor<i32>, tensor<i32>) -> tensor<1x4xf32>"},
    {"%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>",
     "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, "
     "DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>",
     "%0 = \"stablehlo.dot_general\"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], "
     "rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, "
     "precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4xf32>, "
     "tensor<2x4x5xf32>) -> tensor<2x3x5xf32>"},
    {"%a: tensor<3x4xf32>, %b: tensor<4x5xf32>",
     "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, "
     "rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
     "num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x5xf32>) -> "
     "tensor<3x5xf32>",
     "%0 = \"stablehlo.dot_general\"(%a, %b) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, "
     "rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, "
     "num_primitive_operations = 1, allow_imprecise_accumulation = false>, dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<3x4xf32>, "
     "tensor<4x5xf32>) -> tensor<3x5xf32>"},
    {"%x: tensor<1x5x6x3xf32>, %k: tensor<2x2x3x4xf32>",
     "%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = "
     "[2, 1], pad = [[1, 1], [0, 1]], reverse = [true, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : "
     "i64} : (tensor<1x5x6x3xf32>, tensor<2x2x3x4xf32>) -> tensor<1x3x6x4xf32>",
     "%0 = \"stablehlo.convolution\"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw "
     "input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], "
     "kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], "
     "output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, "
     "feature_group_count = 1 : i64, padding = dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>, window_strides = "
     "array<i64: 2, 1>, window_reversal = array<i1: true, false>}> : (tensor<1x5x6x3xf32>, tensor<2x2x3x4xf32>) -> "
     "tensor<1x3x6x4xf32>"},
    {"%a: tensor<8xcomplex<f32>>",
     "%0 = stablehlo.fft %a, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>",
     "%0 = \"stablehlo.fft\"(%a) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : "
     "(tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>"},
    {"%a: tensor<3x3xf32>", "%0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>",
     "%0 = \"stablehlo.cholesky\"(%a) <{lower = true}> : (tensor<3x3xf32>) -> tensor<3x3xf32>"},
    {"%s: tensor<2xui64>",
     "%0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, "
     "tensor<4xui32>)",
     "%0:2 = \"stablehlo.rng_bit_generator\"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : "
     "(tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)"},
    {"%a: tensor<2xf32>", "%0:2 = stablehlo.optimization_barrier {k = 1 : i32} %a, %a : tensor<2xf32>, tensor<2xf32>",
     "%0:2 = \"stablehlo.optimization_barrier\"(%a, %a) {k = 1 : i32} : (tensor<2xf32>, tensor<2xf32>) -> "
     "(tensor<2xf32>, tensor<2xf32>)"},
    {"%a: tensor<2xf32>",
     "%t = stablehlo.tuple %a, %a : tuple<tensor<2xf32>, tensor<2xf32>>\n%0 = stablehlo.get_tuple_element %t[1] : "
     "(tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>",
     "%t = \"stablehlo.tuple\"(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<2xf32>>\n%0 = "
     "\"stablehlo.get_tuple_element\"(%t) <{index = 1 : i32}> : (tuple<tensor<2xf32>, tensor<2xf32>>) -> "
     "tensor<2xf32>"},
    {"", "%t = stablehlo.create_token : !stablehlo.token\n%0 = stablehlo.after_all %t, %t : !stablehlo.token",
     "%t = \"stablehlo.create_token\"() : () -> !stablehlo.token\n%0 = \"stablehlo.after_all\"(%t, %t) : "
     "(!stablehlo.token, !stablehlo.token) -> !stablehlo.token"},
    {"%a: tensor<2xf32>", "%0 = stablehlo.custom_call @\"odd name\"(%a) : (tensor<2xf32>) -> tensor<2xf32>",
     "%0 = \"stablehlo.custom_call\"(%a) <{api_version = 1 : i32, backend_config = \"\", call_target_name = \"odd "
     "name\", called_computations = [], has_side_effect = false}> : (tensor<2xf32>) -> tensor<2xf32>"},
    {"%a: tensor<4x5xf32>, %i: tensor<f32>",
     "%0 = stablehlo.reduce(%a init: %i) applies stablehlo.add across dimensions = [0] : (tensor<4x5xf32>, "
     "tensor<f32>) -> tensor<5xf32>",
     "%0 = \"stablehlo.reduce\"(%a, %i) <{dimensions = array<i64: 0>}> ({\n^bb0(%b: tensor<f32>, %c: "
     "tensor<f32>):\n%d = stablehlo.add %b, %c : tensor<f32>\nstablehlo.return %d : tensor<f32>\n}) : "
     "(tensor<4x5xf32>, tensor<f32>) -> tensor<5xf32>"},
    {"%x: tensor<4xf32>, %y: tensor<4xi32>, %i: tensor<f32>, %j: tensor<i32>",
     "%0:2 = stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, "
     "tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\nreducer(%a: tensor<f32>, %c: tensor<f32>) (%b: "
     "tensor<i32>, %d: tensor<i32>) {\nstablehlo.return %c, %b : tensor<f32>, tensor<i32>\n}",
     "%0:2 = \"stablehlo.reduce\"(%x, %y, %i, %j) <{dimensions = array<i64: 0>}> ({\n^bb0(%a: tensor<f32>, %b: "
     "tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):\nstablehlo.return %c, %b : tensor<f32>, tensor<i32>\n}) : "
     "(tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)"},
    {"%a: tensor<i32>, %b: tensor<2xf32>, %p: tensor<i1>",
     "%r:2 = stablehlo.while(%i = %a, %j = %b) : tensor<i32>, tensor<2xf32>\ncond {\nstablehlo.return %p : "
     "tensor<i1>\n} do {\nstablehlo.return %i, %j : tensor<i32>, tensor<2xf32>\n}",
     "%r:2 = \"stablehlo.while\"(%a, %b) ({\n^bb0(%i: tensor<i32>, %j: tensor<2xf32>):\nstablehlo.return %p : "
     "tensor<i1>\n}, {\n^bb0(%i: tensor<i32>, %j: tensor<2xf32>):\n\"stablehlo.return\"(%i, %j) : (tensor<i32>, "
     "tensor<2xf32>) -> ()\n}) : (tensor<i32>, tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>)"},
    {"%a: tensor<8xf32>", "%0:2 = chlo.top_k(%a, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)",
     "%0:2 = \"chlo.top_k\"(%a) <{k = 3 : i64}> : (tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>)"},
    {"%a: tensor<2xf32>, %b: tensor<3x2xf32>",
     "%0 = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>",
     "%c = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xf32>) -> tensor<3x2xf32>\n%0 = stablehlo.add %c, %b "
     ": tensor<3x2xf32>"},
    {"%a: tensor<2xf32>", "%0 = \"chlo.constant_like\"(%a) <{value = 1.5 : f32}> : (tensor<2xf32>) -> tensor<2xf32>",
     "%0 = stablehlo.constant dense<1.5> : tensor<2xf32>"},
    {"%a: tensor<2xf32>",
     "%0 = builtin.unrealized_conversion_cast %a : tensor<2xf32> to tensor<2xf32>\n%1 = stablehlo.abs %0 : "
     "tensor<2xf32>",
     "%1 = stablehlo.abs %a : tensor<2xf32>"},
    {"%a: tensor<2xf32>", "%0 = sdy.sharding_constraint %a <@mesh, [{\"x\"}]> : tensor<2xf32>",
     "%0 = \"sdy.sharding_constraint\"(%a) <{sharding = #sdy.sharding<@mesh, [{\"x\"}]>}> : (tensor<2xf32>) -> "
     "tensor<2xf32>"},
    {"%a: tensor<2xf32>",
     "%0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{\"x\"}]>] out_shardings=[<@mesh, [{\"x\"}]>] "
     "manual_axes={\"x\"} (%b: tensor<1xf32>) {\nsdy.return %b : tensor<1xf32>\n} : (tensor<2xf32>) -> tensor<2xf32>",
     "%0 = \"sdy.manual_computation\"(%a) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>, "
     "manual_axes = #sdy<manual_axes{\"x\"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{\"x\"}]>]>}> "
     "({\n^bb0(%b: tensor<1xf32>):\n\"sdy.return\"(%b) : (tensor<1xf32>) -> ()\n}) : (tensor<2xf32>) -> "
     "tensor<2xf32>"},
    {"%a: tensor<2xf32>, %i: tensor<f32>",
     "%0:2 = chlo.scan(%a) inits(%i) dimension=0 attributes {is_reverse = true} {\n^bb0(%b: tensor<f32>, %c: "
     "tensor<f32>):\nstablehlo.return %b, %c : tensor<f32>, tensor<f32>\n} : (tensor<2xf32>, tensor<f32>) -> "
     "(tensor<2xf32>, tensor<f32>)",
     "%0:2 = \"chlo.scan\"(%a, %i) <{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i64: 1, 1>}> "
     "({\n^bb0(%b: tensor<f32>, %c: tensor<f32>):\nstablehlo.return %b, %c : tensor<f32>, tensor<f32>\n}) : "
     "(tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>)"},
    {"%a: tensor<2xf32>",
     "stablehlo.composite \"n.c\" %a {decomposition = @f, version = 1 : i32} : (tensor<2xf32>) -> ()\nreturn\n}\n"
     "func.func private @f(%b: tensor<2xf32>) {",
     "\"stablehlo.composite\"(%a) <{decomposition = @f, name = \"n.c\", version = 1 : i32}> : (tensor<2xf32>) -> ()\n"
     "return\n}\nfunc.func private @f(%b: tensor<2xf32>) {"},
    {"%a: tensor<2x2xf32>",
     "%0 = stablehlo.einsum %a, %a, config = \"ab,bc->ac\" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>",
     "%0 = \"stablehlo.einsum\"(%a, %a) <{einsum_config = \"ab,bc->ac\"}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> "
     "tensor<2x2xf32>"},
    {"%a: tensor<2xf32>, %i: tensor<f32>",
     "%0 = stablehlo.reduce(%a init: %i) across dimensions = [0] {k = 1 : i32} : (tensor<2xf32>, tensor<f32>) -> "
     "tensor<f32>\nreducer(%b: tensor<f32> loc(\"x\"), %c: tensor<f32>) {\nstablehlo.return %b : tensor<f32>\n}",
     "%0 = \"stablehlo.reduce\"(%a, %i) <{dimensions = array<i64: 0>}> ({\n^bb0(%b: tensor<f32>, %c: "
     "tensor<f32>):\nstablehlo.return %b : tensor<f32>\n}) {k = 1 : i32} : (tensor<2xf32>, tensor<f32>) -> "
     "tensor<f32>"},
    {"%a: tensor<i1>",
     "%r = stablehlo.while(%i = %a) : tensor<i1> attributes {k = 1 : i32} cond {\nstablehlo.return %i : tensor<i1>\n} "
     "do {\nstablehlo.return %i : tensor<i1>\n}",
     "%r = \"stablehlo.while\"(%a) ({\n^bb0(%i: tensor<i1>):\nstablehlo.return %i : tensor<i1>\n}, {\n^bb0(%i: "
     "tensor<i1>):\nstablehlo.return %i : tensor<i1>\n}) {k = 1 : i32} : (tensor<i1>) -> tensor<i1>"},
    {"%a: tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5:1, 0.25}>>",
     "%0 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5:1, 0.25}>>) -> "
     "tensor<2xf32>",
     "%0 = \"stablehlo.uniform_dequantize\"(%a) : (tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5:1, 0.25}>>) -> "
     "tensor<2xf32>"},
    {"%a: tensor<?xf32, #stablehlo.type_extensions<bounds = [3]>>",
     "%0 = stablehlo.abs %a : tensor<?xf32, #stablehlo.type_extensions<bounds = [3]>>",
     "%0 = \"stablehlo.abs\"(%a) : (tensor<?xf32, #stablehlo.bounds<3>>) -> tensor<?xf32, #stablehlo.bounds<3>>"},
    {"", "%0 = stablehlo.constant {k = 1 : i32} dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>",
     "%0 = \"stablehlo.constant\"() {k = 1 : i32, value = dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>} : "
     "() -> tensor<2xcomplex<f32>>"},
    {"", "%0 = stablehlo.constant dense<\"0x0100000002000000\"> : tensor<2xi32>",
     "%0 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi32>}> {} : () -> tensor<2xi32>"},
    {"%a: tensor<2xf32>",
     "%0 = \"stablehlo.abs\"(%a) {s = #sdy.sharding<@mesh, [{\"x\":(1)2}], replicated={\"y\"}>, t = \"a\\n\\41\", u = "
     "[1, 2.5 : f32, true, unit, @b::@c, tensor<2xf32>], v = {w = array<i8: 1, -2>, z = dense<true> : tensor<2xi1>}} : "
     "(tensor<2xf32>) -> tensor<2xf32>",
     "%0 = stablehlo.abs %a {s = #sdy.sharding<@mesh, [{\"x\":(1)2}], replicated={\"y\"}>, t = \"a\\nA\", u = [1, 2.5 "
     ": f32, true, unit, @b::@c, tensor<2xf32>], v = {w = array<i8: 1, -2>, z = dense<true> : tensor<2xi1>}} : "
     "tensor<2xf32>"},
};

#endif
