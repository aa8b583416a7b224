module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<144xf32>, %arg1: tensor<144xf32>) -> (tensor<144xf32> {jax.result_info = "result[0]"}, tensor<144xf32> {jax.result_info = "result[1]"}, tensor<144xf32> {jax.result_info = "result[2]"}, tensor<144xf32> {jax.result_info = "result[3]"}, tensor<144xf32> {jax.result_info = "result[4]"}, tensor<144xf32> {jax.result_info = "result[5]"}, tensor<144xf32> {jax.result_info = "result[6]"}, tensor<144xf32> {jax.result_info = "result[7]"}, tensor<144xf32> {jax.result_info = "result[8]"}, tensor<144xf32> {jax.result_info = "result[9]"}) {
    %0 = mhlo.add %arg0, %arg1 : tensor<144xf32>
    %1 = mhlo.subtract %arg0, %arg1 : tensor<144xf32>
    %2 = mhlo.multiply %arg0, %arg1 : tensor<144xf32>
    %3 = mhlo.divide %arg0, %arg1 : tensor<144xf32>
    %4 = mhlo.remainder %arg0, %arg1 : tensor<144xf32>
    %5 = mhlo.abs %arg0 : tensor<144xf32>
    %6 = mhlo.power %5, %arg1 : tensor<144xf32>
    %7 = mhlo.atan2 %arg0, %arg1 : tensor<144xf32>
    %8 = mhlo.maximum %arg0, %arg1 : tensor<144xf32>
    %9 = mhlo.minimum %arg0, %arg1 : tensor<144xf32>
    %10 = mhlo.bitcast_convert %arg0 : (tensor<144xf32>) -> tensor<144xi32>
    %11 = mhlo.bitcast_convert %arg1 : (tensor<144xf32>) -> tensor<144xi32>
    %12 = mhlo.compare NE, %arg0, %arg0 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xi1>
    %13 = mhlo.compare NE, %arg1, %arg1 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xi1>
    %14 = mhlo.or %12, %13 : tensor<144xi1>
    %15 = mhlo.constant dense<0x7FC00000> : tensor<144xf32>
    %16 = mhlo.bitcast_convert %15 : (tensor<144xf32>) -> tensor<144xi32>
    %17 = mhlo.constant dense<-2147483648> : tensor<144xi32>
    %18 = mhlo.constant dense<2147483647> : tensor<144xi32>
    %19 = mhlo.and %10, %18 : tensor<144xi32>
    %20 = mhlo.and %11, %18 : tensor<144xi32>
    %21 = mhlo.compare EQ, %arg0, %arg1 : (tensor<144xf32>, tensor<144xf32>) -> tensor<144xi1>
    %22 = mhlo.constant dense<0> : tensor<144xi32>
    %23 = mhlo.compare EQ, %19, %22 : (tensor<144xi32>, tensor<144xi32>) -> tensor<144xi1>
    %24 = mhlo.compare EQ, %20, %22 : (tensor<144xi32>, tensor<144xi32>) -> tensor<144xi1>
    %25 = mhlo.and %10, %17 : tensor<144xi32>
    %26 = mhlo.and %11, %17 : tensor<144xi32>
    %27 = mhlo.constant dense<1> : tensor<144xi32>
    %28 = mhlo.or %26, %27 : tensor<144xi32>
    %29 = mhlo.compare NE, %25, %26 : (tensor<144xi32>, tensor<144xi32>) -> tensor<144xi1>
    %30 = mhlo.compare GT, %19, %20 : (tensor<144xi32>, tensor<144xi32>) -> tensor<144xi1>
    %31 = mhlo.or %30, %29 : tensor<144xi1>
    %32 = mhlo.constant dense<-1> : tensor<144xi32>
    %33 = mhlo.select %31, %32, %27 : tensor<144xi1>, tensor<144xi32>
    %34 = mhlo.add %10, %33 : tensor<144xi32>
    %35 = mhlo.select %24, %11, %28 : tensor<144xi1>, tensor<144xi32>
    %36 = mhlo.select %23, %35, %34 : tensor<144xi1>, tensor<144xi32>
    %37 = mhlo.select %21, %11, %36 : tensor<144xi1>, tensor<144xi32>
    %38 = mhlo.select %14, %16, %37 : tensor<144xi1>, tensor<144xi32>
    %39 = mhlo.bitcast_convert %38 : (tensor<144xi32>) -> tensor<144xf32>
    return %0, %1, %2, %3, %4, %6, %7, %8, %9, %39 : tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>, tensor<144xf32>
  }
}
