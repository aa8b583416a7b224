module @jit_ragged_dot attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<3x4x5xf32>, %arg2: tensor<3xi32>) -> (tensor<8x5xf32> {jax.result_info = "result"}) {
    %0 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<8x4xf32>) -> tensor<3x8x4xf32>
    %1 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x8x4xi32>
    %2 = call @cumsum(%arg2) : (tensor<3xi32>) -> tensor<3xi32>
    %3 = mhlo.constant dense<0> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<3xi32>
    %5 = "mhlo.slice"(%4) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<3xi32>) -> tensor<1xi32>
    %6 = "mhlo.slice"(%2) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<3xi32>) -> tensor<2xi32>
    %7 = "mhlo.concatenate"(%5, %6) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
    %8 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xi32>) -> tensor<3x8x4xi32>
    %9 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xi32>) -> tensor<3x8x4xi32>
    %10 = mhlo.compare LE, %9, %1, SIGNED : (tensor<3x8x4xi32>, tensor<3x8x4xi32>) -> tensor<3x8x4xi1>
    %11 = mhlo.compare LT, %1, %8, SIGNED : (tensor<3x8x4xi32>, tensor<3x8x4xi32>) -> tensor<3x8x4xi1>
    %12 = mhlo.and %10, %11 : tensor<3x8x4xi1>
    %13 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x8x4xf32>
    %15 = mhlo.select %12, %0, %14 : tensor<3x8x4xi1>, tensor<3x8x4xf32>
    %16 = "mhlo.dot_general"(%15, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [2, 0], rhs_contracting_dimensions = [1, 0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x8x4xf32>, tensor<3x4x5xf32>) -> tensor<8x5xf32>
    return %16 : tensor<8x5xf32>
  }
  func.func private @cumsum(%arg0: tensor<3xi32>) -> tensor<3xi32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<i32>
    %2 = "mhlo.reduce_window"(%arg0, %1) <{base_dilations = dense<1> : tensor<1xi64>, padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = dense<1> : tensor<1xi64>, window_dimensions = dense<3> : tensor<1xi64>, window_strides = dense<1> : tensor<1xi64>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %3 = mhlo.add %arg1, %arg2 : tensor<i32>
      mhlo.return %3 : tensor<i32>
    }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
    return %2 : tensor<3xi32>
  }
}
