module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x10xf32>, %arg4: tensor<10xf32>) -> (tensor<8x10xf32> {jax.result_info = "result"}) {
    %0 = "mhlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = "mhlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x32xf32>) -> tensor<8x32xf32>
    %3 = mhlo.add %0, %2 : tensor<8x32xf32>
    %4 = call @relu(%3) : (tensor<8x32xf32>) -> tensor<8x32xf32>
    %5 = "mhlo.dot_general"(%4, %arg3) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x32xf32>, tensor<32x10xf32>) -> tensor<8x10xf32>
    %6 = "mhlo.broadcast_in_dim"(%arg4) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<10xf32>) -> tensor<1x10xf32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x10xf32>) -> tensor<8x10xf32>
    %8 = mhlo.add %5, %7 : tensor<8x10xf32>
    %9 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %10 = mhlo.reduce(%8 init: %9) applies mhlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %11 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8xf32>
    %13 = mhlo.maximum %12, %10 : tensor<8xf32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %16 = mhlo.subtract %8, %15 : tensor<8x10xf32>
    %17 = mhlo.exponential %16 : tensor<8x10xf32>
    %18 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = mhlo.reduce(%17 init: %18) applies mhlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %22 = mhlo.divide %17, %21 : tensor<8x10xf32>
    return %22 : tensor<8x10xf32>
  }
  func.func private @relu(%arg0: tensor<8x32xf32>) -> tensor<8x32xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %2 = mhlo.maximum %arg0, %1 : tensor<8x32xf32>
    return %2 : tensor<8x32xf32>
  }
}
