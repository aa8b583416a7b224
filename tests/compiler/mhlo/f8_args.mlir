module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<256xf8E4M3FN>, %arg1: tensor<256xf8E5M2>, %arg2: tensor<256xf8E4M3B11FNUZ>) -> (tensor<256xf32> {jax.result_info = "result[0]"}, tensor<256xf32> {jax.result_info = "result[1]"}, tensor<256xf8E4M3FN> {jax.result_info = "result[2]"}, tensor<256xf32> {jax.result_info = "result[3]"}, tensor<256xf8E4M3FN> {jax.result_info = "result[4]"}, tensor<256xi1> {jax.result_info = "result[5]"}) {
    %0 = mhlo.convert %arg0 : (tensor<256xf8E4M3FN>) -> tensor<256xf32>
    %1 = mhlo.convert %arg1 : (tensor<256xf8E5M2>) -> tensor<256xf32>
    %2 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<256xf32>
    %4 = mhlo.multiply %0, %3 : tensor<256xf32>
    %5 = mhlo.convert %4 : (tensor<256xf32>) -> tensor<256xf8E4M3FN>
    %6 = mhlo.convert %arg2 : (tensor<256xf8E4M3B11FNUZ>) -> tensor<256xf32>
    %7 = mhlo.add %arg0, %arg0 : tensor<256xf8E4M3FN>
    %8 = "mhlo.reverse"(%arg0) <{dimensions = dense<0> : tensor<1xi64>}> : (tensor<256xf8E4M3FN>) -> tensor<256xf8E4M3FN>
    %9 = mhlo.compare LT, %arg0, %8, FLOAT : (tensor<256xf8E4M3FN>, tensor<256xf8E4M3FN>) -> tensor<256xi1>
    return %0, %1, %5, %6, %7, %9 : tensor<256xf32>, tensor<256xf32>, tensor<256xf8E4M3FN>, tensor<256xf32>, tensor<256xf8E4M3FN>, tensor<256xi1>
  }
}
