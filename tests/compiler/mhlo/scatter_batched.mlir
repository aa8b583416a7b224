module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x3xi32>, %arg2: tensor<4x3xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<5x6xf32> {jax.result_info = "result[1]"}) {
    %0 = mhlo.constant dense<[[0, 1], [3, 4], [4, 5]]> : tensor<3x2xi32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x3xi32>
    %3 = mhlo.compare LT, %arg1, %2, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %4 = mhlo.constant dense<6> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x3xi32>
    %6 = mhlo.add %arg1, %5 : tensor<4x3xi32>
    %7 = mhlo.select %3, %6, %arg1 : tensor<4x3xi1>, tensor<4x3xi32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %9 = "mhlo.scatter"(%arg0, %8, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %22 = mhlo.add %arg3, %arg4 : tensor<f32>
      mhlo.return %22 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x3x1xi32>, tensor<4x3xf32>) -> tensor<4x6xf32>
    %10 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x2x2xf32>
    %12 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xf32>
    %13 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3xf32>
    %15 = mhlo.add %14, %12 : tensor<3xf32>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<3x1x1xf32>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<3x1x1xf32>) -> tensor<3x2x2xf32>
    %18 = mhlo.multiply %11, %17 : tensor<3x2x2xf32>
    %19 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %21 = "mhlo.scatter"(%20, %0, %18) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      mhlo.return %arg4 : tensor<f32>
    }) : (tensor<5x6xf32>, tensor<3x2xi32>, tensor<3x2x2xf32>) -> tensor<5x6xf32>
    return %9, %21 : tensor<4x6xf32>, tensor<5x6xf32>
  }
}
