module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x5xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> (tensor<3x2xf32> {jax.result_info = "result[0]"}, tensor<2x4xf32> {jax.result_info = "result[1]"}, tensor<6x5xf32> {jax.result_info = "result[2]"}, tensor<6x5xf32> {jax.result_info = "result[3]"}, tensor<1x5xf32> {jax.result_info = "result[4]"}, tensor<0x2xf32> {jax.result_info = "result[5]"}) {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = mhlo.compare LT, %arg2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = mhlo.constant dense<6> : tensor<i32>
    %3 = mhlo.add %arg2, %2 : tensor<i32>
    %4 = mhlo.select %1, %3, %arg2 : tensor<i1>, tensor<i32>
    %5 = mhlo.constant dense<0> : tensor<i32>
    %6 = mhlo.compare LT, %arg3, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = mhlo.constant dense<5> : tensor<i32>
    %8 = mhlo.add %arg3, %7 : tensor<i32>
    %9 = mhlo.select %6, %8, %arg3 : tensor<i1>, tensor<i32>
    %10 = "mhlo.dynamic_slice"(%arg0, %4, %9) <{slice_sizes = dense<[3, 2]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<3x2xf32>
    %11 = mhlo.negate %arg2 : tensor<i32>
    %12 = mhlo.constant dense<100> : tensor<i32>
    %13 = mhlo.add %arg3, %12 : tensor<i32>
    %14 = mhlo.constant dense<0> : tensor<i32>
    %15 = mhlo.compare LT, %11, %14, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %16 = mhlo.constant dense<6> : tensor<i32>
    %17 = mhlo.add %11, %16 : tensor<i32>
    %18 = mhlo.select %15, %17, %11 : tensor<i1>, tensor<i32>
    %19 = mhlo.constant dense<0> : tensor<i32>
    %20 = mhlo.compare LT, %13, %19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %21 = mhlo.constant dense<5> : tensor<i32>
    %22 = mhlo.add %13, %21 : tensor<i32>
    %23 = mhlo.select %20, %22, %13 : tensor<i1>, tensor<i32>
    %24 = "mhlo.dynamic_slice"(%arg0, %18, %23) <{slice_sizes = dense<[2, 4]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
    %25 = mhlo.constant dense<0> : tensor<i32>
    %26 = mhlo.compare LT, %arg2, %25, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %27 = mhlo.constant dense<6> : tensor<i32>
    %28 = mhlo.add %arg2, %27 : tensor<i32>
    %29 = mhlo.select %26, %28, %arg2 : tensor<i1>, tensor<i32>
    %30 = mhlo.constant dense<0> : tensor<i32>
    %31 = mhlo.compare LT, %arg3, %30, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %32 = mhlo.constant dense<5> : tensor<i32>
    %33 = mhlo.add %arg3, %32 : tensor<i32>
    %34 = mhlo.select %31, %33, %arg3 : tensor<i1>, tensor<i32>
    %35 = mhlo.dynamic_update_slice %arg0, %arg1, %29, %34 : (tensor<6x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x5xf32>
    %36 = mhlo.constant dense<-5> : tensor<i32>
    %37 = mhlo.constant dense<0> : tensor<i32>
    %38 = mhlo.compare LT, %36, %37, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %39 = mhlo.constant dense<-5> : tensor<i32>
    %40 = mhlo.constant dense<6> : tensor<i32>
    %41 = mhlo.add %39, %40 : tensor<i32>
    %42 = mhlo.constant dense<-5> : tensor<i32>
    %43 = mhlo.select %38, %41, %42 : tensor<i1>, tensor<i32>
    %44 = mhlo.constant dense<1000> : tensor<i32>
    %45 = mhlo.constant dense<0> : tensor<i32>
    %46 = mhlo.compare LT, %44, %45, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %47 = mhlo.constant dense<1000> : tensor<i32>
    %48 = mhlo.constant dense<5> : tensor<i32>
    %49 = mhlo.add %47, %48 : tensor<i32>
    %50 = mhlo.constant dense<1000> : tensor<i32>
    %51 = mhlo.select %46, %49, %50 : tensor<i1>, tensor<i32>
    %52 = mhlo.dynamic_update_slice %arg0, %arg1, %43, %51 : (tensor<6x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<6x5xf32>
    %53 = call @dynamic_index_in_dim(%arg0, %arg2) : (tensor<6x5xf32>, tensor<i32>) -> tensor<1x5xf32>
    %54 = mhlo.constant dense<0> : tensor<i32>
    %55 = mhlo.compare LT, %arg2, %54, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %56 = mhlo.constant dense<6> : tensor<i32>
    %57 = mhlo.add %arg2, %56 : tensor<i32>
    %58 = mhlo.select %55, %57, %arg2 : tensor<i1>, tensor<i32>
    %59 = mhlo.constant dense<0> : tensor<i32>
    %60 = mhlo.compare LT, %arg3, %59, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %61 = mhlo.constant dense<5> : tensor<i32>
    %62 = mhlo.add %arg3, %61 : tensor<i32>
    %63 = mhlo.select %60, %62, %arg3 : tensor<i1>, tensor<i32>
    %64 = "mhlo.dynamic_slice"(%arg0, %58, %63) <{slice_sizes = dense<[0, 2]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<0x2xf32>
    return %10, %24, %35, %52, %53, %64 : tensor<3x2xf32>, tensor<2x4xf32>, tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>, tensor<0x2xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<6x5xf32>, %arg1: tensor<i32>) -> tensor<1x5xf32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = mhlo.compare LT, %arg1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = mhlo.constant dense<6> : tensor<i32>
    %3 = mhlo.add %arg1, %2 : tensor<i32>
    %4 = mhlo.select %1, %3, %arg1 : tensor<i1>, tensor<i32>
    %5 = mhlo.constant dense<0> : tensor<i32>
    %6 = "mhlo.dynamic_slice"(%arg0, %4, %5) <{slice_sizes = dense<[1, 5]> : tensor<2xi64>}> : (tensor<6x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x5xf32>
    return %6 : tensor<1x5xf32>
  }
}
