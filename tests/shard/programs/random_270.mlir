// parameter [{}, {"x"}, {}]
// result [{}, {"x"}, {}]
// result [{}, {}, {}]
// result [{}, {}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x8x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) -> (tensor<16x8x32xf32> {jax.result_info = "result[0][0]"}, tensor<10x16x32xf32> {jax.result_info = "result[0][1]"}, tensor<10x16x32xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<16x8x32xf32>) -> tensor<8x16x32xf32>
    %1 = call @_flip(%arg0) : (tensor<16x8x32xf32>) -> tensor<16x8x32xf32>
    %2 = stablehlo.transpose %1, dims = [2, 1, 0] : (tensor<16x8x32xf32>) -> tensor<32x8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x8x32xf32>
    %4 = stablehlo.add %arg0, %3 : tensor<16x8x32xf32>
    %5 = stablehlo.multiply %1, %4 : tensor<16x8x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.pad %0, %cst_0, low = [0, 0, 0], high = [2, 0, 0], interior = [0, 0, 0] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<10x16x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<10x16x32xf32>
    %8 = stablehlo.multiply %6, %7 : tensor<10x16x32xf32>
    return %5, %6, %8 : tensor<16x8x32xf32>, tensor<10x16x32xf32>, tensor<10x16x32xf32>
  }
  func.func private @_flip(%arg0: tensor<16x8x32xf32>) -> tensor<16x8x32xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<16x8x32xf32>
    return %0 : tensor<16x8x32xf32>
  }
}
