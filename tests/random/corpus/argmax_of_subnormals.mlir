// seed 41401
// A selection of two numbers by their own comparison is a maximum, which counts a subnormal as zero.
module {
  func.func public @main(%0: tensor<5xf16>, %1: tensor<7xf16>, %2: tensor<0x6x2xf16>, %3: tensor<4x9x4xcomplex<f32>>, %4: tensor<0x2x1x5xf32>) -> (tensor<4x9xf32>) {
    %5 = "stablehlo.real"(%3) : (tensor<4x9x4xcomplex<f32>>) -> (tensor<4x9x4xf32>)
    %6 = "stablehlo.constant"() <{value = dense<-249554126> : tensor<4x9x4xi32>}> : () -> (tensor<4x9x4xi32>)
    %7 = "stablehlo.constant"() <{value = dense<-1.00000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %9, %10 = "stablehlo.reduce"(%5, %6, %7, %8) <{dimensions = array<i64: 2>}> ({
      ^bb0(%11: tensor<f32>, %12: tensor<i32>, %13: tensor<f32>, %14: tensor<i32>):
      %15 = "stablehlo.compare"(%11, %13) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      %16 = "stablehlo.select"(%15, %11, %13) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%16, %12) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x9x4xf32>, tensor<4x9x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x9xf32>, tensor<4x9xi32>)
    "func.return"(%9) : (tensor<4x9xf32>) -> ()
  }
}
