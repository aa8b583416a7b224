// Forms of text that no other program has.

func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = chlo.constant_like %a {value = 2.0 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<?x3xf32, #stablehlo.bounds<4, ?>> {
  return %a : tensor<?x3xf32, #stablehlo.bounds<4, ?>>
}

// -----

// What waits for something that it does not use.
func.func @main(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  %1 = stablehlo.multiply %a, %a : tensor<4xf32>
  stablehlo.custom_call @control_dep(%1, %0) {has_side_effect = true} : (tensor<4xf32>, tensor<4xf32>) -> ()
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Attributes that nobody knows.
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a {one = 1 : i64, two = "two", part = #stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>} : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Anything will do.
func.func @main(%low: tensor<f32>, %high: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %shape = stablehlo.constant dense<3> : tensor<1xi64>
  %0 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  %1 = stablehlo.rng %low, %high, %shape, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
