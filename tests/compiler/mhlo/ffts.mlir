module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4x6xf32>, %arg1: tensor<3x4x6xcomplex<f32>>) -> (tensor<3x4x6xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<3x4x6xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<3x4x4xcomplex<f32>> {jax.result_info = "result[2]"}, tensor<3x4x10xf32> {jax.result_info = "result[3]"}, tensor<3x4x6xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<3x4x4xcomplex<f32>> {jax.result_info = "result[5]"}, tensor<3x4x7xf32> {jax.result_info = "result[6]"}) {
    %0 = call @fft(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %1 = call @fft_0(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %2 = call @fft_1(%arg0) : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    %3 = call @fft_2(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x10xf32>
    %4 = call @fft_3(%arg1) : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    %5 = call @fft_4(%arg0) : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    %6 = "mhlo.slice"(%arg1) <{limit_indices = dense<[3, 4, 4]> : tensor<3xi64>, start_indices = dense<0> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x4xcomplex<f32>>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = call @_pad(%6, %7) : (tensor<3x4x4xcomplex<f32>>, tensor<i32>) -> tensor<3x4x4xcomplex<f32>>
    %9 = call @fft_5(%8) : (tensor<3x4x4xcomplex<f32>>) -> tensor<3x4x7xf32>
    return %0, %1, %2, %3, %4, %5, %9 : tensor<3x4x6xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>, tensor<3x4x4xcomplex<f32>>, tensor<3x4x10xf32>, tensor<3x4x6xcomplex<f32>>, tensor<3x4x4xcomplex<f32>>, tensor<3x4x7xf32>
  }
  func.func private @fft(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<6> : tensor<1xi64>, fft_type = #mhlo<fft_type FFT>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    return %0 : tensor<3x4x6xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<6> : tensor<1xi64>, fft_type = #mhlo<fft_type IFFT>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    return %0 : tensor<3x4x6xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<6> : tensor<1xi64>, fft_type = #mhlo<fft_type RFFT>}> : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    return %0 : tensor<3x4x4xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x10xf32> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<10> : tensor<1xi64>, fft_type = #mhlo<fft_type IRFFT>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x10xf32>
    return %0 : tensor<3x4x10xf32>
  }
  func.func private @fft_3(%arg0: tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<[4, 6]> : tensor<2xi64>, fft_type = #mhlo<fft_type FFT>}> : (tensor<3x4x6xcomplex<f32>>) -> tensor<3x4x6xcomplex<f32>>
    return %0 : tensor<3x4x6xcomplex<f32>>
  }
  func.func private @fft_4(%arg0: tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<[3, 4, 6]> : tensor<3xi64>, fft_type = #mhlo<fft_type RFFT>}> : (tensor<3x4x6xf32>) -> tensor<3x4x4xcomplex<f32>>
    return %0 : tensor<3x4x4xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<3x4x4xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<3x4x4xcomplex<f32>> {
    %0 = mhlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = "mhlo.pad"(%arg0, %0) <{edge_padding_high = dense<0> : tensor<3xi64>, edge_padding_low = dense<0> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<3x4x4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x4x4xcomplex<f32>>
    return %1 : tensor<3x4x4xcomplex<f32>>
  }
  func.func private @fft_5(%arg0: tensor<3x4x4xcomplex<f32>>) -> tensor<3x4x7xf32> {
    %0 = "mhlo.fft"(%arg0) <{fft_length = dense<7> : tensor<1xi64>, fft_type = #mhlo<fft_type IRFFT>}> : (tensor<3x4x4xcomplex<f32>>) -> tensor<3x4x7xf32>
    return %0 : tensor<3x4x7xf32>
  }
}
