module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x5xf32>, %arg2: tensor<3x4x5xf32>, %arg3: tensor<3x5x4xf32>, %arg4: tensor<3x4xi8>, %arg5: tensor<4x5xi8>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<3x4x4xf32> {jax.result_info = "result[1]"}, tensor<4x4xf32> {jax.result_info = "result[2]"}, tensor<3x5xi32> {jax.result_info = "result[3]"}, tensor<6x5xf32> {jax.result_info = "result[4]"}, tensor<f32> {jax.result_info = "result[5]"}, tensor<3x4x4xf32> {jax.result_info = "result[6]"}, tensor<3xf32> {jax.result_info = "result[7]"}) {
    %0 = "mhlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x6xf32>, tensor<6x5xf32>) -> tensor<4x5xf32>
    %1 = "mhlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x4x5xf32>, tensor<3x5x4xf32>) -> tensor<3x4x4xf32>
    %2 = "mhlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x4x5xf32>, tensor<3x5x4xf32>) -> tensor<4x4xf32>
    %3 = "mhlo.dot_general"(%arg4, %arg5) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x4xi8>, tensor<4x5xi8>) -> tensor<3x5xi32>
    %4 = "mhlo.slice"(%arg0) <{limit_indices = dense<[1, 6]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %5 = mhlo.reshape %4 : (tensor<1x6xf32>) -> tensor<6xf32>
    %6 = "mhlo.slice"(%arg1) <{limit_indices = dense<[1, 5]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<6x5xf32>) -> tensor<1x5xf32>
    %7 = mhlo.reshape %6 : (tensor<1x5xf32>) -> tensor<5xf32>
    %8 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<6xf32>) -> tensor<6x1xf32>
    %9 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %10 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<6x1xf32>) -> tensor<6x5xf32>
    %11 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<6x5xf32>
    %12 = mhlo.multiply %10, %11 : tensor<6x5xf32>
    %13 = "mhlo.slice"(%arg0) <{limit_indices = dense<[1, 6]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %14 = mhlo.reshape %13 : (tensor<1x6xf32>) -> tensor<6xf32>
    %15 = "mhlo.slice"(%arg0) <{limit_indices = dense<[2, 6]> : tensor<2xi64>, start_indices = dense<[1, 0]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %16 = mhlo.reshape %15 : (tensor<1x6xf32>) -> tensor<6xf32>
    %17 = "mhlo.dot_general"(%14, %16) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<f32>
    %18 = "mhlo.dot_general"(%arg2, %arg3) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision HIGHEST>, #mhlo<precision HIGHEST>]}> : (tensor<3x4x5xf32>, tensor<3x5x4xf32>) -> tensor<3x4x4xf32>
    %19 = "mhlo.transpose"(%arg3) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<3x5x4xf32>) -> tensor<3x4x5xf32>
    %20 = "mhlo.dot_general"(%arg2, %19) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [1, 2]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x4x5xf32>, tensor<3x4x5xf32>) -> tensor<3xf32>
    return %0, %1, %2, %3, %12, %17, %18, %20 : tensor<4x5xf32>, tensor<3x4x4xf32>, tensor<4x4xf32>, tensor<3x5xi32>, tensor<6x5xf32>, tensor<f32>, tensor<3x4x4xf32>, tensor<3xf32>
  }
}
