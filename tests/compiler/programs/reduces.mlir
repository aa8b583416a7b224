module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<19x70x301xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<70x301xf32> {jax.result_info = "result[1]"}, tensor<19x301xf32> {jax.result_info = "result[2]"}, tensor<19x70xf32> {jax.result_info = "result[3]"}, tensor<301xf32> {jax.result_info = "result[4]"}, tensor<19xf32> {jax.result_info = "result[5]"}, tensor<70xf32> {jax.result_info = "result[6]"}, tensor<70x301xf32> {jax.result_info = "result[7]"}, tensor<70xf32> {jax.result_info = "result[8]"}, tensor<19x301xf32> {jax.result_info = "result[9]"}, tensor<19x301xi1> {jax.result_info = "result[10]"}, tensor<19x70xi1> {jax.result_info = "result[11]"}, tensor<70x301xf32> {jax.result_info = "result[12]"}, tensor<70x19xf32> {jax.result_info = "result[13]"}, tensor<i32> {jax.result_info = "result[14]"}, tensor<19x301xi32> {jax.result_info = "result[15]"}, tensor<70x301xi32> {jax.result_info = "result[16]"}, tensor<19x70xi32> {jax.result_info = "result[17]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<70x301xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<19x301xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<19x70xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<301xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.reduce(%arg0 init: %cst_4) applies stablehlo.add across dimensions = [1, 2] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<19xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.reduce(%arg0 init: %cst_5) applies stablehlo.add across dimensions = [0, 2] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<70xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%arg0 init: %cst_6) applies stablehlo.maximum across dimensions = [0] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<70x301xf32>
    %cst_7 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %8 = stablehlo.reduce(%arg0 init: %cst_7) applies stablehlo.minimum across dimensions = [0, 2] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<70xf32>
    %cst_8 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<19x70x301xf32>
    %10 = stablehlo.multiply %arg0, %9 : tensor<19x70x301xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<19x70x301xf32>
    %12 = stablehlo.add %10, %11 : tensor<19x70x301xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_10) applies stablehlo.multiply across dimensions = [1] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<19x301xf32>
    %cst_11 = stablehlo.constant dense<1.990000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<19x70x301xf32>
    %15 = stablehlo.compare GT, %arg0, %14, FLOAT : (tensor<19x70x301xf32>, tensor<19x70x301xf32>) -> tensor<19x70x301xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %16 = stablehlo.reduce(%15 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<19x70x301xi1>, tensor<i1>) -> tensor<19x301xi1>
    %cst_12 = stablehlo.constant dense<1.990000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<19x70x301xf32>
    %18 = stablehlo.compare LT, %arg0, %17, FLOAT : (tensor<19x70x301xf32>, tensor<19x70x301xf32>) -> tensor<19x70x301xi1>
    %c_13 = stablehlo.constant dense<true> : tensor<i1>
    %19 = stablehlo.reduce(%18 init: %c_13) applies stablehlo.and across dimensions = [2] : (tensor<19x70x301xi1>, tensor<i1>) -> tensor<19x70xi1>
    %20 = stablehlo.exponential %arg0 : tensor<19x70x301xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_14) applies stablehlo.add across dimensions = [0] : (tensor<19x70x301xf32>, tensor<f32>) -> tensor<70x301xf32>
    %cst_15 = stablehlo.constant dense<1.900000e+01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<70x301xf32>
    %23 = stablehlo.divide %21, %22 : tensor<70x301xf32>
    %24 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<19x70x301xf32>) -> tensor<301x70x19xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<301x70x19xf32>, tensor<f32>) -> tensor<70x19xf32>
    %26 = stablehlo.reshape %arg0 : (tensor<19x70x301xf32>) -> tensor<400330xf32>
    %27 = call @argmax(%26) : (tensor<400330xf32>) -> tensor<i32>
    %28 = call @argmin(%arg0) : (tensor<19x70x301xf32>) -> tensor<19x301xi32>
    %29 = call @argmax_0(%arg0) : (tensor<19x70x301xf32>) -> tensor<70x301xi32>
    %30 = call @argmax_1(%arg0) : (tensor<19x70x301xf32>) -> tensor<19x70xi32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %13, %16, %19, %23, %25, %27, %28, %29, %30 : tensor<f32>, tensor<70x301xf32>, tensor<19x301xf32>, tensor<19x70xf32>, tensor<301xf32>, tensor<19xf32>, tensor<70xf32>, tensor<70x301xf32>, tensor<70xf32>, tensor<19x301xf32>, tensor<19x301xi1>, tensor<19x70xi1>, tensor<70x301xf32>, tensor<70x19xf32>, tensor<i32>, tensor<19x301xi32>, tensor<70x301xi32>, tensor<19x70xi32>
  }
  func.func private @argmax(%arg0: tensor<400330xf32>) -> tensor<i32> {
    %0 = stablehlo.iota dim = 0 : tensor<400330xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<400330xf32>, tensor<400330xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
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
  func.func private @argmin(%arg0: tensor<19x70x301xf32>) -> tensor<19x301xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<19x70x301xi32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<19x70x301xf32>, tensor<19x70x301xi32>, tensor<f32>, tensor<i32>) -> (tensor<19x301xf32>, tensor<19x301xi32>)
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
    return %1#1 : tensor<19x301xi32>
  }
  func.func private @argmax_0(%arg0: tensor<19x70x301xf32>) -> tensor<70x301xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<19x70x301xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<19x70x301xf32>, tensor<19x70x301xi32>, tensor<f32>, tensor<i32>) -> (tensor<70x301xf32>, tensor<70x301xi32>)
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
    return %1#1 : tensor<70x301xi32>
  }
  func.func private @argmax_1(%arg0: tensor<19x70x301xf32>) -> tensor<19x70xi32> {
    %0 = stablehlo.iota dim = 2 : tensor<19x70x301xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<19x70x301xf32>, tensor<19x70x301xi32>, tensor<f32>, tensor<i32>) -> (tensor<19x70xf32>, tensor<19x70xi32>)
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
    return %1#1 : tensor<19x70xi32>
  }
}
