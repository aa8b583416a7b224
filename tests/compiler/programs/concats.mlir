module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<13x29xf32>, %arg1: tensor<17x29xf32>) -> (tensor<30x29xf32> {jax.result_info = "result[0]"}, tensor<13x87xf32> {jax.result_info = "result[1]"}, tensor<22x29xf32> {jax.result_info = "result[2]"}, tensor<13x2x29xf32> {jax.result_info = "result[3]"}, tensor<13x29x3xf32> {jax.result_info = "result[4]"}, tensor<12x29xf32> {jax.result_info = "result[5]"}, tensor<61xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<13x29xf32>, tensor<17x29xf32>) -> tensor<30x29xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<13x29xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<13x29xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<13x29xf32>
    %4 = stablehlo.add %arg0, %3 : tensor<13x29xf32>
    %5 = stablehlo.concatenate %arg0, %2, %4, dim = 1 : (tensor<13x29xf32>, tensor<13x29xf32>, tensor<13x29xf32>) -> tensor<13x87xf32>
    %6 = stablehlo.slice %arg0 [0:5, 0:29] : (tensor<13x29xf32>) -> tensor<5x29xf32>
    %7 = stablehlo.concatenate %arg1, %6, dim = 0 : (tensor<17x29xf32>, tensor<5x29xf32>) -> tensor<22x29xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<22x29xf32>
    %9 = stablehlo.add %7, %8 : tensor<22x29xf32>
    %10 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<13x29xf32>) -> tensor<13x1x29xf32>
    %11 = stablehlo.slice %arg1 [0:13, 0:29] : (tensor<17x29xf32>) -> tensor<13x29xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 2] : (tensor<13x29xf32>) -> tensor<13x1x29xf32>
    %13 = stablehlo.concatenate %10, %12, dim = 1 : (tensor<13x1x29xf32>, tensor<13x1x29xf32>) -> tensor<13x2x29xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<13x29xf32>
    %15 = stablehlo.add %arg0, %14 : tensor<13x29xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<13x29xf32>
    %17 = stablehlo.multiply %arg0, %16 : tensor<13x29xf32>
    %18 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<13x29xf32>) -> tensor<13x29x1xf32>
    %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<13x29xf32>) -> tensor<13x29x1xf32>
    %20 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<13x29xf32>) -> tensor<13x29x1xf32>
    %21 = stablehlo.concatenate %18, %19, %20, dim = 2 : (tensor<13x29x1xf32>, tensor<13x29x1xf32>, tensor<13x29x1xf32>) -> tensor<13x29x3xf32>
    %22 = stablehlo.slice %arg0 [0:1, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %23 = stablehlo.slice %arg0 [1:2, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %24 = stablehlo.slice %arg0 [2:3, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %25 = stablehlo.slice %arg0 [3:4, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %26 = stablehlo.slice %arg0 [4:5, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %27 = stablehlo.slice %arg0 [5:6, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %28 = stablehlo.slice %arg0 [6:7, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %29 = stablehlo.slice %arg0 [7:8, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %30 = stablehlo.slice %arg0 [8:9, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %31 = stablehlo.slice %arg0 [9:10, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %32 = stablehlo.slice %arg0 [10:11, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %33 = stablehlo.slice %arg0 [11:12, 0:29] : (tensor<13x29xf32>) -> tensor<1x29xf32>
    %34 = stablehlo.concatenate %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, dim = 0 : (tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>, tensor<1x29xf32>) -> tensor<12x29xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<13x3xf32>
    %36 = stablehlo.concatenate %arg0, %35, %arg0, dim = 1 : (tensor<13x29xf32>, tensor<13x3xf32>, tensor<13x29xf32>) -> tensor<13x61xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<13x61xf32>, tensor<f32>) -> tensor<61xf32>
    return %0, %5, %9, %13, %21, %34, %37 : tensor<30x29xf32>, tensor<13x87xf32>, tensor<22x29xf32>, tensor<13x2x29xf32>, tensor<13x29x3xf32>, tensor<12x29xf32>, tensor<61xf32>
  }
}
