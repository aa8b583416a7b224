// row one_op_reshape_64_2x32
// xla all-gather(f32[1,32]) all-gather(f32[2,32])
// ours all_gather(tensor<2x16xf32>) all_gather(tensor<2x32xf32>) => tensor<2x32xf32>
// parameter [{"x"}]
// result [{}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<2x32xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<64xf32>) -> tensor<2x32xf32>
    return %0 : tensor<2x32xf32>
  }
}
