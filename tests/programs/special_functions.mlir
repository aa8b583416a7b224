module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<12xf32> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf32> {jax.result_info = "result[3]"}, tensor<12xf32> {jax.result_info = "result[4]"}, tensor<12xf32> {jax.result_info = "result[5]"}, tensor<12xf32> {jax.result_info = "result[6]"}, tensor<12xf32> {jax.result_info = "result[7]"}, tensor<12xf32> {jax.result_info = "result[8]"}, tensor<12xf32> {jax.result_info = "result[9]"}, tensor<12xf32> {jax.result_info = "result[10]"}, tensor<12xf32> {jax.result_info = "result[11]"}, tensor<12xf32> {jax.result_info = "result[12]"}, tensor<12xf32> {jax.result_info = "result[13]"}, tensor<12xf32> {jax.result_info = "result[14]"}, tensor<12xf32> {jax.result_info = "result[15]"}, tensor<12xf32> {jax.result_info = "result[16]"}) {
    %cst = stablehlo.constant dense<[-59.9633484, 98.0010757, -56.6762848, 13.9312611, -1.23916578]> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.95448864, 4.67627907, 86.3602447, -225.462692, 200.260208, -82.0372238, 15.9056225, -1.18331623]> : tensor<9xf32>
    %cst_1 = stablehlo.constant dense<[3.23774886, 6.91522884, 3.93881035, 1.33303463, 0.201485395, 0.0123716639, 3.01581546E-4, 2.65806966E-6, 6.23974561E-9]> : tensor<9xf32>
    %cst_2 = stablehlo.constant dense<[1.000000e+00, 6.02427053, 3.67983556, 1.37702096, 2.162370e-01, 1.342040e-02, 3.28014459E-4, 2.89247873E-6, 6.79019418E-9]> : tensor<9xf32>
    %cst_3 = stablehlo.constant dense<[4.05544901, 31.5251102, 57.1628189, 44.0805092, 14.6849566, 2.18663311, -0.140256077, -0.035042461, -8.57456762E-4]> : tensor<9xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 15.7799883, 45.3907623, 41.3172035, 15.0425386, 2.5046494, -0.142182916, -0.0380806401, -9.33259492E-4]> : tensor<9xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %1 = stablehlo.divide %arg0, %0 : tensor<12xf32>
    %2 = chlo.erf %arg0 : tensor<12xf32> -> tensor<12xf32>
    %3 = chlo.erfc %arg0 : tensor<12xf32> -> tensor<12xf32>
    %4 = chlo.erf_inv %1 : tensor<12xf32> -> tensor<12xf32>
    %5 = chlo.lgamma %arg1 : tensor<12xf32> -> tensor<12xf32>
    %6 = chlo.digamma %arg1 : tensor<12xf32> -> tensor<12xf32>
    %7 = chlo.sinh %arg0 : tensor<12xf32> -> tensor<12xf32>
    %8 = chlo.cosh %arg0 : tensor<12xf32> -> tensor<12xf32>
    %9 = chlo.asinh %arg0 : tensor<12xf32> -> tensor<12xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %11 = stablehlo.add %arg1, %10 : tensor<12xf32>
    %12 = call @arccosh(%11) : (tensor<12xf32>) -> tensor<12xf32>
    %13 = chlo.atanh %1 : tensor<12xf32> -> tensor<12xf32>
    %14 = chlo.asin %1 : tensor<12xf32> -> tensor<12xf32>
    %15 = chlo.acos %1 : tensor<12xf32> -> tensor<12xf32>
    %16 = chlo.atan %arg0 : tensor<12xf32> -> tensor<12xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %18 = stablehlo.add %arg1, %17 : tensor<12xf32>
    %19 = stablehlo.abs %1 : tensor<12xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %21 = stablehlo.compare EQ, %arg1, %20, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_9 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %23 = stablehlo.compare EQ, %18, %22, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %24 = stablehlo.or %21, %23 : tensor<12xi1>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %26 = stablehlo.compare EQ, %18, %25, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_11 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %28 = stablehlo.compare EQ, %arg1, %27, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %29 = stablehlo.or %26, %28 : tensor<12xi1>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %31 = stablehlo.compare EQ, %19, %30, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %33 = stablehlo.compare EQ, %19, %32, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %34 = stablehlo.not %31 : tensor<12xi1>
    %35 = stablehlo.not %33 : tensor<12xi1>
    %36 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %37 = stablehlo.compare NE, %18, %18, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %38 = stablehlo.or %36, %37 : tensor<12xi1>
    %39 = stablehlo.compare NE, %19, %19, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %40 = stablehlo.or %38, %39 : tensor<12xi1>
    %41 = stablehlo.and %29, %35 : tensor<12xi1>
    %42 = stablehlo.and %24, %31 : tensor<12xi1>
    %43 = stablehlo.or %41, %42 : tensor<12xi1>
    %44 = stablehlo.and %24, %34 : tensor<12xi1>
    %45 = stablehlo.and %29, %33 : tensor<12xi1>
    %46 = stablehlo.or %44, %45 : tensor<12xi1>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %48 = stablehlo.compare LT, %arg1, %47, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %50 = stablehlo.compare LT, %18, %49, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %51 = stablehlo.or %48, %50 : tensor<12xi1>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %53 = stablehlo.compare LT, %19, %52, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %54 = stablehlo.or %51, %53 : tensor<12xi1>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %56 = stablehlo.compare GT, %19, %55, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %57 = stablehlo.or %54, %56 : tensor<12xi1>
    %58 = stablehlo.and %24, %29 : tensor<12xi1>
    %59 = stablehlo.or %58, %40 : tensor<12xi1>
    %60 = stablehlo.or %57, %59 : tensor<12xi1>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %62 = stablehlo.add %arg1, %61 : tensor<12xf32>
    %63 = stablehlo.add %arg1, %18 : tensor<12xf32>
    %cst_19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %65 = stablehlo.add %63, %64 : tensor<12xf32>
    %66 = stablehlo.divide %62, %65 : tensor<12xf32>
    %67 = stablehlo.compare LT, %19, %66, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %68 = stablehlo.select %67, %arg1, %18 : tensor<12xi1>, tensor<12xf32>
    %69 = stablehlo.select %67, %18, %arg1 : tensor<12xi1>, tensor<12xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %71 = stablehlo.subtract %70, %19 : tensor<12xf32>
    %72 = stablehlo.select %67, %19, %71 : tensor<12xi1>, tensor<12xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %75 = stablehlo.compare EQ, %73, %74, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %78 = stablehlo.select %75, %76, %77 : tensor<12xi1>, tensor<12xf32>
    %79 = stablehlo.abs %78 : tensor<12xf32>
    %cst_24 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %81 = stablehlo.compare LT, %79, %80, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_25 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %83 = stablehlo.select %81, %82, %78 : tensor<12xi1>, tensor<12xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %c_27 = stablehlo.constant dense<1> : tensor<i32>
    %c_28 = stablehlo.constant dense<true> : tensor<i1>
    %85:8 = stablehlo.while(%iterArg = %68, %iterArg_99 = %69, %iterArg_100 = %72, %iterArg_101 = %c_27, %iterArg_102 = %c_28, %iterArg_103 = %83, %iterArg_104 = %84, %iterArg_105 = %83) : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<i32>, tensor<i1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %c_106 = stablehlo.constant dense<200> : tensor<i32>
      %332 = stablehlo.compare LT, %iterArg_101, %c_106, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %333 = stablehlo.and %332, %iterArg_102 : tensor<i1>
      stablehlo.return %333 : tensor<i1>
    } do {
      %332 = stablehlo.broadcast_in_dim %iterArg_101, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %c_106 = stablehlo.constant dense<2> : tensor<i32>
      %333 = stablehlo.broadcast_in_dim %c_106, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %334 = func.call @remainder(%332, %333) : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
      %c_107 = stablehlo.constant dense<0> : tensor<i32>
      %335 = stablehlo.broadcast_in_dim %c_107, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %336 = stablehlo.compare EQ, %334, %335, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %c_108 = stablehlo.constant dense<1> : tensor<i32>
      %337 = stablehlo.broadcast_in_dim %c_108, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %338 = stablehlo.compare EQ, %332, %337, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %c_109 = stablehlo.constant dense<1> : tensor<i32>
      %339 = stablehlo.broadcast_in_dim %c_109, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %340 = stablehlo.subtract %332, %339 : tensor<12xi32>
      %c_110 = stablehlo.constant dense<2> : tensor<i32>
      %341 = stablehlo.broadcast_in_dim %c_110, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %342 = func.call @floor_divide(%340, %341) : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
      %c_111 = stablehlo.constant dense<0> : tensor<i32>
      %343 = stablehlo.broadcast_in_dim %c_111, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %344 = stablehlo.compare EQ, %342, %343, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %345 = stablehlo.convert %342 : (tensor<12xi32>) -> tensor<12xf32>
      %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %346 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %cst_113 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %347 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %348 = stablehlo.add %iterArg, %iterArg_99 : tensor<12xf32>
      %349 = stablehlo.negate %348 : tensor<12xf32>
      %350 = stablehlo.multiply %349, %iterArg_100 : tensor<12xf32>
      %351 = stablehlo.add %iterArg, %346 : tensor<12xf32>
      %352 = stablehlo.divide %350, %351 : tensor<12xf32>
      %353 = stablehlo.add %iterArg, %345 : tensor<12xf32>
      %354 = stablehlo.negate %353 : tensor<12xf32>
      %355 = stablehlo.add %iterArg, %iterArg_99 : tensor<12xf32>
      %356 = stablehlo.add %355, %345 : tensor<12xf32>
      %357 = stablehlo.multiply %354, %356 : tensor<12xf32>
      %358 = stablehlo.multiply %357, %iterArg_100 : tensor<12xf32>
      %359 = stablehlo.multiply %347, %345 : tensor<12xf32>
      %360 = stablehlo.add %iterArg, %359 : tensor<12xf32>
      %361 = stablehlo.multiply %347, %345 : tensor<12xf32>
      %362 = stablehlo.add %iterArg, %361 : tensor<12xf32>
      %363 = stablehlo.add %362, %346 : tensor<12xf32>
      %364 = stablehlo.multiply %360, %363 : tensor<12xf32>
      %365 = stablehlo.divide %358, %364 : tensor<12xf32>
      %366 = stablehlo.select %344, %352, %365 : tensor<12xi1>, tensor<12xf32>
      %367 = stablehlo.subtract %iterArg_99, %345 : tensor<12xf32>
      %368 = stablehlo.multiply %345, %367 : tensor<12xf32>
      %369 = stablehlo.multiply %368, %iterArg_100 : tensor<12xf32>
      %370 = stablehlo.multiply %347, %345 : tensor<12xf32>
      %371 = stablehlo.add %iterArg, %370 : tensor<12xf32>
      %372 = stablehlo.subtract %371, %346 : tensor<12xf32>
      %373 = stablehlo.multiply %347, %345 : tensor<12xf32>
      %374 = stablehlo.add %iterArg, %373 : tensor<12xf32>
      %375 = stablehlo.multiply %372, %374 : tensor<12xf32>
      %376 = stablehlo.divide %369, %375 : tensor<12xf32>
      %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %377 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %378 = stablehlo.select %336, %366, %376 : tensor<12xi1>, tensor<12xf32>
      %379 = stablehlo.select %338, %377, %378 : tensor<12xi1>, tensor<12xf32>
      %380 = stablehlo.broadcast_in_dim %iterArg_101, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %c_115 = stablehlo.constant dense<0> : tensor<i32>
      %381 = stablehlo.broadcast_in_dim %c_115, dims = [] : (tensor<i32>) -> tensor<12xi32>
      %382 = stablehlo.compare EQ, %380, %381, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %383 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %384 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %385 = stablehlo.select %382, %383, %384 : tensor<12xi1>, tensor<12xf32>
      %386 = stablehlo.divide %379, %iterArg_103 : tensor<12xf32>
      %387 = stablehlo.add %385, %386 : tensor<12xf32>
      %cst_118 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
      %388 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %389 = stablehlo.abs %387 : tensor<12xf32>
      %390 = stablehlo.compare LT, %389, %388, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %391 = stablehlo.select %390, %388, %387 : tensor<12xi1>, tensor<12xf32>
      %392 = stablehlo.multiply %379, %iterArg_104 : tensor<12xf32>
      %393 = stablehlo.add %385, %392 : tensor<12xf32>
      %394 = stablehlo.abs %393 : tensor<12xf32>
      %395 = stablehlo.compare LT, %394, %388, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %396 = stablehlo.select %395, %388, %393 : tensor<12xi1>, tensor<12xf32>
      %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %397 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %398 = stablehlo.divide %397, %396 : tensor<12xf32>
      %399 = stablehlo.multiply %391, %398 : tensor<12xf32>
      %400 = stablehlo.multiply %iterArg_105, %399 : tensor<12xf32>
      %c_120 = stablehlo.constant dense<1> : tensor<i32>
      %401 = stablehlo.add %iterArg_101, %c_120 : tensor<i32>
      %cst_121 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %402 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %403 = stablehlo.subtract %399, %402 : tensor<12xf32>
      %404 = stablehlo.abs %403 : tensor<12xf32>
      %cst_122 = stablehlo.constant dense<5.96046448E-8> : tensor<f32>
      %405 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %406 = stablehlo.compare GE, %404, %405, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %c_123 = stablehlo.constant dense<false> : tensor<i1>
      %407 = stablehlo.reduce(%406 init: %c_123) applies stablehlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %iterArg, %iterArg_99, %iterArg_100, %401, %407, %391, %398, %400 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<i32>, tensor<i1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %86 = chlo.lgamma %69 : tensor<12xf32> -> tensor<12xf32>
    %87 = stablehlo.add %68, %69 : tensor<12xf32>
    %88 = chlo.lgamma %87 : tensor<12xf32> -> tensor<12xf32>
    %89 = stablehlo.subtract %86, %88 : tensor<12xf32>
    %90 = chlo.lgamma %68 : tensor<12xf32> -> tensor<12xf32>
    %91 = stablehlo.add %90, %89 : tensor<12xf32>
    %cst_29 = stablehlo.constant dense<2.3509887E-38> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %93 = stablehlo.compare LT, %68, %92, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %94 = stablehlo.negate %72 : tensor<12xf32>
    %95 = stablehlo.log_plus_one %94 : tensor<12xf32>
    %96 = stablehlo.multiply %95, %69 : tensor<12xf32>
    %97 = stablehlo.subtract %96, %89 : tensor<12xf32>
    %98 = stablehlo.exponential %97 : tensor<12xf32>
    %99 = stablehlo.log %72 : tensor<12xf32>
    %100 = stablehlo.multiply %99, %68 : tensor<12xf32>
    %101 = stablehlo.negate %72 : tensor<12xf32>
    %102 = stablehlo.log_plus_one %101 : tensor<12xf32>
    %103 = stablehlo.multiply %102, %69 : tensor<12xf32>
    %104 = stablehlo.add %100, %103 : tensor<12xf32>
    %105 = stablehlo.subtract %104, %91 : tensor<12xf32>
    %106 = stablehlo.exponential %105 : tensor<12xf32>
    %107 = stablehlo.divide %106, %68 : tensor<12xf32>
    %108 = stablehlo.select %93, %98, %107 : tensor<12xi1>, tensor<12xf32>
    %109 = stablehlo.multiply %85#7, %108 : tensor<12xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %111 = stablehlo.subtract %110, %109 : tensor<12xf32>
    %112 = stablehlo.select %67, %109, %111 : tensor<12xi1>, tensor<12xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %114 = stablehlo.select %43, %113, %112 : tensor<12xi1>, tensor<12xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %116 = stablehlo.select %46, %115, %114 : tensor<12xi1>, tensor<12xf32>
    %cst_33 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %118 = stablehlo.select %60, %117, %116 : tensor<12xi1>, tensor<12xf32>
    %119 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %120 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %121 = stablehlo.or %119, %120 : tensor<12xi1>
    %cst_34 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %123 = stablehlo.compare EQ, %arg1, %122, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %125 = stablehlo.compare EQ, %arg1, %124, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %127 = stablehlo.compare EQ, %arg1, %126, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %129 = stablehlo.compare LT, %arg1, %128, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %131 = stablehlo.compare LT, %arg1, %130, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %132 = stablehlo.and %125, %127 : tensor<12xi1>
    %133 = stablehlo.or %129, %131 : tensor<12xi1>
    %134 = stablehlo.or %133, %132 : tensor<12xi1>
    %135 = stablehlo.or %134, %121 : tensor<12xi1>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %137 = stablehlo.compare GE, %arg1, %136, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %138 = stablehlo.compare GT, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %139 = stablehlo.and %137, %138 : tensor<12xi1>
    %140 = stablehlo.log %arg1 : tensor<12xf32>
    %141 = stablehlo.multiply %arg1, %140 : tensor<12xf32>
    %142 = stablehlo.subtract %141, %arg1 : tensor<12xf32>
    %143 = chlo.lgamma %arg1 : tensor<12xf32> -> tensor<12xf32>
    %144 = stablehlo.subtract %142, %143 : tensor<12xf32>
    %cst_40 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %145 = stablehlo.log %cst_40 : tensor<f32>
    %146 = stablehlo.negate %145 : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %148 = stablehlo.compare LT, %144, %147, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %149 = stablehlo.exponential %144 : tensor<12xf32>
    %150 = stablehlo.or %127, %135 : tensor<12xi1>
    %151 = stablehlo.or %150, %148 : tensor<12xi1>
    %152 = stablehlo.or %151, %123 : tensor<12xi1>
    %153 = stablehlo.not %152 : tensor<12xi1>
    %154 = stablehlo.and %153, %139 : tensor<12xi1>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %156 = stablehlo.subtract %155, %arg1 : tensor<12xf32>
    %157 = stablehlo.add %arg1, %156 : tensor<12xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %159 = stablehlo.add %157, %158 : tensor<12xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %162 = stablehlo.add %arg1, %161 : tensor<12xf32>
    %163 = stablehlo.multiply %159, %arg1 : tensor<12xf32>
    %164 = stablehlo.divide %162, %163 : tensor<12xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %169 = stablehlo.negate %arg1 : tensor<12xf32>
    %170 = stablehlo.multiply %164, %169 : tensor<12xf32>
    %171 = stablehlo.subtract %168, %170 : tensor<12xf32>
    %172 = stablehlo.divide %171, %163 : tensor<12xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173:15 = stablehlo.while(%iterArg = %154, %iterArg_99 = %164, %iterArg_100 = %165, %iterArg_101 = %156, %iterArg_102 = %159, %iterArg_103 = %cst_49, %iterArg_104 = %162, %iterArg_105 = %163, %iterArg_106 = %160, %iterArg_107 = %arg1, %iterArg_108 = %166, %iterArg_109 = %167, %iterArg_110 = %168, %iterArg_111 = %169, %iterArg_112 = %172) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %cst_113 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %332 = stablehlo.compare LT, %iterArg_103, %cst_113, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_114 = stablehlo.constant dense<false> : tensor<i1>
      %333 = stablehlo.reduce(%iterArg init: %c_114) applies stablehlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      %334 = stablehlo.and %332, %333 : tensor<i1>
      stablehlo.return %334 : tensor<i1>
    } do {
      %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %332 = stablehlo.add %iterArg_103, %cst_113 : tensor<f32>
      %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %333 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %334 = stablehlo.add %iterArg_101, %333 : tensor<12xf32>
      %cst_115 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %335 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %336 = stablehlo.add %iterArg_102, %335 : tensor<12xf32>
      %337 = stablehlo.broadcast_in_dim %332, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %338 = stablehlo.multiply %334, %337 : tensor<12xf32>
      %339 = stablehlo.multiply %iterArg_104, %336 : tensor<12xf32>
      %340 = stablehlo.multiply %iterArg_106, %338 : tensor<12xf32>
      %341 = stablehlo.subtract %339, %340 : tensor<12xf32>
      %342 = stablehlo.multiply %iterArg_105, %336 : tensor<12xf32>
      %343 = stablehlo.multiply %iterArg_107, %338 : tensor<12xf32>
      %344 = stablehlo.subtract %342, %343 : tensor<12xf32>
      %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %345 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %346 = stablehlo.compare NE, %344, %345, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %347 = stablehlo.divide %341, %344 : tensor<12xf32>
      %348 = stablehlo.subtract %iterArg_99, %347 : tensor<12xf32>
      %349 = stablehlo.divide %348, %347 : tensor<12xf32>
      %350 = stablehlo.abs %349 : tensor<12xf32>
      %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %351 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %352 = stablehlo.select %346, %350, %351 : tensor<12xi1>, tensor<12xf32>
      %353 = stablehlo.select %346, %347, %iterArg_99 : tensor<12xi1>, tensor<12xf32>
      %354 = stablehlo.multiply %iterArg_110, %336 : tensor<12xf32>
      %355 = stablehlo.subtract %354, %iterArg_104 : tensor<12xf32>
      %356 = stablehlo.multiply %iterArg_108, %338 : tensor<12xf32>
      %357 = stablehlo.subtract %355, %356 : tensor<12xf32>
      %358 = stablehlo.broadcast_in_dim %332, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %359 = stablehlo.multiply %iterArg_106, %358 : tensor<12xf32>
      %360 = stablehlo.add %357, %359 : tensor<12xf32>
      %361 = stablehlo.multiply %iterArg_111, %336 : tensor<12xf32>
      %362 = stablehlo.subtract %361, %iterArg_105 : tensor<12xf32>
      %363 = stablehlo.multiply %iterArg_109, %338 : tensor<12xf32>
      %364 = stablehlo.subtract %362, %363 : tensor<12xf32>
      %365 = stablehlo.broadcast_in_dim %332, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %366 = stablehlo.multiply %iterArg_107, %365 : tensor<12xf32>
      %367 = stablehlo.add %364, %366 : tensor<12xf32>
      %368 = stablehlo.multiply %353, %367 : tensor<12xf32>
      %369 = stablehlo.subtract %360, %368 : tensor<12xf32>
      %370 = stablehlo.divide %369, %344 : tensor<12xf32>
      %371 = stablehlo.select %346, %370, %iterArg_112 : tensor<12xi1>, tensor<12xf32>
      %372 = stablehlo.subtract %371, %iterArg_112 : tensor<12xf32>
      %373 = stablehlo.abs %372 : tensor<12xf32>
      %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %374 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %375 = stablehlo.select %346, %373, %374 : tensor<12xi1>, tensor<12xf32>
      %376 = stablehlo.abs %341 : tensor<12xf32>
      %cst_119 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %377 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<f32>
      %378 = stablehlo.divide %377, %cst_119 : tensor<f32>
      %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %380 = stablehlo.compare GT, %376, %379, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %cst_121 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %381 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %382 = stablehlo.multiply %iterArg_104, %381 : tensor<12xf32>
      %383 = stablehlo.select %380, %382, %iterArg_104 : tensor<12xi1>, tensor<12xf32>
      %cst_122 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %384 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %385 = stablehlo.multiply %341, %384 : tensor<12xf32>
      %386 = stablehlo.select %380, %385, %341 : tensor<12xi1>, tensor<12xf32>
      %cst_123 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %387 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %388 = stablehlo.multiply %iterArg_105, %387 : tensor<12xf32>
      %389 = stablehlo.select %380, %388, %iterArg_105 : tensor<12xi1>, tensor<12xf32>
      %cst_124 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %390 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %391 = stablehlo.multiply %344, %390 : tensor<12xf32>
      %392 = stablehlo.select %380, %391, %344 : tensor<12xi1>, tensor<12xf32>
      %cst_125 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %393 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %394 = stablehlo.multiply %iterArg_110, %393 : tensor<12xf32>
      %395 = stablehlo.select %380, %394, %iterArg_110 : tensor<12xi1>, tensor<12xf32>
      %cst_126 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %396 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %397 = stablehlo.multiply %iterArg_111, %396 : tensor<12xf32>
      %398 = stablehlo.select %380, %397, %iterArg_111 : tensor<12xi1>, tensor<12xf32>
      %cst_127 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %399 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %400 = stablehlo.multiply %360, %399 : tensor<12xf32>
      %401 = stablehlo.select %380, %400, %360 : tensor<12xi1>, tensor<12xf32>
      %cst_128 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %402 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %403 = stablehlo.multiply %367, %402 : tensor<12xf32>
      %404 = stablehlo.select %380, %403, %367 : tensor<12xi1>, tensor<12xf32>
      %cst_129 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %405 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %406 = stablehlo.compare GT, %352, %405, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %407 = stablehlo.and %iterArg, %406 : tensor<12xi1>
      %408 = stablehlo.select %iterArg, %353, %iterArg_99 : tensor<12xi1>, tensor<12xf32>
      %409 = stablehlo.select %iterArg, %352, %iterArg_100 : tensor<12xi1>, tensor<12xf32>
      %410 = stablehlo.select %iterArg, %334, %iterArg_101 : tensor<12xi1>, tensor<12xf32>
      %411 = stablehlo.select %iterArg, %336, %iterArg_102 : tensor<12xi1>, tensor<12xf32>
      %412 = stablehlo.select %iterArg, %386, %iterArg_104 : tensor<12xi1>, tensor<12xf32>
      %413 = stablehlo.select %iterArg, %392, %iterArg_105 : tensor<12xi1>, tensor<12xf32>
      %414 = stablehlo.select %iterArg, %383, %iterArg_106 : tensor<12xi1>, tensor<12xf32>
      %415 = stablehlo.select %iterArg, %389, %iterArg_107 : tensor<12xi1>, tensor<12xf32>
      %416 = stablehlo.select %iterArg, %395, %iterArg_108 : tensor<12xi1>, tensor<12xf32>
      %417 = stablehlo.select %iterArg, %398, %iterArg_109 : tensor<12xi1>, tensor<12xf32>
      %418 = stablehlo.select %iterArg, %401, %iterArg_110 : tensor<12xi1>, tensor<12xf32>
      %419 = stablehlo.select %iterArg, %404, %iterArg_111 : tensor<12xi1>, tensor<12xf32>
      %420 = stablehlo.select %iterArg, %371, %iterArg_112 : tensor<12xi1>, tensor<12xf32>
      stablehlo.return %407, %408, %409, %410, %411, %332, %412, %413, %414, %415, %416, %417, %418, %419, %420 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %174 = stablehlo.multiply %173#1, %149 : tensor<12xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %176 = stablehlo.subtract %175, %174 : tensor<12xf32>
    %177 = stablehlo.not %139 : tensor<12xi1>
    %178 = stablehlo.and %153, %177 : tensor<12xi1>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %183:7 = stablehlo.while(%iterArg = %178, %iterArg_99 = %arg1, %iterArg_100 = %179, %iterArg_101 = %180, %iterArg_102 = %arg1, %iterArg_103 = %181, %iterArg_104 = %182) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %c_105 = stablehlo.constant dense<false> : tensor<i1>
      %332 = stablehlo.reduce(%iterArg init: %c_105) applies stablehlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %332 : tensor<i1>
    } do {
      %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %332 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %333 = stablehlo.add %iterArg_99, %332 : tensor<12xf32>
      %334 = stablehlo.divide %iterArg_102, %333 : tensor<12xf32>
      %335 = stablehlo.multiply %iterArg_103, %334 : tensor<12xf32>
      %336 = stablehlo.multiply %iterArg_100, %iterArg_102 : tensor<12xf32>
      %337 = stablehlo.multiply %333, %333 : tensor<12xf32>
      %338 = stablehlo.divide %336, %337 : tensor<12xf32>
      %339 = stablehlo.subtract %335, %338 : tensor<12xf32>
      %340 = stablehlo.add %iterArg_104, %339 : tensor<12xf32>
      %341 = stablehlo.divide %iterArg_102, %333 : tensor<12xf32>
      %342 = stablehlo.multiply %iterArg_100, %341 : tensor<12xf32>
      %343 = stablehlo.add %iterArg_101, %342 : tensor<12xf32>
      %344 = stablehlo.divide %342, %343 : tensor<12xf32>
      %cst_106 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %345 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %346 = stablehlo.compare GT, %344, %345, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %347 = stablehlo.and %iterArg, %346 : tensor<12xi1>
      %348 = stablehlo.select %iterArg, %333, %iterArg_99 : tensor<12xi1>, tensor<12xf32>
      %349 = stablehlo.select %iterArg, %342, %iterArg_100 : tensor<12xi1>, tensor<12xf32>
      %350 = stablehlo.select %iterArg, %343, %iterArg_101 : tensor<12xi1>, tensor<12xf32>
      %351 = stablehlo.select %iterArg, %iterArg_102, %iterArg_102 : tensor<12xi1>, tensor<12xf32>
      %352 = stablehlo.select %iterArg, %339, %iterArg_103 : tensor<12xi1>, tensor<12xf32>
      %353 = stablehlo.select %iterArg, %340, %iterArg_104 : tensor<12xi1>, tensor<12xf32>
      stablehlo.return %347, %348, %349, %350, %351, %352, %353 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %184 = stablehlo.multiply %183#3, %149 : tensor<12xf32>
    %185 = stablehlo.divide %184, %arg1 : tensor<12xf32>
    %186 = stablehlo.select %139, %176, %185 : tensor<12xi1>, tensor<12xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %188 = stablehlo.select %127, %187, %186 : tensor<12xi1>, tensor<12xf32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %190 = stablehlo.select %123, %189, %188 : tensor<12xi1>, tensor<12xf32>
    %cst_57 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %192 = stablehlo.select %135, %191, %190 : tensor<12xi1>, tensor<12xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %193 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %194 = stablehlo.add %arg1, %193 : tensor<12xf32>
    %195 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %196 = stablehlo.compare NE, %194, %194, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %197 = stablehlo.or %195, %196 : tensor<12xi1>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %199 = stablehlo.compare EQ, %arg1, %198, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %200 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %201 = stablehlo.compare EQ, %194, %200, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_61 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %203 = stablehlo.compare EQ, %194, %202, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %205 = stablehlo.compare LT, %194, %204, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %207 = stablehlo.compare LT, %arg1, %206, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %208 = stablehlo.and %199, %201 : tensor<12xi1>
    %209 = stablehlo.or %205, %207 : tensor<12xi1>
    %210 = stablehlo.or %209, %208 : tensor<12xi1>
    %211 = stablehlo.or %210, %197 : tensor<12xi1>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %213 = stablehlo.compare LT, %194, %212, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %214 = stablehlo.compare LT, %194, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %215 = stablehlo.or %213, %214 : tensor<12xi1>
    %216 = stablehlo.log %194 : tensor<12xf32>
    %217 = stablehlo.multiply %arg1, %216 : tensor<12xf32>
    %218 = stablehlo.subtract %217, %194 : tensor<12xf32>
    %219 = chlo.lgamma %arg1 : tensor<12xf32> -> tensor<12xf32>
    %220 = stablehlo.subtract %218, %219 : tensor<12xf32>
    %cst_65 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %221 = stablehlo.log %cst_65 : tensor<f32>
    %222 = stablehlo.negate %221 : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %222, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %224 = stablehlo.compare LT, %220, %223, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %225 = stablehlo.or %211, %224 : tensor<12xi1>
    %226 = stablehlo.or %225, %203 : tensor<12xi1>
    %227 = stablehlo.or %226, %199 : tensor<12xi1>
    %228 = stablehlo.not %227 : tensor<12xi1>
    %229 = stablehlo.exponential %220 : tensor<12xf32>
    %230 = stablehlo.and %228, %215 : tensor<12xi1>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_67 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %235:7 = stablehlo.while(%iterArg = %230, %iterArg_99 = %arg1, %iterArg_100 = %231, %iterArg_101 = %232, %iterArg_102 = %194, %iterArg_103 = %233, %iterArg_104 = %234) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %c_105 = stablehlo.constant dense<false> : tensor<i1>
      %332 = stablehlo.reduce(%iterArg init: %c_105) applies stablehlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %332 : tensor<i1>
    } do {
      %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %332 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %333 = stablehlo.add %iterArg_99, %332 : tensor<12xf32>
      %334 = stablehlo.divide %iterArg_102, %333 : tensor<12xf32>
      %335 = stablehlo.multiply %iterArg_103, %334 : tensor<12xf32>
      %336 = stablehlo.multiply %iterArg_100, %iterArg_102 : tensor<12xf32>
      %337 = stablehlo.multiply %333, %333 : tensor<12xf32>
      %338 = stablehlo.divide %336, %337 : tensor<12xf32>
      %339 = stablehlo.subtract %335, %338 : tensor<12xf32>
      %340 = stablehlo.add %iterArg_104, %339 : tensor<12xf32>
      %341 = stablehlo.divide %iterArg_102, %333 : tensor<12xf32>
      %342 = stablehlo.multiply %iterArg_100, %341 : tensor<12xf32>
      %343 = stablehlo.add %iterArg_101, %342 : tensor<12xf32>
      %344 = stablehlo.divide %342, %343 : tensor<12xf32>
      %cst_106 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %345 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %346 = stablehlo.compare GT, %344, %345, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %347 = stablehlo.and %iterArg, %346 : tensor<12xi1>
      %348 = stablehlo.select %iterArg, %333, %iterArg_99 : tensor<12xi1>, tensor<12xf32>
      %349 = stablehlo.select %iterArg, %342, %iterArg_100 : tensor<12xi1>, tensor<12xf32>
      %350 = stablehlo.select %iterArg, %343, %iterArg_101 : tensor<12xi1>, tensor<12xf32>
      %351 = stablehlo.select %iterArg, %iterArg_102, %iterArg_102 : tensor<12xi1>, tensor<12xf32>
      %352 = stablehlo.select %iterArg, %339, %iterArg_103 : tensor<12xi1>, tensor<12xf32>
      %353 = stablehlo.select %iterArg, %340, %iterArg_104 : tensor<12xi1>, tensor<12xf32>
      stablehlo.return %347, %348, %349, %350, %351, %352, %353 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %236 = stablehlo.multiply %235#3, %229 : tensor<12xf32>
    %237 = stablehlo.divide %236, %arg1 : tensor<12xf32>
    %238 = stablehlo.not %215 : tensor<12xi1>
    %239 = stablehlo.and %228, %238 : tensor<12xi1>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %241 = stablehlo.subtract %240, %arg1 : tensor<12xf32>
    %242 = stablehlo.add %194, %241 : tensor<12xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %244 = stablehlo.add %242, %243 : tensor<12xf32>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %247 = stablehlo.add %194, %246 : tensor<12xf32>
    %248 = stablehlo.multiply %244, %194 : tensor<12xf32>
    %249 = stablehlo.divide %247, %248 : tensor<12xf32>
    %cst_74 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %252 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %254 = stablehlo.negate %194 : tensor<12xf32>
    %255 = stablehlo.multiply %249, %254 : tensor<12xf32>
    %256 = stablehlo.subtract %253, %255 : tensor<12xf32>
    %257 = stablehlo.divide %256, %248 : tensor<12xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %258:15 = stablehlo.while(%iterArg = %239, %iterArg_99 = %249, %iterArg_100 = %250, %iterArg_101 = %241, %iterArg_102 = %244, %iterArg_103 = %cst_78, %iterArg_104 = %247, %iterArg_105 = %248, %iterArg_106 = %245, %iterArg_107 = %194, %iterArg_108 = %251, %iterArg_109 = %252, %iterArg_110 = %253, %iterArg_111 = %254, %iterArg_112 = %257) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %cst_113 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %332 = stablehlo.compare LT, %iterArg_103, %cst_113, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c_114 = stablehlo.constant dense<false> : tensor<i1>
      %333 = stablehlo.reduce(%iterArg init: %c_114) applies stablehlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      %334 = stablehlo.and %332, %333 : tensor<i1>
      stablehlo.return %334 : tensor<i1>
    } do {
      %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %332 = stablehlo.add %iterArg_103, %cst_113 : tensor<f32>
      %cst_114 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %333 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %334 = stablehlo.add %iterArg_101, %333 : tensor<12xf32>
      %cst_115 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %335 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %336 = stablehlo.add %iterArg_102, %335 : tensor<12xf32>
      %337 = stablehlo.broadcast_in_dim %332, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %338 = stablehlo.multiply %334, %337 : tensor<12xf32>
      %339 = stablehlo.multiply %iterArg_104, %336 : tensor<12xf32>
      %340 = stablehlo.multiply %iterArg_106, %338 : tensor<12xf32>
      %341 = stablehlo.subtract %339, %340 : tensor<12xf32>
      %342 = stablehlo.multiply %iterArg_105, %336 : tensor<12xf32>
      %343 = stablehlo.multiply %iterArg_107, %338 : tensor<12xf32>
      %344 = stablehlo.subtract %342, %343 : tensor<12xf32>
      %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %345 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %346 = stablehlo.compare NE, %344, %345, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %347 = stablehlo.divide %341, %344 : tensor<12xf32>
      %348 = stablehlo.subtract %iterArg_99, %347 : tensor<12xf32>
      %349 = stablehlo.divide %348, %347 : tensor<12xf32>
      %350 = stablehlo.abs %349 : tensor<12xf32>
      %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %351 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %352 = stablehlo.select %346, %350, %351 : tensor<12xi1>, tensor<12xf32>
      %353 = stablehlo.select %346, %347, %iterArg_99 : tensor<12xi1>, tensor<12xf32>
      %354 = stablehlo.multiply %iterArg_110, %336 : tensor<12xf32>
      %355 = stablehlo.subtract %354, %iterArg_104 : tensor<12xf32>
      %356 = stablehlo.multiply %iterArg_108, %338 : tensor<12xf32>
      %357 = stablehlo.subtract %355, %356 : tensor<12xf32>
      %358 = stablehlo.broadcast_in_dim %332, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %359 = stablehlo.multiply %iterArg_106, %358 : tensor<12xf32>
      %360 = stablehlo.add %357, %359 : tensor<12xf32>
      %361 = stablehlo.multiply %iterArg_111, %336 : tensor<12xf32>
      %362 = stablehlo.subtract %361, %iterArg_105 : tensor<12xf32>
      %363 = stablehlo.multiply %iterArg_109, %338 : tensor<12xf32>
      %364 = stablehlo.subtract %362, %363 : tensor<12xf32>
      %365 = stablehlo.broadcast_in_dim %332, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %366 = stablehlo.multiply %iterArg_107, %365 : tensor<12xf32>
      %367 = stablehlo.add %364, %366 : tensor<12xf32>
      %368 = stablehlo.multiply %353, %367 : tensor<12xf32>
      %369 = stablehlo.subtract %360, %368 : tensor<12xf32>
      %370 = stablehlo.divide %369, %344 : tensor<12xf32>
      %371 = stablehlo.select %346, %370, %iterArg_112 : tensor<12xi1>, tensor<12xf32>
      %372 = stablehlo.subtract %371, %iterArg_112 : tensor<12xf32>
      %373 = stablehlo.abs %372 : tensor<12xf32>
      %cst_118 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %374 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %375 = stablehlo.select %346, %373, %374 : tensor<12xi1>, tensor<12xf32>
      %376 = stablehlo.abs %341 : tensor<12xf32>
      %cst_119 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %377 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<f32>
      %378 = stablehlo.divide %377, %cst_119 : tensor<f32>
      %379 = stablehlo.broadcast_in_dim %378, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %380 = stablehlo.compare GT, %376, %379, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %cst_121 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %381 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %382 = stablehlo.multiply %iterArg_104, %381 : tensor<12xf32>
      %383 = stablehlo.select %380, %382, %iterArg_104 : tensor<12xi1>, tensor<12xf32>
      %cst_122 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %384 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %385 = stablehlo.multiply %341, %384 : tensor<12xf32>
      %386 = stablehlo.select %380, %385, %341 : tensor<12xi1>, tensor<12xf32>
      %cst_123 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %387 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %388 = stablehlo.multiply %iterArg_105, %387 : tensor<12xf32>
      %389 = stablehlo.select %380, %388, %iterArg_105 : tensor<12xi1>, tensor<12xf32>
      %cst_124 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %390 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %391 = stablehlo.multiply %344, %390 : tensor<12xf32>
      %392 = stablehlo.select %380, %391, %344 : tensor<12xi1>, tensor<12xf32>
      %cst_125 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %393 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %394 = stablehlo.multiply %iterArg_110, %393 : tensor<12xf32>
      %395 = stablehlo.select %380, %394, %iterArg_110 : tensor<12xi1>, tensor<12xf32>
      %cst_126 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %396 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %397 = stablehlo.multiply %iterArg_111, %396 : tensor<12xf32>
      %398 = stablehlo.select %380, %397, %iterArg_111 : tensor<12xi1>, tensor<12xf32>
      %cst_127 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %399 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %400 = stablehlo.multiply %360, %399 : tensor<12xf32>
      %401 = stablehlo.select %380, %400, %360 : tensor<12xi1>, tensor<12xf32>
      %cst_128 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %402 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %403 = stablehlo.multiply %367, %402 : tensor<12xf32>
      %404 = stablehlo.select %380, %403, %367 : tensor<12xi1>, tensor<12xf32>
      %cst_129 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %405 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<12xf32>
      %406 = stablehlo.compare GT, %352, %405, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %407 = stablehlo.and %iterArg, %406 : tensor<12xi1>
      %408 = stablehlo.select %iterArg, %353, %iterArg_99 : tensor<12xi1>, tensor<12xf32>
      %409 = stablehlo.select %iterArg, %352, %iterArg_100 : tensor<12xi1>, tensor<12xf32>
      %410 = stablehlo.select %iterArg, %334, %iterArg_101 : tensor<12xi1>, tensor<12xf32>
      %411 = stablehlo.select %iterArg, %336, %iterArg_102 : tensor<12xi1>, tensor<12xf32>
      %412 = stablehlo.select %iterArg, %386, %iterArg_104 : tensor<12xi1>, tensor<12xf32>
      %413 = stablehlo.select %iterArg, %392, %iterArg_105 : tensor<12xi1>, tensor<12xf32>
      %414 = stablehlo.select %iterArg, %383, %iterArg_106 : tensor<12xi1>, tensor<12xf32>
      %415 = stablehlo.select %iterArg, %389, %iterArg_107 : tensor<12xi1>, tensor<12xf32>
      %416 = stablehlo.select %iterArg, %395, %iterArg_108 : tensor<12xi1>, tensor<12xf32>
      %417 = stablehlo.select %iterArg, %398, %iterArg_109 : tensor<12xi1>, tensor<12xf32>
      %418 = stablehlo.select %iterArg, %401, %iterArg_110 : tensor<12xi1>, tensor<12xf32>
      %419 = stablehlo.select %iterArg, %404, %iterArg_111 : tensor<12xi1>, tensor<12xf32>
      %420 = stablehlo.select %iterArg, %371, %iterArg_112 : tensor<12xi1>, tensor<12xf32>
      stablehlo.return %407, %408, %409, %410, %411, %332, %412, %413, %414, %415, %416, %417, %418, %419, %420 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %259 = stablehlo.multiply %258#1, %229 : tensor<12xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %261 = stablehlo.subtract %260, %237 : tensor<12xf32>
    %262 = stablehlo.select %215, %261, %259 : tensor<12xi1>, tensor<12xf32>
    %263 = stablehlo.or %203, %199 : tensor<12xi1>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %265 = stablehlo.select %263, %264, %262 : tensor<12xi1>, tensor<12xf32>
    %cst_81 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %267 = stablehlo.select %211, %266, %265 : tensor<12xi1>, tensor<12xf32>
    %268 = stablehlo.abs %1 : tensor<12xf32>
    %cst_82 = stablehlo.constant dense<0.864664733> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %270 = stablehlo.compare GT, %268, %269, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %271 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %272 = stablehlo.subtract %271, %268 : tensor<12xf32>
    %273 = call @_where_1(%270, %272, %268) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %275 = stablehlo.compare EQ, %273, %274, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_85 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %277 = call @_where_1(%275, %276, %273) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %cst_86 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %279 = stablehlo.subtract %277, %278 : tensor<12xf32>
    %280 = chlo.square %279 : tensor<12xf32> -> tensor<12xf32>
    %281 = stablehlo.multiply %279, %280 : tensor<12xf32>
    %282 = call @polyval(%cst, %280) : (tensor<5xf32>, tensor<12xf32>) -> tensor<12xf32>
    %283 = call @polyval_2(%cst_0, %280) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %284 = stablehlo.divide %282, %283 : tensor<12xf32>
    %285 = stablehlo.multiply %281, %284 : tensor<12xf32>
    %286 = stablehlo.add %279, %285 : tensor<12xf32>
    %cst_87 = stablehlo.constant dense<-2.50662827> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %288 = stablehlo.multiply %286, %287 : tensor<12xf32>
    %289 = stablehlo.log %277 : tensor<12xf32>
    %cst_88 = stablehlo.constant dense<-2.000000e+00> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %291 = stablehlo.multiply %290, %289 : tensor<12xf32>
    %292 = stablehlo.sqrt %291 : tensor<12xf32>
    %293 = stablehlo.log %292 : tensor<12xf32>
    %294 = stablehlo.divide %293, %292 : tensor<12xf32>
    %295 = stablehlo.subtract %292, %294 : tensor<12xf32>
    %cst_89 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %297 = stablehlo.divide %296, %292 : tensor<12xf32>
    %298 = call @polyval_2(%cst_1, %297) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %cst_90 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %300 = stablehlo.divide %299, %292 : tensor<12xf32>
    %301 = call @polyval_2(%cst_2, %300) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %302 = stablehlo.divide %298, %301 : tensor<12xf32>
    %303 = stablehlo.divide %302, %292 : tensor<12xf32>
    %cst_91 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %305 = stablehlo.divide %304, %292 : tensor<12xf32>
    %306 = call @polyval_2(%cst_3, %305) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %308 = stablehlo.divide %307, %292 : tensor<12xf32>
    %309 = call @polyval_2(%cst_4, %308) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %310 = stablehlo.divide %306, %309 : tensor<12xf32>
    %311 = stablehlo.divide %310, %292 : tensor<12xf32>
    %312 = stablehlo.subtract %295, %303 : tensor<12xf32>
    %313 = stablehlo.subtract %295, %311 : tensor<12xf32>
    %cst_93 = stablehlo.constant dense<0.135335281> : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %315 = stablehlo.compare GT, %277, %314, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_94 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %317 = stablehlo.compare GE, %292, %316, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %318 = call @_where_1(%317, %312, %313) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %319 = call @_where_1(%315, %288, %318) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %cst_95 = stablehlo.constant dense<0.864664733> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %321 = stablehlo.compare GT, %268, %320, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %322 = stablehlo.negate %319 : tensor<12xf32>
    %323 = call @_where_1(%321, %319, %322) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %cst_96 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %326 = stablehlo.compare EQ, %268, %325, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %327 = stablehlo.negate %324 : tensor<12xf32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %329 = stablehlo.compare EQ, %268, %328, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %330 = call @_where_1(%329, %324, %323) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %331 = call @_where_1(%326, %327, %330) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %2, %3, %4, %5, %6, %7, %8, %9, %12, %13, %14, %15, %16, %118, %192, %267, %331 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
  }
  func.func private @arccosh(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = chlo.acosh %arg0 : tensor<12xf32> -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @remainder(%arg0: tensor<12xi32>, %arg1: tensor<12xi32>) -> tensor<12xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %1 = stablehlo.compare EQ, %arg1, %0, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %3 = call @_where(%1, %2, %arg1) : (tensor<12xi1>, tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<12xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %10 = stablehlo.compare LT, %3, %9, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %12 = stablehlo.and %11, %6 : tensor<12xi1>
    %13 = stablehlo.add %4, %3 : tensor<12xi32>
    %14 = stablehlo.select %12, %13, %4 : tensor<12xi1>, tensor<12xi32>
    return %14 : tensor<12xi32>
  }
  func.func private @_where(%arg0: tensor<12xi1>, %arg1: tensor<12xi32>, %arg2: tensor<12xi32>) -> tensor<12xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @floor_divide(%arg0: tensor<12xi32>, %arg1: tensor<12xi32>) -> tensor<12xi32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<12xi32>
    %1 = stablehlo.sign %arg0 : tensor<12xi32>
    %2 = stablehlo.sign %arg1 : tensor<12xi32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %4 = stablehlo.remainder %arg0, %arg1 : tensor<12xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<12xi1>
    %8 = stablehlo.compare NE, %3, %7, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %9 = stablehlo.convert %8 : tensor<12xi1>
    %c_1 = stablehlo.constant dense<false> : tensor<i1>
    %10 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<12xi1>
    %11 = stablehlo.compare NE, %6, %10, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %12 = stablehlo.convert %11 : tensor<12xi1>
    %13 = stablehlo.and %9, %12 : tensor<12xi1>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %15 = stablehlo.subtract %0, %14 : tensor<12xi32>
    %16 = call @_where_0(%13, %15, %0) : (tensor<12xi1>, tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
    return %16 : tensor<12xi32>
  }
  func.func private @_where_0(%arg0: tensor<12xi1>, %arg1: tensor<12xi32>, %arg2: tensor<12xi32>) -> tensor<12xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @_where_1(%arg0: tensor<12xi1>, %arg1: tensor<12xf32>, %arg2: tensor<12xf32>) -> tensor<12xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @polyval(%arg0: tensor<5xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call(%arg1, %0, %4) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call(%arg1, %5, %7) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call(%arg1, %8, %10) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call(%arg1, %11, %13) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call(%arg1, %14, %16) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    return %17 : tensor<12xf32>
  }
  func.func private @closed_call(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>, %arg2: tensor<f32>) -> tensor<12xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<12xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %2 = stablehlo.add %0, %1 : tensor<12xf32>
    return %2 : tensor<12xf32>
  }
  func.func private @polyval_2(%arg0: tensor<9xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<9xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:9] : (tensor<9xf32>) -> tensor<9xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<9xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call_3(%arg1, %0, %4) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<9xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call_3(%arg1, %5, %7) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<9xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call_3(%arg1, %8, %10) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<9xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call_3(%arg1, %11, %13) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<9xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call_3(%arg1, %14, %16) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %18 = stablehlo.slice %2 [5:6] : (tensor<9xf32>) -> tensor<1xf32>
    %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
    %20 = call @closed_call_3(%arg1, %17, %19) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %21 = stablehlo.slice %2 [6:7] : (tensor<9xf32>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = call @closed_call_3(%arg1, %20, %22) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %24 = stablehlo.slice %2 [7:8] : (tensor<9xf32>) -> tensor<1xf32>
    %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
    %26 = call @closed_call_3(%arg1, %23, %25) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %27 = stablehlo.slice %2 [8:9] : (tensor<9xf32>) -> tensor<1xf32>
    %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
    %29 = call @closed_call_3(%arg1, %26, %28) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    return %29 : tensor<12xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>, %arg2: tensor<f32>) -> tensor<12xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<12xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %2 = stablehlo.add %0, %1 : tensor<12xf32>
    return %2 : tensor<12xf32>
  }
}
