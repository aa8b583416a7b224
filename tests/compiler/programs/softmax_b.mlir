module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3x33x65xf32>, %arg1: tensor<4x1x33x65xi1>) -> (tensor<4x3x33x65xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3x33x65xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4x3x33x65xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+09> : tensor<f32>
    %2 = call @_where(%arg1, %1, %cst_0) : (tensor<4x1x33x65xi1>, tensor<4x3x33x65xf32>, tensor<f32>) -> tensor<4x3x33x65xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x3x33x65xf32>, tensor<f32>) -> tensor<4x3x33xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3x33xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<4x3x33xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<4x3x33xf32>) -> tensor<4x3x33x1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2, 3] : (tensor<4x3x33x1xf32>) -> tensor<4x3x33x65xf32>
    %8 = stablehlo.subtract %2, %7 : tensor<4x3x33x65xf32>
    %9 = stablehlo.exponential %8 : tensor<4x3x33x65xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x3x33x65xf32>, tensor<f32>) -> tensor<4x3x33xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x3x33xf32>) -> tensor<4x3x33x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<4x3x33x1xf32>) -> tensor<4x3x33x65xf32>
    %13 = stablehlo.divide %9, %12 : tensor<4x3x33x65xf32>
    return %13 : tensor<4x3x33x65xf32>
  }
  func.func private @_where(%arg0: tensor<4x1x33x65xi1>, %arg1: tensor<4x3x33x65xf32>, %arg2: tensor<f32>) -> tensor<4x3x33x65xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<4x1x33x65xi1>) -> tensor<4x3x33x65xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x3x33x65xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x3x33x65xi1>, tensor<4x3x33x65xf32>
    return %3 : tensor<4x3x33x65xf32>
  }
}
