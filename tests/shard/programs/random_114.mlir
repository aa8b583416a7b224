// parameter [{"y"}, {}, {"x"}]
// parameter [{"y"}, {}, {}]
// result [{"y"}, {}, {}]
// result [{}, {}]
// result [{}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, %arg1: tensor<16x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}) -> (tensor<16x16x4xf32> {jax.result_info = "result[0][0]"}, tensor<16x4xf32> {jax.result_info = "result[0][1]"}, tensor<16x4xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<8x4x4xf32>) -> tensor<128xf32>
    %1 = stablehlo.slice %0 [0:1] : (tensor<128xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.compare GT, %2, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      stablehlo.return %arg1 : tensor<16x16x4xf32>
    }, {
      %16 = stablehlo.add %arg1, %arg1 : tensor<16x16x4xf32>
      stablehlo.return %16 : tensor<16x16x4xf32>
    }) : (tensor<i32>) -> tensor<16x16x4xf32>
    %6 = call @_flip(%arg1) : (tensor<16x16x4xf32>) -> tensor<16x16x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x16x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %9:4 = stablehlo.while(%iterArg = %6, %iterArg_6 = %c, %iterArg_7 = %7, %iterArg_8 = %8) : tensor<16x16x4xf32>, tensor<i32>, tensor<16x4xf32>, tensor<16x16x4xf32>
    cond {
      %c_9 = stablehlo.constant dense<16> : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %16 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<16x16x4xf32>, tensor<i32>) -> tensor<16x4xf32>
      %17:2 = func.call @closed_call(%iterArg_7, %16) : (tensor<16x4xf32>, tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>)
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_8, %17#1, %iterArg_6) : (tensor<16x16x4xf32>, tensor<16x4xf32>, tensor<i32>) -> tensor<16x16x4xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg_6, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %19, %17#0, %18 : tensor<16x16x4xf32>, tensor<i32>, tensor<16x4xf32>, tensor<16x16x4xf32>
    }
    %10 = call @sort(%arg1) : (tensor<16x16x4xf32>) -> tensor<16x16x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x16x4xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %13:4 = stablehlo.while(%iterArg = %arg1, %iterArg_6 = %c_4, %iterArg_7 = %11, %iterArg_8 = %12) : tensor<16x16x4xf32>, tensor<i32>, tensor<16x4xf32>, tensor<16x16x4xf32>
    cond {
      %c_9 = stablehlo.constant dense<16> : tensor<i32>
      %16 = stablehlo.compare LT, %iterArg_6, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %16 : tensor<i1>
    } do {
      %16 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_6) : (tensor<16x16x4xf32>, tensor<i32>) -> tensor<16x4xf32>
      %17:2 = func.call @closed_call_0(%iterArg_7, %16) : (tensor<16x4xf32>, tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>)
      %18 = func.call @dynamic_update_index_in_dim(%iterArg_8, %17#1, %iterArg_6) : (tensor<16x16x4xf32>, tensor<16x4xf32>, tensor<i32>) -> tensor<16x16x4xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %19 = stablehlo.add %iterArg_6, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %19, %17#0, %18 : tensor<16x16x4xf32>, tensor<i32>, tensor<16x4xf32>, tensor<16x16x4xf32>
    }
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<16x4xf32>
    %15 = stablehlo.multiply %13#2, %14 : tensor<16x4xf32>
    return %10, %13#2, %15 : tensor<16x16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>
  }
  func.func private @_flip(%arg0: tensor<16x16x4xf32>) -> tensor<16x16x4xf32> {
    %0 = stablehlo.reverse %arg0, dims = [2] : tensor<16x16x4xf32>
    return %0 : tensor<16x16x4xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x16x4xf32>, %arg1: tensor<i32>) -> tensor<16x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 4] : (tensor<16x16x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x4xf32>) -> tensor<16x4xf32>
    return %1 : tensor<16x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x4xf32>, %arg1: tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<16x4xf32>
    %1 = stablehlo.tanh %0 : tensor<16x4xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<16x4xf32>
    return %1, %2 : tensor<16x4xf32>, tensor<16x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x16x4xf32>, %arg1: tensor<16x4xf32>, %arg2: tensor<i32>) -> tensor<16x16x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x4xf32>) -> tensor<1x16x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<16x16x4xf32>, tensor<1x16x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x16x4xf32>
    return %1 : tensor<16x16x4xf32>
  }
  func.func private @sort(%arg0: tensor<16x16x4xf32>) -> tensor<16x16x4xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 2 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<16x16x4xf32>) -> tensor<16x16x4xf32>
    return %0 : tensor<16x16x4xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<16x4xf32>, %arg1: tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<16x4xf32>
    %1 = stablehlo.tanh %0 : tensor<16x4xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<16x4xf32>
    return %1, %2 : tensor<16x4xf32>, tensor<16x4xf32>
  }
}
