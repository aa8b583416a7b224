// parameter [{"x"}, {}]
// parameter [{"x"}, {}]
// result [{}, {"y"}]
// result [{"x"}, {}]
// result [{"x"}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %1: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<8x8xf32>, tensor<8x8xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %3, %4, %5, %6 = "stablehlo.while"(%2, %0, %0, %1) ({
      ^bb0(%7: tensor<i32>, %8: tensor<8x8xf32>, %9: tensor<8x8xf32>, %10: tensor<8x8xf32>):
      %11 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> (tensor<i32>)
      %12 = "stablehlo.compare"(%7, %11) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%12) : (tensor<i1>) -> ()
    }, {
      ^bb0(%7: tensor<i32>, %8: tensor<8x8xf32>, %9: tensor<8x8xf32>, %10: tensor<8x8xf32>):
      %11 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %12 = "stablehlo.add"(%7, %11) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%12, %8, %8, %9) : (tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> ()
    }) : (tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<i32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>)
    %13 = "stablehlo.sine"(%4) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%13, %5, %6) : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
