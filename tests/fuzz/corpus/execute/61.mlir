// seed 61
module {
  func.func public @main(%0: tensor<18x7x1xi32> {tf.aliasing_output = 1 : i32}, %1: tensor<f32>, %2: tensor<5x1x3xi32>, %3: tensor<1xi32>) -> (tensor<5x3xi32>, tensor<18x7x1xi32>) {
    %4 = "stablehlo.shift_right_logical"(%0, %0) : (tensor<18x7x1xi32>, tensor<18x7x1xi32>) -> (tensor<18x7x1xi32>)
    %5 = "stablehlo.dot_general"(%2, %3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<5x1x3xi32>, tensor<1xi32>) -> (tensor<5x3xi32>)
    "func.return"(%5, %4) : (tensor<5x3xi32>, tensor<18x7x1xi32>) -> ()
  }
}
