// parameter [{}, {"x"}]
// parameter [{"x"}]
// parameter [{}, {}]
// result [{}, {}]
// result [{}, {}, {}]
// result [{}, {}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]"}, tensor<2x4x2xf32> {jax.result_info = "result[0][1]"}, tensor<2x4x2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %3 = stablehlo.add %1, %2 : tensor<16xf32>
    %4 = stablehlo.multiply %arg0, %arg2 : tensor<16x32xf32>
    %5 = stablehlo.multiply %arg2, %arg2 : tensor<16x32xf32>
    %6 = stablehlo.reshape %arg1 : (tensor<16xf32>) -> tensor<2x4x2xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4x2xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<2x4x2xf32>
    return %5, %6, %8 : tensor<16x32xf32>, tensor<2x4x2xf32>, tensor<2x4x2xf32>
  }
}
