// parameter [{"x"}, {"y"}]
// parameter []
// result [{"x"}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %1: tensor<f32>) -> tensor<8x9xf32> {
    %2 = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
    %3 = stablehlo.constant dense<0> : tensor<2xi32>
    %4 = "stablehlo.dynamic_pad"(%0, %1, %3, %2, %3) : (tensor<8x8xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<8x9xf32>
    return %4 : tensor<8x9xf32>
  }
}
