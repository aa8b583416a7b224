module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xui32>) -> (tensor<4xui32> {jax.result_info = "result[0][0]"}, tensor<3x5xui32> {jax.result_info = "result[0][1]"}, tensor<4xui32> {jax.result_info = "result[1][0]"}, tensor<7xui8> {jax.result_info = "result[1][1]"}, tensor<4xui32> {jax.result_info = "result[2][0]"}, tensor<2x3xui32> {jax.result_info = "result[2][1]"}, tensor<4xui32> {jax.result_info = "result[3][0]"}, tensor<4xui32> {jax.result_info = "result[3][1]"}) {
    %0 = mhlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %1 = mhlo.bitcast_convert %0 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state, %output = "mhlo.rng_bit_generator"(%1) <{rng_algorithm = #mhlo.rng_algorithm<DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
    %2 = mhlo.bitcast_convert %output_state : (tensor<2xui64>) -> tensor<2x2xui32>
    %3 = mhlo.reshape %2 : (tensor<2x2xui32>) -> tensor<4xui32>
    %4 = mhlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %5 = mhlo.bitcast_convert %4 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_0, %output_1 = "mhlo.rng_bit_generator"(%5) <{rng_algorithm = #mhlo.rng_algorithm<DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xui8>)
    %6 = mhlo.bitcast_convert %output_state_0 : (tensor<2xui64>) -> tensor<2x2xui32>
    %7 = mhlo.reshape %6 : (tensor<2x2xui32>) -> tensor<4xui32>
    %8 = mhlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %9 = mhlo.bitcast_convert %8 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_2, %output_3 = "mhlo.rng_bit_generator"(%9) <{rng_algorithm = #mhlo.rng_algorithm<PHILOX>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui32>)
    %10 = mhlo.bitcast_convert %output_state_2 : (tensor<2xui64>) -> tensor<2x2xui32>
    %11 = mhlo.reshape %10 : (tensor<2x2xui32>) -> tensor<4xui32>
    %12 = mhlo.reshape %arg0 : (tensor<4xui32>) -> tensor<2x2xui32>
    %13 = mhlo.bitcast_convert %12 : (tensor<2x2xui32>) -> tensor<2xui64>
    %output_state_4, %output_5 = "mhlo.rng_bit_generator"(%13) <{rng_algorithm = #mhlo.rng_algorithm<THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %14 = mhlo.bitcast_convert %output_state_4 : (tensor<2xui64>) -> tensor<2x2xui32>
    %15 = mhlo.reshape %14 : (tensor<2x2xui32>) -> tensor<4xui32>
    return %3, %output, %7, %output_1, %11, %output_3, %15, %output_5 : tensor<4xui32>, tensor<3x5xui32>, tensor<4xui32>, tensor<7xui8>, tensor<4xui32>, tensor<2x3xui32>, tensor<4xui32>, tensor<4xui32>
  }
}
