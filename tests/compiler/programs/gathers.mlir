module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x65xf32>, %arg1: tensor<40xi32>, %arg2: tensor<30xi32>) -> (tensor<40x65xf32> {jax.result_info = "result[0]"}, tensor<100x30xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<100x1xf32> {jax.result_info = "result[3]"}, tensor<40x65xf32> {jax.result_info = "result[4]"}, tensor<40x50xf32> {jax.result_info = "result[5]"}, tensor<65xf32> {jax.result_info = "result[6]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_0 = stablehlo.constant dense<100> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<40xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<40xi1>, tensor<40xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 65>}> : (tensor<100x65xf32>, tensor<40x1xi32>) -> tensor<40x65xf32>
    %7 = call @_take(%arg0, %arg2) : (tensor<100x65xf32>, tensor<30xi32>) -> tensor<100x30xf32>
    %8 = stablehlo.slice %arg1 [0:5] : (tensor<40xi32>) -> tensor<5xi32>
    %9 = stablehlo.slice %arg2 [0:5] : (tensor<30xi32>) -> tensor<5xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %11 = stablehlo.compare LT, %8, %10, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_2 = stablehlo.constant dense<100> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %13 = stablehlo.add %8, %12 : tensor<5xi32>
    %14 = stablehlo.select %11, %13, %8 : tensor<5xi1>, tensor<5xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %16 = stablehlo.compare LT, %9, %15, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_4 = stablehlo.constant dense<65> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %18 = stablehlo.add %9, %17 : tensor<5xi32>
    %19 = stablehlo.select %16, %18, %9 : tensor<5xi1>, tensor<5xi32>
    %20 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %21 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %22 = stablehlo.concatenate %20, %21, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
    %23 = "stablehlo.gather"(%arg0, %22) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<100x65xf32>, tensor<5x2xi32>) -> tensor<5xf32>
    %24 = stablehlo.slice %arg2 [0:1] : (tensor<30xi32>) -> tensor<1xi32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<1xi32>) -> tensor<1x1xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<100x1xi32>
    %27 = call @take_along_axis(%arg0, %26) : (tensor<100x65xf32>, tensor<100x1xi32>) -> tensor<100x1xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %29 = stablehlo.compare LT, %arg1, %28, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_6 = stablehlo.constant dense<100> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %31 = stablehlo.add %arg1, %30 : tensor<40xi32>
    %32 = stablehlo.select %29, %31, %arg1 : tensor<40xi1>, tensor<40xi32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %34 = "stablehlo.gather"(%arg0, %33) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 65>}> : (tensor<100x65xf32>, tensor<40x1xi32>) -> tensor<40x65xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x65xf32>
    %36 = stablehlo.multiply %34, %35 : tensor<40x65xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<40x65xf32>
    %38 = stablehlo.add %36, %37 : tensor<40x65xf32>
    %39 = call @_one_hot(%arg1) : (tensor<40xi32>) -> tensor<40x50xf32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %40 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %41 = stablehlo.compare LT, %arg1, %40, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_9 = stablehlo.constant dense<100> : tensor<i32>
    %42 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %43 = stablehlo.add %arg1, %42 : tensor<40xi32>
    %44 = stablehlo.select %41, %43, %arg1 : tensor<40xi1>, tensor<40xi32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %46 = "stablehlo.gather"(%arg0, %45) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 65>}> : (tensor<100x65xf32>, tensor<40x1xi32>) -> tensor<40x65xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<40x65xf32>, tensor<f32>) -> tensor<65xf32>
    return %6, %7, %23, %27, %38, %39, %47 : tensor<40x65xf32>, tensor<100x30xf32>, tensor<5xf32>, tensor<100x1xf32>, tensor<40x65xf32>, tensor<40x50xf32>, tensor<65xf32>
  }
  func.func private @_take(%arg0: tensor<100x65xf32>, %arg1: tensor<30xi32>) -> tensor<100x30xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_0 = stablehlo.constant dense<65> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<30xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<30xi1>, tensor<30xi32>, tensor<30xi32>) -> tensor<30xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<30xi32>) -> tensor<30x1xi32>
    %c_1 = stablehlo.constant dense<64> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<30x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<30x1xi32>, tensor<30x1xi32>) -> tensor<30x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<30x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<30x1xi32>, tensor<30x1xi32>) -> tensor<30x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<30x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [1] : (tensor<30x1xi1>, tensor<i1>) -> tensor<30xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 100, 1>}> : (tensor<100x65xf32>, tensor<30x1xi32>) -> tensor<100x30xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<30xi1>) -> tensor<100x30xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<100x30xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<100x30xi1>, tensor<100x30xf32>
    return %16 : tensor<100x30xf32>
  }
  func.func private @_where(%arg0: tensor<30xi1>, %arg1: tensor<30xi32>, %arg2: tensor<30xi32>) -> tensor<30xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<30xi1>, tensor<30xi32>
    return %0 : tensor<30xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<100x65xf32>, %arg1: tensor<100x1xi32>) -> tensor<100x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<100x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<100x1xi32>, tensor<100x1xi32>) -> tensor<100x1xi1>
    %c_0 = stablehlo.constant dense<65> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<100x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<100x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<100x1xi1>, tensor<100x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<100x1xi32>) -> tensor<100x1x1xi32>
    %c_1 = stablehlo.constant dense<64> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<100x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<100x1x1xi32>, tensor<100x1x1xi32>) -> tensor<100x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<100x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<100x1x1xi32>, tensor<100x1x1xi32>) -> tensor<100x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<100x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<100x1x1xi1>, tensor<i1>) -> tensor<100x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<100x65xf32>, tensor<100x1x1xi32>) -> tensor<100x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<100x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<100x1xi1>, tensor<100x1xf32>
    return %15 : tensor<100x1xf32>
  }
  func.func private @_one_hot(%arg0: tensor<40xi32>) -> tensor<40x50xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x50xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<40x1xi32>) -> tensor<40x50xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x50xi32>) -> tensor<40x50xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<40x50xi32>, tensor<40x50xi32>) -> tensor<40x50xi1>
    %5 = stablehlo.convert %4 : (tensor<40x50xi1>) -> tensor<40x50xf32>
    return %5 : tensor<40x50xf32>
  }
}
