module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<4xf32> {jax.result_info = "result[2]"}, tensor<4xf32> {jax.result_info = "result[3]"}) {
    %0 = call @outer(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = call @inner(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = mhlo.add %0, %1 : tensor<4xf32>
    %3 = call @inner(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = mhlo.sine %3 : tensor<4xf32>
    %5 = call @relu(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %6 = mhlo.constant dense<-1> : tensor<i32>
    %7 = mhlo.constant dense<1> : tensor<i32>
    %8 = call @clip(%arg0, %6, %7) : (tensor<4xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
    return %2, %4, %5, %8 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @outer(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @inner(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = mhlo.negate %arg0 : tensor<4xf32>
    %2 = call @inner(%1) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = mhlo.add %0, %2 : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
  func.func private @inner(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mhlo.tanh %arg0 : tensor<4xf32>
    %1 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %3 = mhlo.multiply %0, %2 : tensor<4xf32>
    return %3 : tensor<4xf32>
  }
  func.func private @relu(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = mhlo.maximum %arg0, %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @clip(%arg0: tensor<4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4xf32> {
    %0 = mhlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = mhlo.maximum %1, %arg0 : tensor<4xf32>
    %3 = mhlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %5 = mhlo.minimum %4, %2 : tensor<4xf32>
    return %5 : tensor<4xf32>
  }
}
