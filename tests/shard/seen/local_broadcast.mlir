// row local_broadcast
// xla no collective
// ours => tensor<4x2x4xf32>
// parameter [{"x"}, {"y"}]
// result [{}, {"x"}, {"y"}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x8x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<1x8x8xf32>) -> tensor<4x8x8xf32>
    return %1 : tensor<4x8x8xf32>
  }
}
