module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<81xf32>, %arg1: tensor<81xf32>, %arg2: tensor<81xi32>, %arg3: tensor<81xi32>) -> (tensor<81xi1> {jax.result_info = "result[0]"}, tensor<81xi1> {jax.result_info = "result[1]"}, tensor<81xi1> {jax.result_info = "result[2]"}, tensor<81xi1> {jax.result_info = "result[3]"}, tensor<81xi1> {jax.result_info = "result[4]"}, tensor<81xi1> {jax.result_info = "result[5]"}, tensor<81xi1> {jax.result_info = "result[6]"}, tensor<81xi1> {jax.result_info = "result[7]"}, tensor<81xi1> {jax.result_info = "result[8]"}, tensor<81xi1> {jax.result_info = "result[9]"}, tensor<81xi1> {jax.result_info = "result[10]"}, tensor<81xi1> {jax.result_info = "result[11]"}) {
    %0 = mhlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %1 = mhlo.compare NE, %arg0, %arg1, FLOAT : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %2 = mhlo.compare LT, %arg0, %arg1, FLOAT : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %3 = mhlo.compare LE, %arg0, %arg1, FLOAT : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %4 = mhlo.compare GT, %arg0, %arg1, FLOAT : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %5 = mhlo.compare GE, %arg0, %arg1, FLOAT : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %6 = mhlo.compare EQ, %arg2, %arg3, SIGNED : (tensor<81xi32>, tensor<81xi32>) -> tensor<81xi1>
    %7 = mhlo.compare LT, %arg2, %arg3, SIGNED : (tensor<81xi32>, tensor<81xi32>) -> tensor<81xi1>
    %8 = mhlo.compare GE, %arg2, %arg3, SIGNED : (tensor<81xi32>, tensor<81xi32>) -> tensor<81xi1>
    %9 = mhlo.compare EQ, %arg0, %arg1, TOTALORDER : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %10 = mhlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    %11 = mhlo.compare LE, %arg0, %arg1, TOTALORDER : (tensor<81xf32>, tensor<81xf32>) -> tensor<81xi1>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>, tensor<81xi1>
  }
}
