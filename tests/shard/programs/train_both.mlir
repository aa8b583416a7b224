// parameter [{"x"}, {}, {}]
// parameter [{}]
// parameter [{}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{"y"}, {}, {}]
// parameter [{}, {"y"}]
// parameter [{"y"}, {}]
// parameter [{}]
// parameter [{}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{"y"}, {}, {}]
// parameter [{}, {"y"}]
// parameter [{"y"}, {}]
// parameter [{}]
// parameter [{}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{}, {"y"}, {}]
// parameter [{"y"}, {}, {}]
// parameter [{}, {"y"}]
// parameter [{"y"}, {}]
// result [{}]
// result [{"y"}, {}]
// result [{}, {"y"}, {}]
// result [{"y"}, {}, {}]
// result [{}, {"y"}, {}]
// result [{}]
// result [{}, {"y"}]
// result [{}, {"y"}, {}]
// result [{}]
// result [{"y"}, {}]
// result [{}, {"y"}, {}]
// result [{"y"}, {}, {}]
// result [{}, {"y"}, {}]
// result [{}]
// result [{}, {"y"}]
// result [{}, {"y"}, {}]
// result [{}]
// result [{"y"}, {}]
// result [{}, {"y"}, {}]
// result [{"y"}, {}, {}]
// result [{}, {"y"}, {}]
// result [{}]
// result [{}, {"y"}]
// result [{}, {"y"}, {}]
module @jit_train attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %arg1: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg2: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg3: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg4: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg5: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg6: tensor<4x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}, %arg7: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg8: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg9: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg10: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg11: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg12: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg13: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg14: tensor<4x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}, %arg15: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg16: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %arg17: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg18: tensor<32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %arg19: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg20: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg21: tensor<32x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}, %arg22: tensor<4x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}, %arg23: tensor<32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg24: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<32xf32> {jax.result_info = "result[0]['bias']"}, tensor<64x32xf32> {jax.result_info = "result[0]['down']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['k']"}, tensor<4x8x32xf32> {jax.result_info = "result[0]['o']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['q']"}, tensor<32xf32> {jax.result_info = "result[0]['scale']"}, tensor<32x64xf32> {jax.result_info = "result[0]['up']"}, tensor<32x4x8xf32> {jax.result_info = "result[0]['v']"}, tensor<32xf32> {jax.result_info = "result[1]['bias']"}, tensor<64x32xf32> {jax.result_info = "result[1]['down']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['k']"}, tensor<4x8x32xf32> {jax.result_info = "result[1]['o']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['q']"}, tensor<32xf32> {jax.result_info = "result[1]['scale']"}, tensor<32x64xf32> {jax.result_info = "result[1]['up']"}, tensor<32x4x8xf32> {jax.result_info = "result[1]['v']"}, tensor<32xf32> {jax.result_info = "result[2]['bias']"}, tensor<64x32xf32> {jax.result_info = "result[2]['down']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['k']"}, tensor<4x8x32xf32> {jax.result_info = "result[2]['o']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['q']"}, tensor<32xf32> {jax.result_info = "result[2]['scale']"}, tensor<32x64xf32> {jax.result_info = "result[2]['up']"}, tensor<32x4x8xf32> {jax.result_info = "result[2]['v']"}) {
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
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<8x16x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %14 = stablehlo.add %12, %13 : tensor<8x16x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<8x16x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %17 = stablehlo.multiply %5, %16 : tensor<8x16x32xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<8x16x32xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %23 = stablehlo.add %20, %22 : tensor<8x16x32xf32>
    %24 = stablehlo.dot_general %arg3, %23, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %25 = stablehlo.transpose %24, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %26 = stablehlo.dot_general %arg4, %23, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %27 = stablehlo.transpose %26, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %28 = stablehlo.dot_general %arg5, %23, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<8x16x32xf32>) -> tensor<4x8x8x16xf32>
    %29 = stablehlo.transpose %28, dims = [2, 0, 3, 1] : (tensor<4x8x8x16xf32>) -> tensor<8x4x16x8xf32>
    %30 = stablehlo.dot_general %25, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %32 = stablehlo.divide %30, %31 : tensor<8x4x16x16xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %34 = stablehlo.reshape %33 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %36 = stablehlo.compare EQ, %32, %35, FLOAT : (tensor<8x4x16x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x16x16xi1>
    %37 = stablehlo.convert %36 : (tensor<8x4x16x16xi1>) -> tensor<8x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_6) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %40 = stablehlo.maximum %39, %33 : tensor<8x4x16xf32>
    %41 = stablehlo.compare EQ, %33, %40, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %44 = stablehlo.select %41, %42, %43 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %46 = stablehlo.compare EQ, %45, %40, FLOAT : (tensor<8x4x16xf32>, tensor<8x4x16xf32>) -> tensor<8x4x16xi1>
    %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %49 = stablehlo.select %46, %47, %48 : tensor<8x4x16xi1>, tensor<8x4x16xf32>
    %50 = stablehlo.divide %44, %49 : tensor<8x4x16xf32>
    %51 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %53 = stablehlo.subtract %32, %52 : tensor<8x4x16x16xf32>
    %54 = stablehlo.exponential %53 : tensor<8x4x16x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_13) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %58 = stablehlo.divide %54, %57 : tensor<8x4x16x16xf32>
    %59 = stablehlo.multiply %56, %56 : tensor<8x4x16x1xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %61 = stablehlo.divide %60, %59 : tensor<8x4x16x1xf32>
    %62 = stablehlo.dot_general %29, %58, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %63 = stablehlo.transpose %62, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %64 = stablehlo.dot_general %63, %arg6, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<4x8x32xf32>) -> tensor<8x16x32xf32>
    %65 = stablehlo.add %arg0, %64 : tensor<8x16x32xf32>
    %66 = stablehlo.dot_general %65, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %67 = stablehlo.multiply %66, %66 : tensor<8x16x64xf32>
    %68 = stablehlo.multiply %67, %66 : tensor<8x16x64xf32>
    %69 = stablehlo.multiply %66, %66 : tensor<8x16x64xf32>
    %cst_15 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<8x16x64xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %73 = stablehlo.multiply %72, %68 : tensor<8x16x64xf32>
    %74 = stablehlo.add %66, %73 : tensor<8x16x64xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %76 = stablehlo.multiply %75, %74 : tensor<8x16x64xf32>
    %77 = stablehlo.tanh %76 : tensor<8x16x64xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %79 = stablehlo.subtract %78, %77 : tensor<8x16x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %81 = stablehlo.add %80, %77 : tensor<8x16x64xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<8x16x64xf32>
    %84 = stablehlo.multiply %66, %83 : tensor<8x16x64xf32>
    %85 = stablehlo.dot_general %84, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %86 = stablehlo.add %65, %85 : tensor<8x16x32xf32>
    %87 = stablehlo.multiply %86, %86 : tensor<8x16x32xf32>
    %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %89 = stablehlo.multiply %88, %86 : tensor<8x16x32xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.reduce(%87 init: %cst_22) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_23 = stablehlo.constant dense<4.096000e+03> : tensor<f32>
    %91 = stablehlo.divide %90, %cst_23 : tensor<f32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_25 = stablehlo.constant dense<4.096000e+03> : tensor<f32>
    %92 = stablehlo.divide %cst_24, %cst_25 : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %92, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %94 = stablehlo.multiply %93, %89 : tensor<8x16x32xf32>
    %95 = stablehlo.dot_general %94, %84, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %96 = stablehlo.transpose %95, dims = [1, 0] : (tensor<32x64xf32>) -> tensor<64x32xf32>
    %97 = stablehlo.dot_general %94, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %98 = stablehlo.multiply %66, %97 : tensor<8x16x64xf32>
    %99 = stablehlo.multiply %97, %83 : tensor<8x16x64xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %101 = stablehlo.multiply %100, %98 : tensor<8x16x64xf32>
    %102 = stablehlo.multiply %101, %79 : tensor<8x16x64xf32>
    %103 = stablehlo.multiply %102, %77 : tensor<8x16x64xf32>
    %104 = stablehlo.add %102, %103 : tensor<8x16x64xf32>
    %cst_27 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %106 = stablehlo.multiply %105, %104 : tensor<8x16x64xf32>
    %107 = stablehlo.add %99, %106 : tensor<8x16x64xf32>
    %cst_28 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %109 = stablehlo.multiply %108, %106 : tensor<8x16x64xf32>
    %110 = stablehlo.multiply %109, %71 : tensor<8x16x64xf32>
    %111 = stablehlo.add %107, %110 : tensor<8x16x64xf32>
    %112 = stablehlo.dot_general %111, %65, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %113 = stablehlo.transpose %112, dims = [1, 0] : (tensor<64x32xf32>) -> tensor<32x64xf32>
    %114 = stablehlo.dot_general %111, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %115 = stablehlo.add %94, %114 : tensor<8x16x32xf32>
    %116 = stablehlo.dot_general %115, %63, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x4x8xf32>) -> tensor<32x4x8xf32>
    %117 = stablehlo.transpose %116, dims = [1, 2, 0] : (tensor<32x4x8xf32>) -> tensor<4x8x32xf32>
    %118 = stablehlo.dot_general %115, %arg6, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<4x8x32xf32>) -> tensor<8x16x4x8xf32>
    %119 = stablehlo.transpose %118, dims = [0, 2, 3, 1] : (tensor<8x16x4x8xf32>) -> tensor<8x4x8x16xf32>
    %120 = stablehlo.dot_general %119, %29, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %121 = stablehlo.dot_general %119, %58, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x16xf32>, tensor<8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %122 = stablehlo.transpose %121, dims = [0, 1, 3, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x4x16x8xf32>
    %123 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %124 = stablehlo.multiply %120, %123 : tensor<8x4x16x16xf32>
    %125 = stablehlo.multiply %124, %54 : tensor<8x4x16x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.reduce(%125 init: %cst_29) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %127 = stablehlo.reshape %126 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %128 = stablehlo.negate %127 : tensor<8x4x16x1xf32>
    %129 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %130 = stablehlo.divide %120, %129 : tensor<8x4x16x16xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.reduce(%128 init: %cst_30) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x16xf32>
    %133 = stablehlo.add %130, %132 : tensor<8x4x16x16xf32>
    %134 = stablehlo.multiply %133, %54 : tensor<8x4x16x16xf32>
    %cst_31 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %136 = stablehlo.divide %134, %135 : tensor<8x4x16x16xf32>
    %137 = stablehlo.dot_general %136, %25, batching_dims = [0, 1] x [0, 1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %138 = stablehlo.dot_general %136, %27, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    %139 = stablehlo.transpose %122, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %140 = stablehlo.dot_general %139, %arg5, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %141 = stablehlo.dot_general %139, %23, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %142 = stablehlo.transpose %141, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %143 = stablehlo.transpose %137, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %144 = stablehlo.dot_general %143, %arg4, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %145 = stablehlo.add %140, %144 : tensor<8x16x32xf32>
    %146 = stablehlo.dot_general %143, %23, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %147 = stablehlo.transpose %146, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %148 = stablehlo.transpose %138, dims = [1, 3, 0, 2] : (tensor<8x4x16x8xf32>) -> tensor<4x8x8x16xf32>
    %149 = stablehlo.dot_general %148, %arg3, contracting_dims = [0, 1] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<32x4x8xf32>) -> tensor<8x16x32xf32>
    %150 = stablehlo.add %145, %149 : tensor<8x16x32xf32>
    %151 = stablehlo.dot_general %148, %23, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8x16xf32>, tensor<8x16x32xf32>) -> tensor<4x8x32xf32>
    %152 = stablehlo.transpose %151, dims = [2, 0, 1] : (tensor<4x8x32xf32>) -> tensor<32x4x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.reduce(%150 init: %cst_32) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %154 = stablehlo.reshape %153 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.reduce(%154 init: %cst_33) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %156 = stablehlo.multiply %17, %150 : tensor<8x16x32xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_34) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %158 = stablehlo.reshape %157 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.reduce(%158 init: %cst_35) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %161 = stablehlo.multiply %160, %arg10 : tensor<32xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %163 = stablehlo.multiply %162, %155 : tensor<32xf32>
    %164 = stablehlo.add %161, %163 : tensor<32xf32>
    %cst_38 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %166 = stablehlo.multiply %165, %arg16 : tensor<64x32xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %168 = stablehlo.multiply %167, %96 : tensor<64x32xf32>
    %169 = stablehlo.add %166, %168 : tensor<64x32xf32>
    %cst_40 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %171 = stablehlo.multiply %170, %arg12 : tensor<32x4x8xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %173 = stablehlo.multiply %172, %147 : tensor<32x4x8xf32>
    %174 = stablehlo.add %171, %173 : tensor<32x4x8xf32>
    %cst_42 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %176 = stablehlo.multiply %175, %arg14 : tensor<4x8x32xf32>
    %cst_43 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %178 = stablehlo.multiply %177, %117 : tensor<4x8x32xf32>
    %179 = stablehlo.add %176, %178 : tensor<4x8x32xf32>
    %cst_44 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %181 = stablehlo.multiply %180, %arg11 : tensor<32x4x8xf32>
    %cst_45 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %183 = stablehlo.multiply %182, %152 : tensor<32x4x8xf32>
    %184 = stablehlo.add %181, %183 : tensor<32x4x8xf32>
    %cst_46 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %186 = stablehlo.multiply %185, %arg9 : tensor<32xf32>
    %cst_47 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %188 = stablehlo.multiply %187, %159 : tensor<32xf32>
    %189 = stablehlo.add %186, %188 : tensor<32xf32>
    %cst_48 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %191 = stablehlo.multiply %190, %arg15 : tensor<32x64xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %193 = stablehlo.multiply %192, %113 : tensor<32x64xf32>
    %194 = stablehlo.add %191, %193 : tensor<32x64xf32>
    %cst_50 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %196 = stablehlo.multiply %195, %arg13 : tensor<32x4x8xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %198 = stablehlo.multiply %197, %142 : tensor<32x4x8xf32>
    %199 = stablehlo.add %196, %198 : tensor<32x4x8xf32>
    %cst_52 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %201 = stablehlo.multiply %200, %arg18 : tensor<32xf32>
    %cst_53 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %203 = stablehlo.multiply %202, %155 : tensor<32xf32>
    %204 = stablehlo.multiply %203, %155 : tensor<32xf32>
    %205 = stablehlo.add %201, %204 : tensor<32xf32>
    %cst_54 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %207 = stablehlo.multiply %206, %arg24 : tensor<64x32xf32>
    %cst_55 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %209 = stablehlo.multiply %208, %96 : tensor<64x32xf32>
    %210 = stablehlo.multiply %209, %96 : tensor<64x32xf32>
    %211 = stablehlo.add %207, %210 : tensor<64x32xf32>
    %cst_56 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %213 = stablehlo.multiply %212, %arg20 : tensor<32x4x8xf32>
    %cst_57 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %215 = stablehlo.multiply %214, %147 : tensor<32x4x8xf32>
    %216 = stablehlo.multiply %215, %147 : tensor<32x4x8xf32>
    %217 = stablehlo.add %213, %216 : tensor<32x4x8xf32>
    %cst_58 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %219 = stablehlo.multiply %218, %arg22 : tensor<4x8x32xf32>
    %cst_59 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %221 = stablehlo.multiply %220, %117 : tensor<4x8x32xf32>
    %222 = stablehlo.multiply %221, %117 : tensor<4x8x32xf32>
    %223 = stablehlo.add %219, %222 : tensor<4x8x32xf32>
    %cst_60 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %225 = stablehlo.multiply %224, %arg19 : tensor<32x4x8xf32>
    %cst_61 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %227 = stablehlo.multiply %226, %152 : tensor<32x4x8xf32>
    %228 = stablehlo.multiply %227, %152 : tensor<32x4x8xf32>
    %229 = stablehlo.add %225, %228 : tensor<32x4x8xf32>
    %cst_62 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %231 = stablehlo.multiply %230, %arg17 : tensor<32xf32>
    %cst_63 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %233 = stablehlo.multiply %232, %159 : tensor<32xf32>
    %234 = stablehlo.multiply %233, %159 : tensor<32xf32>
    %235 = stablehlo.add %231, %234 : tensor<32xf32>
    %cst_64 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %236 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %237 = stablehlo.multiply %236, %arg23 : tensor<32x64xf32>
    %cst_65 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %239 = stablehlo.multiply %238, %113 : tensor<32x64xf32>
    %240 = stablehlo.multiply %239, %113 : tensor<32x64xf32>
    %241 = stablehlo.add %237, %240 : tensor<32x64xf32>
    %cst_66 = stablehlo.constant dense<9.900000e-01> : tensor<f32>
    %242 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %243 = stablehlo.multiply %242, %arg21 : tensor<32x4x8xf32>
    %cst_67 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %244 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %245 = stablehlo.multiply %244, %142 : tensor<32x4x8xf32>
    %246 = stablehlo.multiply %245, %142 : tensor<32x4x8xf32>
    %247 = stablehlo.add %243, %246 : tensor<32x4x8xf32>
    %cst_68 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %249 = stablehlo.multiply %248, %164 : tensor<32xf32>
    %250 = stablehlo.sqrt %205 : tensor<32xf32>
    %cst_69 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %252 = stablehlo.add %250, %251 : tensor<32xf32>
    %253 = stablehlo.divide %249, %252 : tensor<32xf32>
    %254 = stablehlo.subtract %arg2, %253 : tensor<32xf32>
    %cst_70 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %256 = stablehlo.multiply %255, %169 : tensor<64x32xf32>
    %257 = stablehlo.sqrt %211 : tensor<64x32xf32>
    %cst_71 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %259 = stablehlo.add %257, %258 : tensor<64x32xf32>
    %260 = stablehlo.divide %256, %259 : tensor<64x32xf32>
    %261 = stablehlo.subtract %arg8, %260 : tensor<64x32xf32>
    %cst_72 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %263 = stablehlo.multiply %262, %174 : tensor<32x4x8xf32>
    %264 = stablehlo.sqrt %217 : tensor<32x4x8xf32>
    %cst_73 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %266 = stablehlo.add %264, %265 : tensor<32x4x8xf32>
    %267 = stablehlo.divide %263, %266 : tensor<32x4x8xf32>
    %268 = stablehlo.subtract %arg4, %267 : tensor<32x4x8xf32>
    %cst_74 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %270 = stablehlo.multiply %269, %179 : tensor<4x8x32xf32>
    %271 = stablehlo.sqrt %223 : tensor<4x8x32xf32>
    %cst_75 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %273 = stablehlo.add %271, %272 : tensor<4x8x32xf32>
    %274 = stablehlo.divide %270, %273 : tensor<4x8x32xf32>
    %275 = stablehlo.subtract %arg6, %274 : tensor<4x8x32xf32>
    %cst_76 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %277 = stablehlo.multiply %276, %184 : tensor<32x4x8xf32>
    %278 = stablehlo.sqrt %229 : tensor<32x4x8xf32>
    %cst_77 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %280 = stablehlo.add %278, %279 : tensor<32x4x8xf32>
    %281 = stablehlo.divide %277, %280 : tensor<32x4x8xf32>
    %282 = stablehlo.subtract %arg3, %281 : tensor<32x4x8xf32>
    %cst_78 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %284 = stablehlo.multiply %283, %189 : tensor<32xf32>
    %285 = stablehlo.sqrt %235 : tensor<32xf32>
    %cst_79 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %287 = stablehlo.add %285, %286 : tensor<32xf32>
    %288 = stablehlo.divide %284, %287 : tensor<32xf32>
    %289 = stablehlo.subtract %arg1, %288 : tensor<32xf32>
    %cst_80 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %291 = stablehlo.multiply %290, %194 : tensor<32x64xf32>
    %292 = stablehlo.sqrt %241 : tensor<32x64xf32>
    %cst_81 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %294 = stablehlo.add %292, %293 : tensor<32x64xf32>
    %295 = stablehlo.divide %291, %294 : tensor<32x64xf32>
    %296 = stablehlo.subtract %arg7, %295 : tensor<32x64xf32>
    %cst_82 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %298 = stablehlo.multiply %297, %199 : tensor<32x4x8xf32>
    %299 = stablehlo.sqrt %247 : tensor<32x4x8xf32>
    %cst_83 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<32x4x8xf32>
    %301 = stablehlo.add %299, %300 : tensor<32x4x8xf32>
    %302 = stablehlo.divide %298, %301 : tensor<32x4x8xf32>
    %303 = stablehlo.subtract %arg5, %302 : tensor<32x4x8xf32>
    return %254, %261, %268, %275, %282, %289, %296, %303, %164, %169, %174, %179, %184, %189, %194, %199, %205, %211, %217, %223, %229, %235, %241, %247 : tensor<32xf32>, tensor<64x32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x4x8xf32>, tensor<4x8x32xf32>, tensor<32x4x8xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<32x4x8xf32>
  }
}
