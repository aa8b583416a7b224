module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5x6xf32>, %arg1: tensor<5x4xi32>, %arg2: tensor<3x4xi1>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<5x6xf32> {jax.result_info = "result[1]"}, tensor<5xf32> {jax.result_info = "result[2]"}, tensor<4x6xf32> {jax.result_info = "result[3]"}, tensor<4x5xf32> {jax.result_info = "result[4]"}, tensor<6xf32> {jax.result_info = "result[5]"}, tensor<4x6xi32> {jax.result_info = "result[6]"}, tensor<5x6xi32> {jax.result_info = "result[7]"}, tensor<4xi1> {jax.result_info = "result[8]"}, tensor<3xi1> {jax.result_info = "result[9]"}, tensor<4xi32> {jax.result_info = "result[10]"}, tensor<4xi32> {jax.result_info = "result[11]"}, tensor<5xi32> {jax.result_info = "result[12]"}, tensor<4xi32> {jax.result_info = "result[13]"}, tensor<5x6xf32> {jax.result_info = "result[14]"}, tensor<4x5xf32> {jax.result_info = "result[15]"}, tensor<f32> {jax.result_info = "result[16]"}) {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.reduce(%arg0 init: %0) applies mhlo.add across dimensions = [0, 1, 2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<f32>
    %2 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = mhlo.reduce(%arg0 init: %2) applies mhlo.add across dimensions = [0] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %4 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = mhlo.reduce(%arg0 init: %4) applies mhlo.add across dimensions = [0, 2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<5xf32>
    %6 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = mhlo.reduce(%arg0 init: %6) applies mhlo.multiply across dimensions = [1] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %8 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %9 = mhlo.reduce(%arg0 init: %8) applies mhlo.maximum across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %10 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %11 = mhlo.reduce(%arg0 init: %10) applies mhlo.minimum across dimensions = [0, 1] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<6xf32>
    %12 = call @argmax(%arg0) : (tensor<4x5x6xf32>) -> tensor<4x6xi32>
    %13 = call @argmin(%arg0) : (tensor<4x5x6xf32>) -> tensor<5x6xi32>
    %14 = mhlo.constant dense<true> : tensor<i1>
    %15 = mhlo.reduce(%arg2 init: %14) applies mhlo.and across dimensions = [0] : (tensor<3x4xi1>, tensor<i1>) -> tensor<4xi1>
    %16 = mhlo.constant dense<false> : tensor<i1>
    %17 = mhlo.reduce(%arg2 init: %16) applies mhlo.or across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    %18 = mhlo.constant dense<0> : tensor<i32>
    %19 = mhlo.reduce(%arg1 init: %18) applies mhlo.add across dimensions = [0] : (tensor<5x4xi32>, tensor<i32>) -> tensor<4xi32>
    %20 = mhlo.constant dense<-1> : tensor<i32>
    %21 = mhlo.reduce(%arg1 init: %20) applies mhlo.and across dimensions = [0] : (tensor<5x4xi32>, tensor<i32>) -> tensor<4xi32>
    %22 = mhlo.constant dense<0> : tensor<i32>
    %23 = mhlo.reduce(%arg1 init: %22) applies mhlo.or across dimensions = [1] : (tensor<5x4xi32>, tensor<i32>) -> tensor<5xi32>
    %24 = mhlo.constant dense<0> : tensor<i32>
    %25 = mhlo.reduce(%arg1 init: %24) applies mhlo.xor across dimensions = [0] : (tensor<5x4xi32>, tensor<i32>) -> tensor<4xi32>
    %26 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = mhlo.reduce(%arg0 init: %26) applies mhlo.add across dimensions = [0] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<5x6xf32>
    %28 = mhlo.constant dense<4.000000e+00> : tensor<f32>
    %29 = "mhlo.broadcast_in_dim"(%28) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5x6xf32>
    %30 = mhlo.divide %27, %29 : tensor<5x6xf32>
    %31 = mhlo.constant dense<0> : tensor<i32>
    %32 = call @_var(%arg0, %31) : (tensor<4x5x6xf32>, tensor<i32>) -> tensor<4x5xf32>
    %33 = call @norm(%arg0) : (tensor<4x5x6xf32>) -> tensor<f32>
    return %1, %3, %5, %7, %9, %11, %12, %13, %15, %17, %19, %21, %23, %25, %30, %32, %33 : tensor<f32>, tensor<5x6xf32>, tensor<5xf32>, tensor<4x6xf32>, tensor<4x5xf32>, tensor<6xf32>, tensor<4x6xi32>, tensor<5x6xi32>, tensor<4xi1>, tensor<3xi1>, tensor<4xi32>, tensor<4xi32>, tensor<5xi32>, tensor<4xi32>, tensor<5x6xf32>, tensor<4x5xf32>, tensor<f32>
  }
  func.func private @argmax(%arg0: tensor<4x5x6xf32>) -> tensor<4x6xi32> {
    %0 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x5x6xi32>
    %1 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %2 = mhlo.constant dense<0> : tensor<i32>
    %3:2 = mhlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [1] : (tensor<4x5x6xf32>, tensor<4x5x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
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
    return %3#1 : tensor<4x6xi32>
  }
  func.func private @argmin(%arg0: tensor<4x5x6xf32>) -> tensor<5x6xi32> {
    %0 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x5x6xi32>
    %1 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %2 = mhlo.constant dense<0> : tensor<i32>
    %3:2 = mhlo.reduce(%arg0 init: %1), (%0 init: %2) across dimensions = [0] : (tensor<4x5x6xf32>, tensor<4x5x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<5x6xf32>, tensor<5x6xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %4 = mhlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
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
    return %3#1 : tensor<5x6xi32>
  }
  func.func private @_var(%arg0: tensor<4x5x6xf32>, %arg1: tensor<i32>) -> tensor<4x5xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.reduce(%arg0 init: %0) applies mhlo.add across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %3 = mhlo.constant dense<6.000000e+00> : tensor<f32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5x1xf32>
    %5 = mhlo.divide %2, %4 : tensor<4x5x1xf32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<4x5x1xf32>) -> tensor<4x5x6xf32>
    %7 = mhlo.subtract %arg0, %6 : tensor<4x5x6xf32>
    %8 = mhlo.multiply %7, %7 : tensor<4x5x6xf32>
    %9 = mhlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %10 = mhlo.constant dense<6.000000e+00> : tensor<f32>
    %11 = mhlo.subtract %10, %9 : tensor<f32>
    %12 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = mhlo.reduce(%8 init: %12) applies mhlo.add across dimensions = [2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<4x5xf32>
    %14 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %15 = mhlo.divide %13, %14 : tensor<4x5xf32>
    %16 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = mhlo.compare GT, %11, %16, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %18 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %19 = call @_where(%17, %15, %18) : (tensor<i1>, tensor<4x5xf32>, tensor<f32>) -> tensor<4x5xf32>
    return %19 : tensor<4x5xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<4x5xf32>, %arg2: tensor<f32>) -> tensor<4x5xf32> {
    %0 = mhlo.convert %arg2 : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x5xf32>
    %2 = mhlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<4x5xf32>
    return %2 : tensor<4x5xf32>
  }
  func.func private @norm(%arg0: tensor<4x5x6xf32>) -> tensor<f32> {
    %0 = mhlo.multiply %arg0, %arg0 : tensor<4x5x6xf32>
    %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = mhlo.reduce(%0 init: %1) applies mhlo.add across dimensions = [0, 1, 2] : (tensor<4x5x6xf32>, tensor<f32>) -> tensor<f32>
    %3 = mhlo.sqrt %2 : tensor<f32>
    return %3 : tensor<f32>
  }
}
