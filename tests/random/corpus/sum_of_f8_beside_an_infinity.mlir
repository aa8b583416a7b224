// seed 22653
// Finite terms that overflow to the other infinity make NaN in one order and not in another.
module {
  func.func public @main(%0: tensor<7x4x3xf8E4M3>, %1: tensor<7x6x3x2x1xf8E4M3>, %2: tensor<3x3x7x0xf8E4M3>, %3: tensor<28xf32>, %4: tensor<i32>) -> (tensor<4x3xf8E4M3>) {
    %5 = "stablehlo.constant"() <{value = dense<0.00000000e+00> : tensor<f8E4M3>}> : () -> (tensor<f8E4M3>)
    %6 = "stablehlo.reduce"(%0, %5) <{dimensions = array<i64: 0>}> ({
      ^bb0(%7: tensor<f8E4M3>, %8: tensor<f8E4M3>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<f8E4M3>, tensor<f8E4M3>) -> (tensor<f8E4M3>)
      "stablehlo.return"(%9) : (tensor<f8E4M3>) -> ()
    }) : (tensor<7x4x3xf8E4M3>, tensor<f8E4M3>) -> (tensor<4x3xf8E4M3>)
    "func.return"(%6) : (tensor<4x3xf8E4M3>) -> ()
  }
}
