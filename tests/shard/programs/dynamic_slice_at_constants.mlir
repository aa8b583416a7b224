// parameter [{"x"}, {"y"}]
// result [{"x"}, {"y"}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x4xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %2 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
    %3 = "stablehlo.dynamic_slice"(%0, %1, %2) <{slice_sizes = array<i64: 8, 4>}> : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> (tensor<8x4xf32>)
    "func.return"(%3) : (tensor<8x4xf32>) -> ()
  }
}
