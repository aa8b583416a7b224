// Two replicas of two partitions: sums over both, a permutation among replicas, and what one sends and another receives.
func.func private @work(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<ui32>) {
  %s = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids} : (tensor<2xi32>) -> tensor<2xi32>
  %p = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
  %i = stablehlo.replica_id : tensor<ui32>
  return %s, %p, %i : tensor<2xi32>, tensor<2xi32>, tensor<ui32>
}

func.func public @main() {
  %0 = stablehlo.constant dense<[1, 10]> : tensor<2xi32>
  %1 = stablehlo.constant dense<[2, 20]> : tensor<2xi32>
  %2 = stablehlo.constant dense<[3, 30]> : tensor<2xi32>
  %3 = stablehlo.constant dense<[4, 40]> : tensor<2xi32>
  %r:12 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@work, @work], [@work, @work]]} : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    -> (tensor<2xi32>, tensor<2xi32>, tensor<ui32>, tensor<2xi32>, tensor<2xi32>, tensor<ui32>, tensor<2xi32>, tensor<2xi32>, tensor<ui32>, tensor<2xi32>, tensor<2xi32>, tensor<ui32>)
  check.expect_eq_const %r#0, dense<[10, 100]> : tensor<2xi32>
  check.expect_eq_const %r#9, dense<[10, 100]> : tensor<2xi32>
  check.expect_eq_const %r#1, dense<[0, 0]> : tensor<2xi32>
  check.expect_eq_const %r#7, dense<[1, 10]> : tensor<2xi32>
  check.expect_eq_const %r#10, dense<[2, 20]> : tensor<2xi32>
  check.expect_eq_const %r#11, dense<1> : tensor<ui32>
  func.return
}
