// parameter [{}, {"x"}, {}]
// parameter [{}, {"y"}]
// parameter [{}, {"y"}]
// result [{}, {"x"}, {}]
// result [{}, {"y"}]
// result [{}, {"y"}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<4x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %arg1: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg2: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<4x8x16xf32> {jax.result_info = "result[0]"}, tensor<16x64xf32> {jax.result_info = "result[1]"}, tensor<16x64xf32> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %14:24 = stablehlo.while(%iterArg = %arg0, %iterArg_28 = %arg1, %iterArg_29 = %arg2, %iterArg_30 = %cst_0, %iterArg_31 = %cst_1, %iterArg_32 = %cst_2, %iterArg_33 = %cst_3, %iterArg_34 = %cst_4, %iterArg_35 = %c, %iterArg_36 = %0, %iterArg_37 = %0, %iterArg_38 = %1, %iterArg_39 = %2, %iterArg_40 = %3, %iterArg_41 = %4, %iterArg_42 = %5, %iterArg_43 = %6, %iterArg_44 = %7, %iterArg_45 = %8, %iterArg_46 = %9, %iterArg_47 = %10, %iterArg_48 = %11, %iterArg_49 = %12, %iterArg_50 = %13) : tensor<4x8x16xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    cond {
      %c_51 = stablehlo.constant dense<4> : tensor<i32>
      %25 = stablehlo.compare LT, %iterArg_35, %c_51, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %25 : tensor<i1>
    } do {
      %25 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_35) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %26:15 = func.call @closed_call(%iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_36, %iterArg_37, %25) : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %27 = func.call @dynamic_update_index_in_dim(%iterArg_38, %26#2, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %28 = func.call @dynamic_update_index_in_dim(%iterArg_39, %26#3, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %29 = func.call @dynamic_update_index_in_dim_0(%iterArg_40, %26#4, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %30 = func.call @dynamic_update_index_in_dim(%iterArg_41, %26#5, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %31 = func.call @dynamic_update_index_in_dim_0(%iterArg_42, %26#6, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %32 = func.call @dynamic_update_index_in_dim_0(%iterArg_43, %26#7, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %33 = func.call @dynamic_update_index_in_dim_0(%iterArg_44, %26#8, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %34 = func.call @dynamic_update_index_in_dim_0(%iterArg_45, %26#9, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %35 = func.call @dynamic_update_index_in_dim_0(%iterArg_46, %26#10, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %36 = func.call @dynamic_update_index_in_dim_0(%iterArg_47, %26#11, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %37 = func.call @dynamic_update_index_in_dim_0(%iterArg_48, %26#12, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %38 = func.call @dynamic_update_index_in_dim_0(%iterArg_49, %26#13, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %39 = func.call @dynamic_update_index_in_dim_0(%iterArg_50, %26#14, %iterArg_35) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %c_51 = stablehlo.constant dense<1> : tensor<i32>
      %40 = stablehlo.add %iterArg_35, %c_51 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %40, %26#0, %26#1, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39 : tensor<4x8x16xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    }
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14#11 init: %cst_18) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %24:22 = stablehlo.while(%iterArg = %18, %iterArg_28 = %arg0, %iterArg_29 = %14#12, %iterArg_30 = %14#13, %iterArg_31 = %14#14, %iterArg_32 = %14#15, %iterArg_33 = %14#16, %iterArg_34 = %14#17, %iterArg_35 = %14#18, %iterArg_36 = %14#19, %iterArg_37 = %14#20, %iterArg_38 = %14#21, %iterArg_39 = %14#22, %iterArg_40 = %14#23, %iterArg_41 = %arg1, %iterArg_42 = %arg2, %iterArg_43 = %c_27, %iterArg_44 = %21, %iterArg_45 = %22, %iterArg_46 = %19, %iterArg_47 = %20, %iterArg_48 = %23) : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<i32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<4x8x16xf32>
    cond {
      %c_49 = stablehlo.constant dense<4> : tensor<i32>
      %25 = stablehlo.compare LT, %iterArg_43, %c_49, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %25 : tensor<i1>
    } do {
      %c_49 = stablehlo.constant dense<4> : tensor<i32>
      %25 = stablehlo.subtract %c_49, %iterArg_43 : tensor<i32>
      %c_50 = stablehlo.constant dense<1> : tensor<i32>
      %26 = stablehlo.subtract %25, %c_50 : tensor<i32>
      %27 = func.call @dynamic_index_in_dim_1(%iterArg, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %28 = func.call @dynamic_index_in_dim(%iterArg_28, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %29 = func.call @dynamic_index_in_dim_1(%iterArg_29, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %30 = func.call @dynamic_index_in_dim(%iterArg_30, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %31 = func.call @dynamic_index_in_dim_1(%iterArg_31, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %32 = func.call @dynamic_index_in_dim(%iterArg_32, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %33 = func.call @dynamic_index_in_dim(%iterArg_33, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %34 = func.call @dynamic_index_in_dim(%iterArg_34, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %35 = func.call @dynamic_index_in_dim(%iterArg_35, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %36 = func.call @dynamic_index_in_dim(%iterArg_36, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %37 = func.call @dynamic_index_in_dim(%iterArg_37, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %38 = func.call @dynamic_index_in_dim(%iterArg_38, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %39 = func.call @dynamic_index_in_dim(%iterArg_39, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %40 = func.call @dynamic_index_in_dim(%iterArg_40, %26) : (tensor<4x8x16xf32>, tensor<i32>) -> tensor<8x16xf32>
      %41:5 = func.call @closed_call_2(%iterArg_41, %iterArg_42, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40) : (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
      %42 = func.call @dynamic_update_index_in_dim_0(%iterArg_48, %41#4, %26) : (tensor<4x8x16xf32>, tensor<8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %c_51 = stablehlo.constant dense<1> : tensor<i32>
      %43 = stablehlo.add %iterArg_43, %c_51 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_28, %iterArg_29, %iterArg_30, %iterArg_31, %iterArg_32, %iterArg_33, %iterArg_34, %iterArg_35, %iterArg_36, %iterArg_37, %iterArg_38, %iterArg_39, %iterArg_40, %iterArg_41, %iterArg_42, %43, %41#0, %41#1, %41#2, %41#3, %42 : tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<i32>, tensor<16x64xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<4x8x16xf32>
    }
    return %24#21, %24#17, %24#18 : tensor<4x8x16xf32>, tensor<16x64xf32>, tensor<16x64xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.dot_general %arg9, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %1 = stablehlo.dot_general %arg7, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16xf32>, tensor<16x64xf32>) -> tensor<8x64xf32>
    %2 = stablehlo.add %0, %1 : tensor<8x64xf32>
    %3 = stablehlo.slice %2 [0:8, 0:16] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %4 = stablehlo.slice %2 [0:8, 16:32] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %5 = stablehlo.slice %2 [0:8, 32:48] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %6 = stablehlo.slice %2 [0:8, 48:64] : (tensor<8x64xf32>) -> tensor<8x16xf32>
    %7 = stablehlo.negate %4 : tensor<8x16xf32>
    %8 = stablehlo.exponential %7 : tensor<8x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %10 = stablehlo.add %9, %8 : tensor<8x16xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %12 = stablehlo.divide %11, %10 : tensor<8x16xf32>
    %13 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %14 = stablehlo.subtract %13, %12 : tensor<8x16xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<8x16xf32>
    %16 = stablehlo.multiply %12, %arg8 : tensor<8x16xf32>
    %17 = stablehlo.negate %3 : tensor<8x16xf32>
    %18 = stablehlo.exponential %17 : tensor<8x16xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %20 = stablehlo.add %19, %18 : tensor<8x16xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %22 = stablehlo.divide %21, %20 : tensor<8x16xf32>
    %23 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %24 = stablehlo.subtract %23, %22 : tensor<8x16xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<8x16xf32>
    %26 = stablehlo.tanh %6 : tensor<8x16xf32>
    %27 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %28 = stablehlo.subtract %27, %26 : tensor<8x16xf32>
    %29 = stablehlo.multiply %22, %26 : tensor<8x16xf32>
    %30 = stablehlo.add %16, %29 : tensor<8x16xf32>
    %31 = stablehlo.negate %5 : tensor<8x16xf32>
    %32 = stablehlo.exponential %31 : tensor<8x16xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %34 = stablehlo.add %33, %32 : tensor<8x16xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %36 = stablehlo.divide %35, %34 : tensor<8x16xf32>
    %37 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %38 = stablehlo.subtract %37, %36 : tensor<8x16xf32>
    %39 = stablehlo.multiply %36, %38 : tensor<8x16xf32>
    %40 = stablehlo.tanh %30 : tensor<8x16xf32>
    %41 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %42 = stablehlo.subtract %41, %40 : tensor<8x16xf32>
    %43 = stablehlo.multiply %36, %40 : tensor<8x16xf32>
    return %43, %30, %arg7, %arg7, %15, %arg8, %12, %25, %26, %28, %22, %39, %40, %42, %36 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<4x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<4x8x16xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<i32>) -> tensor<4x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4x8x16xf32>, %arg1: tensor<i32>) -> tensor<8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 16] : (tensor<4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    return %1 : tensor<8x16xf32>
  }
  func.func private @closed_call_2(%arg0: tensor<16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<16x64xf32>, %arg3: tensor<16x64xf32>, %arg4: tensor<8x16xf32>, %arg5: tensor<8x16xf32>, %arg6: tensor<8x16xf32>, %arg7: tensor<8x16xf32>, %arg8: tensor<8x16xf32>, %arg9: tensor<8x16xf32>, %arg10: tensor<8x16xf32>, %arg11: tensor<8x16xf32>, %arg12: tensor<8x16xf32>, %arg13: tensor<8x16xf32>, %arg14: tensor<8x16xf32>, %arg15: tensor<8x16xf32>, %arg16: tensor<8x16xf32>, %arg17: tensor<8x16xf32>, %arg18: tensor<8x16xf32>, %arg19: tensor<8x16xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0 = stablehlo.multiply %arg19, %arg4 : tensor<8x16xf32>
    %1 = stablehlo.multiply %arg4, %arg17 : tensor<8x16xf32>
    %2 = stablehlo.multiply %0, %arg18 : tensor<8x16xf32>
    %3 = stablehlo.add %arg5, %2 : tensor<8x16xf32>
    %4 = stablehlo.multiply %2, %arg17 : tensor<8x16xf32>
    %5 = stablehlo.add %3, %4 : tensor<8x16xf32>
    %6 = stablehlo.multiply %1, %arg16 : tensor<8x16xf32>
    %7 = stablehlo.multiply %arg15, %5 : tensor<8x16xf32>
    %8 = stablehlo.multiply %5, %arg13 : tensor<8x16xf32>
    %9 = stablehlo.multiply %7, %arg14 : tensor<8x16xf32>
    %10 = stablehlo.multiply %9, %arg13 : tensor<8x16xf32>
    %11 = stablehlo.add %9, %10 : tensor<8x16xf32>
    %12 = stablehlo.multiply %8, %arg12 : tensor<8x16xf32>
    %13 = stablehlo.multiply %arg11, %5 : tensor<8x16xf32>
    %14 = stablehlo.multiply %5, %arg10 : tensor<8x16xf32>
    %15 = stablehlo.multiply %14, %arg9 : tensor<8x16xf32>
    %16 = stablehlo.concatenate %12, %15, %6, %11, dim = 1 : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x64xf32>
    %17 = stablehlo.dot_general %16, %arg8, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %19 = stablehlo.add %arg3, %18 : tensor<16x64xf32>
    %20 = stablehlo.dot_general %16, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32>
    %21 = stablehlo.add %arg6, %20 : tensor<8x16xf32>
    %22 = stablehlo.dot_general %16, %arg7, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<8x16xf32>) -> tensor<64x16xf32>
    %23 = stablehlo.transpose %22, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %24 = stablehlo.add %arg2, %23 : tensor<16x64xf32>
    %25 = stablehlo.dot_general %16, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x64xf32>, tensor<16x64xf32>) -> tensor<8x16xf32>
    return %24, %19, %21, %13, %25 : tensor<16x64xf32>, tensor<16x64xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
}
