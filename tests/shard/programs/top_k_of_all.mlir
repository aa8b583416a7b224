// parameter [{"y"}]
// result [{"y"}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<6xf32> {
    %1:2 = "chlo.top_k"(%0) <{k = 6 : i64}> : (tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi32>)
    return %1#0 : tensor<6xf32>
  }
}
