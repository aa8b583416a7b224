module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4x6xf32>, %arg1: tensor<3x4x6xcomplex<f32>>) -> (tensor<3x4x6xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<3x4x6xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<3x4x4xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<3x4x10xf32> {jax.result_info = "result[3]"}, tensor<3x4x6xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<3x4x4xcomplex<f32>> {jax.result_info = "result[5]"}, tensor<3x4x7xf32> {jax.result_info = "result[6]"}) {
    %0 = call @fft(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %1 = call @fft_0(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %2 = call @fft_1(%arg0) : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    %3 = call @fft_2(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x10xf32>
    %4 = call @fft_3(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %5 = call @fft_4(%arg0) : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    %6 = stablehlo.slice %arg1 [0:3, 0:4, 0:4] : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x4xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = call @_pad(%6, %c) : (tensor<3x4x4xcomplex<f32>>, tensor<i32>) -> tensor<3x4x4xcomplex<f32>>
    %8 = call @fft_5(%7) : (tensor<3x4x4xcomplex<f32>>) -> tensor<3x4x7xf32>
    return %0, %1, %2, %3, %4, %5, %8 : tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<3x4x4xcomplex<f32>>, tensor<3x4x10xf32>, tensor<3x4x6xcomplex<f32>>, tensor<3x4x4xcomplex<f32>>, tensor<3x4x7xf32>
  }
  func.func private @fft(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [6] : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    return %0 : tensor<3x4x6xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [6] : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    return %0 : tensor<3x4x6xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [6] : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    return %0 : tensor<3x4x4xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x10xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [10] : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x10xf32>
    return %0 : tensor<3x4x10xf32>
  }
  func.func private @fft_3(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4, 6] : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    return %0 : tensor<3x4x6xcomplex<f32>>
  }
  func.func private @fft_4(%arg0: tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [3, 4, 6] : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    return %0 : tensor<3x4x4xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<3x4x4xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<3x4x4xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<3x4x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x4x4xcomplex<f32>>
    return %1 : tensor<3x4x4xcomplex<f32>>
  }
  func.func private @fft_5(%arg0: tensor<3x4x4xcomplex<f32>>) -> tensor<3x4x7xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [7] : (tensor<3x4x4xcomplex<f32>>) -> tensor<3x4x7xf32>
    return %0 : tensor<3x4x7xf32>
  }
}
