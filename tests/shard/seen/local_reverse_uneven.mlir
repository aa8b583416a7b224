// row local_reverse_uneven
// xla collective-permute(f32[128,256]) collective-permute(f32[2,256]) all-gather(f32[512,256])
// ours all_to_all(tensor<512x64xf32>) all_to_all(tensor<128x256xf32>) all_gather(tensor<512x256xf32>) => tensor<510x256xf32>
// parameter [{"x"}, {}]
// result [{}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<510x256xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.slice %arg0 [0:510, 0:256] : (tensor<512x256xf32>) -> tensor<510x256xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<510x256xf32>
    %2 = call @_flip(%1) : (tensor<510x256xf32>) -> tensor<510x256xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<510x256xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<510x256xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<510x256xf32>
    return %5 : tensor<510x256xf32>
  }
  func.func private @_flip(%arg0: tensor<510x256xf32>) -> tensor<510x256xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<510x256xf32>
    return %0 : tensor<510x256xf32>
  }
}
