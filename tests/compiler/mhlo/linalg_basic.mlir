module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x3xf32>) -> (tensor<4x4xf32> {jax.result_info = "result[0]"}, tensor<4x3xf32> {jax.result_info = "result[1]"}, tensor<3x4xf32> {jax.result_info = "result[2]"}, tensor<4x3xf32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}) {
    %0 = "mhlo.transpose"(%arg0) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "mhlo.dot_general"(%arg0, %0) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %3 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %4 = mhlo.constant dense<0> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %6 = mhlo.add %2, %5 : tensor<4x4xi32>
    %7 = mhlo.compare EQ, %6, %3, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %8 = mhlo.convert %7 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %9 = mhlo.constant dense<4.000000e+00> : tensor<f32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %11 = mhlo.multiply %10, %8 : tensor<4x4xf32>
    %12 = mhlo.add %1, %11 : tensor<4x4xf32>
    %13 = call @cholesky(%12) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %14 = "mhlo.triangular_solve"(%13, %arg1) <{left_side = true, lower = true, transpose_a = #mhlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %15 = "mhlo.transpose"(%arg1) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
    %16 = "mhlo.triangular_solve"(%13, %15) <{left_side = false, lower = true, transpose_a = #mhlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %17 = call @tril(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %18 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %19 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %20 = mhlo.constant dense<0> : tensor<i32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %22 = mhlo.add %18, %21 : tensor<4x4xi32>
    %23 = mhlo.compare EQ, %22, %19, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %24 = mhlo.convert %23 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %25 = mhlo.add %17, %24 : tensor<4x4xf32>
    %26 = "mhlo.triangular_solve"(%25, %arg1) <{left_side = true, lower = true, transpose_a = #mhlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %27 = call @det(%12) : (tensor<4x4xf32>) -> tensor<f32>
    return %13, %14, %16, %26, %27 : tensor<4x4xf32>, tensor<4x3xf32>, tensor<3x4xf32>, tensor<4x3xf32>, tensor<f32>
  }
  func.func private @cholesky(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "mhlo.transpose"(%arg0) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = mhlo.add %arg0, %0 : tensor<4x4xf32>
    %2 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %4 = mhlo.divide %1, %3 : tensor<4x4xf32>
    %5 = "mhlo.cholesky"(%4) <{lower = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %6 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %9 = mhlo.add %6, %8 : tensor<4x4xi32>
    %10 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %11 = mhlo.compare GE, %9, %10, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %12 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %14 = mhlo.select %11, %5, %13 : tensor<4x4xi1>, tensor<4x4xf32>
    return %14 : tensor<4x4xf32>
  }
  func.func private @tril(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %1 = mhlo.constant dense<-1> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %3 = mhlo.add %0, %2 : tensor<4x4xi32>
    %4 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %5 = mhlo.compare GE, %3, %4, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %6 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %8 = mhlo.select %5, %arg0, %7 : tensor<4x4xi1>, tensor<4x4xf32>
    return %8 : tensor<4x4xf32>
  }
  func.func private @det(%arg0: tensor<4x4xf32>) -> tensor<f32> {
    %0:2 = call @slogdet(%arg0) : (tensor<4x4xf32>) -> (tensor<f32>, tensor<f32>)
    %1 = mhlo.exponential %0#1 : tensor<f32>
    %2 = mhlo.multiply %0#0, %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @slogdet(%arg0: tensor<4x4xf32>) -> (tensor<f32>, tensor<f32>) {
    %0 = mhlo.constant dense<> : tensor<0xi32>
    %1 = mhlo.constant dense<> : tensor<0xi32>
    %2 = mhlo.constant dense<> : tensor<0xi32>
    %3 = mhlo.constant dense<> : tensor<0xi32>
    %4 = mhlo.constant dense<0> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %6 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %9 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %10 = mhlo.constant dense<0> : tensor<i32>
    %11 = mhlo.constant dense<0> : tensor<i32>
    %12:5 = mhlo.while(%iterArg = %11, %iterArg_0 = %10, %iterArg_1 = %8, %iterArg_2 = %9, %iterArg_3 = %arg0) : tensor<i32>, tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4x4xf32>
    cond {
      %75 = mhlo.constant dense<4> : tensor<i32>
      %76 = mhlo.compare LT, %iterArg, %75, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mhlo.return %76 : tensor<i1>
    } do {
      %75:4 = func.call @closed_call(%iterArg_0, %iterArg_1, %iterArg_2, %iterArg_3) : (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4x4xf32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4x4xf32>)
      %76 = mhlo.constant dense<1> : tensor<i32>
      %77 = mhlo.add %iterArg, %76 : tensor<i32>
      mhlo.return %77, %75#0, %75#1, %75#2, %75#3 : tensor<i32>, tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4x4xf32>
    }
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %15 = mhlo.add %12#2, %14 : tensor<4xi32>
    %16 = "mhlo.scatter"(%5, %0, %15) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      mhlo.return %arg2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<0xi32>, tensor<4xi32>) -> tensor<4xi32>
    %17 = mhlo.constant dense<0> : tensor<i32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %19 = mhlo.add %12#3, %18 : tensor<4xi32>
    %20 = mhlo.constant dense<0> : tensor<i32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %22 = mhlo.compare LT, %19, %21, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %23 = mhlo.constant dense<4> : tensor<i32>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %25 = mhlo.add %19, %24 : tensor<4xi32>
    %26 = mhlo.select %22, %25, %19 : tensor<4xi1>, tensor<4xi32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %28 = "mhlo.gather"(%6, %27) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<1xi64>}> : (tensor<4xi32>, tensor<4x1xi32>) -> tensor<4xi32>
    %29 = "mhlo.scatter"(%6, %1, %28) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      mhlo.return %arg2 : tensor<i32>
    }) : (tensor<4xi32>, tensor<0xi32>, tensor<4xi32>) -> tensor<4xi32>
    %30 = mhlo.constant dense<0> : tensor<i32>
    %31 = "mhlo.broadcast_in_dim"(%30) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %32 = mhlo.add %12#3, %31 : tensor<4xi32>
    %33 = mhlo.constant dense<0> : tensor<i32>
    %34 = "mhlo.broadcast_in_dim"(%33) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %35 = mhlo.compare LT, %32, %34, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %36 = mhlo.constant dense<4> : tensor<i32>
    %37 = "mhlo.broadcast_in_dim"(%36) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %38 = mhlo.add %32, %37 : tensor<4xi32>
    %39 = mhlo.select %35, %38, %32 : tensor<4xi1>, tensor<4xi32>
    %40 = "mhlo.broadcast_in_dim"(%39) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %41 = "mhlo.gather"(%arg0, %40) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 4]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
    %42 = "mhlo.scatter"(%arg0, %2, %41) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      mhlo.return %arg2 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<0xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %43 = "mhlo.scatter"(%42, %3, %12#4) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      mhlo.return %arg2 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<0xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %44 = call @diagonal(%43) : (tensor<4x4xf32>) -> tensor<4xf32>
    %45 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = "mhlo.broadcast_in_dim"(%45) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %47 = mhlo.compare EQ, %44, %46, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %48 = mhlo.constant dense<false> : tensor<i1>
    %49 = mhlo.reduce(%47 init: %48) applies mhlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
    %50 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %51 = mhlo.compare NE, %16, %50, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %52 = call @count_nonzero(%51) : (tensor<4xi1>) -> tensor<i32>
    %53 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = "mhlo.broadcast_in_dim"(%53) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %55 = mhlo.compare LT, %44, %54, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %56 = call @count_nonzero(%55) : (tensor<4xi1>) -> tensor<i32>
    %57 = mhlo.add %52, %56 : tensor<i32>
    %58 = mhlo.constant dense<2> : tensor<i32>
    %59 = call @remainder(%57, %58) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %60 = mhlo.constant dense<-2> : tensor<i32>
    %61 = mhlo.multiply %60, %59 : tensor<i32>
    %62 = mhlo.constant dense<1> : tensor<i32>
    %63 = mhlo.add %61, %62 : tensor<i32>
    %64 = mhlo.convert %63 : (tensor<i32>) -> tensor<f32>
    %65 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = mhlo.multiply %65, %64 : tensor<f32>
    %67 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = call @_where_0(%49, %67, %66) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %69 = mhlo.abs %44 : tensor<4xf32>
    %70 = mhlo.log %69 : tensor<4xf32>
    %71 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = mhlo.reduce(%70 init: %71) applies mhlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %73 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %74 = call @_where_0(%49, %73, %72) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    return %68, %74 : tensor<f32>, tensor<f32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4xi32>, %arg2: tensor<4xi32>, %arg3: tensor<4x4xf32>) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4x4xf32>) {
    %0 = mhlo.constant dense<1> : tensor<i32>
    %1 = mhlo.add %arg0, %0 : tensor<i32>
    %2 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %3 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %4 = mhlo.convert %arg0 : tensor<i32>
    %5 = mhlo.constant dense<0> : tensor<i32>
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7 = mhlo.compare LT, %5, %6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = mhlo.constant dense<0> : tensor<i32>
    %9 = mhlo.constant dense<4> : tensor<i32>
    %10 = mhlo.add %8, %9 : tensor<i32>
    %11 = mhlo.constant dense<0> : tensor<i32>
    %12 = mhlo.select %7, %10, %11 : tensor<i1>, tensor<i32>
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = mhlo.compare LT, %4, %13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %15 = mhlo.constant dense<4> : tensor<i32>
    %16 = mhlo.add %4, %15 : tensor<i32>
    %17 = mhlo.select %14, %16, %4 : tensor<i1>, tensor<i32>
    %18 = "mhlo.dynamic_slice"(%arg3, %12, %17) <{slice_sizes = dense<[4, 1]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x1xf32>
    %19 = mhlo.reshape %18 : (tensor<4x1xf32>) -> tensor<4xf32>
    %20 = mhlo.abs %19 : tensor<4xf32>
    %21 = mhlo.convert %arg0 : tensor<i32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %23 = mhlo.compare GE, %2, %22, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %24 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %26 = mhlo.select %23, %20, %25 : tensor<4xi1>, tensor<4xf32>
    %27 = call @argmax(%26) : (tensor<4xf32>) -> tensor<i32>
    %28 = mhlo.constant dense<0> : tensor<i32>
    %29 = mhlo.compare LT, %arg0, %28, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %30 = mhlo.constant dense<4> : tensor<i32>
    %31 = mhlo.add %arg0, %30 : tensor<i32>
    %32 = mhlo.select %29, %31, %arg0 : tensor<i1>, tensor<i32>
    %33 = mhlo.convert %32 : tensor<i32>
    %34 = "mhlo.broadcast_in_dim"(%33) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %35 = "mhlo.scatter"(%arg1, %34, %27) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      mhlo.return %arg5 : tensor<i32>
    }) : (tensor<4xi32>, tensor<1xi32>, tensor<i32>) -> tensor<4xi32>
    %36 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %37 = mhlo.convert %arg0 : tensor<i32>
    %38 = "mhlo.broadcast_in_dim"(%37) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %39 = "mhlo.concatenate"(%36, %38) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %40 = mhlo.constant dense<0> : tensor<i32>
    %41 = "mhlo.broadcast_in_dim"(%40) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %42 = mhlo.compare LT, %39, %41, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %43 = mhlo.constant dense<4> : tensor<i32>
    %44 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %45 = mhlo.add %39, %44 : tensor<2xi32>
    %46 = mhlo.select %42, %45, %39 : tensor<2xi1>, tensor<2xi32>
    %47 = "mhlo.broadcast_in_dim"(%46) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %48 = "mhlo.gather"(%arg3, %47) <{dimension_numbers = #mhlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<[1, 4]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %49 = mhlo.convert %arg0 : tensor<i32>
    %50 = "mhlo.broadcast_in_dim"(%49) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %51 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %52 = "mhlo.concatenate"(%50, %51) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %53 = mhlo.constant dense<0> : tensor<i32>
    %54 = "mhlo.broadcast_in_dim"(%53) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %55 = mhlo.compare LT, %52, %54, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %56 = mhlo.constant dense<4> : tensor<i32>
    %57 = "mhlo.broadcast_in_dim"(%56) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %58 = mhlo.add %52, %57 : tensor<2xi32>
    %59 = mhlo.select %55, %58, %52 : tensor<2xi1>, tensor<2xi32>
    %60 = "mhlo.broadcast_in_dim"(%59) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %61 = "mhlo.scatter"(%arg3, %60, %48) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      mhlo.return %arg5 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %62 = mhlo.convert %arg0 : tensor<i32>
    %63 = "mhlo.broadcast_in_dim"(%62) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %64 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %65 = "mhlo.concatenate"(%63, %64) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %66 = mhlo.constant dense<0> : tensor<i32>
    %67 = "mhlo.broadcast_in_dim"(%66) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %68 = mhlo.compare LT, %65, %67, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %69 = mhlo.constant dense<4> : tensor<i32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %71 = mhlo.add %65, %70 : tensor<2xi32>
    %72 = mhlo.select %68, %71, %65 : tensor<2xi1>, tensor<2xi32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %74 = "mhlo.gather"(%arg2, %73) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<1xi64>}> : (tensor<4xi32>, tensor<2x1xi32>) -> tensor<2xi32>
    %75 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %76 = mhlo.convert %arg0 : tensor<i32>
    %77 = "mhlo.broadcast_in_dim"(%76) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %78 = "mhlo.concatenate"(%75, %77) <{dimension = 0 : i64}> : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %79 = mhlo.constant dense<0> : tensor<i32>
    %80 = "mhlo.broadcast_in_dim"(%79) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %81 = mhlo.compare LT, %78, %80, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %82 = mhlo.constant dense<4> : tensor<i32>
    %83 = "mhlo.broadcast_in_dim"(%82) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %84 = mhlo.add %78, %83 : tensor<2xi32>
    %85 = mhlo.select %81, %84, %78 : tensor<2xi1>, tensor<2xi32>
    %86 = "mhlo.broadcast_in_dim"(%85) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %87 = "mhlo.scatter"(%arg2, %86, %74) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
      mhlo.return %arg5 : tensor<i32>
    }) : (tensor<4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<4xi32>
    %88 = mhlo.convert %arg0 : tensor<i32>
    %89 = mhlo.convert %arg0 : tensor<i32>
    %90 = mhlo.constant dense<0> : tensor<i32>
    %91 = mhlo.compare LT, %88, %90, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %92 = mhlo.constant dense<4> : tensor<i32>
    %93 = mhlo.add %88, %92 : tensor<i32>
    %94 = mhlo.select %91, %93, %88 : tensor<i1>, tensor<i32>
    %95 = mhlo.constant dense<0> : tensor<i32>
    %96 = mhlo.compare LT, %89, %95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %97 = mhlo.constant dense<4> : tensor<i32>
    %98 = mhlo.add %89, %97 : tensor<i32>
    %99 = mhlo.select %96, %98, %89 : tensor<i1>, tensor<i32>
    %100 = "mhlo.dynamic_slice"(%61, %94, %99) <{slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x1xf32>
    %101 = mhlo.reshape %100 : (tensor<1x1xf32>) -> tensor<f32>
    %102 = mhlo.convert %arg0 : tensor<i32>
    %103 = "mhlo.broadcast_in_dim"(%102) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %104 = mhlo.compare GT, %2, %103, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %105 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = mhlo.compare NE, %101, %105, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<4xi1>
    %108 = mhlo.and %104, %107 : tensor<4xi1>
    %109 = mhlo.convert %arg0 : tensor<i32>
    %110 = mhlo.constant dense<0> : tensor<i32>
    %111 = mhlo.constant dense<0> : tensor<i32>
    %112 = mhlo.compare LT, %110, %111, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %113 = mhlo.constant dense<0> : tensor<i32>
    %114 = mhlo.constant dense<4> : tensor<i32>
    %115 = mhlo.add %113, %114 : tensor<i32>
    %116 = mhlo.constant dense<0> : tensor<i32>
    %117 = mhlo.select %112, %115, %116 : tensor<i1>, tensor<i32>
    %118 = mhlo.constant dense<0> : tensor<i32>
    %119 = mhlo.compare LT, %109, %118, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %120 = mhlo.constant dense<4> : tensor<i32>
    %121 = mhlo.add %109, %120 : tensor<i32>
    %122 = mhlo.select %119, %121, %109 : tensor<i1>, tensor<i32>
    %123 = "mhlo.dynamic_slice"(%61, %117, %122) <{slice_sizes = dense<[4, 1]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x1xf32>
    %124 = mhlo.reshape %123 : (tensor<4x1xf32>) -> tensor<4xf32>
    %125 = "mhlo.broadcast_in_dim"(%101) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %126 = mhlo.divide %124, %125 : tensor<4xf32>
    %127 = mhlo.convert %arg0 : tensor<i32>
    %128 = mhlo.constant dense<0> : tensor<i32>
    %129 = mhlo.constant dense<0> : tensor<i32>
    %130 = mhlo.compare LT, %128, %129, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %131 = mhlo.constant dense<0> : tensor<i32>
    %132 = mhlo.constant dense<4> : tensor<i32>
    %133 = mhlo.add %131, %132 : tensor<i32>
    %134 = mhlo.constant dense<0> : tensor<i32>
    %135 = mhlo.select %130, %133, %134 : tensor<i1>, tensor<i32>
    %136 = mhlo.constant dense<0> : tensor<i32>
    %137 = mhlo.compare LT, %127, %136, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %138 = mhlo.constant dense<4> : tensor<i32>
    %139 = mhlo.add %127, %138 : tensor<i32>
    %140 = mhlo.select %137, %139, %127 : tensor<i1>, tensor<i32>
    %141 = "mhlo.dynamic_slice"(%61, %135, %140) <{slice_sizes = dense<[4, 1]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x1xf32>
    %142 = mhlo.reshape %141 : (tensor<4x1xf32>) -> tensor<4xf32>
    %143 = mhlo.select %108, %126, %142 : tensor<4xi1>, tensor<4xf32>
    %144 = mhlo.constant dense<0> : tensor<i32>
    %145 = mhlo.compare LT, %arg0, %144, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %146 = mhlo.constant dense<4> : tensor<i32>
    %147 = mhlo.add %arg0, %146 : tensor<i32>
    %148 = mhlo.select %145, %147, %arg0 : tensor<i1>, tensor<i32>
    %149 = mhlo.convert %148 : tensor<i32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %151 = "mhlo.scatter"(%61, %150, %143) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      mhlo.return %arg5 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<1xi32>, tensor<4xf32>) -> tensor<4x4xf32>
    %152 = mhlo.convert %arg0 : tensor<i32>
    %153 = mhlo.constant dense<0> : tensor<i32>
    %154 = mhlo.constant dense<0> : tensor<i32>
    %155 = mhlo.compare LT, %153, %154, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %156 = mhlo.constant dense<0> : tensor<i32>
    %157 = mhlo.constant dense<4> : tensor<i32>
    %158 = mhlo.add %156, %157 : tensor<i32>
    %159 = mhlo.constant dense<0> : tensor<i32>
    %160 = mhlo.select %155, %158, %159 : tensor<i1>, tensor<i32>
    %161 = mhlo.constant dense<0> : tensor<i32>
    %162 = mhlo.compare LT, %152, %161, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %163 = mhlo.constant dense<4> : tensor<i32>
    %164 = mhlo.add %152, %163 : tensor<i32>
    %165 = mhlo.select %162, %164, %152 : tensor<i1>, tensor<i32>
    %166 = "mhlo.dynamic_slice"(%151, %160, %165) <{slice_sizes = dense<[4, 1]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<4x1xf32>
    %167 = mhlo.reshape %166 : (tensor<4x1xf32>) -> tensor<4xf32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xf32>) -> tensor<4x1xf32>
    %169 = mhlo.convert %arg0 : tensor<i32>
    %170 = mhlo.constant dense<0> : tensor<i32>
    %171 = mhlo.compare LT, %169, %170, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %172 = mhlo.constant dense<4> : tensor<i32>
    %173 = mhlo.add %169, %172 : tensor<i32>
    %174 = mhlo.select %171, %173, %169 : tensor<i1>, tensor<i32>
    %175 = mhlo.constant dense<0> : tensor<i32>
    %176 = mhlo.constant dense<0> : tensor<i32>
    %177 = mhlo.compare LT, %175, %176, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %178 = mhlo.constant dense<0> : tensor<i32>
    %179 = mhlo.constant dense<4> : tensor<i32>
    %180 = mhlo.add %178, %179 : tensor<i32>
    %181 = mhlo.constant dense<0> : tensor<i32>
    %182 = mhlo.select %177, %180, %181 : tensor<i1>, tensor<i32>
    %183 = "mhlo.dynamic_slice"(%151, %174, %182) <{slice_sizes = dense<[1, 4]> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %184 = mhlo.reshape %183 : (tensor<1x4xf32>) -> tensor<4xf32>
    %185 = "mhlo.broadcast_in_dim"(%184) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xf32>) -> tensor<1x4xf32>
    %186 = "mhlo.broadcast_in_dim"(%168) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %187 = "mhlo.broadcast_in_dim"(%185) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x4xf32>) -> tensor<4x4xf32>
    %188 = mhlo.multiply %186, %187 : tensor<4x4xf32>
    %189 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %190 = mhlo.convert %arg0 : tensor<i32>
    %191 = "mhlo.broadcast_in_dim"(%190) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %192 = mhlo.compare GT, %189, %191, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
    %193 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<1x4xi32>
    %194 = mhlo.convert %arg0 : tensor<i32>
    %195 = "mhlo.broadcast_in_dim"(%194) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1x4xi32>
    %196 = mhlo.compare GT, %193, %195, SIGNED : (tensor<1x4xi32>, tensor<1x4xi32>) -> tensor<1x4xi1>
    %197 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x1xi1>) -> tensor<4x4xi1>
    %198 = "mhlo.broadcast_in_dim"(%196) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x4xi1>) -> tensor<4x4xi1>
    %199 = mhlo.and %197, %198 : tensor<4x4xi1>
    %200 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = "mhlo.broadcast_in_dim"(%200) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %202 = mhlo.select %199, %188, %201 : tensor<4x4xi1>, tensor<4x4xf32>
    %203 = mhlo.subtract %151, %202 : tensor<4x4xf32>
    return %1, %35, %87, %203 : tensor<i32>, tensor<4xi32>, tensor<4xi32>, tensor<4x4xf32>
  }
  func.func private @argmax(%arg0: tensor<4xf32>) -> tensor<i32> {
    %0 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
    %1 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %2 = mhlo.constant dense<0> : tensor<i32>
    %3:2 = mhlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = mhlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = mhlo.or %4, %5 : tensor<i1>
      %7 = mhlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = mhlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = mhlo.and %7, %8 : tensor<i1>
      %10 = mhlo.or %6, %9 : tensor<i1>
      %11 = mhlo.select %6, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %12 = mhlo.select %10, %arg2, %arg4 : tensor<i1>, tensor<i32>
      mhlo.return %11, %12 : tensor<f32>, tensor<i32>
    }
    return %3#1 : tensor<i32>
  }
  func.func private @diagonal(%arg0: tensor<4x4xf32>) -> tensor<4xf32> {
    %0 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %1 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %2 = mhlo.constant dense<0> : tensor<i32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x4xi32>
    %4 = mhlo.add %0, %3 : tensor<4x4xi32>
    %5 = mhlo.compare EQ, %4, %1, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %6 = mhlo.convert %5 : (tensor<4x4xi1>) -> tensor<4x4xf32>
    %7 = mhlo.constant dense<1> : tensor<i32>
    %8 = "mhlo.case"(%7) ({
      %10 = mhlo.constant dense<0> : tensor<i32>
      mhlo.return %10 : tensor<i32>
    }, {
      %10 = mhlo.constant dense<0> : tensor<i32>
      mhlo.return %10 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %9 = "mhlo.case"(%8) ({
      %10 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
      %11 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4xi32>
      %12 = mhlo.constant dense<0> : tensor<i32>
      %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
      %14 = mhlo.compare LT, %10, %13, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %15 = mhlo.constant dense<4> : tensor<i32>
      %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
      %17 = mhlo.add %10, %16 : tensor<4xi32>
      %18 = mhlo.select %14, %17, %10 : tensor<4xi1>, tensor<4xi32>
      %19 = mhlo.constant dense<0> : tensor<i32>
      %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
      %21 = mhlo.compare LT, %11, %20, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %22 = mhlo.constant dense<4> : tensor<i32>
      %23 = "mhlo.broadcast_in_dim"(%22) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
      %24 = mhlo.add %11, %23 : tensor<4xi32>
      %25 = mhlo.select %21, %24, %11 : tensor<4xi1>, tensor<4xi32>
      %26 = "mhlo.broadcast_in_dim"(%18) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
      %27 = "mhlo.broadcast_in_dim"(%25) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
      %28 = "mhlo.concatenate"(%26, %27) <{dimension = 1 : i64}> : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
      %29 = "mhlo.gather"(%arg0, %28) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<4x4xf32>, tensor<4x2xi32>) -> tensor<4xf32>
      mhlo.return %29 : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>
    return %9 : tensor<4xf32>
  }
  func.func private @count_nonzero(%arg0: tensor<4xi1>) -> tensor<i32> {
    %0 = mhlo.constant dense<false> : tensor<i1>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<4xi1>
    %2 = mhlo.compare NE, %arg0, %1, UNSIGNED : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %3 = mhlo.convert %2 : (tensor<4xi1>) -> tensor<4xi32>
    %4 = mhlo.constant dense<0> : tensor<i32>
    %5 = mhlo.reduce(%3 init: %4) applies mhlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
    return %5 : tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = mhlo.convert %arg1 : tensor<i32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = mhlo.compare EQ, %0, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = mhlo.constant dense<1> : tensor<i32>
    %4 = call @_where(%2, %3, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %5 = mhlo.remainder %arg0, %4 : tensor<i32>
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7 = mhlo.compare NE, %5, %6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = mhlo.constant dense<0> : tensor<i32>
    %9 = mhlo.compare LT, %5, %8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = mhlo.constant dense<0> : tensor<i32>
    %11 = mhlo.compare LT, %4, %10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %12 = mhlo.compare NE, %9, %11, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %13 = mhlo.and %12, %7 : tensor<i1>
    %14 = mhlo.add %5, %4 : tensor<i32>
    %15 = mhlo.select %13, %14, %5 : tensor<i1>, tensor<i32>
    return %15 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
}
