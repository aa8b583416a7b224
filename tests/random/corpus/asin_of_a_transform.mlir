// seed 45734
// asin of numbers around zero that no bound holds within its domain: a number or NaN.
module {
  func.func public @main(%0: tensor<65x3x1xi32>, %1: tensor<2x3xi32>, %2: tensor<3x1xcomplex<f32>>, %3: tensor<1x6xi32>, %4: tensor<1xi32>) -> (tensor<2x78xf64>) {
    %5 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 1, 0>}> : (tensor<3x1xcomplex<f32>>) -> (tensor<1x3xcomplex<f32>>)
    %6 = "stablehlo.constant"() <{value = dense<(0.00000000e+00,0.00000000e+00)> : tensor<complex<f32>>}> : () -> (tensor<complex<f32>>)
    %7 = "stablehlo.reduce"(%5, %6) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%8: tensor<complex<f32>>, %9: tensor<complex<f32>>):
      %10 = "stablehlo.add"(%8, %9) : (tensor<complex<f32>>, tensor<complex<f32>>) -> (tensor<complex<f32>>)
      "stablehlo.return"(%10) : (tensor<complex<f32>>) -> ()
    }) : (tensor<1x3xcomplex<f32>>, tensor<complex<f32>>) -> (tensor<complex<f32>>)
    %11 = "stablehlo.convert"(%7) : (tensor<complex<f32>>) -> (tensor<complex<f64>>)
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f64>>) -> (tensor<2x40xcomplex<f64>>)
    %13 = "stablehlo.fft"(%12) <{fft_length = array<i64: 78>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x40xcomplex<f64>>) -> (tensor<2x78xf64>)
    %14 = "chlo.asin"(%13) : (tensor<2x78xf64>) -> (tensor<2x78xf64>)
    "func.return"(%14) : (tensor<2x78xf64>) -> ()
  }
}
