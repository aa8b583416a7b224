module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> (tensor<324xi32> {jax.result_info = "result[0]"}, tensor<324xi32> {jax.result_info = "result[1]"}, tensor<324xi32> {jax.result_info = "result[2]"}, tensor<324xi32> {jax.result_info = "result[3]"}, tensor<324xi32> {jax.result_info = "result[4]"}, tensor<324xi32> {jax.result_info = "result[5]"}, tensor<324xi32> {jax.result_info = "result[6]"}, tensor<324xi32> {jax.result_info = "result[7]"}, tensor<324xi32> {jax.result_info = "result[8]"}, tensor<324xi32> {jax.result_info = "result[9]"}, tensor<324xi32> {jax.result_info = "result[10]"}, tensor<324xi32> {jax.result_info = "result[11]"}, tensor<324xi32> {jax.result_info = "result[12]"}, tensor<324xi32> {jax.result_info = "result[13]"}, tensor<324xi32> {jax.result_info = "result[14]"}, tensor<324xi32> {jax.result_info = "result[15]"}, tensor<324xi32> {jax.result_info = "result[16]"}, tensor<324xi32> {jax.result_info = "result[17]"}) {
    %0 = mhlo.add %arg0, %arg1 : tensor<324xi32>
    %1 = mhlo.subtract %arg0, %arg1 : tensor<324xi32>
    %2 = mhlo.multiply %arg0, %arg1 : tensor<324xi32>
    %3 = mhlo.divide %arg0, %arg1 : tensor<324xi32>
    %4 = mhlo.remainder %arg0, %arg1 : tensor<324xi32>
    %5 = mhlo.and %arg0, %arg1 : tensor<324xi32>
    %6 = mhlo.or %arg0, %arg1 : tensor<324xi32>
    %7 = mhlo.xor %arg0, %arg1 : tensor<324xi32>
    %8 = mhlo.not %arg0 : tensor<324xi32>
    %9 = mhlo.shift_left %arg0, %arg1 : tensor<324xi32>
    %10 = mhlo.shift_right_arithmetic %arg0, %arg1 : tensor<324xi32>
    %11 = mhlo.shift_right_logical %arg0, %arg1 : tensor<324xi32>
    %12 = mhlo.maximum %arg0, %arg1 : tensor<324xi32>
    %13 = mhlo.minimum %arg0, %arg1 : tensor<324xi32>
    %14 = mhlo.popcnt %arg0 : tensor<324xi32>
    %15 = mhlo.count_leading_zeros %arg0 : tensor<324xi32>
    %16 = mhlo.sign %arg0 : tensor<324xi32>
    %17 = mhlo.negate %arg0 : tensor<324xi32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17 : tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>, tensor<324xi32>
  }
}
