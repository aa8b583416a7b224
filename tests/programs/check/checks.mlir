// Every kind of check, on values that are right.
func.func @equal() {
  %0 = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi32>
  %1 = stablehlo.multiply %0, %0 : tensor<3xi32>
  %2 = stablehlo.constant dense<[1, 4, 9]> : tensor<3xi32>
  check.expect_eq %1, %2 : tensor<3xi32>
  check.expect_eq_const %1, dense<[1, 4, 9]> : tensor<3xi32>
  func.return
}

// -----

func.func @near() {
  %0 = stablehlo.constant dense<[4.0, 9.0]> : tensor<2xf32>
  %1 = stablehlo.sqrt %0 : tensor<2xf32>
  %2 = stablehlo.constant dense<[2.00005, 3.0]> : tensor<2xf32>
  check.expect_almost_eq %1, %2 : tensor<2xf32>
  check.expect_almost_eq_const %1, dense<[2.05, 3.05]> : tensor<2xf32> {tolerance = 0.1 : f64}
  func.return
}

// -----

func.func @close() {
  %0 = stablehlo.constant dense<[1.0, -0.0]> : tensor<2xf32>
  %1 = stablehlo.constant dense<[1.00000024, 0.0]> : tensor<2xf32>
  check.expect_close %0, %1, max_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  func.return
}
