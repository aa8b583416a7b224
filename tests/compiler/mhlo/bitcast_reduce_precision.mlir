module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<36xf32>, %arg1: tensor<12xui8>, %arg2: tensor<6xbf16>) -> (tensor<36xi32> {jax.result_info = "result[0]"}, tensor<36x4xui8> {jax.result_info = "result[1]"}, tensor<6xui16> {jax.result_info = "result[2]"}, tensor<3xf32> {jax.result_info = "result[3]"}, tensor<6xi16> {jax.result_info = "result[4]"}, tensor<36xf32> {jax.result_info = "result[5]"}, tensor<36xf32> {jax.result_info = "result[6]"}, tensor<36xf32> {jax.result_info = "result[7]"}, tensor<36xf32> {jax.result_info = "result[8]"}) {
    %0 = mhlo.bitcast_convert %arg0 : (tensor<36xf32>) -> tensor<36xi32>
    %1 = mhlo.bitcast_convert %arg0 : (tensor<36xf32>) -> tensor<36x4xui8>
    %2 = mhlo.reshape %arg1 : (tensor<12xui8>) -> tensor<6x2xui8>
    %3 = mhlo.bitcast_convert %2 : (tensor<6x2xui8>) -> tensor<6xui16>
    %4 = mhlo.reshape %arg1 : (tensor<12xui8>) -> tensor<3x4xui8>
    %5 = mhlo.bitcast_convert %4 : (tensor<3x4xui8>) -> tensor<3xf32>
    %6 = mhlo.bitcast_convert %arg2 : (tensor<6xbf16>) -> tensor<6xi16>
    %7 = mhlo.reduce_precision %arg0, format = e5m10 : tensor<36xf32>
    %8 = mhlo.reduce_precision %arg0, format = e8m7 : tensor<36xf32>
    %9 = mhlo.reduce_precision %arg0, format = e4m3 : tensor<36xf32>
    %10 = mhlo.reduce_precision %arg0, format = e2m0 : tensor<36xf32>
    return %0, %1, %3, %5, %6, %7, %8, %9, %10 : tensor<36xi32>, tensor<36x4xui8>, tensor<6xui16>, tensor<3xf32>, tensor<6xi16>, tensor<36xf32>, tensor<36xf32>, tensor<36xf32>, tensor<36xf32>
  }
}
