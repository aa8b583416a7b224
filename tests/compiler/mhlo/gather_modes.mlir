module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<4xi32>, %arg2: tensor<6x2xi32>) -> (tensor<4x5xf32> {jax.result_info = "result[0]"}, tensor<4x5xf32> {jax.result_info = "result[1]"}, tensor<6x4xf32> {jax.result_info = "result[2]"}, tensor<6xf32> {jax.result_info = "result[3]"}, tensor<4x5xf32> {jax.result_info = "result[4]"}, tensor<6x1xf32> {jax.result_info = "result[5]"}, tensor<6x2x3xf32> {jax.result_info = "result[6]"}) {
    %0 = call @_take(%arg0, %arg1) : (tensor<6x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
    %1 = call @_take_0(%arg0, %arg1) : (tensor<6x5xf32>, tensor<4xi32>) -> tensor<4x5xf32>
    %2 = call @_take_1(%arg0, %arg1) : (tensor<6x5xf32>, tensor<4xi32>) -> tensor<6x4xf32>
    %3 = "mhlo.slice"(%arg2) <{limit_indices = dense<[6, 1]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<6x2xi32>) -> tensor<6x1xi32>
    %4 = mhlo.reshape %3 : (tensor<6x1xi32>) -> tensor<6xi32>
    %5 = mhlo.constant dense<6> : tensor<i32>
    %6 = call @remainder_3(%4, %5) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %7 = "mhlo.slice"(%arg2) <{limit_indices = dense<[6, 2]> : tensor<2xi64>, start_indices = dense<[0, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<6x2xi32>) -> tensor<6x1xi32>
    %8 = mhlo.reshape %7 : (tensor<6x1xi32>) -> tensor<6xi32>
    %9 = mhlo.constant dense<5> : tensor<i32>
    %10 = call @remainder_3(%8, %9) : (tensor<6xi32>, tensor<i32>) -> tensor<6xi32>
    %11 = mhlo.constant dense<0> : tensor<i32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %13 = mhlo.compare LT, %6, %12, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %14 = mhlo.constant dense<6> : tensor<i32>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %16 = mhlo.add %6, %15 : tensor<6xi32>
    %17 = mhlo.select %13, %16, %6 : tensor<6xi1>, tensor<6xi32>
    %18 = mhlo.constant dense<0> : tensor<i32>
    %19 = "mhlo.broadcast_in_dim"(%18) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %20 = mhlo.compare LT, %10, %19, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %21 = mhlo.constant dense<5> : tensor<i32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %23 = mhlo.add %10, %22 : tensor<6xi32>
    %24 = mhlo.select %20, %23, %10 : tensor<6xi1>, tensor<6xi32>
    %25 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<6xi32>) -> tensor<6x1xi32>
    %26 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<6xi32>) -> tensor<6x1xi32>
    %27 = "mhlo.concatenate"(%25, %26) <{dimension = 1 : i64}> : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x2xi32>
    %28 = "mhlo.gather"(%arg0, %27) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<6x2xi32>) -> tensor<6xf32>
    %29 = mhlo.constant dense<0> : tensor<i32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %31 = mhlo.compare LT, %arg1, %30, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %32 = mhlo.constant dense<6> : tensor<i32>
    %33 = "mhlo.broadcast_in_dim"(%32) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %34 = mhlo.add %arg1, %33 : tensor<4xi32>
    %35 = mhlo.select %31, %34, %arg1 : tensor<4xi1>, tensor<4xi32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %37 = "mhlo.gather"(%arg0, %36) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 5]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    %38 = "mhlo.slice"(%arg2) <{limit_indices = dense<[6, 1]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<6x2xi32>) -> tensor<6x1xi32>
    %39 = mhlo.abs %38 : tensor<6x1xi32>
    %40 = mhlo.constant dense<5> : tensor<i32>
    %41 = call @remainder_4(%39, %40) : (tensor<6x1xi32>, tensor<i32>) -> tensor<6x1xi32>
    %42 = call @take_along_axis(%arg0, %41) : (tensor<6x5xf32>, tensor<6x1xi32>) -> tensor<6x1xf32>
    %43 = mhlo.constant dense<4> : tensor<i32>
    %44 = call @remainder_5(%arg2, %43) : (tensor<6x2xi32>, tensor<i32>) -> tensor<6x2xi32>
    %45 = "mhlo.gather"(%arg0, %44) <{dimension_numbers = #mhlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[2, 3]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<6x2xi32>) -> tensor<6x2x3xf32>
    return %0, %1, %2, %28, %37, %42, %45 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<6x4xf32>, tensor<6xf32>, tensor<4x5xf32>, tensor<6x1xf32>, tensor<6x2x3xf32>
  }
  func.func private @_take(%arg0: tensor<6x5xf32>, %arg1: tensor<4xi32>) -> tensor<4x5xf32> {
    %0 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %1 = "mhlo.gather"(%arg0, %0) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 5]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
  func.func private @_take_0(%arg0: tensor<6x5xf32>, %arg1: tensor<4xi32>) -> tensor<4x5xf32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %2 = mhlo.compare LT, %arg1, %1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = mhlo.constant dense<6> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = mhlo.add %arg1, %4 : tensor<4xi32>
    %6 = call @_where(%2, %5, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %8 = mhlo.constant dense<5> : tensor<1xi32>
    %9 = mhlo.constant dense<0> : tensor<i32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %11 = mhlo.compare GE, %7, %10, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %12 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<1xi32>) -> tensor<1x1xi32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xi32>) -> tensor<4x1xi32>
    %14 = mhlo.compare LE, %7, %13, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %15 = mhlo.and %11, %14 : tensor<4x1xi1>
    %16 = mhlo.constant dense<true> : tensor<i1>
    %17 = mhlo.reduce(%15 init: %16) applies mhlo.and across dimensions = [1] : (tensor<4x1xi1>, tensor<i1>) -> tensor<4xi1>
    %18 = "mhlo.gather"(%arg0, %7) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 5]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<4x1xi32>) -> tensor<4x5xf32>
    %19 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi1>) -> tensor<4x5xi1>
    %20 = mhlo.constant dense<-5.000000e+00> : tensor<f32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %22 = mhlo.select %19, %18, %21 : tensor<4x5xi1>, tensor<4x5xf32>
    return %22 : tensor<4x5xf32>
  }
  func.func private @_where(%arg0: tensor<4xi1>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>) -> tensor<4xi32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi32>
    return %0 : tensor<4xi32>
  }
  func.func private @_take_1(%arg0: tensor<6x5xf32>, %arg1: tensor<4xi32>) -> tensor<6x4xf32> {
    %0 = mhlo.constant dense<5> : tensor<i32>
    %1 = call @remainder(%arg1, %0) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %3 = "mhlo.gather"(%arg0, %2) <{dimension_numbers = #mhlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[6, 1]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<4x1xi32>) -> tensor<6x4xf32>
    return %3 : tensor<6x4xf32>
  }
  func.func private @remainder(%arg0: tensor<4xi32>, %arg1: tensor<i32>) -> tensor<4xi32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = mhlo.compare EQ, %arg1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = mhlo.constant dense<1> : tensor<i32>
    %3 = call @_where_2(%1, %2, %arg1) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = mhlo.remainder %arg0, %4 : tensor<4xi32>
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %8 = mhlo.compare NE, %5, %7, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %9 = mhlo.constant dense<0> : tensor<i32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %11 = mhlo.compare LT, %5, %10, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %12 = mhlo.constant dense<0> : tensor<i32>
    %13 = mhlo.compare LT, %3, %12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<4xi1>
    %15 = mhlo.compare NE, %11, %14, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %16 = mhlo.and %15, %8 : tensor<4xi1>
    %17 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %18 = mhlo.add %5, %17 : tensor<4xi32>
    %19 = mhlo.select %16, %18, %5 : tensor<4xi1>, tensor<4xi32>
    return %19 : tensor<4xi32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder_3(%arg0: tensor<6xi32>, %arg1: tensor<i32>) -> tensor<6xi32> {
    %0 = mhlo.convert %arg1 : tensor<i32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = mhlo.compare EQ, %0, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = mhlo.constant dense<1> : tensor<i32>
    %4 = call @_where_2(%2, %3, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %6 = mhlo.remainder %arg0, %5 : tensor<6xi32>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %9 = mhlo.compare NE, %6, %8, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %10 = mhlo.constant dense<0> : tensor<i32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %12 = mhlo.compare LT, %6, %11, SIGNED : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = mhlo.compare LT, %4, %13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<6xi1>
    %16 = mhlo.compare NE, %12, %15, UNSIGNED : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %17 = mhlo.and %16, %9 : tensor<6xi1>
    %18 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6xi32>
    %19 = mhlo.add %6, %18 : tensor<6xi32>
    %20 = mhlo.select %17, %19, %6 : tensor<6xi1>, tensor<6xi32>
    return %20 : tensor<6xi32>
  }
  func.func private @remainder_4(%arg0: tensor<6x1xi32>, %arg1: tensor<i32>) -> tensor<6x1xi32> {
    %0 = mhlo.convert %arg1 : tensor<i32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = mhlo.compare EQ, %0, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = mhlo.constant dense<1> : tensor<i32>
    %4 = call @_where_2(%2, %3, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1xi32>
    %6 = mhlo.remainder %arg0, %5 : tensor<6x1xi32>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1xi32>
    %9 = mhlo.compare NE, %6, %8, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %10 = mhlo.constant dense<0> : tensor<i32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1xi32>
    %12 = mhlo.compare LT, %6, %11, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = mhlo.compare LT, %4, %13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<6x1xi1>
    %16 = mhlo.compare NE, %12, %15, UNSIGNED : (tensor<6x1xi1>, tensor<6x1xi1>) -> tensor<6x1xi1>
    %17 = mhlo.and %16, %9 : tensor<6x1xi1>
    %18 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1xi32>
    %19 = mhlo.add %6, %18 : tensor<6x1xi32>
    %20 = mhlo.select %17, %19, %6 : tensor<6x1xi1>, tensor<6x1xi32>
    return %20 : tensor<6x1xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<6x5xf32>, %arg1: tensor<6x1xi32>) -> tensor<6x1xf32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1xi32>
    %2 = mhlo.compare LT, %arg1, %1, SIGNED : (tensor<6x1xi32>, tensor<6x1xi32>) -> tensor<6x1xi1>
    %3 = mhlo.constant dense<5> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1xi32>
    %5 = mhlo.add %arg1, %4 : tensor<6x1xi32>
    %6 = mhlo.select %2, %5, %arg1 : tensor<6x1xi1>, tensor<6x1xi32>
    %7 = mhlo.reshape %6 : (tensor<6x1xi32>) -> tensor<6x1x1xi32>
    %8 = mhlo.constant dense<4> : tensor<1xi32>
    %9 = mhlo.constant dense<0> : tensor<i32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x1x1xi32>
    %11 = mhlo.compare GE, %7, %10, SIGNED : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x1xi1>
    %12 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<2> : tensor<1xi64>}> : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x1xi32>) -> tensor<6x1x1xi32>
    %14 = mhlo.compare LE, %7, %13, SIGNED : (tensor<6x1x1xi32>, tensor<6x1x1xi32>) -> tensor<6x1x1xi1>
    %15 = mhlo.and %11, %14 : tensor<6x1x1xi1>
    %16 = mhlo.constant dense<true> : tensor<i1>
    %17 = mhlo.reduce(%15 init: %16) applies mhlo.and across dimensions = [2] : (tensor<6x1x1xi1>, tensor<i1>) -> tensor<6x1xi1>
    %18 = "mhlo.gather"(%arg0, %7) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<6x1x1xi32>) -> tensor<6x1xf32>
    %19 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<6x1xf32>
    %21 = mhlo.select %17, %18, %20 : tensor<6x1xi1>, tensor<6x1xf32>
    return %21 : tensor<6x1xf32>
  }
  func.func private @remainder_5(%arg0: tensor<6x2xi32>, %arg1: tensor<i32>) -> tensor<6x2xi32> {
    %0 = mhlo.convert %arg1 : tensor<i32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = mhlo.compare EQ, %0, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = mhlo.constant dense<1> : tensor<i32>
    %4 = call @_where_2(%2, %3, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x2xi32>
    %6 = mhlo.remainder %arg0, %5 : tensor<6x2xi32>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x2xi32>
    %9 = mhlo.compare NE, %6, %8, SIGNED : (tensor<6x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi1>
    %10 = mhlo.constant dense<0> : tensor<i32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x2xi32>
    %12 = mhlo.compare LT, %6, %11, SIGNED : (tensor<6x2xi32>, tensor<6x2xi32>) -> tensor<6x2xi1>
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = mhlo.compare LT, %4, %13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<6x2xi1>
    %16 = mhlo.compare NE, %12, %15, UNSIGNED : (tensor<6x2xi1>, tensor<6x2xi1>) -> tensor<6x2xi1>
    %17 = mhlo.and %16, %9 : tensor<6x2xi1>
    %18 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<6x2xi32>
    %19 = mhlo.add %6, %18 : tensor<6x2xi32>
    %20 = mhlo.select %17, %19, %6 : tensor<6x2xi1>, tensor<6x2xi32>
    return %20 : tensor<6x2xi32>
  }
}
