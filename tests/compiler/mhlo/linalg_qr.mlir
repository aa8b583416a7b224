module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x3xf32>, %arg1: tensor<2x4x4xf32>, %arg2: tensor<3x5xf32>, %arg3: tensor<6x4xcomplex<f32>>) -> (tensor<5x3xf32> {jax.result_info = "result[0]"}, tensor<2x4x4xf32> {jax.result_info = "result[1]"}, tensor<3x5xf32> {jax.result_info = "result[2]"}, tensor<6x4xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<3x3xf32> {jax.result_info = "result[4]"}, tensor<2x4x4xf32> {jax.result_info = "result[5]"}, tensor<3x5xf32> {jax.result_info = "result[6]"}, tensor<4x4xf32> {jax.result_info = "result[7]"}) {
    %0:2 = call @qr(%arg0) : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>)
    %1:2 = call @qr_0(%arg1) : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>)
    %2:2 = call @qr_1(%arg2) : (tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>)
    %3:2 = call @qr_2(%arg3) : (tensor<6x4xcomplex<f32>>) -> (tensor<6x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>)
    %4 = "mhlo.dot_general"(%0#0, %0#1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<5x3xf32>, tensor<3x3xf32>) -> tensor<5x3xf32>
    %5 = "mhlo.dot_general"(%1#0, %1#1) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
    %6 = "mhlo.dot_general"(%2#0, %2#1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3x3xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
    %7 = "mhlo.dot_general"(%3#0, %3#1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<6x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %8 = mhlo.abs %0#1 : tensor<3x3xf32>
    %9 = mhlo.abs %1#1 : tensor<2x4x4xf32>
    %10 = mhlo.abs %2#1 : tensor<3x5xf32>
    %11 = mhlo.abs %3#1 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    return %4, %5, %6, %7, %8, %9, %10, %11 : tensor<5x3xf32>, tensor<2x4x4xf32>, tensor<3x5xf32>, tensor<6x4xcomplex<f32>>, tensor<3x3xf32>, tensor<2x4x4xf32>, tensor<3x5xf32>, tensor<4x4xf32>
  }
  func.func private @qr(%arg0: tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3x3xf32>) {
    %0:2 = mhlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
    %1 = mhlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) {backend_config = ""} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
    %2 = "mhlo.slice"(%0#0) <{limit_indices = dense<3> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x3xf32>) -> tensor<3x3xf32>
    %3 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x3xi32>
    %4 = mhlo.constant dense<-1> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<3x3xi32>
    %6 = mhlo.add %3, %5 : tensor<3x3xi32>
    %7 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x3xi32>
    %8 = mhlo.compare GE, %6, %7, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %11 = mhlo.select %8, %10, %2 : tensor<3x3xi1>, tensor<3x3xf32>
    return %1, %11 : tensor<5x3xf32>, tensor<3x3xf32>
  }
  func.func private @qr_0(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4x4xf32>) {
    %0:2 = mhlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
    %1 = mhlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) {backend_config = ""} : (tensor<2x4x4xf32>, tensor<2x4xf32>) -> tensor<2x4x4xf32>
    %2 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %3 = mhlo.constant dense<-1> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %5 = mhlo.add %2, %4 : tensor<4x4xi32>
    %6 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %7 = mhlo.compare GE, %5, %6, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x4x4xf32>
    %11 = mhlo.select %8, %10, %0#0 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
    return %1, %11 : tensor<2x4x4xf32>, tensor<2x4x4xf32>
  }
  func.func private @qr_1(%arg0: tensor<3x5xf32>) -> (tensor<3x3xf32>, tensor<3x5xf32>) {
    %0:2 = mhlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
    %1 = "mhlo.slice"(%0#0) <{limit_indices = dense<3> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x5xf32>) -> tensor<3x3xf32>
    %2 = mhlo.custom_call @ProductOfElementaryHouseholderReflectors(%1, %0#1) {backend_config = ""} : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
    %3 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x5xi32>
    %4 = mhlo.constant dense<-1> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<3x5xi32>
    %6 = mhlo.add %3, %5 : tensor<3x5xi32>
    %7 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x5xi32>
    %8 = mhlo.compare GE, %6, %7, SIGNED : (tensor<3x5xi32>, tensor<3x5xi32>) -> tensor<3x5xi1>
    %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %11 = mhlo.select %8, %10, %0#0 : tensor<3x5xi1>, tensor<3x5xf32>
    return %2, %11 : tensor<3x3xf32>, tensor<3x5xf32>
  }
  func.func private @qr_2(%arg0: tensor<6x4xcomplex<f32>>) -> (tensor<6x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) {
    %0:2 = mhlo.custom_call @Qr(%arg0) {backend_config = ""} : (tensor<6x4xcomplex<f32>>) -> (tensor<6x4xcomplex<f32>>, tensor<4xcomplex<f32>>)
    %1 = mhlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %0#1) {backend_config = ""} : (tensor<6x4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
    %2 = "mhlo.slice"(%0#0) <{limit_indices = dense<4> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<6x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %3 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %4 = mhlo.constant dense<-1> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %6 = mhlo.add %3, %5 : tensor<4x4xi32>
    %7 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %8 = mhlo.compare GE, %6, %7, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %9 = mhlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %11 = mhlo.select %8, %10, %2 : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>
    return %1, %11 : tensor<6x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>
  }
}
