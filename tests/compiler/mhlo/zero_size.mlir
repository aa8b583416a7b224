module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<3x4xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<3xf32> {jax.result_info = "result[1]"}, tensor<0x4xf32> {jax.result_info = "result[2]"}, tensor<0x6xf32> {jax.result_info = "result[3]"}, tensor<0x3xf32> {jax.result_info = "result[4]"}, tensor<3x0xf32> {jax.result_info = "result[5]"}) {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.reduce(%arg0 init: %0) applies mhlo.add across dimensions = [0, 1] : (tensor<0x3xf32>, tensor<f32>) -> tensor<f32>
    %2 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = mhlo.reduce(%arg0 init: %2) applies mhlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
    %4 = "mhlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<0x3xf32>, tensor<3x4xf32>) -> tensor<0x4xf32>
    %5 = "mhlo.concatenate"(%arg0, %arg0) <{dimension = 1 : i64}> : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x6xf32>
    %6 = call @sort(%arg0) : (tensor<0x3xf32>) -> tensor<0x3xf32>
    %7 = mhlo.reshape %arg0 : (tensor<0x3xf32>) -> tensor<3x0xf32>
    return %1, %3, %4, %5, %6, %7 : tensor<f32>, tensor<3xf32>, tensor<0x4xf32>, tensor<0x6xf32>, tensor<0x3xf32>, tensor<3x0xf32>
  }
  func.func private @sort(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = "mhlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = mhlo.compare EQ, %arg1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = mhlo.select %2, %3, %arg1 : tensor<i1>, tensor<f32>
      %5 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %7 = mhlo.select %5, %6, %4 : tensor<i1>, tensor<f32>
      %8 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = mhlo.compare EQ, %arg2, %8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = mhlo.select %9, %10, %arg2 : tensor<i1>, tensor<f32>
      %12 = mhlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %14 = mhlo.select %12, %13, %11 : tensor<i1>, tensor<f32>
      %15 = mhlo.compare LT, %7, %14, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %15 : tensor<i1>
    }) : (tensor<0x3xf32>) -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}
