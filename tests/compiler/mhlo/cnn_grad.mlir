module @jit_net attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x2x4xf32>, %arg1: tensor<3x3x4x5xf32>, %arg2: tensor<20x3xf32>, %arg3: tensor<2x8x8x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3x3x2x4xf32> {jax.result_info = "result[1][0]"}, tensor<3x3x4x5xf32> {jax.result_info = "result[1][1]"}, tensor<20x3xf32> {jax.result_info = "result[1][2]"}) {
    %0 = mhlo.convolution(%arg3, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<2x8x8x4xf32>
    %1 = call @relu(%0) : (tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32>
    %2 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x8x8x4xf32>
    %4 = mhlo.compare GT, %0, %3, FLOAT : (tensor<2x8x8x4xf32>, tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xi1>
    %5 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x8x8x4xf32>
    %7 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %9 = "mhlo.reduce_window"(%1, %8) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<0> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 2, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 2, 2, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %39 = mhlo.maximum %arg4, %arg5 : tensor<f32>
      mhlo.return %39 : tensor<f32>
    }) : (tensor<2x8x8x4xf32>, tensor<f32>) -> tensor<2x4x4x4xf32>
    %10 = mhlo.convolution(%9, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<3x3x4x5xf32>) -> tensor<2x2x2x5xf32>
    %11 = call @relu_0(%10) : (tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32>
    %12 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %14 = mhlo.compare GT, %10, %13, FLOAT : (tensor<2x2x2x5xf32>, tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xi1>
    %15 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %17 = mhlo.reshape %11 : (tensor<2x2x2x5xf32>) -> tensor<2x20xf32>
    %18 = "mhlo.dot_general"(%17, %arg2) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x20xf32>, tensor<20x3xf32>) -> tensor<2x3xf32>
    %19 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = mhlo.reduce(%18 init: %19) applies mhlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
    %21 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x3xf32>
    %23 = "mhlo.dot_general"(%22, %17) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<2x20xf32>) -> tensor<3x20xf32>
    %24 = "mhlo.transpose"(%23) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<3x20xf32>) -> tensor<20x3xf32>
    %25 = "mhlo.dot_general"(%22, %arg2) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<20x3xf32>) -> tensor<2x20xf32>
    %26 = mhlo.reshape %25 : (tensor<2x20xf32>) -> tensor<2x2x2x5xf32>
    %27 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %29 = mhlo.select %14, %26, %28 : tensor<2x2x2x5xi1>, tensor<2x2x2x5xf32>
    %30 = mhlo.convolution(%9, %29) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x4x4x4xf32>, tensor<2x2x2x5xf32>) -> tensor<3x3x4x5xf32>
    %31 = "mhlo.reverse"(%arg1) <{dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<3x3x4x5xf32>) -> tensor<3x3x4x5xf32>
    %32 = mhlo.convolution(%29, %31) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x2x2x5xf32>, tensor<3x3x4x5xf32>) -> tensor<2x4x4x4xf32>
    %33 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = "mhlo.select_and_scatter"(%1, %32, %33) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = dense<[1, 2, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 2, 2, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %39 = mhlo.compare GE, %arg4, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %39 : tensor<i1>
    }, {
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %39 = mhlo.add %arg4, %arg5 : tensor<f32>
      mhlo.return %39 : tensor<f32>
    }) : (tensor<2x8x8x4xf32>, tensor<2x4x4x4xf32>, tensor<f32>) -> tensor<2x8x8x4xf32>
    %35 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x8x8x4xf32>
    %37 = mhlo.select %4, %34, %36 : tensor<2x8x8x4xi1>, tensor<2x8x8x4xf32>
    %38 = mhlo.convolution(%arg3, %37) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [0, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]} : (tensor<2x8x8x2xf32>, tensor<2x8x8x4xf32>) -> tensor<3x3x2x4xf32>
    return %20, %38, %30, %24 : tensor<f32>, tensor<3x3x2x4xf32>, tensor<3x3x4x5xf32>, tensor<20x3xf32>
  }
  func.func private @relu(%arg0: tensor<2x8x8x4xf32>) -> tensor<2x8x8x4xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x8x8x4xf32>
    %2 = mhlo.maximum %arg0, %1 : tensor<2x8x8x4xf32>
    return %2 : tensor<2x8x8x4xf32>
  }
  func.func private @relu_0(%arg0: tensor<2x2x2x5xf32>) -> tensor<2x2x2x5xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x2x5xf32>
    %2 = mhlo.maximum %arg0, %1 : tensor<2x2x2x5xf32>
    return %2 : tensor<2x2x2x5xf32>
  }
}
