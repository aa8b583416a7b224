// parameter [{"x"}, {}, {}]
// result [{"x"}, {}, {}]
// result [{"x"}, {}]
// result [{"x"}, {}, {}]
module @jit_svd attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}, {name = "y", size = 2 : i64}]}}
  func.func public @main(%arg0: tensor<8x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<8x8x8xf32> {jax.result_info = "result.U"}, tensor<8x8xf32> {jax.result_info = "result.S"}, tensor<8x8x8xf32> {jax.result_info = "result.Vh"}) {
    %0:3 = call @svd(%arg0) : (tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>)
    return %0#0, %0#1, %0#2 : tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>
  }
  func.func private @svd(%arg0: tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>) {
    %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=8, j=8, k=8, l=8, m=8, n=8, o=8, p=8, q=8, r=8}, custom>} : (tensor<8x8x8xf32>) -> (tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>, tensor<8x8x8xf32>, tensor<8xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x1xi1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<8x8xi1>, tensor<8x8xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xi1>) -> tensor<8x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8x1x1xi1>) -> tensor<8x8x8xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<8x8x8xi1>, tensor<8x8x8xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<8xi1>) -> tensor<8x1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x8x8xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<8x1x1xi1>) -> tensor<8x8x8xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<8x8x8xi1>, tensor<8x8x8xf32>
    return %10, %6, %14 : tensor<8x8x8xf32>, tensor<8x8xf32>, tensor<8x8x8xf32>
  }
}
