module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x13x14x9xf32>) -> (tensor<2x13x14x9xf32> {jax.result_info = "result[0]"}, tensor<2x13x14x9xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<2x13x14x9xf32>, tensor<f32>) -> tensor<2x7x7x9xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<2x7x7x9xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x7x7x9xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x7x7x9xf32>
    %5 = stablehlo.multiply %1, %4 : tensor<2x7x7x9xf32>
    %6 = stablehlo.multiply %4, %1 : tensor<2x7x7x9xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x7x7x9xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = "stablehlo.select_and_scatter"(%arg0, %7, %cst_2) <{padding = dense<[[0, 0], [1, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.compare GE, %arg1, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %20 : tensor<i1>
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<2x13x14x9xf32>, tensor<2x7x7x9xf32>, tensor<f32>) -> tensor<2x13x14x9xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.reduce_window"(%arg0, %9) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<2x13x14x9xf32>, tensor<f32>) -> tensor<2x6x7x9xf32>
    %11 = stablehlo.multiply %10, %10 : tensor<2x6x7x9xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_4) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<2x6x7x9xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x6x7x9xf32>
    %14 = stablehlo.multiply %10, %13 : tensor<2x6x7x9xf32>
    %15 = stablehlo.multiply %13, %10 : tensor<2x6x7x9xf32>
    %16 = stablehlo.add %14, %15 : tensor<2x6x7x9xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.pad %16, %cst_6, low = [0, 1, 1, 0], high = [0, 2, 1, 0], interior = [0, 1, 1, 0] : (tensor<2x6x7x9xf32>, tensor<f32>) -> tensor<2x14x15x9xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.reduce_window"(%17, %18) <{base_dilations = array<i64: 1, 1, 1, 1>, padding = dense<0> : tensor<4x2xi64>, window_dilations = array<i64: 1, 1, 1, 1>, window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %20 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %20 : tensor<f32>
    }) : (tensor<2x14x15x9xf32>, tensor<f32>) -> tensor<2x13x14x9xf32>
    return %8, %19 : tensor<2x13x14x9xf32>, tensor<2x13x14x9xf32>
  }
}
