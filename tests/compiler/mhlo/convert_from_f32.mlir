module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>) -> (tensor<32xi8> {jax.result_info = "result[0]"}, tensor<32xi16> {jax.result_info = "result[1]"}, tensor<32xi32> {jax.result_info = "result[2]"}, tensor<32xui8> {jax.result_info = "result[3]"}, tensor<32xui16> {jax.result_info = "result[4]"}, tensor<32xui32> {jax.result_info = "result[5]"}, tensor<32xf16> {jax.result_info = "result[6]"}, tensor<32xbf16> {jax.result_info = "result[7]"}, tensor<32xi1> {jax.result_info = "result[8]"}, tensor<32xf8E4M3FN> {jax.result_info = "result[9]"}, tensor<32xf8E5M2> {jax.result_info = "result[10]"}, tensor<32xcomplex<f32>> {jax.result_info = "result[11]"}) {
    %0 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xi8>
    %1 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xi16>
    %2 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xi32>
    %3 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xui8>
    %4 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xui16>
    %5 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xui32>
    %6 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xf16>
    %7 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xbf16>
    %8 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<32xf32>
    %10 = mhlo.compare NE, %arg0, %9, FLOAT : (tensor<32xf32>, tensor<32xf32>) -> tensor<32xi1>
    %11 = mhlo.convert %10 : tensor<32xi1>
    %12 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xf8E4M3FN>
    %13 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xf8E5M2>
    %14 = mhlo.convert %arg0 : (tensor<32xf32>) -> tensor<32xcomplex<f32>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %11, %12, %13, %14 : tensor<32xi8>, tensor<32xi16>, tensor<32xi32>, tensor<32xui8>, tensor<32xui16>, tensor<32xui32>, tensor<32xf16>, tensor<32xbf16>, tensor<32xi1>, tensor<32xf8E4M3FN>, tensor<32xf8E5M2>, tensor<32xcomplex<f32>>
  }
}
