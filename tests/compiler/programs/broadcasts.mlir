module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<31x40xf32>, %arg1: tensor<40xf32>, %arg2: tensor<f32>) -> (tensor<31x40xf32> {jax.result_info = "result[0]"}, tensor<31x40xf32> {jax.result_info = "result[1]"}, tensor<31x40xf32> {jax.result_info = "result[2]"}, tensor<5x3x40xf32> {jax.result_info = "result[3]"}, tensor<40x40xf32> {jax.result_info = "result[4]"}, tensor<62x120xf32> {jax.result_info = "result[5]"}, tensor<31x120xf32> {jax.result_info = "result[6]"}, tensor<31x5x40xf32> {jax.result_info = "result[7]"}, tensor<31x40xf32> {jax.result_info = "result[8]"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<40xf32>) -> tensor<1x40xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x40xf32>) -> tensor<31x40xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<31x40xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %4 = stablehlo.slice %3 [0:31, 0:1] : (tensor<40x1xf32>) -> tensor<31x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<31x1xf32>) -> tensor<31x40xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<31x40xf32>
    %7 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<31x40xf32>
    %8 = stablehlo.subtract %arg0, %7 : tensor<31x40xf32>
    %9 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<40xf32>) -> tensor<5x3x40xf32>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<40xf32>) -> tensor<40x1xf32>
    %11 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<40xf32>) -> tensor<1x40xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<40x1xf32>) -> tensor<40x40xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x40xf32>) -> tensor<40x40xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<40x40xf32>
    %15 = stablehlo.slice %arg0 [0:1, 0:1] : (tensor<31x40xf32>) -> tensor<1x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<40x40xf32>
    %17 = stablehlo.add %14, %16 : tensor<40x40xf32>
    %18 = stablehlo.reshape %arg0 : (tensor<31x40xf32>) -> tensor<1x31x1x40xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2, 3] : (tensor<1x31x1x40xf32>) -> tensor<2x31x3x40xf32>
    %20 = stablehlo.reshape %19 : (tensor<2x31x3x40xf32>) -> tensor<62x120xf32>
    %21 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<31x40xf32>) -> tensor<31x40x3xf32>
    %22 = stablehlo.reshape %21 : (tensor<31x40x3xf32>) -> tensor<31x120xf32>
    %23 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<31x40xf32>) -> tensor<31x1x40xf32>
    %24 = stablehlo.slice %arg0 [0:5, 0:40] : (tensor<31x40xf32>) -> tensor<5x40xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [1, 2] : (tensor<5x40xf32>) -> tensor<1x5x40xf32>
    %26 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<31x1x40xf32>) -> tensor<31x5x40xf32>
    %27 = stablehlo.broadcast_in_dim %25, dims = [0, 1, 2] : (tensor<1x5x40xf32>) -> tensor<31x5x40xf32>
    %28 = stablehlo.subtract %26, %27 : tensor<31x5x40xf32>
    %29 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<40xf32>) -> tensor<1x40xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0, 1] : (tensor<1x40xf32>) -> tensor<31x40xf32>
    %31 = stablehlo.compare GT, %arg0, %30, FLOAT : (tensor<31x40xf32>, tensor<31x40xf32>) -> tensor<31x40xi1>
    %32 = call @_where(%31, %arg0, %arg2) : (tensor<31x40xi1>, tensor<31x40xf32>, tensor<f32>) -> tensor<31x40xf32>
    return %2, %6, %8, %9, %17, %20, %22, %28, %32 : tensor<31x40xf32>, tensor<31x40xf32>, tensor<31x40xf32>, tensor<5x3x40xf32>, tensor<40x40xf32>, tensor<62x120xf32>, tensor<31x120xf32>, tensor<31x5x40xf32>, tensor<31x40xf32>
  }
  func.func private @_where(%arg0: tensor<31x40xi1>, %arg1: tensor<31x40xf32>, %arg2: tensor<f32>) -> tensor<31x40xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<31x40xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<31x40xi1>, tensor<31x40xf32>
    return %1 : tensor<31x40xf32>
  }
}
