module @affine attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main(%arg0: tensor<3xf32> loc(unknown), %arg1: tensor<4x3xf32> loc(unknown), %arg2: tensor<?x4xf32> loc(unknown)) -> (tensor<?x3xf32> {jax.result_info = "result['y']"}, tensor<?x4xf32> {jax.result_info = "result['twice']"}) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %most = stablehlo.constant dense<64> : tensor<i32>
    %b = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %ge = stablehlo.compare GE, %b, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%ge, %b) {error_message = "b must be 1 or more, it is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %le = stablehlo.compare LE, %b, %most, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%le, %b, %most) {error_message = "b = {0} is above {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %r:2 = call @wrapped(%b, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<3xf32>, tensor<4x3xf32>, tensor<?x4xf32>) -> (tensor<?x3xf32>, tensor<?x4xf32>)
    return %r#0, %r#1 : tensor<?x3xf32>, tensor<?x4xf32>
  }
  func.func private @wrapped(%arg0: tensor<i32> {jax.global_constant = "b"} loc(unknown), %arg1: tensor<3xf32> loc("params['b']"), %arg2: tensor<4x3xf32> loc("params['w']"), %arg3: tensor<?x4xf32> loc(#named)) -> (tensor<?x3xf32>, tensor<?x4xf32>) {
    %three = stablehlo.constant dense<3> : tensor<1xi32>
    %p = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    %s = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %shape = stablehlo.concatenate %s, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %bias = stablehlo.dynamic_broadcast_in_dim %arg1, %shape, dims = [1] : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    %y = stablehlo.add %p, %bias : tensor<?x3xf32>
    %t = stablehlo.add %arg3, %arg3 : tensor<?x4xf32>
    return %y, %t : tensor<?x3xf32>, tensor<?x4xf32>
  }
}
#named = loc("x")
