// Shapes that are operands, where these are known.
func.func @shapes() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %0 = "stablehlo.get_dimension_size"(%x) {dimension = 1 : i64} : (tensor<2x3xi32>) -> tensor<i32>
  check.expect_eq_const %0, dense<3> : tensor<i32>
  %1 = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %2 = "stablehlo.dynamic_reshape"(%x, %1) : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %2, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %3 = "stablehlo.dynamic_iota"(%1) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %3, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi32>
  %4 = stablehlo.constant dense<[2, 2, 3]> : tensor<3xi32>
  %5 = "stablehlo.dynamic_broadcast_in_dim"(%x, %4) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x2x3xi32>
  check.expect_eq_const %5, dense<[[[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [4, 5, 6]]]> : tensor<2x2x3xi32>
  %6 = "stablehlo.broadcast"(%0) {broadcast_sizes = array<i64: 2>} : (tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %6, dense<[3, 3]> : tensor<2xi32>
  func.return
}

// -----

func.func @pieces() {
  %x = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %0 = stablehlo.constant dense<[1]> : tensor<1xi32>
  %1 = stablehlo.constant dense<[5]> : tensor<1xi32>
  %2 = stablehlo.constant dense<[2]> : tensor<1xi32>
  %3 = "stablehlo.real_dynamic_slice"(%x, %0, %1, %2) : (tensor<5xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  check.expect_eq_const %3, dense<[2, 4]> : tensor<2xi32>
  %4 = stablehlo.constant dense<9> : tensor<i32>
  %5 = "stablehlo.dynamic_pad"(%3, %4, %0, %2, %0) : (tensor<2xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<6xi32>
  check.expect_eq_const %5, dense<[9, 2, 9, 4, 9, 9]> : tensor<6xi32>
  %6 = stablehlo.constant dense<[3, 0]> : tensor<2xi32>
  %7 = "stablehlo.torch_index_select"(%x, %6) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<5xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %7, dense<[4, 1]> : tensor<2xi32>
  %8 = stablehlo.constant dense<[[1], [3]]> : tensor<2x1xi32>
  %9 = "stablehlo.dynamic_gather"(%x, %8, %2) {dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}
    : (tensor<5xi32>, tensor<2x1xi32>, tensor<1xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %9, dense<[[2, 3], [4, 5]]> : tensor<2x2xi32>
  func.return
}

// -----

func.func @convolution() {
  %0 = stablehlo.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %1 = stablehlo.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %2 = stablehlo.constant dense<[[1, 0]]> : tensor<1x2xi32>
  %3 = "stablehlo.dynamic_conv"(%0, %1, %2) {
    dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64
  } : (tensor<1x1x3xf32>, tensor<1x1x2xf32>, tensor<1x2xi32>) -> tensor<1x1x3xf32>
  check.expect_eq_const %3, dense<[[[10.0, 21.0, 32.0]]]> : tensor<1x1x3xf32>
  func.return
}
