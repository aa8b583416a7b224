module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<33x70xf32>, %arg1: tensor<70x45xf32>, %arg2: tensor<5x12x19xf32>) -> (tensor<33x45xf32> {jax.result_info = "result[0]"}, tensor<70x70xf32> {jax.result_info = "result[1]"}, tensor<33x33xf32> {jax.result_info = "result[2]"}, tensor<45x33xf32> {jax.result_info = "result[3]"}, tensor<5x12x12xf32> {jax.result_info = "result[4]"}, tensor<19x19xf32> {jax.result_info = "result[5]"}, tensor<33xf32> {jax.result_info = "result[6]"}, tensor<45xf32> {jax.result_info = "result[7]"}, tensor<33xf32> {jax.result_info = "result[8]"}, tensor<33x45xi32> {jax.result_info = "result[9]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x70xf32>, tensor<70x45xf32>) -> tensor<33x45xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<33x70xf32>) -> tensor<70x33xf32>
    %2 = stablehlo.dot_general %1, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<70x33xf32>, tensor<33x70xf32>) -> tensor<70x70xf32>
    %3 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<33x70xf32>) -> tensor<70x33xf32>
    %4 = stablehlo.dot_general %arg0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x70xf32>, tensor<70x33xf32>) -> tensor<33x33xf32>
    %5 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<70x45xf32>) -> tensor<45x70xf32>
    %6 = stablehlo.dot_general %5, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<45x70xf32>, tensor<33x70xf32>) -> tensor<45x33xf32>
    %7 = stablehlo.transpose %arg2, dims = [0, 2, 1] : (tensor<5x12x19xf32>) -> tensor<5x19x12xf32>
    %8 = stablehlo.dot_general %arg2, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x12x19xf32>, tensor<5x19x12xf32>) -> tensor<5x12x12xf32>
    %9 = stablehlo.dot_general %arg2, %arg2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<5x12x19xf32>, tensor<5x12x19xf32>) -> tensor<19x19xf32>
    %10 = stablehlo.slice %arg1 [0:70, 0:1] : (tensor<70x45xf32>) -> tensor<70x1xf32>
    %11 = stablehlo.reshape %10 : (tensor<70x1xf32>) -> tensor<70xf32>
    %12 = stablehlo.dot_general %arg0, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x70xf32>, tensor<70xf32>) -> tensor<33xf32>
    %13 = stablehlo.slice %arg0 [0:1, 0:70] : (tensor<33x70xf32>) -> tensor<1x70xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x70xf32>) -> tensor<70xf32>
    %15 = stablehlo.dot_general %14, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<70xf32>, tensor<70x45xf32>) -> tensor<45xf32>
    %16 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<33x70xf32>, tensor<33x70xf32>) -> tensor<33xf32>
    %17 = stablehlo.convert %arg0 : (tensor<33x70xf32>) -> tensor<33x70xi32>
    %18 = stablehlo.convert %arg1 : (tensor<70x45xf32>) -> tensor<70x45xi32>
    %19 = stablehlo.dot_general %17, %18, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<33x70xi32>, tensor<70x45xi32>) -> tensor<33x45xi32>
    return %0, %2, %4, %6, %8, %9, %12, %15, %16, %19 : tensor<33x45xf32>, tensor<70x70xf32>, tensor<33x33xf32>, tensor<45x33xf32>, tensor<5x12x12xf32>, tensor<19x19xf32>, tensor<33xf32>, tensor<45xf32>, tensor<33xf32>, tensor<33x45xi32>
  }
}
