module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf32>) -> (tensor<2x3x4x5xf32> {jax.result_info = "result[0]"}, tensor<6x5xf32> {jax.result_info = "result[1]"}, tensor<5x3xf32> {jax.result_info = "result[2]"}, tensor<5x3xf32> {jax.result_info = "result[3]"}, tensor<5x2x3xf32> {jax.result_info = "result[4]"}, tensor<2x2xf32> {jax.result_info = "result[5]"}, tensor<3x5xf32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<6x14xf32> {jax.result_info = "result[8]"}, tensor<6x5xf32> {jax.result_info = "result[9]"}, tensor<7x5xf32> {jax.result_info = "result[10]"}, tensor<3x10xf32> {jax.result_info = "result[11]"}, tensor<7xi32> {jax.result_info = "result[12]"}, tensor<3x4xf32> {jax.result_info = "result[13]"}, tensor<5xf32> {jax.result_info = "result[14]"}, tensor<6x10xf32> {jax.result_info = "result[15]"}, tensor<1x5xf32> {jax.result_info = "result[16]"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 3] : (tensor<3x5xf32>) -> tensor<2x3x4x5xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<6x5xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %4 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %5 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<3x5xf32>) -> tensor<2x3x5xf32>
    %6 = stablehlo.transpose %5, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
    %7 = stablehlo.slice %arg0 [0:3:2, 1:5:3] : (tensor<3x5xf32>) -> tensor<2x2xf32>
    %8 = stablehlo.reverse %arg0, dims = [0] : tensor<3x5xf32>
    %9 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<3x5xf32>
    %cst = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %10 = stablehlo.pad %arg0, %cst, low = [1, 0], high = [2, 1], interior = [0, 2] : (tensor<3x5xf32>, tensor<f32>) -> tensor<6x14xf32>
    %cst_0 = stablehlo.constant dense<-7.000000e+00> : tensor<f32>
    %11 = stablehlo.pad %arg0, %cst_0, low = [-1, 2], high = [2, -2], interior = [1, 0] : (tensor<3x5xf32>, tensor<f32>) -> tensor<6x5xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %13 = stablehlo.multiply %arg0, %12 : tensor<3x5xf32>
    %14 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %15 = stablehlo.concatenate %arg0, %13, %14, dim = 0 : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<1x5xf32>) -> tensor<7x5xf32>
    %16 = stablehlo.negate %arg0 : tensor<3x5xf32>
    %17 = stablehlo.concatenate %arg0, %16, dim = 1 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x10xf32>
    %18 = stablehlo.iota dim = 0 : tensor<7xi32>
    %19 = stablehlo.iota dim = 1 : tensor<3x4xf32>
    %20 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 2] : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x1x5xf32>) -> tensor<5xf32>
    %23 = stablehlo.reshape %arg0 : (tensor<3x5xf32>) -> tensor<1x3x1x5xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2, 3] : (tensor<1x3x1x5xf32>) -> tensor<2x3x2x5xf32>
    %25 = stablehlo.reshape %24 : (tensor<2x3x2x5xf32>) -> tensor<6x10xf32>
    %26 = stablehlo.slice %arg0 [0:2, 0:5] : (tensor<3x5xf32>) -> tensor<2x5xf32>
    %27 = stablehlo.slice %arg0 [2:3, 0:5] : (tensor<3x5xf32>) -> tensor<1x5xf32>
    return %0, %2, %3, %4, %6, %7, %8, %9, %10, %11, %15, %17, %18, %19, %22, %25, %27 : tensor<2x3x4x5xf32>, tensor<6x5xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x2x3xf32>, tensor<2x2xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<6x14xf32>, tensor<6x5xf32>, tensor<7x5xf32>, tensor<3x10xf32>, tensor<7xi32>, tensor<3x4xf32>, tensor<5xf32>, tensor<6x10xf32>, tensor<1x5xf32>
  }
}
