module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4x4xf64>, %arg1: tensor<2x3x4xf64>, %arg2: tensor<5x5xf64>) -> (tensor<2x4x4xf64> {jax.result_info = "result[0]"}, tensor<2x4x4xf64> {jax.result_info = "result[1]"}, tensor<2x4xi32> {jax.result_info = "result[2]"}, tensor<2x3x4xf64> {jax.result_info = "result[3]"}, tensor<2x3x4xf64> {jax.result_info = "result[4]"}, tensor<2x4xf64> {jax.result_info = "result[5]"}, tensor<2x4x4xf64> {jax.result_info = "result[6]"}, tensor<2x3x4xf64> {jax.result_info = "result[7]"}, tensor<2x3xf64> {jax.result_info = "result[8]"}, tensor<5xf64> {jax.result_info = "result[9]"}, tensor<complex<f64>> {jax.result_info = "result[10]"}, tensor<5x5xf64> {jax.result_info = "result[11]"}, tensor<5x5xf64> {jax.result_info = "result[12]"}, tensor<2x4x3xf64> {jax.result_info = "result[13]"}, tensor<2x3x4xf64> {jax.result_info = "result[14]"}) {
    %0 = "mhlo.transpose"(%arg0) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = "mhlo.dot_general"(%arg0, %0) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %2 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi64>
    %3 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi64>
    %4 = mhlo.constant dense<0> : tensor<i64>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>) -> tensor<4x4xi64>
    %6 = mhlo.add %2, %5 : tensor<4x4xi64>
    %7 = mhlo.compare EQ, %6, %3, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %8 = mhlo.convert %7 : (tensor<4x4xi1>) -> tensor<4x4xf64>
    %9 = mhlo.constant dense<4.000000e+00> : tensor<f64>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<4x4xf64>
    %11 = mhlo.multiply %10, %8 : tensor<4x4xf64>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<4x4xf64>) -> tensor<1x4x4xf64>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x4x4xf64>) -> tensor<2x4x4xf64>
    %14 = mhlo.add %1, %13 : tensor<2x4x4xf64>
    %15:3 = mhlo.custom_call @lapack_dgetrf_ffi(%arg0) {api_version = 4 : i32, backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2xi32>)
    %16 = mhlo.constant dense<1> : tensor<i32>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %18 = mhlo.subtract %15#1, %17 : tensor<2x4xi32>
    %19 = mhlo.constant dense<0> : tensor<i32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %21 = mhlo.compare GE, %15#2, %20, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %23 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %25 = "mhlo.broadcast_in_dim"(%22) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %26 = mhlo.select %25, %15#0, %24 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %27 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x4xi32>
    %28 = mhlo.constant dense<0> : tensor<i64>
    %29 = mhlo.constant dense<0> : tensor<i64>
    %30:4 = mhlo.while(%iterArg = %18, %iterArg_0 = %29, %iterArg_1 = %28, %iterArg_2 = %27) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %96 = mhlo.constant dense<4> : tensor<i64>
      %97 = mhlo.compare LT, %iterArg_0, %96, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      mhlo.return %97 : tensor<i1>
    } do {
      %96:2 = func.call @closed_call(%iterArg, %iterArg_1, %iterArg_2) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %97 = mhlo.constant dense<1> : tensor<i64>
      %98 = mhlo.add %iterArg_0, %97 : tensor<i64>
      mhlo.return %iterArg, %98, %96#0, %96#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %31:2 = call @qr(%arg1) : (tensor<2x3x4xf64>) -> (tensor<2x3x3xf64>, tensor<2x3x4xf64>)
    %32:2 = call @eigh(%14) : (tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>)
    %33:3 = call @svd(%arg1) : (tensor<2x3x4xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3x4xf64>)
    %34:5 = mhlo.custom_call @lapack_dgeev_ffi(%arg2) {api_version = 4 : i32, backend_config = {compute_left = 86 : ui8, compute_right = 86 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k], [l], [m, n], [o, p], []) {i=5, j=5, k=5, l=5, m=5, n=5, o=5, p=5}, custom>} : (tensor<5x5xf64>) -> (tensor<5xf64>, tensor<5xf64>, tensor<5x5xcomplex<f64>>, tensor<5x5xcomplex<f64>>, tensor<i32>)
    %35 = mhlo.complex %34#0, %34#1 : tensor<5xcomplex<f64>>
    %36 = mhlo.constant dense<0> : tensor<i32>
    %37 = "mhlo.broadcast_in_dim"(%36) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<i32>
    %38 = mhlo.compare EQ, %34#4, %37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<1xi1>
    %40 = mhlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %41 = "mhlo.broadcast_in_dim"(%40) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<complex<f64>>) -> tensor<5xcomplex<f64>>
    %42 = "mhlo.broadcast_in_dim"(%39) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xi1>) -> tensor<5xi1>
    %43 = mhlo.select %42, %35, %41 : tensor<5xi1>, tensor<5xcomplex<f64>>
    %44 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %45 = mhlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %46 = "mhlo.broadcast_in_dim"(%45) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<complex<f64>>) -> tensor<5x5xcomplex<f64>>
    %47 = "mhlo.broadcast_in_dim"(%44) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xi1>) -> tensor<5x5xi1>
    %48 = mhlo.select %47, %34#2, %46 : tensor<5x5xi1>, tensor<5x5xcomplex<f64>>
    %49 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<1x1xi1>
    %50 = mhlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
    %51 = "mhlo.broadcast_in_dim"(%50) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<complex<f64>>) -> tensor<5x5xcomplex<f64>>
    %52 = "mhlo.broadcast_in_dim"(%49) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xi1>) -> tensor<5x5xi1>
    %53 = mhlo.select %52, %34#3, %51 : tensor<5x5xi1>, tensor<5x5xcomplex<f64>>
    %54 = call @cholesky(%14) : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %55 = "mhlo.dot_general"(%31#0, %31#1) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
    %56 = mhlo.abs %31#1 : tensor<2x3x4xf64>
    %57 = mhlo.abs %32#1 : tensor<2x4x4xf64>
    %58 = "mhlo.broadcast_in_dim"(%33#1) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<2x3xf64>) -> tensor<2x1x3xf64>
    %59 = "mhlo.broadcast_in_dim"(%58) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x3xf64>) -> tensor<2x3x3xf64>
    %60 = mhlo.multiply %33#0, %59 : tensor<2x3x3xf64>
    %61 = "mhlo.dot_general"(%60, %33#2) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x3x3xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
    %62 = call @svd_0(%arg2) : (tensor<5x5xf64>) -> tensor<5xf64>
    %63 = mhlo.multiply %43, %43 : tensor<5xcomplex<f64>>
    %64 = mhlo.multiply %63, %43 : tensor<5xcomplex<f64>>
    %65 = mhlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %66 = mhlo.reduce(%64 init: %65) applies mhlo.add across dimensions = [0] : (tensor<5xcomplex<f64>>, tensor<complex<f64>>) -> tensor<complex<f64>>
    %67 = mhlo.convert %arg2 : (tensor<5x5xf64>) -> tensor<5x5xcomplex<f64>>
    %68 = mhlo.convert %53 : tensor<5x5xcomplex<f64>>
    %69 = "mhlo.dot_general"(%67, %68) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<5x5xcomplex<f64>>, tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
    %70 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xcomplex<f64>>) -> tensor<1x5xcomplex<f64>>
    %71 = "mhlo.broadcast_in_dim"(%70) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
    %72 = mhlo.multiply %53, %71 : tensor<5x5xcomplex<f64>>
    %73 = mhlo.subtract %69, %72 : tensor<5x5xcomplex<f64>>
    %74 = mhlo.abs %73 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
    %75 = mhlo.real %48 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
    %76 = mhlo.imag %48 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
    %77 = mhlo.negate %76 : tensor<5x5xf64>
    %78 = mhlo.complex %75, %77 : tensor<5x5xcomplex<f64>>
    %79 = "mhlo.transpose"(%78) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
    %80 = mhlo.convert %79 : tensor<5x5xcomplex<f64>>
    %81 = mhlo.convert %arg2 : (tensor<5x5xf64>) -> tensor<5x5xcomplex<f64>>
    %82 = "mhlo.dot_general"(%80, %81) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<5x5xcomplex<f64>>, tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
    %83 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<5xcomplex<f64>>) -> tensor<5x1xcomplex<f64>>
    %84 = mhlo.real %48 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
    %85 = mhlo.imag %48 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
    %86 = mhlo.negate %85 : tensor<5x5xf64>
    %87 = mhlo.complex %84, %86 : tensor<5x5xcomplex<f64>>
    %88 = "mhlo.transpose"(%87) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
    %89 = "mhlo.broadcast_in_dim"(%83) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<5x1xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
    %90 = mhlo.multiply %89, %88 : tensor<5x5xcomplex<f64>>
    %91 = mhlo.subtract %82, %90 : tensor<5x5xcomplex<f64>>
    %92 = mhlo.abs %91 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
    %93 = "mhlo.transpose"(%arg1) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<2x3x4xf64>) -> tensor<2x4x3xf64>
    %94 = call @solve(%14, %93) : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
    %95 = mhlo.custom_call @lapack_dtrsm_ffi(%14, %arg1) {api_version = 4 : i32, backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=3, m=4, n=3, o=4}, custom>} : (tensor<2x4x4xf64>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
    return %54, %26, %18, %55, %56, %32#0, %57, %61, %33#1, %62, %66, %74, %92, %94, %95 : tensor<2x4x4xf64>, tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2x3x4xf64>, tensor<2x3x4xf64>, tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x3x4xf64>, tensor<2x3xf64>, tensor<5xf64>, tensor<complex<f64>>, tensor<5x5xf64>, tensor<5x5xf64>, tensor<2x4x3xf64>, tensor<2x3x4xf64>
  }
  func.func private @closed_call(%arg0: tensor<2x4xi32>, %arg1: tensor<i64>, %arg2: tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>) {
    %0 = mhlo.constant dense<1> : tensor<i64>
    %1 = mhlo.add %arg1, %0 : tensor<i64>
    %2 = mhlo.constant dense<0> : tensor<i64>
    %3 = mhlo.compare LT, %arg1, %2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %4 = mhlo.convert %arg1 : tensor<i64>
    %5 = mhlo.constant dense<4> : tensor<i64>
    %6 = mhlo.add %4, %5 : tensor<i64>
    %7 = mhlo.select %3, %6, %arg1 : tensor<i1>, tensor<i64>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>) -> tensor<1xi64>
    %9 = "mhlo.gather"(%arg0, %8) <{dimension_numbers = #mhlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = dense<[2, 1]> : tensor<2xi64>}> : (tensor<2x4xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %10 = mhlo.reshape %9 : (tensor<2x1xi32>) -> tensor<2xi32>
    %11 = mhlo.constant dense<0> : tensor<i64>
    %12 = mhlo.compare LT, %arg1, %11, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %13 = mhlo.convert %arg1 : tensor<i64>
    %14 = mhlo.constant dense<4> : tensor<i64>
    %15 = mhlo.add %13, %14 : tensor<i64>
    %16 = mhlo.select %12, %15, %arg1 : tensor<i1>, tensor<i64>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>) -> tensor<1xi64>
    %18 = "mhlo.gather"(%arg2, %17) <{dimension_numbers = #mhlo.gather<offset_dims = [0, 1], start_index_map = [1]>, indices_are_sorted = true, slice_sizes = dense<[2, 1]> : tensor<2xi64>}> : (tensor<2x4xi32>, tensor<1xi64>) -> tensor<2x1xi32>
    %19 = mhlo.reshape %18 : (tensor<2x1xi32>) -> tensor<2xi32>
    %20 = mhlo.constant dense<0> : tensor<i32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %22 = mhlo.compare LT, %10, %21, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %23 = mhlo.constant dense<4> : tensor<i32>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %25 = mhlo.add %10, %24 : tensor<2xi32>
    %26 = mhlo.select %22, %25, %10 : tensor<2xi1>, tensor<2xi32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %28 = "mhlo.gather"(%arg2, %27) <{dimension_numbers = #mhlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = dense<1> : tensor<2xi64>}> : (tensor<2x4xi32>, tensor<2x1xi32>) -> tensor<2x1xi32>
    %29 = mhlo.reshape %28 : (tensor<2x1xi32>) -> tensor<2xi32>
    %30 = mhlo.constant dense<0> : tensor<i64>
    %31 = mhlo.compare LT, %arg1, %30, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %32 = mhlo.constant dense<4> : tensor<i64>
    %33 = mhlo.add %arg1, %32 : tensor<i64>
    %34 = mhlo.select %31, %33, %arg1 : tensor<i1>, tensor<i64>
    %35 = mhlo.convert %34 : (tensor<i64>) -> tensor<i32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %37 = "mhlo.scatter"(%arg2, %36, %29) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      mhlo.return %arg4 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    %38 = mhlo.constant dense<0> : tensor<i32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %40 = mhlo.compare LT, %10, %39, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %41 = mhlo.constant dense<4> : tensor<i32>
    %42 = "mhlo.broadcast_in_dim"(%41) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %43 = mhlo.add %10, %42 : tensor<2xi32>
    %44 = mhlo.select %40, %43, %10 : tensor<2xi1>, tensor<2xi32>
    %45 = "mhlo.broadcast_in_dim"(%44) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %46 = "mhlo.scatter"(%37, %45, %19) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
      mhlo.return %arg4 : tensor<i32>
    }) : (tensor<2x4xi32>, tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x4xi32>
    return %1, %46 : tensor<i64>, tensor<2x4xi32>
  }
  func.func private @qr(%arg0: tensor<2x3x4xf64>) -> (tensor<2x3x3xf64>, tensor<2x3x4xf64>) {
    %0:2 = mhlo.custom_call @lapack_dgeqrf_ffi(%arg0) {api_version = 4 : i32, backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=2, j=3, k=4, l=3, m=4, n=3}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xf64>)
    %1 = "mhlo.slice"(%0#0) <{limit_indices = dense<[2, 3, 3]> : tensor<3xi64>, start_indices = dense<0> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}> : (tensor<2x3x4xf64>) -> tensor<2x3x3xf64>
    %2 = mhlo.custom_call @lapack_dorgqr_ffi(%1, %0#1) {api_version = 4 : i32, backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=2, j=3, k=3, l=3, m=3, n=3}, custom>} : (tensor<2x3x3xf64>, tensor<2x3xf64>) -> tensor<2x3x3xf64>
    %3 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x4xi64>
    %4 = mhlo.constant dense<-1> : tensor<i64>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>) -> tensor<3x4xi64>
    %6 = mhlo.add %3, %5 : tensor<3x4xi64>
    %7 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xi64>
    %8 = mhlo.compare GE, %6, %7, SIGNED : (tensor<3x4xi64>, tensor<3x4xi64>) -> tensor<3x4xi1>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<3x4xi1>) -> tensor<2x3x4xi1>
    %10 = mhlo.constant dense<0.000000e+00> : tensor<f64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x3x4xf64>
    %12 = mhlo.select %9, %11, %0#0 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    return %2, %12 : tensor<2x3x3xf64>, tensor<2x3x4xf64>
  }
  func.func private @eigh(%arg0: tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>) {
    %0 = "mhlo.transpose"(%arg0) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = mhlo.add %arg0, %0 : tensor<2x4x4xf64>
    %2 = mhlo.constant dense<2.000000e+00> : tensor<f64>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %4 = mhlo.divide %1, %3 : tensor<2x4x4xf64>
    %5:3 = mhlo.custom_call @lapack_dsyevd_ffi(%4) {api_version = 4 : i32, backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2xi32>)
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %8 = mhlo.compare EQ, %5#2, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %10 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %12 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %13 = mhlo.select %12, %5#0, %11 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %14 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1xi1>
    %15 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4xf64>
    %17 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x1xi1>) -> tensor<2x4xi1>
    %18 = mhlo.select %17, %5#1, %16 : tensor<2x4xi1>, tensor<2x4xf64>
    return %18, %13 : tensor<2x4xf64>, tensor<2x4x4xf64>
  }
  func.func private @svd(%arg0: tensor<2x3x4xf64>) -> (tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3x4xf64>) {
    %0:5 = mhlo.custom_call @lapack_dgesdd_ffi(%arg0) {api_version = 4 : i32, backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=3, k=4, l=3, m=4, n=3, o=3, p=3, q=3, r=4}, custom>} : (tensor<2x3x4xf64>) -> (tensor<2x3x4xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x3x4xf64>, tensor<2xi32>)
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %3 = mhlo.compare EQ, %0#4, %2, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1xi1>
    %5 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x3xf64>
    %7 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x1xi1>) -> tensor<2x3xi1>
    %8 = mhlo.select %7, %0#1, %6 : tensor<2x3xi1>, tensor<2x3xf64>
    %9 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %10 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x3x3xf64>
    %12 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
    %13 = mhlo.select %12, %0#2, %11 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
    %14 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %15 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x3x4xf64>
    %17 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x1xi1>) -> tensor<2x3x4xi1>
    %18 = mhlo.select %17, %0#3, %16 : tensor<2x3x4xi1>, tensor<2x3x4xf64>
    return %13, %8, %18 : tensor<2x3x3xf64>, tensor<2x3xf64>, tensor<2x3x4xf64>
  }
  func.func private @cholesky(%arg0: tensor<2x4x4xf64>) -> tensor<2x4x4xf64> {
    %0 = "mhlo.transpose"(%arg0) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %1 = mhlo.add %arg0, %0 : tensor<2x4x4xf64>
    %2 = mhlo.constant dense<2.000000e+00> : tensor<f64>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %4 = mhlo.divide %1, %3 : tensor<2x4x4xf64>
    %5:2 = mhlo.custom_call @lapack_dpotrf_ffi(%4) {api_version = 4 : i32, backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=2, j=4, k=4, l=4, m=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2xi32>)
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %8 = mhlo.compare EQ, %5#1, %7, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %10 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %12 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %13 = mhlo.select %12, %5#0, %11 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %14 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi64>
    %15 = mhlo.constant dense<0> : tensor<i64>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i64>) -> tensor<4x4xi64>
    %17 = mhlo.add %14, %16 : tensor<4x4xi64>
    %18 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi64>
    %19 = mhlo.compare GE, %17, %18, SIGNED : (tensor<4x4xi64>, tensor<4x4xi64>) -> tensor<4x4xi1>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<4x4xi1>) -> tensor<2x4x4xi1>
    %21 = mhlo.constant dense<0.000000e+00> : tensor<f64>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %23 = mhlo.select %20, %13, %22 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    return %23 : tensor<2x4x4xf64>
  }
  func.func private @svd_0(%arg0: tensor<5x5xf64>) -> tensor<5xf64> {
    %0:5 = mhlo.custom_call @lapack_dgesdd_ffi(%arg0) {api_version = 4 : i32, backend_config = {mode = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=5, j=5, k=5, l=5, m=5, n=5, o=5, p=5, q=5}, custom>} : (tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<5x5xf64>, tensor<5x5xf64>, tensor<i32>)
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<i32>
    %3 = mhlo.compare EQ, %0#4, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<1xi1>
    %5 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<5xf64>
    %7 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xi1>) -> tensor<5xi1>
    %8 = mhlo.select %7, %0#1, %6 : tensor<5xi1>, tensor<5xf64>
    return %8 : tensor<5xf64>
  }
  func.func private @solve(%arg0: tensor<2x4x4xf64>, %arg1: tensor<2x4x3xf64>) -> tensor<2x4x3xf64> {
    %0:3 = mhlo.custom_call @lapack_dgetrf_ffi(%arg0) {api_version = 4 : i32, backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2xi32>)
    %1 = mhlo.constant dense<1> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %3 = mhlo.subtract %0#1, %2 : tensor<2x4xi32>
    %4 = mhlo.constant dense<0> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %6 = mhlo.compare GE, %0#2, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi1>) -> tensor<2x1x1xi1>
    %8 = mhlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f64>) -> tensor<2x4x4xf64>
    %10 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
    %11 = mhlo.select %10, %0#0, %9 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
    %12 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x4xi32>
    %13 = mhlo.constant dense<0> : tensor<i64>
    %14 = mhlo.constant dense<0> : tensor<i64>
    %15:4 = mhlo.while(%iterArg = %3, %iterArg_0 = %14, %iterArg_1 = %13, %iterArg_2 = %12) : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    cond {
      %19 = mhlo.constant dense<4> : tensor<i64>
      %20 = mhlo.compare LT, %iterArg_0, %19, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      mhlo.return %20 : tensor<i1>
    } do {
      %19:2 = func.call @closed_call(%iterArg, %iterArg_1, %iterArg_2) : (tensor<2x4xi32>, tensor<i64>, tensor<2x4xi32>) -> (tensor<i64>, tensor<2x4xi32>)
      %20 = mhlo.constant dense<1> : tensor<i64>
      %21 = mhlo.add %iterArg_0, %20 : tensor<i64>
      mhlo.return %iterArg, %21, %19#0, %19#1 : tensor<2x4xi32>, tensor<i64>, tensor<i64>, tensor<2x4xi32>
    }
    %16 = "mhlo.transpose"(%arg1) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<2x4x3xf64>) -> tensor<2x3x4xf64>
    %17 = call @_lu_solve(%11, %15#3, %16) : (tensor<2x4x4xf64>, tensor<2x4xi32>, tensor<2x3x4xf64>) -> tensor<2x3x4xf64>
    %18 = "mhlo.transpose"(%17) <{permutation = dense<[0, 2, 1]> : tensor<3xi64>}> : (tensor<2x3x4xf64>) -> tensor<2x4x3xf64>
    return %18 : tensor<2x4x3xf64>
  }
  func.func private @_lu_solve(%arg0: tensor<2x4x4xf64>, %arg1: tensor<2x4xi32>, %arg2: tensor<2x3x4xf64>) -> tensor<2x3x4xf64> {
    %0 = "mhlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x3x4xf64>) -> tensor<2x3x4x1xf64>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %3 = mhlo.compare LT, %arg1, %2, SIGNED : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi1>
    %4 = mhlo.constant dense<4> : tensor<i32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2x4xi32>
    %6 = mhlo.add %arg1, %5 : tensor<2x4xi32>
    %7 = mhlo.select %3, %6, %arg1 : tensor<2x4xi1>, tensor<2x4xi32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x4xi32>) -> tensor<2x4x1xi32>
    %9 = "mhlo.gather"(%0, %8) <{dimension_numbers = #mhlo.gather<offset_dims = [1, 3], collapsed_slice_dims = [2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = dense<[1, 3, 1, 1]> : tensor<4xi64>}> : (tensor<2x3x4x1xf64>, tensor<2x4x1xi32>) -> tensor<2x3x4x1xf64>
    %10 = "mhlo.transpose"(%9) <{permutation = dense<[0, 2, 3, 1]> : tensor<4xi64>}> : (tensor<2x3x4x1xf64>) -> tensor<2x4x1x3xf64>
    %11 = mhlo.reshape %10 : (tensor<2x4x1x3xf64>) -> tensor<2x4x3xf64>
    %12 = mhlo.custom_call @lapack_dtrsm_ffi(%arg0, %11) {api_version = 4 : i32, backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=3, n=4, o=3}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
    %13 = mhlo.reshape %12 : (tensor<2x4x3xf64>) -> tensor<2x4x1x3xf64>
    %14 = mhlo.reshape %13 : (tensor<2x4x1x3xf64>) -> tensor<2x4x3xf64>
    %15 = mhlo.custom_call @lapack_dtrsm_ffi(%arg0, %14) {api_version = 4 : i32, backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#mhlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=2, j=4, k=4, l=4, m=3, n=4, o=3}, custom>} : (tensor<2x4x4xf64>, tensor<2x4x3xf64>) -> tensor<2x4x3xf64>
    %16 = mhlo.reshape %15 : (tensor<2x4x3xf64>) -> tensor<2x4x1x3xf64>
    %17 = "mhlo.transpose"(%16) <{permutation = dense<[0, 3, 1, 2]> : tensor<4xi64>}> : (tensor<2x4x1x3xf64>) -> tensor<2x3x4x1xf64>
    %18 = mhlo.reshape %17 : (tensor<2x3x4x1xf64>) -> tensor<2x3x4xf64>
    return %18 : tensor<2x3x4xf64>
  }
}
