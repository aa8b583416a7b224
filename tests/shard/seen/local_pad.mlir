// row local_pad
// xla collective-permute(f32[1,256]) collective-permute(f32[3,256])
// ours collective_permute(tensor<3x256xf32>) collective_permute(tensor<5x256xf32>) => tensor<130x256xf32>
// parameter [{"x"}, {}]
// result [{"x"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<512x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<520x256xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<512x256xf32>, tensor<i32>) -> tensor<520x256xf32>
    return %0 : tensor<520x256xf32>
  }
  func.func private @_pad(%arg0: tensor<512x256xf32>, %arg1: tensor<i32>) -> tensor<520x256xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [3, 0], high = [5, 0], interior = [0, 0] : (tensor<512x256xf32>, tensor<f32>) -> tensor<520x256xf32>
    return %1 : tensor<520x256xf32>
  }
}
