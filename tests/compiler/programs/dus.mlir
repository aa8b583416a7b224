module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20x30xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<i32>) -> (tensor<20x30xf32> {jax.result_info = "result[0]"}, tensor<20x30xf32> {jax.result_info = "result[1]"}, tensor<30xf32> {jax.result_info = "result[2]"}, tensor<20x30xf32> {jax.result_info = "result[3]"}, tensor<20x30xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg2, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<20> : tensor<i32>
    %2 = stablehlo.add %arg2, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %arg2 : tensor<i1>, tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare LT, %0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<30> : tensor<i32>
    %5 = stablehlo.add %0, %c_3 : tensor<i32>
    %6 = stablehlo.select %4, %5, %0 : tensor<i1>, tensor<i32>
    %7 = stablehlo.dynamic_update_slice %arg0, %arg1, %3, %6 : (tensor<20x30xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<20x30xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x30xf32>
    %9 = stablehlo.multiply %arg0, %8 : tensor<20x30xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %11 = stablehlo.add %arg1, %10 : tensor<3x4xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.compare LT, %arg2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<20> : tensor<i32>
    %13 = stablehlo.add %arg2, %c_6 : tensor<i32>
    %14 = stablehlo.select %12, %13, %arg2 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %15 = stablehlo.dynamic_update_slice %9, %11, %14, %c_7 : (tensor<20x30xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<20x30xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<20x30xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %arg2, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_10 = stablehlo.constant dense<30> : tensor<i32>
    %18 = stablehlo.add %arg2, %c_10 : tensor<i32>
    %19 = stablehlo.select %17, %18, %arg2 : tensor<i1>, tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.dynamic_update_slice %16, %arg1, %c_11, %19 : (tensor<20x30xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<20x30xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<20x30xf32>, tensor<f32>) -> tensor<30xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %22 = stablehlo.compare LT, %arg2, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<20> : tensor<i32>
    %23 = stablehlo.add %arg2, %c_14 : tensor<i32>
    %24 = stablehlo.select %22, %23, %arg2 : tensor<i1>, tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %arg2, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<30> : tensor<i32>
    %26 = stablehlo.add %arg2, %c_16 : tensor<i32>
    %27 = stablehlo.select %25, %26, %arg2 : tensor<i1>, tensor<i32>
    %28 = stablehlo.dynamic_slice %arg0, %24, %27, sizes = [3, 4] : (tensor<20x30xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %30 = stablehlo.add %28, %29 : tensor<3x4xf32>
    %c_18 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.compare LT, %arg2, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_19 = stablehlo.constant dense<20> : tensor<i32>
    %32 = stablehlo.add %arg2, %c_19 : tensor<i32>
    %33 = stablehlo.select %31, %32, %arg2 : tensor<i1>, tensor<i32>
    %c_20 = stablehlo.constant dense<0> : tensor<i32>
    %34 = stablehlo.compare LT, %arg2, %c_20, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_21 = stablehlo.constant dense<30> : tensor<i32>
    %35 = stablehlo.add %arg2, %c_21 : tensor<i32>
    %36 = stablehlo.select %34, %35, %arg2 : tensor<i1>, tensor<i32>
    %37 = stablehlo.dynamic_update_slice %arg0, %30, %33, %36 : (tensor<20x30xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<20x30xf32>
    %c_22 = stablehlo.constant dense<0> : tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.dynamic_slice %arg0, %c_22, %c_23, sizes = [3, 4] : (tensor<20x30xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
    %40 = stablehlo.add %38, %39 : tensor<3x4xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %41 = stablehlo.compare LT, %arg2, %c_25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_26 = stablehlo.constant dense<20> : tensor<i32>
    %42 = stablehlo.add %arg2, %c_26 : tensor<i32>
    %43 = stablehlo.select %41, %42, %arg2 : tensor<i1>, tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %44 = stablehlo.compare LT, %arg2, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_28 = stablehlo.constant dense<30> : tensor<i32>
    %45 = stablehlo.add %arg2, %c_28 : tensor<i32>
    %46 = stablehlo.select %44, %45, %arg2 : tensor<i1>, tensor<i32>
    %47 = stablehlo.dynamic_update_slice %arg0, %40, %43, %46 : (tensor<20x30xf32>, tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<20x30xf32>
    return %7, %15, %21, %37, %47 : tensor<20x30xf32>, tensor<20x30xf32>, tensor<30xf32>, tensor<20x30xf32>, tensor<20x30xf32>
  }
}
