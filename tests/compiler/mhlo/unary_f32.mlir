module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<62xf32>) -> (tensor<62xf32> {jax.result_info = "result[0]"}, tensor<62xf32> {jax.result_info = "result[1]"}, tensor<62xf32> {jax.result_info = "result[2]"}, tensor<62xf32> {jax.result_info = "result[3]"}, tensor<62xf32> {jax.result_info = "result[4]"}, tensor<62xf32> {jax.result_info = "result[5]"}, tensor<62xf32> {jax.result_info = "result[6]"}, tensor<62xf32> {jax.result_info = "result[7]"}, tensor<62xf32> {jax.result_info = "result[8]"}, tensor<62xf32> {jax.result_info = "result[9]"}, tensor<62xf32> {jax.result_info = "result[10]"}, tensor<62xf32> {jax.result_info = "result[11]"}, tensor<62xf32> {jax.result_info = "result[12]"}, tensor<62xf32> {jax.result_info = "result[13]"}, tensor<62xf32> {jax.result_info = "result[14]"}, tensor<62xf32> {jax.result_info = "result[15]"}, tensor<62xf32> {jax.result_info = "result[16]"}, tensor<62xi1> {jax.result_info = "result[17]"}, tensor<62xf32> {jax.result_info = "result[18]"}, tensor<62xf32> {jax.result_info = "result[19]"}) {
    %0 = mhlo.abs %arg0 : tensor<62xf32>
    %1 = mhlo.cbrt %arg0 : tensor<62xf32>
    %2 = mhlo.ceil %arg0 : tensor<62xf32>
    %3 = mhlo.floor %arg0 : tensor<62xf32>
    %4 = mhlo.exponential %arg0 : tensor<62xf32>
    %5 = mhlo.exponential_minus_one %arg0 : tensor<62xf32>
    %6 = mhlo.log %arg0 : tensor<62xf32>
    %7 = mhlo.log_plus_one %arg0 : tensor<62xf32>
    %8 = mhlo.sine %arg0 : tensor<62xf32>
    %9 = mhlo.cosine %arg0 : tensor<62xf32>
    %10 = mhlo.tan %arg0 : tensor<62xf32>
    %11 = mhlo.tanh %arg0 : tensor<62xf32>
    %12 = mhlo.sqrt %arg0 : tensor<62xf32>
    %13 = mhlo.rsqrt %arg0 : tensor<62xf32>
    %14 = mhlo.negate %arg0 : tensor<62xf32>
    %15 = mhlo.exponential %14 : tensor<62xf32>
    %16 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<62xf32>
    %18 = mhlo.add %17, %15 : tensor<62xf32>
    %19 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<62xf32>
    %21 = mhlo.divide %20, %18 : tensor<62xf32>
    %22 = mhlo.negate %arg0 : tensor<62xf32>
    %23 = mhlo.sign %arg0 : tensor<62xf32>
    %24 = mhlo.is_finite %arg0 : (tensor<62xf32>) -> tensor<62xi1>
    %25 = mhlo.round_nearest_afz %arg0 : tensor<62xf32>
    %26 = mhlo.round_nearest_even %arg0 : tensor<62xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %21, %22, %23, %24, %25, %26 : tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xf32>, tensor<62xi1>, tensor<62xf32>, tensor<62xf32>
  }
}
