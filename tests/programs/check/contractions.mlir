// Forms of contractions and of batch normalisation that JAX does not make any more.
func.func @products() {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %0 = "stablehlo.dot"(%a, %b) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %0, dense<[[201.0, 2010.0], [403.0, 4030.0]]> : tensor<2x2xf32>
  %1 = "stablehlo.einsum"(%a, %b) {einsum_config = "ij,kj->ik"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %1, dense<[[21.0, 2100.0], [43.0, 4300.0]]> : tensor<2x2xf32>
  %2 = "stablehlo.unary_einsum"(%a) {einsum_config = "ij->i"} : (tensor<2x2xf32>) -> tensor<2xf32>
  check.expect_eq_const %2, dense<[3.0, 7.0]> : tensor<2xf32>
  %3 = "stablehlo.map"(%a, %b) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %4 = stablehlo.subtract %y, %x : tensor<f32>
    stablehlo.return %4 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  check.expect_eq_const %3, dense<[[0.0, 8.0], [97.0, 996.0]]> : tensor<2x2xf32>
  func.return
}

// -----

// One feature with the values 1 and 3: mean 2, variance 1.
func.func @batch_norm() {
  %x = stablehlo.constant dense<[[1.0], [3.0]]> : tensor<2x1xf64>
  %scale = stablehlo.constant dense<[4.0]> : tensor<1xf64>
  %offset = stablehlo.constant dense<[10.0]> : tensor<1xf64>
  %mean = stablehlo.constant dense<[2.0]> : tensor<1xf64>
  %variance = stablehlo.constant dense<[1.0]> : tensor<1xf64>
  %0 = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 0.0 : f32, feature_index = 1 : i64}
    : (tensor<2x1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<2x1xf64>
  check.expect_almost_eq_const %0, dense<[[6.0], [14.0]]> : tensor<2x1xf64>
  %1:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64}
    : (tensor<2x1xf64>, tensor<1xf64>, tensor<1xf64>) -> (tensor<2x1xf64>, tensor<1xf64>, tensor<1xf64>)
  check.expect_almost_eq_const %1#0, dense<[[6.0], [14.0]]> : tensor<2x1xf64>
  check.expect_almost_eq_const %1#1, dense<[2.0]> : tensor<1xf64>
  check.expect_almost_eq_const %1#2, dense<[1.0]> : tensor<1xf64>
  %g = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf64>
  %2:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64}
    : (tensor<2x1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<2x1xf64>) -> (tensor<2x1xf64>, tensor<1xf64>, tensor<1xf64>)
  check.expect_almost_eq_const %2#0, dense<[[0.0], [0.0]]> : tensor<2x1xf64>
  check.expect_almost_eq_const %2#1, dense<[1.0]> : tensor<1xf64>
  check.expect_almost_eq_const %2#2, dense<[3.0]> : tensor<1xf64>
  func.return
}
