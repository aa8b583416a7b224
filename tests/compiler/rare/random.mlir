// Two rounds of a loop draw different numbers, inside of the bounds.
func.func @main() -> (tensor<2xi1>, tensor<2xf32>) {
  %low = stablehlo.constant dense<1.0> : tensor<f32>
  %high = stablehlo.constant dense<3.0> : tensor<f32>
  %shape = stablehlo.constant dense<[2]> : tensor<1xi64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<2xf32>
  %r:3 = stablehlo.while(%i = %zero, %last = %none, %before = %none) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %x = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
    %n = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %n, %x, %last : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  }
  %d = stablehlo.compare NE, %r#1, %r#2 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %l = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %h = stablehlo.broadcast_in_dim %high, dims = [] : (tensor<f32>) -> tensor<2xf32>
  %in = stablehlo.clamp %low, %r#1, %high : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %d, %in : tensor<2xi1>, tensor<2xf32>
}
