// seed 133796
// The size of 20 + 48i is within units in the last place of 52, as that of any other number is.
module {
  func.func public @main(%0: tensor<5xcomplex<f32>>) -> (tensor<5xf32>) {
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> (tensor<5xcomplex<f32>>)
    %2 = "stablehlo.abs"(%1) : (tensor<5xcomplex<f32>>) -> (tensor<5xf32>)
    "func.return"(%2) : (tensor<5xf32>) -> ()
  }
}
