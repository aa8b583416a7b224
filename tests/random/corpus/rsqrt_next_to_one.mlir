// seed 6511
// rsqrt of a double next to 1 rounds to either side.
module {
  func.func public @main(%0: tensor<40x6xf32>, %1: tensor<48x22xf64>, %2: tensor<6xi64>) -> (tensor<48x22xf64>) {
    %3 = "stablehlo.rsqrt"(%1) : (tensor<48x22xf64>) -> (tensor<48x22xf64>)
    "func.return"(%3) : (tensor<48x22xf64>) -> ()
  }
}
