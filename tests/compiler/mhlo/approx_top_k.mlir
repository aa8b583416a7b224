module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @top_k_lt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = mhlo.compare LT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    mhlo.return %0 : tensor<i1>
  }
  func.func @top_k_gt_f32_comparator(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
    %0 = mhlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    mhlo.return %0 : tensor<i1>
  }
  func.func public @main(%arg0: tensor<5x32xf32>) -> (tensor<5x4xf32> {jax.result_info = "result[0][0]"}, tensor<5x4xi32> {jax.result_info = "result[0][1]"}, tensor<3x32xf32> {jax.result_info = "result[1][0]"}, tensor<3x32xi32> {jax.result_info = "result[1][1]"}) {
    %0 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x32xi32>
    %1 = mhlo.constant dense<-1> : tensor<i32>
    %2 = mhlo.constant dense<0xFF800000> : tensor<f32>
    %3:2 = mhlo.custom_call @ApproxTopK(%arg0, %0, %2, %1) {api_version = 4 : i32, backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 4 : i64}, called_computations = [@top_k_gt_f32_comparator]} : (tensor<5x32xf32>, tensor<5x32xi32>, tensor<f32>, tensor<i32>) -> (tensor<5x4xf32>, tensor<5x4xi32>)
    %4 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x32xi32>
    %5 = mhlo.constant dense<-1> : tensor<i32>
    %6 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %7:2 = mhlo.custom_call @ApproxTopK(%arg0, %4, %6, %5) {api_version = 4 : i32, backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}, called_computations = [@top_k_lt_f32_comparator]} : (tensor<5x32xf32>, tensor<5x32xi32>, tensor<f32>, tensor<i32>) -> (tensor<3x32xf32>, tensor<3x32xi32>)
    return %3#0, %3#1, %7#0, %7#1 : tensor<5x4xf32>, tensor<5x4xi32>, tensor<3x32xf32>, tensor<3x32xi32>
  }
}
