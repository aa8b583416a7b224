// parameter [{}, {}]
// result [{"x"}, {}]
// result [{}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x8xf32>) {
    %1 = "stablehlo.reverse"(%0) <{dimensions = array<i64>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %2 = "stablehlo.sine"(%1) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %3 = "stablehlo.transpose"(%1) <{permutation = array<i64: 0, 1>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%2, %3) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
