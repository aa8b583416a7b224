module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300007xf32>, %arg1: tensor<3x300009xf32>, %arg2: tensor<300007xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<i32> {jax.result_info = "result[1]"}, tensor<3xf32> {jax.result_info = "result[2]"}, tensor<3xi32> {jax.result_info = "result[3]"}, tensor<f32> {jax.result_info = "result[4]"}, tensor<i32> {jax.result_info = "result[5]"}, tensor<f32> {jax.result_info = "result[6]"}, tensor<f32> {jax.result_info = "result[7]"}, tensor<3xf32> {jax.result_info = "result[8]"}, tensor<f32> {jax.result_info = "result[9]"}, tensor<f32> {jax.result_info = "result[10]"}, tensor<3xi32> {jax.result_info = "result[11]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<300007xf32>) -> tensor<300007xbf16>
    %cst = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<300007xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<300007xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<300007xf32>, tensor<f32>) -> tensor<f32>
    %4 = call @argmax(%arg0) : (tensor<300007xf32>) -> tensor<i32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%arg1 init: %cst_1) applies stablehlo.maximum across dimensions = [1] : (tensor<3x300009xf32>, tensor<f32>) -> tensor<3xf32>
    %6 = call @argmin(%arg1) : (tensor<3x300009xf32>) -> tensor<3xi32>
    %cst_2 = stablehlo.constant dense<1.000980e-02> : tensor<bf16>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<300007xbf16>
    %8 = stablehlo.multiply %0, %7 : tensor<300007xbf16>
    %9 = stablehlo.convert %8 : (tensor<300007xbf16>) -> tensor<300007xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<300007xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.convert %10 : (tensor<f32>) -> tensor<bf16>
    %12 = stablehlo.convert %11 : (tensor<bf16>) -> tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.reduce(%arg2 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<300007xi32>, tensor<i32>) -> tensor<i32>
    %cst_4 = stablehlo.constant dense<9.999000e-01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<300007xf32>
    %15 = stablehlo.compare GT, %arg0, %14, FLOAT : (tensor<300007xf32>, tensor<300007xf32>) -> tensor<300007xi1>
    %cst_two = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %twos = stablehlo.broadcast_in_dim %cst_two, dims = [] : (tensor<f32>) -> tensor<300007xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<300007xf32>
    %17 = stablehlo.select %15, %twos, %16 : tensor<300007xi1>, tensor<300007xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_6) applies stablehlo.multiply across dimensions = [0] : (tensor<300007xf32>, tensor<f32>) -> tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%arg1 init: %cst_7) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x300009xf32>, tensor<f32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<9.000270e+05> : tensor<f32>
    %20 = stablehlo.divide %19, %cst_8 : tensor<f32>
    %21 = stablehlo.reshape %arg1 : (tensor<3x300009xf32>) -> tensor<300009x3xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<300009x3xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_10 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<3xf32>
    %cst_11 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %25 = stablehlo.reduce(%arg1 init: %cst_11) applies stablehlo.maximum across dimensions = [0] : (tensor<3x300009xf32>, tensor<f32>) -> tensor<300009xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<300009xf32>, tensor<f32>) -> tensor<f32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %27 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<300007xi32>
    %28 = stablehlo.compare GT, %arg2, %27, SIGNED : (tensor<300007xi32>, tensor<300007xi32>) -> tensor<300007xi1>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %29 = call @_where(%28, %arg0, %c_14) : (tensor<300007xi1>, tensor<300007xf32>, tensor<i32>) -> tensor<300007xf32>
    %cst_15 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<300007xf32>
    %31 = stablehlo.multiply %29, %30 : tensor<300007xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%31 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<300007xf32>, tensor<f32>) -> tensor<f32>
    %33 = stablehlo.reshape %arg1 : (tensor<3x300009xf32>) -> tensor<300009x3xf32>
    %34 = call @argmax_0(%33) : (tensor<300009x3xf32>) -> tensor<3xi32>
    return %3, %4, %5, %6, %12, %13, %18, %20, %24, %26, %32, %34 : tensor<f32>, tensor<i32>, tensor<3xf32>, tensor<3xi32>, tensor<f32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<3xi32>
  }
  func.func private @argmax(%arg0: tensor<300007xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<300007xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<300007xf32>, tensor<300007xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<i32>
  }
  func.func private @argmin(%arg0: tensor<3x300009xf32>) -> tensor<3xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<3x300009xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<3x300009xf32>, tensor<3x300009xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<3xi32>
  }
  func.func private @_where(%arg0: tensor<300007xi1>, %arg1: tensor<300007xf32>, %arg2: tensor<i32>) -> tensor<300007xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<300007xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<300007xi1>, tensor<300007xf32>
    return %2 : tensor<300007xf32>
  }
  func.func private @argmax_0(%arg0: tensor<300009x3xf32>) -> tensor<3xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<300009x3xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<300009x3xf32>, tensor<300009x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<3xi32>
  }
}
