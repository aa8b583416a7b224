module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xi32>, %arg1: tensor<6xi64>, %arg2: tensor<4xui64>, %arg3: tensor<8xf64>, %arg4: tensor<2xi1>) -> (tensor<8xf32> {jax.result_info = "result[0]"}, tensor<8xui8> {jax.result_info = "result[1]"}, tensor<8xi64> {jax.result_info = "result[2]"}, tensor<6xi32> {jax.result_info = "result[3]"}, tensor<6xf32> {jax.result_info = "result[4]"}, tensor<6xf64> {jax.result_info = "result[5]"}, tensor<4xf32> {jax.result_info = "result[6]"}, tensor<4xf64> {jax.result_info = "result[7]"}, tensor<8xf32> {jax.result_info = "result[8]"}, tensor<8xi64> {jax.result_info = "result[9]"}, tensor<8xui64> {jax.result_info = "result[10]"}, tensor<2xf32> {jax.result_info = "result[11]"}, tensor<2xi8> {jax.result_info = "result[12]"}, tensor<8xi1> {jax.result_info = "result[13]"}) {
    %0 = mhlo.convert %arg0 : (tensor<8xi32>) -> tensor<8xf32>
    %1 = mhlo.convert %arg0 : (tensor<8xi32>) -> tensor<8xui8>
    %2 = mhlo.convert %arg0 : (tensor<8xi32>) -> tensor<8xi64>
    %3 = mhlo.convert %arg1 : (tensor<6xi64>) -> tensor<6xi32>
    %4 = mhlo.convert %arg1 : (tensor<6xi64>) -> tensor<6xf32>
    %5 = mhlo.convert %arg1 : (tensor<6xi64>) -> tensor<6xf64>
    %6 = mhlo.convert %arg2 : (tensor<4xui64>) -> tensor<4xf32>
    %7 = mhlo.convert %arg2 : (tensor<4xui64>) -> tensor<4xf64>
    %8 = mhlo.convert %arg3 : (tensor<8xf64>) -> tensor<8xf32>
    %9 = mhlo.convert %arg3 : (tensor<8xf64>) -> tensor<8xi64>
    %10 = mhlo.convert %arg3 : (tensor<8xf64>) -> tensor<8xui64>
    %11 = mhlo.convert %arg4 : (tensor<2xi1>) -> tensor<2xf32>
    %12 = mhlo.convert %arg4 : (tensor<2xi1>) -> tensor<2xi8>
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<8xi32>
    %15 = mhlo.compare NE, %arg0, %14, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %16 = mhlo.convert %15 : tensor<8xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %16 : tensor<8xf32>, tensor<8xui8>, tensor<8xi64>, tensor<6xi32>, tensor<6xf32>, tensor<6xf64>, tensor<4xf32>, tensor<4xf64>, tensor<8xf32>, tensor<8xi64>, tensor<8xui64>, tensor<2xf32>, tensor<2xi8>, tensor<8xi1>
  }
}
