// What calls, chooses or surrounds.
func.func private @twice(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %x : tensor<i32>
  return %0 : tensor<i32>
}

func.func public @main() {
  %x = stablehlo.constant dense<21> : tensor<i32>
  %0 = "stablehlo.composite"(%x) {name = "test.twice", decomposition = @twice, version = 1 : i32} : (tensor<i32>) -> tensor<i32>
  check.expect_eq_const %0, dense<42> : tensor<i32>
  %1 = stablehlo.constant dense<false> : tensor<i1>
  %2 = "stablehlo.if"(%1) ({
    stablehlo.return %x : tensor<i32>
  }, {
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  check.expect_eq_const %2, dense<42> : tensor<i32>
  %y = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %3 = "stablehlo.async_start"(%y) ({
  ^bb0(%a: tensor<3xi32>):
    %s = stablehlo.slice %a [1:3] : (tensor<3xi32>) -> tensor<2xi32>
    stablehlo.return %s : tensor<2xi32>
  }) : (tensor<3xi32>) -> !stablehlo.future<tensor<2xi32>>
  %4 = "stablehlo.async_done"(%3) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq_const %4, dense<[2, 3]> : tensor<2xi32>
  func.return
}

// -----

func.func @tokens() {
  %x = stablehlo.constant dense<21> : tensor<i32>
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = stablehlo.after_all %0, %0 : !stablehlo.token
  %2:2 = stablehlo.optimization_barrier %x, %1 : tensor<i32>, !stablehlo.token
  check.expect_eq_const %2#0, dense<21> : tensor<i32>
  %3 = builtin.unrealized_conversion_cast %2#0 : tensor<i32> to tensor<i32>
  check.expect_eq_const %3, dense<21> : tensor<i32>
  func.return
}
