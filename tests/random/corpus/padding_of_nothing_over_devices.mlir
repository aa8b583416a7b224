// seed 7
// Of nothing there are no parts that could be padded each: all that comes is what is behind.
module {
  sdy.mesh @mesh = <["x"=4]>
  func.func public @main(%0: tensor<0x3xf32>) -> (tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %1 = "stablehlo.constant"() <{value = dense<1.5> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.pad"(%0, %1) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 8, 0>, interior_padding = array<i64: 8, 0>}> : (tensor<0x3xf32>, tensor<f32>) -> (tensor<8x3xf32>)
    "func.return"(%2) : (tensor<8x3xf32>) -> ()
  }
}
