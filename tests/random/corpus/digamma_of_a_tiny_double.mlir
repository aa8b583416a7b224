// seed 66255
// digamma of a tiny double is a large one, which rounds to either side.
module {
  func.func public @main(%0: tensor<9x5x4xui16>, %1: tensor<8x7xui64>, %2: tensor<8x7xui64>, %3: tensor<5xui64>, %4: tensor<1x4x5xui64>, %5: tensor<4x2x1xui64>, %6: tensor<i32>, %7: tensor<1x8x3x7xui64>) -> (tensor<8x7xf64>) {
    %8 = "stablehlo.bitcast_convert"(%2) : (tensor<8x7xui64>) -> (tensor<8x7xf64>)
    %9 = "chlo.digamma"(%8) : (tensor<8x7xf64>) -> (tensor<8x7xf64>)
    "func.return"(%9) : (tensor<8x7xf64>) -> ()
  }
}
