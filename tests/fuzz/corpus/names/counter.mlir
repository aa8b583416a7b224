func.func public @main(%state: tensor<4xf32> {tf.aliasing_output = 0 : i32} loc("state"), %step: tensor<4xf32> loc("step")) -> (tensor<4xf32> {jax.result_info = "result[0]"}, tensor<4xf32> {jax.result_info = "result[1]"}) {
  %s = stablehlo.add %state, %step : tensor<4xf32>
  %t = stablehlo.add %s, %s : tensor<4xf32>
  return %s, %t : tensor<4xf32>, tensor<4xf32>
}
