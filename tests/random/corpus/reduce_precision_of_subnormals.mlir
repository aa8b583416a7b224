// seed 3812
// reduce_precision to the own exponents of bf16 may leave a subnormal number or flush it.
module {
  func.func public @main(%0: tensor<7x6xi16>, %1: tensor<7x6xi16>, %2: tensor<7x6xi16>, %3: tensor<8x5xi16>, %4: tensor<7x6xf4E2M1FN>, %5: tensor<2xi32>, %6: tensor<7x6xi16>, %7: tensor<7x6xbf16>, %8: tensor<7x6xi1>, %9: tensor<7x6xi1>, %10: tensor<4x6x3xbf16>) -> (tensor<7x6xbf16>) {
    %11 = "stablehlo.reduce_precision"(%7) <{exponent_bits = 8 : i32, mantissa_bits = 18 : i32}> : (tensor<7x6xbf16>) -> (tensor<7x6xbf16>)
    "func.return"(%11) : (tensor<7x6xbf16>) -> ()
  }
}
