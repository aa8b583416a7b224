// seed 3
module {
  func.func private @first(%0: tensor<3xbf16>, %1: tensor<2x7xf6E3M2FN>, %2: tensor<2x7xbf16>) -> (tensor<2x7xbf16>, tensor<2x7xbf16>) {
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 0, 1>}> : (tensor<2x7xbf16>) -> (tensor<2x7xbf16>)
    "func.return"(%3, %3) : (tensor<2x7xbf16>, tensor<2x7xbf16>) -> ()
  }
  func.func private @second(%0: tensor<2x7xi64>, %1: tensor<2x7xi64>) -> (tensor<2x7xi64>, tensor<2x7xi64>) {
    %2 = "stablehlo.add"(%1, %1) : (tensor<2x7xi64>, tensor<2x7xi64>) -> (tensor<2x7xi64>)
    %3 = "stablehlo.constant"() <{value = dense<[[[60256805906, 267870047183, 1894494, 47240340], [211186375, 51125844322506, 46730680129874746, 19167720038636], [838752514414, 7677202052, 977, 8843308399059010220]], [[4301071617081538213, 106647319096556812, 1782572210, 258861224887873269], [3301279242052428, 13549946, 1559642401675508, 96], [201577657, 438, 234074155114722, 0]], [[82870416861741, 135848897, 276278660498655234, 2760], [43478, 28818409972252017, 42, 5362], [21883, 5621738786296756, 3485, 0]]]> : tensor<3x3x4xi64>}> : () -> (tensor<3x3x4xi64>)
    %4 = "stablehlo.constant"() <{value = dense<11310> : tensor<3xi64>}> : () -> (tensor<3xi64>)
    %5 = "stablehlo.dot_general"(%3, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0]>}> : (tensor<3x3x4xi64>, tensor<3xi64>) -> (tensor<3x3x4xi64>)
    %6 = "stablehlo.constant"() <{value = dense<> : tensor<1x5x0xi32>}> : () -> (tensor<1x5x0xi32>)
    %7 = "stablehlo.constant"() <{value = dense<> : tensor<5x3x4x0xi64>}> : () -> (tensor<5x3x4x0xi64>)
    %8 = "stablehlo.scatter"(%5, %6, %7) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 0>, indices_are_sorted = false, unique_indices = false}> ({
      ^bb0(%9: tensor<i64>, %10: tensor<i64>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<i64>, tensor<i64>) -> (tensor<i64>)
      "stablehlo.return"(%11) : (tensor<i64>) -> ()
    }) : (tensor<3x3x4xi64>, tensor<1x5x0xi32>, tensor<5x3x4x0xi64>) -> (tensor<3x3x4xi64>)
    "func.return"(%0, %1) : (tensor<2x7xi64>, tensor<2x7xi64>) -> ()
  }
  func.func public @main(%0: tensor<31x2xbf16>, %1: tensor<bf16>, %2: tensor<6x5xi1>, %3: tensor<2x7xi64> {tf.aliasing_output = 5 : i32}, %4: tensor<2x7xf32>) -> (tensor<2x7xf32>, tensor<2x7xf32>, tensor<6x5xi1>, tensor<5x5x6x1xi1>, tensor<5x1x5x6xi1>, tensor<2x7xi64>) {
    %5 = "stablehlo.clamp"(%1, %1, %1) : (tensor<bf16>, tensor<bf16>, tensor<bf16>) -> (tensor<bf16>)
    %6 = "stablehlo.or"(%2, %2) : (tensor<6x5xi1>, tensor<6x5xi1>) -> (tensor<6x5xi1>)
    %7 = "stablehlo.constant"() <{value = dense<9> : tensor<2x7xi64>}> : () -> (tensor<2x7xi64>)
    %8, %9 = "stablehlo.composite"(%3, %7) <{decomposition = @second, name = "random.composite", version = 1 : i32}> : (tensor<2x7xi64>, tensor<2x7xi64>) -> (tensor<2x7xi64>, tensor<2x7xi64>)
    %10 = "stablehlo.reverse"(%9) <{dimensions = array<i64>}> : (tensor<2x7xi64>) -> (tensor<2x7xi64>)
    %11 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 3, 0>}> : (tensor<6x5xi1>) -> (tensor<5x1x5x6xi1>)
    %12 = "stablehlo.compare"(%11, %11) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<5x1x5x6xi1>, tensor<5x1x5x6xi1>) -> (tensor<5x1x5x6xi1>)
    %13 = "stablehlo.transpose"(%11) <{permutation = array<i64: 2, 0, 3, 1>}> : (tensor<5x1x5x6xi1>) -> (tensor<5x5x6x1xi1>)
    %14 = "stablehlo.minimum"(%6, %6) : (tensor<6x5xi1>, tensor<6x5xi1>) -> (tensor<6x5xi1>)
    %15 = "chlo.erf"(%4) : (tensor<2x7xf32>) -> (tensor<2x7xf32>)
    "func.return"(%15, %4, %14, %13, %12, %10) : (tensor<2x7xf32>, tensor<2x7xf32>, tensor<6x5xi1>, tensor<5x5x6x1xi1>, tensor<5x1x5x6xi1>, tensor<2x7xi64>) -> ()
  }
}
