// row one_op_roll
// xla collective-permute(f32[1,4])
// ours collective_permute(tensor<1x4xf32>) => tensor<2x4xf32>
// parameter [{"x"}, {"y"}]
// result [{"x"}, {"y"}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {jax.result_info = "result"}) {
    %0 = call @_roll_static(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func private @_roll_static(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.slice %arg0 [7:8, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %1 = stablehlo.slice %arg0 [0:7, 0:8] : (tensor<8x8xf32>) -> tensor<7x8xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x8xf32>, tensor<7x8xf32>) -> tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
