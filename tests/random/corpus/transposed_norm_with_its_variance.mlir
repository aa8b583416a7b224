// seed 183592
// A result of one number a row in a kernel that is written in tiles: its place depends on a loop inside of the tile.
module {
  func.func public @main(%10: tensor<8x8xf32>, %2: tensor<8xf32>, %3: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %13, %14, %15 = "stablehlo.batch_norm_training"(%10, %2, %3) <{epsilon = 9.76562500e-04 : f32, feature_index = 1 : i64}> : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>)
    %16 = "stablehlo.transpose"(%13) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> (tensor<8x8xf32>)
    "func.return"(%16, %15, %14) : (tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
  }
}
