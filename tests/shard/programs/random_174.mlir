// parameter [{}, {"y"}]
// result [{}, {"y"}]
// result [{"y"}, {}]
// result [{"y"}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<4x32xf32> {jax.result_info = "result[0][0]"}, tensor<2x16xf32> {jax.result_info = "result[0][1]"}, tensor<2x16xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<4x32xf32>
    %2 = stablehlo.dot_general %1, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.dot_general %1, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<32x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %6:4 = stablehlo.while(%iterArg = %arg0, %iterArg_5 = %c, %iterArg_6 = %4, %iterArg_7 = %5) : tensor<4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<4x32xf32>
    cond {
      %c_8 = stablehlo.constant dense<4> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_5) : (tensor<4x32xf32>, tensor<i32>) -> tensor<32xf32>
      %12:2 = func.call @closed_call(%iterArg_6, %11) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_7, %12#1, %iterArg_5) : (tensor<4x32xf32>, tensor<32xf32>, tensor<i32>) -> tensor<4x32xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %14, %12#0, %13 : tensor<4x32xf32>, tensor<i32>, tensor<32xf32>, tensor<4x32xf32>
    }
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = stablehlo.while(%iterArg = %arg0, %iterArg_5 = %c_3, %iterArg_6 = %c_2, %iterArg_7 = %1) : tensor<4x32xf32>, tensor<i32>, tensor<i32>, tensor<4x32xf32>
    cond {
      %c_8 = stablehlo.constant dense<3> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11:2 = func.call @closed_call_0(%iterArg, %iterArg_6, %iterArg_7) : (tensor<4x32xf32>, tensor<i32>, tensor<4x32xf32>) -> (tensor<i32>, tensor<4x32xf32>)
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %12, %11#0, %11#1 : tensor<4x32xf32>, tensor<i32>, tensor<i32>, tensor<4x32xf32>
    }
    %8 = stablehlo.reshape %6#2 : (tensor<32xf32>) -> tensor<2x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<2x16xf32>
    return %7#3, %8, %10 : tensor<4x32xf32>, tensor<2x16xf32>, tensor<2x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x32xf32>, %arg1: tensor<i32>) -> tensor<32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 32] : (tensor<4x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @closed_call(%arg0: tensor<32xf32>, %arg1: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<32xf32>
    %1 = stablehlo.tanh %0 : tensor<32xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<32xf32>
    return %1, %2 : tensor<32xf32>, tensor<32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<i32>) -> tensor<4x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<4x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32xf32>
    return %1 : tensor<4x32xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<4x32xf32>, %arg1: tensor<i32>, %arg2: tensor<4x32xf32>) -> (tensor<i32>, tensor<4x32xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<4x32xf32>
    return %0, %1 : tensor<i32>, tensor<4x32xf32>
  }
}
