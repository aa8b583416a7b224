module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xf8E4M3FN>, %arg1: tensor<256xf8E5M2>, %arg2: tensor<256xf8E4M3B11FNUZ>) -> (tensor<256xf32> {jax.result_info = "result[0]"}, tensor<256xf32> {jax.result_info = "result[1]"}, tensor<256xf8E4M3FN> {jax.result_info = "result[2]"}, tensor<256xf32> {jax.result_info = "result[3]"}, tensor<256xf8E4M3FN> {jax.result_info = "result[4]"}, tensor<256xi1> {jax.result_info = "result[5]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<256xf8E4M3FN>) -> tensor<256xf32>
    %1 = stablehlo.convert %arg1 : (tensor<256xf8E5M2>) -> tensor<256xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<256xf32>
    %4 = stablehlo.convert %3 : (tensor<256xf32>) -> tensor<256xf8E4M3FN>
    %5 = stablehlo.convert %arg2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf32>
    %6 = stablehlo.add %arg0, %arg0 : tensor<256xf8E4M3FN>
    %7 = stablehlo.reverse %arg0, dims = [0] : tensor<256xf8E4M3FN>
    %8 = stablehlo.compare LT, %arg0, %7, FLOAT : (tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>) -> tensor<256xi1>
    return %0, %1, %4, %5, %6, %8 : tensor<256xf32>, tensor<256xf32>, tensor<256xf8E4M3FN>, tensor<256xf32>, tensor<256xf8E4M3FN>, tensor<256xi1>
  }
}
