// parameter [{"x"}]
// parameter [{}, {}]
// parameter [{}]
// result [{"x"}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %1: tensor<0x1xi32>, %2: tensor<0xf32>) -> tensor<8xf32> {
    %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      stablehlo.return %5 : tensor<f32>
    }) : (tensor<8xf32>, tensor<0x1xi32>, tensor<0xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
