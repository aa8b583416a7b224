// row one_op_reshape_8x4_2x16
// xla all-gather(f32[2,4]) all-gather(f32[1,16]) all-gather(f32[2,16])
// ours all_gather(tensor<2x4xf32>) all_gather(tensor<2x8xf32>) all_gather(tensor<2x16xf32>) => tensor<2x16xf32>
// parameter [{"x"}, {"y"}]
// result [{}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<2x16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<8x4xf32>) -> tensor<2x16xf32>
    return %0 : tensor<2x16xf32>
  }
}
