// row one_op_one_hot
// xla no collective
// ours => tensor<2x8xf32>
// parameter [{"x"}]
// result [{"x"}, {}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8x8xf32> {jax.result_info = "result"}) {
    %0 = call @_one_hot(%arg0) : (tensor<8xi32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
  func.func private @_one_hot(%arg0: tensor<8xi32>) -> tensor<8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<8xi32>) -> tensor<8x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x8xi32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<8x1xi32>) -> tensor<8x8xi32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<8x8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %5 = stablehlo.convert %4 : (tensor<8x8xi1>) -> tensor<8x8xf32>
    return %5 : tensor<8x8xf32>
  }
}
