module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100x65xf32>, %arg1: tensor<40xi32>, %arg2: tensor<40x65xf32>) -> (tensor<100x65xf32> {jax.result_info = "result[0]"}, tensor<100x65xf32> {jax.result_info = "result[1]"}, tensor<100x65xf32> {jax.result_info = "result[2]"}, tensor<100x65xf32> {jax.result_info = "result[3]"}, tensor<100x65xf32> {jax.result_info = "result[4]"}, tensor<100x65xf32> {jax.result_info = "result[5]"}, tensor<100x65xf32> {jax.result_info = "result[6]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_0 = stablehlo.constant dense<100> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<40xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<40xi1>, tensor<40xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %44 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %44 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<40x1xi32>, tensor<40x65xf32>) -> tensor<100x65xf32>
    %7 = stablehlo.slice %arg2 [0:1, 0:65] : (tensor<40x65xf32>) -> tensor<1x65xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %9 = stablehlo.compare LT, %arg1, %8, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_2 = stablehlo.constant dense<100> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %11 = stablehlo.add %arg1, %10 : tensor<40xi32>
    %12 = stablehlo.select %9, %11, %arg1 : tensor<40xi1>, tensor<40xi32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %14 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x65xf32>) -> tensor<40x65xf32>
    %15 = "stablehlo.scatter"(%arg0, %13, %14) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<40x1xi32>, tensor<40x65xf32>) -> tensor<100x65xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %17 = stablehlo.compare LT, %arg1, %16, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_4 = stablehlo.constant dense<100> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %19 = stablehlo.add %arg1, %18 : tensor<40xi32>
    %20 = stablehlo.select %17, %19, %arg1 : tensor<40xi1>, tensor<40xi32>
    %c_5 = stablehlo.constant dense<3> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %22 = stablehlo.convert %21 : tensor<40xi32>
    %23 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %25 = stablehlo.concatenate %23, %24, dim = 1 : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x2xi32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40xf32>
    %27 = "stablehlo.scatter"(%arg0, %25, %26) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %44 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %44 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<40x2xi32>, tensor<40xf32>) -> tensor<100x65xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<100x65xf32>
    %29 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %30 = "stablehlo.scatter"(%28, %29, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %44 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %44 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<40x1xi32>, tensor<40x65xf32>) -> tensor<100x65xf32>
    %c_7 = stablehlo.constant dense<5> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %33 = "stablehlo.scatter"(%arg0, %31, %32) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %44 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %44 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<1xi32>, tensor<100xf32>) -> tensor<100x65xf32>
    %c_9 = stablehlo.constant dense<2> : tensor<i32>
    %34 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<7x65xf32>
    %36 = "stablehlo.scatter"(%arg0, %34, %35) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<1xi32>, tensor<7x65xf32>) -> tensor<100x65xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %38 = stablehlo.compare LT, %arg1, %37, SIGNED : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %c_12 = stablehlo.constant dense<100> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<40xi32>
    %40 = stablehlo.add %arg1, %39 : tensor<40xi32>
    %41 = stablehlo.select %38, %40, %arg1 : tensor<40xi1>, tensor<40xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<40xi32>) -> tensor<40x1xi32>
    %43 = "stablehlo.scatter"(%arg0, %42, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %44 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %44 : tensor<f32>
    }) : (tensor<100x65xf32>, tensor<40x1xi32>, tensor<40x65xf32>) -> tensor<100x65xf32>
    return %6, %15, %27, %30, %33, %36, %43 : tensor<100x65xf32>, tensor<100x65xf32>, tensor<100x65xf32>, tensor<100x65xf32>, tensor<100x65xf32>, tensor<100x65xf32>, tensor<100x65xf32>
  }
}
