// parameter [{"x"}, {}]
// result [{}, {}]
// result [{}]
// result [{}]
module @jit_function attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x32xf32> {jax.result_info = "result[0][0]"}, tensor<32xf32> {jax.result_info = "result[0][1]"}, tensor<32xf32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<"0x000000002040003B2040803B3060C03B2040003C2850203C3060403C3870603C2040803C2448903C2850A03C2C58B03C3060C03C3468D03C3870E03C3C78F03C2040003D2244083D2448103D264C183D2850203D2A54283D2C58303D2E5C383D3060403D3264483D3468503D366C583D3870603D3A74683D3C78703D3E7C783D2040803D2142843D2244883D23468C3D2448903D254A943D264C983D274E9C3D2850A03D2952A43D2A54A83D2B56AC3D2C58B03D2D5AB43D2E5CB83D2F5EBC3D3060C03D3162C43D3264C83D3366CC3D3468D03D356AD43D366CD83D376EDC3D3870E03D3972E43D3A74E83D3B76EC3D3C78F03D3D7AF43D3E7CF83D3F7EFC3D2040003E2141023E2142043E2243063E2244083E23450A3E23460C3E24470E3E2448103E2549123E254A143E264B163E264C183E274D1A3E274E1C3E284F1E3E2850203E2951223E2952243E2A53263E2A54283E2B552A3E2B562C3E2C572E3E2C58303E2D59323E2D5A343E2E5B363E2E5C383E2F5D3A3E2F5E3C3E305F3E3E3060403E3161423E3162443E3263463E3264483E33654A3E33664C3E34674E3E3468503E3569523E356A543E366B563E366C583E376D5A3E376E5C3E386F5E3E3870603E3971623E3972643E3A73663E3A74683E3B756A3E3B766C3E3C776E3E3C78703E3D79723E3D7A743E3E7B763E3E7C783E3F7D7A3E3F7E7C3E407F7E3E2040803EA040813E2141823EA141833E2142843EA142853E2243863EA243873E2244883EA244893E23458A3EA3458B3E23468C3EA3468D3E24478E3EA4478F3E2448903EA448913E2549923EA549933E254A943EA54A953E264B963EA64B973E264C983EA64C993E274D9A3EA74D9B3E274E9C3EA74E9D3E284F9E3EA84F9F3E2850A03EA850A13E2951A23EA951A33E2952A43EA952A53E2A53A63EAA53A73E2A54A83EAA54A93E2B55AA3EAB55AB3E2B56AC3EAB56AD3E2C57AE3EAC57AF3E2C58B03EAC58B13E2D59B23EAD59B33E2D5AB43EAD5AB53E2E5BB63EAE5BB73E2E5CB83EAE5CB93E2F5DBA3EAF5DBB3E2F5EBC3EAF5EBD3E305FBE3EB05FBF3E3060C03EB060C13E3161C23EB161C33E3162C43EB162C53E3263C63EB263C73E3264C83EB264C93E3365CA3EB365CB3E3366CC3EB366CD3E3467CE3EB467CF3E3468D03EB468D13E3569D23EB569D33E356AD43EB56AD53E366BD63EB66BD73E366CD83EB66CD93E376DDA3EB76DDB3E376EDC3EB76EDD3E386FDE3EB86FDF3E3870E03EB870E13E3971E23EB971E33E3972E43EB972E53E3A73E63EBA73E73E3A74E83EBA74E93E3B75EA3EBB75EB3E3B76EC3EBB76ED3E3C77EE3EBC77EF3E3C78F03EBC78F13E3D79F23EBD79F33E3D7AF43EBD7AF53E3E7BF63EBE7BF73E3E7CF83EBE7CF93E3F7DFA3EBF7DFB3E3F7EFC3EBF7EFD3E407FFE3EC07FFF3E2040003F60C0003FA040013FE0C0013F2141023F61C1023FA141033FE1C1033F2142043F61C2043FA142053FE1C2053F2243063F62C3063FA243073FE2C3073F2244083F62C4083FA244093FE2C4093F23450A3F63C50A3FA3450B3FE3C50B3F23460C3F63C60C3FA3460D3FE3C60D3F24470E3F64C70E3FA4470F3FE4C70F3F2448103F64C8103FA448113FE4C8113F2549123F65C9123FA549133FE5C9133F254A143F65CA143FA54A153FE5CA153F264B163F66CB163FA64B173FE6CB173F264C183F66CC183FA64C193FE6CC193F274D1A3F67CD1A3FA74D1B3FE7CD1B3F274E1C3F67CE1C3FA74E1D3FE7CE1D3F284F1E3F68CF1E3FA84F1F3FE8CF1F3F2850203F68D0203FA850213FE8D0213F2951223F69D1223FA951233FE9D1233F2952243F69D2243FA952253FE9D2253F2A53263F6AD3263FAA53273FEAD3273F2A54283F6AD4283FAA54293FEAD4293F2B552A3F6BD52A3FAB552B3FEBD52B3F2B562C3F6BD62C3FAB562D3FEBD62D3F2C572E3F6CD72E3FAC572F3FECD72F3F2C58303F6CD8303FAC58313FECD8313F2D59323F6DD9323FAD59333FEDD9333F2D5A343F6DDA343FAD5A353FEDDA353F2E5B363F6EDB363FAE5B373FEEDB373F2E5C383F6EDC383FAE5C393FEEDC393F2F5D3A3F6FDD3A3FAF5D3B3FEFDD3B3F2F5E3C3F6FDE3C3FAF5E3D3FEFDE3D3F305F3E3F70DF3E3FB05F3F3FF0DF3F3F3060403F70E0403FB060413FF0E0413F3161423F71E1423FB161433FF1E1433F3162443F71E2443FB162453FF1E2453F3263463F72E3463FB263473FF2E3473F3264483F72E4483FB264493FF2E4493F33654A3F73E54A3FB3654B3FF3E54B3F33664C3F73E64C3FB3664D3FF3E64D3F34674E3F74E74E3FB4674F3FF4E74F3F3468503F74E8503FB468513FF4E8513F3569523F75E9523FB569533FF5E9533F356A543F75EA543FB56A553FF5EA553F366B563F76EB563FB66B573FF6EB573F366C583F76EC583FB66C593FF6EC593F376D5A3F77ED5A3FB76D5B3FF7ED5B3F376E5C3F77EE5C3FB76E5D3FF7EE5D3F386F5E3F78EF5E3FB86F5F3FF8EF5F3F3870603F78F0603FB870613FF8F0613F3971623F79F1623FB971633FF9F1633F3972643F79F2643FB972653FF9F2653F3A73663F7AF3663FBA73673FFAF3673F3A74683F7AF4683FBA74693FFAF4693F3B756A3F7BF56A3FBB756B3FFBF56B3F3B766C3F7BF66C3FBB766D3FFBF66D3F3C776E3F7CF76E3FBC776F3FFCF76F3F3C78703F7CF8703FBC78713FFCF8713F3D79723F7DF9723FBD79733FFDF9733F3D7A743F7DFA743FBD7A753FFDFA753F3E7B763F7EFB763FBE7B773FFEFB773F3E7C783F7EFC783FBE7C793FFEFC793F3F7D7A3F7FFD7A3FBF7D7B3FFFFD7B3F3F7E7C3F7FFE7C3FBF7E7D3FFFFE7D3F407F7E3F80FF7E3FC07F7F3F0000803F"> : tensor<16x32xf32>
    %0 = stablehlo.slice %arg0 [2:9, 0:32] : (tensor<16x32xf32>) -> tensor<7x32xf32>
    %1 = stablehlo.add %arg0, %cst : tensor<16x32xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<16x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4:4 = stablehlo.while(%iterArg = %1, %iterArg_9 = %c_1, %iterArg_10 = %c, %iterArg_11 = %1) : tensor<16x32xf32>, tensor<i32>, tensor<i32>, tensor<16x32xf32>
    cond {
      %c_12 = stablehlo.constant dense<3> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13:2 = func.call @closed_call(%iterArg, %iterArg_10, %iterArg_11) : (tensor<16x32xf32>, tensor<i32>, tensor<16x32xf32>) -> (tensor<i32>, tensor<16x32xf32>)
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %14, %13#0, %13#1 : tensor<16x32xf32>, tensor<i32>, tensor<i32>, tensor<16x32xf32>
    }
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %7:4 = stablehlo.while(%iterArg = %2, %iterArg_9 = %c_4, %iterArg_10 = %5, %iterArg_11 = %6) : tensor<16x32xf32>, tensor<i32>, tensor<32xf32>, tensor<16x32xf32>
    cond {
      %c_12 = stablehlo.constant dense<16> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_9) : (tensor<16x32xf32>, tensor<i32>) -> tensor<32xf32>
      %14:2 = func.call @closed_call_0(%iterArg_10, %13) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %15 = func.call @dynamic_update_index_in_dim(%iterArg_11, %14#1, %iterArg_9) : (tensor<16x32xf32>, tensor<32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %16, %14#0, %15 : tensor<16x32xf32>, tensor<i32>, tensor<32xf32>, tensor<16x32xf32>
    }
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %10:4 = stablehlo.while(%iterArg = %1, %iterArg_9 = %c_7, %iterArg_10 = %8, %iterArg_11 = %9) : tensor<16x32xf32>, tensor<i32>, tensor<32xf32>, tensor<16x32xf32>
    cond {
      %c_12 = stablehlo.constant dense<16> : tensor<i32>
      %13 = stablehlo.compare LT, %iterArg_9, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %13 : tensor<i1>
    } do {
      %13 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_9) : (tensor<16x32xf32>, tensor<i32>) -> tensor<32xf32>
      %14:2 = func.call @closed_call_1(%iterArg_10, %13) : (tensor<32xf32>, tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>)
      %15 = func.call @dynamic_update_index_in_dim(%iterArg_11, %14#1, %iterArg_9) : (tensor<16x32xf32>, tensor<32xf32>, tensor<i32>) -> tensor<16x32xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_9, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %16, %14#0, %15 : tensor<16x32xf32>, tensor<i32>, tensor<32xf32>, tensor<16x32xf32>
    }
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %12 = stablehlo.multiply %10#2, %11 : tensor<32xf32>
    return %7#3, %10#2, %12 : tensor<16x32xf32>, tensor<32xf32>, tensor<32xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x32xf32>, %arg1: tensor<i32>, %arg2: tensor<16x32xf32>) -> (tensor<i32>, tensor<16x32xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.add %arg2, %arg0 : tensor<16x32xf32>
    return %0, %1 : tensor<i32>, tensor<16x32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<16x32xf32>, %arg1: tensor<i32>) -> tensor<32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 32] : (tensor<16x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32xf32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<32xf32>, %arg1: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<32xf32>
    %1 = stablehlo.tanh %0 : tensor<32xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<32xf32>
    return %1, %2 : tensor<32xf32>, tensor<32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<16x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<i32>) -> tensor<16x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<16x32xf32>, tensor<1x32xf32>, tensor<i32>, tensor<i32>) -> tensor<16x32xf32>
    return %1 : tensor<16x32xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<32xf32>, %arg1: tensor<32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<32xf32>
    %1 = stablehlo.tanh %0 : tensor<32xf32>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<32xf32>
    return %1, %2 : tensor<32xf32>, tensor<32xf32>
  }
}
