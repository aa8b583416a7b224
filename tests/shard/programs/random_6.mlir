// parameter [{"x"}, {}]
// parameter [{}, {}]
// result [{}, {}, {}]
// result [{}, {}, {}]
// result [{}, {}, {}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<64x4x21xf32> {jax.result_info = "result[0][0]"}, tensor<64x4x21xf32> {jax.result_info = "result[0][1]"}, tensor<64x4x21xf32> {jax.result_info = "result[1]", sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) {
    %0 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<32x16xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<32x16xf32>) -> tensor<512xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<64x16xf32>) -> tensor<64x4x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.pad %2, %cst, low = [0, 0, 1], high = [0, 0, 4], interior = [0, 0, 0] : (tensor<64x4x16xf32>, tensor<f32>) -> tensor<64x4x21xf32>
    %4 = call @_flip(%3) : (tensor<64x4x21xf32>) -> tensor<64x4x21xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<64x4x21xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<64x4x21xf32>
    return %3, %4, %6 : tensor<64x4x21xf32>, tensor<64x4x21xf32>, tensor<64x4x21xf32>
  }
  func.func private @_flip(%arg0: tensor<64x4x21xf32>) -> tensor<64x4x21xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<64x4x21xf32>
    return %0 : tensor<64x4x21xf32>
  }
}
