module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xcomplex<f32>>, %arg1: tensor<3x5xcomplex<f32>>) -> (tensor<3x5xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[3]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[5]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[6]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[7]"}, tensor<3x5xf32> {jax.result_info = "result[8]"}, tensor<3x5xf32> {jax.result_info = "result[9]"}, tensor<3x5xf32> {jax.result_info = "result[10]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[11]"}, tensor<3x5xf32> {jax.result_info = "result[12]"}, tensor<3x5xi1> {jax.result_info = "result[13]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[14]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[15]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[16]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[17]"}) {
    %0 = mhlo.add %arg0, %arg1 : tensor<3x5xcomplex<f32>>
    %1 = mhlo.subtract %arg0, %arg1 : tensor<3x5xcomplex<f32>>
    %2 = mhlo.multiply %arg0, %arg1 : tensor<3x5xcomplex<f32>>
    %3 = mhlo.divide %arg0, %arg1 : tensor<3x5xcomplex<f32>>
    %4 = mhlo.exponential %arg0 : tensor<3x5xcomplex<f32>>
    %5 = mhlo.log %arg0 : tensor<3x5xcomplex<f32>>
    %6 = mhlo.sqrt %arg0 : tensor<3x5xcomplex<f32>>
    %7 = mhlo.tanh %arg0 : tensor<3x5xcomplex<f32>>
    %8 = mhlo.abs %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %9 = mhlo.real %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %10 = mhlo.imag %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %11 = mhlo.real %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %12 = mhlo.imag %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %13 = mhlo.negate %12 : tensor<3x5xf32>
    %14 = mhlo.complex %11, %13 : tensor<3x5xcomplex<f32>>
    %15 = call @angle(%arg0) : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %16 = mhlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>) -> tensor<3x5xi1>
    %17 = mhlo.real %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %18 = mhlo.imag %arg1 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %19 = mhlo.complex %17, %18 : tensor<3x5xcomplex<f32>>
    %20 = mhlo.real %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %21 = mhlo.imag %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %22 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = "mhlo.broadcast_in_dim"(%22) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %24 = mhlo.compare EQ, %20, %23, FLOAT : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %25 = mhlo.sine %20 : tensor<3x5xf32>
    %26 = mhlo.cosine %20 : tensor<3x5xf32>
    %27 = mhlo.exponential_minus_one %21 : tensor<3x5xf32>
    %28 = mhlo.negate %21 : tensor<3x5xf32>
    %29 = mhlo.exponential_minus_one %28 : tensor<3x5xf32>
    %30 = mhlo.subtract %27, %29 : tensor<3x5xf32>
    %31 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = "mhlo.broadcast_in_dim"(%31) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %33 = mhlo.divide %30, %32 : tensor<3x5xf32>
    %34 = mhlo.add %27, %29 : tensor<3x5xf32>
    %35 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %37 = mhlo.add %34, %36 : tensor<3x5xf32>
    %38 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %40 = mhlo.divide %37, %39 : tensor<3x5xf32>
    %41 = mhlo.multiply %25, %40 : tensor<3x5xf32>
    %42 = mhlo.multiply %26, %33 : tensor<3x5xf32>
    %43 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %45 = mhlo.complex %44, %42 : tensor<3x5xcomplex<f32>>
    %46 = mhlo.complex %41, %42 : tensor<3x5xcomplex<f32>>
    %47 = mhlo.select %24, %45, %46 : tensor<3x5xi1>, tensor<3x5xcomplex<f32>>
    %48 = mhlo.real %arg1 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %49 = mhlo.imag %arg1 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %50 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = "mhlo.broadcast_in_dim"(%50) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %52 = mhlo.compare EQ, %48, %51, FLOAT : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xi1>
    %53 = mhlo.sine %48 : tensor<3x5xf32>
    %54 = mhlo.cosine %48 : tensor<3x5xf32>
    %55 = mhlo.exponential_minus_one %49 : tensor<3x5xf32>
    %56 = mhlo.negate %49 : tensor<3x5xf32>
    %57 = mhlo.exponential_minus_one %56 : tensor<3x5xf32>
    %58 = mhlo.subtract %55, %57 : tensor<3x5xf32>
    %59 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %60 = "mhlo.broadcast_in_dim"(%59) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %61 = mhlo.divide %58, %60 : tensor<3x5xf32>
    %62 = mhlo.add %55, %57 : tensor<3x5xf32>
    %63 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %65 = mhlo.add %62, %64 : tensor<3x5xf32>
    %66 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %67 = "mhlo.broadcast_in_dim"(%66) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %68 = mhlo.divide %65, %67 : tensor<3x5xf32>
    %69 = mhlo.multiply %54, %68 : tensor<3x5xf32>
    %70 = mhlo.negate %53 : tensor<3x5xf32>
    %71 = mhlo.multiply %70, %61 : tensor<3x5xf32>
    %72 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x5xf32>
    %74 = mhlo.complex %69, %73 : tensor<3x5xcomplex<f32>>
    %75 = mhlo.complex %69, %71 : tensor<3x5xcomplex<f32>>
    %76 = mhlo.select %52, %74, %75 : tensor<3x5xi1>, tensor<3x5xcomplex<f32>>
    %77 = mhlo.power %arg0, %arg1 : tensor<3x5xcomplex<f32>>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %14, %15, %16, %19, %47, %76, %77 : tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xcomplex<f32>>, tensor<3x5xf32>, tensor<3x5xi1>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>, tensor<3x5xcomplex<f32>>
  }
  func.func private @angle(%arg0: tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32> {
    %0 = mhlo.real %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %1 = mhlo.imag %arg0 : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xf32>
    %2 = mhlo.atan2 %1, %0 : tensor<3x5xf32>
    return %2 : tensor<3x5xf32>
  }
}
