// seed 82
module {
  func.func public @main(%0: tensor<0xbf16> {tf.aliasing_output = 0 : i32}, %1: tensor<3x4x3xbf16>, %2: tensor<4x1x1xbf16>) -> (tensor<0xbf16>, tensor<0xi64>) {
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> (tensor<0xi64>)
    %4 = "stablehlo.ceil"(%0) : (tensor<0xbf16>) -> (tensor<0xbf16>)
    %5 = "stablehlo.constant"() <{value = dense<0.00000000e+00> : tensor<bf16>}> : () -> (tensor<bf16>)
    %6 = "stablehlo.reduce"(%4, %5) <{dimensions = array<i64>}> ({
      ^bb0(%7: tensor<bf16>, %8: tensor<bf16>):
      %9 = "stablehlo.add"(%7, %8) : (tensor<bf16>, tensor<bf16>) -> (tensor<bf16>)
      "stablehlo.return"(%9) : (tensor<bf16>) -> ()
    }) : (tensor<0xbf16>, tensor<bf16>) -> (tensor<0xbf16>)
    "func.return"(%6, %3) : (tensor<0xbf16>, tensor<0xi64>) -> ()
  }
}
