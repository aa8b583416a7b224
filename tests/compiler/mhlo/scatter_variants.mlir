module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x5xf32>) -> (tensor<6x5xf32> {jax.result_info = "result[0]"}, tensor<6x5xf32> {jax.result_info = "result[1]"}, tensor<6x5xf32> {jax.result_info = "result[2]"}, tensor<6x5xf32> {jax.result_info = "result[3]"}, tensor<6x5xf32> {jax.result_info = "result[4]"}, tensor<6x5xf32> {jax.result_info = "result[5]"}, tensor<6x5xf32> {jax.result_info = "result[6]"}, tensor<6x5xf32> {jax.result_info = "result[7]"}, tensor<6x5xf32> {jax.result_info = "result[8]"}, tensor<6x5xf32> {jax.result_info = "result[9]"}) {
    %0 = mhlo.constant dense<[0, 4, 2]> : tensor<3xi32>
    %1 = mhlo.constant dense<[0, 1]> : tensor<2xi32>
    %2 = mhlo.constant dense<[3, 9]> : tensor<2xi32>
    %3 = mhlo.constant dense<0> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = mhlo.compare LT, %arg1, %4, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %6 = mhlo.constant dense<6> : tensor<i32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %8 = mhlo.add %arg1, %7 : tensor<4xi32>
    %9 = mhlo.select %5, %8, %arg1 : tensor<4xi1>, tensor<4xi32>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %11 = "mhlo.scatter"(%arg0, %10, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      mhlo.return %arg4 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %12 = mhlo.constant dense<0> : tensor<i32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %14 = mhlo.compare LT, %arg1, %13, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %15 = mhlo.constant dense<6> : tensor<i32>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %17 = mhlo.add %arg1, %16 : tensor<4xi32>
    %18 = mhlo.select %14, %17, %arg1 : tensor<4xi1>, tensor<4xi32>
    %19 = "mhlo.broadcast_in_dim"(%18) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %20 = "mhlo.scatter"(%arg0, %19, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.add %arg3, %arg4 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %21 = mhlo.constant dense<0> : tensor<i32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %23 = mhlo.compare LT, %arg1, %22, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %24 = mhlo.constant dense<6> : tensor<i32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %26 = mhlo.add %arg1, %25 : tensor<4xi32>
    %27 = mhlo.select %23, %26, %arg1 : tensor<4xi1>, tensor<4xi32>
    %28 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %29 = "mhlo.scatter"(%arg0, %28, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.multiply %arg3, %arg4 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %30 = mhlo.constant dense<0> : tensor<i32>
    %31 = "mhlo.broadcast_in_dim"(%30) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %32 = mhlo.compare LT, %arg1, %31, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %33 = mhlo.constant dense<6> : tensor<i32>
    %34 = "mhlo.broadcast_in_dim"(%33) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %35 = mhlo.add %arg1, %34 : tensor<4xi32>
    %36 = mhlo.select %32, %35, %arg1 : tensor<4xi1>, tensor<4xi32>
    %37 = "mhlo.broadcast_in_dim"(%36) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %38 = "mhlo.scatter"(%arg0, %37, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.minimum %arg3, %arg4 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %39 = mhlo.constant dense<0> : tensor<i32>
    %40 = "mhlo.broadcast_in_dim"(%39) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %41 = mhlo.compare LT, %arg1, %40, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %42 = mhlo.constant dense<6> : tensor<i32>
    %43 = "mhlo.broadcast_in_dim"(%42) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %44 = mhlo.add %arg1, %43 : tensor<4xi32>
    %45 = mhlo.select %41, %44, %arg1 : tensor<4xi1>, tensor<4xi32>
    %46 = "mhlo.broadcast_in_dim"(%45) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %47 = "mhlo.scatter"(%arg0, %46, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.maximum %arg3, %arg4 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %48 = mhlo.constant dense<0> : tensor<i32>
    %49 = "mhlo.broadcast_in_dim"(%48) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %50 = mhlo.compare LT, %arg1, %49, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %51 = mhlo.constant dense<6> : tensor<i32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %53 = mhlo.add %arg1, %52 : tensor<4xi32>
    %54 = mhlo.select %50, %53, %arg1 : tensor<4xi1>, tensor<4xi32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %56 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = "mhlo.broadcast_in_dim"(%56) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %58 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = "mhlo.broadcast_in_dim"(%58) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %60 = "mhlo.scatter"(%arg0, %55, %59) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.sine %arg3 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    %61 = mhlo.constant dense<0> : tensor<i32>
    %62 = "mhlo.broadcast_in_dim"(%61) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<3xi32>
    %63 = mhlo.compare LT, %0, %62, SIGNED : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi1>
    %64 = mhlo.constant dense<5> : tensor<i32>
    %65 = "mhlo.broadcast_in_dim"(%64) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<3xi32>
    %66 = mhlo.add %0, %65 : tensor<3xi32>
    %67 = mhlo.select %63, %66, %0 : tensor<3xi1>, tensor<3xi32>
    %68 = "mhlo.broadcast_in_dim"(%67) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xi32>) -> tensor<3x1xi32>
    %69 = mhlo.constant dense<1.500000e+00> : tensor<f32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<6x3xf32>
    %71 = "mhlo.scatter"(%arg0, %68, %70) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.add %arg3, %arg4 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<3x1xi32>, tensor<6x3xf32>) -> tensor<6x5xf32>
    %72 = mhlo.constant dense<0> : tensor<i32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %74 = mhlo.compare LT, %1, %73, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %75 = mhlo.constant dense<6> : tensor<i32>
    %76 = "mhlo.broadcast_in_dim"(%75) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %77 = mhlo.add %1, %76 : tensor<2xi32>
    %78 = mhlo.select %74, %77, %1 : tensor<2xi1>, tensor<2xi32>
    %79 = mhlo.constant dense<0> : tensor<i32>
    %80 = "mhlo.broadcast_in_dim"(%79) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %81 = mhlo.compare LT, %2, %80, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
    %82 = mhlo.constant dense<5> : tensor<i32>
    %83 = "mhlo.broadcast_in_dim"(%82) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %84 = mhlo.add %2, %83 : tensor<2xi32>
    %85 = mhlo.select %81, %84, %2 : tensor<2xi1>, tensor<2xi32>
    %86 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %87 = "mhlo.broadcast_in_dim"(%85) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %88 = "mhlo.concatenate"(%86, %87) <{dimension = 1 : i64}> : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %89 = mhlo.constant dense<7.000000e+00> : tensor<f32>
    %90 = "mhlo.broadcast_in_dim"(%89) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2xf32>
    %91 = "mhlo.scatter"(%arg0, %88, %90) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      mhlo.return %arg4 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<2x2xi32>, tensor<2xf32>) -> tensor<6x5xf32>
    %92 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xi32>
    %93 = mhlo.constant dense<2> : tensor<i32>
    %94 = "mhlo.broadcast_in_dim"(%93) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %95 = mhlo.multiply %94, %92 : tensor<2xi32>
    %96 = mhlo.constant dense<1> : tensor<i32>
    %97 = "mhlo.broadcast_in_dim"(%96) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<2xi32>
    %98 = mhlo.add %97, %95 : tensor<2xi32>
    %99 = "mhlo.broadcast_in_dim"(%98) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xi32>) -> tensor<2x1xi32>
    %100 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %101 = "mhlo.broadcast_in_dim"(%100) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %102 = "mhlo.scatter"(%arg0, %99, %101) <{indices_are_sorted = true, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %120 = mhlo.subtract %arg3, %arg4 : tensor<f32>
      mhlo.return %120 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<2x1xi32>, tensor<2x5xf32>) -> tensor<6x5xf32>
    %103 = mhlo.constant dense<0> : tensor<i32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %105 = mhlo.compare LT, %arg1, %104, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %106 = mhlo.constant dense<6> : tensor<i32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4xi32>
    %108 = mhlo.add %arg1, %107 : tensor<4xi32>
    %109 = mhlo.select %105, %108, %arg1 : tensor<4xi1>, tensor<4xi32>
    %110 = "mhlo.broadcast_in_dim"(%109) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %111 = mhlo.constant dense<5> : tensor<1xi32>
    %112 = mhlo.constant dense<2147483647> : tensor<i32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %114 = mhlo.minimum %111, %113 : tensor<1xi32>
    %115 = "mhlo.broadcast_in_dim"(%114) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<1xi32>) -> tensor<4x1xi32>
    %116 = mhlo.constant dense<0> : tensor<i32>
    %117 = "mhlo.broadcast_in_dim"(%116) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<4x1xi32>
    %118 = mhlo.clamp %117, %110, %115 : tensor<4x1xi32>
    %119 = "mhlo.scatter"(%arg0, %118, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #mhlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      mhlo.return %arg4 : tensor<f32>
    }) : (tensor<6x5xf32>, tensor<4x1xi32>, tensor<4x5xf32>) -> tensor<6x5xf32>
    return %11, %20, %29, %38, %47, %60, %71, %91, %102, %119 : tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<6x5xf32>
  }
}
