// parameter [{"y"}, {}, {"x"}]
// result [{"x"}, {}, {"y"}]
// result [{"x"}, {}, {"y"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}) -> (tensor<8x4x8xf32> {jax.result_info = "result[0][0]"}, tensor<8x4x8xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<8x4x8xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<8x4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x8xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<8x4x8xf32>
    %6 = stablehlo.exponential %5 : tensor<8x4x8xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x4x8xf32>, tensor<f32>) -> tensor<8x4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<8x4xf32>) -> tensor<8x4x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<8x4x1xf32>) -> tensor<8x4x8xf32>
    %10 = stablehlo.divide %6, %9 : tensor<8x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %11:4 = stablehlo.while(%iterArg = %10, %iterArg_4 = %c_2, %iterArg_5 = %c, %iterArg_6 = %10) : tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<8x4x8xf32>
    cond {
      %c_7 = stablehlo.constant dense<3> : tensor<i32>
      %17 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %17 : tensor<i1>
    } do {
      %17:2 = func.call @closed_call(%iterArg, %iterArg_5, %iterArg_6) : (tensor<8x4x8xf32>, tensor<i32>, tensor<8x4x8xf32>) -> (tensor<i32>, tensor<8x4x8xf32>)
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %18 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %18, %17#0, %17#1 : tensor<8x4x8xf32>, tensor<i32>, tensor<i32>, tensor<8x4x8xf32>
    }
    %12 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %13 = stablehlo.transpose %arg0, dims = [1, 2, 0] : (tensor<8x4x8xf32>) -> tensor<4x8x8xf32>
    %14 = call @_flip(%12) : (tensor<8x4x8xf32>) -> tensor<8x4x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x4x8xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<8x4x8xf32>
    return %14, %16 : tensor<8x4x8xf32>, tensor<8x4x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x4x8xf32>, %arg1: tensor<i32>, %arg2: tensor<8x4x8xf32>) -> (tensor<i32>, tensor<8x4x8xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<8x4x8xf32>
    return %0, %1 : tensor<i32>, tensor<8x4x8xf32>
  }
  func.func private @_flip(%arg0: tensor<8x4x8xf32>) -> tensor<8x4x8xf32> {
    %0 = stablehlo.reverse %arg0, dims = [2] : tensor<8x4x8xf32>
    return %0 : tensor<8x4x8xf32>
  }
}
