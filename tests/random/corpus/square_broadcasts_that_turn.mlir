// seed 31000803
// Broadcasts that repeat nothing, of arrays whose dimensions are equal, in another order: whole they were taken for the array as it lies.
module {
  func.func @main(%0: tensor<8x8xi16>, %1: tensor<4x4x4xf32>, %2: tensor<8x8xf32>) -> (tensor<8x8xi16>, tensor<4x4x4xf32>, tensor<8x8xf32>, tensor<8xf32>) {
    %3 = "stablehlo.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xi16>) -> (tensor<8x8xi16>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<8x8xi16>) -> (tensor<8x8xi16>)
    %5 = "stablehlo.negate"(%1) : (tensor<4x4x4xf32>) -> (tensor<4x4x4xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 1, 2, 0>}> : (tensor<4x4x4xf32>) -> (tensor<4x4x4xf32>)
    %7 = "stablehlo.abs"(%2) : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %9 = "stablehlo.subtract"(%8, %2) : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>)
    %10 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> (tensor<f32>)
    %11 = "stablehlo.reduce"(%8, %10) <{dimensions = array<i64: 1>}> ({
      ^bb0(%12: tensor<f32>, %13: tensor<f32>):
      %14 = "stablehlo.maximum"(%12, %13) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%14) : (tensor<f32>) -> ()
    }) : (tensor<8x8xf32>, tensor<f32>) -> (tensor<8xf32>)
    "func.return"(%4, %6, %9, %11) : (tensor<8x8xi16>, tensor<4x4x4xf32>, tensor<8x8xf32>, tensor<8xf32>) -> ()
  }
}
