module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5x8xf32>, %arg1: tensor<8x2x4xf32>, %arg2: tensor<8x2x4xf32>, %arg3: tensor<8x2x4xf32>, %arg4: tensor<2x4x8xf32>, %arg5: tensor<8xf32>) -> (tensor<2x5x8xf32> {jax.result_info = "result"}) {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.reduce(%arg0 init: %0) applies mhlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %3 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %5 = mhlo.divide %2, %4 : tensor<2x5x1xf32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %7 = mhlo.subtract %arg0, %6 : tensor<2x5x8xf32>
    %8 = mhlo.constant dense<0> : tensor<i32>
    %9 = call @_var(%arg0, %8) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %10 = mhlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %12 = mhlo.add %9, %11 : tensor<2x5x1xf32>
    %13 = mhlo.rsqrt %12 : tensor<2x5x1xf32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %15 = mhlo.multiply %7, %14 : tensor<2x5x8xf32>
    %16 = "mhlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = dense<2> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %18 = mhlo.multiply %15, %17 : tensor<2x5x8xf32>
    %19 = "mhlo.dot_general"(%arg1, %18) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [2]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x2x4xf32>, tensor<2x5x8xf32>) -> tensor<2x4x2x5xf32>
    %20 = "mhlo.transpose"(%19) <{permutation = dense<[2, 0, 3, 1]> : tensor<4xi64>}> : (tensor<2x4x2x5xf32>) -> tensor<2x2x5x4xf32>
    %21 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = mhlo.reduce(%arg0 init: %21) applies mhlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %23 = "mhlo.broadcast_in_dim"(%22) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %24 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %26 = mhlo.divide %23, %25 : tensor<2x5x1xf32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %28 = mhlo.subtract %arg0, %27 : tensor<2x5x8xf32>
    %29 = mhlo.constant dense<0> : tensor<i32>
    %30 = call @_var(%arg0, %29) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %31 = mhlo.constant dense<9.99999974E-6> : tensor<f32>
    %32 = "mhlo.broadcast_in_dim"(%31) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %33 = mhlo.add %30, %32 : tensor<2x5x1xf32>
    %34 = mhlo.rsqrt %33 : tensor<2x5x1xf32>
    %35 = "mhlo.broadcast_in_dim"(%34) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %36 = mhlo.multiply %28, %35 : tensor<2x5x8xf32>
    %37 = "mhlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = dense<2> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %38 = "mhlo.broadcast_in_dim"(%37) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %39 = mhlo.multiply %36, %38 : tensor<2x5x8xf32>
    %40 = "mhlo.dot_general"(%arg2, %39) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [2]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x2x4xf32>, tensor<2x5x8xf32>) -> tensor<2x4x2x5xf32>
    %41 = "mhlo.transpose"(%40) <{permutation = dense<[2, 0, 3, 1]> : tensor<4xi64>}> : (tensor<2x4x2x5xf32>) -> tensor<2x2x5x4xf32>
    %42 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = mhlo.reduce(%arg0 init: %42) applies mhlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %44 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %45 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %46 = "mhlo.broadcast_in_dim"(%45) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %47 = mhlo.divide %44, %46 : tensor<2x5x1xf32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %49 = mhlo.subtract %arg0, %48 : tensor<2x5x8xf32>
    %50 = mhlo.constant dense<0> : tensor<i32>
    %51 = call @_var(%arg0, %50) : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %52 = mhlo.constant dense<9.99999974E-6> : tensor<f32>
    %53 = "mhlo.broadcast_in_dim"(%52) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %54 = mhlo.add %51, %53 : tensor<2x5x1xf32>
    %55 = mhlo.rsqrt %54 : tensor<2x5x1xf32>
    %56 = "mhlo.broadcast_in_dim"(%55) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %57 = mhlo.multiply %49, %56 : tensor<2x5x8xf32>
    %58 = "mhlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = dense<2> : tensor<1xi64>}> : (tensor<8xf32>) -> tensor<1x1x8xf32>
    %59 = "mhlo.broadcast_in_dim"(%58) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x8xf32>) -> tensor<2x5x8xf32>
    %60 = mhlo.multiply %57, %59 : tensor<2x5x8xf32>
    %61 = "mhlo.dot_general"(%arg3, %60) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [2]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<8x2x4xf32>, tensor<2x5x8xf32>) -> tensor<2x4x2x5xf32>
    %62 = "mhlo.transpose"(%61) <{permutation = dense<[2, 0, 3, 1]> : tensor<4xi64>}> : (tensor<2x4x2x5xf32>) -> tensor<2x2x5x4xf32>
    %63 = mhlo.constant dense<true> : tensor<i1>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<5x5xi1>
    %65 = call @tril(%64) : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %66 = "mhlo.dot_general"(%20, %41) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x2x5x4xf32>, tensor<2x2x5x4xf32>) -> tensor<2x2x5x5xf32>
    %67 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %68 = "mhlo.broadcast_in_dim"(%67) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %69 = mhlo.divide %66, %68 : tensor<2x2x5x5xf32>
    %70 = mhlo.constant dense<-1.000000e+09> : tensor<f32>
    %71 = call @_where_0(%65, %69, %70) : (tensor<5x5xi1>, tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5x5xf32>
    %72 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %73 = mhlo.reduce(%71 init: %72) applies mhlo.maximum across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %74 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %75 = "mhlo.broadcast_in_dim"(%74) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x5xf32>
    %76 = mhlo.maximum %75, %73 : tensor<2x2x5xf32>
    %77 = "mhlo.broadcast_in_dim"(%76) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %78 = "mhlo.broadcast_in_dim"(%77) <{broadcast_dimensions = dense<[0, 1, 2, 3]> : tensor<4xi64>}> : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %79 = mhlo.subtract %71, %78 : tensor<2x2x5x5xf32>
    %80 = mhlo.exponential %79 : tensor<2x2x5x5xf32>
    %81 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = mhlo.reduce(%80 init: %81) applies mhlo.add across dimensions = [3] : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %83 = "mhlo.broadcast_in_dim"(%82) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %84 = "mhlo.broadcast_in_dim"(%83) <{broadcast_dimensions = dense<[0, 1, 2, 3]> : tensor<4xi64>}> : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %85 = mhlo.divide %80, %84 : tensor<2x2x5x5xf32>
    %86 = "mhlo.dot_general"(%62, %85) <{dot_dimension_numbers = #mhlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x2x5x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
    %87 = "mhlo.dot_general"(%86, %arg4) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<2x2x4x5xf32>, tensor<2x4x8xf32>) -> tensor<2x5x8xf32>
    %88 = mhlo.add %arg0, %87 : tensor<2x5x8xf32>
    return %88 : tensor<2x5x8xf32>
  }
  func.func private @_var(%arg0: tensor<2x5x8xf32>, %arg1: tensor<i32>) -> tensor<2x5x1xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.reduce(%arg0 init: %0) applies mhlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %3 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %5 = mhlo.divide %2, %4 : tensor<2x5x1xf32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %7 = mhlo.subtract %arg0, %6 : tensor<2x5x8xf32>
    %8 = mhlo.multiply %7, %7 : tensor<2x5x8xf32>
    %9 = mhlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %10 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %11 = mhlo.subtract %10, %9 : tensor<f32>
    %12 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = mhlo.reduce(%8 init: %12) applies mhlo.add across dimensions = [2] : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %15 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %16 = mhlo.divide %14, %15 : tensor<2x5x1xf32>
    %17 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = mhlo.compare GT, %11, %17, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %19 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %20 = call @_where(%18, %16, %19) : (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>
    return %20 : tensor<2x5x1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x5x1xf32>, %arg2: tensor<f32>) -> tensor<2x5x1xf32> {
    %0 = mhlo.convert %arg2 : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %2 = mhlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<2x5x1xf32>
    return %2 : tensor<2x5x1xf32>
  }
  func.func private @tril(%arg0: tensor<5x5xi1>) -> tensor<5x5xi1> {
    %0 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x5xi32>
    %1 = mhlo.constant dense<0> : tensor<i32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<5x5xi32>
    %3 = mhlo.add %0, %2 : tensor<5x5xi32>
    %4 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x5xi32>
    %5 = mhlo.compare GE, %3, %4, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %6 = mhlo.constant dense<false> : tensor<i1>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<5x5xi1>
    %8 = mhlo.select %5, %arg0, %7 : tensor<5x5xi1>, tensor<5x5xi1>
    return %8 : tensor<5x5xi1>
  }
  func.func private @_where_0(%arg0: tensor<5x5xi1>, %arg1: tensor<2x2x5x5xf32>, %arg2: tensor<f32>) -> tensor<2x2x5x5xf32> {
    %0 = mhlo.convert %arg2 : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<[2, 3]> : tensor<2xi64>}> : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %2 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %3 = mhlo.select %1, %arg1, %2 : tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>
    return %3 : tensor<2x2x5x5xf32>
  }
}
