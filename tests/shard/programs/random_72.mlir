// parameter [{}, {}, {"y"}]
// parameter [{}, {"y"}, {}]
// result [{}, {}, {}]
// result [{}, {"x"}, {"y"}]
// result [{}, {"x"}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}, %arg1: tensor<16x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}) -> (tensor<8x8x16xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<8x8x16xf32> {jax.result_info = "result[0][1]"}, tensor<8x8x16xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
    %0 = stablehlo.maximum %arg0, %arg0 : tensor<8x8x16xf32>
    %1 = stablehlo.maximum %arg1, %arg1 : tensor<16x4x16xf32>
    %2 = stablehlo.reshape %0 : (tensor<8x8x16xf32>) -> tensor<16x16x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %3:4 = stablehlo.while(%iterArg = %0, %iterArg_2 = %c_0, %iterArg_3 = %c, %iterArg_4 = %0) : tensor<8x8x16xf32>, tensor<i32>, tensor<i32>, tensor<8x8x16xf32>
    cond {
      %c_5 = stablehlo.constant dense<3> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11:2 = func.call @closed_call(%iterArg, %iterArg_3, %iterArg_4) : (tensor<8x8x16xf32>, tensor<i32>, tensor<8x8x16xf32>) -> (tensor<i32>, tensor<8x8x16xf32>)
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.add %iterArg_2, %c_5 : tensor<i32>
      stablehlo.return %iterArg, %12, %11#0, %11#1 : tensor<8x8x16xf32>, tensor<i32>, tensor<i32>, tensor<8x8x16xf32>
    }
    %4 = stablehlo.tanh %2 : tensor<16x16x4xf32>
    %5 = stablehlo.maximum %arg0, %0 : tensor<8x8x16xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %7 = stablehlo.convert %6 : tensor<8x8x16xf32>
    %8 = stablehlo.add %arg0, %7 : tensor<8x8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<8x8x16xf32>
    return %5, %8, %10 : tensor<8x8x16xf32>, tensor<8x8x16xf32>, tensor<8x8x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x8x16xf32>, %arg1: tensor<i32>, %arg2: tensor<8x8x16xf32>) -> (tensor<i32>, tensor<8x8x16xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<8x8x16xf32>
    return %0, %1 : tensor<i32>, tensor<8x8x16xf32>
  }
}
