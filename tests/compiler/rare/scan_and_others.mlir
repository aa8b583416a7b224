func.func @main(%x: tensor<4xf32>, %i: tensor<f32>) -> (tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>) {
  %0:2 = chlo.scan(%x) inits(%i) dimension=0 {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s, %s : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  %1 = stablehlo.composite "n.c" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = call @f(%1) : (tensor<4xf32>) -> tensor<4xf32>
  return %0#0, %0#1, %1, %2 : tensor<4xf32>, tensor<f32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
