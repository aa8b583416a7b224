// parameter [{"x"}]
// parameter [{}, {}]
// result [{}, {}, {}]
// result [{}, {}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<12x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<16x8x16xf32> {jax.result_info = "result[0][0]"}, tensor<16x8x16xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.dot_general %arg1, %arg1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12x16xf32>, tensor<12x16xf32>) -> tensor<16x16xf32>
    %1 = stablehlo.slice %arg0 [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.compare GT, %2, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.convert %3 : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      stablehlo.return %0 : tensor<16x16xf32>
    }, {
      %16 = stablehlo.add %0, %0 : tensor<16x16xf32>
      stablehlo.return %16 : tensor<16x16xf32>
    }) : (tensor<i32>) -> tensor<16x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x16xf32>
    %7 = stablehlo.multiply %arg1, %6 : tensor<12x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12x16xf32>
    %9 = stablehlo.add %7, %8 : tensor<12x16xf32>
    %10 = stablehlo.iota dim = 0 : tensor<192xf32>
    %11 = stablehlo.reshape %10 : (tensor<192xf32>) -> tensor<12x16xf32>
    %12 = stablehlo.add %arg1, %11 : tensor<12x16xf32>
    %13 = stablehlo.broadcast_in_dim %5, dims = [0, 2] : (tensor<16x16xf32>) -> tensor<16x8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<16x8x16xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<16x8x16xf32>
    return %13, %15 : tensor<16x8x16xf32>, tensor<16x8x16xf32>
  }
}
