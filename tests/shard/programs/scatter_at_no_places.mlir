// parameter [{}, {"y"}]
// parameter [{}, {}]
// parameter [{}, {}, {"y"}]
// result [{}, {"y"}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32>, %1: tensor<8x0xi32>, %2: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}) -> (tensor<8x8xf32>) {
    %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
      ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %20 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<8x8xf32>, tensor<8x0xi32>, tensor<8x8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%3) : (tensor<8x8xf32>) -> ()
  }
}
