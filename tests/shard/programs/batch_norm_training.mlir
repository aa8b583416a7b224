// parameter [{"x"}, {"y"}]
// parameter [{"x"}]
// parameter [{}]
// result [{}, {}]
// result [{}]
// result [{}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %2: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %5, %6, %7 = "stablehlo.batch_norm_training"(%0, %1, %2) <{epsilon = 1.0e-03 : f32, feature_index = 0 : i64}> : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>)
    "func.return"(%5, %6, %7) : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
  }
}
