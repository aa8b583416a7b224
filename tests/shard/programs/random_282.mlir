// parameter [{}, {"x"}, {}]
// parameter [{}, {"x"}, {}]
// parameter [{}, {"x"}, {}]
// result [{}, {}, {"y"}]
// result [{}, {"x"}, {"y"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x4x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<8x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg2: tensor<4x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<8x4x8xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}, tensor<8x4x8xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_8 = %c_0, %iterArg_9 = %c, %iterArg_10 = %arg1) : tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<8x4x8xf32>
    cond {
      %c_11 = stablehlo.constant dense<3> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17:2 = func.call @closed_call(%iterArg, %iterArg_9, %iterArg_10) : (tensor<8x4x8xf32>, tensor<i32>, tensor<8x4x8xf32>) -> (tensor<i32>, tensor<8x4x8xf32>)
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.add %iterArg_8, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %18, %17#0, %17#1 : tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<8x4x8xf32>
    }
    %1 = stablehlo.reshape %arg0 : (tensor<4x4x12xf32>) -> tensor<192xf32>
    %2 = stablehlo.slice %1 [0:1] : (tensor<192xf32>) -> tensor<1xf32>
    %3 = stablehlo.reshape %2 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.compare GT, %3, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %5 = stablehlo.convert %4 : (tensor<i1>) -> tensor<i32>
    %6 = "stablehlo.case"(%5) ({
      stablehlo.return %arg1 : tensor<8x4x8xf32>
    }, {
      %17 = stablehlo.add %arg1, %arg1 : tensor<8x4x8xf32>
      stablehlo.return %17 : tensor<8x4x8xf32>
    }) : (tensor<i32>) -> tensor<8x4x8xf32>
    %7 = stablehlo.slice %arg1 [0:8, 1:3, 0:8] : (tensor<8x4x8xf32>) -> tensor<8x2x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.pad %arg2, %cst_1, low = [0, 3, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x4x4xf32>, tensor<f32>) -> tensor<4x7x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4x8xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %11:4 = stablehlo.while(%iterArg = %0#3, %iterArg_8 = %c_4, %iterArg_9 = %9, %iterArg_10 = %10) : tensor<8x4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4x8xf32>
    cond {
      %c_11 = stablehlo.constant dense<8> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_8) : (tensor<8x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %18:2 = func.call @closed_call_0(%iterArg_9, %17) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
      %19 = func.call @dynamic_update_index_in_dim(%iterArg_10, %18#1, %iterArg_8) : (tensor<8x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<8x4x8xf32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %20 = stablehlo.add %iterArg_8, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %20, %18#0, %19 : tensor<8x4x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<8x4x8xf32>
    }
    %12 = stablehlo.compare GT, %8, %8, FLOAT : (tensor<4x7x4xf32>, tensor<4x7x4xf32>) -> tensor<4x7x4xi1>
    %13 = call @_where(%12, %8, %8) : (tensor<4x7x4xi1>, tensor<4x7x4xf32>, tensor<4x7x4xf32>) -> tensor<4x7x4xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %14:4 = stablehlo.while(%iterArg = %0#3, %iterArg_8 = %c_6, %iterArg_9 = %c_5, %iterArg_10 = %6) : tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<8x4x8xf32>
    cond {
      %c_11 = stablehlo.constant dense<3> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_8, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17:2 = func.call @closed_call_1(%iterArg, %iterArg_9, %iterArg_10) : (tensor<8x4x8xf32>, tensor<i32>, tensor<8x4x8xf32>) -> (tensor<i32>, tensor<8x4x8xf32>)
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.add %iterArg_8, %c_11 : tensor<i32>
      stablehlo.return %iterArg, %18, %17#0, %17#1 : tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<8x4x8xf32>
    }
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x8xf32>
    %16 = stablehlo.multiply %14#3, %15 : tensor<8x4x8xf32>
    return %14#3, %16 : tensor<8x4x8xf32>, tensor<8x4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<8x4x8xf32>) -> (tensor<i32>, tensor<8x4x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<8x4x8xf32>
    return %0, %1 : tensor<i32>, tensor<8x4x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
    %1 = stablehlo.tanh %0 : tensor<4x8xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<4x8xf32>
    return %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<8x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x4x8xf32>
    return %1 : tensor<8x4x8xf32>
  }
  func.func private @_where(%arg0: tensor<4x7x4xi1>, %arg1: tensor<4x7x4xf32>, %arg2: tensor<4x7x4xf32>) -> tensor<4x7x4xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x7x4xi1>, tensor<4x7x4xf32>
    return %0 : tensor<4x7x4xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<8x4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<8x4x8xf32>) -> (tensor<i32>, tensor<8x4x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<8x4x8xf32>
    return %0, %1 : tensor<i32>, tensor<8x4x8xf32>
  }
}
