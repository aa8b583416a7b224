module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<9x11xf32> {jax.result_info = "result[1]"}, tensor<5x7xf32> {jax.result_info = "result[2]"}, tensor<300xi1> {jax.result_info = "result[3]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[4]"}, tensor<4x3xbf16> {jax.result_info = "result[5]"}, tensor<3xf16> {jax.result_info = "result[6]"}, tensor<6xf8E4M3FN> {jax.result_info = "result[7]"}, tensor<3x3xf32> {jax.result_info = "result[8]"}, tensor<2xi1> {jax.result_info = "result[9]"}, tensor<4xi1> {jax.result_info = "result[10]"}, tensor<100xi32> {jax.result_info = "result[11]"}, tensor<3xf32> {jax.result_info = "result[12]"}, tensor<0x3xf32> {jax.result_info = "result[13]"}, tensor<8xui8> {jax.result_info = "result[14]"}, tensor<1x1xi1> {jax.result_info = "result[15]"}, tensor<1xi4> {jax.result_info = "result[16]"}, tensor<16xi4> {jax.result_info = "result[17]"}, tensor<16xui4> {jax.result_info = "result[18]"}) {
    %0 = mhlo.constant dense<[[-0.243159398, 0.579778552, -1.16390049, -0.988348841, -2.21449304, 2.32342625, 0.586867511, 1.69965506, 2.80586457, 0.457217604, 0.514786363], [-2.95593047, -0.739770412, 2.355450e+00, 0.754370272, -1.09985685, 1.98293018, -2.99688673, -1.39485455, -2.97024894, -0.855187058, 2.49037528], [-0.196001038, 1.64008319, 0.570921361, -1.6736089, 1.68686569, -1.30935776, 1.72553551, -2.59238553, 0.467540383, -2.68135762, 0.278363734], [2.80259919, 0.659616232, 0.753948509, -2.13458443, 0.235014841, 2.20057631, 1.79829884, 2.12680125, -1.15671635, -2.39578176, 2.48581362], [2.18642664, -2.96630526, 2.80123305, -2.91436553, -2.47437501, -1.37374067, -0.981756865, 1.31852436, -1.76952767, -0.723596811, -0.996753811], [1.91414165, -1.91748905, 2.754280e-01, -2.38416457, -1.07971179, 2.79096699, -2.47945452, 1.54512286, -2.07508135, -2.76677012, -0.614919245], [-1.3503722, -1.96220016, -2.05826044, 1.54592431, -1.69500935, 1.26415718, -1.04186451, 2.81292367, 2.60845447, -1.49667513, 2.78193021], [2.60219598, -2.10361552, 0.723176479, 0.296400189, 2.51352787, -2.58638573, -2.31185555, -2.12130928, -0.628378808, 2.737082, 0.826485931], [1.36663079, -2.03265595, -1.46649349, 2.10093212, 0.546491802, -2.87745333, 2.995600e+00, 0.479045868, 0.485955834, -1.54838383, -2.4140656]]> : tensor<9x11xf32>
    %1 = mhlo.constant dense<[[true, true, false, true, false, true, false], [false, false, false, true, false, true, false], [false, true, false, false, true, false, false], [false, false, true, false, true, true, false], [false, true, false, false, true, true, true]]> : tensor<5x7xi1>
    %2 = mhlo.constant dense<"0x000001010001010101000101010000010100000101010100000001000000010000000001000101000001010101000000010100000000010000010100000000010100010100000100000100000000010000000001000000000101010101010000000101010100000100000000000000000100000001010100000100010000010101000101000101010101000001010001000100000100000100010101000001000000010101000001010101010000010101000001010100000100000100010101010000000000010100000101010001010101010001010000010101010100010100000000000001000101000101010100010101010100010100000100000101010101000101000001010000010101010001000001010000000101000000010000000000010000000101010001"> : tensor<300xi1>
    %3 = mhlo.constant dense<[[(-0.882691979,1.74872899), (1.86050427,-1.64575529), (-1.147180e+00,-0.630653381)], [(2.1282506,0.558927953), (-1.14896715,1.27276516), (0.769233226,0.850972533)]]> : tensor<2x3xcomplex<f32>>
    %4 = mhlo.constant dense<[[1.593750e+00, 3.085940e-01, -6.953130e-01], [8.671870e-01, 2.437500e+00, 1.125000e+00], [1.748050e-01, -2.275390e-01, 1.064450e-01], [1.328130e+00, -2.234380e+00, 1.632810e+00]]> : tensor<4x3xbf16>
    %5 = mhlo.constant dense<[-2.902340e+00, 1.450200e+00, -2.083980e+00]> : tensor<3xf16>
    %6 = mhlo.constant dense<[-2.500000e+00, 3.125000e-01, -1.000000e+00, 1.500000e+00, -2.000000e+00, 1.625000e+00]> : tensor<6xf8E4M3FN>
    %7 = mhlo.constant dense<[30, -14, 30, -19, 44, -5, 27, -30, 28, -34, -33, -44, 24, 39, -46, -14, 8, -43, 39, 24, 26, 4, -48, 8, 14, 3, -47, 9, 9, -33, -15, 19, -27, 41, 17, -20, -30, 0, 12, -33, 10, 10, 10, 33, -20, -19, -14, -26, -21, 19, 43, 3, 11, -24, 12, 10, 34, 34, 13, 34, 12, -30, -14, 46, -11, -40, -20, -38, -2, 37, 33, 33, -29, -21, 20, 38, -19, -47, 7, 12, -42, 45, -40, 39, -4, 1, 40, -43, 31, 0, -28, -5, 7, -45, 42, -18, -5, -43, 3, 44]> : tensor<100xi32>
    %8 = mhlo.constant dense<[0x7F800000, 0xFF800000, -0.000000e+00]> : tensor<3xf32>
    %9 = mhlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xui8>
    %10 = mhlo.constant dense<true> : tensor<1x1xi1>
    %11 = mhlo.constant dense<3> : tensor<1xi4>
    %12 = mhlo.constant dense<[-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7]> : tensor<16xi4>
    %13 = mhlo.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : tensor<16xui4>
    %14 = mhlo.constant dense<-0.243159398> : tensor<f32>
    %15 = mhlo.add %arg0, %14 : tensor<f32>
    %16 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<9x11xf32>
    %17 = mhlo.multiply %0, %16 : tensor<9x11xf32>
    %18 = mhlo.negate %arg0 : tensor<f32>
    %19 = call @_where(%1, %arg0, %18) : (tensor<5x7xi1>, tensor<f32>, tensor<f32>) -> tensor<5x7xf32>
    %20 = mhlo.convert %arg0 : (tensor<f32>) -> tensor<complex<f32>>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<complex<f32>>) -> tensor<2x3xcomplex<f32>>
    %22 = mhlo.add %3, %21 : tensor<2x3xcomplex<f32>>
    %23 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x3xf32>
    %25 = mhlo.constant dense<true> : tensor<i1>
    %26 = "mhlo.broadcast_in_dim"(%25) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<2xi1>
    %27 = mhlo.constant dense<false> : tensor<i1>
    %28 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<4xi1>
    %29 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<0x3xf32>
    return %15, %17, %19, %2, %22, %4, %5, %6, %24, %26, %28, %7, %8, %30, %9, %10, %11, %12, %13 : tensor<f32>, tensor<9x11xf32>, tensor<5x7xf32>, tensor<300xi1>, tensor<2x3xcomplex<f32>>, tensor<4x3xbf16>, tensor<3xf16>, tensor<6xf8E4M3FN>, tensor<3x3xf32>, tensor<2xi1>, tensor<4xi1>, tensor<100xi32>, tensor<3xf32>, tensor<0x3xf32>, tensor<8xui8>, tensor<1x1xi1>, tensor<1xi4>, tensor<16xi4>, tensor<16xui4>
  }
  func.func private @_where(%arg0: tensor<5x7xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<5x7xf32> {
    %0 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5x7xf32>
    %1 = "mhlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5x7xf32>
    %2 = mhlo.select %arg0, %0, %1 : tensor<5x7xi1>, tensor<5x7xf32>
    return %2 : tensor<5x7xf32>
  }
}
