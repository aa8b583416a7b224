module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x7x6x3xf32>) -> (tensor<2x3x6x3xf32> {jax.result_info = "result[0]"}, tensor<2x7x3x3xf32> {jax.result_info = "result[1]"}, tensor<2x12x3x3xf32> {jax.result_info = "result[2]"}, tensor<2x3x3x3xf32> {jax.result_info = "result[3]"}, tensor<2x7x6x3xf32> {jax.result_info = "result[4]"}, tensor<2x7x6x3xf32> {jax.result_info = "result[5]"}, tensor<2x7x6x3xf32> {jax.result_info = "result[6]"}, tensor<2x7x6x3xf32> {jax.result_info = "result[7]"}, tensor<2x7x6x3xf32> {jax.result_info = "result[8]"}) {
    %0 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "mhlo.reduce_window"(%arg0, %1) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 3, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 2, 1, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.maximum %arg1, %arg2 : tensor<f32>
      mhlo.return %31 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x3x6x3xf32>
    %3 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %5 = "mhlo.reduce_window"(%arg0, %4) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [0, 1], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 2, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 1, 2, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.add %arg1, %arg2 : tensor<f32>
      mhlo.return %31 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x7x3x3xf32>
    %6 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %8 = "mhlo.reduce_window"(%arg0, %7) <{base_dilations = dense<[1, 2, 1, 1]> : tensor<4xi64>, padding = dense<0> : tensor<4x2xi64>, window_dilations = dense<[1, 1, 3, 1]> : tensor<4xi64>, window_dimensions = dense<[1, 2, 2, 1]> : tensor<4xi64>, window_strides = dense<1> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.add %arg1, %arg2 : tensor<f32>
      mhlo.return %31 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x12x3x3xf32>
    %9 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %11 = "mhlo.reduce_window"(%arg0, %10) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<0> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 2, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 2, 2, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.minimum %arg1, %arg2 : tensor<f32>
      mhlo.return %31 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x3x3x3xf32>
    %12 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %14 = "mhlo.reduce_window"(%arg0, %13) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 3, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 2, 1, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.maximum %arg1, %arg2 : tensor<f32>
      mhlo.return %31 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x3x6x3xf32>
    %15 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x3x6x3xf32>
    %17 = mhlo.multiply %14, %16 : tensor<2x3x6x3xf32>
    %18 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = mhlo.reduce(%17 init: %18) applies mhlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x3x6x3xf32>, tensor<f32>) -> tensor<f32>
    %20 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x3x6x3xf32>
    %22 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %23 = "mhlo.broadcast_in_dim"(%22) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x3x6x3xf32>
    %24 = mhlo.multiply %21, %23 : tensor<2x3x6x3xf32>
    %25 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = "mhlo.select_and_scatter"(%arg0, %24, %25) <{padding = dense<[[0, 0], [1, 0], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = dense<[1, 3, 2, 1]> : tensor<4xi64>, window_strides = dense<[1, 2, 1, 1]> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %31 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %31 = mhlo.add %arg1, %arg2 : tensor<f32>
      mhlo.return %31 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<2x3x6x3xf32>, tensor<f32>) -> tensor<2x7x6x3xf32>
    %27 = call @cumsum(%arg0) : (tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32>
    %28 = call @cummax(%arg0) : (tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32>
    %29 = call @cumprod(%arg0) : (tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32>
    %30 = call @cumlogsumexp(%arg0) : (tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32>
    return %2, %5, %8, %11, %26, %27, %28, %29, %30 : tensor<2x3x6x3xf32>, tensor<2x7x3x3xf32>, tensor<2x12x3x3xf32>, tensor<2x3x3x3xf32>, tensor<2x7x6x3xf32>, tensor<2x7x6x3xf32>, tensor<2x7x6x3xf32>, tensor<2x7x6x3xf32>, tensor<2x7x6x3xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "mhlo.reduce_window"(%arg0, %1) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [6, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 7, 1, 1]> : tensor<4xi64>, window_strides = dense<1> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = mhlo.add %arg1, %arg2 : tensor<f32>
      mhlo.return %3 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x7x6x3xf32>
    return %2 : tensor<2x7x6x3xf32>
  }
  func.func private @cummax(%arg0: tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32> {
    %0 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "mhlo.reduce_window"(%arg0, %1) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [0, 0], [5, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 1, 6, 1]> : tensor<4xi64>, window_strides = dense<1> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = mhlo.maximum %arg1, %arg2 : tensor<f32>
      mhlo.return %3 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x7x6x3xf32>
    return %2 : tensor<2x7x6x3xf32>
  }
  func.func private @cumprod(%arg0: tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32> {
    %0 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = "mhlo.reduce_window"(%arg0, %0) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [0, 6], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 7, 1, 1]> : tensor<4xi64>, window_strides = dense<1> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = mhlo.multiply %arg1, %arg2 : tensor<f32>
      mhlo.return %2 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x7x6x3xf32>
    return %1 : tensor<2x7x6x3xf32>
  }
  func.func private @cumlogsumexp(%arg0: tensor<2x7x6x3xf32>) -> tensor<2x7x6x3xf32> {
    %0 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "mhlo.reduce_window"(%arg0, %0) <{base_dilations = dense<1> : tensor<4xi64>, padding = dense<[[0, 0], [6, 0], [0, 0], [0, 0]]> : tensor<4x2xi64>, window_dilations = dense<1> : tensor<4xi64>, window_dimensions = dense<[1, 7, 1, 1]> : tensor<4xi64>, window_strides = dense<1> : tensor<4xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = mhlo.maximum %arg1, %arg2 : tensor<f32>
      %3 = mhlo.subtract %arg1, %arg2 : tensor<f32>
      %4 = mhlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = mhlo.add %arg1, %arg2 : tensor<f32>
      %6 = mhlo.abs %3 : tensor<f32>
      %7 = mhlo.negate %6 : tensor<f32>
      %8 = mhlo.exponential %7 : tensor<f32>
      %9 = mhlo.log_plus_one %8 : tensor<f32>
      %10 = mhlo.add %2, %9 : tensor<f32>
      %11 = mhlo.select %4, %5, %10 : tensor<i1>, tensor<f32>
      mhlo.return %11 : tensor<f32>
    }) : (tensor<2x7x6x3xf32>, tensor<f32>) -> tensor<2x7x6x3xf32>
    return %1 : tensor<2x7x6x3xf32>
  }
}
