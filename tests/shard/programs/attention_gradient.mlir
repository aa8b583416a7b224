// parameter [{"x"}, {}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// result [{"x"}, {}, {}]
// result [{}, {"y"}, {}]
// result [{}, {"y"}, {}]
// result [{}, {"y"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %arg1: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg2: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg3: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}) -> (tensor<8x16x32xf32> {jax.result_info = "result[0]"}, tensor<32x4x8xf32> {jax.result_info = "result[1]"}, tensor<32x4x8xf32> {jax.result_info = "result[2]"}, tensor<32x4x8xf32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %1 = stablehlo.transpose %0, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %2 = stablehlo.dot_general %arg2, %arg0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %3 = stablehlo.transpose %2, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %4 = stablehlo.dot_general %arg3, %arg0, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %5 = stablehlo.transpose %4, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %8 = stablehlo.divide %6, %7 : tensor<8x4x16x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %10 = stablehlo.reshape %9 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %12 = stablehlo.compare EQ, %8, %11, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %13 = stablehlo.convert %12 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %16 = stablehlo.maximum %15, %9 : tensor<8x4x16xf32>
    %17 = stablehlo.compare EQ, %9, %16, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %20 = stablehlo.select %17, %18, %19 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %22 = stablehlo.compare EQ, %21, %16, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %25 = stablehlo.select %22, %23, %24 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %26 = stablehlo.divide %20, %25 : tensor<8x4x16xf32>
    %27 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %29 = stablehlo.subtract %8, %28 : tensor<8x4x16x16xf32>
    %30 = stablehlo.exponential %29 : tensor<8x4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %34 = stablehlo.divide %30, %33 : tensor<8x4x16x16xf32>
    %35 = stablehlo.multiply %32, %32 : tensor<8x4x16x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %37 = stablehlo.divide %36, %35 : tensor<8x4x16x1xf32>
    %38 = stablehlo.dot_general %5, %34, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %39 = stablehlo.transpose %38, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_10) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<8x16x4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x16x4x8xf32>
    %42 = stablehlo.transpose %41, dims = [0, 2, 3, 1] : (tensor<8x16x4x8xf32>) -> tensor<8x4x8x16xf32>
    %43 = stablehlo.dot_general %42, %5, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %44 = stablehlo.dot_general %42, %34, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %45 = stablehlo.transpose %44, dims = [0, 1, 3, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x4x16x8xf32>
    %46 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %47 = stablehlo.multiply %43, %46 : tensor<8x4x16x16xf32>
    %48 = stablehlo.multiply %47, %30 : tensor<8x4x16x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.reduce(%48 init: %cst_12) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %50 = stablehlo.reshape %49 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %51 = stablehlo.negate %50 : tensor<8x4x16x1xf32>
    %52 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %53 = stablehlo.divide %43, %52 : tensor<8x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%51 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %56 = stablehlo.add %53, %55 : tensor<8x4x16x16xf32>
    %57 = stablehlo.multiply %56, %30 : tensor<8x4x16x16xf32>
    %cst_14 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %59 = stablehlo.divide %57, %58 : tensor<8x4x16x16xf32>
    %60 = stablehlo.dot_general %59, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %61 = stablehlo.dot_general %59, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %62 = stablehlo.transpose %45, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %63 = stablehlo.dot_general %62, %arg3, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %64 = stablehlo.dot_general %62, %arg0, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %65 = stablehlo.transpose %64, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %66 = stablehlo.transpose %60, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %67 = stablehlo.dot_general %66, %arg2, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %68 = stablehlo.add %63, %67 : tensor<8x16x32xf32>
    %69 = stablehlo.dot_general %66, %arg0, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %70 = stablehlo.transpose %69, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %71 = stablehlo.transpose %61, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %72 = stablehlo.dot_general %71, %arg1, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %73 = stablehlo.add %68, %72 : tensor<8x16x32xf32>
    %74 = stablehlo.dot_general %71, %arg0, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %75 = stablehlo.transpose %74, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    return %73, %75, %70, %65 : tensor<8x16x32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>
  }
}
