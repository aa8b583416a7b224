// parameter [{"x"}]
// parameter [{}, {}, {}]
// result [{}]
// result [{}]
// result [{}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<16x12x4xf32>) -> (tensor<1xf32> {jax.result_info = "result[0][0]"}, tensor<1xf32> {jax.result_info = "result[0][1]"}, tensor<1xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<16x12x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:4 = stablehlo.while(%iterArg = %arg1, %iterArg_5 = %c, %iterArg_6 = %0, %iterArg_7 = %1) : tensor<16x12x4xf32>, tensor<i32>, tensor<12x4xf32>, tensor<16x12x4xf32>
    cond {
      %c_8 = stablehlo.constant dense<16> : tensor<i32>
      %14 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    } do {
      %14 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_5) : (tensor<16x12x4xf32>, tensor<i32>) -> tensor<12x4xf32>
      %15:2 = func.call @closed_call(%iterArg_6, %14) : (tensor<12x4xf32>, tensor<12x4xf32>) -> (tensor<12x4xf32>, tensor<12x4xf32>)
      %16 = func.call @dynamic_update_index_in_dim(%iterArg_7, %15#1, %iterArg_5) : (tensor<16x12x4xf32>, tensor<12x4xf32>, tensor<i32>) -> tensor<16x12x4xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %17 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %17, %15#0, %16 : tensor<16x12x4xf32>, tensor<i32>, tensor<12x4xf32>, tensor<16x12x4xf32>
    }
    %3 = stablehlo.slice %arg0 [0:1] : (tensor<16xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.compare GT, %4, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.convert %5 : (tensor<i1>) -> tensor<i32>
    %7 = "stablehlo.case"(%6) ({
      stablehlo.return %2#2 : tensor<12x4xf32>
    }, {
      %14 = stablehlo.add %2#2, %2#2 : tensor<12x4xf32>
      stablehlo.return %14 : tensor<12x4xf32>
    }) : (tensor<i32>) -> tensor<12x4xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.maximum across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<1xf32>
    return %9, %11, %13 : tensor<1xf32>, tensor<1xf32>, tensor<1xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x12x4xf32>, %arg1: tensor<i32>) -> tensor<12x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 12, 4] : (tensor<16x12x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x12x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x12x4xf32>) -> tensor<12x4xf32>
    return %1 : tensor<12x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<12x4xf32>, %arg1: tensor<12x4xf32>) -> (tensor<12x4xf32>, tensor<12x4xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<12x4xf32>
    %1 = stablehlo.tanh %0 : tensor<12x4xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<12x4xf32>
    return %1, %2 : tensor<12x4xf32>, tensor<12x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x12x4xf32>, %arg1: tensor<12x4xf32>, %arg2: tensor<i32>) -> tensor<16x12x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<12x4xf32>) -> tensor<1x12x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<16x12x4xf32>, tensor<1x12x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<16x12x4xf32>
    return %1 : tensor<16x12x4xf32>
  }
}
