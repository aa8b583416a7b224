// row one_op_reshape_12_3x4
// xla all-gather(f32[12])
// ours all_gather(tensor<12xf32>) => tensor<3x4xf32>
// parameter [{"x"}]
// result [{}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<12xf32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}
