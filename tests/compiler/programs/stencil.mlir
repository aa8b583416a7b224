module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<40x50xf32>) -> (tensor<40x50xf32> {jax.result_info = "result[0]"}, tensor<38x50xf32> {jax.result_info = "result[1]"}, tensor<38x49xf32> {jax.result_info = "result[2]"}) {
    %0 = call @_roll_static(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %1 = call @_roll_static_0(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %2 = stablehlo.add %0, %1 : tensor<40x50xf32>
    %3 = call @_roll_static_1(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %4 = stablehlo.add %2, %3 : tensor<40x50xf32>
    %5 = call @_roll_static_2(%arg0) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %6 = stablehlo.add %4, %5 : tensor<40x50xf32>
    %cst = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<40x50xf32>
    %9 = call @_roll_static(%8) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %10 = call @_roll_static_0(%8) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %11 = stablehlo.add %9, %10 : tensor<40x50xf32>
    %12 = call @_roll_static_1(%8) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %13 = stablehlo.add %11, %12 : tensor<40x50xf32>
    %14 = call @_roll_static_2(%8) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %15 = stablehlo.add %13, %14 : tensor<40x50xf32>
    %cst_0 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<40x50xf32>
    %18 = call @_roll_static(%17) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %19 = call @_roll_static_0(%17) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %20 = stablehlo.add %18, %19 : tensor<40x50xf32>
    %21 = call @_roll_static_1(%17) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %22 = stablehlo.add %20, %21 : tensor<40x50xf32>
    %23 = call @_roll_static_2(%17) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %24 = stablehlo.add %22, %23 : tensor<40x50xf32>
    %cst_1 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %26 = stablehlo.multiply %25, %24 : tensor<40x50xf32>
    %27 = call @_roll_static(%26) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %28 = call @_roll_static_0(%26) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %29 = stablehlo.add %27, %28 : tensor<40x50xf32>
    %30 = call @_roll_static_1(%26) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %31 = stablehlo.add %29, %30 : tensor<40x50xf32>
    %32 = call @_roll_static_2(%26) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %33 = stablehlo.add %31, %32 : tensor<40x50xf32>
    %cst_2 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %35 = stablehlo.multiply %34, %33 : tensor<40x50xf32>
    %36 = call @_roll_static(%35) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %37 = call @_roll_static_0(%35) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %38 = stablehlo.add %36, %37 : tensor<40x50xf32>
    %39 = call @_roll_static_1(%35) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %40 = stablehlo.add %38, %39 : tensor<40x50xf32>
    %41 = call @_roll_static_2(%35) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %42 = stablehlo.add %40, %41 : tensor<40x50xf32>
    %cst_3 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %44 = stablehlo.multiply %43, %42 : tensor<40x50xf32>
    %45 = call @_roll_static(%44) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %46 = call @_roll_static_0(%44) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %47 = stablehlo.add %45, %46 : tensor<40x50xf32>
    %48 = call @_roll_static_1(%44) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %49 = stablehlo.add %47, %48 : tensor<40x50xf32>
    %50 = call @_roll_static_2(%44) : (tensor<40x50xf32>) -> tensor<40x50xf32>
    %51 = stablehlo.add %49, %50 : tensor<40x50xf32>
    %cst_4 = stablehlo.constant dense<2.500000e-01> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<40x50xf32>
    %53 = stablehlo.multiply %52, %51 : tensor<40x50xf32>
    %54 = stablehlo.slice %53 [0:38, 0:50] : (tensor<40x50xf32>) -> tensor<38x50xf32>
    %55 = stablehlo.slice %53 [1:39, 0:50] : (tensor<40x50xf32>) -> tensor<38x50xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<38x50xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<38x50xf32>
    %58 = stablehlo.add %54, %57 : tensor<38x50xf32>
    %59 = stablehlo.slice %53 [2:40, 0:50] : (tensor<40x50xf32>) -> tensor<38x50xf32>
    %60 = stablehlo.add %58, %59 : tensor<38x50xf32>
    %61 = call @diff(%60) : (tensor<38x50xf32>) -> tensor<38x49xf32>
    return %53, %60, %61 : tensor<40x50xf32>, tensor<38x50xf32>, tensor<38x49xf32>
  }
  func.func private @_roll_static(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [39:40, 0:50] : (tensor<40x50xf32>) -> tensor<1x50xf32>
    %1 = stablehlo.slice %arg0 [0:39, 0:50] : (tensor<40x50xf32>) -> tensor<39x50xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1x50xf32>, tensor<39x50xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_roll_static_0(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [1:40, 0:50] : (tensor<40x50xf32>) -> tensor<39x50xf32>
    %1 = stablehlo.slice %arg0 [0:1, 0:50] : (tensor<40x50xf32>) -> tensor<1x50xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<39x50xf32>, tensor<1x50xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_roll_static_1(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [0:40, 49:50] : (tensor<40x50xf32>) -> tensor<40x1xf32>
    %1 = stablehlo.slice %arg0 [0:40, 0:49] : (tensor<40x50xf32>) -> tensor<40x49xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<40x1xf32>, tensor<40x49xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @_roll_static_2(%arg0: tensor<40x50xf32>) -> tensor<40x50xf32> {
    %0 = stablehlo.slice %arg0 [0:40, 1:50] : (tensor<40x50xf32>) -> tensor<40x49xf32>
    %1 = stablehlo.slice %arg0 [0:40, 0:1] : (tensor<40x50xf32>) -> tensor<40x1xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<40x49xf32>, tensor<40x1xf32>) -> tensor<40x50xf32>
    return %2 : tensor<40x50xf32>
  }
  func.func private @diff(%arg0: tensor<38x50xf32>) -> tensor<38x49xf32> {
    %0 = stablehlo.slice %arg0 [0:38, 1:50] : (tensor<38x50xf32>) -> tensor<38x49xf32>
    %1 = stablehlo.slice %arg0 [0:38, 0:49] : (tensor<38x50xf32>) -> tensor<38x49xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<38x49xf32>
    return %2 : tensor<38x49xf32>
  }
}
