// parameter [{"x"}, {}]
// parameter [{"x"}, {}]
// result [{"x"}, {}]
// result [{}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x1xf32>, %1: tensor<8x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x1xf32>, tensor<1x8xf32>) {
    %2 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<8x1xf32>) -> (tensor<1x8xf32>)
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}> : (tensor<1x8xf32>) -> (tensor<1x8xf32>)
    %4 = "stablehlo.sine"(%0) : (tensor<8x1xf32>) -> (tensor<8x1xf32>)
    %5 = "stablehlo.add"(%1, %4) : (tensor<8x1xf32>, tensor<8x1xf32>) -> (tensor<8x1xf32>)
    "func.return"(%5, %3) : (tensor<8x1xf32>, tensor<1x8xf32>) -> ()
  }
}
