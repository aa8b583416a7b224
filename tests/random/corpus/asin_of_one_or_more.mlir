// seed 45311
// ceil of a subnormal is 0 or 1, so asin of its cosh is a number or NaN.
module {
  func.func public @main(%0: tensor<2x8x6xi32>, %1: tensor<2x8x6xi32>, %2: tensor<2x8x6xf32>, %3: tensor<2x8x6xcomplex<f32>>, %4: tensor<2x8x6xi1>, %5: tensor<2x8x6xi32>) -> (tensor<2x8x6xf32>) {
    %6 = "stablehlo.ceil"(%2) : (tensor<2x8x6xf32>) -> (tensor<2x8x6xf32>)
    %7 = "chlo.cosh"(%6) : (tensor<2x8x6xf32>) -> (tensor<2x8x6xf32>)
    %8 = "chlo.asin"(%7) : (tensor<2x8x6xf32>) -> (tensor<2x8x6xf32>)
    "func.return"(%8) : (tensor<2x8x6xf32>) -> ()
  }
}
