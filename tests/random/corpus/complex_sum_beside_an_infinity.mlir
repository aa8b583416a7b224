// seed 9550
// The same for the parts of a sum of complex numbers.
module {
  func.func private @first(%0: tensor<9x11xcomplex<f32>>) -> (tensor<9x11xi1>) {
    %1 = "stablehlo.constant"() <{value = dense<true> : tensor<9x11xi1>}> : () -> (tensor<9x11xi1>)
    "func.return"(%1) : (tensor<9x11xi1>) -> ()
  }
  func.func private @second(%0: tensor<1x2x5xui2>, %1: tensor<9x11xf32>) -> (tensor<5xui2>, tensor<ui2>) {
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<ui2>}> : () -> (tensor<ui2>)
    %3 = "stablehlo.constant"() <{value = dense<1> : tensor<5xui2>}> : () -> (tensor<5xui2>)
    "func.return"(%3, %2) : (tensor<5xui2>, tensor<ui2>) -> ()
  }
  func.func public @main(%0: tensor<9x11xcomplex<f32>>, %1: tensor<3x2xcomplex<f32>>, %2: tensor<2x2x2xcomplex<f32>>, %3: tensor<2x3x1xcomplex<f32>>, %4: tensor<4xf8E4M3FNUZ>, %5: tensor<1x1x1xi32>, %6: tensor<1x0x1xf8E4M3FNUZ>, %7: tensor<i1>, %8: tensor<3x7xcomplex<f32>>) -> (tensor<9xcomplex<f32>>) {
    %9 = "stablehlo.constant"() <{value = dense<(0.00000000e+00,0.00000000e+00)> : tensor<complex<f32>>}> : () -> (tensor<complex<f32>>)
    %10 = "stablehlo.reduce"(%0, %9) <{dimensions = array<i64: 1>}> ({
      ^bb0(%11: tensor<complex<f32>>, %12: tensor<complex<f32>>):
      %13 = "stablehlo.add"(%11, %12) : (tensor<complex<f32>>, tensor<complex<f32>>) -> (tensor<complex<f32>>)
      "stablehlo.return"(%13) : (tensor<complex<f32>>) -> ()
    }) : (tensor<9x11xcomplex<f32>>, tensor<complex<f32>>) -> (tensor<9xcomplex<f32>>)
    %14 = "stablehlo.constant"() <{value = dense<[[(5.64628792e+00,-4.83938885e+00), (-1.29303265e+00,-3.30297607e+02), (1.99754143e+00,-5.26082802e+00), (8.97809744e-01,1.79352200e+00), (-1.86604428e+00,-1.09543908e+00), (7.63688612e+00,-4.05203670e-01), (5.54560065e-01,4.11448151e-01)], [(1.97616100e-04,1.09916162e+00), (6.19018793e-01,1.71066463e+00), (2.09024930e+00,8.47203672e-01), (5.07751644e-01,-1.50297666e+00), (-1.92509258e+00,-9.37263012e-01), (8.54695499e-01,3.93334007e+00), (-1.49428546e+00,-9.05812502e-01)]]> : tensor<2x7xcomplex<f32>>}> : () -> (tensor<2x7xcomplex<f32>>)
    %15 = "stablehlo.dot_general"(%14, %1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x7xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> (tensor<7x3xcomplex<f32>>)
    %16 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> (tensor<i32>)
    %17, %18, %19, %20, %21 = "stablehlo.while"(%16, %15, %15, %10, %10) ({
      ^bb0(%22: tensor<i32>, %23: tensor<7x3xcomplex<f32>>, %24: tensor<7x3xcomplex<f32>>, %25: tensor<9xcomplex<f32>>, %26: tensor<9xcomplex<f32>>):
      %32 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> (tensor<i32>)
      %33 = "stablehlo.compare"(%22, %32) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> (tensor<i1>)
      "stablehlo.return"(%33) : (tensor<i1>) -> ()
    }, {
      ^bb0(%27: tensor<i32>, %28: tensor<7x3xcomplex<f32>>, %29: tensor<7x3xcomplex<f32>>, %30: tensor<9xcomplex<f32>>, %31: tensor<9xcomplex<f32>>):
      %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> (tensor<i32>)
      %35 = "stablehlo.add"(%27, %34) : (tensor<i32>, tensor<i32>) -> (tensor<i32>)
      "stablehlo.return"(%35, %29, %15, %30, %31) : (tensor<i32>, tensor<7x3xcomplex<f32>>, tensor<7x3xcomplex<f32>>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> ()
    }) : (tensor<i32>, tensor<7x3xcomplex<f32>>, tensor<7x3xcomplex<f32>>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> (tensor<i32>, tensor<7x3xcomplex<f32>>, tensor<7x3xcomplex<f32>>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>)
    "func.return"(%20) : (tensor<9xcomplex<f32>>) -> ()
  }
}
