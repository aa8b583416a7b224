// seed 149490
// Each of the eight terms has two products that are subnormal, and count as themselves or as zero.
module {
  func.func public @main(%0: tensor<complex<f32>>, %1: tensor<2x23x3xi32>, %2: tensor<4x2x2x3x3xi32>) -> (tensor<3x3xcomplex<f32>>) {
    %3 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> (tensor<3x3x8xcomplex<f32>>)
    %4 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> (tensor<3x8xcomplex<f32>>)
    %5 = "stablehlo.dot_general"(%3, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x3x8xcomplex<f32>>, tensor<3x8xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>)
    "func.return"(%5) : (tensor<3x3xcomplex<f32>>) -> ()
  }
}
