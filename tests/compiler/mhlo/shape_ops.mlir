module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf32>) -> (tensor<2x3x4x5xf32> {jax.result_info = "result[0]"}, tensor<6x5xf32> {jax.result_info = "result[1]"}, tensor<5x3xf32> {jax.result_info = "result[2]"}, tensor<5x3xf32> {jax.result_info = "result[3]"}, tensor<5x2x3xf32> {jax.result_info = "result[4]"}, tensor<2x2xf32> {jax.result_info = "result[5]"}, tensor<3x5xf32> {jax.result_info = "result[6]"}, tensor<3x5xf32> {jax.result_info = "result[7]"}, tensor<6x14xf32> {jax.result_info = "result[8]"}, tensor<6x5xf32> {jax.result_info = "result[9]"}, tensor<7x5xf32> {jax.result_info = "result[10]"}, tensor<3x10xf32> {jax.result_info = "result[11]"}, tensor<7xi32> {jax.result_info = "result[12]"}, tensor<3x4xf32> {jax.result_info = "result[13]"}, tensor<5xf32> {jax.result_info = "result[14]"}, tensor<6x10xf32> {jax.result_info = "result[15]"}, tensor<1x5xf32> {jax.result_info = "result[16]"}) {
    %0 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<[1, 3]> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<2x3x4x5xf32>
    %1 = "mhlo.slice"(%arg0) <{limit_indices = dense<[1, 5]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<6x5xf32>
    %3 = mhlo.reshape %arg0 : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %4 = "mhlo.transpose"(%arg0) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<5x3xf32>
    %5 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<2x3x5xf32>
    %6 = "mhlo.transpose"(%5) <{permutation = dense<[2, 0, 1]> : tensor<3xi64>}> : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
    %7 = "mhlo.slice"(%arg0) <{limit_indices = dense<[3, 5]> : tensor<2xi64>, start_indices = dense<[0, 1]> : tensor<2xi64>, strides = dense<[2, 3]> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<2x2xf32>
    %8 = "mhlo.reverse"(%arg0) <{dimensions = dense<0> : tensor<1xi64>}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %9 = "mhlo.reverse"(%arg0) <{dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %10 = mhlo.constant dense<9.000000e+00> : tensor<f32>
    %11 = "mhlo.pad"(%arg0, %10) <{edge_padding_high = dense<[2, 1]> : tensor<2xi64>, edge_padding_low = dense<[1, 0]> : tensor<2xi64>, interior_padding = dense<[0, 2]> : tensor<2xi64>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<6x14xf32>
    %12 = mhlo.constant dense<-7.000000e+00> : tensor<f32>
    %13 = "mhlo.pad"(%arg0, %12) <{edge_padding_high = dense<[2, -2]> : tensor<2xi64>, edge_padding_low = dense<[-1, 2]> : tensor<2xi64>, interior_padding = dense<[1, 0]> : tensor<2xi64>}> : (tensor<3x5xf32>, tensor<f32>) -> tensor<6x5xf32>
    %14 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %16 = mhlo.multiply %arg0, %15 : tensor<3x5xf32>
    %17 = "mhlo.slice"(%arg0) <{limit_indices = dense<[1, 5]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %18 = "mhlo.concatenate"(%arg0, %16, %17) <{dimension = 0 : i64}> : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<1x5xf32>) -> tensor<7x5xf32>
    %19 = mhlo.negate %arg0 : tensor<3x5xf32>
    %20 = "mhlo.concatenate"(%arg0, %19) <{dimension = 1 : i64}> : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x10xf32>
    %21 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xi32>
    %22 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xf32>
    %23 = "mhlo.slice"(%arg0) <{limit_indices = dense<[1, 5]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %25 = mhlo.reshape %24 : (tensor<1x1x5xf32>) -> tensor<5xf32>
    %26 = mhlo.reshape %arg0 : (tensor<3x5xf32>) -> tensor<1x3x1x5xf32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<[0, 1, 2, 3]> : tensor<4xi64>}> : (tensor<1x3x1x5xf32>) -> tensor<2x3x2x5xf32>
    %28 = mhlo.reshape %27 : (tensor<2x3x2x5xf32>) -> tensor<6x10xf32>
    %29 = "mhlo.slice"(%arg0) <{limit_indices = dense<[2, 5]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<2x5xf32>
    %30 = "mhlo.slice"(%arg0) <{limit_indices = dense<[3, 5]> : tensor<2xi64>, start_indices = dense<[2, 0]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<1x5xf32>
    return %0, %2, %3, %4, %6, %7, %8, %9, %11, %13, %18, %20, %21, %22, %25, %28, %30 : tensor<2x3x4x5xf32>, tensor<6x5xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x2x3xf32>, tensor<2x2xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<6x14xf32>, tensor<6x5xf32>, tensor<7x5xf32>, tensor<3x10xf32>, tensor<7xi32>, tensor<3x4xf32>, tensor<5xf32>, tensor<6x10xf32>, tensor<1x5xf32>
  }
}
