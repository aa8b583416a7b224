module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5x5xf32> {jax.result_info = "result"}) {
    %0 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x5xi32>
    %1 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x5xi32>
    %2 = mhlo.constant dense<0> : tensor<i32>
    %3 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<5x5xi32>
    %4 = mhlo.add %0, %3 : tensor<5x5xi32>
    %5 = mhlo.compare EQ, %4, %1, SIGNED : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %6 = mhlo.convert %5 : (tensor<5x5xi1>) -> tensor<5x5xf32>
    %7 = "mhlo.slice"(%6) <{limit_indices = dense<5> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %8 = mhlo.convert %7 : tensor<5x5xf32>
    %9 = mhlo.sine %arg0 : tensor<5xf32>
    %10 = mhlo.cosine %arg0 : tensor<5xf32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<5x5xf32>
    %13 = mhlo.multiply %8, %12 : tensor<5x5xf32>
    %14 = mhlo.cosine %arg0 : tensor<5xf32>
    %15 = mhlo.sine %arg0 : tensor<5xf32>
    %16 = "mhlo.broadcast_in_dim"(%15) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %17 = "mhlo.broadcast_in_dim"(%16) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<5x5xf32>
    %18 = mhlo.multiply %8, %17 : tensor<5x5xf32>
    %19 = mhlo.negate %18 : tensor<5x5xf32>
    %20 = mhlo.multiply %arg0, %arg0 : tensor<5xf32>
    %21 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = "mhlo.broadcast_in_dim"(%21) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5xf32>
    %23 = mhlo.multiply %22, %arg0 : tensor<5xf32>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<5x5xf32>
    %26 = mhlo.multiply %8, %25 : tensor<5x5xf32>
    %27 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5xf32>
    %29 = mhlo.multiply %28, %arg0 : tensor<5xf32>
    %30 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %31 = "mhlo.broadcast_in_dim"(%30) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<5x5xf32>
    %32 = mhlo.multiply %31, %8 : tensor<5x5xf32>
    %33 = mhlo.negate %20 : tensor<5xf32>
    %34 = mhlo.negate %26 : tensor<5x5xf32>
    %35 = mhlo.exponential %33 : tensor<5xf32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %37 = "mhlo.broadcast_in_dim"(%36) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<5x5xf32>
    %38 = mhlo.multiply %34, %37 : tensor<5x5xf32>
    %39 = mhlo.multiply %9, %35 : tensor<5xf32>
    %40 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %41 = "mhlo.broadcast_in_dim"(%40) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<5x5xf32>
    %42 = mhlo.multiply %13, %41 : tensor<5x5xf32>
    %43 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %44 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<5x5xf32>
    %45 = mhlo.multiply %44, %38 : tensor<5x5xf32>
    %46 = mhlo.add %42, %45 : tensor<5x5xf32>
    %47 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = mhlo.reduce(%39 init: %47) applies mhlo.add across dimensions = [0] : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    %49 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = mhlo.reduce(%46 init: %49) applies mhlo.add across dimensions = [1] : (tensor<5x5xf32>, tensor<f32>) -> tensor<5xf32>
    %51 = "mhlo.slice"(%arg0) <{limit_indices = dense<3> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<3xf32>
    %52 = "mhlo.slice"(%8) <{limit_indices = dense<[5, 3]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x3xf32>
    %53 = "mhlo.slice"(%arg0) <{limit_indices = dense<5> : tensor<1xi64>, start_indices = dense<3> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<2xf32>
    %54 = "mhlo.slice"(%8) <{limit_indices = dense<5> : tensor<2xi64>, start_indices = dense<[0, 3]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x2xf32>
    %55 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = "mhlo.pad"(%53, %55) <{edge_padding_high = dense<1> : tensor<1xi64>, edge_padding_low = dense<0> : tensor<1xi64>, interior_padding = dense<0> : tensor<1xi64>}> : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %57 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = "mhlo.pad"(%54, %57) <{edge_padding_high = dense<[0, 1]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<5x2xf32>, tensor<f32>) -> tensor<5x3xf32>
    %59 = mhlo.multiply %51, %56 : tensor<3xf32>
    %60 = "mhlo.broadcast_in_dim"(%56) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %62 = mhlo.multiply %52, %61 : tensor<5x3xf32>
    %63 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x3xf32>) -> tensor<5x3xf32>
    %65 = mhlo.multiply %64, %58 : tensor<5x3xf32>
    %66 = mhlo.add %62, %65 : tensor<5x3xf32>
    %67 = "mhlo.slice"(%59) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<2xf32>
    %68 = "mhlo.slice"(%66) <{limit_indices = dense<[5, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x3xf32>) -> tensor<5x2xf32>
    %69 = "mhlo.slice"(%59) <{limit_indices = dense<3> : tensor<1xi64>, start_indices = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<1xf32>
    %70 = "mhlo.slice"(%66) <{limit_indices = dense<[5, 3]> : tensor<2xi64>, start_indices = dense<[0, 2]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x3xf32>) -> tensor<5x1xf32>
    %71 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %72 = "mhlo.pad"(%69, %71) <{edge_padding_high = dense<1> : tensor<1xi64>, edge_padding_low = dense<0> : tensor<1xi64>, interior_padding = dense<0> : tensor<1xi64>}> : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %73 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = "mhlo.pad"(%70, %73) <{edge_padding_high = dense<[0, 1]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<5x1xf32>, tensor<f32>) -> tensor<5x2xf32>
    %75 = mhlo.multiply %67, %72 : tensor<2xf32>
    %76 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<1x2xf32>
    %77 = "mhlo.broadcast_in_dim"(%76) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<5x2xf32>
    %78 = mhlo.multiply %68, %77 : tensor<5x2xf32>
    %79 = "mhlo.broadcast_in_dim"(%67) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<1x2xf32>
    %80 = "mhlo.broadcast_in_dim"(%79) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<5x2xf32>
    %81 = mhlo.multiply %80, %74 : tensor<5x2xf32>
    %82 = mhlo.add %78, %81 : tensor<5x2xf32>
    %83 = "mhlo.slice"(%75) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<1xf32>
    %84 = "mhlo.slice"(%82) <{limit_indices = dense<[5, 1]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x2xf32>) -> tensor<5x1xf32>
    %85 = "mhlo.slice"(%75) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<1xf32>
    %86 = "mhlo.slice"(%82) <{limit_indices = dense<[5, 2]> : tensor<2xi64>, start_indices = dense<[0, 1]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x2xf32>) -> tensor<5x1xf32>
    %87 = mhlo.multiply %83, %85 : tensor<1xf32>
    %88 = "mhlo.broadcast_in_dim"(%85) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %89 = "mhlo.broadcast_in_dim"(%88) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<5x1xf32>
    %90 = mhlo.multiply %84, %89 : tensor<5x1xf32>
    %91 = "mhlo.broadcast_in_dim"(%83) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %92 = "mhlo.broadcast_in_dim"(%91) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<5x1xf32>
    %93 = mhlo.multiply %92, %86 : tensor<5x1xf32>
    %94 = mhlo.add %90, %93 : tensor<5x1xf32>
    %95 = mhlo.reshape %87 : (tensor<1xf32>) -> tensor<f32>
    %96 = mhlo.reshape %94 : (tensor<5x1xf32>) -> tensor<5xf32>
    %97 = mhlo.add %48, %95 : tensor<f32>
    %98 = mhlo.add %50, %96 : tensor<5xf32>
    %99 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<1x1xi32>
    %100 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<1x1xi32>
    %101 = mhlo.constant dense<0> : tensor<i32>
    %102 = "mhlo.broadcast_in_dim"(%101) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1x1xi32>
    %103 = mhlo.add %99, %102 : tensor<1x1xi32>
    %104 = mhlo.compare EQ, %103, %100, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %105 = mhlo.convert %104 : (tensor<1x1xi1>) -> tensor<1x1xf32>
    %106 = "mhlo.slice"(%105) <{limit_indices = dense<1> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %107 = mhlo.reshape %106 : (tensor<1x1xf32>) -> tensor<1xf32>
    %108 = mhlo.convert %107 : tensor<1xf32>
    %109 = "mhlo.broadcast_in_dim"(%108) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %110 = "mhlo.broadcast_in_dim"(%83) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %111 = "mhlo.broadcast_in_dim"(%84) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x1xf32>) -> tensor<5x1x1xf32>
    %112 = mhlo.multiply %110, %109 : tensor<1x1xf32>
    %113 = "mhlo.broadcast_in_dim"(%109) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %114 = "mhlo.broadcast_in_dim"(%113) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x1xf32>) -> tensor<5x1x1xf32>
    %115 = mhlo.multiply %111, %114 : tensor<5x1x1xf32>
    %116 = "mhlo.broadcast_in_dim"(%85) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<1x1xf32>
    %117 = "mhlo.broadcast_in_dim"(%86) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x1xf32>) -> tensor<5x1x1xf32>
    %118 = mhlo.multiply %109, %116 : tensor<1x1xf32>
    %119 = "mhlo.broadcast_in_dim"(%109) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %120 = "mhlo.broadcast_in_dim"(%119) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x1xf32>) -> tensor<5x1x1xf32>
    %121 = mhlo.multiply %120, %117 : tensor<5x1x1xf32>
    %122 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = "mhlo.pad"(%112, %122) <{edge_padding_high = dense<0> : tensor<2xi64>, edge_padding_low = dense<[0, 1]> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x2xf32>
    %124 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = "mhlo.pad"(%115, %124) <{edge_padding_high = dense<0> : tensor<3xi64>, edge_padding_low = dense<[0, 0, 1]> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x1xf32>, tensor<f32>) -> tensor<5x1x2xf32>
    %126 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = "mhlo.pad"(%118, %126) <{edge_padding_high = dense<[0, 1]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x2xf32>
    %128 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = "mhlo.pad"(%121, %128) <{edge_padding_high = dense<[0, 0, 1]> : tensor<3xi64>, edge_padding_low = dense<0> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x1xf32>, tensor<f32>) -> tensor<5x1x2xf32>
    %130 = mhlo.add %123, %127 : tensor<1x2xf32>
    %131 = mhlo.add %125, %129 : tensor<5x1x2xf32>
    %132 = "mhlo.broadcast_in_dim"(%67) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<1x2xf32>
    %133 = "mhlo.broadcast_in_dim"(%68) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x2xf32>) -> tensor<5x1x2xf32>
    %134 = mhlo.multiply %132, %130 : tensor<1x2xf32>
    %135 = "mhlo.broadcast_in_dim"(%130) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %136 = "mhlo.broadcast_in_dim"(%135) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x2xf32>) -> tensor<5x1x2xf32>
    %137 = mhlo.multiply %133, %136 : tensor<5x1x2xf32>
    %138 = "mhlo.broadcast_in_dim"(%132) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %139 = "mhlo.broadcast_in_dim"(%138) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x2xf32>) -> tensor<5x1x2xf32>
    %140 = mhlo.multiply %139, %131 : tensor<5x1x2xf32>
    %141 = mhlo.add %137, %140 : tensor<5x1x2xf32>
    %142 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<2xf32>) -> tensor<1x2xf32>
    %143 = "mhlo.broadcast_in_dim"(%74) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x2xf32>) -> tensor<5x1x2xf32>
    %144 = mhlo.multiply %130, %142 : tensor<1x2xf32>
    %145 = "mhlo.broadcast_in_dim"(%142) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %146 = "mhlo.broadcast_in_dim"(%145) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x2xf32>) -> tensor<5x1x2xf32>
    %147 = mhlo.multiply %131, %146 : tensor<5x1x2xf32>
    %148 = "mhlo.broadcast_in_dim"(%130) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %149 = "mhlo.broadcast_in_dim"(%148) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x2xf32>) -> tensor<5x1x2xf32>
    %150 = mhlo.multiply %149, %143 : tensor<5x1x2xf32>
    %151 = mhlo.add %147, %150 : tensor<5x1x2xf32>
    %152 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = "mhlo.pad"(%134, %152) <{edge_padding_high = dense<[0, -1]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x1xf32>
    %154 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = "mhlo.pad"(%141, %154) <{edge_padding_high = dense<[0, 0, -1]> : tensor<3xi64>, edge_padding_low = dense<0> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x2xf32>, tensor<f32>) -> tensor<5x1x1xf32>
    %156 = "mhlo.slice"(%153) <{limit_indices = dense<1> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %157 = "mhlo.slice"(%155) <{limit_indices = dense<[5, 1, 1]> : tensor<3xi64>, start_indices = dense<0> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}> : (tensor<5x1x1xf32>) -> tensor<5x1x1xf32>
    %158 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = "mhlo.pad"(%156, %158) <{edge_padding_high = dense<0> : tensor<2xi64>, edge_padding_low = dense<[0, 2]> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x3xf32>
    %160 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = "mhlo.pad"(%157, %160) <{edge_padding_high = dense<0> : tensor<3xi64>, edge_padding_low = dense<[0, 0, 2]> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x1xf32>, tensor<f32>) -> tensor<5x1x3xf32>
    %162 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = "mhlo.pad"(%144, %162) <{edge_padding_high = dense<[0, 1]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x3xf32>
    %164 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = "mhlo.pad"(%151, %164) <{edge_padding_high = dense<[0, 0, 1]> : tensor<3xi64>, edge_padding_low = dense<0> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x2xf32>, tensor<f32>) -> tensor<5x1x3xf32>
    %166 = mhlo.add %159, %163 : tensor<1x3xf32>
    %167 = mhlo.add %161, %165 : tensor<5x1x3xf32>
    %168 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %169 = "mhlo.broadcast_in_dim"(%52) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x3xf32>) -> tensor<5x1x3xf32>
    %170 = mhlo.multiply %168, %166 : tensor<1x3xf32>
    %171 = "mhlo.broadcast_in_dim"(%166) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %172 = "mhlo.broadcast_in_dim"(%171) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x3xf32>) -> tensor<5x1x3xf32>
    %173 = mhlo.multiply %169, %172 : tensor<5x1x3xf32>
    %174 = "mhlo.broadcast_in_dim"(%168) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %175 = "mhlo.broadcast_in_dim"(%174) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x3xf32>) -> tensor<5x1x3xf32>
    %176 = mhlo.multiply %175, %167 : tensor<5x1x3xf32>
    %177 = mhlo.add %173, %176 : tensor<5x1x3xf32>
    %178 = "mhlo.broadcast_in_dim"(%56) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<3xf32>) -> tensor<1x3xf32>
    %179 = "mhlo.broadcast_in_dim"(%58) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x3xf32>) -> tensor<5x1x3xf32>
    %180 = mhlo.multiply %166, %178 : tensor<1x3xf32>
    %181 = "mhlo.broadcast_in_dim"(%178) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %182 = "mhlo.broadcast_in_dim"(%181) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x3xf32>) -> tensor<5x1x3xf32>
    %183 = mhlo.multiply %167, %182 : tensor<5x1x3xf32>
    %184 = "mhlo.broadcast_in_dim"(%166) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %185 = "mhlo.broadcast_in_dim"(%184) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x3xf32>) -> tensor<5x1x3xf32>
    %186 = mhlo.multiply %185, %179 : tensor<5x1x3xf32>
    %187 = mhlo.add %183, %186 : tensor<5x1x3xf32>
    %188 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %189 = "mhlo.pad"(%170, %188) <{edge_padding_high = dense<[0, -1]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x2xf32>
    %190 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = "mhlo.pad"(%177, %190) <{edge_padding_high = dense<[0, 0, -1]> : tensor<3xi64>, edge_padding_low = dense<0> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x3xf32>, tensor<f32>) -> tensor<5x1x2xf32>
    %192 = "mhlo.slice"(%189) <{limit_indices = dense<[1, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %193 = "mhlo.slice"(%191) <{limit_indices = dense<[5, 1, 2]> : tensor<3xi64>, start_indices = dense<0> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}> : (tensor<5x1x2xf32>) -> tensor<5x1x2xf32>
    %194 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %195 = "mhlo.pad"(%192, %194) <{edge_padding_high = dense<0> : tensor<2xi64>, edge_padding_low = dense<[0, 3]> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x5xf32>
    %196 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = "mhlo.pad"(%193, %196) <{edge_padding_high = dense<0> : tensor<3xi64>, edge_padding_low = dense<[0, 0, 3]> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x2xf32>, tensor<f32>) -> tensor<5x1x5xf32>
    %198 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %199 = "mhlo.pad"(%180, %198) <{edge_padding_high = dense<[0, 2]> : tensor<2xi64>, edge_padding_low = dense<0> : tensor<2xi64>, interior_padding = dense<0> : tensor<2xi64>}> : (tensor<1x3xf32>, tensor<f32>) -> tensor<1x5xf32>
    %200 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = "mhlo.pad"(%187, %200) <{edge_padding_high = dense<[0, 0, 2]> : tensor<3xi64>, edge_padding_low = dense<0> : tensor<3xi64>, interior_padding = dense<0> : tensor<3xi64>}> : (tensor<5x1x3xf32>, tensor<f32>) -> tensor<5x1x5xf32>
    %202 = mhlo.add %195, %199 : tensor<1x5xf32>
    %203 = mhlo.add %197, %201 : tensor<5x1x5xf32>
    %204 = "mhlo.broadcast_in_dim"(%108) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<1x5xf32>
    %205 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %206 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x1x5xf32>
    %207 = mhlo.multiply %205, %204 : tensor<1x5xf32>
    %208 = "mhlo.broadcast_in_dim"(%204) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %209 = "mhlo.broadcast_in_dim"(%208) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %210 = mhlo.multiply %206, %209 : tensor<5x1x5xf32>
    %211 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %212 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x1x5xf32>
    %213 = mhlo.multiply %204, %211 : tensor<1x5xf32>
    %214 = "mhlo.broadcast_in_dim"(%204) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %215 = "mhlo.broadcast_in_dim"(%214) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %216 = mhlo.multiply %215, %212 : tensor<5x1x5xf32>
    %217 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %218 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x1x5xf32>
    %219 = mhlo.multiply %207, %217 : tensor<1x5xf32>
    %220 = "mhlo.broadcast_in_dim"(%217) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %221 = "mhlo.broadcast_in_dim"(%220) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %222 = mhlo.multiply %210, %221 : tensor<5x1x5xf32>
    %223 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %224 = "mhlo.broadcast_in_dim"(%223) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %225 = mhlo.multiply %224, %218 : tensor<5x1x5xf32>
    %226 = mhlo.add %222, %225 : tensor<5x1x5xf32>
    %227 = mhlo.negate %219 : tensor<1x5xf32>
    %228 = mhlo.negate %226 : tensor<5x1x5xf32>
    %229 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %230 = "mhlo.broadcast_in_dim"(%32) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x1x5xf32>
    %231 = mhlo.multiply %227, %229 : tensor<1x5xf32>
    %232 = "mhlo.broadcast_in_dim"(%229) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %233 = "mhlo.broadcast_in_dim"(%232) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %234 = mhlo.multiply %228, %233 : tensor<5x1x5xf32>
    %235 = "mhlo.broadcast_in_dim"(%227) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %236 = "mhlo.broadcast_in_dim"(%235) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %237 = mhlo.multiply %236, %230 : tensor<5x1x5xf32>
    %238 = mhlo.add %234, %237 : tensor<5x1x5xf32>
    %239 = mhlo.add %202, %231 : tensor<1x5xf32>
    %240 = mhlo.add %203, %238 : tensor<5x1x5xf32>
    %241 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1x5xf32>
    %242 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<[0, 2]> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x1x5xf32>
    %243 = mhlo.multiply %213, %241 : tensor<1x5xf32>
    %244 = "mhlo.broadcast_in_dim"(%241) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %245 = "mhlo.broadcast_in_dim"(%244) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %246 = mhlo.multiply %216, %245 : tensor<5x1x5xf32>
    %247 = "mhlo.broadcast_in_dim"(%213) <{broadcast_dimensions = dense<[1, 2]> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x1x5xf32>
    %248 = "mhlo.broadcast_in_dim"(%247) <{broadcast_dimensions = dense<[0, 1, 2]> : tensor<3xi64>}> : (tensor<1x1x5xf32>) -> tensor<5x1x5xf32>
    %249 = mhlo.multiply %248, %242 : tensor<5x1x5xf32>
    %250 = mhlo.add %246, %249 : tensor<5x1x5xf32>
    %251 = mhlo.add %239, %243 : tensor<1x5xf32>
    %252 = mhlo.add %240, %250 : tensor<5x1x5xf32>
    %253 = "mhlo.slice"(%251) <{limit_indices = dense<[1, 5]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<1x5xf32>) -> tensor<1x5xf32>
    %254 = "mhlo.slice"(%252) <{limit_indices = dense<[5, 1, 5]> : tensor<3xi64>, start_indices = dense<0> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}> : (tensor<5x1x5xf32>) -> tensor<5x1x5xf32>
    %255 = mhlo.reshape %253 : (tensor<1x5xf32>) -> tensor<5xf32>
    %256 = mhlo.reshape %254 : (tensor<5x1x5xf32>) -> tensor<5x5xf32>
    %257 = "mhlo.transpose"(%256) <{permutation = dense<[1, 0]> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %258 = "mhlo.slice"(%257) <{limit_indices = dense<5> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<5x5xf32>) -> tensor<5x5xf32>
    return %258 : tensor<5x5xf32>
  }
}
