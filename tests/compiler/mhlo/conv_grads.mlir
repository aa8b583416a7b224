module @jit_loss attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x6x5xf32>, %arg1: tensor<6x2x3x2xf32>) -> (tensor<2x4x6x5xf32> {jax.result_info = "result[0]"}, tensor<6x2x3x2xf32> {jax.result_info = "result[1]"}) {
    %0 = mhlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [2, 1], pad = [[1, 0], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x4x6x5xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x3x7xf32>
    %1 = mhlo.multiply %0, %0 : tensor<2x6x3x7xf32>
    %2 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x6x3x7xf32>
    %4 = mhlo.multiply %3, %0 : tensor<2x6x3x7xf32>
    %5 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = mhlo.reduce(%1 init: %5) applies mhlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x6x3x7xf32>, tensor<f32>) -> tensor<f32>
    %7 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x6x3x7xf32>
    %9 = mhlo.multiply %8, %4 : tensor<2x6x3x7xf32>
    %10 = mhlo.convolution(%arg0, %9) dim_numbers = [f, b, 0, 1]x[i, o, 0, 1]->[f, b, 0, 1], window = {stride = [1, 1], pad = [[1, 0], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [0, 0]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x4x6x5xf32>, tensor<2x6x3x7xf32>) -> tensor<6x2x3x2xf32>
    %11 = mhlo.reshape %arg1 : (tensor<6x2x3x2xf32>) -> tensor<2x3x2x3x2xf32>
    %12 = "mhlo.transpose"(%11) <{permutation = dense<[1, 0, 2, 3, 4]> : tensor<5xi64>}> : (tensor<2x3x2x3x2xf32>) -> tensor<3x2x2x3x2xf32>
    %13 = mhlo.reshape %12 : (tensor<3x2x2x3x2xf32>) -> tensor<3x4x3x2xf32>
    %14 = "mhlo.reverse"(%13) <{dimensions = dense<[2, 3]> : tensor<2xi64>}> : (tensor<3x4x3x2xf32>) -> tensor<3x4x3x2xf32>
    %15 = mhlo.convolution(%9, %14) dim_numbers = [b, f, 0, 1]x[i, o, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 2], [0, -1]], lhs_dilate = [2, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x6x3x7xf32>, tensor<3x4x3x2xf32>) -> tensor<2x4x6x5xf32>
    return %15, %10 : tensor<2x4x6x5xf32>, tensor<6x2x3x2xf32>
  }
}
