// row one_op_pad
// xla collective-permute(f32[2,1]) all-gather(f32[2,12])
// ours all_gather(tensor<2x8xf32>) => tensor<2x11xf32>
// parameter [{"x"}, {"y"}]
// result [{"x"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x11xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<8x8xf32>, tensor<i32>) -> tensor<8x11xf32>
    return %0 : tensor<8x11xf32>
  }
  func.func private @_pad(%arg0: tensor<8x8xf32>, %arg1: tensor<i32>) -> tensor<8x11xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, 2], interior = [0, 0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x11xf32>
    return %1 : tensor<8x11xf32>
  }
}
