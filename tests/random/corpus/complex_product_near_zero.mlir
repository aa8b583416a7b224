// seed 60050624
module {
  func.func public @main(%0: tensor<62xi32>, %1: tensor<62xcomplex<f64>>, %2: tensor<i32>, %3: tensor<i64>, %4: tensor<43xi32>, %5: tensor<ui8>, %6: tensor<i1>) -> (tensor<62xcomplex<f64>>) {
    %7 = "stablehlo.multiply"(%1, %1) : (tensor<62xcomplex<f64>>, tensor<62xcomplex<f64>>) -> (tensor<62xcomplex<f64>>)
    "func.return"(%7) : (tensor<62xcomplex<f64>>) -> ()
  }
}
