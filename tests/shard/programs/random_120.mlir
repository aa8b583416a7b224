// parameter [{}, {"x"}, {}]
// parameter [{}, {}]
// parameter [{}, {}, {"x"}]
// result [{}, {}]
// result [{}, {"x"}, {"y"}]
// result [{}, {"x"}, {"y"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<12x12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<12x16xf32>, %arg2: tensor<12x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) -> (tensor<24x24xf32> {jax.result_info = "result[0][0]"}, tensor<12x12x16xf32> {jax.result_info = "result[0][1]"}, tensor<12x12x16xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) {
    %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<12x16xf32>) -> tensor<16x12xf32>
    %1 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<12x16xf32>, tensor<12x16xf32>) -> tensor<24x16xf32>
    %2 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x12xf32>) -> tensor<12x16xf32>
    %3 = call @_flip(%2) : (tensor<12x16xf32>) -> tensor<12x16xf32>
    %4 = stablehlo.dot_general %1, %1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<24x16xf32>, tensor<24x16xf32>) -> tensor<24x24xf32>
    %5 = stablehlo.concatenate %arg0, %arg0, dim = 2 : (tensor<12x12x8xf32>, tensor<12x12x8xf32>) -> tensor<12x12x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x12x16xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<12x12x16xf32>
    return %4, %5, %7 : tensor<24x24xf32>, tensor<12x12x16xf32>, tensor<12x12x16xf32>
  }
  func.func private @_flip(%arg0: tensor<12x16xf32>) -> tensor<12x16xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<12x16xf32>
    return %0 : tensor<12x16xf32>
  }
}
