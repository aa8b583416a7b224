// seed 169845
// The product of two imaginary parts is subnormal, and counts as itself or as zero.
module {
  func.func public @main(%0: tensor<i8>, %1: tensor<56x5xf32>, %2: tensor<56x5xf32>, %3: tensor<56x5xcomplex<f32>>) -> (tensor<56x5xcomplex<f32>>) {
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<56x5xcomplex<f32>>, tensor<56x5xcomplex<f32>>) -> (tensor<56x5xcomplex<f32>>)
    "func.return"(%4) : (tensor<56x5xcomplex<f32>>) -> ()
  }
}
