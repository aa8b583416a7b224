// parameter [{}, {}, {"x"}]
// parameter [{}]
// parameter [{"x"}, {}, {}]
// result [{"x"}, {}, {}]
// result [{"x"}, {}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}, %arg1: tensor<16xf32>, %arg2: tensor<8x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<8x16x16xf32> {jax.result_info = "result[0][0]"}, tensor<8x16x16xf32> {jax.result_info = "result[1]"}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {"y"}, {}]> : tensor<8x16x8xf32>
    %1 = sdy.sharding_constraint %arg0 <@mesh, [{}, {}, {"y", "x"}]> : tensor<8x16x8xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<8x16x8xf32>) -> tensor<1024xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<1024xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.compare GT, %4, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.convert %5 : (tensor<i1>) -> tensor<i32>
    %7 = "stablehlo.case"(%6) ({
      stablehlo.return %arg0 : tensor<8x16x8xf32>
    }, {
      %11 = stablehlo.add %arg0, %arg0 : tensor<8x16x8xf32>
      stablehlo.return %11 : tensor<8x16x8xf32>
    }) : (tensor<i32>) -> tensor<8x16x8xf32>
    %8 = stablehlo.maximum %arg2, %arg2 : tensor<8x16x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16x16xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<8x16x16xf32>
    return %8, %10 : tensor<8x16x16xf32>, tensor<8x16x16xf32>
  }
}
