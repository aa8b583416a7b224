module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x7xbf16>, %arg1: tensor<6x7xf16>) -> (tensor<6x7xbf16> {jax.result_info = "result[0]"}, tensor<6x7xbf16> {jax.result_info = "result[1]"}, tensor<6x7xbf16> {jax.result_info = "result[2]"}, tensor<6x7xbf16> {jax.result_info = "result[3]"}, tensor<6x7xf16> {jax.result_info = "result[4]"}, tensor<6x7xf16> {jax.result_info = "result[5]"}, tensor<6x7xf16> {jax.result_info = "result[6]"}, tensor<6x7xf16> {jax.result_info = "result[7]"}) {
    %0 = mhlo.exponential %arg0 : tensor<6x7xbf16>
    %1 = mhlo.tanh %arg0 : tensor<6x7xbf16>
    %2 = mhlo.multiply %arg0, %arg0 : tensor<6x7xbf16>
    %3 = mhlo.add %2, %arg0 : tensor<6x7xbf16>
    %4 = mhlo.abs %arg0 : tensor<6x7xbf16>
    %5 = mhlo.sqrt %4 : tensor<6x7xbf16>
    %6 = mhlo.exponential %arg1 : tensor<6x7xf16>
    %7 = mhlo.sine %arg1 : tensor<6x7xf16>
    %8 = mhlo.constant dense<4.000000e+00> : tensor<f16>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f16>) -> tensor<6x7xf16>
    %10 = mhlo.add %arg1, %9 : tensor<6x7xf16>
    %11 = mhlo.divide %arg1, %10 : tensor<6x7xf16>
    %12 = mhlo.abs %arg1 : tensor<6x7xf16>
    %13 = mhlo.rsqrt %12 : tensor<6x7xf16>
    return %0, %1, %3, %5, %6, %7, %11, %13 : tensor<6x7xbf16>, tensor<6x7xbf16>, tensor<6x7xbf16>, tensor<6x7xbf16>, tensor<6x7xf16>, tensor<6x7xf16>, tensor<6x7xf16>, tensor<6x7xf16>
  }
}
