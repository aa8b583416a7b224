module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300x257xf32>) -> (tensor<257xf32> {jax.result_info = "result[0]"}, tensor<300xf32> {jax.result_info = "result[1]"}, tensor<300xf32> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<300x257xf32>) -> tensor<300x257xbf16>
    %1 = stablehlo.convert %0 : (tensor<300x257xbf16>) -> tensor<300x257xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<300x257xf32>, tensor<f32>) -> tensor<257xf32>
    %3 = stablehlo.convert %2 : (tensor<257xf32>) -> tensor<257xbf16>
    %4 = stablehlo.convert %3 : (tensor<257xbf16>) -> tensor<257xf32>
    %5 = stablehlo.convert %0 : (tensor<300x257xbf16>) -> tensor<300x257xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<300x257xf32>, tensor<f32>) -> tensor<300xf32>
    %7 = stablehlo.convert %6 : (tensor<300xf32>) -> tensor<300xbf16>
    %8 = stablehlo.convert %7 : (tensor<300xbf16>) -> tensor<300xf32>
    %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %9 = stablehlo.reduce(%0 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<300x257xbf16>, tensor<bf16>) -> tensor<300xbf16>
    %10 = stablehlo.convert %9 : (tensor<300xbf16>) -> tensor<300xf32>
    %11 = stablehlo.convert %0 : (tensor<300x257xbf16>) -> tensor<300x257xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<300x257xf32>, tensor<f32>) -> tensor<f32>
    %13 = stablehlo.convert %12 : (tensor<f32>) -> tensor<bf16>
    %14 = stablehlo.convert %13 : (tensor<bf16>) -> tensor<f32>
    return %4, %8, %10, %14 : tensor<257xf32>, tensor<300xf32>, tensor<300xf32>, tensor<f32>
  }
}
