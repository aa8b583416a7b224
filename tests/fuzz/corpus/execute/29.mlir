// seed 29
module {
  func.func private @first(%0: tensor<2xui8>) -> (tensor<2xui8>) {
    %1 = "stablehlo.subtract"(%0, %0) : (tensor<2xui8>, tensor<2xui8>) -> (tensor<2xui8>)
    "func.return"(%1) : (tensor<2xui8>) -> ()
  }
  func.func public @main(%0: tensor<4x6x2xf64>, %1: tensor<2xf64>, %2: tensor<7x7x0xf16> {jax.buffer_donor = true}, %3: tensor<3xi32>) -> (tensor<1x3x16xf64>, tensor<3xi32>) {
    %4 = "stablehlo.shift_right_arithmetic"(%3, %3) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>)
    %5 = "stablehlo.reshape"(%0) : (tensor<4x6x2xf64>) -> (tensor<1x3x16xf64>)
    "func.return"(%5, %4) : (tensor<1x3x16xf64>, tensor<3xi32>) -> ()
  }
}
