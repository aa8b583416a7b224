// A carry of another shape than what goes in, backwards, along the second dimension; the outputs stand where they belong.
func.func @backwards() {
  %x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %i = stablehlo.constant dense<10.0> : tensor<f32>
  %r:2 = chlo.scan(%x) inits(%i) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xf32>, %c: tensor<f32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %s = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %n = stablehlo.add %c, %s : tensor<f32>
    %b = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %o = stablehlo.multiply %a, %b : tensor<2xf32>
    stablehlo.return %o, %n : tensor<2xf32>, tensor<f32>
  } : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<f32>)
  check.expect_eq_const %r#0, dense<[[31.0, 52.0, 57.0], [124.0, 130.0, 114.0]]> : tensor<2x3xf32>
  check.expect_eq_const %r#1, dense<31.0> : tensor<f32>
  func.return
}

// -----

// No steps: nothing comes out, and the carry is what it was.
func.func @empty() {
  %x = stablehlo.constant dense<> : tensor<0xi32>
  %i = stablehlo.constant dense<7> : tensor<i32>
  %r:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %n = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %a, %n : tensor<i32>, tensor<i32>
  }) : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  check.expect_eq_const %r#1, dense<7> : tensor<i32>
  func.return
}

// -----

// Rows in groups, each with its own matrix; a row in no group gives zero.
func.func @ragged_rows() {
  %x = stablehlo.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi32>
  %w = stablehlo.constant dense<[[[10, 20]], [[100, 200]]]> : tensor<2x1x2xi32>
  %g = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [],
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x1xi32>, tensor<2x1x2xi32>, tensor<2xi32>) -> tensor<4x2xi32>
  check.expect_eq_const %r, dense<[[10, 20], [200, 400], [300, 600], [0, 0]]> : tensor<4x2xi32>
  func.return
}

// -----

// Contracted in groups, whose sizes differ from batch to batch: a product for each group, groups outermost.
func.func @ragged_contraction() {
  %x = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %w = stablehlo.constant dense<[[[1], [10], [100]], [[1], [10], [100]]]> : tensor<2x3x1xi32>
  %g = stablehlo.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi32>
  %r = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x1x3xi32>, tensor<2x3x1xi32>, tensor<2x2xi32>) -> tensor<2x2x1x1xi32>
  check.expect_eq_const %r, dense<[[[[1]], [[54]]], [[[320]], [[600]]]]> : tensor<2x2x1x1xi32>
  func.return
}

// -----

// Groups of batches are products like any.
func.func @ragged_batch() {
  %x = stablehlo.constant dense<[[[2]], [[3]]]> : tensor<2x1x1xi32>
  %w = stablehlo.constant dense<[[[5]], [[7]]]> : tensor<2x1x1xi32>
  %g = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<2x1x1xi32>, tensor<2x1x1xi32>, tensor<2xi32>) -> tensor<2x1x1xi32>
  check.expect_eq_const %r, dense<[[[10]], [[21]]]> : tensor<2x1x1xi32>
  func.return
}

// -----

// Steps that fold their input into the carry and give that out: windows over all before, in either direction, along any
// dimension; where the carry begins with something else, a loop as ever.
func.func @cumulative() {
  %x = stablehlo.constant dense<[[1, 2, 3, 4, 5, 6, 7, 8, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1]]> : tensor<2x9xi32>
  %zero = stablehlo.constant dense<0> : tensor<2xi32>
  %r:2 = chlo.scan(%x) inits(%zero) dimension=1 {
  ^bb0(%a: tensor<2xi32>, %c: tensor<2xi32>):
    %n = stablehlo.add %c, %a : tensor<2xi32>
    stablehlo.return %n, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x9xi32>, tensor<2xi32>) -> (tensor<2x9xi32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[[1, 3, 6, 10, 15, 21, 28, 36, 45], [9, 17, 24, 30, 35, 39, 42, 44, 45]]> : tensor<2x9xi32>
  check.expect_eq_const %r#1, dense<45> : tensor<2xi32>
  %s:2 = chlo.scan(%x) inits(%zero) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %c: tensor<2xi32>):
    %n = stablehlo.maximum %a, %c : tensor<2xi32>
    stablehlo.return %n, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x9xi32>, tensor<2xi32>) -> (tensor<2x9xi32>, tensor<2xi32>)
  check.expect_eq_const %s#0, dense<[[9, 9, 9, 9, 9, 9, 9, 9, 9], [9, 8, 7, 6, 5, 4, 3, 2, 1]]> : tensor<2x9xi32>
  check.expect_eq_const %s#1, dense<9> : tensor<2xi32>
  %ten = stablehlo.constant dense<10> : tensor<2xi32>
  %t:2 = chlo.scan(%x) inits(%ten) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %c: tensor<2xi32>):
    %n = stablehlo.add %c, %a : tensor<2xi32>
    stablehlo.return %n, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<2x9xi32>, tensor<2xi32>) -> (tensor<2x9xi32>, tensor<2xi32>)
  check.expect_eq_const %t#0, dense<[[55, 54, 52, 49, 45, 40, 34, 27, 19], [55, 46, 38, 31, 25, 20, 16, 13, 11]]> : tensor<2x9xi32>
  check.expect_eq_const %t#1, dense<55> : tensor<2xi32>
  func.return
}
