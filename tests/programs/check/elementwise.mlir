// Functions that no program of JAX's in this folder has.
func.func @functions() {
  %0 = stablehlo.constant dense<[0.0, 2.0]> : tensor<2xf32>
  %1 = "stablehlo.logistic"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %1, dense<[0.5, 0.880797]> : tensor<2xf32>
  %2 = stablehlo.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %3 = "chlo.bessel_i1e"(%2) : (tensor<2xf32>) -> tensor<2xf32>
  check.expect_almost_eq_const %3, dense<[0.0, 0.2079104]> : tensor<2xf32>
  %4 = stablehlo.constant dense<1.0> : tensor<f64>
  %5 = stablehlo.constant dense<2.0> : tensor<f64>
  %6 = "chlo.polygamma"(%4, %4) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_almost_eq_const %6, dense<1.6449340668482264> : tensor<f64>
  %7 = "chlo.zeta"(%5, %4) : (tensor<f64>, tensor<f64>) -> tensor<f64>
  check.expect_almost_eq_const %7, dense<1.6449340668482264> : tensor<f64>
  func.return
}

// -----

func.func @infinities() {
  %0 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000]> : tensor<4xf32>
  %1 = "chlo.is_inf"(%0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %1, dense<[true, true, false, false]> : tensor<4xi1>
  %2 = "chlo.is_pos_inf"(%0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %2, dense<[true, false, false, false]> : tensor<4xi1>
  %3 = "chlo.is_neg_inf"(%0) : (tensor<4xf32>) -> tensor<4xi1>
  check.expect_eq_const %3, dense<[false, true, false, false]> : tensor<4xi1>
  func.return
}

// -----

func.func @products_and_conjugates() {
  %0 = stablehlo.constant dense<[65536, -1, 3]> : tensor<3xi32>
  %1 = stablehlo.constant dense<[65536, 1, 5]> : tensor<3xi32>
  %2 = "chlo.mulhi"(%0, %1) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %2, dense<[1, -1, 0]> : tensor<3xi32>
  %3 = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %4 = "chlo.conj"(%3) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %4, dense<[(1.0, -2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  func.return
}
