module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xi1>, %arg1: tensor<i1>, %arg2: tensor<4x5xf32>, %arg3: tensor<4x5xf32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<4x5xf32> {jax.result_info = "result[1]"}, tensor<4x5xf32> {jax.result_info = "result[2]"}, tensor<4x5xf32> {jax.result_info = "result[3]"}) {
    %0 = call @_where(%arg0, %arg2, %arg3) : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %1 = mhlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<4x5xf32>
    %2 = mhlo.constant dense<-1.000000e+00> : tensor<f32>
    %3 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %5 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %6 = mhlo.clamp %4, %arg2, %5 : tensor<4x5xf32>
    %7 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %9 = mhlo.subtract %arg3, %8 : tensor<4x5xf32>
    %10 = mhlo.clamp %9, %arg2, %arg3 : tensor<4x5xf32>
    return %0, %1, %6, %10 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
  }
  func.func private @_where(%arg0: tensor<4x5xi1>, %arg1: tensor<4x5xf32>, %arg2: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<4x5xi1>, tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
}
