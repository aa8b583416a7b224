// seed 113
module {
  func.func public @main(%0: tensor<4x2x1x1x1x7xf32>, %1: tensor<0x5x8xi1>, %2: tensor<0x5x8xf32>) -> (tensor<0x5x8xi1>) {
    %3 = "stablehlo.sort"(%1) <{dimension = 1 : i64, is_stable = true}> ({
      ^bb0(%4: tensor<i1>, %5: tensor<i1>):
      %6 = "stablehlo.compare"(%4, %5) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i1>, tensor<i1>) -> (tensor<i1>)
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }) : (tensor<0x5x8xi1>) -> (tensor<0x5x8xi1>)
    "func.return"(%3) : (tensor<0x5x8xi1>) -> ()
  }
}
