// parameter [{"x"}, {}]
// result [{}, {}]
// result [{}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<10x17xf32> {jax.result_info = "result[0][0]"}, tensor<10x17xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:16, 0:10] : (tensor<16x16xf32>) -> tensor<16x10xf32>
    %1 = stablehlo.tanh %0 : tensor<16x10xf32>
    %2 = stablehlo.dot_general %1, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x10xf32>, tensor<16x16xf32>) -> tensor<10x16xf32>
    %3 = stablehlo.dot_general %0, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x10xf32>, tensor<16x16xf32>) -> tensor<10x16xf32>
    %4 = stablehlo.dot_general %2, %1, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<10x16xf32>, tensor<16x10xf32>) -> tensor<16x16xf32>
    %5 = call @sort(%0) : (tensor<16x10xf32>) -> tensor<16x10xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.pad %3, %cst, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<10x16xf32>, tensor<f32>) -> tensor<10x17xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10x17xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<10x17xf32>
    return %6, %8 : tensor<10x17xf32>, tensor<10x17xf32>
  }
  func.func private @sort(%arg0: tensor<16x10xf32>) -> tensor<16x10xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
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
    }) : (tensor<16x10xf32>) -> tensor<16x10xf32>
    return %0 : tensor<16x10xf32>
  }
}
