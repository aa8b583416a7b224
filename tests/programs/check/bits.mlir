// The first of several bits is the lowest.
func.func @bits() {
  %0 = stablehlo.constant dense<[[true, false, true, false, false, false, false, true],
                                 [false, true, true, true, true, true, true, true]]> : tensor<2x8xi1>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x8xi1>) -> tensor<2xi8>
  check.expect_eq_const %1, dense<[-123, -2]> : tensor<2xi8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<2xi8>) -> tensor<2x8xi1>
  check.expect_eq %2, %0 : tensor<2x8xi1>
  func.return
}

// -----

func.func @complex() {
  %0 = stablehlo.constant dense<[[(1.0, 2.0), (3.0, -4.0)]]> : tensor<1x2xcomplex<f32>>
  %1 = stablehlo.bitcast_convert %0 : (tensor<1x2xcomplex<f32>>) -> tensor<1xcomplex<f64>>
  %2 = stablehlo.imag %1 : (tensor<1xcomplex<f64>>) -> tensor<1xf64>
  check.expect_eq_const %2, dense<[-512.00012254714966]> : tensor<1xf64>
  %3 = stablehlo.bitcast_convert %1 : (tensor<1xcomplex<f64>>) -> tensor<1x2xcomplex<f32>>
  check.expect_eq %3, %0 : tensor<1x2xcomplex<f32>>
  func.return
}

// -----

func.func @tuples() {
  %0 = stablehlo.constant dense<3> : tensor<i64>
  %1 = stablehlo.tuple %0 : tuple<tensor<i64>>
  %2 = stablehlo.tuple %0, %1 : tuple<tensor<i64>, tuple<tensor<i64>>>
  %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<i64>, tuple<tensor<i64>>>) -> tuple<tensor<i64>>
  %4 = stablehlo.get_tuple_element %3[0] : (tuple<tensor<i64>>) -> tensor<i64>
  check.expect_eq_const %4, dense<3> : tensor<i64>
  func.return
}
