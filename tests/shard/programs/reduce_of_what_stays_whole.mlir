// parameter [{}, {}]
// parameter []
// result [{"x"}, {}]
// result [{}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %1: tensor<f32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x8xf32>) {
    %2 = "stablehlo.reduce"(%0, %1) <{dimensions = array<i64>}> ({
      ^bb0(%20: tensor<f32>, %21: tensor<f32>):
      %22 = "stablehlo.add"(%20, %21) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%22) : (tensor<f32>) -> ()
    }) : (tensor<8x8xf32>, tensor<f32>) -> (tensor<8x8xf32>)
    %3 = "stablehlo.sine"(%2) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %4 = "stablehlo.cosine"(%2) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%3, %4) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
