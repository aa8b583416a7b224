module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x9xf32>, %arg1: tensor<5x9xi32>, %arg2: tensor<5x9xi32>) -> (tensor<5x9xf32> {jax.result_info = "result[0]"}, tensor<5x9xf32> {jax.result_info = "result[1]"}, tensor<5x9xi32> {jax.result_info = "result[2]"}, tensor<5x9xi32> {jax.result_info = "result[3][0]"}, tensor<5x9xf32> {jax.result_info = "result[3][1]"}, tensor<5x9xi32> {jax.result_info = "result[4][0]"}, tensor<5x9xi32> {jax.result_info = "result[4][1]"}, tensor<5x9xf32> {jax.result_info = "result[4][2]"}, tensor<5x3xf32> {jax.result_info = "result[5][0]"}, tensor<5x3xi32> {jax.result_info = "result[5][1]"}, tensor<f32> {jax.result_info = "result[6]"}, tensor<5x9xf32> {jax.result_info = "result[7]"}) {
    %0 = call @sort(%arg0) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    %1 = call @sort_0(%arg0) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    %2 = call @argsort(%arg0) : (tensor<5x9xf32>) -> tensor<5x9xi32>
    %3:2 = "mhlo.sort"(%arg1, %arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<f32>, %arg6: tensor<f32>):
      %7 = mhlo.compare LT, %arg3, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mhlo.return %7 : tensor<i1>
    }) : (tensor<5x9xi32>, tensor<5x9xf32>) -> (tensor<5x9xi32>, tensor<5x9xf32>)
    %4:3 = "mhlo.sort"(%arg1, %arg2, %arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<f32>, %arg8: tensor<f32>):
      %7 = mhlo.compare LT, %arg5, %arg6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %8 = mhlo.compare LT, %arg3, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = mhlo.compare EQ, %arg3, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = mhlo.and %9, %7 : tensor<i1>
      %11 = mhlo.or %8, %10 : tensor<i1>
      mhlo.return %11 : tensor<i1>
    }) : (tensor<5x9xi32>, tensor<5x9xi32>, tensor<5x9xf32>) -> (tensor<5x9xi32>, tensor<5x9xi32>, tensor<5x9xf32>)
    %values, %indices = mhlo.topk(%arg0, k = 3) : tensor<5x9xf32> -> (tensor<5x3xf32>, tensor<5x3xi32>)
    %5 = call @median(%arg0) : (tensor<5x9xf32>) -> tensor<f32>
    %6 = "mhlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %7 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = mhlo.compare EQ, %arg3, %7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = mhlo.select %8, %9, %arg3 : tensor<i1>, tensor<f32>
      %11 = mhlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %13 = mhlo.select %11, %12, %10 : tensor<i1>, tensor<f32>
      %14 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = mhlo.compare EQ, %arg4, %14, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %16 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %17 = mhlo.select %15, %16, %arg4 : tensor<i1>, tensor<f32>
      %18 = mhlo.compare NE, %arg4, %arg4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %19 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %20 = mhlo.select %18, %19, %17 : tensor<i1>, tensor<f32>
      %21 = mhlo.compare LT, %13, %20, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %21 : tensor<i1>
    }) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    return %0, %1, %2, %3#0, %3#1, %4#0, %4#1, %4#2, %values, %indices, %5, %6 : tensor<5x9xf32>, tensor<5x9xf32>, tensor<5x9xi32>, tensor<5x9xi32>, tensor<5x9xf32>, tensor<5x9xi32>, tensor<5x9xi32>, tensor<5x9xf32>, tensor<5x3xf32>, tensor<5x3xi32>, tensor<f32>, tensor<5x9xf32>
  }
  func.func private @sort(%arg0: tensor<5x9xf32>) -> tensor<5x9xf32> {
    %0 = "mhlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = mhlo.compare EQ, %arg1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = mhlo.select %2, %3, %arg1 : tensor<i1>, tensor<f32>
      %5 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %7 = mhlo.select %5, %6, %4 : tensor<i1>, tensor<f32>
      %8 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = mhlo.compare EQ, %arg2, %8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = mhlo.select %9, %10, %arg2 : tensor<i1>, tensor<f32>
      %12 = mhlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %13 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %14 = mhlo.select %12, %13, %11 : tensor<i1>, tensor<f32>
      %15 = mhlo.compare LT, %7, %14, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %15 : tensor<i1>
    }) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    return %0 : tensor<5x9xf32>
  }
  func.func private @sort_0(%arg0: tensor<5x9xf32>) -> tensor<5x9xf32> {
    %0 = "mhlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = mhlo.compare EQ, %arg1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = mhlo.select %3, %4, %arg1 : tensor<i1>, tensor<f32>
      %6 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = mhlo.select %6, %7, %5 : tensor<i1>, tensor<f32>
      %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = mhlo.compare EQ, %arg2, %9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = mhlo.select %10, %11, %arg2 : tensor<i1>, tensor<f32>
      %13 = mhlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %15 = mhlo.select %13, %14, %12 : tensor<i1>, tensor<f32>
      %16 = mhlo.compare LT, %8, %15, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %16 : tensor<i1>
    }) : (tensor<5x9xf32>) -> tensor<5x9xf32>
    %1 = "mhlo.reverse"(%0) <{dimensions = dense<0> : tensor<1xi64>}> : (tensor<5x9xf32>) -> tensor<5x9xf32>
    return %1 : tensor<5x9xf32>
  }
  func.func private @argsort(%arg0: tensor<5x9xf32>) -> tensor<5x9xi32> {
    %0 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x9xi32>
    %1:2 = "mhlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = mhlo.compare EQ, %arg1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = mhlo.select %3, %4, %arg1 : tensor<i1>, tensor<f32>
      %6 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = mhlo.select %6, %7, %5 : tensor<i1>, tensor<f32>
      %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = mhlo.compare EQ, %arg2, %9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = mhlo.select %10, %11, %arg2 : tensor<i1>, tensor<f32>
      %13 = mhlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %15 = mhlo.select %13, %14, %12 : tensor<i1>, tensor<f32>
      %16 = mhlo.compare LT, %8, %15, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %16 : tensor<i1>
    }) : (tensor<5x9xf32>, tensor<5x9xi32>) -> (tensor<5x9xf32>, tensor<5x9xi32>)
    return %1#1 : tensor<5x9xi32>
  }
  func.func private @median(%arg0: tensor<5x9xf32>) -> tensor<f32> {
    %0 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = call @quantile(%arg0, %0) : (tensor<5x9xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @quantile(%arg0: tensor<5x9xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = mhlo.reshape %arg0 : (tensor<5x9xf32>) -> tensor<45xf32>
    %1 = mhlo.compare NE, %0, %0, FLOAT : (tensor<45xf32>, tensor<45xf32>) -> tensor<45xi1>
    %2 = mhlo.constant dense<false> : tensor<i1>
    %3 = mhlo.reduce(%1 init: %2) applies mhlo.or across dimensions = [0] : (tensor<45xi1>, tensor<i1>) -> tensor<i1>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<1xi1>
    %5 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %6 = call @_where(%4, %5, %0) : (tensor<1xi1>, tensor<f32>, tensor<45xf32>) -> tensor<45xf32>
    %7 = "mhlo.sort"(%6) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %36 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %37 = mhlo.compare EQ, %arg2, %36, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %38 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %39 = mhlo.select %37, %38, %arg2 : tensor<i1>, tensor<f32>
      %40 = mhlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %41 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %42 = mhlo.select %40, %41, %39 : tensor<i1>, tensor<f32>
      %43 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %44 = mhlo.compare EQ, %arg3, %43, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %45 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = mhlo.select %44, %45, %arg3 : tensor<i1>, tensor<f32>
      %47 = mhlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %48 = mhlo.constant dense<0x7FC00000> : tensor<f32>
      %49 = mhlo.select %47, %48, %46 : tensor<i1>, tensor<f32>
      %50 = mhlo.compare LT, %42, %49, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      mhlo.return %50 : tensor<i1>
    }) : (tensor<45xf32>) -> tensor<45xf32>
    %8 = mhlo.constant dense<4.500000e+01> : tensor<f32>
    %9 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = mhlo.subtract %8, %9 : tensor<f32>
    %11 = mhlo.multiply %arg1, %10 : tensor<f32>
    %12 = mhlo.floor %11 : tensor<f32>
    %13 = mhlo.ceil %11 : tensor<f32>
    %14 = mhlo.subtract %11, %12 : tensor<f32>
    %15 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = mhlo.subtract %15, %14 : tensor<f32>
    %17 = mhlo.constant dense<4.500000e+01> : tensor<f32>
    %18 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = mhlo.subtract %17, %18 : tensor<f32>
    %20 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = mhlo.clamp %20, %12, %19 : tensor<f32>
    %22 = mhlo.constant dense<4.500000e+01> : tensor<f32>
    %23 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = mhlo.subtract %22, %23 : tensor<f32>
    %25 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = mhlo.clamp %25, %13, %24 : tensor<f32>
    %27 = mhlo.convert %21 : (tensor<f32>) -> tensor<i32>
    %28 = mhlo.convert %26 : (tensor<f32>) -> tensor<i32>
    %29 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %30 = "mhlo.gather"(%7, %29) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<1xi64>}> : (tensor<45xf32>, tensor<1xi32>) -> tensor<f32>
    %31 = "mhlo.broadcast_in_dim"(%28) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %32 = "mhlo.gather"(%7, %31) <{dimension_numbers = #mhlo.gather<collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = dense<1> : tensor<1xi64>}> : (tensor<45xf32>, tensor<1xi32>) -> tensor<f32>
    %33 = mhlo.add %30, %32 : tensor<f32>
    %34 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %35 = mhlo.multiply %33, %34 : tensor<f32>
    return %35 : tensor<f32>
  }
  func.func private @_where(%arg0: tensor<1xi1>, %arg1: tensor<f32>, %arg2: tensor<45xf32>) -> tensor<45xf32> {
    %0 = mhlo.convert %arg1 : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xi1>) -> tensor<45xi1>
    %2 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<45xf32>
    %3 = mhlo.select %1, %2, %arg2 : tensor<45xi1>, tensor<45xf32>
    return %3 : tensor<45xf32>
  }
}
