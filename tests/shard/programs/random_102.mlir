// parameter [{"x"}]
// parameter [{}, {"x"}, {"y"}]
// result [{}, {}, {}]
// result [{}, {"x"}, {"y"}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %arg1: tensor<16x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}) -> (tensor<16x16x16xf32> {jax.result_info = "result[0][0]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, tensor<16x16x16xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.maximum %arg1, %arg1 : tensor<16x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg1) : tensor<16x16x16xf32>, tensor<i32>, tensor<i32>, tensor<16x16x16xf32>
    cond {
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<16x16x16xf32>, tensor<i32>, tensor<16x16x16xf32>) -> (tensor<i32>, tensor<16x16x16xf32>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %5 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %5, %4#0, %4#1 : tensor<16x16x16xf32>, tensor<i32>, tensor<i32>, tensor<16x16x16xf32>
    }
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16x16xf32>
    %3 = stablehlo.multiply %1#3, %2 : tensor<16x16x16xf32>
    return %1#3, %3 : tensor<16x16x16xf32>, tensor<16x16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x16x16xf32>, %arg1: tensor<i32>, %arg2: tensor<16x16x16xf32>) -> (tensor<i32>, tensor<16x16x16xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<16x16x16xf32>
    return %0, %1 : tensor<i32>, tensor<16x16x16xf32>
  }
}
