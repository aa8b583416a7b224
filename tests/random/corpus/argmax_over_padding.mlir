// seed 24670
// An argmax whose region does not ask for NaN, over elements that have some: the order decides.
module {
  func.func public @main(%0: tensor<66x1xf32>, %1: tensor<i1>, %2: tensor<1x1x2x1xf32>, %3: tensor<2x2x1x4xf32>, %4: tensor<66x1xi16>, %5: tensor<133x1xi32>) -> (tensor<i32>) {
    %6 = "stablehlo.constant"() <{value = dense<0x7F800000> : tensor<f32>}> : () -> (tensor<f32>)
    %7 = "stablehlo.reduce_window"(%0, %6) <{base_dilations = array<i64: 2, 1>, padding = dense<[[0, 2], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 2, 1>, window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>}> ({
      ^bb0(%8: tensor<f32>, %9: tensor<f32>):
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<66x1xf32>, tensor<f32>) -> (tensor<133x1xf32>)
    %10 = "stablehlo.constant"() <{value = dense<-1.00000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %12, %13 = "stablehlo.reduce"(%7, %5, %10, %11) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%14: tensor<f32>, %15: tensor<i32>, %16: tensor<f32>, %17: tensor<i32>):
      %18 = "stablehlo.compare"(%14, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %19 = "stablehlo.compare"(%14, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %20 = "stablehlo.or"(%18, %19) : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      %21 = "stablehlo.select"(%20, %14, %16) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      %22 = "stablehlo.select"(%20, %15, %17) : (tensor<i1>, tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%21, %22) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<133x1xf32>, tensor<133x1xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
    "func.return"(%13) : (tensor<i32>) -> ()
  }
}
