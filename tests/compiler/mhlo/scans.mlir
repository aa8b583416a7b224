module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3x3xf32>) -> (tensor<3xf32> {jax.result_info = "result[0][0]"}, tensor<6xf32> {jax.result_info = "result[0][1]"}, tensor<3xf32> {jax.result_info = "result[1][0]"}, tensor<6xf32> {jax.result_info = "result[1][1]"}, tensor<6x3xf32> {jax.result_info = "result[2]"}) {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<6xf32>
    %2 = mhlo.constant dense<0> : tensor<i32>
    %3:5 = mhlo.while(%iterArg = %arg0, %iterArg_0 = %arg2, %iterArg_1 = %2, %iterArg_2 = %arg1, %iterArg_3 = %1) : tensor<6x3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>
    cond {
      %33 = mhlo.constant dense<6> : tensor<i32>
      %34 = mhlo.compare LT, %iterArg_1, %33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mhlo.return %34 : tensor<i1>
    } do {
      %33 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_1) : (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>
      %34:2 = func.call @closed_call(%iterArg_0, %iterArg_2, %33) : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
      %35 = func.call @dynamic_update_index_in_dim(%iterArg_3, %34#1, %iterArg_1) : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %36 = mhlo.constant dense<1> : tensor<i32>
      %37 = mhlo.add %iterArg_1, %36 : tensor<i32>
      mhlo.return %iterArg, %iterArg_0, %37, %34#0, %35 : tensor<6x3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>
    }
    %4 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<6xf32>
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7:5 = mhlo.while(%iterArg = %arg0, %iterArg_0 = %arg2, %iterArg_1 = %6, %iterArg_2 = %arg1, %iterArg_3 = %5) : tensor<6x3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>
    cond {
      %33 = mhlo.constant dense<6> : tensor<i32>
      %34 = mhlo.compare LT, %iterArg_1, %33, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mhlo.return %34 : tensor<i1>
    } do {
      %33 = mhlo.constant dense<6> : tensor<i32>
      %34 = mhlo.subtract %33, %iterArg_1 : tensor<i32>
      %35 = mhlo.constant dense<1> : tensor<i32>
      %36 = mhlo.subtract %34, %35 : tensor<i32>
      %37 = func.call @dynamic_index_in_dim(%iterArg, %36) : (tensor<6x3xf32>, tensor<i32>) -> tensor<3xf32>
      %38:2 = func.call @closed_call(%iterArg_0, %iterArg_2, %37) : (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>)
      %39 = func.call @dynamic_update_index_in_dim(%iterArg_3, %38#1, %36) : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %40 = mhlo.constant dense<1> : tensor<i32>
      %41 = mhlo.add %iterArg_1, %40 : tensor<i32>
      mhlo.return %iterArg, %iterArg_0, %41, %38#0, %39 : tensor<6x3xf32>, tensor<3x3xf32>, tensor<i32>, tensor<3xf32>, tensor<6xf32>
    }
    %8 = "mhlo.slice"(%arg0) <{limit_indices = dense<[5, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}> : (tensor<6x3xf32>) -> tensor<3x3xf32>
    %9 = "mhlo.slice"(%arg0) <{limit_indices = dense<[6, 3]> : tensor<2xi64>, start_indices = dense<[1, 0]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}> : (tensor<6x3xf32>) -> tensor<3x3xf32>
    %10 = mhlo.add %8, %9 : tensor<3x3xf32>
    %11 = "mhlo.slice"(%10) <{limit_indices = dense<[2, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}> : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %12 = "mhlo.slice"(%10) <{limit_indices = dense<3> : tensor<2xi64>, start_indices = dense<[1, 0]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}> : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %13 = mhlo.add %11, %12 : tensor<1x3xf32>
    %14 = "mhlo.slice"(%10) <{limit_indices = dense<3> : tensor<2xi64>, start_indices = dense<[2, 0]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}> : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %15 = mhlo.add %13, %14 : tensor<1x3xf32>
    %16 = "mhlo.slice"(%10) <{limit_indices = dense<[1, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x3xf32>) -> tensor<1x3xf32>
    %17 = "mhlo.concatenate"(%16, %15) <{dimension = 0 : i64}> : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %18 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = "mhlo.pad"(%17, %18) <{edge_padding_high = dense<0> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<[1, 0]> : tensor<2xi64>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %20 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = "mhlo.pad"(%13, %20) <{edge_padding_high = dense<[1, 0]> : tensor<2xi64>, edge_padding_low = dense<[1, 0]> : tensor<2xi64>, interior_padding = dense<[1, 0]> : tensor<2xi64>}> : (tensor<1x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %22 = mhlo.add %19, %21 : tensor<3x3xf32>
    %23 = "mhlo.slice"(%22) <{limit_indices = dense<[2, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<3x3xf32>) -> tensor<2x3xf32>
    %24 = "mhlo.slice"(%arg0) <{limit_indices = dense<[6, 3]> : tensor<2xi64>, start_indices = dense<[2, 0]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}> : (tensor<6x3xf32>) -> tensor<2x3xf32>
    %25 = mhlo.add %23, %24 : tensor<2x3xf32>
    %26 = "mhlo.slice"(%arg0) <{limit_indices = dense<[1, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<6x3xf32>) -> tensor<1x3xf32>
    %27 = "mhlo.concatenate"(%26, %25) <{dimension = 0 : i64}> : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
    %28 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = "mhlo.pad"(%27, %28) <{edge_padding_high = dense<[1, 0]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<[1, 0]> : tensor<2xi64>}> : (tensor<3x3xf32>, tensor<f32>) -> tensor<6x3xf32>
    %30 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = "mhlo.pad"(%22, %30) <{edge_padding_high = dense<0> : tensor<2xi64>, edge_padding_low = dense<[1, 0]> : tensor<2xi64>, interior_padding = dense<[1, 0]> : tensor<2xi64>}> : (tensor<3x3xf32>, tensor<f32>) -> tensor<6x3xf32>
    %32 = mhlo.add %29, %31 : tensor<6x3xf32>
    return %3#3, %3#4, %7#3, %7#4, %32 : tensor<3xf32>, tensor<6xf32>, tensor<3xf32>, tensor<6xf32>, tensor<6x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x3xf32>, %arg1: tensor<i32>) -> tensor<3xf32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = "mhlo.dynamic_slice"(%arg0, %arg1, %0) <{slice_sizes = dense<[1, 3]> : tensor<2xi64>}> : (tensor<6x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %2 = mhlo.reshape %1 : (tensor<1x3xf32>) -> tensor<3xf32>
    return %2 : tensor<3xf32>
  }
  func.func private @closed_call(%arg0: tensor<3x3xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
    %0 = "mhlo.dot_general"(%arg1, %arg0) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %1 = mhlo.add %0, %arg2 : tensor<3xf32>
    %2 = mhlo.tanh %1 : tensor<3xf32>
    %3 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = mhlo.reduce(%2 init: %3) applies mhlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    return %2, %4 : tensor<3xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>) -> tensor<6xf32> {
    %0 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = mhlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}
