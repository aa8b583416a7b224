// parameter [{"x"}, {}]
// parameter [{}, {}]
// parameter []
// result [{"x"}, {}]
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %1: tensor<8x0xf32>, %2: tensor<f32>) -> (tensor<8x8xf32>) {
    %3 = "stablehlo.select_and_scatter"(%0, %1, %2) <{window_dimensions = array<i64: 1, 9>, window_strides = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>}> ({
      ^bb0(%15: tensor<f32>, %16: tensor<f32>):
      %19 = "stablehlo.compare"(%15, %16) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      "stablehlo.return"(%19) : (tensor<i1>) -> ()
    }, {
      ^bb0(%17: tensor<f32>, %18: tensor<f32>):
      %20 = "stablehlo.add"(%17, %18) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%20) : (tensor<f32>) -> ()
    }) : (tensor<8x8xf32>, tensor<8x0xf32>, tensor<f32>) -> (tensor<8x8xf32>)
    "func.return"(%3) : (tensor<8x8xf32>) -> ()
  }
}
