// What has no sign bit, or its NaN where others have a negative zero, is sorted by value all the same.
func.func @unsigned() {
  %0 = stablehlo.constant dense<[-128, 127, 0, -1]> : tensor<4xi8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4xi8>) -> tensor<4xf8E8M0FNU>
  %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E8M0FNU>, %b: tensor<f8E8M0FNU>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4xf8E8M0FNU>) -> tensor<4xf8E8M0FNU>
  %3 = stablehlo.bitcast_convert %2 : (tensor<4xf8E8M0FNU>) -> tensor<4xi8>
  check.expect_eq_const %3, dense<[0, 127, -128, -1]> : tensor<4xi8>
  func.return
}

// -----

func.func @one_nan() {
  %0 = stablehlo.constant dense<[64, -128, -64]> : tensor<3xi8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<3xi8>) -> tensor<3xf8E4M3FNUZ>
  %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f8E4M3FNUZ>, %b: tensor<f8E4M3FNUZ>):
    %less = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f8E4M3FNUZ>, tensor<f8E4M3FNUZ>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<3xf8E4M3FNUZ>) -> tensor<3xf8E4M3FNUZ>
  %3 = stablehlo.bitcast_convert %2 : (tensor<3xf8E4M3FNUZ>) -> tensor<3xi8>
  check.expect_eq_const %3, dense<[-64, 64, -128]> : tensor<3xi8>
  func.return
}
