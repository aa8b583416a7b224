module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<7x33xf32> {jax.result_info = "result[0]"}, tensor<1000xf32> {jax.result_info = "result[1]"}, tensor<50xi32> {jax.result_info = "result[2]"}, tensor<9xi32> {jax.result_info = "result[3]"}) {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %0 = stablehlo.shift_right_logical %c, %c_0 : tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %3 = stablehlo.and %c, %c_1 : tensor<i32>
    %4 = stablehlo.convert %3 : (tensor<i32>) -> tensor<ui32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %6 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %7 = call @_normal(%6) : (tensor<2xui32>) -> tensor<7x33xf32>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %c_3 = stablehlo.constant dense<32> : tensor<i32>
    %8 = stablehlo.shift_right_logical %c_2, %c_3 : tensor<i32>
    %9 = stablehlo.convert %8 : (tensor<i32>) -> tensor<ui32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_4 = stablehlo.constant dense<-1> : tensor<i32>
    %11 = stablehlo.and %c_2, %c_4 : tensor<i32>
    %12 = stablehlo.convert %11 : (tensor<i32>) -> tensor<ui32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %14 = stablehlo.concatenate %10, %13, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = call @_uniform_0(%14, %cst, %cst_5) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<1000xf32>
    %c_6 = stablehlo.constant dense<5> : tensor<i32>
    %c_7 = stablehlo.constant dense<32> : tensor<i32>
    %16 = stablehlo.shift_right_logical %c_6, %c_7 : tensor<i32>
    %17 = stablehlo.convert %16 : (tensor<i32>) -> tensor<ui32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_8 = stablehlo.constant dense<-1> : tensor<i32>
    %19 = stablehlo.and %c_6, %c_8 : tensor<i32>
    %20 = stablehlo.convert %19 : (tensor<i32>) -> tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %22 = stablehlo.concatenate %18, %21, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %23 = stablehlo.iota dim = 0 : tensor<50xi32>
    %24 = call @_shuffle(%22, %23) : (tensor<2xui32>, tensor<50xi32>) -> tensor<50xi32>
    %c_9 = stablehlo.constant dense<6> : tensor<i32>
    %c_10 = stablehlo.constant dense<32> : tensor<i32>
    %25 = stablehlo.shift_right_logical %c_9, %c_10 : tensor<i32>
    %26 = stablehlo.convert %25 : (tensor<i32>) -> tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %c_11 = stablehlo.constant dense<-1> : tensor<i32>
    %28 = stablehlo.and %c_9, %c_11 : tensor<i32>
    %29 = stablehlo.convert %28 : (tensor<i32>) -> tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %31 = stablehlo.concatenate %27, %30, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<9x11xf32>
    %33 = call @_gumbel(%31) : (tensor<2xui32>) -> tensor<9x11xf32>
    %34 = stablehlo.add %33, %32 : tensor<9x11xf32>
    %35 = call @argmax(%34) : (tensor<9x11xf32>) -> tensor<9xi32>
    return %7, %15, %24, %35 : tensor<7x33xf32>, tensor<1000xf32>, tensor<50xi32>, tensor<9xi32>
  }
  func.func private @_normal(%arg0: tensor<2xui32>) -> tensor<7x33xf32> {
    %0 = call @_normal_real(%arg0) : (tensor<2xui32>) -> tensor<7x33xf32>
    return %0 : tensor<7x33xf32>
  }
  func.func private @_normal_real(%arg0: tensor<2xui32>) -> tensor<7x33xf32> {
    %cst = stablehlo.constant dense<-0.99999994> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<7x33xf32>
    %1 = chlo.erf_inv %0 : tensor<7x33xf32> -> tensor<7x33xf32>
    %cst_1 = stablehlo.constant dense<1.41421354> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<7x33xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<7x33xf32>
    return %3 : tensor<7x33xf32>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<7x33xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.iota dim = 0 : tensor<7x33xui64>
    %7 = stablehlo.iota dim = 1 : tensor<7x33xui64>
    %c = stablehlo.constant dense<33> : tensor<ui64>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<7x33xui64>
    %9 = stablehlo.multiply %8, %6 : tensor<7x33xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<7x33xui64>
    %11 = stablehlo.multiply %10, %7 : tensor<7x33xui64>
    %12 = stablehlo.add %9, %11 : tensor<7x33xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<7x33xui64>
    %14 = stablehlo.shift_right_logical %12, %13 : tensor<7x33xui64>
    %15 = stablehlo.convert %12 : (tensor<7x33xui64>) -> tensor<7x33xui32>
    %16 = stablehlo.convert %14 : (tensor<7x33xui64>) -> tensor<7x33xui32>
    %17:2 = call @threefry2x32(%3, %5, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<7x33xui32>, tensor<7x33xui32>) -> (tensor<7x33xui32>, tensor<7x33xui32>)
    %18 = stablehlo.xor %17#0, %17#1 : tensor<7x33xui32>
    %c_2 = stablehlo.constant dense<9> : tensor<ui32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %20 = stablehlo.shift_right_logical %18, %19 : tensor<7x33xui32>
    %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %22 = stablehlo.or %20, %21 : tensor<7x33xui32>
    %23 = stablehlo.bitcast_convert %22 : (tensor<7x33xui32>) -> tensor<7x33xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7x33xf32>
    %25 = stablehlo.subtract %23, %24 : tensor<7x33xf32>
    %26 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<7x33xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<7x33xf32>
    %29 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<7x33xf32>
    %30 = stablehlo.add %28, %29 : tensor<7x33xf32>
    %31 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<7x33xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<7x33xf32>
    return %32 : tensor<7x33xf32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<7x33xui32>, %arg3: tensor<7x33xui32>) -> (tensor<7x33xui32>, tensor<7x33xui32>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<7x33xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<7x33xui32>
    %6 = stablehlo.add %3, %5 : tensor<7x33xui32>
    %c_0 = stablehlo.constant dense<13> : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %8 = stablehlo.shift_left %5, %7 : tensor<7x33xui32>
    %c_1 = stablehlo.constant dense<19> : tensor<ui32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %10 = stablehlo.shift_right_logical %5, %9 : tensor<7x33xui32>
    %11 = stablehlo.or %8, %10 : tensor<7x33xui32>
    %12 = stablehlo.xor %6, %11 : tensor<7x33xui32>
    %13 = stablehlo.add %6, %12 : tensor<7x33xui32>
    %c_2 = stablehlo.constant dense<15> : tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %15 = stablehlo.shift_left %12, %14 : tensor<7x33xui32>
    %c_3 = stablehlo.constant dense<17> : tensor<ui32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %17 = stablehlo.shift_right_logical %12, %16 : tensor<7x33xui32>
    %18 = stablehlo.or %15, %17 : tensor<7x33xui32>
    %19 = stablehlo.xor %13, %18 : tensor<7x33xui32>
    %20 = stablehlo.add %13, %19 : tensor<7x33xui32>
    %c_4 = stablehlo.constant dense<26> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %22 = stablehlo.shift_left %19, %21 : tensor<7x33xui32>
    %c_5 = stablehlo.constant dense<6> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %24 = stablehlo.shift_right_logical %19, %23 : tensor<7x33xui32>
    %25 = stablehlo.or %22, %24 : tensor<7x33xui32>
    %26 = stablehlo.xor %20, %25 : tensor<7x33xui32>
    %27 = stablehlo.add %20, %26 : tensor<7x33xui32>
    %c_6 = stablehlo.constant dense<6> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %29 = stablehlo.shift_left %26, %28 : tensor<7x33xui32>
    %c_7 = stablehlo.constant dense<26> : tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %31 = stablehlo.shift_right_logical %26, %30 : tensor<7x33xui32>
    %32 = stablehlo.or %29, %31 : tensor<7x33xui32>
    %33 = stablehlo.xor %27, %32 : tensor<7x33xui32>
    %34 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %35 = stablehlo.add %27, %34 : tensor<7x33xui32>
    %36 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %37 = stablehlo.add %33, %36 : tensor<7x33xui32>
    %c_8 = stablehlo.constant dense<1> : tensor<ui32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %39 = stablehlo.add %37, %38 : tensor<7x33xui32>
    %40 = stablehlo.add %35, %39 : tensor<7x33xui32>
    %c_9 = stablehlo.constant dense<17> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %42 = stablehlo.shift_left %39, %41 : tensor<7x33xui32>
    %c_10 = stablehlo.constant dense<15> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %44 = stablehlo.shift_right_logical %39, %43 : tensor<7x33xui32>
    %45 = stablehlo.or %42, %44 : tensor<7x33xui32>
    %46 = stablehlo.xor %40, %45 : tensor<7x33xui32>
    %47 = stablehlo.add %40, %46 : tensor<7x33xui32>
    %c_11 = stablehlo.constant dense<29> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %49 = stablehlo.shift_left %46, %48 : tensor<7x33xui32>
    %c_12 = stablehlo.constant dense<3> : tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %51 = stablehlo.shift_right_logical %46, %50 : tensor<7x33xui32>
    %52 = stablehlo.or %49, %51 : tensor<7x33xui32>
    %53 = stablehlo.xor %47, %52 : tensor<7x33xui32>
    %54 = stablehlo.add %47, %53 : tensor<7x33xui32>
    %c_13 = stablehlo.constant dense<16> : tensor<ui32>
    %55 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %56 = stablehlo.shift_left %53, %55 : tensor<7x33xui32>
    %c_14 = stablehlo.constant dense<16> : tensor<ui32>
    %57 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %58 = stablehlo.shift_right_logical %53, %57 : tensor<7x33xui32>
    %59 = stablehlo.or %56, %58 : tensor<7x33xui32>
    %60 = stablehlo.xor %54, %59 : tensor<7x33xui32>
    %61 = stablehlo.add %54, %60 : tensor<7x33xui32>
    %c_15 = stablehlo.constant dense<24> : tensor<ui32>
    %62 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %63 = stablehlo.shift_left %60, %62 : tensor<7x33xui32>
    %c_16 = stablehlo.constant dense<8> : tensor<ui32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %65 = stablehlo.shift_right_logical %60, %64 : tensor<7x33xui32>
    %66 = stablehlo.or %63, %65 : tensor<7x33xui32>
    %67 = stablehlo.xor %61, %66 : tensor<7x33xui32>
    %68 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %69 = stablehlo.add %61, %68 : tensor<7x33xui32>
    %70 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %71 = stablehlo.add %67, %70 : tensor<7x33xui32>
    %c_17 = stablehlo.constant dense<2> : tensor<ui32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %73 = stablehlo.add %71, %72 : tensor<7x33xui32>
    %74 = stablehlo.add %69, %73 : tensor<7x33xui32>
    %c_18 = stablehlo.constant dense<13> : tensor<ui32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %76 = stablehlo.shift_left %73, %75 : tensor<7x33xui32>
    %c_19 = stablehlo.constant dense<19> : tensor<ui32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %78 = stablehlo.shift_right_logical %73, %77 : tensor<7x33xui32>
    %79 = stablehlo.or %76, %78 : tensor<7x33xui32>
    %80 = stablehlo.xor %74, %79 : tensor<7x33xui32>
    %81 = stablehlo.add %74, %80 : tensor<7x33xui32>
    %c_20 = stablehlo.constant dense<15> : tensor<ui32>
    %82 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %83 = stablehlo.shift_left %80, %82 : tensor<7x33xui32>
    %c_21 = stablehlo.constant dense<17> : tensor<ui32>
    %84 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %85 = stablehlo.shift_right_logical %80, %84 : tensor<7x33xui32>
    %86 = stablehlo.or %83, %85 : tensor<7x33xui32>
    %87 = stablehlo.xor %81, %86 : tensor<7x33xui32>
    %88 = stablehlo.add %81, %87 : tensor<7x33xui32>
    %c_22 = stablehlo.constant dense<26> : tensor<ui32>
    %89 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %90 = stablehlo.shift_left %87, %89 : tensor<7x33xui32>
    %c_23 = stablehlo.constant dense<6> : tensor<ui32>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %92 = stablehlo.shift_right_logical %87, %91 : tensor<7x33xui32>
    %93 = stablehlo.or %90, %92 : tensor<7x33xui32>
    %94 = stablehlo.xor %88, %93 : tensor<7x33xui32>
    %95 = stablehlo.add %88, %94 : tensor<7x33xui32>
    %c_24 = stablehlo.constant dense<6> : tensor<ui32>
    %96 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %97 = stablehlo.shift_left %94, %96 : tensor<7x33xui32>
    %c_25 = stablehlo.constant dense<26> : tensor<ui32>
    %98 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %99 = stablehlo.shift_right_logical %94, %98 : tensor<7x33xui32>
    %100 = stablehlo.or %97, %99 : tensor<7x33xui32>
    %101 = stablehlo.xor %95, %100 : tensor<7x33xui32>
    %102 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %103 = stablehlo.add %95, %102 : tensor<7x33xui32>
    %104 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %105 = stablehlo.add %101, %104 : tensor<7x33xui32>
    %c_26 = stablehlo.constant dense<3> : tensor<ui32>
    %106 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %107 = stablehlo.add %105, %106 : tensor<7x33xui32>
    %108 = stablehlo.add %103, %107 : tensor<7x33xui32>
    %c_27 = stablehlo.constant dense<17> : tensor<ui32>
    %109 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %110 = stablehlo.shift_left %107, %109 : tensor<7x33xui32>
    %c_28 = stablehlo.constant dense<15> : tensor<ui32>
    %111 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %112 = stablehlo.shift_right_logical %107, %111 : tensor<7x33xui32>
    %113 = stablehlo.or %110, %112 : tensor<7x33xui32>
    %114 = stablehlo.xor %108, %113 : tensor<7x33xui32>
    %115 = stablehlo.add %108, %114 : tensor<7x33xui32>
    %c_29 = stablehlo.constant dense<29> : tensor<ui32>
    %116 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %117 = stablehlo.shift_left %114, %116 : tensor<7x33xui32>
    %c_30 = stablehlo.constant dense<3> : tensor<ui32>
    %118 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %119 = stablehlo.shift_right_logical %114, %118 : tensor<7x33xui32>
    %120 = stablehlo.or %117, %119 : tensor<7x33xui32>
    %121 = stablehlo.xor %115, %120 : tensor<7x33xui32>
    %122 = stablehlo.add %115, %121 : tensor<7x33xui32>
    %c_31 = stablehlo.constant dense<16> : tensor<ui32>
    %123 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %124 = stablehlo.shift_left %121, %123 : tensor<7x33xui32>
    %c_32 = stablehlo.constant dense<16> : tensor<ui32>
    %125 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %126 = stablehlo.shift_right_logical %121, %125 : tensor<7x33xui32>
    %127 = stablehlo.or %124, %126 : tensor<7x33xui32>
    %128 = stablehlo.xor %122, %127 : tensor<7x33xui32>
    %129 = stablehlo.add %122, %128 : tensor<7x33xui32>
    %c_33 = stablehlo.constant dense<24> : tensor<ui32>
    %130 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %131 = stablehlo.shift_left %128, %130 : tensor<7x33xui32>
    %c_34 = stablehlo.constant dense<8> : tensor<ui32>
    %132 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %133 = stablehlo.shift_right_logical %128, %132 : tensor<7x33xui32>
    %134 = stablehlo.or %131, %133 : tensor<7x33xui32>
    %135 = stablehlo.xor %129, %134 : tensor<7x33xui32>
    %136 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %137 = stablehlo.add %129, %136 : tensor<7x33xui32>
    %138 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %139 = stablehlo.add %135, %138 : tensor<7x33xui32>
    %c_35 = stablehlo.constant dense<4> : tensor<ui32>
    %140 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %141 = stablehlo.add %139, %140 : tensor<7x33xui32>
    %142 = stablehlo.add %137, %141 : tensor<7x33xui32>
    %c_36 = stablehlo.constant dense<13> : tensor<ui32>
    %143 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %144 = stablehlo.shift_left %141, %143 : tensor<7x33xui32>
    %c_37 = stablehlo.constant dense<19> : tensor<ui32>
    %145 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %146 = stablehlo.shift_right_logical %141, %145 : tensor<7x33xui32>
    %147 = stablehlo.or %144, %146 : tensor<7x33xui32>
    %148 = stablehlo.xor %142, %147 : tensor<7x33xui32>
    %149 = stablehlo.add %142, %148 : tensor<7x33xui32>
    %c_38 = stablehlo.constant dense<15> : tensor<ui32>
    %150 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %151 = stablehlo.shift_left %148, %150 : tensor<7x33xui32>
    %c_39 = stablehlo.constant dense<17> : tensor<ui32>
    %152 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %153 = stablehlo.shift_right_logical %148, %152 : tensor<7x33xui32>
    %154 = stablehlo.or %151, %153 : tensor<7x33xui32>
    %155 = stablehlo.xor %149, %154 : tensor<7x33xui32>
    %156 = stablehlo.add %149, %155 : tensor<7x33xui32>
    %c_40 = stablehlo.constant dense<26> : tensor<ui32>
    %157 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %158 = stablehlo.shift_left %155, %157 : tensor<7x33xui32>
    %c_41 = stablehlo.constant dense<6> : tensor<ui32>
    %159 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %160 = stablehlo.shift_right_logical %155, %159 : tensor<7x33xui32>
    %161 = stablehlo.or %158, %160 : tensor<7x33xui32>
    %162 = stablehlo.xor %156, %161 : tensor<7x33xui32>
    %163 = stablehlo.add %156, %162 : tensor<7x33xui32>
    %c_42 = stablehlo.constant dense<6> : tensor<ui32>
    %164 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %165 = stablehlo.shift_left %162, %164 : tensor<7x33xui32>
    %c_43 = stablehlo.constant dense<26> : tensor<ui32>
    %166 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %167 = stablehlo.shift_right_logical %162, %166 : tensor<7x33xui32>
    %168 = stablehlo.or %165, %167 : tensor<7x33xui32>
    %169 = stablehlo.xor %163, %168 : tensor<7x33xui32>
    %170 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %171 = stablehlo.add %163, %170 : tensor<7x33xui32>
    %172 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %173 = stablehlo.add %169, %172 : tensor<7x33xui32>
    %c_44 = stablehlo.constant dense<5> : tensor<ui32>
    %174 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui32>) -> tensor<7x33xui32>
    %175 = stablehlo.add %173, %174 : tensor<7x33xui32>
    return %171, %175 : tensor<7x33xui32>, tensor<7x33xui32>
  }
  func.func private @_uniform_0(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<1000xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.convert %arg2 : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = stablehlo.iota dim = 0 : tensor<1000xui64>
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<1000xui64>
    %10 = stablehlo.multiply %9, %8 : tensor<1000xui64>
    %c_0 = stablehlo.constant dense<32> : tensor<ui64>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<1000xui64>
    %12 = stablehlo.shift_right_logical %10, %11 : tensor<1000xui64>
    %13 = stablehlo.convert %10 : (tensor<1000xui64>) -> tensor<1000xui32>
    %14 = stablehlo.convert %12 : (tensor<1000xui64>) -> tensor<1000xui32>
    %15:2 = call @threefry2x32_1(%5, %7, %14, %13) : (tensor<ui32>, tensor<ui32>, tensor<1000xui32>, tensor<1000xui32>) -> (tensor<1000xui32>, tensor<1000xui32>)
    %16 = stablehlo.xor %15#0, %15#1 : tensor<1000xui32>
    %c_1 = stablehlo.constant dense<9> : tensor<ui32>
    %17 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %18 = stablehlo.shift_right_logical %16, %17 : tensor<1000xui32>
    %c_2 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %20 = stablehlo.or %18, %19 : tensor<1000xui32>
    %21 = stablehlo.bitcast_convert %20 : (tensor<1000xui32>) -> tensor<1000xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1000xf32>
    %23 = stablehlo.subtract %21, %22 : tensor<1000xf32>
    %24 = stablehlo.subtract %3, %2 : tensor<1xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<1xf32>) -> tensor<1000xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<1000xf32>
    %27 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<1000xf32>
    %28 = stablehlo.add %26, %27 : tensor<1000xf32>
    %29 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<1000xf32>
    %30 = stablehlo.maximum %29, %28 : tensor<1000xf32>
    return %30 : tensor<1000xf32>
  }
  func.func private @threefry2x32_1(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<1000xui32>, %arg3: tensor<1000xui32>) -> (tensor<1000xui32>, tensor<1000xui32>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<1000xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<1000xui32>
    %6 = stablehlo.add %3, %5 : tensor<1000xui32>
    %c_0 = stablehlo.constant dense<13> : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %8 = stablehlo.shift_left %5, %7 : tensor<1000xui32>
    %c_1 = stablehlo.constant dense<19> : tensor<ui32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %10 = stablehlo.shift_right_logical %5, %9 : tensor<1000xui32>
    %11 = stablehlo.or %8, %10 : tensor<1000xui32>
    %12 = stablehlo.xor %6, %11 : tensor<1000xui32>
    %13 = stablehlo.add %6, %12 : tensor<1000xui32>
    %c_2 = stablehlo.constant dense<15> : tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %15 = stablehlo.shift_left %12, %14 : tensor<1000xui32>
    %c_3 = stablehlo.constant dense<17> : tensor<ui32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %17 = stablehlo.shift_right_logical %12, %16 : tensor<1000xui32>
    %18 = stablehlo.or %15, %17 : tensor<1000xui32>
    %19 = stablehlo.xor %13, %18 : tensor<1000xui32>
    %20 = stablehlo.add %13, %19 : tensor<1000xui32>
    %c_4 = stablehlo.constant dense<26> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %22 = stablehlo.shift_left %19, %21 : tensor<1000xui32>
    %c_5 = stablehlo.constant dense<6> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %24 = stablehlo.shift_right_logical %19, %23 : tensor<1000xui32>
    %25 = stablehlo.or %22, %24 : tensor<1000xui32>
    %26 = stablehlo.xor %20, %25 : tensor<1000xui32>
    %27 = stablehlo.add %20, %26 : tensor<1000xui32>
    %c_6 = stablehlo.constant dense<6> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %29 = stablehlo.shift_left %26, %28 : tensor<1000xui32>
    %c_7 = stablehlo.constant dense<26> : tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %31 = stablehlo.shift_right_logical %26, %30 : tensor<1000xui32>
    %32 = stablehlo.or %29, %31 : tensor<1000xui32>
    %33 = stablehlo.xor %27, %32 : tensor<1000xui32>
    %34 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %35 = stablehlo.add %27, %34 : tensor<1000xui32>
    %36 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %37 = stablehlo.add %33, %36 : tensor<1000xui32>
    %c_8 = stablehlo.constant dense<1> : tensor<ui32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %39 = stablehlo.add %37, %38 : tensor<1000xui32>
    %40 = stablehlo.add %35, %39 : tensor<1000xui32>
    %c_9 = stablehlo.constant dense<17> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %42 = stablehlo.shift_left %39, %41 : tensor<1000xui32>
    %c_10 = stablehlo.constant dense<15> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %44 = stablehlo.shift_right_logical %39, %43 : tensor<1000xui32>
    %45 = stablehlo.or %42, %44 : tensor<1000xui32>
    %46 = stablehlo.xor %40, %45 : tensor<1000xui32>
    %47 = stablehlo.add %40, %46 : tensor<1000xui32>
    %c_11 = stablehlo.constant dense<29> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %49 = stablehlo.shift_left %46, %48 : tensor<1000xui32>
    %c_12 = stablehlo.constant dense<3> : tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %51 = stablehlo.shift_right_logical %46, %50 : tensor<1000xui32>
    %52 = stablehlo.or %49, %51 : tensor<1000xui32>
    %53 = stablehlo.xor %47, %52 : tensor<1000xui32>
    %54 = stablehlo.add %47, %53 : tensor<1000xui32>
    %c_13 = stablehlo.constant dense<16> : tensor<ui32>
    %55 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %56 = stablehlo.shift_left %53, %55 : tensor<1000xui32>
    %c_14 = stablehlo.constant dense<16> : tensor<ui32>
    %57 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %58 = stablehlo.shift_right_logical %53, %57 : tensor<1000xui32>
    %59 = stablehlo.or %56, %58 : tensor<1000xui32>
    %60 = stablehlo.xor %54, %59 : tensor<1000xui32>
    %61 = stablehlo.add %54, %60 : tensor<1000xui32>
    %c_15 = stablehlo.constant dense<24> : tensor<ui32>
    %62 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %63 = stablehlo.shift_left %60, %62 : tensor<1000xui32>
    %c_16 = stablehlo.constant dense<8> : tensor<ui32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %65 = stablehlo.shift_right_logical %60, %64 : tensor<1000xui32>
    %66 = stablehlo.or %63, %65 : tensor<1000xui32>
    %67 = stablehlo.xor %61, %66 : tensor<1000xui32>
    %68 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %69 = stablehlo.add %61, %68 : tensor<1000xui32>
    %70 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %71 = stablehlo.add %67, %70 : tensor<1000xui32>
    %c_17 = stablehlo.constant dense<2> : tensor<ui32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %73 = stablehlo.add %71, %72 : tensor<1000xui32>
    %74 = stablehlo.add %69, %73 : tensor<1000xui32>
    %c_18 = stablehlo.constant dense<13> : tensor<ui32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %76 = stablehlo.shift_left %73, %75 : tensor<1000xui32>
    %c_19 = stablehlo.constant dense<19> : tensor<ui32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %78 = stablehlo.shift_right_logical %73, %77 : tensor<1000xui32>
    %79 = stablehlo.or %76, %78 : tensor<1000xui32>
    %80 = stablehlo.xor %74, %79 : tensor<1000xui32>
    %81 = stablehlo.add %74, %80 : tensor<1000xui32>
    %c_20 = stablehlo.constant dense<15> : tensor<ui32>
    %82 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %83 = stablehlo.shift_left %80, %82 : tensor<1000xui32>
    %c_21 = stablehlo.constant dense<17> : tensor<ui32>
    %84 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %85 = stablehlo.shift_right_logical %80, %84 : tensor<1000xui32>
    %86 = stablehlo.or %83, %85 : tensor<1000xui32>
    %87 = stablehlo.xor %81, %86 : tensor<1000xui32>
    %88 = stablehlo.add %81, %87 : tensor<1000xui32>
    %c_22 = stablehlo.constant dense<26> : tensor<ui32>
    %89 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %90 = stablehlo.shift_left %87, %89 : tensor<1000xui32>
    %c_23 = stablehlo.constant dense<6> : tensor<ui32>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %92 = stablehlo.shift_right_logical %87, %91 : tensor<1000xui32>
    %93 = stablehlo.or %90, %92 : tensor<1000xui32>
    %94 = stablehlo.xor %88, %93 : tensor<1000xui32>
    %95 = stablehlo.add %88, %94 : tensor<1000xui32>
    %c_24 = stablehlo.constant dense<6> : tensor<ui32>
    %96 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %97 = stablehlo.shift_left %94, %96 : tensor<1000xui32>
    %c_25 = stablehlo.constant dense<26> : tensor<ui32>
    %98 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %99 = stablehlo.shift_right_logical %94, %98 : tensor<1000xui32>
    %100 = stablehlo.or %97, %99 : tensor<1000xui32>
    %101 = stablehlo.xor %95, %100 : tensor<1000xui32>
    %102 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %103 = stablehlo.add %95, %102 : tensor<1000xui32>
    %104 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %105 = stablehlo.add %101, %104 : tensor<1000xui32>
    %c_26 = stablehlo.constant dense<3> : tensor<ui32>
    %106 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %107 = stablehlo.add %105, %106 : tensor<1000xui32>
    %108 = stablehlo.add %103, %107 : tensor<1000xui32>
    %c_27 = stablehlo.constant dense<17> : tensor<ui32>
    %109 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %110 = stablehlo.shift_left %107, %109 : tensor<1000xui32>
    %c_28 = stablehlo.constant dense<15> : tensor<ui32>
    %111 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %112 = stablehlo.shift_right_logical %107, %111 : tensor<1000xui32>
    %113 = stablehlo.or %110, %112 : tensor<1000xui32>
    %114 = stablehlo.xor %108, %113 : tensor<1000xui32>
    %115 = stablehlo.add %108, %114 : tensor<1000xui32>
    %c_29 = stablehlo.constant dense<29> : tensor<ui32>
    %116 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %117 = stablehlo.shift_left %114, %116 : tensor<1000xui32>
    %c_30 = stablehlo.constant dense<3> : tensor<ui32>
    %118 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %119 = stablehlo.shift_right_logical %114, %118 : tensor<1000xui32>
    %120 = stablehlo.or %117, %119 : tensor<1000xui32>
    %121 = stablehlo.xor %115, %120 : tensor<1000xui32>
    %122 = stablehlo.add %115, %121 : tensor<1000xui32>
    %c_31 = stablehlo.constant dense<16> : tensor<ui32>
    %123 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %124 = stablehlo.shift_left %121, %123 : tensor<1000xui32>
    %c_32 = stablehlo.constant dense<16> : tensor<ui32>
    %125 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %126 = stablehlo.shift_right_logical %121, %125 : tensor<1000xui32>
    %127 = stablehlo.or %124, %126 : tensor<1000xui32>
    %128 = stablehlo.xor %122, %127 : tensor<1000xui32>
    %129 = stablehlo.add %122, %128 : tensor<1000xui32>
    %c_33 = stablehlo.constant dense<24> : tensor<ui32>
    %130 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %131 = stablehlo.shift_left %128, %130 : tensor<1000xui32>
    %c_34 = stablehlo.constant dense<8> : tensor<ui32>
    %132 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %133 = stablehlo.shift_right_logical %128, %132 : tensor<1000xui32>
    %134 = stablehlo.or %131, %133 : tensor<1000xui32>
    %135 = stablehlo.xor %129, %134 : tensor<1000xui32>
    %136 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %137 = stablehlo.add %129, %136 : tensor<1000xui32>
    %138 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %139 = stablehlo.add %135, %138 : tensor<1000xui32>
    %c_35 = stablehlo.constant dense<4> : tensor<ui32>
    %140 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %141 = stablehlo.add %139, %140 : tensor<1000xui32>
    %142 = stablehlo.add %137, %141 : tensor<1000xui32>
    %c_36 = stablehlo.constant dense<13> : tensor<ui32>
    %143 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %144 = stablehlo.shift_left %141, %143 : tensor<1000xui32>
    %c_37 = stablehlo.constant dense<19> : tensor<ui32>
    %145 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %146 = stablehlo.shift_right_logical %141, %145 : tensor<1000xui32>
    %147 = stablehlo.or %144, %146 : tensor<1000xui32>
    %148 = stablehlo.xor %142, %147 : tensor<1000xui32>
    %149 = stablehlo.add %142, %148 : tensor<1000xui32>
    %c_38 = stablehlo.constant dense<15> : tensor<ui32>
    %150 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %151 = stablehlo.shift_left %148, %150 : tensor<1000xui32>
    %c_39 = stablehlo.constant dense<17> : tensor<ui32>
    %152 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %153 = stablehlo.shift_right_logical %148, %152 : tensor<1000xui32>
    %154 = stablehlo.or %151, %153 : tensor<1000xui32>
    %155 = stablehlo.xor %149, %154 : tensor<1000xui32>
    %156 = stablehlo.add %149, %155 : tensor<1000xui32>
    %c_40 = stablehlo.constant dense<26> : tensor<ui32>
    %157 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %158 = stablehlo.shift_left %155, %157 : tensor<1000xui32>
    %c_41 = stablehlo.constant dense<6> : tensor<ui32>
    %159 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %160 = stablehlo.shift_right_logical %155, %159 : tensor<1000xui32>
    %161 = stablehlo.or %158, %160 : tensor<1000xui32>
    %162 = stablehlo.xor %156, %161 : tensor<1000xui32>
    %163 = stablehlo.add %156, %162 : tensor<1000xui32>
    %c_42 = stablehlo.constant dense<6> : tensor<ui32>
    %164 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %165 = stablehlo.shift_left %162, %164 : tensor<1000xui32>
    %c_43 = stablehlo.constant dense<26> : tensor<ui32>
    %166 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %167 = stablehlo.shift_right_logical %162, %166 : tensor<1000xui32>
    %168 = stablehlo.or %165, %167 : tensor<1000xui32>
    %169 = stablehlo.xor %163, %168 : tensor<1000xui32>
    %170 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %171 = stablehlo.add %163, %170 : tensor<1000xui32>
    %172 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %173 = stablehlo.add %169, %172 : tensor<1000xui32>
    %c_44 = stablehlo.constant dense<5> : tensor<ui32>
    %174 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui32>) -> tensor<1000xui32>
    %175 = stablehlo.add %173, %174 : tensor<1000xui32>
    return %171, %175 : tensor<1000xui32>, tensor<1000xui32>
  }
  func.func private @_shuffle(%arg0: tensor<2xui32>, %arg1: tensor<50xi32>) -> tensor<50xi32> {
    %0 = call @_threefry_split(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
    %1 = stablehlo.slice %0 [0:1, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %2 = stablehlo.reshape %1 : (tensor<1x2xui32>) -> tensor<2xui32>
    %3 = stablehlo.slice %0 [1:2, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %4 = stablehlo.reshape %3 : (tensor<1x2xui32>) -> tensor<2xui32>
    %5 = stablehlo.slice %4 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %6 = stablehlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
    %7 = stablehlo.slice %4 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %8 = stablehlo.reshape %7 : (tensor<1xui32>) -> tensor<ui32>
    %9 = stablehlo.iota dim = 0 : tensor<50xui64>
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<50xui64>
    %11 = stablehlo.multiply %10, %9 : tensor<50xui64>
    %c_0 = stablehlo.constant dense<32> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<50xui64>
    %13 = stablehlo.shift_right_logical %11, %12 : tensor<50xui64>
    %14 = stablehlo.convert %11 : (tensor<50xui64>) -> tensor<50xui32>
    %15 = stablehlo.convert %13 : (tensor<50xui64>) -> tensor<50xui32>
    %16:2 = call @threefry2x32_3(%6, %8, %15, %14) : (tensor<ui32>, tensor<ui32>, tensor<50xui32>, tensor<50xui32>) -> (tensor<50xui32>, tensor<50xui32>)
    %17 = stablehlo.xor %16#0, %16#1 : tensor<50xui32>
    %18:2 = "stablehlo.sort"(%17, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<ui32>, %arg3: tensor<ui32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
      %19 = stablehlo.compare LT, %arg2, %arg3, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %19 : tensor<i1>
    }) : (tensor<50xui32>, tensor<50xi32>) -> (tensor<50xui32>, tensor<50xi32>)
    return %18#1 : tensor<50xi32>
  }
  func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = stablehlo.iota dim = 0 : tensor<2xui64>
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2xui64>
    %6 = stablehlo.multiply %5, %4 : tensor<2xui64>
    %c_0 = stablehlo.constant dense<32> : tensor<ui64>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2xui64>
    %8 = stablehlo.shift_right_logical %6, %7 : tensor<2xui64>
    %9 = stablehlo.convert %6 : (tensor<2xui64>) -> tensor<2xui32>
    %10 = stablehlo.convert %8 : (tensor<2xui64>) -> tensor<2xui32>
    %11:2 = call @threefry2x32_2(%1, %3, %10, %9) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %12 = stablehlo.broadcast_in_dim %11#0, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
    %13 = stablehlo.broadcast_in_dim %11#1, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
    %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    return %14 : tensor<2x2xui32>
  }
  func.func private @threefry2x32_2(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<2xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<2xui32>
    %6 = stablehlo.add %3, %5 : tensor<2xui32>
    %c_0 = stablehlo.constant dense<13> : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %8 = stablehlo.shift_left %5, %7 : tensor<2xui32>
    %c_1 = stablehlo.constant dense<19> : tensor<ui32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %10 = stablehlo.shift_right_logical %5, %9 : tensor<2xui32>
    %11 = stablehlo.or %8, %10 : tensor<2xui32>
    %12 = stablehlo.xor %6, %11 : tensor<2xui32>
    %13 = stablehlo.add %6, %12 : tensor<2xui32>
    %c_2 = stablehlo.constant dense<15> : tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %15 = stablehlo.shift_left %12, %14 : tensor<2xui32>
    %c_3 = stablehlo.constant dense<17> : tensor<ui32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %17 = stablehlo.shift_right_logical %12, %16 : tensor<2xui32>
    %18 = stablehlo.or %15, %17 : tensor<2xui32>
    %19 = stablehlo.xor %13, %18 : tensor<2xui32>
    %20 = stablehlo.add %13, %19 : tensor<2xui32>
    %c_4 = stablehlo.constant dense<26> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %22 = stablehlo.shift_left %19, %21 : tensor<2xui32>
    %c_5 = stablehlo.constant dense<6> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %24 = stablehlo.shift_right_logical %19, %23 : tensor<2xui32>
    %25 = stablehlo.or %22, %24 : tensor<2xui32>
    %26 = stablehlo.xor %20, %25 : tensor<2xui32>
    %27 = stablehlo.add %20, %26 : tensor<2xui32>
    %c_6 = stablehlo.constant dense<6> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %29 = stablehlo.shift_left %26, %28 : tensor<2xui32>
    %c_7 = stablehlo.constant dense<26> : tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %31 = stablehlo.shift_right_logical %26, %30 : tensor<2xui32>
    %32 = stablehlo.or %29, %31 : tensor<2xui32>
    %33 = stablehlo.xor %27, %32 : tensor<2xui32>
    %34 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %35 = stablehlo.add %27, %34 : tensor<2xui32>
    %36 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %37 = stablehlo.add %33, %36 : tensor<2xui32>
    %c_8 = stablehlo.constant dense<1> : tensor<ui32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %39 = stablehlo.add %37, %38 : tensor<2xui32>
    %40 = stablehlo.add %35, %39 : tensor<2xui32>
    %c_9 = stablehlo.constant dense<17> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %42 = stablehlo.shift_left %39, %41 : tensor<2xui32>
    %c_10 = stablehlo.constant dense<15> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %44 = stablehlo.shift_right_logical %39, %43 : tensor<2xui32>
    %45 = stablehlo.or %42, %44 : tensor<2xui32>
    %46 = stablehlo.xor %40, %45 : tensor<2xui32>
    %47 = stablehlo.add %40, %46 : tensor<2xui32>
    %c_11 = stablehlo.constant dense<29> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %49 = stablehlo.shift_left %46, %48 : tensor<2xui32>
    %c_12 = stablehlo.constant dense<3> : tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %51 = stablehlo.shift_right_logical %46, %50 : tensor<2xui32>
    %52 = stablehlo.or %49, %51 : tensor<2xui32>
    %53 = stablehlo.xor %47, %52 : tensor<2xui32>
    %54 = stablehlo.add %47, %53 : tensor<2xui32>
    %c_13 = stablehlo.constant dense<16> : tensor<ui32>
    %55 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %56 = stablehlo.shift_left %53, %55 : tensor<2xui32>
    %c_14 = stablehlo.constant dense<16> : tensor<ui32>
    %57 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %58 = stablehlo.shift_right_logical %53, %57 : tensor<2xui32>
    %59 = stablehlo.or %56, %58 : tensor<2xui32>
    %60 = stablehlo.xor %54, %59 : tensor<2xui32>
    %61 = stablehlo.add %54, %60 : tensor<2xui32>
    %c_15 = stablehlo.constant dense<24> : tensor<ui32>
    %62 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %63 = stablehlo.shift_left %60, %62 : tensor<2xui32>
    %c_16 = stablehlo.constant dense<8> : tensor<ui32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %65 = stablehlo.shift_right_logical %60, %64 : tensor<2xui32>
    %66 = stablehlo.or %63, %65 : tensor<2xui32>
    %67 = stablehlo.xor %61, %66 : tensor<2xui32>
    %68 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %69 = stablehlo.add %61, %68 : tensor<2xui32>
    %70 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %71 = stablehlo.add %67, %70 : tensor<2xui32>
    %c_17 = stablehlo.constant dense<2> : tensor<ui32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %73 = stablehlo.add %71, %72 : tensor<2xui32>
    %74 = stablehlo.add %69, %73 : tensor<2xui32>
    %c_18 = stablehlo.constant dense<13> : tensor<ui32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %76 = stablehlo.shift_left %73, %75 : tensor<2xui32>
    %c_19 = stablehlo.constant dense<19> : tensor<ui32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %78 = stablehlo.shift_right_logical %73, %77 : tensor<2xui32>
    %79 = stablehlo.or %76, %78 : tensor<2xui32>
    %80 = stablehlo.xor %74, %79 : tensor<2xui32>
    %81 = stablehlo.add %74, %80 : tensor<2xui32>
    %c_20 = stablehlo.constant dense<15> : tensor<ui32>
    %82 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %83 = stablehlo.shift_left %80, %82 : tensor<2xui32>
    %c_21 = stablehlo.constant dense<17> : tensor<ui32>
    %84 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %85 = stablehlo.shift_right_logical %80, %84 : tensor<2xui32>
    %86 = stablehlo.or %83, %85 : tensor<2xui32>
    %87 = stablehlo.xor %81, %86 : tensor<2xui32>
    %88 = stablehlo.add %81, %87 : tensor<2xui32>
    %c_22 = stablehlo.constant dense<26> : tensor<ui32>
    %89 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %90 = stablehlo.shift_left %87, %89 : tensor<2xui32>
    %c_23 = stablehlo.constant dense<6> : tensor<ui32>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %92 = stablehlo.shift_right_logical %87, %91 : tensor<2xui32>
    %93 = stablehlo.or %90, %92 : tensor<2xui32>
    %94 = stablehlo.xor %88, %93 : tensor<2xui32>
    %95 = stablehlo.add %88, %94 : tensor<2xui32>
    %c_24 = stablehlo.constant dense<6> : tensor<ui32>
    %96 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %97 = stablehlo.shift_left %94, %96 : tensor<2xui32>
    %c_25 = stablehlo.constant dense<26> : tensor<ui32>
    %98 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %99 = stablehlo.shift_right_logical %94, %98 : tensor<2xui32>
    %100 = stablehlo.or %97, %99 : tensor<2xui32>
    %101 = stablehlo.xor %95, %100 : tensor<2xui32>
    %102 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %103 = stablehlo.add %95, %102 : tensor<2xui32>
    %104 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %105 = stablehlo.add %101, %104 : tensor<2xui32>
    %c_26 = stablehlo.constant dense<3> : tensor<ui32>
    %106 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %107 = stablehlo.add %105, %106 : tensor<2xui32>
    %108 = stablehlo.add %103, %107 : tensor<2xui32>
    %c_27 = stablehlo.constant dense<17> : tensor<ui32>
    %109 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %110 = stablehlo.shift_left %107, %109 : tensor<2xui32>
    %c_28 = stablehlo.constant dense<15> : tensor<ui32>
    %111 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %112 = stablehlo.shift_right_logical %107, %111 : tensor<2xui32>
    %113 = stablehlo.or %110, %112 : tensor<2xui32>
    %114 = stablehlo.xor %108, %113 : tensor<2xui32>
    %115 = stablehlo.add %108, %114 : tensor<2xui32>
    %c_29 = stablehlo.constant dense<29> : tensor<ui32>
    %116 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %117 = stablehlo.shift_left %114, %116 : tensor<2xui32>
    %c_30 = stablehlo.constant dense<3> : tensor<ui32>
    %118 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %119 = stablehlo.shift_right_logical %114, %118 : tensor<2xui32>
    %120 = stablehlo.or %117, %119 : tensor<2xui32>
    %121 = stablehlo.xor %115, %120 : tensor<2xui32>
    %122 = stablehlo.add %115, %121 : tensor<2xui32>
    %c_31 = stablehlo.constant dense<16> : tensor<ui32>
    %123 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %124 = stablehlo.shift_left %121, %123 : tensor<2xui32>
    %c_32 = stablehlo.constant dense<16> : tensor<ui32>
    %125 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %126 = stablehlo.shift_right_logical %121, %125 : tensor<2xui32>
    %127 = stablehlo.or %124, %126 : tensor<2xui32>
    %128 = stablehlo.xor %122, %127 : tensor<2xui32>
    %129 = stablehlo.add %122, %128 : tensor<2xui32>
    %c_33 = stablehlo.constant dense<24> : tensor<ui32>
    %130 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %131 = stablehlo.shift_left %128, %130 : tensor<2xui32>
    %c_34 = stablehlo.constant dense<8> : tensor<ui32>
    %132 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %133 = stablehlo.shift_right_logical %128, %132 : tensor<2xui32>
    %134 = stablehlo.or %131, %133 : tensor<2xui32>
    %135 = stablehlo.xor %129, %134 : tensor<2xui32>
    %136 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %137 = stablehlo.add %129, %136 : tensor<2xui32>
    %138 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %139 = stablehlo.add %135, %138 : tensor<2xui32>
    %c_35 = stablehlo.constant dense<4> : tensor<ui32>
    %140 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %141 = stablehlo.add %139, %140 : tensor<2xui32>
    %142 = stablehlo.add %137, %141 : tensor<2xui32>
    %c_36 = stablehlo.constant dense<13> : tensor<ui32>
    %143 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %144 = stablehlo.shift_left %141, %143 : tensor<2xui32>
    %c_37 = stablehlo.constant dense<19> : tensor<ui32>
    %145 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %146 = stablehlo.shift_right_logical %141, %145 : tensor<2xui32>
    %147 = stablehlo.or %144, %146 : tensor<2xui32>
    %148 = stablehlo.xor %142, %147 : tensor<2xui32>
    %149 = stablehlo.add %142, %148 : tensor<2xui32>
    %c_38 = stablehlo.constant dense<15> : tensor<ui32>
    %150 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %151 = stablehlo.shift_left %148, %150 : tensor<2xui32>
    %c_39 = stablehlo.constant dense<17> : tensor<ui32>
    %152 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %153 = stablehlo.shift_right_logical %148, %152 : tensor<2xui32>
    %154 = stablehlo.or %151, %153 : tensor<2xui32>
    %155 = stablehlo.xor %149, %154 : tensor<2xui32>
    %156 = stablehlo.add %149, %155 : tensor<2xui32>
    %c_40 = stablehlo.constant dense<26> : tensor<ui32>
    %157 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %158 = stablehlo.shift_left %155, %157 : tensor<2xui32>
    %c_41 = stablehlo.constant dense<6> : tensor<ui32>
    %159 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %160 = stablehlo.shift_right_logical %155, %159 : tensor<2xui32>
    %161 = stablehlo.or %158, %160 : tensor<2xui32>
    %162 = stablehlo.xor %156, %161 : tensor<2xui32>
    %163 = stablehlo.add %156, %162 : tensor<2xui32>
    %c_42 = stablehlo.constant dense<6> : tensor<ui32>
    %164 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %165 = stablehlo.shift_left %162, %164 : tensor<2xui32>
    %c_43 = stablehlo.constant dense<26> : tensor<ui32>
    %166 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %167 = stablehlo.shift_right_logical %162, %166 : tensor<2xui32>
    %168 = stablehlo.or %165, %167 : tensor<2xui32>
    %169 = stablehlo.xor %163, %168 : tensor<2xui32>
    %170 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %171 = stablehlo.add %163, %170 : tensor<2xui32>
    %172 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %173 = stablehlo.add %169, %172 : tensor<2xui32>
    %c_44 = stablehlo.constant dense<5> : tensor<ui32>
    %174 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui32>) -> tensor<2xui32>
    %175 = stablehlo.add %173, %174 : tensor<2xui32>
    return %171, %175 : tensor<2xui32>, tensor<2xui32>
  }
  func.func private @threefry2x32_3(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<50xui32>, %arg3: tensor<50xui32>) -> (tensor<50xui32>, tensor<50xui32>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<50xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<50xui32>
    %6 = stablehlo.add %3, %5 : tensor<50xui32>
    %c_0 = stablehlo.constant dense<13> : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %8 = stablehlo.shift_left %5, %7 : tensor<50xui32>
    %c_1 = stablehlo.constant dense<19> : tensor<ui32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %10 = stablehlo.shift_right_logical %5, %9 : tensor<50xui32>
    %11 = stablehlo.or %8, %10 : tensor<50xui32>
    %12 = stablehlo.xor %6, %11 : tensor<50xui32>
    %13 = stablehlo.add %6, %12 : tensor<50xui32>
    %c_2 = stablehlo.constant dense<15> : tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %15 = stablehlo.shift_left %12, %14 : tensor<50xui32>
    %c_3 = stablehlo.constant dense<17> : tensor<ui32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %17 = stablehlo.shift_right_logical %12, %16 : tensor<50xui32>
    %18 = stablehlo.or %15, %17 : tensor<50xui32>
    %19 = stablehlo.xor %13, %18 : tensor<50xui32>
    %20 = stablehlo.add %13, %19 : tensor<50xui32>
    %c_4 = stablehlo.constant dense<26> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %22 = stablehlo.shift_left %19, %21 : tensor<50xui32>
    %c_5 = stablehlo.constant dense<6> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %24 = stablehlo.shift_right_logical %19, %23 : tensor<50xui32>
    %25 = stablehlo.or %22, %24 : tensor<50xui32>
    %26 = stablehlo.xor %20, %25 : tensor<50xui32>
    %27 = stablehlo.add %20, %26 : tensor<50xui32>
    %c_6 = stablehlo.constant dense<6> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %29 = stablehlo.shift_left %26, %28 : tensor<50xui32>
    %c_7 = stablehlo.constant dense<26> : tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %31 = stablehlo.shift_right_logical %26, %30 : tensor<50xui32>
    %32 = stablehlo.or %29, %31 : tensor<50xui32>
    %33 = stablehlo.xor %27, %32 : tensor<50xui32>
    %34 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %35 = stablehlo.add %27, %34 : tensor<50xui32>
    %36 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %37 = stablehlo.add %33, %36 : tensor<50xui32>
    %c_8 = stablehlo.constant dense<1> : tensor<ui32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %39 = stablehlo.add %37, %38 : tensor<50xui32>
    %40 = stablehlo.add %35, %39 : tensor<50xui32>
    %c_9 = stablehlo.constant dense<17> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %42 = stablehlo.shift_left %39, %41 : tensor<50xui32>
    %c_10 = stablehlo.constant dense<15> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %44 = stablehlo.shift_right_logical %39, %43 : tensor<50xui32>
    %45 = stablehlo.or %42, %44 : tensor<50xui32>
    %46 = stablehlo.xor %40, %45 : tensor<50xui32>
    %47 = stablehlo.add %40, %46 : tensor<50xui32>
    %c_11 = stablehlo.constant dense<29> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %49 = stablehlo.shift_left %46, %48 : tensor<50xui32>
    %c_12 = stablehlo.constant dense<3> : tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %51 = stablehlo.shift_right_logical %46, %50 : tensor<50xui32>
    %52 = stablehlo.or %49, %51 : tensor<50xui32>
    %53 = stablehlo.xor %47, %52 : tensor<50xui32>
    %54 = stablehlo.add %47, %53 : tensor<50xui32>
    %c_13 = stablehlo.constant dense<16> : tensor<ui32>
    %55 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %56 = stablehlo.shift_left %53, %55 : tensor<50xui32>
    %c_14 = stablehlo.constant dense<16> : tensor<ui32>
    %57 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %58 = stablehlo.shift_right_logical %53, %57 : tensor<50xui32>
    %59 = stablehlo.or %56, %58 : tensor<50xui32>
    %60 = stablehlo.xor %54, %59 : tensor<50xui32>
    %61 = stablehlo.add %54, %60 : tensor<50xui32>
    %c_15 = stablehlo.constant dense<24> : tensor<ui32>
    %62 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %63 = stablehlo.shift_left %60, %62 : tensor<50xui32>
    %c_16 = stablehlo.constant dense<8> : tensor<ui32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %65 = stablehlo.shift_right_logical %60, %64 : tensor<50xui32>
    %66 = stablehlo.or %63, %65 : tensor<50xui32>
    %67 = stablehlo.xor %61, %66 : tensor<50xui32>
    %68 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %69 = stablehlo.add %61, %68 : tensor<50xui32>
    %70 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %71 = stablehlo.add %67, %70 : tensor<50xui32>
    %c_17 = stablehlo.constant dense<2> : tensor<ui32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %73 = stablehlo.add %71, %72 : tensor<50xui32>
    %74 = stablehlo.add %69, %73 : tensor<50xui32>
    %c_18 = stablehlo.constant dense<13> : tensor<ui32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %76 = stablehlo.shift_left %73, %75 : tensor<50xui32>
    %c_19 = stablehlo.constant dense<19> : tensor<ui32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %78 = stablehlo.shift_right_logical %73, %77 : tensor<50xui32>
    %79 = stablehlo.or %76, %78 : tensor<50xui32>
    %80 = stablehlo.xor %74, %79 : tensor<50xui32>
    %81 = stablehlo.add %74, %80 : tensor<50xui32>
    %c_20 = stablehlo.constant dense<15> : tensor<ui32>
    %82 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %83 = stablehlo.shift_left %80, %82 : tensor<50xui32>
    %c_21 = stablehlo.constant dense<17> : tensor<ui32>
    %84 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %85 = stablehlo.shift_right_logical %80, %84 : tensor<50xui32>
    %86 = stablehlo.or %83, %85 : tensor<50xui32>
    %87 = stablehlo.xor %81, %86 : tensor<50xui32>
    %88 = stablehlo.add %81, %87 : tensor<50xui32>
    %c_22 = stablehlo.constant dense<26> : tensor<ui32>
    %89 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %90 = stablehlo.shift_left %87, %89 : tensor<50xui32>
    %c_23 = stablehlo.constant dense<6> : tensor<ui32>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %92 = stablehlo.shift_right_logical %87, %91 : tensor<50xui32>
    %93 = stablehlo.or %90, %92 : tensor<50xui32>
    %94 = stablehlo.xor %88, %93 : tensor<50xui32>
    %95 = stablehlo.add %88, %94 : tensor<50xui32>
    %c_24 = stablehlo.constant dense<6> : tensor<ui32>
    %96 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %97 = stablehlo.shift_left %94, %96 : tensor<50xui32>
    %c_25 = stablehlo.constant dense<26> : tensor<ui32>
    %98 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %99 = stablehlo.shift_right_logical %94, %98 : tensor<50xui32>
    %100 = stablehlo.or %97, %99 : tensor<50xui32>
    %101 = stablehlo.xor %95, %100 : tensor<50xui32>
    %102 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %103 = stablehlo.add %95, %102 : tensor<50xui32>
    %104 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %105 = stablehlo.add %101, %104 : tensor<50xui32>
    %c_26 = stablehlo.constant dense<3> : tensor<ui32>
    %106 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %107 = stablehlo.add %105, %106 : tensor<50xui32>
    %108 = stablehlo.add %103, %107 : tensor<50xui32>
    %c_27 = stablehlo.constant dense<17> : tensor<ui32>
    %109 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %110 = stablehlo.shift_left %107, %109 : tensor<50xui32>
    %c_28 = stablehlo.constant dense<15> : tensor<ui32>
    %111 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %112 = stablehlo.shift_right_logical %107, %111 : tensor<50xui32>
    %113 = stablehlo.or %110, %112 : tensor<50xui32>
    %114 = stablehlo.xor %108, %113 : tensor<50xui32>
    %115 = stablehlo.add %108, %114 : tensor<50xui32>
    %c_29 = stablehlo.constant dense<29> : tensor<ui32>
    %116 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %117 = stablehlo.shift_left %114, %116 : tensor<50xui32>
    %c_30 = stablehlo.constant dense<3> : tensor<ui32>
    %118 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %119 = stablehlo.shift_right_logical %114, %118 : tensor<50xui32>
    %120 = stablehlo.or %117, %119 : tensor<50xui32>
    %121 = stablehlo.xor %115, %120 : tensor<50xui32>
    %122 = stablehlo.add %115, %121 : tensor<50xui32>
    %c_31 = stablehlo.constant dense<16> : tensor<ui32>
    %123 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %124 = stablehlo.shift_left %121, %123 : tensor<50xui32>
    %c_32 = stablehlo.constant dense<16> : tensor<ui32>
    %125 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %126 = stablehlo.shift_right_logical %121, %125 : tensor<50xui32>
    %127 = stablehlo.or %124, %126 : tensor<50xui32>
    %128 = stablehlo.xor %122, %127 : tensor<50xui32>
    %129 = stablehlo.add %122, %128 : tensor<50xui32>
    %c_33 = stablehlo.constant dense<24> : tensor<ui32>
    %130 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %131 = stablehlo.shift_left %128, %130 : tensor<50xui32>
    %c_34 = stablehlo.constant dense<8> : tensor<ui32>
    %132 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %133 = stablehlo.shift_right_logical %128, %132 : tensor<50xui32>
    %134 = stablehlo.or %131, %133 : tensor<50xui32>
    %135 = stablehlo.xor %129, %134 : tensor<50xui32>
    %136 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %137 = stablehlo.add %129, %136 : tensor<50xui32>
    %138 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %139 = stablehlo.add %135, %138 : tensor<50xui32>
    %c_35 = stablehlo.constant dense<4> : tensor<ui32>
    %140 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %141 = stablehlo.add %139, %140 : tensor<50xui32>
    %142 = stablehlo.add %137, %141 : tensor<50xui32>
    %c_36 = stablehlo.constant dense<13> : tensor<ui32>
    %143 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %144 = stablehlo.shift_left %141, %143 : tensor<50xui32>
    %c_37 = stablehlo.constant dense<19> : tensor<ui32>
    %145 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %146 = stablehlo.shift_right_logical %141, %145 : tensor<50xui32>
    %147 = stablehlo.or %144, %146 : tensor<50xui32>
    %148 = stablehlo.xor %142, %147 : tensor<50xui32>
    %149 = stablehlo.add %142, %148 : tensor<50xui32>
    %c_38 = stablehlo.constant dense<15> : tensor<ui32>
    %150 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %151 = stablehlo.shift_left %148, %150 : tensor<50xui32>
    %c_39 = stablehlo.constant dense<17> : tensor<ui32>
    %152 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %153 = stablehlo.shift_right_logical %148, %152 : tensor<50xui32>
    %154 = stablehlo.or %151, %153 : tensor<50xui32>
    %155 = stablehlo.xor %149, %154 : tensor<50xui32>
    %156 = stablehlo.add %149, %155 : tensor<50xui32>
    %c_40 = stablehlo.constant dense<26> : tensor<ui32>
    %157 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %158 = stablehlo.shift_left %155, %157 : tensor<50xui32>
    %c_41 = stablehlo.constant dense<6> : tensor<ui32>
    %159 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %160 = stablehlo.shift_right_logical %155, %159 : tensor<50xui32>
    %161 = stablehlo.or %158, %160 : tensor<50xui32>
    %162 = stablehlo.xor %156, %161 : tensor<50xui32>
    %163 = stablehlo.add %156, %162 : tensor<50xui32>
    %c_42 = stablehlo.constant dense<6> : tensor<ui32>
    %164 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %165 = stablehlo.shift_left %162, %164 : tensor<50xui32>
    %c_43 = stablehlo.constant dense<26> : tensor<ui32>
    %166 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %167 = stablehlo.shift_right_logical %162, %166 : tensor<50xui32>
    %168 = stablehlo.or %165, %167 : tensor<50xui32>
    %169 = stablehlo.xor %163, %168 : tensor<50xui32>
    %170 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %171 = stablehlo.add %163, %170 : tensor<50xui32>
    %172 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %173 = stablehlo.add %169, %172 : tensor<50xui32>
    %c_44 = stablehlo.constant dense<5> : tensor<ui32>
    %174 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui32>) -> tensor<50xui32>
    %175 = stablehlo.add %173, %174 : tensor<50xui32>
    return %171, %175 : tensor<50xui32>, tensor<50xui32>
  }
  func.func private @_gumbel(%arg0: tensor<2xui32>) -> tensor<9x11xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.17549435E-38> : tensor<f32>
    %0 = call @_uniform_4(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<9x11xf32>
    %1 = stablehlo.log %0 : tensor<9x11xf32>
    %2 = stablehlo.negate %1 : tensor<9x11xf32>
    %3 = stablehlo.log %2 : tensor<9x11xf32>
    %4 = stablehlo.negate %3 : tensor<9x11xf32>
    return %4 : tensor<9x11xf32>
  }
  func.func private @_uniform_4(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<9x11xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
    %4 = stablehlo.reshape %3 : (tensor<1xui32>) -> tensor<ui32>
    %5 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
    %6 = stablehlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
    %7 = stablehlo.iota dim = 0 : tensor<9x11xui64>
    %8 = stablehlo.iota dim = 1 : tensor<9x11xui64>
    %c = stablehlo.constant dense<11> : tensor<ui64>
    %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<9x11xui64>
    %10 = stablehlo.multiply %9, %7 : tensor<9x11xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<9x11xui64>
    %12 = stablehlo.multiply %11, %8 : tensor<9x11xui64>
    %13 = stablehlo.add %10, %12 : tensor<9x11xui64>
    %c_1 = stablehlo.constant dense<32> : tensor<ui64>
    %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<9x11xui64>
    %15 = stablehlo.shift_right_logical %13, %14 : tensor<9x11xui64>
    %16 = stablehlo.convert %13 : (tensor<9x11xui64>) -> tensor<9x11xui32>
    %17 = stablehlo.convert %15 : (tensor<9x11xui64>) -> tensor<9x11xui32>
    %18:2 = call @threefry2x32_5(%4, %6, %17, %16) : (tensor<ui32>, tensor<ui32>, tensor<9x11xui32>, tensor<9x11xui32>) -> (tensor<9x11xui32>, tensor<9x11xui32>)
    %19 = stablehlo.xor %18#0, %18#1 : tensor<9x11xui32>
    %c_2 = stablehlo.constant dense<9> : tensor<ui32>
    %20 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %21 = stablehlo.shift_right_logical %19, %20 : tensor<9x11xui32>
    %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
    %22 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %23 = stablehlo.or %21, %22 : tensor<9x11xui32>
    %24 = stablehlo.bitcast_convert %23 : (tensor<9x11xui32>) -> tensor<9x11xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<9x11xf32>
    %26 = stablehlo.subtract %24, %25 : tensor<9x11xf32>
    %27 = stablehlo.subtract %2, %1 : tensor<1x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<9x11xf32>
    %29 = stablehlo.multiply %26, %28 : tensor<9x11xf32>
    %30 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<9x11xf32>
    %31 = stablehlo.add %29, %30 : tensor<9x11xf32>
    %32 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<9x11xf32>
    %33 = stablehlo.maximum %32, %31 : tensor<9x11xf32>
    return %33 : tensor<9x11xf32>
  }
  func.func private @threefry2x32_5(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<9x11xui32>, %arg3: tensor<9x11xui32>) -> (tensor<9x11xui32>, tensor<9x11xui32>) {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
    %c = stablehlo.constant dense<466688986> : tensor<ui32>
    %1 = stablehlo.xor %0, %c : tensor<ui32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %3 = stablehlo.add %arg2, %2 : tensor<9x11xui32>
    %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %5 = stablehlo.add %arg3, %4 : tensor<9x11xui32>
    %6 = stablehlo.add %3, %5 : tensor<9x11xui32>
    %c_0 = stablehlo.constant dense<13> : tensor<ui32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %8 = stablehlo.shift_left %5, %7 : tensor<9x11xui32>
    %c_1 = stablehlo.constant dense<19> : tensor<ui32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %10 = stablehlo.shift_right_logical %5, %9 : tensor<9x11xui32>
    %11 = stablehlo.or %8, %10 : tensor<9x11xui32>
    %12 = stablehlo.xor %6, %11 : tensor<9x11xui32>
    %13 = stablehlo.add %6, %12 : tensor<9x11xui32>
    %c_2 = stablehlo.constant dense<15> : tensor<ui32>
    %14 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %15 = stablehlo.shift_left %12, %14 : tensor<9x11xui32>
    %c_3 = stablehlo.constant dense<17> : tensor<ui32>
    %16 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %17 = stablehlo.shift_right_logical %12, %16 : tensor<9x11xui32>
    %18 = stablehlo.or %15, %17 : tensor<9x11xui32>
    %19 = stablehlo.xor %13, %18 : tensor<9x11xui32>
    %20 = stablehlo.add %13, %19 : tensor<9x11xui32>
    %c_4 = stablehlo.constant dense<26> : tensor<ui32>
    %21 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %22 = stablehlo.shift_left %19, %21 : tensor<9x11xui32>
    %c_5 = stablehlo.constant dense<6> : tensor<ui32>
    %23 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %24 = stablehlo.shift_right_logical %19, %23 : tensor<9x11xui32>
    %25 = stablehlo.or %22, %24 : tensor<9x11xui32>
    %26 = stablehlo.xor %20, %25 : tensor<9x11xui32>
    %27 = stablehlo.add %20, %26 : tensor<9x11xui32>
    %c_6 = stablehlo.constant dense<6> : tensor<ui32>
    %28 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %29 = stablehlo.shift_left %26, %28 : tensor<9x11xui32>
    %c_7 = stablehlo.constant dense<26> : tensor<ui32>
    %30 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %31 = stablehlo.shift_right_logical %26, %30 : tensor<9x11xui32>
    %32 = stablehlo.or %29, %31 : tensor<9x11xui32>
    %33 = stablehlo.xor %27, %32 : tensor<9x11xui32>
    %34 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %35 = stablehlo.add %27, %34 : tensor<9x11xui32>
    %36 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %37 = stablehlo.add %33, %36 : tensor<9x11xui32>
    %c_8 = stablehlo.constant dense<1> : tensor<ui32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %39 = stablehlo.add %37, %38 : tensor<9x11xui32>
    %40 = stablehlo.add %35, %39 : tensor<9x11xui32>
    %c_9 = stablehlo.constant dense<17> : tensor<ui32>
    %41 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %42 = stablehlo.shift_left %39, %41 : tensor<9x11xui32>
    %c_10 = stablehlo.constant dense<15> : tensor<ui32>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %44 = stablehlo.shift_right_logical %39, %43 : tensor<9x11xui32>
    %45 = stablehlo.or %42, %44 : tensor<9x11xui32>
    %46 = stablehlo.xor %40, %45 : tensor<9x11xui32>
    %47 = stablehlo.add %40, %46 : tensor<9x11xui32>
    %c_11 = stablehlo.constant dense<29> : tensor<ui32>
    %48 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %49 = stablehlo.shift_left %46, %48 : tensor<9x11xui32>
    %c_12 = stablehlo.constant dense<3> : tensor<ui32>
    %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %51 = stablehlo.shift_right_logical %46, %50 : tensor<9x11xui32>
    %52 = stablehlo.or %49, %51 : tensor<9x11xui32>
    %53 = stablehlo.xor %47, %52 : tensor<9x11xui32>
    %54 = stablehlo.add %47, %53 : tensor<9x11xui32>
    %c_13 = stablehlo.constant dense<16> : tensor<ui32>
    %55 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %56 = stablehlo.shift_left %53, %55 : tensor<9x11xui32>
    %c_14 = stablehlo.constant dense<16> : tensor<ui32>
    %57 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %58 = stablehlo.shift_right_logical %53, %57 : tensor<9x11xui32>
    %59 = stablehlo.or %56, %58 : tensor<9x11xui32>
    %60 = stablehlo.xor %54, %59 : tensor<9x11xui32>
    %61 = stablehlo.add %54, %60 : tensor<9x11xui32>
    %c_15 = stablehlo.constant dense<24> : tensor<ui32>
    %62 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %63 = stablehlo.shift_left %60, %62 : tensor<9x11xui32>
    %c_16 = stablehlo.constant dense<8> : tensor<ui32>
    %64 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %65 = stablehlo.shift_right_logical %60, %64 : tensor<9x11xui32>
    %66 = stablehlo.or %63, %65 : tensor<9x11xui32>
    %67 = stablehlo.xor %61, %66 : tensor<9x11xui32>
    %68 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %69 = stablehlo.add %61, %68 : tensor<9x11xui32>
    %70 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %71 = stablehlo.add %67, %70 : tensor<9x11xui32>
    %c_17 = stablehlo.constant dense<2> : tensor<ui32>
    %72 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %73 = stablehlo.add %71, %72 : tensor<9x11xui32>
    %74 = stablehlo.add %69, %73 : tensor<9x11xui32>
    %c_18 = stablehlo.constant dense<13> : tensor<ui32>
    %75 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %76 = stablehlo.shift_left %73, %75 : tensor<9x11xui32>
    %c_19 = stablehlo.constant dense<19> : tensor<ui32>
    %77 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %78 = stablehlo.shift_right_logical %73, %77 : tensor<9x11xui32>
    %79 = stablehlo.or %76, %78 : tensor<9x11xui32>
    %80 = stablehlo.xor %74, %79 : tensor<9x11xui32>
    %81 = stablehlo.add %74, %80 : tensor<9x11xui32>
    %c_20 = stablehlo.constant dense<15> : tensor<ui32>
    %82 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %83 = stablehlo.shift_left %80, %82 : tensor<9x11xui32>
    %c_21 = stablehlo.constant dense<17> : tensor<ui32>
    %84 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %85 = stablehlo.shift_right_logical %80, %84 : tensor<9x11xui32>
    %86 = stablehlo.or %83, %85 : tensor<9x11xui32>
    %87 = stablehlo.xor %81, %86 : tensor<9x11xui32>
    %88 = stablehlo.add %81, %87 : tensor<9x11xui32>
    %c_22 = stablehlo.constant dense<26> : tensor<ui32>
    %89 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %90 = stablehlo.shift_left %87, %89 : tensor<9x11xui32>
    %c_23 = stablehlo.constant dense<6> : tensor<ui32>
    %91 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %92 = stablehlo.shift_right_logical %87, %91 : tensor<9x11xui32>
    %93 = stablehlo.or %90, %92 : tensor<9x11xui32>
    %94 = stablehlo.xor %88, %93 : tensor<9x11xui32>
    %95 = stablehlo.add %88, %94 : tensor<9x11xui32>
    %c_24 = stablehlo.constant dense<6> : tensor<ui32>
    %96 = stablehlo.broadcast_in_dim %c_24, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %97 = stablehlo.shift_left %94, %96 : tensor<9x11xui32>
    %c_25 = stablehlo.constant dense<26> : tensor<ui32>
    %98 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %99 = stablehlo.shift_right_logical %94, %98 : tensor<9x11xui32>
    %100 = stablehlo.or %97, %99 : tensor<9x11xui32>
    %101 = stablehlo.xor %95, %100 : tensor<9x11xui32>
    %102 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %103 = stablehlo.add %95, %102 : tensor<9x11xui32>
    %104 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %105 = stablehlo.add %101, %104 : tensor<9x11xui32>
    %c_26 = stablehlo.constant dense<3> : tensor<ui32>
    %106 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %107 = stablehlo.add %105, %106 : tensor<9x11xui32>
    %108 = stablehlo.add %103, %107 : tensor<9x11xui32>
    %c_27 = stablehlo.constant dense<17> : tensor<ui32>
    %109 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %110 = stablehlo.shift_left %107, %109 : tensor<9x11xui32>
    %c_28 = stablehlo.constant dense<15> : tensor<ui32>
    %111 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %112 = stablehlo.shift_right_logical %107, %111 : tensor<9x11xui32>
    %113 = stablehlo.or %110, %112 : tensor<9x11xui32>
    %114 = stablehlo.xor %108, %113 : tensor<9x11xui32>
    %115 = stablehlo.add %108, %114 : tensor<9x11xui32>
    %c_29 = stablehlo.constant dense<29> : tensor<ui32>
    %116 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %117 = stablehlo.shift_left %114, %116 : tensor<9x11xui32>
    %c_30 = stablehlo.constant dense<3> : tensor<ui32>
    %118 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %119 = stablehlo.shift_right_logical %114, %118 : tensor<9x11xui32>
    %120 = stablehlo.or %117, %119 : tensor<9x11xui32>
    %121 = stablehlo.xor %115, %120 : tensor<9x11xui32>
    %122 = stablehlo.add %115, %121 : tensor<9x11xui32>
    %c_31 = stablehlo.constant dense<16> : tensor<ui32>
    %123 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %124 = stablehlo.shift_left %121, %123 : tensor<9x11xui32>
    %c_32 = stablehlo.constant dense<16> : tensor<ui32>
    %125 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %126 = stablehlo.shift_right_logical %121, %125 : tensor<9x11xui32>
    %127 = stablehlo.or %124, %126 : tensor<9x11xui32>
    %128 = stablehlo.xor %122, %127 : tensor<9x11xui32>
    %129 = stablehlo.add %122, %128 : tensor<9x11xui32>
    %c_33 = stablehlo.constant dense<24> : tensor<ui32>
    %130 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %131 = stablehlo.shift_left %128, %130 : tensor<9x11xui32>
    %c_34 = stablehlo.constant dense<8> : tensor<ui32>
    %132 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %133 = stablehlo.shift_right_logical %128, %132 : tensor<9x11xui32>
    %134 = stablehlo.or %131, %133 : tensor<9x11xui32>
    %135 = stablehlo.xor %129, %134 : tensor<9x11xui32>
    %136 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %137 = stablehlo.add %129, %136 : tensor<9x11xui32>
    %138 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %139 = stablehlo.add %135, %138 : tensor<9x11xui32>
    %c_35 = stablehlo.constant dense<4> : tensor<ui32>
    %140 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %141 = stablehlo.add %139, %140 : tensor<9x11xui32>
    %142 = stablehlo.add %137, %141 : tensor<9x11xui32>
    %c_36 = stablehlo.constant dense<13> : tensor<ui32>
    %143 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %144 = stablehlo.shift_left %141, %143 : tensor<9x11xui32>
    %c_37 = stablehlo.constant dense<19> : tensor<ui32>
    %145 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %146 = stablehlo.shift_right_logical %141, %145 : tensor<9x11xui32>
    %147 = stablehlo.or %144, %146 : tensor<9x11xui32>
    %148 = stablehlo.xor %142, %147 : tensor<9x11xui32>
    %149 = stablehlo.add %142, %148 : tensor<9x11xui32>
    %c_38 = stablehlo.constant dense<15> : tensor<ui32>
    %150 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %151 = stablehlo.shift_left %148, %150 : tensor<9x11xui32>
    %c_39 = stablehlo.constant dense<17> : tensor<ui32>
    %152 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %153 = stablehlo.shift_right_logical %148, %152 : tensor<9x11xui32>
    %154 = stablehlo.or %151, %153 : tensor<9x11xui32>
    %155 = stablehlo.xor %149, %154 : tensor<9x11xui32>
    %156 = stablehlo.add %149, %155 : tensor<9x11xui32>
    %c_40 = stablehlo.constant dense<26> : tensor<ui32>
    %157 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %158 = stablehlo.shift_left %155, %157 : tensor<9x11xui32>
    %c_41 = stablehlo.constant dense<6> : tensor<ui32>
    %159 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %160 = stablehlo.shift_right_logical %155, %159 : tensor<9x11xui32>
    %161 = stablehlo.or %158, %160 : tensor<9x11xui32>
    %162 = stablehlo.xor %156, %161 : tensor<9x11xui32>
    %163 = stablehlo.add %156, %162 : tensor<9x11xui32>
    %c_42 = stablehlo.constant dense<6> : tensor<ui32>
    %164 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %165 = stablehlo.shift_left %162, %164 : tensor<9x11xui32>
    %c_43 = stablehlo.constant dense<26> : tensor<ui32>
    %166 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %167 = stablehlo.shift_right_logical %162, %166 : tensor<9x11xui32>
    %168 = stablehlo.or %165, %167 : tensor<9x11xui32>
    %169 = stablehlo.xor %163, %168 : tensor<9x11xui32>
    %170 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %171 = stablehlo.add %163, %170 : tensor<9x11xui32>
    %172 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %173 = stablehlo.add %169, %172 : tensor<9x11xui32>
    %c_44 = stablehlo.constant dense<5> : tensor<ui32>
    %174 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui32>) -> tensor<9x11xui32>
    %175 = stablehlo.add %173, %174 : tensor<9x11xui32>
    return %171, %175 : tensor<9x11xui32>, tensor<9x11xui32>
  }
  func.func private @argmax(%arg0: tensor<9x11xf32>) -> tensor<9xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<9x11xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<9x11xf32>, tensor<9x11xi32>, tensor<f32>, tensor<i32>) -> (tensor<9xf32>, tensor<9xi32>)
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
    return %1#1 : tensor<9xi32>
  }
}
