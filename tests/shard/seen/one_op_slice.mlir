// row one_op_slice
// xla all-gather(f32[8,4])
// ours all_gather(tensor<8x4xf32>) => tensor<6x4xf32>
// parameter [{"x"}, {"y"}]
// result [{}, {"y"}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<6x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:6, 0:8] : (tensor<8x8xf32>) -> tensor<6x8xf32>
    return %0 : tensor<6x8xf32>
  }
}
