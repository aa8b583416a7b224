module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xbf16>, %arg1: tensor<8x3xbf16>, %arg2: tensor<3x4xf16>) -> (tensor<4x3xbf16> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1]"}, tensor<3x3xf16> {jax.result_info = "result[2]"}) {
    %0 = "mhlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x8xbf16>, tensor<8x3xbf16>) -> tensor<4x3xbf16>
    %1 = "mhlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x8xbf16>, tensor<8x3xbf16>) -> tensor<4x3xf32>
    %2 = "mhlo.transpose"(%arg2) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<3x4xf16>) -> tensor<4x3xf16>
    %3 = "mhlo.dot_general"(%arg2, %2) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x4xf16>, tensor<4x3xf16>) -> tensor<3x3xf16>
    return %0, %1, %3 : tensor<4x3xbf16>, tensor<4x3xf32>, tensor<3x3xf16>
  }
}
