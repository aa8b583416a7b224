// parameter [{"y"}]
// parameter [{"y"}]
// parameter [{"y"}, {}, {}]
// result [{"y"}, {}, {}]
// result [{}, {}]
// result [{}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %arg2: tensor<4x8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}) -> (tensor<4x8x12xf32> {jax.result_info = "result[0][0]"}, tensor<8x12xf32> {jax.result_info = "result[0][1]"}, tensor<8x12xf32> {jax.result_info = "result[1]"}) {
    %0 = call @_flip(%arg2) : (tensor<4x8x12xf32>) -> tensor<4x8x12xf32>
    %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x12xf32>, tensor<4xf32>) -> tensor<8x12xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<8x12xf32>
    return %0, %1, %3 : tensor<4x8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>
  }
  func.func private @_flip(%arg0: tensor<4x8x12xf32>) -> tensor<4x8x12xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<4x8x12xf32>
    return %0 : tensor<4x8x12xf32>
  }
}
