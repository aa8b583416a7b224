module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4xi32>) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:1] : (tensor<4x4xf32>) -> tensor<1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [2, 3] : (tensor<1x1xf32>) -> tensor<1x1x1x1xf32>
    %3 = stablehlo.convolution(%0, %2) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %5 = stablehlo.add %arg0, %4 : tensor<4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %7 = stablehlo.compare LT, %arg1, %6, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %9 = stablehlo.add %arg1, %8 : tensor<4xi32>
    %10 = stablehlo.select %7, %9, %arg1 : tensor<4xi1>, tensor<4xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %13 = "stablehlo.scatter"(%5, %11, %12) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %59 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %59 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %15 = stablehlo.compare LT, %arg1, %14, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %17 = stablehlo.add %arg1, %16 : tensor<4xi32>
    %18 = stablehlo.select %15, %17, %arg1 : tensor<4xi1>, tensor<4xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %20 = "stablehlo.gather"(%5, %19) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
    %21 = stablehlo.add %13, %20 : tensor<4x4xf32>
    %22 = "stablehlo.sort"(%21) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %59 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %60 = stablehlo.select %59, %cst_10, %arg2 : tensor<i1>, tensor<f32>
      %61 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %62 = stablehlo.select %61, %cst_11, %60 : tensor<i1>, tensor<f32>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %63 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %64 = stablehlo.select %63, %cst_13, %arg3 : tensor<i1>, tensor<f32>
      %65 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_14 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %66 = stablehlo.select %65, %cst_14, %64 : tensor<i1>, tensor<f32>
      %67 = stablehlo.compare LT, %62, %66, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %67 : tensor<i1>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %23 = stablehlo.slice %21 [1:4, 0:4] : (tensor<4x4xf32>) -> tensor<3x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.pad %23, %cst_3, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %25 = stablehlo.dot_general %22, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %26 = call @cumsum(%21) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %27 = stablehlo.add %25, %26 : tensor<4x4xf32>
    %28 = stablehlo.while(%iterArg = %27) : tensor<4x4xf32>
    cond {
      %59 = stablehlo.slice %iterArg [0:1, 0:1] : (tensor<4x4xf32>) -> tensor<1x1xf32>
      %60 = stablehlo.reshape %59 : (tensor<1x1xf32>) -> tensor<f32>
      %cst_9 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
      %61 = stablehlo.compare LT, %60, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %61 : tensor<i1>
    } do {
      %59 = stablehlo.transpose %iterArg, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %60 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
      %61 = stablehlo.add %59, %60 : tensor<4x4xf32>
      stablehlo.return %61 : tensor<4x4xf32>
    }
    %values, %indices = chlo.top_k(%28, k = 1) : tensor<4x4xf32> -> (tensor<4x1xf32>, tensor<4x1xi32>)
    %29 = stablehlo.exponential %28 : tensor<4x4xf32>
    %30 = chlo.erf %29 : tensor<4x4xf32> -> tensor<4x4xf32>
    %31 = stablehlo.broadcast_in_dim %values, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x4xf32>
    %32 = stablehlo.add %31, %30 : tensor<4x4xf32>
    %33 = stablehlo.reduce_precision %28, format = e5m4 : tensor<4x4xf32>
    %34 = stablehlo.add %32, %33 : tensor<4x4xf32>
    %35 = stablehlo.transpose %28, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %36 = stablehlo.add %28, %35 : tensor<4x4xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %38 = stablehlo.divide %36, %37 : tensor<4x4xf32>
    %39:2 = stablehlo.custom_call @lapack_spotrf_ffi(%38) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], []) {i=4, j=4, k=4, l=4}, custom>} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<i32>)
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<i32>
    %41 = stablehlo.compare EQ, %39#1, %40, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %42 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_6 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %44 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
    %45 = stablehlo.select %44, %39#0, %43 : tensor<4x4xi1>, tensor<4x4xf32>
    %46 = stablehlo.iota dim = 0 : tensor<4x4xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
    %48 = stablehlo.add %46, %47 : tensor<4x4xi32>
    %49 = stablehlo.iota dim = 1 : tensor<4x4xi32>
    %50 = stablehlo.compare GE, %48, %49, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %52 = stablehlo.select %50, %45, %51 : tensor<4x4xi1>, tensor<4x4xf32>
    %53 = stablehlo.add %34, %52 : tensor<4x4xf32>
    %54 = call @fft(%28) : (tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>>
    %55 = stablehlo.real %54 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    %56 = stablehlo.add %53, %55 : tensor<4x4xf32>
    %57 = stablehlo.reverse %28, dims = [0] : tensor<4x4xf32>
    %58 = stablehlo.add %56, %57 : tensor<4x4xf32>
    return %58 : tensor<4x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[3, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %1 : tensor<4x4xf32>
  }
  func.func private @fft(%arg0: tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<4x4xf32>) -> tensor<4x4xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [4] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    return %1 : tensor<4x4xcomplex<f32>>
  }
  func.func private @collectives(%arg0: tensor<2x8xf32>) -> tensor<2x8xf32> {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<4x8xf32>
    %1 = "stablehlo.all_to_all"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<4x8xf32>) -> tensor<2x16xf32>
    %2 = "stablehlo.reduce_scatter"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<2x16xf32>) -> tensor<2x8xf32>
    %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    return %3 : tensor<2x8xf32>
  }
}
