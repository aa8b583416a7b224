// row local_reverse
// xla collective-permute(f32[2,8])
// ours collective_permute(tensor<2x8xf32>) => tensor<2x8xf32>
// parameter [{"x"}, {}]
// result [{"x"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = call @_flip(%arg0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func private @_flip(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
