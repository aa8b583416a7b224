module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<196xui32>, %arg1: tensor<196xui32>) -> (tensor<196xui32> {jax.result_info = "result[0]"}, tensor<196xui32> {jax.result_info = "result[1]"}, tensor<196xui32> {jax.result_info = "result[2]"}, tensor<196xui32> {jax.result_info = "result[3]"}, tensor<196xui32> {jax.result_info = "result[4]"}, tensor<196xui32> {jax.result_info = "result[5]"}, tensor<196xui32> {jax.result_info = "result[6]"}, tensor<196xui32> {jax.result_info = "result[7]"}, tensor<196xui32> {jax.result_info = "result[8]"}, tensor<196xui32> {jax.result_info = "result[9]"}, tensor<196xui32> {jax.result_info = "result[10]"}, tensor<196xui32> {jax.result_info = "result[11]"}, tensor<196xui32> {jax.result_info = "result[12]"}, tensor<196xui32> {jax.result_info = "result[13]"}, tensor<196xui32> {jax.result_info = "result[14]"}, tensor<196xui32> {jax.result_info = "result[15]"}, tensor<196xui32> {jax.result_info = "result[16]"}, tensor<196xui32> {jax.result_info = "result[17]"}) {
    %0 = mhlo.add %arg0, %arg1 : tensor<196xui32>
    %1 = mhlo.subtract %arg0, %arg1 : tensor<196xui32>
    %2 = mhlo.multiply %arg0, %arg1 : tensor<196xui32>
    %3 = mhlo.divide %arg0, %arg1 : tensor<196xui32>
    %4 = mhlo.remainder %arg0, %arg1 : tensor<196xui32>
    %5 = mhlo.and %arg0, %arg1 : tensor<196xui32>
    %6 = mhlo.or %arg0, %arg1 : tensor<196xui32>
    %7 = mhlo.xor %arg0, %arg1 : tensor<196xui32>
    %8 = mhlo.not %arg0 : tensor<196xui32>
    %9 = mhlo.shift_left %arg0, %arg1 : tensor<196xui32>
    %10 = mhlo.shift_right_arithmetic %arg0, %arg1 : tensor<196xui32>
    %11 = mhlo.shift_right_logical %arg0, %arg1 : tensor<196xui32>
    %12 = mhlo.maximum %arg0, %arg1 : tensor<196xui32>
    %13 = mhlo.minimum %arg0, %arg1 : tensor<196xui32>
    %14 = mhlo.popcnt %arg0 : tensor<196xui32>
    %15 = mhlo.count_leading_zeros %arg0 : tensor<196xui32>
    %16 = mhlo.constant dense<0> : tensor<ui32>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<196xui32>
    %18 = mhlo.compare EQ, %arg0, %17, UNSIGNED : (tensor<196xui32>, tensor<196xui32>) -> tensor<196xi1>
    %19 = mhlo.constant dense<0> : tensor<ui32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<196xui32>
    %21 = mhlo.constant dense<1> : tensor<ui32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<196xui32>
    %23 = mhlo.select %18, %20, %22 : tensor<196xi1>, tensor<196xui32>
    %24 = mhlo.negate %arg0 : tensor<196xui32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %23, %24 : tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>, tensor<196xui32>
  }
}
