// parameter [{}, {"x"}]
// parameter [{}]
// parameter [{"y"}]
// result [{}]
// result [{}]
// result [{}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<12x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %arg1: tensor<12xf32>, %arg2: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<6xf32> {jax.result_info = "result[0][0]"}, tensor<7xf32> {jax.result_info = "result[0][1]"}, tensor<7xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<12x12xf32>, tensor<f32>) -> tensor<12xf32>
    %1 = stablehlo.compare GT, %arg0, %arg0, FLOAT : (tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xi1>
    %2 = call @_where(%1, %arg0, %arg0) : (tensor<12x12xi1>, tensor<12x12xf32>, tensor<12x12xf32>) -> tensor<12x12xf32>
    %3 = stablehlo.dot_general %arg2, %arg2, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<12xf32>, tensor<12xf32>) -> tensor<f32>
    %4 = stablehlo.slice %0 [4:10] : (tensor<12xf32>) -> tensor<6xf32>
    %5 = stablehlo.slice %arg2 [3:10] : (tensor<12xf32>) -> tensor<7xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<7xf32>
    return %4, %5, %7 : tensor<6xf32>, tensor<7xf32>, tensor<7xf32>
  }
  func.func private @_where(%arg0: tensor<12x12xi1>, %arg1: tensor<12x12xf32>, %arg2: tensor<12x12xf32>) -> tensor<12x12xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12x12xi1>, tensor<12x12xf32>
    return %0 : tensor<12x12xf32>
  }
}
