// row local_slice_shifted
// xla collective-permute(f32[1,8]) all-gather(f32[8,8])
// ours collective_permute(tensor<1x8xf32>) all_gather(tensor<8x8xf32>) => tensor<6x8xf32>
// parameter [{"x"}, {}]
// result [{}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<6x8xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.slice %arg0 [1:7, 0:8] : (tensor<8x8xf32>) -> tensor<6x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<6x8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6x8xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<6x8xf32>
    return %3 : tensor<6x8xf32>
  }
}
