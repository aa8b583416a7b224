// parameter [{}, {}, {}]
// parameter [{}]
// parameter [{}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{"y"}, {}, {}]
// parameter [{}, {"y"}]
// parameter [{"y"}, {}]
// result [{}, {}, {}]
// result [{}]
// result [{}]
// result [{}, {"y"}, {}]
// result [{}, {"y"}, {}]
// result [{}, {"y"}, {}]
// result [{"y"}, {}, {}]
// result [{}, {"y"}]
// result [{"y"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg2: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg3: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg4: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg5: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg6: tensor<4x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}, %arg7: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg8: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x16x32xf32> {jax.result_info = "result[0]"}, tensor<32xf32> {jax.result_info = "result[1]"}, tensor<32xf32> {jax.result_info = "result[2]"}, tensor<32x4x8xf32> {jax.result_info = "result[3]"}, tensor<32x4x8xf32> {jax.result_info = "result[4]"}, tensor<32x4x8xf32> {jax.result_info = "result[5]"}, tensor<4x8x32xf32> {jax.result_info = "result[6]"}, tensor<32x64xf32> {jax.result_info = "result[7]"}, tensor<64x32xf32> {jax.result_info = "result[8]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<8x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x16x32xf32>
    %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %7 = stablehlo.subtract %arg0, %6 : tensor<8x16x32xf32>
    %8 = stablehlo.multiply %7, %7 : tensor<8x16x32xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<8x16x32xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_3 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<8x16x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %16 = stablehlo.add %14, %15 : tensor<8x16x1xf32>
    %17 = stablehlo.rsqrt %16 : tensor<8x16x1xf32>
    %18 = stablehlo.divide %17, %16 : tensor<8x16x1xf32>
    %cst_5 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %20 = stablehlo.multiply %19, %18 : tensor<8x16x1xf32>
    %21 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %22 = stablehlo.multiply %5, %21 : tensor<8x16x32xf32>
    %23 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<8x16x32xf32>
    %26 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %28 = stablehlo.add %25, %27 : tensor<8x16x32xf32>
    %29 = stablehlo.dot_general %arg3, %28, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %30 = stablehlo.transpose %29, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %31 = stablehlo.dot_general %arg4, %28, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %32 = stablehlo.transpose %31, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %33 = stablehlo.dot_general %arg5, %28, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %34 = stablehlo.transpose %33, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %35 = stablehlo.dot_general %30, %32, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %37 = stablehlo.divide %35, %36 : tensor<8x4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %39 = stablehlo.reshape %38 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %41 = stablehlo.compare EQ, %37, %40, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %42 = stablehlo.convert %41 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %45 = stablehlo.maximum %44, %38 : tensor<8x4x16xf32>
    %46 = stablehlo.compare EQ, %38, %45, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %49 = stablehlo.select %46, %47, %48 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %51 = stablehlo.compare EQ, %50, %45, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %54 = stablehlo.select %51, %52, %53 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %55 = stablehlo.divide %49, %54 : tensor<8x4x16xf32>
    %56 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %58 = stablehlo.subtract %37, %57 : tensor<8x4x16x16xf32>
    %59 = stablehlo.exponential %58 : tensor<8x4x16x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.reduce(%59 init: %cst_15) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %63 = stablehlo.divide %59, %62 : tensor<8x4x16x16xf32>
    %64 = stablehlo.multiply %61, %61 : tensor<8x4x16x1xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %66 = stablehlo.divide %65, %64 : tensor<8x4x16x1xf32>
    %67 = stablehlo.dot_general %34, %63, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %68 = stablehlo.transpose %67, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %69 = stablehlo.dot_general %68, %arg6, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %70 = stablehlo.add %arg0, %69 : tensor<8x16x32xf32>
    %71 = stablehlo.dot_general %70, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %72 = stablehlo.multiply %71, %71 : tensor<8x16x64xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<8x16x64xf32>
    %74 = stablehlo.multiply %71, %71 : tensor<8x16x64xf32>
    %cst_17 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %76 = stablehlo.multiply %75, %74 : tensor<8x16x64xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %78 = stablehlo.multiply %77, %73 : tensor<8x16x64xf32>
    %79 = stablehlo.add %71, %78 : tensor<8x16x64xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<8x16x64xf32>
    %82 = stablehlo.tanh %81 : tensor<8x16x64xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %84 = stablehlo.subtract %83, %82 : tensor<8x16x64xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %86 = stablehlo.add %85, %82 : tensor<8x16x64xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %88 = stablehlo.multiply %87, %86 : tensor<8x16x64xf32>
    %89 = stablehlo.multiply %71, %88 : tensor<8x16x64xf32>
    %90 = stablehlo.dot_general %89, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %91 = stablehlo.add %70, %90 : tensor<8x16x32xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.reduce(%91 init: %cst_23) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %94 = stablehlo.dot_general %93, %89, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %95 = stablehlo.transpose %94, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %96 = stablehlo.dot_general %93, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %97 = stablehlo.multiply %71, %96 : tensor<8x16x64xf32>
    %98 = stablehlo.multiply %96, %88 : tensor<8x16x64xf32>
    %cst_25 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %100 = stablehlo.multiply %99, %97 : tensor<8x16x64xf32>
    %101 = stablehlo.multiply %100, %84 : tensor<8x16x64xf32>
    %102 = stablehlo.multiply %101, %82 : tensor<8x16x64xf32>
    %103 = stablehlo.add %101, %102 : tensor<8x16x64xf32>
    %cst_26 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<8x16x64xf32>
    %106 = stablehlo.add %98, %105 : tensor<8x16x64xf32>
    %cst_27 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %108 = stablehlo.multiply %107, %105 : tensor<8x16x64xf32>
    %109 = stablehlo.multiply %108, %76 : tensor<8x16x64xf32>
    %110 = stablehlo.add %106, %109 : tensor<8x16x64xf32>
    %111 = stablehlo.dot_general %110, %70, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %112 = stablehlo.transpose %111, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %113 = stablehlo.dot_general %110, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %114 = stablehlo.add %93, %113 : tensor<8x16x32xf32>
    %115 = stablehlo.dot_general %114, %68, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x4x8xf32>) -> tensor<32x4x8xf32>
    %116 = stablehlo.transpose %115, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %117 = stablehlo.dot_general %114, %arg6, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %118 = stablehlo.transpose %117, dims = [0, 2, 3, 1] : (tensor<8x16x4x8xf32>) -> tensor<8x4x8x16xf32>
    %119 = stablehlo.dot_general %118, %34, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %120 = stablehlo.dot_general %118, %63, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %121 = stablehlo.transpose %120, dims = [0, 1, 3, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x4x16x8xf32>
    %122 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %123 = stablehlo.multiply %119, %122 : tensor<8x4x16x16xf32>
    %124 = stablehlo.multiply %123, %59 : tensor<8x4x16x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%124 init: %cst_28) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %126 = stablehlo.reshape %125 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %127 = stablehlo.negate %126 : tensor<8x4x16x1xf32>
    %128 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %129 = stablehlo.divide %119, %128 : tensor<8x4x16x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.reduce(%127 init: %cst_29) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %132 = stablehlo.add %129, %131 : tensor<8x4x16x16xf32>
    %133 = stablehlo.multiply %132, %59 : tensor<8x4x16x16xf32>
    %cst_30 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %135 = stablehlo.divide %133, %134 : tensor<8x4x16x16xf32>
    %136 = stablehlo.dot_general %135, %30, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %137 = stablehlo.dot_general %135, %32, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %138 = stablehlo.transpose %121, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %139 = stablehlo.dot_general %138, %arg5, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %140 = stablehlo.dot_general %138, %28, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %141 = stablehlo.transpose %140, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %142 = stablehlo.transpose %136, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %143 = stablehlo.dot_general %142, %arg4, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %144 = stablehlo.add %139, %143 : tensor<8x16x32xf32>
    %145 = stablehlo.dot_general %142, %28, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %146 = stablehlo.transpose %145, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %147 = stablehlo.transpose %137, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %148 = stablehlo.dot_general %147, %arg3, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %149 = stablehlo.add %144, %148 : tensor<8x16x32xf32>
    %150 = stablehlo.dot_general %147, %28, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %151 = stablehlo.transpose %150, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.reduce(%149 init: %cst_31) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %153 = stablehlo.reshape %152 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.reduce(%153 init: %cst_32) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %155 = stablehlo.multiply %22, %149 : tensor<8x16x32xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %156 = stablehlo.reduce(%155 init: %cst_33) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %157 = stablehlo.reshape %156 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %158 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %159 = stablehlo.multiply %149, %158 : tensor<8x16x32xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.reduce(%157 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %161 = stablehlo.multiply %5, %159 : tensor<8x16x32xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.reduce(%161 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %163 = stablehlo.reshape %162 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %164 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %165 = stablehlo.multiply %159, %164 : tensor<8x16x32xf32>
    %166 = stablehlo.multiply %163, %20 : tensor<8x16x1xf32>
    %cst_36 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %168 = stablehlo.divide %166, %167 : tensor<8x16x1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.reduce(%168 init: %cst_37) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %171 = stablehlo.multiply %170, %10 : tensor<8x16x32xf32>
    %172 = stablehlo.negate %171 : tensor<8x16x32xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.reduce(%172 init: %cst_38) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %174 = stablehlo.reshape %173 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %175 = stablehlo.add %114, %171 : tensor<8x16x32xf32>
    %176 = stablehlo.negate %165 : tensor<8x16x32xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.reduce(%176 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %178 = stablehlo.reshape %177 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %179 = stablehlo.add %175, %165 : tensor<8x16x32xf32>
    %180 = stablehlo.add %174, %178 : tensor<8x16x1xf32>
    %cst_40 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %182 = stablehlo.divide %180, %181 : tensor<8x16x1xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %185 = stablehlo.add %179, %184 : tensor<8x16x32xf32>
    return %185, %160, %154, %151, %146, %141, %116, %112, %95 : tensor<8x16x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x64xf32>, tensor<64x32xf32>
  }
}
