// parameter [{"x"}, {}]
// parameter [{"x"}]
// parameter [{}, {"y"}, {}]
// result [{"x", "y"}]
// result [{"x", "y"}]
// result [{"x", "y"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg2: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}) -> (tensor<8xf32> {jax.result_info = "result[0][0]"}, tensor<8xf32> {jax.result_info = "result[0][1]"}, tensor<8xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg2, %cst, low = [0, 2, 0], high = [0, 4, 0], interior = [0, 0, 0] : (tensor<8x4x4xf32>, tensor<f32>) -> tensor<8x10x4xf32>
    %1 = sdy.sharding_constraint %arg0 <@mesh, [{"x", "y"}, {?}]> : tensor<8x12xf32>
    %2 = stablehlo.slice %arg2 [0:8, 1:4, 0:4] : (tensor<8x4x4xf32>) -> tensor<8x3x4xf32>
    %3 = stablehlo.dot_general %arg1, %2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x3x4xf32>) -> tensor<3x4xf32>
    %4 = sdy.sharding_constraint %arg1 <@mesh, [{"x", "y"}]> : tensor<8xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}]> : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<8xf32>
    return %4, %5, %7 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
