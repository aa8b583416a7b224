// row reshard_both_to_the_other_dim
// xla collective-permute(f32[512,64])
// ours all_to_all(tensor<128x256xf32>) all_to_all(tensor<512x64xf32>) => tensor<512x64xf32>
// parameter [{"x", "y"}, {}]
// result [{}, {"y", "x"}]
module @jit_copied attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<512x512xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<512x512xf32>
    return %1 : tensor<512x512xf32>
  }
}
