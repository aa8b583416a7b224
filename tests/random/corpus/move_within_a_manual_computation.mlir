// seed 1
// Within a manual computation over one axis a value is moved from one of the other axes to the other.
module {
  sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
  func.func public @main(%2: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z", "y"}]>}) {
    %8 = "sdy.manual_computation"(%2) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"y", ?}, {?}]>]>, manual_axes = #sdy<manual_axes{"y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"y", ?}, {?}]>]>}> ({
      ^bb0(%9: tensor<1x4xf32>):
      "sdy.return"(%9) : (tensor<1x4xf32>) -> ()
    }) : (tensor<2x4xf32>) -> (tensor<2x4xf32>)
    "func.return"(%8) : (tensor<2x4xf32>) -> ()
  }
}
