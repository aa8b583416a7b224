// A carry of another shape than what goes in, backwards, along the second dimension; the outputs stand where they belong.
func.func @main() -> (tensor<2x3xf32>, tensor<f32>) {
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
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<f32>
}

// -----

// No steps: nothing comes out, and the carry is what it was.
func.func @main() -> (tensor<i32>) {
  %x = stablehlo.constant dense<> : tensor<0xi32>
  %i = stablehlo.constant dense<7> : tensor<i32>
  %r:2 = "chlo.scan"(%x, %i) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %c: tensor<i32>):
    %n = stablehlo.add %a, %c : tensor<i32>
    stablehlo.return %a, %n : tensor<i32>, tensor<i32>
  }) : (tensor<0xi32>, tensor<i32>) -> (tensor<0xi32>, tensor<i32>)
  return %r#1 : tensor<i32>
}

// -----

// Rows in groups, each with its own matrix; a row in no group gives zero.
func.func @main() -> (tensor<4x2xi32>) {
  %x = stablehlo.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi32>
  %w = stablehlo.constant dense<[[[10, 20]], [[100, 200]]]> : tensor<2x1x2xi32>
  %g = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [], rhs_batching_dimensions = [],
    lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x1xi32>, tensor<2x1x2xi32>, tensor<2xi32>) -> tensor<4x2xi32>
  return %r : tensor<4x2xi32>
}

// -----

// Contracted in groups, whose sizes differ from batch to batch: a product for each group, groups outermost.
func.func @main() -> (tensor<2x2x1x1xi32>) {
  %x = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %w = stablehlo.constant dense<[[[1], [10], [100]], [[1], [10], [100]]]> : tensor<2x3x1xi32>
  %g = stablehlo.constant dense<[[1, 2], [2, 1]]> : tensor<2x2xi32>
  %r = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x1x3xi32>, tensor<2x3x1xi32>, tensor<2x2xi32>) -> tensor<2x2x1x1xi32>
  return %r : tensor<2x2x1x1xi32>
}

// -----

// Groups of batches are products like any.
func.func @main() -> (tensor<2x1x1xi32>) {
  %x = stablehlo.constant dense<[[[2]], [[3]]]> : tensor<2x1x1xi32>
  %w = stablehlo.constant dense<[[[5]], [[7]]]> : tensor<2x1x1xi32>
  %g = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%x, %w, %g) {ragged_dot_dimension_numbers = #chlo.ragged_dot<
    lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],
    lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<2x1x1xi32>, tensor<2x1x1xi32>, tensor<2xi32>) -> tensor<2x1x1xi32>
  return %r : tensor<2x1x1xi32>
}
