// Large enough for the libraries' own ways.

func.func @main(%a: tensor<128x128xf64>, %b: tensor<128x128xf64>) -> tensor<128x128xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x128xf64>, tensor<128x128xf64>) -> tensor<128x128xf64>
  return %0 : tensor<128x128xf64>
}

// -----

func.func @main(%a: tensor<128x256xbf16>, %b: tensor<256x128xbf16>) -> tensor<128x128xbf16> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x256xbf16>, tensor<256x128xbf16>) -> tensor<128x128xbf16>
  return %0 : tensor<128x128xbf16>
}

// -----

func.func @main(%a: tensor<128x256xf32>, %b: tensor<256x128xf32>) -> tensor<128x128xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<128x256xf32>, tensor<256x128xf32>) -> tensor<128x128xf32>
  return %0 : tensor<128x128xf32>
}

// -----

func.func @main(%a: tensor<1x32x32x64xf32>, %b: tensor<3x3x64x64xf32>) -> tensor<1x32x32x64xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x32x32x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x32x32x64xf32>
  return %0 : tensor<1x32x32x64xf32>
}

// -----

func.func @main(%x: tensor<64x32xf32>, %w: tensor<4x32x48xf32>, %g: tensor<4xi32>) -> tensor<64x48xf32> {
  %0 = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [],
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<64x32xf32>, tensor<4x32x48xf32>, tensor<4xi32>) -> tensor<64x48xf32>
  return %0 : tensor<64x48xf32>
}
