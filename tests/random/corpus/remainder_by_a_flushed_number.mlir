// seed 1313
// A remainder by erf of a subnormal number, which may be zero: then it is NaN.
module {
  func.func private @first(%0: tensor<2x2xf8E5M2FNUZ>, %1: tensor<2x2xf4E2M1FN>, %2: tensor<2x2xf4E2M1FN>) -> (tensor<2x2xf4E2M1FN>) {
    "func.return"(%2) : (tensor<2x2xf4E2M1FN>) -> ()
  }
  func.func private @second(%0: tensor<2x2xi32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<[[4.00000000e+00, 9.00000000e+00], [7.00000000e+00, 4.00000000e+00]]> : tensor<2x2xf32>}> : () -> (tensor<2x2xf32>)
    "func.return"(%1, %1) : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  }
  func.func public @main(%0: tensor<4x7x5xf8E5M2FNUZ>, %1: tensor<3x3x2xf32>, %2: tensor<4x3x3x12xf32>, %3: tensor<i32>, %4: tensor<2x2xi32>, %5: tensor<2x2xi32>, %6: tensor<0x1x2xf32>, %7: tensor<i64>, %8: tensor<i64>, %9: tensor<i64>, %10: tensor<2x2xi32>, %11: tensor<6x1x2xf32>) -> (tensor<3x1x7xf32>) {
    %12 = "stablehlo.constant"() <{value = dense<[[[0xFF800000, -1.13237952e-03, 1.19762294e-01, -1.11286373e+36, -3.40282347e+38, -7.14575005e+00, 4.00930405e+00]], [[-1.12509835e+00, -0.00000000e+00, 1.60381094e-28, -2.49309754e+00, 2.80100197e-01, -7.13978910e+00, 8.41677070e-01]], [[-4.20389539e-45, 2.73962913e-04, 1.28515999e+19, 2.44260071e-36, -1.77023315e+00, -1.00000012e+00, -1.40129846e-45]]]> : tensor<3x1x7xf32>}> : () -> (tensor<3x1x7xf32>)
    %13 = "chlo.erf"(%12) : (tensor<3x1x7xf32>) -> (tensor<3x1x7xf32>)
    %14 = "stablehlo.remainder"(%12, %13) : (tensor<3x1x7xf32>, tensor<3x1x7xf32>) -> (tensor<3x1x7xf32>)
    "func.return"(%14) : (tensor<3x1x7xf32>) -> ()
  }
}
