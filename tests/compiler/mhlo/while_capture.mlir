module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<i32>) -> (tensor<i32> {jax.result_info = "result[0][0]"}, tensor<4xf32> {jax.result_info = "result[0][1]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
    %0 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %2 = mhlo.multiply %arg0, %1 : tensor<4xf32>
    %3 = mhlo.constant dense<0> : tensor<i32>
    %4:4 = mhlo.while(%iterArg = %arg1, %iterArg_0 = %2, %iterArg_1 = %3, %iterArg_2 = %arg0) : tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>
    cond {
      %8 = mhlo.compare LT, %iterArg_1, %iterArg, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %9 = mhlo.abs %iterArg_2 : tensor<4xf32>
      %10 = mhlo.constant dense<0xFF800000> : tensor<f32>
      %11 = mhlo.reduce(%9 init: %10) applies mhlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %12 = mhlo.constant dense<1.000000e-03> : tensor<f32>
      %13 = mhlo.compare GT, %11, %12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = mhlo.and %8, %13 : tensor<i1>
      mhlo.return %14 : tensor<i1>
    } do {
      %8 = mhlo.constant dense<1> : tensor<i32>
      %9 = mhlo.add %iterArg_1, %8 : tensor<i32>
      %10 = mhlo.constant dense<5.000000e-01> : tensor<f32>
      %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
      %12 = mhlo.multiply %iterArg_2, %11 : tensor<4xf32>
      %13 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %14 = mhlo.reduce(%iterArg_0 init: %13) applies mhlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
      %15 = mhlo.constant dense<0.00999999977> : tensor<f32>
      %16 = mhlo.multiply %14, %15 : tensor<f32>
      %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
      %18 = mhlo.add %12, %17 : tensor<4xf32>
      mhlo.return %iterArg, %iterArg_0, %9, %18 : tensor<i32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>
    }
    %5 = mhlo.constant dense<0> : tensor<i32>
    %6 = mhlo.constant dense<0> : tensor<i32>
    %7:3 = mhlo.while(%iterArg = %6, %iterArg_0 = %5, %iterArg_1 = %arg0) : tensor<i32>, tensor<i32>, tensor<4xf32>
    cond {
      %8 = mhlo.constant dense<5> : tensor<i32>
      %9 = mhlo.compare LT, %iterArg, %8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      mhlo.return %9 : tensor<i1>
    } do {
      %8:2 = func.call @closed_call(%iterArg_0, %iterArg_1) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
      %9 = mhlo.constant dense<1> : tensor<i32>
      %10 = mhlo.add %iterArg, %9 : tensor<i32>
      mhlo.return %10, %8#0, %8#1 : tensor<i32>, tensor<i32>, tensor<4xf32>
    }
    return %4#2, %4#3, %7#2 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
    %0 = mhlo.constant dense<1> : tensor<i32>
    %1 = mhlo.add %arg0, %0 : tensor<i32>
    %2 = mhlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4xf32>
    %4 = mhlo.add %arg1, %3 : tensor<4xf32>
    return %1, %4 : tensor<i32>, tensor<4xf32>
  }
}
