module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<196xui8>, %arg1: tensor<196xui8>) -> (tensor<196xui8> {jax.result_info = "result[0]"}, tensor<196xui8> {jax.result_info = "result[1]"}, tensor<196xui8> {jax.result_info = "result[2]"}, tensor<196xui8> {jax.result_info = "result[3]"}, tensor<196xui8> {jax.result_info = "result[4]"}, tensor<196xui8> {jax.result_info = "result[5]"}, tensor<196xui8> {jax.result_info = "result[6]"}, tensor<196xui8> {jax.result_info = "result[7]"}, tensor<196xui8> {jax.result_info = "result[8]"}, tensor<196xui8> {jax.result_info = "result[9]"}, tensor<196xui8> {jax.result_info = "result[10]"}, tensor<196xui8> {jax.result_info = "result[11]"}, tensor<196xui8> {jax.result_info = "result[12]"}, tensor<196xui8> {jax.result_info = "result[13]"}, tensor<196xui8> {jax.result_info = "result[14]"}, tensor<196xui8> {jax.result_info = "result[15]"}, tensor<196xui8> {jax.result_info = "result[16]"}, tensor<196xui8> {jax.result_info = "result[17]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<196xui8>
    %1 = stablehlo.subtract %arg0, %arg1 : tensor<196xui8>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<196xui8>
    %3 = stablehlo.divide %arg0, %arg1 : tensor<196xui8>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<196xui8>
    %5 = stablehlo.and %arg0, %arg1 : tensor<196xui8>
    %6 = stablehlo.or %arg0, %arg1 : tensor<196xui8>
    %7 = stablehlo.xor %arg0, %arg1 : tensor<196xui8>
    %8 = stablehlo.not %arg0 : tensor<196xui8>
    %9 = stablehlo.shift_left %arg0, %arg1 : tensor<196xui8>
    %10 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<196xui8>
    %11 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<196xui8>
    %12 = stablehlo.maximum %arg0, %arg1 : tensor<196xui8>
    %13 = stablehlo.minimum %arg0, %arg1 : tensor<196xui8>
    %14 = stablehlo.popcnt %arg0 : tensor<196xui8>
    %15 = stablehlo.count_leading_zeros %arg0 : tensor<196xui8>
    %c = stablehlo.constant dense<0> : tensor<ui8>
    %16 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui8>) -> tensor<196xui8>
    %17 = stablehlo.compare EQ, %arg0, %16, UNSIGNED : (tensor<196xui8>, tensor<196xui8>) -> tensor<196xi1>
    %c_0 = stablehlo.constant dense<0> : tensor<ui8>
    %18 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui8>) -> tensor<196xui8>
    %c_1 = stablehlo.constant dense<1> : tensor<ui8>
    %19 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui8>) -> tensor<196xui8>
    %20 = stablehlo.select %17, %18, %19 : tensor<196xi1>, tensor<196xui8>
    %21 = stablehlo.negate %arg0 : tensor<196xui8>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %20, %21 : tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>, tensor<196xui8>
  }
}
