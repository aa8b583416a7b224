// seed 97
module {
  func.func public @main(%0: tensor<6x5x4xf32>, %1: tensor<6x5x5xf32> {jax.buffer_donor = true}) -> (tensor<6x5x4xf32>, tensor<6x5x4xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.00000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{padding = dense<[[0, 2], [4, 0], [1, 0]]> : tensor<3x2xi64>, window_dimensions = array<i64: 3, 5, 1>, window_strides = array<i64: 1, 1, 1>}> ({
      ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %8 = "stablehlo.compare"(%4, %5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }, {
      ^bb0(%6: tensor<f32>, %7: tensor<f32>):
      %9 = "stablehlo.add"(%6, %7) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<6x5x4xf32>, tensor<6x5x5xf32>, tensor<f32>) -> (tensor<6x5x4xf32>)
    %10 = "stablehlo.log"(%3) : (tensor<6x5x4xf32>) -> (tensor<6x5x4xf32>)
    %11 = "stablehlo.maximum"(%10, %10) : (tensor<6x5x4xf32>, tensor<6x5x4xf32>) -> (tensor<6x5x4xf32>)
    "func.return"(%11, %10) : (tensor<6x5x4xf32>, tensor<6x5x4xf32>) -> ()
  }
}
