// row local_fft_dim
// xla all-gather(c64[512,256])
// ours all_to_all(tensor<128x256xcomplex<f32>>) all_to_all(tensor<512x64xcomplex<f32>>) => tensor<512x64xcomplex<f32>>
// parameter [{}, {"x"}]
// result [{}, {"x"}]
module @jit_fft attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<512x256xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<512x256xcomplex<f32>> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
    %0 = call @fft(%arg0) : (tensor<512x256xcomplex<f32>>) -> tensor<512x256xcomplex<f32>>
    return %0 : tensor<512x256xcomplex<f32>>
  }
  func.func private @fft(%arg0: tensor<512x256xcomplex<f32>>) -> tensor<512x256xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [256] : (tensor<512x256xcomplex<f32>>) -> tensor<512x256xcomplex<f32>>
    return %0 : tensor<512x256xcomplex<f32>>
  }
}
