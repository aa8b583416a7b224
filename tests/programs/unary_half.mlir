module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x7xbf16>, %arg1: tensor<6x7xf16>) -> (tensor<6x7xbf16> {jax.result_info = "result[0]"}, tensor<6x7xbf16> {jax.result_info = "result[1]"}, tensor<6x7xbf16> {jax.result_info = "result[2]"}, tensor<6x7xbf16> {jax.result_info = "result[3]"}, tensor<6x7xf16> {jax.result_info = "result[4]"}, tensor<6x7xf16> {jax.result_info = "result[5]"}, tensor<6x7xf16> {jax.result_info = "result[6]"}, tensor<6x7xf16> {jax.result_info = "result[7]"}) {
    %0 = stablehlo.exponential %arg0 : tensor<6x7xbf16>
    %1 = stablehlo.tanh %arg0 : tensor<6x7xbf16>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<6x7xbf16>
    %3 = stablehlo.add %2, %arg0 : tensor<6x7xbf16>
    %4 = stablehlo.abs %arg0 : tensor<6x7xbf16>
    %5 = stablehlo.sqrt %4 : tensor<6x7xbf16>
    %6 = stablehlo.exponential %arg1 : tensor<6x7xf16>
    %7 = stablehlo.sine %arg1 : tensor<6x7xf16>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f16>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<6x7xf16>
    %9 = stablehlo.add %arg1, %8 : tensor<6x7xf16>
    %10 = stablehlo.divide %arg1, %9 : tensor<6x7xf16>
    %11 = stablehlo.abs %arg1 : tensor<6x7xf16>
    %12 = stablehlo.rsqrt %11 : tensor<6x7xf16>
    return %0, %1, %3, %5, %6, %7, %10, %12 : tensor<6x7xbf16>, tensor<6x7xbf16>, tensor<6x7xbf16>, tensor<6x7xbf16>, tensor<6x7xf16>, tensor<6x7xf16>, tensor<6x7xf16>, tensor<6x7xf16>
  }
}
