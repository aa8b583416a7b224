// parameter [{}, {}, {"y"}]
// parameter [{"y"}, {}]
// result [{"y"}, {}, {}]
// result [{}, {}, {}]
// result [{}, {}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}, %arg1: tensor<4x32xf32>) -> (tensor<4x8x4xf32> {jax.result_info = "result[0][0]"}, tensor<4x32x8xf32> {jax.result_info = "result[0][1]"}, tensor<4x32x8xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.maximum %arg0, %arg0 : tensor<4x8x4xf32>
    %1 = stablehlo.dot_general %arg1, %0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x8x4xf32>) -> tensor<32x4x8xf32>
    %2 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<4x8x4xf32>) -> tensor<4x8x4xf32>
    %3 = stablehlo.transpose %1, dims = [1, 0, 2] : (tensor<32x4x8xf32>) -> tensor<4x32x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x32x8xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<4x32x8xf32>
    return %2, %3, %5 : tensor<4x8x4xf32>, tensor<4x32x8xf32>, tensor<4x32x8xf32>
  }
}
