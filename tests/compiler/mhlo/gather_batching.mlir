module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x3x7xf32>, %arg1: tensor<4x3xi32>) -> (tensor<4x3x7xf32> {jax.result_info = "result[0]"}, tensor<4x3x2xf32> {jax.result_info = "result[1]"}) {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x3xi32>
    %2 = mhlo.compare LT, %arg1, %1, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %3 = mhlo.constant dense<3> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x3xi32>
    %5 = mhlo.add %arg1, %4 : tensor<4x3xi32>
    %6 = mhlo.select %2, %5, %arg1 : tensor<4x3xi1>, tensor<4x3xi32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %8 = "mhlo.gather"(%arg0, %7) <{dimension_numbers = #mhlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = dense<[1, 1, 7]> : tensor<3xi64>}> : (tensor<4x3x7xf32>, tensor<4x3x1xi32>) -> tensor<4x3x7xf32>
    %9 = mhlo.constant dense<0> : tensor<i32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x3xi32>
    %11 = mhlo.compare LT, %arg1, %10, SIGNED : (tensor<4x3xi32>, tensor<4x3xi32>) -> tensor<4x3xi1>
    %12 = mhlo.constant dense<7> : tensor<i32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x3xi32>
    %14 = mhlo.add %arg1, %13 : tensor<4x3xi32>
    %15 = mhlo.select %11, %14, %arg1 : tensor<4x3xi1>, tensor<4x3xi32>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x3xi32>) -> tensor<4x3x1xi32>
    %17 = "mhlo.gather"(%arg0, %16) <{dimension_numbers = #mhlo.gather<offset_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = true, slice_sizes = dense<[1, 1, 2]> : tensor<3xi64>}> : (tensor<4x3x7xf32>, tensor<4x3x1xi32>) -> tensor<4x3x2xf32>
    return %8, %17 : tensor<4x3x7xf32>, tensor<4x3x2xf32>
  }
}
