// seed 5758
// The neighbour of zero may count as zero, and a remainder by it is NaN.
module {
  func.func public @main(%0: tensor<8x6xi1>, %1: tensor<8x6xf32>, %2: tensor<5x4x7xi4>, %3: tensor<2xi8>, %4: tensor<5x4xi4>, %5: tensor<i32>) -> (tensor<8x6xf32>) {
    %6 = "stablehlo.round_nearest_even"(%1) : (tensor<8x6xf32>) -> (tensor<8x6xf32>)
    %7 = "chlo.next_after"(%6, %1) : (tensor<8x6xf32>, tensor<8x6xf32>) -> (tensor<8x6xf32>)
    %8 = "stablehlo.remainder"(%6, %7) : (tensor<8x6xf32>, tensor<8x6xf32>) -> (tensor<8x6xf32>)
    "func.return"(%8) : (tensor<8x6xf32>) -> ()
  }
}
