module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<35xf64>) -> (tensor<35xf64> {jax.result_info = "result[0]"}, tensor<35xf64> {jax.result_info = "result[1]"}, tensor<35xf64> {jax.result_info = "result[2]"}, tensor<35xf64> {jax.result_info = "result[3]"}, tensor<35xf64> {jax.result_info = "result[4]"}, tensor<35xf64> {jax.result_info = "result[5]"}, tensor<35xf64> {jax.result_info = "result[6]"}, tensor<35xf64> {jax.result_info = "result[7]"}, tensor<35xf64> {jax.result_info = "result[8]"}) {
    %0 = mhlo.exponential %arg0 : tensor<35xf64>
    %1 = mhlo.log %arg0 : tensor<35xf64>
    %2 = mhlo.sine %arg0 : tensor<35xf64>
    %3 = mhlo.cosine %arg0 : tensor<35xf64>
    %4 = mhlo.tanh %arg0 : tensor<35xf64>
    %5 = mhlo.sqrt %arg0 : tensor<35xf64>
    %6 = mhlo.exponential_minus_one %arg0 : tensor<35xf64>
    %7 = mhlo.log_plus_one %arg0 : tensor<35xf64>
    %8 = mhlo.cbrt %arg0 : tensor<35xf64>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8 : tensor<35xf64>, tensor<35xf64>, tensor<35xf64>, tensor<35xf64>, tensor<35xf64>, tensor<35xf64>, tensor<35xf64>, tensor<35xf64>, tensor<35xf64>
  }
}
