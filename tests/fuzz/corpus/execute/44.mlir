// seed 44
module {
  func.func public @main(%0: tensor<6x10x3xcomplex<f32>> {tf.aliasing_output = 2 : i32}, %1: tensor<4x10x3xcomplex<f32>> {jax.buffer_donor = true}, %2: tensor<9x8x3x1xi64> {jax.buffer_donor = true}) -> (tensor<9x8x3x1xi1>, tensor<10x10x3xcomplex<f32>>, tensor<6x10x3xcomplex<f32>>) {
    %3 = "stablehlo.concatenate"(%0, %1) <{dimension = 0 : i64}> : (tensor<6x10x3xcomplex<f32>>, tensor<4x10x3xcomplex<f32>>) -> (tensor<10x10x3xcomplex<f32>>)
    %4 = "stablehlo.minimum"(%2, %2) : (tensor<9x8x3x1xi64>, tensor<9x8x3x1xi64>) -> (tensor<9x8x3x1xi64>)
    %5 = "stablehlo.compare"(%4, %4) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<9x8x3x1xi64>, tensor<9x8x3x1xi64>) -> (tensor<9x8x3x1xi1>)
    "func.return"(%5, %3, %0) : (tensor<9x8x3x1xi1>, tensor<10x10x3xcomplex<f32>>, tensor<6x10x3xcomplex<f32>>) -> ()
  }
}
