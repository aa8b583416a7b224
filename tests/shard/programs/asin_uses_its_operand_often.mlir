// parameter [{}, {"x"}]
// parameter [{"x"}, {}]
// parameter [{}, {"x"}]
// result [{}, {"x"}]
// result [{"x"}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32>, %1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %3 = "stablehlo.reverse"(%0) <{dimensions = array<i64: 0>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %4 = "chlo.asin"(%3) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %5 = "stablehlo.add"(%4, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %6 = "stablehlo.sine"(%3) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %7 = "stablehlo.add"(%6, %2) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%7, %5) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
