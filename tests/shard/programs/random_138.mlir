// parameter [{}, {}]
// parameter [{"x"}]
// parameter [{}, {}, {"y"}]
// result [{"x"}]
// result [{"x"}]
// result [{"x"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x12xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<8x12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}) -> (tensor<16xf32> {jax.result_info = "result[0][0]"}, tensor<8xf32> {jax.result_info = "result[0][1]"}, tensor<8xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<8x12xf32>) -> tensor<96xf32>
    %1 = stablehlo.slice %0 [0:1] : (tensor<96xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.compare GT, %2, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      stablehlo.return %arg2 : tensor<8x12x8xf32>
    }, {
      %10 = stablehlo.add %arg2, %arg2 : tensor<8x12x8xf32>
      stablehlo.return %10 : tensor<8x12x8xf32>
    }) : (tensor<i32>) -> tensor<8x12x8xf32>
    %6 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
    %7 = sdy.sharding_constraint %arg1 <@mesh, [{?}]> : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<8xf32>
    return %6, %7, %9 : tensor<16xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
