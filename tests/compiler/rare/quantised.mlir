// Half steps round to even, everything saturates at the storage bounds.
func.func @main() -> (tensor<5xi8>, tensor<5xf32>) {
  %x = stablehlo.constant dense<[0.25, 0.75, -0.25, 1000.0, -1000.0]> : tensor<5xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<5xf32>) -> tensor<5x!quant.uniform<i8<-100:100>:f32, 0.5:2>>
  %s = stablehlo.bitcast_convert %q : (tensor<5x!quant.uniform<i8<-100:100>:f32, 0.5:2>>) -> tensor<5xi8>
  %y = stablehlo.uniform_dequantize %q : (tensor<5x!quant.uniform<i8<-100:100>:f32, 0.5:2>>) -> tensor<5xf32>
  return %s, %y : tensor<5xi8>, tensor<5xf32>
}

// -----

// A scale and a zero point for each place along an axis.
func.func @main() -> (tensor<2x2xf32>) {
  %s = stablehlo.constant dense<[[10, 10], [20, -20]]> : tensor<2x2xi8>
  %q = stablehlo.bitcast_convert %s : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0:-4}>>
  %y = stablehlo.uniform_dequantize %q : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 2.0:-4}>>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// Arithmetic is on the values; moving is on what is stored.
func.func @main() -> (tensor<2x2xi32>, tensor<2x2xi1>) {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %b = stablehlo.constant dense<[[1, 0], [0, 1]]> : tensor<2x2xi8>
  %qa = stablehlo.bitcast_convert %a : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %qb = stablehlo.bitcast_convert %b : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 2.0>>
  %t = stablehlo.transpose %qa, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %d = stablehlo.dot_general %t, %qb, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 2.0>>) -> tensor<2x2x!quant.uniform<i32:f32, 1.0>>
  %r = stablehlo.bitcast_convert %d : (tensor<2x2x!quant.uniform<i32:f32, 1.0>>) -> tensor<2x2xi32>
  %p = stablehlo.compare LT, %qa, %t : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xi1>
  return %r, %p : tensor<2x2xi32>, tensor<2x2xi1>
}

// -----

// Weights alone may be quantised.
func.func @main() -> (tensor<1x2xf32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %w = stablehlo.constant dense<[[2, 4], [6, 8]]> : tensor<2x2xi8>
  %q = stablehlo.bitcast_convert %w : (tensor<2x2xi8>) -> tensor<2x2x!quant.uniform<i8:f32, 0.25>>
  %d = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2x!quant.uniform<i8:f32, 0.25>>) -> tensor<1x2xf32>
  return %d : tensor<1x2xf32>
}

// -----

// A reduction folds with the region's own quantised op, step by step.
func.func @main() -> (tensor<i8>) {
  %s = stablehlo.constant dense<[3, 5, 9]> : tensor<3xi8>
  %z = stablehlo.constant dense<1> : tensor<i8>
  %q = stablehlo.bitcast_convert %s : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 2.0:1>>
  %i = stablehlo.bitcast_convert %z : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 2.0:1>>
  %r = "stablehlo.reduce"(%q, %i) ({
  ^bb0(%x: tensor<!quant.uniform<i8:f32, 2.0:1>>, %y: tensor<!quant.uniform<i8:f32, 2.0:1>>):
    %1 = stablehlo.add %x, %y : tensor<!quant.uniform<i8:f32, 2.0:1>>
    stablehlo.return %1 : tensor<!quant.uniform<i8:f32, 2.0:1>>
  }) {dimensions = array<i64: 0>} : (tensor<3x!quant.uniform<i8:f32, 2.0:1>>, tensor<!quant.uniform<i8:f32, 2.0:1>>) -> tensor<!quant.uniform<i8:f32, 2.0:1>>
  %t = stablehlo.bitcast_convert %r : (tensor<!quant.uniform<i8:f32, 2.0:1>>) -> tensor<i8>
  return %t : tensor<i8>
}
