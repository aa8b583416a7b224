// Groups of rows times matrices of their own, in the form that goes to a library: each group is the product of its rows, what
// is in no group is zero, and an empty group takes none.
func.func @groups() {
  %i = stablehlo.iota dim = 0 : tensor<24x32xf32>
  %j = stablehlo.iota dim = 1 : tensor<24x32xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<24x32xf32>
  %ij = stablehlo.multiply %i, %j : tensor<24x32xf32>
  %x = stablehlo.remainder %ij, %seven : tensor<24x32xf32>
  %g = stablehlo.iota dim = 0 : tensor<3x32x16xf32>
  %k = stablehlo.iota dim = 1 : tensor<3x32x16xf32>
  %n = stablehlo.iota dim = 2 : tensor<3x32x16xf32>
  %five = stablehlo.constant dense<5.0> : tensor<3x32x16xf32>
  %gk = stablehlo.add %g, %k : tensor<3x32x16xf32>
  %gkn = stablehlo.multiply %gk, %n : tensor<3x32x16xf32>
  %w = stablehlo.remainder %gkn, %five : tensor<3x32x16xf32>
  %sizes = stablehlo.constant dense<[13, 0, 8]> : tensor<3xi32>
  %y = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<24x32xf32>, tensor<3x32x16xf32>, tensor<3xi32>) -> tensor<24x16xf32>
  %x0 = stablehlo.slice %x [0:13, 0:32] : (tensor<24x32xf32>) -> tensor<13x32xf32>
  %w0 = stablehlo.slice %w [0:1, 0:32, 0:16] : (tensor<3x32x16xf32>) -> tensor<1x32x16xf32>
  %m0 = stablehlo.reshape %w0 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
  %y0 = stablehlo.dot_general %x0, %m0, contracting_dims = [1] x [0] : (tensor<13x32xf32>, tensor<32x16xf32>) -> tensor<13x16xf32>
  %x2 = stablehlo.slice %x [13:21, 0:32] : (tensor<24x32xf32>) -> tensor<8x32xf32>
  %w2 = stablehlo.slice %w [2:3, 0:32, 0:16] : (tensor<3x32x16xf32>) -> tensor<1x32x16xf32>
  %m2 = stablehlo.reshape %w2 : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
  %y2 = stablehlo.dot_general %x2, %m2, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %none = stablehlo.constant dense<0.0> : tensor<3x16xf32>
  %wanted = stablehlo.concatenate %y0, %y2, %none, dim = 0 : (tensor<13x16xf32>, tensor<8x16xf32>, tensor<3x16xf32>) -> tensor<24x16xf32>
  check.expect_eq %y, %wanted : tensor<24x16xf32>
  func.return
}

// -----

// More rows than there are: the last group ends with them.
func.func @too_many() {
  %x = stablehlo.constant dense<2.0> : tensor<32x32xf32>
  %w = stablehlo.constant dense<3.0> : tensor<2x32x32xf32>
  %sizes = stablehlo.constant dense<[5, 2147483647]> : tensor<2xi32>
  %y = "chlo.ragged_dot"(%x, %w, %sizes) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<32x32xf32>, tensor<2x32x32xf32>, tensor<2xi32>) -> tensor<32x32xf32>
  check.expect_eq_const %y, dense<192.0> : tensor<32x32xf32>
  func.return
}
