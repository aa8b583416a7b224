// parameter [{"x"}, {}]
// parameter [{}, {}]
// result [{"x"}, {}]
// result [{}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %2 = "stablehlo.add"(%1, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %3 = "sdy.manual_computation"(%0, %2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
      ^bb0(%4: tensor<2x8xf32>, %5: tensor<8x4xf32>):
      %6 = "stablehlo.sine"(%5) : (tensor<8x4xf32>) -> (tensor<8x4xf32>)
      %7 = "sdy.manual_computation"(%6) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, manual_axes = #sdy<manual_axes{}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
        ^bb0(%8: tensor<8x4xf32>):
        "sdy.return"(%8) : (tensor<8x4xf32>) -> ()
      }) : (tensor<8x4xf32>) -> (tensor<8x4xf32>)
      "sdy.return"(%4) : (tensor<2x8xf32>) -> ()
    }) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%3, %2) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
