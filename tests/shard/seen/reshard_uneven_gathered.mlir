// row reshard_uneven_gathered
// xla all-gather(f32[512,512])
// ours all_gather(tensor<512x512xf32>) => tensor<510x512xf32>
// parameter [{"x"}, {}]
// result [{}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<510x512xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.slice %arg0 [0:510, 0:512] : (tensor<512x512xf32>) -> tensor<510x512xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<510x512xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<510x512xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}]> : tensor<510x512xf32>
    %cst_0 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<510x512xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<510x512xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{}, {}]> : tensor<510x512xf32>
    return %6 : tensor<510x512xf32>
  }
}
