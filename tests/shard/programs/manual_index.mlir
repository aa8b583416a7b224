// result [{"x"}]
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main() -> (tensor<4xi32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} () {
      %1 = sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"y"} () {
        %c = stablehlo.constant dense<2> : tensor<ui32>
        %c_0 = stablehlo.constant dense<4> : tensor<ui32>
        %4 = stablehlo.partition_id : tensor<ui32>
        %5 = stablehlo.divide %4, %c : tensor<ui32>
        %6 = stablehlo.remainder %5, %c_0 : tensor<ui32>
        %7 = stablehlo.convert %6 : (tensor<ui32>) -> tensor<i32>
        sdy.return %7 : tensor<i32>
      } : () -> tensor<i32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i32>) -> tensor<1xi32>
      %3 = sdy.sharding_constraint %2 <@mesh, [{?}]> : tensor<1xi32>
      sdy.return %3 : tensor<1xi32>
    } : () -> tensor<4xi32>
    return %0 : tensor<4xi32>
  }
}
