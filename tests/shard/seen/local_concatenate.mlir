// row local_concatenate
// xla all-to-all(f32[128,1,64]) all-to-all(f32[128,1,64]) all-to-all(f32[1,256,64])
// ours all_to_all(tensor<512x64xf32>) all_to_all(tensor<512x64xf32>) all_to_all(tensor<256x256xf32>) => tensor<256x256xf32>
// parameter [{"x"}, {}]
// parameter [{"x"}, {}]
// result [{"x"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<1024x256xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<1024x256xf32>
    return %0 : tensor<1024x256xf32>
  }
}
