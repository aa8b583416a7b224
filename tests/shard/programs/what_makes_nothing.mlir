// parameter [{"x"}, {}]
// parameter [{}, {}]
// result [{}, {}]
// result [{}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %1: tensor<8x8xf32>) -> (tensor<0x8xf32>, tensor<8x8xf32>) {
    %2 = "stablehlo.add"(%0, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %3 = "stablehlo.reverse"(%2) <{dimensions = array<i64: 0>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %4 = "stablehlo.slice"(%3) <{start_indices = array<i64: 0, 0>, limit_indices = array<i64: 0, 8>, strides = array<i64: 1, 1>}> : (tensor<8x8xf32>) -> (tensor<0x8xf32>)
    %5 = "stablehlo.sine"(%4) : (tensor<0x8xf32>) -> (tensor<0x8xf32>)
    %6 = "stablehlo.cosine"(%1) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%5, %6) : (tensor<0x8xf32>, tensor<8x8xf32>) -> ()
  }
}
