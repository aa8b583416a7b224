// seed 122025
// The same over a dimension of one element.
module {
  func.func public @main(%0: tensor<3x1x3x6xf32>, %1: tensor<70x1xf32>, %2: tensor<70x1xf16>) -> (tensor<70xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<1957320475> : tensor<70x1xi32>}> : () -> (tensor<70x1xi32>)
    %4 = "stablehlo.constant"() <{value = dense<-4.00000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %6, %7 = "stablehlo.reduce"(%1, %3, %4, %5) <{dimensions = array<i64: 1>}> ({
      ^bb0(%8: tensor<f32>, %9: tensor<i32>, %10: tensor<f32>, %11: tensor<i32>):
      %12 = "stablehlo.compare"(%8, %10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %13 = "stablehlo.select"(%12, %8, %10) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%13, %9) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<70x1xf32>, tensor<70x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<70xf32>, tensor<70xi32>)
    "func.return"(%6) : (tensor<70xf32>) -> ()
  }
}
