// parameter [{"x"}, {"y"}]
// parameter [{"y"}]
// parameter [{}, {}, {}]
// result [{}, {}, {}]
// result [{}, {}]
// result [{}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %arg2: tensor<12x8x4xf32>) -> (tensor<12x8x4xf32> {jax.result_info = "result[0][0]"}, tensor<12x8xf32> {jax.result_info = "result[0][1]"}, tensor<12x8xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.slice %arg1 [1:8] : (tensor<8xf32>) -> tensor<7xf32>
    %1 = call @_flip(%arg2) : (tensor<12x8x4xf32>) -> tensor<12x8x4xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<12x8x4xf32>, tensor<f32>) -> tensor<12x8xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<12x8xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<12x8xf32>) -> tensor<12x8x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<12x8x1xf32>) -> tensor<12x8x4xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<12x8x4xf32>
    %8 = stablehlo.exponential %7 : tensor<12x8x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<12x8x4xf32>, tensor<f32>) -> tensor<12x8xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<12x8xf32>) -> tensor<12x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<12x8x1xf32>) -> tensor<12x8x4xf32>
    %12 = stablehlo.divide %8, %11 : tensor<12x8x4xf32>
    %13 = stablehlo.maximum %arg2, %arg2 : tensor<12x8x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%1 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<12x8x4xf32>, tensor<f32>) -> tensor<12x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12x8xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<12x8xf32>
    return %13, %14, %16 : tensor<12x8x4xf32>, tensor<12x8xf32>, tensor<12x8xf32>
  }
  func.func private @_flip(%arg0: tensor<12x8x4xf32>) -> tensor<12x8x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<12x8x4xf32>
    return %0 : tensor<12x8x4xf32>
  }
}
