// parameter [{}, {}]
// parameter [{}, {"y", "x"}]
// parameter [{}, {}, {}]
// result [{}, {}, {}]
// result [{}, {"y", "x"}]
// result [{}, {"y", "x"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg1: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x"}]>}, %arg2: tensor<4x16x32xf32>) -> (tensor<16x32x4xf32> {jax.result_info = "result[0][0]"}, tensor<32x32xf32> {jax.result_info = "result[0][1]"}, tensor<32x32xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reshape %arg1 : (tensor<32x32xf32>) -> tensor<1024xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %arg0, %cst, low = [0, 2], high = [0, 3], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x9xf32>
    %2 = stablehlo.maximum %arg1, %arg1 : tensor<32x32xf32>
    %3 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %4 = stablehlo.transpose %arg2, dims = [1, 2, 0] : (tensor<4x16x32xf32>) -> tensor<16x32x4xf32>
    %5 = stablehlo.dot_general %2, %2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<32x32xf32>
    return %4, %5, %7 : tensor<16x32x4xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  }
}
