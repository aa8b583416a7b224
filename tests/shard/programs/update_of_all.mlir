// parameter [{"x"}]
// parameter [{"y"}]
// parameter []
// result [{}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %2: tensor<i32>) -> tensor<8xf32> {
    %3 = stablehlo.dynamic_update_slice %0, %1, %2 : (tensor<8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
