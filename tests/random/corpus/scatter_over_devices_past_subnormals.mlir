// seed 51019282
// An element without an update meets the neutral element of another device, which does not keep a subnormal number's bits.
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%0: tensor<2x1x3xf32>, %1: tensor<4x3xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %2: tensor<2x4x1x2xf32>) -> (tensor<2x1x3xf32>) {
    %3 = "stablehlo.scatter"(%0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 2, 3], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
      ^bb0(%4: tensor<f32>, %5: tensor<f32>):
      %6 = "stablehlo.multiply"(%4, %5) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%6) : (tensor<f32>) -> ()
    }) : (tensor<2x1x3xf32>, tensor<4x3xi64>, tensor<2x4x1x2xf32>) -> (tensor<2x1x3xf32>)
    "func.return"(%3) : (tensor<2x1x3xf32>) -> ()
  }
}
