// seed 120432
// A selection by its own comparison of one element and the initial value.
module {
  func.func public @main(%0: tensor<15x4x1xf32>) -> (tensor<15x4x1xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<15x4x1xi32>}> : () -> (tensor<15x4x1xi32>)
    %2 = "stablehlo.constant"() <{value = dense<-7.50303173e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %4, %5 = "stablehlo.reduce"(%0, %1, %2, %3) <{dimensions = array<i64>}> ({
      ^bb0(%6: tensor<f32>, %7: tensor<i32>, %8: tensor<f32>, %9: tensor<i32>):
      %10 = "stablehlo.compare"(%6, %8) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %11 = "stablehlo.select"(%10, %6, %8) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11, %7) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<15x4x1xf32>, tensor<15x4x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<15x4x1xf32>, tensor<15x4x1xi32>)
    "func.return"(%4) : (tensor<15x4x1xf32>) -> ()
  }
}
