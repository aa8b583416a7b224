module @types {
func.func @main(%a: tensor<2xcomplex<f32>>, %t: !stablehlo.token, %d: tensor<?x3xf32, #stablehlo.bounds<4, ?>>, %p: tuple<tensor<2xf32>, tuple<tensor<i1>, !stablehlo.token>>) -> (tensor<2xf32>, tuple<tensor<2xf32>, tensor<i8>>) {
  %q = stablehlo.constant dense<3> : tensor<i8>
  %c = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi4>
  %0 = stablehlo.get_tuple_element %p[0] : (tuple<tensor<2xf32>, tuple<tensor<i1>, !stablehlo.token>>) -> tensor<2xf32>
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.000000e+00, ulps = 1, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  %r:2 = stablehlo.custom_call @f(%1, %q, %c) {api_version = 4 : i32, backend_config = {big = 123456789012345 : i64, dense = array<i8: 1, 2>, kind = "x", list = [1 : i32, 2.5 : f32, true, unit], type = f32, wide = array<f64: 1.5>}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2xf32>, tensor<i8>, tensor<3xi4>) -> (tensor<2xf32>, tensor<i8>)
  %3 = stablehlo.dot_general %1, %r#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %5 = stablehlo.tuple %4, %r#1 : tuple<tensor<2xf32>, tensor<i8>>
  return %4, %5 : tensor<2xf32>, tuple<tensor<2xf32>, tensor<i8>>
}
}
