// seed 13195
// A cumulative sum whose initial value is no identity folds it for each padded place.
module {
  func.func public @main(%0: tensor<8xi8>, %1: tensor<8xui64>, %2: tensor<7x5x2xi8>, %3: tensor<ui64>, %4: tensor<ui64>, %5: tensor<8xf32>, %6: tensor<5x1xi8>, %7: tensor<6xi8>, %8: tensor<5xi8>) -> (tensor<24xi8>) {
    %9 = "stablehlo.constant"() <{value = dense<2> : tensor<i8>}> : () -> (tensor<i8>)
    %10 = "stablehlo.reduce_window"(%0, %9) <{base_dilations = array<i64: 1>, padding = dense<[[7, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 8>, window_strides = array<i64: 1>}> ({
      ^bb0(%11: tensor<i8>, %12: tensor<i8>):
      %13 = "stablehlo.add"(%11, %12) : (tensor<i8>, tensor<i8>) -> (tensor<i8>)
      "stablehlo.return"(%13) : (tensor<i8>) -> ()
    }) : (tensor<8xi8>, tensor<i8>) -> (tensor<8xi8>)
    %14 = "stablehlo.constant"() <{value = dense<1> : tensor<8xi8>}> : () -> (tensor<8xi8>)
    %15 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %16, %17, %18, %19 = "stablehlo.while"(%15, %5, %10, %14) ({
      ^bb0(%20: tensor<i32>, %21: tensor<8xf32>, %22: tensor<8xi8>, %23: tensor<8xi8>):
      %28 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> (tensor<i32>)
      %29 = "stablehlo.compare"(%20, %28) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%29) : (tensor<i1>) -> ()
    }, {
      ^bb0(%24: tensor<i32>, %25: tensor<8xf32>, %26: tensor<8xi8>, %27: tensor<8xi8>):
      %30 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %31 = "stablehlo.add"(%24, %30) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      %32 = "stablehlo.constant"() <{value = dense<1.00000000e+00> : tensor<8xf32>}> : () -> (tensor<8xf32>)
      "stablehlo.return"(%31, %32, %26, %26) : (tensor<i32>, tensor<8xf32>, tensor<8xi8>, tensor<8xi8>) -> ()
    }) : (tensor<i32>, tensor<8xf32>, tensor<8xi8>, tensor<8xi8>) -> (tensor<i32>, tensor<8xf32>, tensor<8xi8>, tensor<8xi8>)
    %33 = "stablehlo.constant"() <{value = dense<1> : tensor<5xi8>}> : () -> (tensor<5xi8>)
    %34 = "stablehlo.concatenate"(%18, %7, %8, %33) <{dimension = 0 : i64}> : (tensor<8xi8>, tensor<6xi8>, tensor<5xi8>, tensor<5xi8>) -> (tensor<24xi8>)
    "func.return"(%34) : (tensor<24xi8>) -> ()
  }
}
