// seed 38397
// An argmax over NaN in lanes side by side: another order than one after the other.
module {
  func.func public @main(%0: tensor<69xf32>, %1: tensor<69xf32>, %2: tensor<i1>, %3: tensor<2xui64>, %4: tensor<i1>, %5: tensor<i32>, %6: tensor<1x4xf32>, %7: tensor<1x5xf32>, %8: tensor<5xf32>, %9: tensor<69xi32>, %10: tensor<2x3x4x3x3xf32>, %11: tensor<2x25xf32>) -> (tensor<f32>) {
    %12 = "stablehlo.constant"() <{value = dense<1.35631263e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %14, %15 = "stablehlo.reduce"(%1, %9, %12, %13) <{dimensions = array<i64: 0>}> ({
      ^bb0(%16: tensor<f32>, %17: tensor<i32>, %18: tensor<f32>, %19: tensor<i32>):
      %20 = "stablehlo.compare"(%16, %18) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %21 = "stablehlo.select"(%20, %16, %18) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%21, %17) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<69xf32>, tensor<69xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    "func.return"(%14) : (tensor<f32>) -> ()
  }
}
