// seed 17
module {
  func.func public @main(%0: tensor<2xf32>, %1: tensor<i32>, %2: tensor<0xf32>, %3: tensor<9x3xf32>, %4: tensor<9x3xf32> {jax.buffer_donor = true}, %5: tensor<f64>, %6: tensor<f64> {jax.buffer_donor = true}, %7: tensor<i32>, %8: tensor<2x25x2xcomplex<f32>>, %9: tensor<4x5xi16>, %10: tensor<1x1x3x1x3xcomplex<f32>> {jax.buffer_donor = true}, %11: tensor<9x3xi32>) -> (tensor<0xf64>, tensor<2xf32>, tensor<2x25x2xcomplex<f32>>, tensor<2xf64>, tensor<i8>, tensor<2xf64>) {
    %12 = "chlo.sinh"(%0) : (tensor<2xf32>) -> (tensor<2xf32>)
    %13 = "stablehlo.multiply"(%12, %12) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
    %14 = "stablehlo.convert"(%13) : (tensor<2xf32>) -> (tensor<2xf64>)
    %15, %16 = "stablehlo.sort"(%13, %14) <{dimension = 0 : i64, is_stable = false}> ({
      ^bb0(%17: tensor<f32>, %18: tensor<f32>, %19: tensor<f64>, %20: tensor<f64>):
      %21 = "stablehlo.compare"(%17, %18) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> (tensor<i1>)
      "stablehlo.return"(%21) : (tensor<i1>) -> ()
    }) : (tensor<2xf32>, tensor<2xf64>) -> (tensor<2xf32>, tensor<2xf64>)
    %22 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xf32>) -> (tensor<1x2xf32>)
    %23 = "stablehlo.clamp"(%5, %16, %6) : (tensor<f64>, tensor<2xf64>, tensor<f64>) -> (tensor<2xf64>)
    %24 = "stablehlo.dynamic_slice"(%23, %7) <{slice_sizes = array<i64: 0>}> : (tensor<2xf64>, tensor<i32>) -> (tensor<0xf64>)
    %25 = "chlo.conj"(%8) : (tensor<2x25x2xcomplex<f32>>) -> (tensor<2x25x2xcomplex<f32>>)
    %26 = "stablehlo.add"(%13, %15) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>)
    %27 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64: 0>}> : (tensor<0xf64>) -> (tensor<0xf64>)
    %28 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> (tensor<i1>)
    %29 = "stablehlo.constant"() <{value = dense<0.0000000000000000e+00> : tensor<f64>}> : () -> (tensor<f64>)
    %30 = "stablehlo.reduce"(%23, %29) <{dimensions = array<i64>}> ({
      ^bb0(%31: tensor<f64>, %32: tensor<f64>):
      %33 = "stablehlo.add"(%31, %32) : (tensor<f64>, tensor<f64>) -> (tensor<f64>)
      "stablehlo.return"(%33) : (tensor<f64>) -> ()
    }) : (tensor<2xf64>, tensor<f64>) -> (tensor<2xf64>)
    %34 = "stablehlo.constant"() <{value = dense<0> : tensor<i8>}> : () -> (tensor<i8>)
    %35, %36, %37 = "stablehlo.while"(%34, %16, %30) ({
      ^bb0(%38: tensor<i8>, %39: tensor<2xf64>, %40: tensor<2xf64>):
      %44 = "stablehlo.constant"() <{value = dense<5> : tensor<i8>}> : () -> (tensor<i8>)
      %45 = "stablehlo.compare"(%38, %44) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i8>, tensor<i8>) -> (tensor<i1>)
      "stablehlo.return"(%45) : (tensor<i1>) -> ()
    }, {
      ^bb0(%41: tensor<i8>, %42: tensor<2xf64>, %43: tensor<2xf64>):
      %46 = "stablehlo.constant"() <{value = dense<1> : tensor<i8>}> : () -> (tensor<i8>)
      %47 = "stablehlo.add"(%41, %46) : (tensor<i8>, tensor<i8>) -> (tensor<i8>)
      %48 = "stablehlo.sign"(%23) : (tensor<2xf64>) -> (tensor<2xf64>)
      %49 = "stablehlo.gather"(%48, %9) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 0>}> : (tensor<2xf64>, tensor<4x5xi16>) -> (tensor<4x0x5xf64>)
      "stablehlo.return"(%47, %16, %48) : (tensor<i8>, tensor<2xf64>, tensor<2xf64>) -> ()
    }) : (tensor<i8>, tensor<2xf64>, tensor<2xf64>) -> (tensor<i8>, tensor<2xf64>, tensor<2xf64>)
    %50 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2xf32>) -> (tensor<2xf32>)
    %51 = "stablehlo.constant"() <{value = dense<2> : tensor<i8>}> : () -> (tensor<i8>)
    %52, %53, %54, %55, %56 = "stablehlo.while"(%51, %36, %8, %50, %24) ({
      ^bb0(%57: tensor<i8>, %58: tensor<2xf64>, %59: tensor<2x25x2xcomplex<f32>>, %60: tensor<2xf32>, %61: tensor<0xf64>):
      %67 = "stablehlo.constant"() <{value = dense<2> : tensor<i8>}> : () -> (tensor<i8>)
      %68 = "stablehlo.compare"(%57, %67) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i8>, tensor<i8>) -> (tensor<i1>)
      "stablehlo.return"(%68) : (tensor<i1>) -> ()
    }, {
      ^bb0(%62: tensor<i8>, %63: tensor<2xf64>, %64: tensor<2x25x2xcomplex<f32>>, %65: tensor<2xf32>, %66: tensor<0xf64>):
      %69 = "stablehlo.constant"() <{value = dense<1> : tensor<i8>}> : () -> (tensor<i8>)
      %70 = "stablehlo.add"(%62, %69) : (tensor<i8>, tensor<i8>) -> (tensor<i8>)
      %71 = "stablehlo.constant"() <{value = dense<(8.77616310e+00,2.80259693e-45)> : tensor<2x1x3x1x2xcomplex<f32>>}> : () -> (tensor<2x1x3x1x2xcomplex<f32>>)
      %72 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64: 0>}> : (tensor<0xf64>) -> (tensor<0x5xf64>)
      %73 = "stablehlo.count_leading_zeros"(%11) : (tensor<9x3xi32>) -> (tensor<9x3xi32>)
      "stablehlo.return"(%70, %36, %25, %50, %66) : (tensor<i8>, tensor<2xf64>, tensor<2x25x2xcomplex<f32>>, tensor<2xf32>, tensor<0xf64>) -> ()
    }) : (tensor<i8>, tensor<2xf64>, tensor<2x25x2xcomplex<f32>>, tensor<2xf32>, tensor<0xf64>) -> (tensor<i8>, tensor<2xf64>, tensor<2x25x2xcomplex<f32>>, tensor<2xf32>, tensor<0xf64>)
    %74 = "chlo.erfc"(%56) : (tensor<0xf64>) -> (tensor<0xf64>)
    "func.return"(%74, %55, %54, %53, %52, %37) : (tensor<0xf64>, tensor<2xf32>, tensor<2x25x2xcomplex<f32>>, tensor<2xf64>, tensor<i8>, tensor<2xf64>) -> ()
  }
}
