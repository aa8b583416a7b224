// What is divided by an infinity is zero, an infinity divided by a number infinite, as in C's Annex G.
func.func @divide() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (0x7F800000, 1.0), (1.0, -1.0), (0.0, 0.0), (3.0, 4.0)]> : tensor<5xcomplex<f32>>
  %b = stablehlo.constant dense<[(0x7F800000, 0xFF800000), (0.0, 2.0), (0.0, 0.0), (0.0, 0x7F800000), (0.0, 2.0)]> : tensor<5xcomplex<f32>>
  %r = stablehlo.divide %a, %b : tensor<5xcomplex<f32>>
  %p = stablehlo.real %r : tensor<5xcomplex<f32>> -> tensor<5xf32>
  %q = stablehlo.imag %r : tensor<5xcomplex<f32>> -> tensor<5xf32>
  check.expect_eq_const %p, dense<[0.0, 0x7FC00000, 0x7F800000, 0.0, 2.0]> : tensor<5xf32>
  check.expect_eq_const %q, dense<[0.0, 0xFF800000, 0xFF800000, 0.0, -1.5]> : tensor<5xf32>
  func.return
}

// -----

// Larger and smaller go by the real part, then by the imaginary part.
func.func @extremes() {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (-1.0, 9.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 3.0), (0.0, 9.0), (2.0, -9.0)]> : tensor<3xcomplex<f32>>
  %p = stablehlo.maximum %a, %b : tensor<3xcomplex<f32>>
  %q = stablehlo.minimum %a, %b : tensor<3xcomplex<f32>>
  check.expect_eq_const %p, dense<[(1.0, 3.0), (1.0, 2.0), (2.0, -9.0)]> : tensor<3xcomplex<f32>>
  check.expect_eq_const %q, dense<[(1.0, 2.0), (0.0, 9.0), (-1.0, 9.0)]> : tensor<3xcomplex<f32>>
  func.return
}
