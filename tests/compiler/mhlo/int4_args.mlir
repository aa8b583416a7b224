module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xi4>, %arg1: tensor<16xi4>, %arg2: tensor<16xui4>) -> (tensor<16xi8> {jax.result_info = "result[0]"}, tensor<16xi4> {jax.result_info = "result[1]"}, tensor<16xi4> {jax.result_info = "result[2]"}, tensor<16xf32> {jax.result_info = "result[3]"}, tensor<16xui8> {jax.result_info = "result[4]"}, tensor<16xui4> {jax.result_info = "result[5]"}, tensor<16xi4> {jax.result_info = "result[6]"}) {
    %0 = mhlo.convert %arg0 : (tensor<16xi4>) -> tensor<16xi8>
    %1 = mhlo.constant dense<1> : tensor<i8>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i8>) -> tensor<16xi8>
    %3 = mhlo.add %0, %2 : tensor<16xi8>
    %4 = mhlo.add %arg0, %arg1 : tensor<16xi4>
    %5 = mhlo.multiply %arg0, %arg1 : tensor<16xi4>
    %6 = mhlo.convert %arg0 : (tensor<16xi4>) -> tensor<16xf32>
    %7 = mhlo.convert %arg2 : (tensor<16xui4>) -> tensor<16xui8>
    %8 = mhlo.add %arg2, %arg2 : tensor<16xui4>
    %9 = mhlo.maximum %arg0, %arg1 : tensor<16xi4>
    return %3, %4, %5, %6, %7, %8, %9 : tensor<16xi8>, tensor<16xi4>, tensor<16xi4>, tensor<16xf32>, tensor<16xui8>, tensor<16xui4>, tensor<16xi4>
  }
}
