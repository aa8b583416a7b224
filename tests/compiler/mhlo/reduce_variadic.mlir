module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7x3xf32>, %arg1: tensor<7x3xi32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3xi32> {jax.result_info = "result[1]"}) {
    %0 = mhlo.constant dense<-1.000000e+09> : tensor<f32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2:2 = mhlo.reduce(%arg0 init: %0), (%arg1 init: %1) across dimensions = [0] : (tensor<7x3xf32>, tensor<7x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<i32>, %arg5: tensor<i32>)  {
      %3 = mhlo.compare GT, %arg2, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = func.call @_where(%3, %arg2, %arg4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %5 = mhlo.add %arg3, %arg5 : tensor<i32>
      mhlo.return %4, %5 : tensor<f32>, tensor<i32>
    }
    return %2#0, %2#1 : tensor<3xf32>, tensor<3xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
}
