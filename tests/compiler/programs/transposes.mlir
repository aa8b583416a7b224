module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<45x62x7xf32>, %arg1: tensor<97x97xf32>) -> (tensor<7x62x45xf32> {jax.result_info = "result[0]"}, tensor<7x45x62xf32> {jax.result_info = "result[1]"}, tensor<62x45x7xf32> {jax.result_info = "result[2]"}, tensor<45x7x62xf32> {jax.result_info = "result[3]"}, tensor<97x97xf32> {jax.result_info = "result[4]"}, tensor<45x434xf32> {jax.result_info = "result[5]"}, tensor<70x279xf32> {jax.result_info = "result[6]"}) {
    %0 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<45x62x7xf32>) -> tensor<7x62x45xf32>
    %1 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<45x62x7xf32>) -> tensor<7x45x62xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x45x62xf32>
    %3 = stablehlo.add %1, %2 : tensor<7x45x62xf32>
    %4 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<45x62x7xf32>) -> tensor<62x45x7xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<62x45x7xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<62x45x7xf32>
    %7 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<45x62x7xf32>) -> tensor<45x7x62xf32>
    %8 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<97x97xf32>) -> tensor<97x97xf32>
    %9 = stablehlo.add %8, %arg1 : tensor<97x97xf32>
    %10 = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<45x62x7xf32>) -> tensor<62x7x45xf32>
    %11 = stablehlo.reshape %10 : (tensor<62x7x45xf32>) -> tensor<45x434xf32>
    %12 = stablehlo.reshape %arg0 : (tensor<45x62x7xf32>) -> tensor<10x9x7x31xf32>
    %13 = stablehlo.transpose %12, dims = [0, 2, 1, 3] : (tensor<10x9x7x31xf32>) -> tensor<10x7x9x31xf32>
    %14 = stablehlo.reshape %13 : (tensor<10x7x9x31xf32>) -> tensor<70x279xf32>
    return %0, %3, %6, %7, %9, %11, %14 : tensor<7x62x45xf32>, tensor<7x45x62xf32>, tensor<62x45x7xf32>, tensor<45x7x62xf32>, tensor<97x97xf32>, tensor<45x434xf32>, tensor<70x279xf32>
  }
}
