// parameter [{"y"}, {"x"}]
// result [{}, {}, {"y"}]
// result [{}, {}, {"y"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<16x3x2xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}, tensor<16x3x2xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<12x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<12x8xf32>) -> tensor<12x2x4xf32>
    %3 = stablehlo.tanh %1 : tensor<1x8xf32>
    %4 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<12x8xf32>) -> tensor<8x12x8xf32>
    %5 = stablehlo.reshape %arg0 : (tensor<12x8xf32>) -> tensor<16x3x2xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x3x2xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<16x3x2xf32>
    return %5, %7 : tensor<16x3x2xf32>, tensor<16x3x2xf32>
  }
}
