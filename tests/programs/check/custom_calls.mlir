// What older writers make of top_k.
func.func @top_k_of_older_writers() {
  %0 = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.0], [5.0, 9.0, 2.0, 6.0]]> : tensor<2x4xf32>
  %1:2 = stablehlo.custom_call @mhlo.topk(%0) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %1#0, dense<[[4.0, 3.0], [9.0, 6.0]]> : tensor<2x2xf32>
  check.expect_eq_const %1#1, dense<[[2, 0], [1, 3]]> : tensor<2x2xi32>
  func.return
}

// -----

// A control dependency is no value's: what is computed stays as it was.
func.func @control_dependencies() {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.constant dense<3> : tensor<i32>
  %3:2 = stablehlo.while(%a = %0, %i = %1) : tensor<2xf32>, tensor<i32>
    cond {
      %4 = stablehlo.compare LT, %i, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %5 = stablehlo.add %a, %a : tensor<2xf32>
      %6 = stablehlo.negate %a : tensor<2xf32>
      %7 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.add %i, %7 : tensor<i32>
      stablehlo.custom_call @control_dep(%6, %5) {api_version = 4 : i32, has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
      stablehlo.custom_call @control_dep(%8, %6) {api_version = 4 : i32, has_side_effect = true} : (tensor<i32>, tensor<2xf32>) -> ()
      stablehlo.custom_call @control_dep(%0, %6) {api_version = 4 : i32, has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
      stablehlo.custom_call @control_dep(%a, %i) {api_version = 4 : i32, has_side_effect = true} : (tensor<2xf32>, tensor<i32>) -> ()
      %9 = stablehlo.subtract %5, %6 : tensor<2xf32>
      stablehlo.return %9, %8 : tensor<2xf32>, tensor<i32>
    }
  check.expect_eq_const %3#0, dense<[27.0, 54.0]> : tensor<2xf32>
  func.return
}

// -----

// Small floats are factored and solved in f32 and rounded once.
func.func @linear_algebra_of_small_floats() {
  %0 = stablehlo.constant dense<[[4.0, 0.0], [2.0, 10.0]]> : tensor<2x2xf16>
  %1 = stablehlo.cholesky %0, lower = true : tensor<2x2xf16>
  %2 = stablehlo.constant dense<[[1.0, 0.0], [1.0, 1.0]]> : tensor<2x2xf16>
  %3 = stablehlo.multiply %1, %2 : tensor<2x2xf16>
  check.expect_eq_const %3, dense<[[2.0, 0.0], [1.0, 3.0]]> : tensor<2x2xf16>
  %4 = stablehlo.constant dense<[[3.0, 0.0], [1.0, 2.0]]> : tensor<2x2xbf16>
  %5 = stablehlo.constant dense<[[1.0], [1.0]]> : tensor<2x1xbf16>
  %6 = "stablehlo.triangular_solve"(%4, %5) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xbf16>, tensor<2x1xbf16>) -> tensor<2x1xbf16>
  check.expect_eq_const %6, dense<[[0.333984375], [0.333984375]]> : tensor<2x1xbf16>
  func.return
}

// -----

// Eigenvalues as XLA's own library asks for them: by a tuple, of the triangle that the text says.
func.func @eigenvalues_by_xla() {
  %0 = stablehlo.constant dense<[[[2.0, 9.0], [1.0, 2.0]], [[5.0, 9.0], [0.0, 3.0]]]> : tensor<2x2x2xf32>
  %1 = stablehlo.custom_call @Eigh(%0) {backend_config = "1,1,100,0.000001"} : (tensor<2x2x2xf32>) -> tuple<tensor<2x2x2xf32>, tensor<2x2xf32>>
  %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2x2x2xf32>, tensor<2x2xf32>>) -> tensor<2x2xf32>
  %3 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<2x2x2xf32>, tensor<2x2xf32>>) -> tensor<2x2x2xf32>
  %4 = stablehlo.abs %3 : tensor<2x2x2xf32>
  check.expect_almost_eq_const %2, dense<[[1.0, 3.0], [3.0, 5.0]]> : tensor<2x2xf32>
  check.expect_almost_eq_const %4, dense<[[[0.70710678, 0.70710678], [0.70710678, 0.70710678]], [[0.0, 1.0], [1.0, 0.0]]]> : tensor<2x2x2xf32>
  %5:2 = stablehlo.custom_call @Eigh(%0) {backend_config = "0,1,100,0.000001"} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2x2xf32>)
  %6 = stablehlo.slice %5#1 [0:1, 0:2] : (tensor<2x2xf32>) -> tensor<1x2xf32>
  check.expect_almost_eq_const %6, dense<[[-7.0, 11.0]]> : tensor<1x2xf32>
  %7 = stablehlo.constant dense<0x7FC00000> : tensor<2x2xf32>
  %8:2 = stablehlo.custom_call @Eigh(%7) {backend_config = "1,1,100,0.000001"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  %9 = stablehlo.compare NE, %8#1, %8#1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  check.expect_eq_const %9, dense<true> : tensor<2xi1>
  func.return
}
