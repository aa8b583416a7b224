// parameter [{}, {}, {"x"}]
// parameter [{}, {}, {}]
// result [{}, {}, {"x"}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %1: tensor<3x8x8xf32>) -> tensor<3x8x8xf32> {
    %2 = "stablehlo.triangular_solve"(%0, %1) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x8x8xf32>, tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
    return %2 : tensor<3x8x8xf32>
  }
}
