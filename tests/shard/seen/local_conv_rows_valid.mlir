// row local_conv_rows_valid
// xla collective-permute(f32[8,2,8,4]) all-reduce(f32[])
// ours collective_permute(tensor<8x2x8x4xf32>) all_reduce(tensor<f32>) => tensor<f32>
// parameter [{}, {"x"}, {}, {}]
// parameter [{}, {}, {}, {}]
// result []
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>}, %arg1: tensor<3x3x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}) -> (tensor<f32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, []>}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x16x8x4xf32>, tensor<3x3x4x8xf32>) -> tensor<8x14x6x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}, {}, {}]> : tensor<8x14x6x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1, 2, 3] : (tensor<8x14x6x8xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
}
