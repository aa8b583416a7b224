// parameter [{"x"}, {}]
// parameter [{}, {"y"}]
// result [{"x"}, {}]
// result [{}, {"y"}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x16xf32> {jax.result_info = "result[0]"}, tensor<16x8xf32> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%arg2: tensor<2x16xf32>, %arg3: tensor<16x8xf32>) {
      %4 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x16xf32>, tensor<16x8xf32>) -> tensor<2x8xf32>
      %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      %6 = stablehlo.tanh %5 : tensor<2x8xf32>
      %7 = sdy.sharding_constraint %6 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      %10 = stablehlo.subtract %9, %7 : tensor<2x8xf32>
      %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      sdy.return %11, %7 : tensor<2x8xf32>, tensor<2x8xf32>
    } : (tensor<8x16xf32>, tensor<16x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %3:2 = sdy.manual_computation(%2, %arg1, %arg0, %0#1, %0#0) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>, <@mesh, [{"x", ?}, {?}]>, <@mesh, [{"x", ?}, {?}]>, <@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>] manual_axes={"x"} (%arg2: tensor<2x8xf32>, %arg3: tensor<16x8xf32>, %arg4: tensor<2x16xf32>, %arg5: tensor<2x8xf32>, %arg6: tensor<2x8xf32>) {
      %4 = stablehlo.multiply %arg2, %arg6 : tensor<2x8xf32>
      %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      %6 = stablehlo.multiply %5, %arg5 : tensor<2x8xf32>
      %7 = sdy.sharding_constraint %6 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      %8 = stablehlo.add %5, %7 : tensor<2x8xf32>
      %9 = sdy.sharding_constraint %8 <@mesh, [{?}, {?}]> : tensor<2x8xf32>
      %10 = stablehlo.dot_general %9, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<2x16xf32>) -> tensor<8x16xf32>
      %11 = sdy.sharding_constraint %10 <@mesh, [{?}, {?}]> : tensor<8x16xf32>
      %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
      %13 = sdy.sharding_constraint %12 <@mesh, [{?}, {?}]> : tensor<16x8xf32>
      %14 = stablehlo.dot_general %9, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8xf32>, tensor<16x8xf32>) -> tensor<2x16xf32>
      %15 = sdy.sharding_constraint %14 <@mesh, [{?}, {?}]> : tensor<2x16xf32>
      %16 = "stablehlo.all_reduce"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
        %17 = stablehlo.add %arg7, %arg8 : tensor<f32>
        %18 = sdy.sharding_constraint %17 <@mesh, []> : tensor<f32>
        stablehlo.return %18 : tensor<f32>
      }) : (tensor<16x8xf32>) -> tensor<16x8xf32>
      sdy.return %15, %16 : tensor<2x16xf32>, tensor<16x8xf32>
    } : (tensor<8x8xf32>, tensor<16x8xf32>, tensor<8x16xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x16xf32>, tensor<16x8xf32>)
    return %3#0, %3#1 : tensor<8x16xf32>, tensor<16x8xf32>
  }
}
