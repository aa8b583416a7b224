module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<62xf32>) -> (tensor<62xf32> {jax.result_info = "result[0]"}, tensor<62xf32> {jax.result_info = "result[1]"}, tensor<62xf32> {jax.result_info = "result[2]"}, tensor<62xf32> {jax.result_info = "result[3]"}, tensor<62xf32> {jax.result_info = "result[4]"}, tensor<62xf32> {jax.result_info = "result[5]"}, tensor<62xf32> {jax.result_info = "result[6]"}, tensor<62xf32> {jax.result_info = "result[7]"}, tensor<62xf32> {jax.result_info = "result[8]"}, tensor<62xf32> {jax.result_info = "result[9]"}, tensor<62xf32> {jax.result_info = "result[10]"}, tensor<62xf32> {jax.result_info = "result[11]"}, tensor<62xf32> {jax.result_info = "result[12]"}, tensor<62xf32> {jax.result_info = "result[13]"}, tensor<62xf32> {jax.result_info = "result[14]"}, tensor<62xf32> {jax.result_info = "result[15]"}, tensor<62xf32> {jax.result_info = "result[16]"}, tensor<62xi1> {jax.result_info = "result[17]"}, tensor<62xf32> {jax.result_info = "result[18]"}, tensor<62xf32> {jax.result_info = "result[19]"}) {
    %0 = stablehlo.abs %arg0 : tensor<62xf32>
    %1 = stablehlo.cbrt %arg0 : tensor<62xf32>
    %2 = stablehlo.ceil %arg0 : tensor<62xf32>
    %3 = stablehlo.floor %arg0 : tensor<62xf32>
    %4 = stablehlo.exponential %arg0 : tensor<62xf32>
    %5 = stablehlo.exponential_minus_one %arg0 : tensor<62xf32>
    %6 = stablehlo.log %arg0 : tensor<62xf32>
    %7 = stablehlo.log_plus_one %arg0 : tensor<62xf32>
    %8 = stablehlo.sine %arg0 : tensor<62xf32>
    %9 = stablehlo.cosine %arg0 : tensor<62xf32>
    %10 = stablehlo.tan %arg0 : tensor<62xf32>
    %11 = stablehlo.tanh %arg0 : tensor<62xf32>
    %12 = stablehlo.sqrt %arg0 : tensor<62xf32>
    %13 = stablehlo.rsqrt %arg0 : tensor<62xf32>
    %14 = stablehlo.negate %arg0 : tensor<62xf32>
    %15 = stablehlo.exponential %14 : tensor<62xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<62xf32>
    %17 = stablehlo.add %16, %15 : tensor<62xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<62xf32>
    %19 = stablehlo.divide %18, %17 : tensor<62xf32>
    %20 = stablehlo.negate %arg0 : tensor<62xf32>
    %21 = stablehlo.sign %arg0 : tensor<62xf32>
    %22 = stablehlo.is_finite %arg0 : (tensor<62xf32>) -> tensor<62xi1>
    %23 = stablehlo.round_nearest_afz %arg0 : tensor<62xf32>
    %24 = stablehlo.round_nearest_even %arg0 : tensor<62xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %19, %20, %21, %22, %23, %24 : tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xi1>, tensor<62xf32>, tensor<62xf32>
  }
}
