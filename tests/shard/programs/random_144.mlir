// parameter [{}, {"y"}, {"x"}]
// result [{"y"}, {"x"}, {}]
// result [{"y"}, {"x"}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>}) -> (tensor<4x8x8xf32> {jax.result_info = "result[0][0]"}, tensor<4x8x8xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x8xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<4x8x8xf32>
    return %0, %2 : tensor<4x8x8xf32>, tensor<4x8x8xf32>
  }
}
