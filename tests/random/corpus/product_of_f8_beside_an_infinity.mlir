// seed 38706
// A product that is zero before it meets an infinity is NaN, in another order infinite.
module {
  func.func public @main(%0: tensor<8x8x3xi1>, %1: tensor<8x8x3xf8E4M3>, %2: tensor<4x7x3xf32>) -> (tensor<6x4x3xf8E4M3>) {
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<4x7x3xi32>}> : () -> (tensor<4x7x3xi32>)
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> (tensor<i64>)
    %5, %6, %7, %8 = "stablehlo.while"(%4, %1, %3, %3) ({
      ^bb0(%9: tensor<i64>, %10: tensor<8x8x3xf8E4M3>, %11: tensor<4x7x3xi32>, %12: tensor<4x7x3xi32>):
      %17 = "stablehlo.constant"() <{value = dense<5> : tensor<i64>}> : () -> (tensor<i64>)
      %18 = "stablehlo.compare"(%9, %17) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i64>, tensor<i64>) -> (tensor<i1>)
      "stablehlo.return"(%18) : (tensor<i1>) -> ()
    }, {
      ^bb0(%13: tensor<i64>, %14: tensor<8x8x3xf8E4M3>, %15: tensor<4x7x3xi32>, %16: tensor<4x7x3xi32>):
      %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i64>}> : () -> (tensor<i64>)
      %20 = "stablehlo.add"(%13, %19) : (tensor<i64>, tensor<i64>) -> (tensor<i64>)
      "stablehlo.return"(%20, %14, %16, %16) : (tensor<i64>, tensor<8x8x3xf8E4M3>, tensor<4x7x3xi32>, tensor<4x7x3xi32>) -> ()
    }) : (tensor<i64>, tensor<8x8x3xf8E4M3>, tensor<4x7x3xi32>, tensor<4x7x3xi32>) -> (tensor<i64>, tensor<8x8x3xf8E4M3>, tensor<4x7x3xi32>, tensor<4x7x3xi32>)
    %21 = "stablehlo.constant"() <{value = dense<1.00000000e+00> : tensor<f8E4M3>}> : () -> (tensor<f8E4M3>)
    %22 = "stablehlo.reduce_window"(%6, %21) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[1, 0], [0, 0], [1, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 4, 2, 2>, window_strides = array<i64: 1, 2, 1>}> ({
      ^bb0(%23: tensor<f8E4M3>, %24: tensor<f8E4M3>):
      %25 = "stablehlo.multiply"(%23, %24) : (tensor<f8E4M3>, tensor<f8E4M3>) -> (tensor<f8E4M3>)
      "stablehlo.return"(%25) : (tensor<f8E4M3>) -> ()
    }) : (tensor<8x8x3xf8E4M3>, tensor<f8E4M3>) -> (tensor<6x4x3xf8E4M3>)
    "func.return"(%22) : (tensor<6x4x3xf8E4M3>) -> ()
  }
}
