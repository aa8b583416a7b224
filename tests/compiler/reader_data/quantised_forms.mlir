func.func @main(%a: tensor<2x3x!quant.uniform<i8<-100:100>:f32, 0.5:2>>, %b: tensor<2x3x!quant.uniform<u8:f32:1, {0.5:2, 0.25, 2.0:3}>>) -> tensor<2x3xf32> {
  %0 = stablehlo.uniform_dequantize %a : (tensor<2x3x!quant.uniform<i8<-100:100>:f32, 0.5:2>>) -> tensor<2x3xf32>
  %1 = stablehlo.uniform_dequantize %b : (tensor<2x3x!quant.uniform<u8:f32:1, {0.5:2, 0.25, 2.0:3}>>) -> tensor<2x3xf32>
  %2 = stablehlo.add %0, %1 : tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
