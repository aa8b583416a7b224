// seed 7534
// result 0 (tensor<4x4x5xi8>), part 0: got 47, wanted 24 within 0, of that sign, inputs of kind 0
module {
  func.func public @main(%0: tensor<4x4x5xf8E8M0FNU>, %1: tensor<6x9xi8>, %2: tensor<i8>, %3: tensor<4x4x5xi16>, %4: tensor<4x4x5xi8>, %5: tensor<6x3x5xf32>, %6: tensor<f32>) -> (tensor<4x4x5xi8>) {
    %7, %8, %9 = "stablehlo.sort"(%0, %3, %4) <{dimension = 2 : i64, is_stable = true}> ({
      ^bb0(%10: tensor<f8E8M0FNU>, %11: tensor<f8E8M0FNU>, %12: tensor<i16>, %13: tensor<i16>, %14: tensor<i8>, %15: tensor<i8>):
      %16 = "stablehlo.compare"(%10, %11) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f8E8M0FNU>, tensor<f8E8M0FNU>) -> (tensor<i1>)
      "stablehlo.return"(%16) : (tensor<i1>) -> ()
    }) : (tensor<4x4x5xf8E8M0FNU>, tensor<4x4x5xi16>, tensor<4x4x5xi8>) -> (tensor<4x4x5xf8E8M0FNU>, tensor<4x4x5xi16>, tensor<4x4x5xi8>)
    "func.return"(%9) : (tensor<4x4x5xi8>) -> ()
  }
}
