// What is said about several devices, of one.
func.func @collectives() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
  check.expect_eq_const %0, dense<0> : tensor<ui32>
  %1 = "stablehlo.replica_id"() : () -> tensor<ui32>
  check.expect_eq_const %1, dense<0> : tensor<ui32>
  %2 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %2, %x : tensor<2xi32>
  %3 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %3, %x : tensor<2xi32>
  %4 = "stablehlo.all_to_all"(%x) {split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>}
    : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %4, %x : tensor<2xi32>
  %5 = "stablehlo.collective_broadcast"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %5, %x : tensor<2xi32>
  %6 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %6, %x : tensor<2xi32>
  %7 = "stablehlo.reduce_scatter"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %7, %x : tensor<2xi32>
  %8 = "stablehlo.cross-replica-sum"(%x) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %8, %x : tensor<2xi32>
  %9 = "stablehlo.collective_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %9, %x : tensor<2xi32>
  func.return
}

// -----

module {
  sdy.mesh @mesh = <["x"=1]>
  func.func public @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<2xi32>
    sdy.sharding_group %0 group_id = 0 : tensor<2xi32>
    %edge = sdy.data_flow_edge %0 : tensor<2xi32>
    %1 = sdy.propagation_barrier %edge allowed_direction = FORWARD : tensor<2xi32>
    %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xi32>) {
      %s = stablehlo.add %a, %a : tensor<2xi32>
      sdy.return %s : tensor<2xi32>
    } : (tensor<2xi32>) -> tensor<2xi32>
    check.expect_eq_const %2, dense<[2, 4]> : tensor<2xi32>
    %3 = sdy.named_computation<"f">(%2) (%b: tensor<2xi32>) {
      %t = stablehlo.add %b, %b : tensor<2xi32>
      sdy.return %t : tensor<2xi32>
    } : (tensor<2xi32>) -> tensor<2xi32>
    check.expect_eq_const %3, dense<[4, 8]> : tensor<2xi32>
    func.return
  }
}
