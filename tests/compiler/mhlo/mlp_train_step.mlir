module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x10xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<10xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<8x16xf32>, %arg5: tensor<8xi32>) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]"}, tensor<32xf32> {jax.result_info = "result[0][1]"}, tensor<32x10xf32> {jax.result_info = "result[0][2]"}, tensor<10xf32> {jax.result_info = "result[0][3]"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0 = "mhlo.dot_general"(%arg4, %arg0) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %1 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<32xf32>) -> tensor<1x32xf32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x32xf32>) -> tensor<8x32xf32>
    %3 = mhlo.add %0, %2 : tensor<8x32xf32>
    %4 = mhlo.multiply %3, %3 : tensor<8x32xf32>
    %5 = mhlo.multiply %4, %3 : tensor<8x32xf32>
    %6 = mhlo.multiply %3, %3 : tensor<8x32xf32>
    %7 = mhlo.constant dense<3.000000e+00> : tensor<f32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %9 = mhlo.multiply %8, %6 : tensor<8x32xf32>
    %10 = mhlo.constant dense<4.471500e-02> : tensor<f32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %12 = mhlo.multiply %11, %5 : tensor<8x32xf32>
    %13 = mhlo.add %3, %12 : tensor<8x32xf32>
    %14 = mhlo.constant dense<0.797884583> : tensor<f32>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %16 = mhlo.multiply %15, %13 : tensor<8x32xf32>
    %17 = mhlo.tanh %16 : tensor<8x32xf32>
    %18 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = "mhlo.broadcast_in_dim"(%18) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %20 = mhlo.subtract %19, %17 : tensor<8x32xf32>
    %21 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %23 = mhlo.add %22, %17 : tensor<8x32xf32>
    %24 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %26 = mhlo.multiply %25, %23 : tensor<8x32xf32>
    %27 = mhlo.multiply %3, %26 : tensor<8x32xf32>
    %28 = "mhlo.dot_general"(%27, %arg2) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x32xf32>, tensor<32x10xf32>) -> tensor<8x10xf32>
    %29 = "mhlo.broadcast_in_dim"(%arg3) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<10xf32>) -> tensor<1x10xf32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x10xf32>) -> tensor<8x10xf32>
    %31 = mhlo.add %28, %30 : tensor<8x10xf32>
    %32:3 = call @log_softmax(%31) : (tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>)
    %33 = call @_one_hot(%arg5) : (tensor<8xi32>) -> tensor<8x10xf32>
    %34 = mhlo.multiply %32#0, %33 : tensor<8x10xf32>
    %35 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = mhlo.reduce(%34 init: %35) applies mhlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %37 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = mhlo.reduce(%36 init: %37) applies mhlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %39 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %40 = mhlo.divide %38, %39 : tensor<f32>
    %41 = mhlo.negate %40 : tensor<f32>
    %42 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = mhlo.negate %42 : tensor<f32>
    %44 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %45 = mhlo.divide %43, %44 : tensor<f32>
    %46 = "mhlo.broadcast_in_dim"(%45) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8xf32>
    %47 = "mhlo.broadcast_in_dim"(%46) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<8x10xf32>
    %48 = mhlo.multiply %47, %33 : tensor<8x10xf32>
    %49 = call @log_softmax_0(%32#1, %32#2, %48) : (tensor<8x10xf32>, tensor<8x1xf32>, tensor<8x10xf32>) -> tensor<8x10xf32>
    %50 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = mhlo.reduce(%49 init: %50) applies mhlo.add across dimensions = [0] : (tensor<8x10xf32>, tensor<f32>) -> tensor<10xf32>
    %52 = mhlo.reshape %51 : (tensor<10xf32>) -> tensor<1x10xf32>
    %53 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = mhlo.reduce(%52 init: %53) applies mhlo.add across dimensions = [0] : (tensor<1x10xf32>, tensor<f32>) -> tensor<10xf32>
    %55 = "mhlo.dot_general"(%49, %27) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x10xf32>, tensor<8x32xf32>) -> tensor<10x32xf32>
    %56 = "mhlo.transpose"(%55) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<10x32xf32>) -> tensor<32x10xf32>
    %57 = "mhlo.dot_general"(%49, %arg2) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x10xf32>, tensor<32x10xf32>) -> tensor<8x32xf32>
    %58 = mhlo.multiply %3, %57 : tensor<8x32xf32>
    %59 = mhlo.multiply %57, %26 : tensor<8x32xf32>
    %60 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %62 = mhlo.multiply %61, %58 : tensor<8x32xf32>
    %63 = mhlo.multiply %62, %20 : tensor<8x32xf32>
    %64 = mhlo.multiply %63, %17 : tensor<8x32xf32>
    %65 = mhlo.add %63, %64 : tensor<8x32xf32>
    %66 = mhlo.constant dense<0.797884583> : tensor<f32>
    %67 = "mhlo.broadcast_in_dim"(%66) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %68 = mhlo.multiply %67, %65 : tensor<8x32xf32>
    %69 = mhlo.add %59, %68 : tensor<8x32xf32>
    %70 = mhlo.constant dense<4.471500e-02> : tensor<f32>
    %71 = "mhlo.broadcast_in_dim"(%70) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8x32xf32>
    %72 = mhlo.multiply %71, %68 : tensor<8x32xf32>
    %73 = mhlo.multiply %72, %9 : tensor<8x32xf32>
    %74 = mhlo.add %69, %73 : tensor<8x32xf32>
    %75 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = mhlo.reduce(%74 init: %75) applies mhlo.add across dimensions = [0] : (tensor<8x32xf32>, tensor<f32>) -> tensor<32xf32>
    %77 = mhlo.reshape %76 : (tensor<32xf32>) -> tensor<1x32xf32>
    %78 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = mhlo.reduce(%77 init: %78) applies mhlo.add across dimensions = [0] : (tensor<1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %80 = "mhlo.dot_general"(%74, %arg4) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x32xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
    %81 = "mhlo.transpose"(%80) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %82 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %83 = "mhlo.broadcast_in_dim"(%82) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<16x32xf32>
    %84 = mhlo.multiply %83, %81 : tensor<16x32xf32>
    %85 = mhlo.subtract %arg0, %84 : tensor<16x32xf32>
    %86 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %87 = "mhlo.broadcast_in_dim"(%86) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<32xf32>
    %88 = mhlo.multiply %87, %79 : tensor<32xf32>
    %89 = mhlo.subtract %arg1, %88 : tensor<32xf32>
    %90 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<32x10xf32>
    %92 = mhlo.multiply %91, %56 : tensor<32x10xf32>
    %93 = mhlo.subtract %arg2, %92 : tensor<32x10xf32>
    %94 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<10xf32>
    %96 = mhlo.multiply %95, %54 : tensor<10xf32>
    %97 = mhlo.subtract %arg3, %96 : tensor<10xf32>
    return %85, %89, %93, %97, %41 : tensor<16x32xf32>, tensor<32xf32>, tensor<32x10xf32>, tensor<10xf32>, tensor<f32>
  }
  func.func private @log_softmax(%arg0: tensor<8x10xf32>) -> (tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>) {
    %0 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %1 = mhlo.reduce(%arg0 init: %0) applies mhlo.maximum across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %2 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<8xf32>
    %4 = mhlo.maximum %3, %1 : tensor<8xf32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %7 = mhlo.subtract %arg0, %6 : tensor<8x10xf32>
    %8 = mhlo.exponential %7 : tensor<8x10xf32>
    %9 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = mhlo.reduce(%8 init: %9) applies mhlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<8x1xf32>
    %12 = mhlo.log %11 : tensor<8x1xf32>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8x1xf32>) -> tensor<8x10xf32>
    %14 = mhlo.subtract %7, %13 : tensor<8x10xf32>
    return %14, %8, %11 : tensor<8x10xf32>, tensor<8x10xf32>, tensor<8x1xf32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x10xf32> {
    %0 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x10xi32>
    %2 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<8x1xi32>) -> tensor<8x10xi32>
    %3 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x10xi32>) -> tensor<8x10xi32>
    %4 = mhlo.compare EQ, %2, %3, SIGNED : (tensor<8x10xi32>, tensor<8x10xi32>) -> tensor<8x10xi1>
    %5 = mhlo.convert %4 : (tensor<8x10xi1>) -> tensor<8x10xf32>
    return %5 : tensor<8x10xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<8x10xf32>, %arg1: tensor<8x1xf32>, %arg2: tensor<8x10xf32>) -> tensor<8x10xf32> {
    %0 = mhlo.negate %arg2 : tensor<8x10xf32>
    %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = mhlo.reduce(%0 init: %1) applies mhlo.add across dimensions = [1] : (tensor<8x10xf32>, tensor<f32>) -> tensor<8xf32>
    %3 = mhlo.reshape %2 : (tensor<8xf32>) -> tensor<8x1xf32>
    %4 = mhlo.divide %3, %arg1 : tensor<8x1xf32>
    %5 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = mhlo.reduce(%4 init: %5) applies mhlo.add across dimensions = [1] : (tensor<8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<8x10xf32>
    %8 = mhlo.multiply %7, %arg0 : tensor<8x10xf32>
    %9 = mhlo.add %arg2, %8 : tensor<8x10xf32>
    return %9 : tensor<8x10xf32>
  }
}
