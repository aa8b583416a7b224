// row local_top_k
// xla all-gather(f32[4096])
// ours all_gather(tensor<12xf32>) all_gather(tensor<12xi32>) => tensor<3xf32>
// parameter [{"x"}]
// result [{}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<3xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %values, %indices = chlo.top_k(%arg0, k = 3) : tensor<4096xf32> -> (tensor<3xf32>, tensor<3xi32>)
    return %values : tensor<3xf32>
  }
}
