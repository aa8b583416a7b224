module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i1>, %arg2: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}, tensor<f32> {jax.result_info = "result[2]"}) {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = mhlo.constant dense<2> : tensor<i32>
    %2 = mhlo.clamp %0, %arg0, %1 : tensor<i32>
    %3 = "mhlo.case"(%2) ({
      %12 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
      %14 = mhlo.add %arg2, %13 : tensor<4xf32>
      mhlo.return %14 : tensor<4xf32>
    }, {
      %12 = mhlo.constant dense<2.000000e+00> : tensor<f32>
      %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
      %14 = mhlo.multiply %arg2, %13 : tensor<4xf32>
      mhlo.return %14 : tensor<4xf32>
    }, {
      %12 = mhlo.sine %arg2 : tensor<4xf32>
      mhlo.return %12 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %4 = mhlo.convert %arg1 : (tensor<i1>) -> tensor<i32>
    %5 = "mhlo.case"(%4) ({
      %12 = mhlo.negate %arg2 : tensor<4xf32>
      mhlo.return %12 : tensor<4xf32>
    }, {
      mhlo.return %arg2 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    %6 = "mhlo.slice"(%arg2) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<4xf32>) -> tensor<1xf32>
    %7 = mhlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = mhlo.compare GT, %7, %8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %10 = mhlo.convert %9 : (tensor<i1>) -> tensor<i32>
    %11 = "mhlo.case"(%10) ({
      %12 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      mhlo.return %12 : tensor<f32>
    }, {
      %12 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = mhlo.reduce(%arg2 init: %12) applies mhlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      mhlo.return %13 : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    return %3, %5, %11 : tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }
}
