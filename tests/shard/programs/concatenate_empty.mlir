// parameter [{}, {}]
// parameter [{"x"}, {"y"}]
// result [{"x"}, {"y"}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<0x8xf32>, %1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x8xf32> {
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<0x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
