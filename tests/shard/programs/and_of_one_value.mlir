// parameter [{}, {"x"}]
// result [{"y"}, {"x"}]
// result [{"y"}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xi32>, tensor<8x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
    %1 = "stablehlo.and"(%0, %0) : (tensor<8x8xi32>, tensor<8x8xi32>) -> (tensor<8x8xi32>)
    %2 = "stablehlo.negate"(%1) : (tensor<8x8xi32>) -> (tensor<8x8xi32>)
    "func.return"(%1, %2) : (tensor<8x8xi32>, tensor<8x8xi32>) -> ()
  }
}
