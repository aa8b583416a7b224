module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<23x40xf32>) -> (tensor<26x47xf32> {jax.result_info = "result[0]"}, tensor<23x47xf32> {jax.result_info = "result[1]"}, tensor<47x159xf32> {jax.result_info = "result[2]"}, tensor<24x39xf32> {jax.result_info = "result[3]"}, tensor<27x44xf32> {jax.result_info = "result[4]"}, tensor<29x46xf32> {jax.result_info = "result[5]"}, tensor<23x40xf32> {jax.result_info = "result[6]"}, tensor<23x40xf32> {jax.result_info = "result[7]"}, tensor<23x20xf32> {jax.result_info = "result[8]"}, tensor<21x38xf32> {jax.result_info = "result[9]"}, tensor<25xf32> {jax.result_info = "result[10]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<23x40xf32>, tensor<i32>) -> tensor<26x47xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = call @_pad_0(%arg0, %c_0) : (tensor<23x40xf32>, tensor<i32>) -> tensor<23x47xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<23x47xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<23x47xf32>
    %cst_1 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %4 = stablehlo.pad %arg0, %cst_1, low = [1, 0], high = [1, 2], interior = [1, 3] : (tensor<23x40xf32>, tensor<f32>) -> tensor<47x159xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.pad %arg0, %cst_2, low = [-1, 2], high = [2, -3], interior = [0, 0] : (tensor<23x40xf32>, tensor<f32>) -> tensor<24x39xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_pad_1(%arg0, %c_3) : (tensor<23x40xf32>, tensor<i32>) -> tensor<27x44xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %7 = call @_pad_3(%arg0, %c_4) : (tensor<23x40xf32>, tensor<i32>) -> tensor<29x46xf32>
    %8 = call @_roll_static(%arg0) : (tensor<23x40xf32>) -> tensor<23x40xf32>
    %9 = call @_roll_static_4(%arg0) : (tensor<23x40xf32>) -> tensor<23x40xf32>
    %10 = stablehlo.slice %arg0 [0:23, 0:40:2] : (tensor<23x40xf32>) -> tensor<23x20xf32>
    %11 = stablehlo.reverse %10, dims = [0] : tensor<23x20xf32>
    %12 = stablehlo.slice %arg0 [1:22, 2:40] : (tensor<23x40xf32>) -> tensor<21x38xf32>
    %13 = stablehlo.exponential %arg0 : tensor<23x40xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_pad_5(%13, %c_5) : (tensor<23x40xf32>, tensor<i32>) -> tensor<25x42xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<25x42xf32>, tensor<f32>) -> tensor<25xf32>
    return %0, %3, %4, %5, %6, %7, %8, %9, %11, %12, %15 : tensor<26x47xf32>, tensor<23x47xf32>, tensor<47x159xf32>, tensor<24x39xf32>, tensor<27x44xf32>, tensor<29x46xf32>, tensor<23x40xf32>, tensor<23x40xf32>, tensor<23x20xf32>, tensor<21x38xf32>, tensor<25xf32>
  }
  func.func private @_pad(%arg0: tensor<23x40xf32>, %arg1: tensor<i32>) -> tensor<26x47xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 3], high = [2, 4], interior = [0, 0] : (tensor<23x40xf32>, tensor<f32>) -> tensor<26x47xf32>
    return %1 : tensor<26x47xf32>
  }
  func.func private @_pad_0(%arg0: tensor<23x40xf32>, %arg1: tensor<i32>) -> tensor<23x47xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 3], high = [0, 4], interior = [0, 0] : (tensor<23x40xf32>, tensor<f32>) -> tensor<23x47xf32>
    return %1 : tensor<23x47xf32>
  }
  func.func private @_pad_1(%arg0: tensor<23x40xf32>, %arg1: tensor<i32>) -> tensor<27x44xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:40] : (tensor<23x40xf32>) -> tensor<1x40xf32>
    %1 = stablehlo.slice %arg0 [1:3, 0:40] : (tensor<23x40xf32>) -> tensor<2x40xf32>
    %2 = call @_flip(%1) : (tensor<2x40xf32>) -> tensor<2x40xf32>
    %3 = stablehlo.concatenate %2, %arg0, dim = 0 : (tensor<2x40xf32>, tensor<23x40xf32>) -> tensor<25x40xf32>
    %4 = stablehlo.slice %3 [24:25, 0:40] : (tensor<25x40xf32>) -> tensor<1x40xf32>
    %5 = stablehlo.slice %3 [22:24, 0:40] : (tensor<25x40xf32>) -> tensor<2x40xf32>
    %6 = call @_flip(%5) : (tensor<2x40xf32>) -> tensor<2x40xf32>
    %7 = stablehlo.concatenate %3, %6, dim = 0 : (tensor<25x40xf32>, tensor<2x40xf32>) -> tensor<27x40xf32>
    %8 = stablehlo.slice %7 [0:27, 0:1] : (tensor<27x40xf32>) -> tensor<27x1xf32>
    %9 = stablehlo.slice %7 [0:27, 1:3] : (tensor<27x40xf32>) -> tensor<27x2xf32>
    %10 = call @_flip_2(%9) : (tensor<27x2xf32>) -> tensor<27x2xf32>
    %11 = stablehlo.concatenate %10, %7, dim = 1 : (tensor<27x2xf32>, tensor<27x40xf32>) -> tensor<27x42xf32>
    %12 = stablehlo.slice %11 [0:27, 41:42] : (tensor<27x42xf32>) -> tensor<27x1xf32>
    %13 = stablehlo.slice %11 [0:27, 39:41] : (tensor<27x42xf32>) -> tensor<27x2xf32>
    %14 = call @_flip_2(%13) : (tensor<27x2xf32>) -> tensor<27x2xf32>
    %15 = stablehlo.concatenate %11, %14, dim = 1 : (tensor<27x42xf32>, tensor<27x2xf32>) -> tensor<27x44xf32>
    return %15 : tensor<27x44xf32>
  }
  func.func private @_flip(%arg0: tensor<2x40xf32>) -> tensor<2x40xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<2x40xf32>
    return %0 : tensor<2x40xf32>
  }
  func.func private @_flip_2(%arg0: tensor<27x2xf32>) -> tensor<27x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<27x2xf32>
    return %0 : tensor<27x2xf32>
  }
  func.func private @_pad_3(%arg0: tensor<23x40xf32>, %arg1: tensor<i32>) -> tensor<29x46xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:40] : (tensor<23x40xf32>) -> tensor<1x40xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<1x40xf32>) -> tensor<1x3x40xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x3x40xf32>) -> tensor<3x40xf32>
    %3 = stablehlo.slice %arg0 [22:23, 0:40] : (tensor<23x40xf32>) -> tensor<1x40xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 2] : (tensor<1x40xf32>) -> tensor<1x3x40xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x3x40xf32>) -> tensor<3x40xf32>
    %6 = stablehlo.concatenate %2, %arg0, %5, dim = 0 : (tensor<3x40xf32>, tensor<23x40xf32>, tensor<3x40xf32>) -> tensor<29x40xf32>
    %7 = stablehlo.slice %6 [0:29, 0:1] : (tensor<29x40xf32>) -> tensor<29x1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<29x1xf32>) -> tensor<29x1x3xf32>
    %9 = stablehlo.reshape %8 : (tensor<29x1x3xf32>) -> tensor<29x3xf32>
    %10 = stablehlo.slice %6 [0:29, 39:40] : (tensor<29x40xf32>) -> tensor<29x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<29x1xf32>) -> tensor<29x1x3xf32>
    %12 = stablehlo.reshape %11 : (tensor<29x1x3xf32>) -> tensor<29x3xf32>
    %13 = stablehlo.concatenate %9, %6, %12, dim = 1 : (tensor<29x3xf32>, tensor<29x40xf32>, tensor<29x3xf32>) -> tensor<29x46xf32>
    return %13 : tensor<29x46xf32>
  }
  func.func private @_roll_static(%arg0: tensor<23x40xf32>) -> tensor<23x40xf32> {
    %0 = stablehlo.slice %arg0 [0:23, 37:40] : (tensor<23x40xf32>) -> tensor<23x3xf32>
    %1 = stablehlo.slice %arg0 [0:23, 0:37] : (tensor<23x40xf32>) -> tensor<23x37xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<23x3xf32>, tensor<23x37xf32>) -> tensor<23x40xf32>
    return %2 : tensor<23x40xf32>
  }
  func.func private @_roll_static_4(%arg0: tensor<23x40xf32>) -> tensor<23x40xf32> {
    %0 = stablehlo.slice %arg0 [2:23, 0:40] : (tensor<23x40xf32>) -> tensor<21x40xf32>
    %1 = stablehlo.slice %arg0 [0:2, 0:40] : (tensor<23x40xf32>) -> tensor<2x40xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<21x40xf32>, tensor<2x40xf32>) -> tensor<23x40xf32>
    return %2 : tensor<23x40xf32>
  }
  func.func private @_pad_5(%arg0: tensor<23x40xf32>, %arg1: tensor<i32>) -> tensor<25x42xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 1], high = [1, 1], interior = [0, 0] : (tensor<23x40xf32>, tensor<f32>) -> tensor<25x42xf32>
    return %1 : tensor<25x42xf32>
  }
}
