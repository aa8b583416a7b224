module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20000xf32>, %arg1: tensor<700x9xi32>, %arg2: tensor<500xi32>, %arg3: tensor<30x129xf32>, %arg4: tensor<7xf32>, %arg5: tensor<1000xi32>) -> (tensor<20000xf32> {jax.result_info = "result[0]"}, tensor<20000xi32> {jax.result_info = "result[1]"}, tensor<700x9xi32> {jax.result_info = "result[2]"}, tensor<700x9xi32> {jax.result_info = "result[3]"}, tensor<500xi8> {jax.result_info = "result[4]"}, tensor<500xi32> {jax.result_info = "result[5]"}, tensor<30x129xf32> {jax.result_info = "result[6]"}, tensor<30x129xi32> {jax.result_info = "result[7]"}, tensor<1000xui32> {jax.result_info = "result[8]"}, tensor<100x200xi32> {jax.result_info = "result[9]"}, tensor<1000xi32> {jax.result_info = "result[10][0]"}, tensor<1000xf32> {jax.result_info = "result[10][1]"}, tensor<1000xi32> {jax.result_info = "result[10][2]"}, tensor<1000xi32> {jax.result_info = "result[11][0]"}, tensor<1000xf32> {jax.result_info = "result[11][1]"}, tensor<1000xi32> {jax.result_info = "result[11][2]"}, tensor<50xf32> {jax.result_info = "result[12]"}, tensor<30xi32> {jax.result_info = "result[13]"}, tensor<1000xi32> {jax.result_info = "result[14]"}, tensor<30x129xf32> {jax.result_info = "result[15]"}) {
    %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20000xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xi1>
    %cst_0 = stablehlo.constant dense<-1.500000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20000xf32>
    %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xi1>
    %4 = stablehlo.abs %arg0 : tensor<20000xf32>
    %cst_1 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20000xf32>
    %6 = stablehlo.compare LT, %4, %5, FLOAT : (tensor<20000xf32>, tensor<20000xf32>) -> tensor<20000xi1>
    %cst_2 = stablehlo.constant dense<-0.000000e+00> : tensor<f32>
    %7 = call @_where(%6, %cst_2, %arg0) : (tensor<20000xi1>, tensor<f32>, tensor<20000xf32>) -> tensor<20000xf32>
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = call @_where(%3, %cst_3, %7) : (tensor<20000xi1>, tensor<f32>, tensor<20000xf32>) -> tensor<20000xf32>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %9 = call @_where(%1, %cst_4, %8) : (tensor<20000xi1>, tensor<f32>, tensor<20000xf32>) -> tensor<20000xf32>
    %10 = call @sort(%9) : (tensor<20000xf32>) -> tensor<20000xf32>
    %11 = call @argsort(%9) : (tensor<20000xf32>) -> tensor<20000xi32>
    %12 = call @sort_0(%arg1) : (tensor<700x9xi32>) -> tensor<700x9xi32>
    %13 = call @argsort_1(%arg1) : (tensor<700x9xi32>) -> tensor<700x9xi32>
    %14 = stablehlo.convert %arg2 : (tensor<500xi32>) -> tensor<500xi8>
    %15 = call @sort_2(%14) : (tensor<500xi8>) -> tensor<500xi8>
    %16 = stablehlo.convert %arg2 : (tensor<500xi32>) -> tensor<500xui8>
    %17 = call @argsort_3(%16) : (tensor<500xui8>) -> tensor<500xi32>
    %18 = stablehlo.convert %arg3 : (tensor<30x129xf32>) -> tensor<30x129xbf16>
    %19 = call @sort_4(%18) : (tensor<30x129xbf16>) -> tensor<30x129xbf16>
    %20 = stablehlo.convert %19 : (tensor<30x129xbf16>) -> tensor<30x129xf32>
    %21 = stablehlo.convert %arg3 : (tensor<30x129xf32>) -> tensor<30x129xf16>
    %22 = call @argsort_5(%21) : (tensor<30x129xf16>) -> tensor<30x129xi32>
    %23 = stablehlo.convert %arg5 : (tensor<1000xi32>) -> tensor<1000xui32>
    %24 = call @sort_6(%23) : (tensor<1000xui32>) -> tensor<1000xui32>
    %25 = stablehlo.reshape %9 : (tensor<20000xf32>) -> tensor<100x200xf32>
    %26 = call @argsort_7(%25) : (tensor<100x200xf32>) -> tensor<100x200xi32>
    %c = stablehlo.constant dense<7> : tensor<i32>
    %27 = call @remainder(%arg5, %c) : (tensor<1000xi32>, tensor<i32>) -> tensor<1000xi32>
    %28 = stablehlo.slice %arg0 [0:1000] : (tensor<20000xf32>) -> tensor<1000xf32>
    %29:3 = "stablehlo.sort"(%27, %28, %arg5) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<i32>, %arg11: tensor<i32>):
      %42 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %42 : tensor<i1>
    }) : (tensor<1000xi32>, tensor<1000xf32>, tensor<1000xi32>) -> (tensor<1000xi32>, tensor<1000xf32>, tensor<1000xi32>)
    %c_5 = stablehlo.constant dense<7> : tensor<i32>
    %30 = call @remainder(%arg5, %c_5) : (tensor<1000xi32>, tensor<i32>) -> tensor<1000xi32>
    %31 = stablehlo.slice %arg0 [0:1000] : (tensor<20000xf32>) -> tensor<1000xf32>
    %32:3 = "stablehlo.sort"(%30, %31, %arg5) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg6: tensor<i32>, %arg7: tensor<i32>, %arg8: tensor<f32>, %arg9: tensor<f32>, %arg10: tensor<i32>, %arg11: tensor<i32>):
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %42 = stablehlo.compare EQ, %arg8, %cst_8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %43 = stablehlo.select %42, %cst_9, %arg8 : tensor<i1>, tensor<f32>
      %44 = stablehlo.compare NE, %arg8, %arg8, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_10 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %45 = stablehlo.select %44, %cst_10, %43 : tensor<i1>, tensor<f32>
      %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %46 = stablehlo.compare EQ, %arg9, %cst_11, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %47 = stablehlo.select %46, %cst_12, %arg9 : tensor<i1>, tensor<f32>
      %48 = stablehlo.compare NE, %arg9, %arg9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_13 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %49 = stablehlo.select %48, %cst_13, %47 : tensor<i1>, tensor<f32>
      %50 = stablehlo.compare LT, %45, %49, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %51 = stablehlo.compare LT, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %52 = stablehlo.compare EQ, %arg6, %arg7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %53 = stablehlo.and %52, %50 : tensor<i1>
      %54 = stablehlo.or %51, %53 : tensor<i1>
      stablehlo.return %54 : tensor<i1>
    }) : (tensor<1000xi32>, tensor<1000xf32>, tensor<1000xi32>) -> (tensor<1000xi32>, tensor<1000xf32>, tensor<1000xi32>)
    %33 = stablehlo.slice %arg0 [0:50] : (tensor<20000xf32>) -> tensor<50xf32>
    %34 = call @sort_9(%33) : (tensor<50xf32>) -> tensor<50xf32>
    %35 = stablehlo.slice %arg5 [0:30] : (tensor<1000xi32>) -> tensor<30xi32>
    %c_6 = stablehlo.constant dense<3> : tensor<i32>
    %36 = call @remainder_10(%35, %c_6) : (tensor<30xi32>, tensor<i32>) -> tensor<30xi32>
    %37 = call @argsort_11(%36) : (tensor<30xi32>) -> tensor<30xi32>
    %c_7 = stablehlo.constant dense<50> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1000xi32>
    %39 = stablehlo.compare GT, %arg5, %38, SIGNED : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi1>
    %40 = call @argsort_12(%39) : (tensor<1000xi1>) -> tensor<1000xi32>
    %41 = call @sort_13(%arg3) : (tensor<30x129xf32>) -> tensor<30x129xf32>
    return %10, %11, %12, %13, %15, %17, %20, %22, %24, %26, %29#0, %29#1, %29#2, %32#0, %32#1, %32#2, %34, %37, %40, %41 : tensor<20000xf32>, tensor<20000xi32>, tensor<700x9xi32>, tensor<700x9xi32>, tensor<500xi8>, tensor<500xi32>, tensor<30x129xf32>, tensor<30x129xi32>, tensor<1000xui32>, tensor<100x200xi32>, tensor<1000xi32>, tensor<1000xf32>, tensor<1000xi32>, tensor<1000xi32>, tensor<1000xf32>, tensor<1000xi32>, tensor<50xf32>, tensor<30xi32>, tensor<1000xi32>, tensor<30x129xf32>
  }
  func.func private @_where(%arg0: tensor<20000xi1>, %arg1: tensor<f32>, %arg2: tensor<20000xf32>) -> tensor<20000xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<20000xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<20000xi1>, tensor<20000xf32>
    return %2 : tensor<20000xf32>
  }
  func.func private @sort(%arg0: tensor<20000xf32>) -> tensor<20000xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<20000xf32>) -> tensor<20000xf32>
    return %0 : tensor<20000xf32>
  }
  func.func private @argsort(%arg0: tensor<20000xf32>) -> tensor<20000xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<20000xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<20000xf32>, tensor<20000xi32>) -> (tensor<20000xf32>, tensor<20000xi32>)
    return %1#1 : tensor<20000xi32>
  }
  func.func private @sort_0(%arg0: tensor<700x9xi32>) -> tensor<700x9xi32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<700x9xi32>) -> tensor<700x9xi32>
    return %0 : tensor<700x9xi32>
  }
  func.func private @argsort_1(%arg0: tensor<700x9xi32>) -> tensor<700x9xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<700x9xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<700x9xi32>, tensor<700x9xi32>) -> (tensor<700x9xi32>, tensor<700x9xi32>)
    return %1#1 : tensor<700x9xi32>
  }
  func.func private @sort_2(%arg0: tensor<500xi8>) -> tensor<500xi8> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i8>, %arg2: tensor<i8>):
      %1 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i8>, tensor<i8>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }) : (tensor<500xi8>) -> tensor<500xi8>
    return %0 : tensor<500xi8>
  }
  func.func private @argsort_3(%arg0: tensor<500xui8>) -> tensor<500xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<500xi32>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<500xui8>
    %2 = stablehlo.reverse %0, dims = [0] : tensor<500xi32>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui8>, %arg2: tensor<ui8>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %5 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) : (tensor<500xui8>, tensor<500xi32>) -> (tensor<500xui8>, tensor<500xi32>)
    %4 = stablehlo.reverse %3#1, dims = [0] : tensor<500xi32>
    return %4 : tensor<500xi32>
  }
  func.func private @sort_4(%arg0: tensor<30x129xbf16>) -> tensor<30x129xbf16> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<bf16>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<bf16>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<bf16>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC0> : tensor<bf16>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<bf16>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<30x129xbf16>) -> tensor<30x129xbf16>
    return %0 : tensor<30x129xbf16>
  }
  func.func private @argsort_5(%arg0: tensor<30x129xf16>) -> tensor<30x129xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<30x129xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f16>, %arg2: tensor<f16>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f16>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7E00> : tensor<f16>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f16>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f16>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7E00> : tensor<f16>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f16>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f16>, tensor<f16>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<30x129xf16>, tensor<30x129xi32>) -> (tensor<30x129xf16>, tensor<30x129xi32>)
    return %1#1 : tensor<30x129xi32>
  }
  func.func private @sort_6(%arg0: tensor<1000xui32>) -> tensor<1000xui32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<ui32>, %arg2: tensor<ui32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<1000xui32>) -> tensor<1000xui32>
    %1 = stablehlo.reverse %0, dims = [0] : tensor<1000xui32>
    return %1 : tensor<1000xui32>
  }
  func.func private @argsort_7(%arg0: tensor<100x200xf32>) -> tensor<100x200xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<100x200xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<100x200xf32>, tensor<100x200xi32>) -> (tensor<100x200xf32>, tensor<100x200xi32>)
    return %1#1 : tensor<100x200xi32>
  }
  func.func private @remainder(%arg0: tensor<1000xi32>, %arg1: tensor<i32>) -> tensor<1000xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_8(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1000xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<1000xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1000xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1000xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<1000xi32>, tensor<1000xi32>) -> tensor<1000xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<1000xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<1000xi1>, tensor<1000xi1>) -> tensor<1000xi1>
    %12 = stablehlo.and %11, %6 : tensor<1000xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<1000xi32>
    %14 = stablehlo.add %4, %13 : tensor<1000xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<1000xi1>, tensor<1000xi32>
    return %15 : tensor<1000xi32>
  }
  func.func private @_where_8(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @sort_9(%arg0: tensor<50xf32>) -> tensor<50xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<50xf32>) -> tensor<50xf32>
    return %0 : tensor<50xf32>
  }
  func.func private @remainder_10(%arg0: tensor<30xi32>, %arg1: tensor<i32>) -> tensor<30xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where_8(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<30xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<30xi32>, tensor<30xi32>) -> tensor<30xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<30xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<30xi1>, tensor<30xi1>) -> tensor<30xi1>
    %12 = stablehlo.and %11, %6 : tensor<30xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<30xi32>
    %14 = stablehlo.add %4, %13 : tensor<30xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<30xi1>, tensor<30xi32>
    return %15 : tensor<30xi32>
  }
  func.func private @argsort_11(%arg0: tensor<30xi32>) -> tensor<30xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<30xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<30xi32>, tensor<30xi32>) -> (tensor<30xi32>, tensor<30xi32>)
    return %1#1 : tensor<30xi32>
  }
  func.func private @argsort_12(%arg0: tensor<1000xi1>) -> tensor<1000xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<1000xi32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>, %arg3: tensor<i32>, %arg4: tensor<i32>):
      %2 = stablehlo.compare LT, %arg1, %arg2, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) : (tensor<1000xi1>, tensor<1000xi32>) -> (tensor<1000xi1>, tensor<1000xi32>)
    return %1#1 : tensor<1000xi32>
  }
  func.func private @sort_13(%arg0: tensor<30x129xf32>) -> tensor<30x129xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
      %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    }) : (tensor<30x129xf32>) -> tensor<30x129xf32>
    return %0 : tensor<30x129xf32>
  }
}
