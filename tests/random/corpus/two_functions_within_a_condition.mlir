// seed 128304
// LLVM did not end here either: a load within a condition, whose index takes two functions to compute.
module {
  func.func public @main(%z: tensor<100x7xf8E3M4>, %t: tensor<64xi8>) -> (tensor<7x199xi8>) {
    %0 = "stablehlo.transpose"(%z) <{permutation = array<i64: 1, 0>}> : (tensor<100x7xf8E3M4>) -> (tensor<7x100xf8E3M4>)
    %36 = "stablehlo.cbrt"(%0) : (tensor<7x100xf8E3M4>) -> (tensor<7x100xf8E3M4>)
    %37 = "stablehlo.tan"(%36) : (tensor<7x100xf8E3M4>) -> (tensor<7x100xf8E3M4>)
    %38 = "stablehlo.convert"(%37) : (tensor<7x100xf8E3M4>) -> (tensor<7x100xi32>)
    %39 = "stablehlo.gather"(%t, %38) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<64xi8>, tensor<7x100xi32>) -> (tensor<7x100xi8>)
    %c = "stablehlo.constant"() <{value = dense<3> : tensor<i8>}> : () -> (tensor<i8>)
    %40 = "stablehlo.pad"(%39, %c) <{edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>, interior_padding = array<i64: 0, 1>}> : (tensor<7x100xi8>, tensor<i8>) -> (tensor<7x199xi8>)
    "func.return"(%40) : (tensor<7x199xi8>) -> ()
  }
}
