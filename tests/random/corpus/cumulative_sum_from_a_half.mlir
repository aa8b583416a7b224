// seed 8251
// result 0 (tensor<8xf32>), part 0: got 1.464752197265625, wanted 4.7180178165435791016 within 1.0252e-05, inputs of kind 0
module {
  func.func public @main(%0: tensor<2xf32>, %1: tensor<6xf32>, %2: tensor<8x5x1xf32>, %3: tensor<8x5x1xcomplex<f32>>, %4: tensor<8x5x1xf32>, %5: tensor<1xi32>) -> (tensor<8xf32>) {
    %6 = "stablehlo.constant"() <{value = dense<1.00000000e+00> : tensor<8xf32>}> : () -> (tensor<8xf32>)
    %7 = "stablehlo.constant"() <{value = dense<4.64752227e-01> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce_window"(%6, %7) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
      ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<8xf32>, tensor<f32>) -> (tensor<8xf32>)
    "func.return"(%8) : (tensor<8xf32>) -> ()
  }
}
