module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xui32>) -> (tensor<5xui32> {jax.result_info = "result[0]"}, tensor<3x4xf32> {jax.result_info = "result[1]"}, tensor<7xf32> {jax.result_info = "result[2]"}, tensor<6xi32> {jax.result_info = "result[3]"}, tensor<9xi1> {jax.result_info = "result[4]"}, tensor<8xi32> {jax.result_info = "result[5]"}, tensor<3x2xui32> {jax.result_info = "result[6]"}, tensor<2xui32> {jax.result_info = "result[7]"}) {
    %0 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = mhlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = mhlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5xui64>
    %5 = mhlo.constant dense<1> : tensor<ui64>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<5xui64>
    %7 = mhlo.multiply %6, %4 : tensor<5xui64>
    %8 = mhlo.constant dense<32> : tensor<ui64>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<5xui64>
    %10 = mhlo.shift_right_logical %7, %9 : tensor<5xui64>
    %11 = mhlo.convert %7 : (tensor<5xui64>) -> tensor<5xui32>
    %12 = mhlo.convert %10 : (tensor<5xui64>) -> tensor<5xui32>
    %13:2 = call @threefry2x32(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<5xui32>, tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>)
    %14 = mhlo.xor %13#0, %13#1 : tensor<5xui32>
    %15 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = call @_uniform(%arg0, %15, %16) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<3x4xf32>
    %18 = call @_normal(%arg0) : (tensor<2xui32>) -> tensor<7xf32>
    %19 = mhlo.constant dense<0> : tensor<i32>
    %20 = mhlo.constant dense<100> : tensor<i32>
    %21 = call @_randint(%arg0, %19, %20) : (tensor<2xui32>, tensor<i32>, tensor<i32>) -> tensor<6xi32>
    %22 = mhlo.constant dense<3.000000e-01> : tensor<f32>
    %23 = call @_bernoulli(%arg0, %22) : (tensor<2xui32>, tensor<f32>) -> tensor<9xi1>
    %24 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xi32>
    %25 = call @_shuffle(%arg0, %24) : (tensor<2xui32>, tensor<8xi32>) -> tensor<8xi32>
    %26 = call @_threefry_split_9(%arg0) : (tensor<2xui32>) -> tensor<3x2xui32>
    %27 = mhlo.constant dense<5> : tensor<ui32>
    %28 = call @_threefry_fold_in(%arg0, %27) : (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>
    return %14, %17, %18, %21, %23, %25, %26, %28 : tensor<5xui32>, tensor<3x4xf32>, tensor<7xf32>, tensor<6xi32>, tensor<9xi1>, tensor<8xi32>, tensor<3x2xui32>, tensor<2xui32>
  }
  func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<5xui32>, %arg3: tensor<5xui32>) -> (tensor<5xui32>, tensor<5xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %4 = mhlo.add %arg2, %3 : tensor<5xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %6 = mhlo.add %arg3, %5 : tensor<5xui32>
    %7 = mhlo.add %4, %6 : tensor<5xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<5xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<5xui32>
    %14 = mhlo.or %10, %13 : tensor<5xui32>
    %15 = mhlo.xor %7, %14 : tensor<5xui32>
    %16 = mhlo.add %7, %15 : tensor<5xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<5xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<5xui32>
    %23 = mhlo.or %19, %22 : tensor<5xui32>
    %24 = mhlo.xor %16, %23 : tensor<5xui32>
    %25 = mhlo.add %16, %24 : tensor<5xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<5xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<5xui32>
    %32 = mhlo.or %28, %31 : tensor<5xui32>
    %33 = mhlo.xor %25, %32 : tensor<5xui32>
    %34 = mhlo.add %25, %33 : tensor<5xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<5xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<5xui32>
    %41 = mhlo.or %37, %40 : tensor<5xui32>
    %42 = mhlo.xor %34, %41 : tensor<5xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %44 = mhlo.add %34, %43 : tensor<5xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %46 = mhlo.add %42, %45 : tensor<5xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %49 = mhlo.add %46, %48 : tensor<5xui32>
    %50 = mhlo.add %44, %49 : tensor<5xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<5xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<5xui32>
    %57 = mhlo.or %53, %56 : tensor<5xui32>
    %58 = mhlo.xor %50, %57 : tensor<5xui32>
    %59 = mhlo.add %50, %58 : tensor<5xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<5xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<5xui32>
    %66 = mhlo.or %62, %65 : tensor<5xui32>
    %67 = mhlo.xor %59, %66 : tensor<5xui32>
    %68 = mhlo.add %59, %67 : tensor<5xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<5xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<5xui32>
    %75 = mhlo.or %71, %74 : tensor<5xui32>
    %76 = mhlo.xor %68, %75 : tensor<5xui32>
    %77 = mhlo.add %68, %76 : tensor<5xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<5xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<5xui32>
    %84 = mhlo.or %80, %83 : tensor<5xui32>
    %85 = mhlo.xor %77, %84 : tensor<5xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %87 = mhlo.add %77, %86 : tensor<5xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %89 = mhlo.add %85, %88 : tensor<5xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %92 = mhlo.add %89, %91 : tensor<5xui32>
    %93 = mhlo.add %87, %92 : tensor<5xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<5xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<5xui32>
    %100 = mhlo.or %96, %99 : tensor<5xui32>
    %101 = mhlo.xor %93, %100 : tensor<5xui32>
    %102 = mhlo.add %93, %101 : tensor<5xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<5xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<5xui32>
    %109 = mhlo.or %105, %108 : tensor<5xui32>
    %110 = mhlo.xor %102, %109 : tensor<5xui32>
    %111 = mhlo.add %102, %110 : tensor<5xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<5xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<5xui32>
    %118 = mhlo.or %114, %117 : tensor<5xui32>
    %119 = mhlo.xor %111, %118 : tensor<5xui32>
    %120 = mhlo.add %111, %119 : tensor<5xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<5xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<5xui32>
    %127 = mhlo.or %123, %126 : tensor<5xui32>
    %128 = mhlo.xor %120, %127 : tensor<5xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %130 = mhlo.add %120, %129 : tensor<5xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %132 = mhlo.add %128, %131 : tensor<5xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %135 = mhlo.add %132, %134 : tensor<5xui32>
    %136 = mhlo.add %130, %135 : tensor<5xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<5xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<5xui32>
    %143 = mhlo.or %139, %142 : tensor<5xui32>
    %144 = mhlo.xor %136, %143 : tensor<5xui32>
    %145 = mhlo.add %136, %144 : tensor<5xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<5xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<5xui32>
    %152 = mhlo.or %148, %151 : tensor<5xui32>
    %153 = mhlo.xor %145, %152 : tensor<5xui32>
    %154 = mhlo.add %145, %153 : tensor<5xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<5xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<5xui32>
    %161 = mhlo.or %157, %160 : tensor<5xui32>
    %162 = mhlo.xor %154, %161 : tensor<5xui32>
    %163 = mhlo.add %154, %162 : tensor<5xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<5xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<5xui32>
    %170 = mhlo.or %166, %169 : tensor<5xui32>
    %171 = mhlo.xor %163, %170 : tensor<5xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %173 = mhlo.add %163, %172 : tensor<5xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %175 = mhlo.add %171, %174 : tensor<5xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %178 = mhlo.add %175, %177 : tensor<5xui32>
    %179 = mhlo.add %173, %178 : tensor<5xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<5xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<5xui32>
    %186 = mhlo.or %182, %185 : tensor<5xui32>
    %187 = mhlo.xor %179, %186 : tensor<5xui32>
    %188 = mhlo.add %179, %187 : tensor<5xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<5xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<5xui32>
    %195 = mhlo.or %191, %194 : tensor<5xui32>
    %196 = mhlo.xor %188, %195 : tensor<5xui32>
    %197 = mhlo.add %188, %196 : tensor<5xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<5xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<5xui32>
    %204 = mhlo.or %200, %203 : tensor<5xui32>
    %205 = mhlo.xor %197, %204 : tensor<5xui32>
    %206 = mhlo.add %197, %205 : tensor<5xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<5xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<5xui32>
    %213 = mhlo.or %209, %212 : tensor<5xui32>
    %214 = mhlo.xor %206, %213 : tensor<5xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %216 = mhlo.add %206, %215 : tensor<5xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %218 = mhlo.add %214, %217 : tensor<5xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<5xui32>
    %221 = mhlo.add %218, %220 : tensor<5xui32>
    return %216, %221 : tensor<5xui32>, tensor<5xui32>
  }
  func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<3x4xf32> {
    %0 = mhlo.convert %arg1 : tensor<f32>
    %1 = mhlo.convert %arg2 : tensor<f32>
    %2 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %3 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1x1xf32>
    %4 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %5 = mhlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %7 = mhlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3x4xui64>
    %9 = "mhlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<3x4xui64>
    %10 = mhlo.constant dense<4> : tensor<ui64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<3x4xui64>
    %12 = mhlo.multiply %11, %8 : tensor<3x4xui64>
    %13 = mhlo.constant dense<1> : tensor<ui64>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<3x4xui64>
    %15 = mhlo.multiply %14, %9 : tensor<3x4xui64>
    %16 = mhlo.add %12, %15 : tensor<3x4xui64>
    %17 = mhlo.constant dense<32> : tensor<ui64>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<3x4xui64>
    %19 = mhlo.shift_right_logical %16, %18 : tensor<3x4xui64>
    %20 = mhlo.convert %16 : (tensor<3x4xui64>) -> tensor<3x4xui32>
    %21 = mhlo.convert %19 : (tensor<3x4xui64>) -> tensor<3x4xui32>
    %22:2 = call @threefry2x32_0(%5, %7, %21, %20) : (tensor<ui32>, tensor<ui32>, tensor<3x4xui32>, tensor<3x4xui32>) -> (tensor<3x4xui32>, tensor<3x4xui32>)
    %23 = mhlo.xor %22#0, %22#1 : tensor<3x4xui32>
    %24 = mhlo.constant dense<9> : tensor<ui32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %26 = mhlo.shift_right_logical %23, %25 : tensor<3x4xui32>
    %27 = mhlo.constant dense<1065353216> : tensor<ui32>
    %28 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %29 = mhlo.or %26, %28 : tensor<3x4xui32>
    %30 = mhlo.bitcast_convert %29 : (tensor<3x4xui32>) -> tensor<3x4xf32>
    %31 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = "mhlo.broadcast_in_dim"(%31) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %33 = mhlo.subtract %30, %32 : tensor<3x4xf32>
    %34 = mhlo.subtract %3, %2 : tensor<1x1xf32>
    %35 = "mhlo.broadcast_in_dim"(%34) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<3x4xf32>
    %36 = mhlo.multiply %33, %35 : tensor<3x4xf32>
    %37 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<3x4xf32>
    %38 = mhlo.add %36, %37 : tensor<3x4xf32>
    %39 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<[0, 1]> : tensor<2xi64>}> : (tensor<1x1xf32>) -> tensor<3x4xf32>
    %40 = mhlo.maximum %39, %38 : tensor<3x4xf32>
    return %40 : tensor<3x4xf32>
  }
  func.func private @threefry2x32_0(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3x4xui32>, %arg3: tensor<3x4xui32>) -> (tensor<3x4xui32>, tensor<3x4xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %4 = mhlo.add %arg2, %3 : tensor<3x4xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %6 = mhlo.add %arg3, %5 : tensor<3x4xui32>
    %7 = mhlo.add %4, %6 : tensor<3x4xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<3x4xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<3x4xui32>
    %14 = mhlo.or %10, %13 : tensor<3x4xui32>
    %15 = mhlo.xor %7, %14 : tensor<3x4xui32>
    %16 = mhlo.add %7, %15 : tensor<3x4xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<3x4xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<3x4xui32>
    %23 = mhlo.or %19, %22 : tensor<3x4xui32>
    %24 = mhlo.xor %16, %23 : tensor<3x4xui32>
    %25 = mhlo.add %16, %24 : tensor<3x4xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<3x4xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<3x4xui32>
    %32 = mhlo.or %28, %31 : tensor<3x4xui32>
    %33 = mhlo.xor %25, %32 : tensor<3x4xui32>
    %34 = mhlo.add %25, %33 : tensor<3x4xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<3x4xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<3x4xui32>
    %41 = mhlo.or %37, %40 : tensor<3x4xui32>
    %42 = mhlo.xor %34, %41 : tensor<3x4xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %44 = mhlo.add %34, %43 : tensor<3x4xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %46 = mhlo.add %42, %45 : tensor<3x4xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %49 = mhlo.add %46, %48 : tensor<3x4xui32>
    %50 = mhlo.add %44, %49 : tensor<3x4xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<3x4xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<3x4xui32>
    %57 = mhlo.or %53, %56 : tensor<3x4xui32>
    %58 = mhlo.xor %50, %57 : tensor<3x4xui32>
    %59 = mhlo.add %50, %58 : tensor<3x4xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<3x4xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<3x4xui32>
    %66 = mhlo.or %62, %65 : tensor<3x4xui32>
    %67 = mhlo.xor %59, %66 : tensor<3x4xui32>
    %68 = mhlo.add %59, %67 : tensor<3x4xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<3x4xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<3x4xui32>
    %75 = mhlo.or %71, %74 : tensor<3x4xui32>
    %76 = mhlo.xor %68, %75 : tensor<3x4xui32>
    %77 = mhlo.add %68, %76 : tensor<3x4xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<3x4xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<3x4xui32>
    %84 = mhlo.or %80, %83 : tensor<3x4xui32>
    %85 = mhlo.xor %77, %84 : tensor<3x4xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %87 = mhlo.add %77, %86 : tensor<3x4xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %89 = mhlo.add %85, %88 : tensor<3x4xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %92 = mhlo.add %89, %91 : tensor<3x4xui32>
    %93 = mhlo.add %87, %92 : tensor<3x4xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<3x4xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<3x4xui32>
    %100 = mhlo.or %96, %99 : tensor<3x4xui32>
    %101 = mhlo.xor %93, %100 : tensor<3x4xui32>
    %102 = mhlo.add %93, %101 : tensor<3x4xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<3x4xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<3x4xui32>
    %109 = mhlo.or %105, %108 : tensor<3x4xui32>
    %110 = mhlo.xor %102, %109 : tensor<3x4xui32>
    %111 = mhlo.add %102, %110 : tensor<3x4xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<3x4xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<3x4xui32>
    %118 = mhlo.or %114, %117 : tensor<3x4xui32>
    %119 = mhlo.xor %111, %118 : tensor<3x4xui32>
    %120 = mhlo.add %111, %119 : tensor<3x4xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<3x4xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<3x4xui32>
    %127 = mhlo.or %123, %126 : tensor<3x4xui32>
    %128 = mhlo.xor %120, %127 : tensor<3x4xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %130 = mhlo.add %120, %129 : tensor<3x4xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %132 = mhlo.add %128, %131 : tensor<3x4xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %135 = mhlo.add %132, %134 : tensor<3x4xui32>
    %136 = mhlo.add %130, %135 : tensor<3x4xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<3x4xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<3x4xui32>
    %143 = mhlo.or %139, %142 : tensor<3x4xui32>
    %144 = mhlo.xor %136, %143 : tensor<3x4xui32>
    %145 = mhlo.add %136, %144 : tensor<3x4xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<3x4xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<3x4xui32>
    %152 = mhlo.or %148, %151 : tensor<3x4xui32>
    %153 = mhlo.xor %145, %152 : tensor<3x4xui32>
    %154 = mhlo.add %145, %153 : tensor<3x4xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<3x4xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<3x4xui32>
    %161 = mhlo.or %157, %160 : tensor<3x4xui32>
    %162 = mhlo.xor %154, %161 : tensor<3x4xui32>
    %163 = mhlo.add %154, %162 : tensor<3x4xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<3x4xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<3x4xui32>
    %170 = mhlo.or %166, %169 : tensor<3x4xui32>
    %171 = mhlo.xor %163, %170 : tensor<3x4xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %173 = mhlo.add %163, %172 : tensor<3x4xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %175 = mhlo.add %171, %174 : tensor<3x4xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %178 = mhlo.add %175, %177 : tensor<3x4xui32>
    %179 = mhlo.add %173, %178 : tensor<3x4xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<3x4xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<3x4xui32>
    %186 = mhlo.or %182, %185 : tensor<3x4xui32>
    %187 = mhlo.xor %179, %186 : tensor<3x4xui32>
    %188 = mhlo.add %179, %187 : tensor<3x4xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<3x4xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<3x4xui32>
    %195 = mhlo.or %191, %194 : tensor<3x4xui32>
    %196 = mhlo.xor %188, %195 : tensor<3x4xui32>
    %197 = mhlo.add %188, %196 : tensor<3x4xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<3x4xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<3x4xui32>
    %204 = mhlo.or %200, %203 : tensor<3x4xui32>
    %205 = mhlo.xor %197, %204 : tensor<3x4xui32>
    %206 = mhlo.add %197, %205 : tensor<3x4xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<3x4xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<3x4xui32>
    %213 = mhlo.or %209, %212 : tensor<3x4xui32>
    %214 = mhlo.xor %206, %213 : tensor<3x4xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %216 = mhlo.add %206, %215 : tensor<3x4xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %218 = mhlo.add %214, %217 : tensor<3x4xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3x4xui32>
    %221 = mhlo.add %218, %220 : tensor<3x4xui32>
    return %216, %221 : tensor<3x4xui32>, tensor<3x4xui32>
  }
  func.func private @_normal(%arg0: tensor<2xui32>) -> tensor<7xf32> {
    %0 = call @_normal_real(%arg0) : (tensor<2xui32>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
  func.func private @_normal_real(%arg0: tensor<2xui32>) -> tensor<7xf32> {
    %0 = mhlo.constant dense<-0.99999994> : tensor<f32>
    %1 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = call @_uniform_1(%arg0, %0, %1) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<7xf32>
    %3 = mhlo.negate %2 : tensor<7xf32>
    %4 = mhlo.multiply %2, %3 : tensor<7xf32>
    %5 = mhlo.log_plus_one %4 : tensor<7xf32>
    %6 = mhlo.negate %5 : tensor<7xf32>
    %7 = mhlo.constant dense<5.000000e+00> : tensor<7xf32>
    %8 = mhlo.compare LT, %6, %7 : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %9 = mhlo.constant dense<2.500000e+00> : tensor<7xf32>
    %10 = mhlo.subtract %6, %9 : tensor<7xf32>
    %11 = mhlo.sqrt %6 : tensor<7xf32>
    %12 = mhlo.constant dense<3.000000e+00> : tensor<7xf32>
    %13 = mhlo.subtract %11, %12 : tensor<7xf32>
    %14 = mhlo.select %8, %10, %13 : tensor<7xi1>, tensor<7xf32>
    %15 = mhlo.constant dense<2.81022636E-8> : tensor<7xf32>
    %16 = mhlo.constant dense<-2.00214257E-4> : tensor<7xf32>
    %17 = mhlo.select %8, %15, %16 : tensor<7xi1>, tensor<7xf32>
    %18 = mhlo.constant dense<3.43273939E-7> : tensor<7xf32>
    %19 = mhlo.constant dense<1.00950558E-4> : tensor<7xf32>
    %20 = mhlo.select %8, %18, %19 : tensor<7xi1>, tensor<7xf32>
    %21 = mhlo.multiply %17, %14 : tensor<7xf32>
    %22 = mhlo.add %20, %21 : tensor<7xf32>
    %23 = mhlo.constant dense<-3.5233877E-6> : tensor<7xf32>
    %24 = mhlo.constant dense<0.00134934322> : tensor<7xf32>
    %25 = mhlo.select %8, %23, %24 : tensor<7xi1>, tensor<7xf32>
    %26 = mhlo.multiply %22, %14 : tensor<7xf32>
    %27 = mhlo.add %25, %26 : tensor<7xf32>
    %28 = mhlo.constant dense<-4.39150654E-6> : tensor<7xf32>
    %29 = mhlo.constant dense<-0.00367342844> : tensor<7xf32>
    %30 = mhlo.select %8, %28, %29 : tensor<7xi1>, tensor<7xf32>
    %31 = mhlo.multiply %27, %14 : tensor<7xf32>
    %32 = mhlo.add %30, %31 : tensor<7xf32>
    %33 = mhlo.constant dense<2.1858087E-4> : tensor<7xf32>
    %34 = mhlo.constant dense<0.00573950773> : tensor<7xf32>
    %35 = mhlo.select %8, %33, %34 : tensor<7xi1>, tensor<7xf32>
    %36 = mhlo.multiply %32, %14 : tensor<7xf32>
    %37 = mhlo.add %35, %36 : tensor<7xf32>
    %38 = mhlo.constant dense<-0.00125372503> : tensor<7xf32>
    %39 = mhlo.constant dense<-0.0076224613> : tensor<7xf32>
    %40 = mhlo.select %8, %38, %39 : tensor<7xi1>, tensor<7xf32>
    %41 = mhlo.multiply %37, %14 : tensor<7xf32>
    %42 = mhlo.add %40, %41 : tensor<7xf32>
    %43 = mhlo.constant dense<-0.00417768164> : tensor<7xf32>
    %44 = mhlo.constant dense<0.00943887047> : tensor<7xf32>
    %45 = mhlo.select %8, %43, %44 : tensor<7xi1>, tensor<7xf32>
    %46 = mhlo.multiply %42, %14 : tensor<7xf32>
    %47 = mhlo.add %45, %46 : tensor<7xf32>
    %48 = mhlo.constant dense<0.246640727> : tensor<7xf32>
    %49 = mhlo.constant dense<1.00167406> : tensor<7xf32>
    %50 = mhlo.select %8, %48, %49 : tensor<7xi1>, tensor<7xf32>
    %51 = mhlo.multiply %47, %14 : tensor<7xf32>
    %52 = mhlo.add %50, %51 : tensor<7xf32>
    %53 = mhlo.constant dense<1.50140941> : tensor<7xf32>
    %54 = mhlo.constant dense<2.83297682> : tensor<7xf32>
    %55 = mhlo.select %8, %53, %54 : tensor<7xi1>, tensor<7xf32>
    %56 = mhlo.multiply %52, %14 : tensor<7xf32>
    %57 = mhlo.add %55, %56 : tensor<7xf32>
    %58 = mhlo.multiply %57, %2 : tensor<7xf32>
    %59 = mhlo.abs %2 : tensor<7xf32>
    %60 = mhlo.constant dense<1.000000e+00> : tensor<7xf32>
    %61 = mhlo.compare EQ, %59, %60 : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
    %62 = mhlo.constant dense<0x7F800000> : tensor<7xf32>
    %63 = mhlo.multiply %2, %62 : tensor<7xf32>
    %64 = mhlo.select %61, %63, %58 : tensor<7xi1>, tensor<7xf32>
    %65 = mhlo.constant dense<1.41421354> : tensor<f32>
    %66 = "mhlo.broadcast_in_dim"(%65) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<7xf32>
    %67 = mhlo.multiply %66, %64 : tensor<7xf32>
    return %67 : tensor<7xf32>
  }
  func.func private @_uniform_1(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<7xf32> {
    %0 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "mhlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1xf32>
    %2 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = mhlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %5 = mhlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<7xui64>
    %7 = mhlo.constant dense<1> : tensor<ui64>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<7xui64>
    %9 = mhlo.multiply %8, %6 : tensor<7xui64>
    %10 = mhlo.constant dense<32> : tensor<ui64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<7xui64>
    %12 = mhlo.shift_right_logical %9, %11 : tensor<7xui64>
    %13 = mhlo.convert %9 : (tensor<7xui64>) -> tensor<7xui32>
    %14 = mhlo.convert %12 : (tensor<7xui64>) -> tensor<7xui32>
    %15:2 = call @threefry2x32_2(%3, %5, %14, %13) : (tensor<ui32>, tensor<ui32>, tensor<7xui32>, tensor<7xui32>) -> (tensor<7xui32>, tensor<7xui32>)
    %16 = mhlo.xor %15#0, %15#1 : tensor<7xui32>
    %17 = mhlo.constant dense<9> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %19 = mhlo.shift_right_logical %16, %18 : tensor<7xui32>
    %20 = mhlo.constant dense<1065353216> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %22 = mhlo.or %19, %21 : tensor<7xui32>
    %23 = mhlo.bitcast_convert %22 : (tensor<7xui32>) -> tensor<7xf32>
    %24 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = "mhlo.broadcast_in_dim"(%24) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<7xf32>
    %26 = mhlo.subtract %23, %25 : tensor<7xf32>
    %27 = mhlo.subtract %1, %0 : tensor<1xf32>
    %28 = "mhlo.broadcast_in_dim"(%27) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<7xf32>
    %29 = mhlo.multiply %26, %28 : tensor<7xf32>
    %30 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<7xf32>
    %31 = mhlo.add %29, %30 : tensor<7xf32>
    %32 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<7xf32>
    %33 = mhlo.maximum %32, %31 : tensor<7xf32>
    return %33 : tensor<7xf32>
  }
  func.func private @threefry2x32_2(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<7xui32>, %arg3: tensor<7xui32>) -> (tensor<7xui32>, tensor<7xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %4 = mhlo.add %arg2, %3 : tensor<7xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %6 = mhlo.add %arg3, %5 : tensor<7xui32>
    %7 = mhlo.add %4, %6 : tensor<7xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<7xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<7xui32>
    %14 = mhlo.or %10, %13 : tensor<7xui32>
    %15 = mhlo.xor %7, %14 : tensor<7xui32>
    %16 = mhlo.add %7, %15 : tensor<7xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<7xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<7xui32>
    %23 = mhlo.or %19, %22 : tensor<7xui32>
    %24 = mhlo.xor %16, %23 : tensor<7xui32>
    %25 = mhlo.add %16, %24 : tensor<7xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<7xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<7xui32>
    %32 = mhlo.or %28, %31 : tensor<7xui32>
    %33 = mhlo.xor %25, %32 : tensor<7xui32>
    %34 = mhlo.add %25, %33 : tensor<7xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<7xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<7xui32>
    %41 = mhlo.or %37, %40 : tensor<7xui32>
    %42 = mhlo.xor %34, %41 : tensor<7xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %44 = mhlo.add %34, %43 : tensor<7xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %46 = mhlo.add %42, %45 : tensor<7xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %49 = mhlo.add %46, %48 : tensor<7xui32>
    %50 = mhlo.add %44, %49 : tensor<7xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<7xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<7xui32>
    %57 = mhlo.or %53, %56 : tensor<7xui32>
    %58 = mhlo.xor %50, %57 : tensor<7xui32>
    %59 = mhlo.add %50, %58 : tensor<7xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<7xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<7xui32>
    %66 = mhlo.or %62, %65 : tensor<7xui32>
    %67 = mhlo.xor %59, %66 : tensor<7xui32>
    %68 = mhlo.add %59, %67 : tensor<7xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<7xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<7xui32>
    %75 = mhlo.or %71, %74 : tensor<7xui32>
    %76 = mhlo.xor %68, %75 : tensor<7xui32>
    %77 = mhlo.add %68, %76 : tensor<7xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<7xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<7xui32>
    %84 = mhlo.or %80, %83 : tensor<7xui32>
    %85 = mhlo.xor %77, %84 : tensor<7xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %87 = mhlo.add %77, %86 : tensor<7xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %89 = mhlo.add %85, %88 : tensor<7xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %92 = mhlo.add %89, %91 : tensor<7xui32>
    %93 = mhlo.add %87, %92 : tensor<7xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<7xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<7xui32>
    %100 = mhlo.or %96, %99 : tensor<7xui32>
    %101 = mhlo.xor %93, %100 : tensor<7xui32>
    %102 = mhlo.add %93, %101 : tensor<7xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<7xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<7xui32>
    %109 = mhlo.or %105, %108 : tensor<7xui32>
    %110 = mhlo.xor %102, %109 : tensor<7xui32>
    %111 = mhlo.add %102, %110 : tensor<7xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<7xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<7xui32>
    %118 = mhlo.or %114, %117 : tensor<7xui32>
    %119 = mhlo.xor %111, %118 : tensor<7xui32>
    %120 = mhlo.add %111, %119 : tensor<7xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<7xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<7xui32>
    %127 = mhlo.or %123, %126 : tensor<7xui32>
    %128 = mhlo.xor %120, %127 : tensor<7xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %130 = mhlo.add %120, %129 : tensor<7xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %132 = mhlo.add %128, %131 : tensor<7xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %135 = mhlo.add %132, %134 : tensor<7xui32>
    %136 = mhlo.add %130, %135 : tensor<7xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<7xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<7xui32>
    %143 = mhlo.or %139, %142 : tensor<7xui32>
    %144 = mhlo.xor %136, %143 : tensor<7xui32>
    %145 = mhlo.add %136, %144 : tensor<7xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<7xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<7xui32>
    %152 = mhlo.or %148, %151 : tensor<7xui32>
    %153 = mhlo.xor %145, %152 : tensor<7xui32>
    %154 = mhlo.add %145, %153 : tensor<7xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<7xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<7xui32>
    %161 = mhlo.or %157, %160 : tensor<7xui32>
    %162 = mhlo.xor %154, %161 : tensor<7xui32>
    %163 = mhlo.add %154, %162 : tensor<7xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<7xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<7xui32>
    %170 = mhlo.or %166, %169 : tensor<7xui32>
    %171 = mhlo.xor %163, %170 : tensor<7xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %173 = mhlo.add %163, %172 : tensor<7xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %175 = mhlo.add %171, %174 : tensor<7xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %178 = mhlo.add %175, %177 : tensor<7xui32>
    %179 = mhlo.add %173, %178 : tensor<7xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<7xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<7xui32>
    %186 = mhlo.or %182, %185 : tensor<7xui32>
    %187 = mhlo.xor %179, %186 : tensor<7xui32>
    %188 = mhlo.add %179, %187 : tensor<7xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<7xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<7xui32>
    %195 = mhlo.or %191, %194 : tensor<7xui32>
    %196 = mhlo.xor %188, %195 : tensor<7xui32>
    %197 = mhlo.add %188, %196 : tensor<7xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<7xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<7xui32>
    %204 = mhlo.or %200, %203 : tensor<7xui32>
    %205 = mhlo.xor %197, %204 : tensor<7xui32>
    %206 = mhlo.add %197, %205 : tensor<7xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<7xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<7xui32>
    %213 = mhlo.or %209, %212 : tensor<7xui32>
    %214 = mhlo.xor %206, %213 : tensor<7xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %216 = mhlo.add %206, %215 : tensor<7xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %218 = mhlo.add %214, %217 : tensor<7xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<7xui32>
    %221 = mhlo.add %218, %220 : tensor<7xui32>
    return %216, %221 : tensor<7xui32>, tensor<7xui32>
  }
  func.func private @_randint(%arg0: tensor<2xui32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<6xi32> {
    %0 = mhlo.constant dense<2147483647> : tensor<i32>
    %1 = mhlo.constant dense<-2147483648> : tensor<i32>
    %2 = mhlo.constant dense<2147483647> : tensor<i32>
    %3 = call @clip(%0, %1, %2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %4 = mhlo.compare GT, %arg2, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = mhlo.constant dense<-2147483648> : tensor<i32>
    %6 = mhlo.constant dense<2147483647> : tensor<i32>
    %7 = call @clip_3(%arg1, %5, %6) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %8 = mhlo.convert %7 : tensor<i32>
    %9 = mhlo.constant dense<-2147483648> : tensor<i32>
    %10 = mhlo.constant dense<2147483647> : tensor<i32>
    %11 = call @clip_3(%arg2, %9, %10) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %12 = mhlo.convert %11 : tensor<i32>
    %13 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %14 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<1xi32>
    %15 = call @_threefry_split(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
    %16 = "mhlo.slice"(%15) <{limit_indices = dense<[1, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %17 = mhlo.reshape %16 : (tensor<1x2xui32>) -> tensor<2xui32>
    %18 = "mhlo.slice"(%15) <{limit_indices = dense<2> : tensor<2xi64>, start_indices = dense<[1, 0]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %19 = mhlo.reshape %18 : (tensor<1x2xui32>) -> tensor<2xui32>
    %20 = "mhlo.slice"(%17) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %21 = mhlo.reshape %20 : (tensor<1xui32>) -> tensor<ui32>
    %22 = "mhlo.slice"(%17) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %23 = mhlo.reshape %22 : (tensor<1xui32>) -> tensor<ui32>
    %24 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xui64>
    %25 = mhlo.constant dense<1> : tensor<ui64>
    %26 = "mhlo.broadcast_in_dim"(%25) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<6xui64>
    %27 = mhlo.multiply %26, %24 : tensor<6xui64>
    %28 = mhlo.constant dense<32> : tensor<ui64>
    %29 = "mhlo.broadcast_in_dim"(%28) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<6xui64>
    %30 = mhlo.shift_right_logical %27, %29 : tensor<6xui64>
    %31 = mhlo.convert %27 : (tensor<6xui64>) -> tensor<6xui32>
    %32 = mhlo.convert %30 : (tensor<6xui64>) -> tensor<6xui32>
    %33:2 = call @threefry2x32_5(%21, %23, %32, %31) : (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
    %34 = mhlo.xor %33#0, %33#1 : tensor<6xui32>
    %35 = "mhlo.slice"(%19) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %36 = mhlo.reshape %35 : (tensor<1xui32>) -> tensor<ui32>
    %37 = "mhlo.slice"(%19) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %38 = mhlo.reshape %37 : (tensor<1xui32>) -> tensor<ui32>
    %39 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<6xui64>
    %40 = mhlo.constant dense<1> : tensor<ui64>
    %41 = "mhlo.broadcast_in_dim"(%40) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<6xui64>
    %42 = mhlo.multiply %41, %39 : tensor<6xui64>
    %43 = mhlo.constant dense<32> : tensor<ui64>
    %44 = "mhlo.broadcast_in_dim"(%43) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<6xui64>
    %45 = mhlo.shift_right_logical %42, %44 : tensor<6xui64>
    %46 = mhlo.convert %42 : (tensor<6xui64>) -> tensor<6xui32>
    %47 = mhlo.convert %45 : (tensor<6xui64>) -> tensor<6xui32>
    %48:2 = call @threefry2x32_5(%36, %38, %47, %46) : (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
    %49 = mhlo.xor %48#0, %48#1 : tensor<6xui32>
    %50 = mhlo.subtract %14, %13 : tensor<1xi32>
    %51 = mhlo.convert %50 : (tensor<1xi32>) -> tensor<1xui32>
    %52 = mhlo.compare LE, %14, %13, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %53 = mhlo.constant dense<1> : tensor<ui32>
    %54 = "mhlo.broadcast_in_dim"(%53) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %55 = mhlo.select %52, %54, %51 : tensor<1xi1>, tensor<1xui32>
    %56 = mhlo.compare GT, %14, %13, SIGNED : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %57 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<1xi1>
    %58 = mhlo.and %57, %56 : tensor<1xi1>
    %59 = mhlo.constant dense<1> : tensor<ui32>
    %60 = "mhlo.broadcast_in_dim"(%59) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %61 = mhlo.add %55, %60 : tensor<1xui32>
    %62 = mhlo.select %58, %61, %55 : tensor<1xi1>, tensor<1xui32>
    %63 = mhlo.constant dense<65536> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %65 = mhlo.remainder %64, %62 : tensor<1xui32>
    %66 = mhlo.multiply %65, %65 : tensor<1xui32>
    %67 = mhlo.remainder %66, %62 : tensor<1xui32>
    %68 = "mhlo.broadcast_in_dim"(%62) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xui32>) -> tensor<6xui32>
    %69 = mhlo.remainder %34, %68 : tensor<6xui32>
    %70 = "mhlo.broadcast_in_dim"(%67) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xui32>) -> tensor<6xui32>
    %71 = mhlo.multiply %69, %70 : tensor<6xui32>
    %72 = "mhlo.broadcast_in_dim"(%62) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xui32>) -> tensor<6xui32>
    %73 = mhlo.remainder %49, %72 : tensor<6xui32>
    %74 = mhlo.add %71, %73 : tensor<6xui32>
    %75 = "mhlo.broadcast_in_dim"(%62) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xui32>) -> tensor<6xui32>
    %76 = mhlo.remainder %74, %75 : tensor<6xui32>
    %77 = mhlo.convert %76 : (tensor<6xui32>) -> tensor<6xi32>
    %78 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xi32>) -> tensor<6xi32>
    %79 = mhlo.add %78, %77 : tensor<6xi32>
    return %79 : tensor<6xi32>
  }
  func.func private @clip(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = mhlo.maximum %arg1, %arg0 : tensor<i32>
    %1 = mhlo.minimum %arg2, %0 : tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @clip_3(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = mhlo.maximum %arg1, %arg0 : tensor<i32>
    %1 = mhlo.minimum %arg2, %0 : tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
    %0 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = mhlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = mhlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2xui64>
    %5 = mhlo.constant dense<1> : tensor<ui64>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<2xui64>
    %7 = mhlo.multiply %6, %4 : tensor<2xui64>
    %8 = mhlo.constant dense<32> : tensor<ui64>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<2xui64>
    %10 = mhlo.shift_right_logical %7, %9 : tensor<2xui64>
    %11 = mhlo.convert %7 : (tensor<2xui64>) -> tensor<2xui32>
    %12 = mhlo.convert %10 : (tensor<2xui64>) -> tensor<2xui32>
    %13:2 = call @threefry2x32_4(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
    %14 = "mhlo.broadcast_in_dim"(%13#0) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %15 = "mhlo.broadcast_in_dim"(%13#1) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<2x1xui32>
    %16 = "mhlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
    return %16 : tensor<2x2xui32>
  }
  func.func private @threefry2x32_4(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %4 = mhlo.add %arg2, %3 : tensor<2xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %6 = mhlo.add %arg3, %5 : tensor<2xui32>
    %7 = mhlo.add %4, %6 : tensor<2xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<2xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<2xui32>
    %14 = mhlo.or %10, %13 : tensor<2xui32>
    %15 = mhlo.xor %7, %14 : tensor<2xui32>
    %16 = mhlo.add %7, %15 : tensor<2xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<2xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<2xui32>
    %23 = mhlo.or %19, %22 : tensor<2xui32>
    %24 = mhlo.xor %16, %23 : tensor<2xui32>
    %25 = mhlo.add %16, %24 : tensor<2xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<2xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<2xui32>
    %32 = mhlo.or %28, %31 : tensor<2xui32>
    %33 = mhlo.xor %25, %32 : tensor<2xui32>
    %34 = mhlo.add %25, %33 : tensor<2xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<2xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<2xui32>
    %41 = mhlo.or %37, %40 : tensor<2xui32>
    %42 = mhlo.xor %34, %41 : tensor<2xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %44 = mhlo.add %34, %43 : tensor<2xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %46 = mhlo.add %42, %45 : tensor<2xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %49 = mhlo.add %46, %48 : tensor<2xui32>
    %50 = mhlo.add %44, %49 : tensor<2xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<2xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<2xui32>
    %57 = mhlo.or %53, %56 : tensor<2xui32>
    %58 = mhlo.xor %50, %57 : tensor<2xui32>
    %59 = mhlo.add %50, %58 : tensor<2xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<2xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<2xui32>
    %66 = mhlo.or %62, %65 : tensor<2xui32>
    %67 = mhlo.xor %59, %66 : tensor<2xui32>
    %68 = mhlo.add %59, %67 : tensor<2xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<2xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<2xui32>
    %75 = mhlo.or %71, %74 : tensor<2xui32>
    %76 = mhlo.xor %68, %75 : tensor<2xui32>
    %77 = mhlo.add %68, %76 : tensor<2xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<2xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<2xui32>
    %84 = mhlo.or %80, %83 : tensor<2xui32>
    %85 = mhlo.xor %77, %84 : tensor<2xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %87 = mhlo.add %77, %86 : tensor<2xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %89 = mhlo.add %85, %88 : tensor<2xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %92 = mhlo.add %89, %91 : tensor<2xui32>
    %93 = mhlo.add %87, %92 : tensor<2xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<2xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<2xui32>
    %100 = mhlo.or %96, %99 : tensor<2xui32>
    %101 = mhlo.xor %93, %100 : tensor<2xui32>
    %102 = mhlo.add %93, %101 : tensor<2xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<2xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<2xui32>
    %109 = mhlo.or %105, %108 : tensor<2xui32>
    %110 = mhlo.xor %102, %109 : tensor<2xui32>
    %111 = mhlo.add %102, %110 : tensor<2xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<2xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<2xui32>
    %118 = mhlo.or %114, %117 : tensor<2xui32>
    %119 = mhlo.xor %111, %118 : tensor<2xui32>
    %120 = mhlo.add %111, %119 : tensor<2xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<2xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<2xui32>
    %127 = mhlo.or %123, %126 : tensor<2xui32>
    %128 = mhlo.xor %120, %127 : tensor<2xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %130 = mhlo.add %120, %129 : tensor<2xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %132 = mhlo.add %128, %131 : tensor<2xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %135 = mhlo.add %132, %134 : tensor<2xui32>
    %136 = mhlo.add %130, %135 : tensor<2xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<2xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<2xui32>
    %143 = mhlo.or %139, %142 : tensor<2xui32>
    %144 = mhlo.xor %136, %143 : tensor<2xui32>
    %145 = mhlo.add %136, %144 : tensor<2xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<2xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<2xui32>
    %152 = mhlo.or %148, %151 : tensor<2xui32>
    %153 = mhlo.xor %145, %152 : tensor<2xui32>
    %154 = mhlo.add %145, %153 : tensor<2xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<2xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<2xui32>
    %161 = mhlo.or %157, %160 : tensor<2xui32>
    %162 = mhlo.xor %154, %161 : tensor<2xui32>
    %163 = mhlo.add %154, %162 : tensor<2xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<2xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<2xui32>
    %170 = mhlo.or %166, %169 : tensor<2xui32>
    %171 = mhlo.xor %163, %170 : tensor<2xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %173 = mhlo.add %163, %172 : tensor<2xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %175 = mhlo.add %171, %174 : tensor<2xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %178 = mhlo.add %175, %177 : tensor<2xui32>
    %179 = mhlo.add %173, %178 : tensor<2xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<2xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<2xui32>
    %186 = mhlo.or %182, %185 : tensor<2xui32>
    %187 = mhlo.xor %179, %186 : tensor<2xui32>
    %188 = mhlo.add %179, %187 : tensor<2xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<2xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<2xui32>
    %195 = mhlo.or %191, %194 : tensor<2xui32>
    %196 = mhlo.xor %188, %195 : tensor<2xui32>
    %197 = mhlo.add %188, %196 : tensor<2xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<2xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<2xui32>
    %204 = mhlo.or %200, %203 : tensor<2xui32>
    %205 = mhlo.xor %197, %204 : tensor<2xui32>
    %206 = mhlo.add %197, %205 : tensor<2xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<2xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<2xui32>
    %213 = mhlo.or %209, %212 : tensor<2xui32>
    %214 = mhlo.xor %206, %213 : tensor<2xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %216 = mhlo.add %206, %215 : tensor<2xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %218 = mhlo.add %214, %217 : tensor<2xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<2xui32>
    %221 = mhlo.add %218, %220 : tensor<2xui32>
    return %216, %221 : tensor<2xui32>, tensor<2xui32>
  }
  func.func private @threefry2x32_5(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<6xui32>, %arg3: tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %4 = mhlo.add %arg2, %3 : tensor<6xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %6 = mhlo.add %arg3, %5 : tensor<6xui32>
    %7 = mhlo.add %4, %6 : tensor<6xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<6xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<6xui32>
    %14 = mhlo.or %10, %13 : tensor<6xui32>
    %15 = mhlo.xor %7, %14 : tensor<6xui32>
    %16 = mhlo.add %7, %15 : tensor<6xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<6xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<6xui32>
    %23 = mhlo.or %19, %22 : tensor<6xui32>
    %24 = mhlo.xor %16, %23 : tensor<6xui32>
    %25 = mhlo.add %16, %24 : tensor<6xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<6xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<6xui32>
    %32 = mhlo.or %28, %31 : tensor<6xui32>
    %33 = mhlo.xor %25, %32 : tensor<6xui32>
    %34 = mhlo.add %25, %33 : tensor<6xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<6xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<6xui32>
    %41 = mhlo.or %37, %40 : tensor<6xui32>
    %42 = mhlo.xor %34, %41 : tensor<6xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %44 = mhlo.add %34, %43 : tensor<6xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %46 = mhlo.add %42, %45 : tensor<6xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %49 = mhlo.add %46, %48 : tensor<6xui32>
    %50 = mhlo.add %44, %49 : tensor<6xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<6xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<6xui32>
    %57 = mhlo.or %53, %56 : tensor<6xui32>
    %58 = mhlo.xor %50, %57 : tensor<6xui32>
    %59 = mhlo.add %50, %58 : tensor<6xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<6xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<6xui32>
    %66 = mhlo.or %62, %65 : tensor<6xui32>
    %67 = mhlo.xor %59, %66 : tensor<6xui32>
    %68 = mhlo.add %59, %67 : tensor<6xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<6xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<6xui32>
    %75 = mhlo.or %71, %74 : tensor<6xui32>
    %76 = mhlo.xor %68, %75 : tensor<6xui32>
    %77 = mhlo.add %68, %76 : tensor<6xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<6xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<6xui32>
    %84 = mhlo.or %80, %83 : tensor<6xui32>
    %85 = mhlo.xor %77, %84 : tensor<6xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %87 = mhlo.add %77, %86 : tensor<6xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %89 = mhlo.add %85, %88 : tensor<6xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %92 = mhlo.add %89, %91 : tensor<6xui32>
    %93 = mhlo.add %87, %92 : tensor<6xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<6xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<6xui32>
    %100 = mhlo.or %96, %99 : tensor<6xui32>
    %101 = mhlo.xor %93, %100 : tensor<6xui32>
    %102 = mhlo.add %93, %101 : tensor<6xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<6xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<6xui32>
    %109 = mhlo.or %105, %108 : tensor<6xui32>
    %110 = mhlo.xor %102, %109 : tensor<6xui32>
    %111 = mhlo.add %102, %110 : tensor<6xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<6xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<6xui32>
    %118 = mhlo.or %114, %117 : tensor<6xui32>
    %119 = mhlo.xor %111, %118 : tensor<6xui32>
    %120 = mhlo.add %111, %119 : tensor<6xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<6xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<6xui32>
    %127 = mhlo.or %123, %126 : tensor<6xui32>
    %128 = mhlo.xor %120, %127 : tensor<6xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %130 = mhlo.add %120, %129 : tensor<6xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %132 = mhlo.add %128, %131 : tensor<6xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %135 = mhlo.add %132, %134 : tensor<6xui32>
    %136 = mhlo.add %130, %135 : tensor<6xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<6xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<6xui32>
    %143 = mhlo.or %139, %142 : tensor<6xui32>
    %144 = mhlo.xor %136, %143 : tensor<6xui32>
    %145 = mhlo.add %136, %144 : tensor<6xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<6xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<6xui32>
    %152 = mhlo.or %148, %151 : tensor<6xui32>
    %153 = mhlo.xor %145, %152 : tensor<6xui32>
    %154 = mhlo.add %145, %153 : tensor<6xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<6xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<6xui32>
    %161 = mhlo.or %157, %160 : tensor<6xui32>
    %162 = mhlo.xor %154, %161 : tensor<6xui32>
    %163 = mhlo.add %154, %162 : tensor<6xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<6xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<6xui32>
    %170 = mhlo.or %166, %169 : tensor<6xui32>
    %171 = mhlo.xor %163, %170 : tensor<6xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %173 = mhlo.add %163, %172 : tensor<6xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %175 = mhlo.add %171, %174 : tensor<6xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %178 = mhlo.add %175, %177 : tensor<6xui32>
    %179 = mhlo.add %173, %178 : tensor<6xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<6xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<6xui32>
    %186 = mhlo.or %182, %185 : tensor<6xui32>
    %187 = mhlo.xor %179, %186 : tensor<6xui32>
    %188 = mhlo.add %179, %187 : tensor<6xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<6xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<6xui32>
    %195 = mhlo.or %191, %194 : tensor<6xui32>
    %196 = mhlo.xor %188, %195 : tensor<6xui32>
    %197 = mhlo.add %188, %196 : tensor<6xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<6xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<6xui32>
    %204 = mhlo.or %200, %203 : tensor<6xui32>
    %205 = mhlo.xor %197, %204 : tensor<6xui32>
    %206 = mhlo.add %197, %205 : tensor<6xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<6xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<6xui32>
    %213 = mhlo.or %209, %212 : tensor<6xui32>
    %214 = mhlo.xor %206, %213 : tensor<6xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %216 = mhlo.add %206, %215 : tensor<6xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %218 = mhlo.add %214, %217 : tensor<6xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<6xui32>
    %221 = mhlo.add %218, %220 : tensor<6xui32>
    return %216, %221 : tensor<6xui32>, tensor<6xui32>
  }
  func.func private @_bernoulli(%arg0: tensor<2xui32>, %arg1: tensor<f32>) -> tensor<9xi1> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = call @_uniform_6(%arg0, %0, %1) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<9xf32>
    %3 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<9xf32>
    %4 = mhlo.compare LT, %2, %3, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    return %4 : tensor<9xi1>
  }
  func.func private @_uniform_6(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<9xf32> {
    %0 = mhlo.convert %arg1 : tensor<f32>
    %1 = mhlo.convert %arg2 : tensor<f32>
    %2 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1xf32>
    %3 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<1xf32>
    %4 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %5 = mhlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
    %6 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %7 = mhlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
    %8 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<9xui64>
    %9 = mhlo.constant dense<1> : tensor<ui64>
    %10 = "mhlo.broadcast_in_dim"(%9) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<9xui64>
    %11 = mhlo.multiply %10, %8 : tensor<9xui64>
    %12 = mhlo.constant dense<32> : tensor<ui64>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<9xui64>
    %14 = mhlo.shift_right_logical %11, %13 : tensor<9xui64>
    %15 = mhlo.convert %11 : (tensor<9xui64>) -> tensor<9xui32>
    %16 = mhlo.convert %14 : (tensor<9xui64>) -> tensor<9xui32>
    %17:2 = call @threefry2x32_7(%5, %7, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<9xui32>, tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>)
    %18 = mhlo.xor %17#0, %17#1 : tensor<9xui32>
    %19 = mhlo.constant dense<9> : tensor<ui32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %21 = mhlo.shift_right_logical %18, %20 : tensor<9xui32>
    %22 = mhlo.constant dense<1065353216> : tensor<ui32>
    %23 = "mhlo.broadcast_in_dim"(%22) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %24 = mhlo.or %21, %23 : tensor<9xui32>
    %25 = mhlo.bitcast_convert %24 : (tensor<9xui32>) -> tensor<9xf32>
    %26 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<9xf32>
    %28 = mhlo.subtract %25, %27 : tensor<9xf32>
    %29 = mhlo.subtract %3, %2 : tensor<1xf32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<9xf32>
    %31 = mhlo.multiply %28, %30 : tensor<9xf32>
    %32 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<9xf32>
    %33 = mhlo.add %31, %32 : tensor<9xf32>
    %34 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<1xf32>) -> tensor<9xf32>
    %35 = mhlo.maximum %34, %33 : tensor<9xf32>
    return %35 : tensor<9xf32>
  }
  func.func private @threefry2x32_7(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<9xui32>, %arg3: tensor<9xui32>) -> (tensor<9xui32>, tensor<9xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %4 = mhlo.add %arg2, %3 : tensor<9xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %6 = mhlo.add %arg3, %5 : tensor<9xui32>
    %7 = mhlo.add %4, %6 : tensor<9xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<9xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<9xui32>
    %14 = mhlo.or %10, %13 : tensor<9xui32>
    %15 = mhlo.xor %7, %14 : tensor<9xui32>
    %16 = mhlo.add %7, %15 : tensor<9xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<9xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<9xui32>
    %23 = mhlo.or %19, %22 : tensor<9xui32>
    %24 = mhlo.xor %16, %23 : tensor<9xui32>
    %25 = mhlo.add %16, %24 : tensor<9xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<9xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<9xui32>
    %32 = mhlo.or %28, %31 : tensor<9xui32>
    %33 = mhlo.xor %25, %32 : tensor<9xui32>
    %34 = mhlo.add %25, %33 : tensor<9xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<9xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<9xui32>
    %41 = mhlo.or %37, %40 : tensor<9xui32>
    %42 = mhlo.xor %34, %41 : tensor<9xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %44 = mhlo.add %34, %43 : tensor<9xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %46 = mhlo.add %42, %45 : tensor<9xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %49 = mhlo.add %46, %48 : tensor<9xui32>
    %50 = mhlo.add %44, %49 : tensor<9xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<9xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<9xui32>
    %57 = mhlo.or %53, %56 : tensor<9xui32>
    %58 = mhlo.xor %50, %57 : tensor<9xui32>
    %59 = mhlo.add %50, %58 : tensor<9xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<9xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<9xui32>
    %66 = mhlo.or %62, %65 : tensor<9xui32>
    %67 = mhlo.xor %59, %66 : tensor<9xui32>
    %68 = mhlo.add %59, %67 : tensor<9xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<9xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<9xui32>
    %75 = mhlo.or %71, %74 : tensor<9xui32>
    %76 = mhlo.xor %68, %75 : tensor<9xui32>
    %77 = mhlo.add %68, %76 : tensor<9xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<9xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<9xui32>
    %84 = mhlo.or %80, %83 : tensor<9xui32>
    %85 = mhlo.xor %77, %84 : tensor<9xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %87 = mhlo.add %77, %86 : tensor<9xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %89 = mhlo.add %85, %88 : tensor<9xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %92 = mhlo.add %89, %91 : tensor<9xui32>
    %93 = mhlo.add %87, %92 : tensor<9xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<9xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<9xui32>
    %100 = mhlo.or %96, %99 : tensor<9xui32>
    %101 = mhlo.xor %93, %100 : tensor<9xui32>
    %102 = mhlo.add %93, %101 : tensor<9xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<9xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<9xui32>
    %109 = mhlo.or %105, %108 : tensor<9xui32>
    %110 = mhlo.xor %102, %109 : tensor<9xui32>
    %111 = mhlo.add %102, %110 : tensor<9xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<9xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<9xui32>
    %118 = mhlo.or %114, %117 : tensor<9xui32>
    %119 = mhlo.xor %111, %118 : tensor<9xui32>
    %120 = mhlo.add %111, %119 : tensor<9xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<9xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<9xui32>
    %127 = mhlo.or %123, %126 : tensor<9xui32>
    %128 = mhlo.xor %120, %127 : tensor<9xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %130 = mhlo.add %120, %129 : tensor<9xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %132 = mhlo.add %128, %131 : tensor<9xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %135 = mhlo.add %132, %134 : tensor<9xui32>
    %136 = mhlo.add %130, %135 : tensor<9xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<9xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<9xui32>
    %143 = mhlo.or %139, %142 : tensor<9xui32>
    %144 = mhlo.xor %136, %143 : tensor<9xui32>
    %145 = mhlo.add %136, %144 : tensor<9xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<9xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<9xui32>
    %152 = mhlo.or %148, %151 : tensor<9xui32>
    %153 = mhlo.xor %145, %152 : tensor<9xui32>
    %154 = mhlo.add %145, %153 : tensor<9xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<9xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<9xui32>
    %161 = mhlo.or %157, %160 : tensor<9xui32>
    %162 = mhlo.xor %154, %161 : tensor<9xui32>
    %163 = mhlo.add %154, %162 : tensor<9xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<9xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<9xui32>
    %170 = mhlo.or %166, %169 : tensor<9xui32>
    %171 = mhlo.xor %163, %170 : tensor<9xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %173 = mhlo.add %163, %172 : tensor<9xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %175 = mhlo.add %171, %174 : tensor<9xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %178 = mhlo.add %175, %177 : tensor<9xui32>
    %179 = mhlo.add %173, %178 : tensor<9xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<9xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<9xui32>
    %186 = mhlo.or %182, %185 : tensor<9xui32>
    %187 = mhlo.xor %179, %186 : tensor<9xui32>
    %188 = mhlo.add %179, %187 : tensor<9xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<9xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<9xui32>
    %195 = mhlo.or %191, %194 : tensor<9xui32>
    %196 = mhlo.xor %188, %195 : tensor<9xui32>
    %197 = mhlo.add %188, %196 : tensor<9xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<9xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<9xui32>
    %204 = mhlo.or %200, %203 : tensor<9xui32>
    %205 = mhlo.xor %197, %204 : tensor<9xui32>
    %206 = mhlo.add %197, %205 : tensor<9xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<9xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<9xui32>
    %213 = mhlo.or %209, %212 : tensor<9xui32>
    %214 = mhlo.xor %206, %213 : tensor<9xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %216 = mhlo.add %206, %215 : tensor<9xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %218 = mhlo.add %214, %217 : tensor<9xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<9xui32>
    %221 = mhlo.add %218, %220 : tensor<9xui32>
    return %216, %221 : tensor<9xui32>, tensor<9xui32>
  }
  func.func private @_shuffle(%arg0: tensor<2xui32>, %arg1: tensor<8xi32>) -> tensor<8xi32> {
    %0 = call @_threefry_split(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
    %1 = "mhlo.slice"(%0) <{limit_indices = dense<[1, 2]> : tensor<2xi64>, start_indices = dense<0> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %2 = mhlo.reshape %1 : (tensor<1x2xui32>) -> tensor<2xui32>
    %3 = "mhlo.slice"(%0) <{limit_indices = dense<2> : tensor<2xi64>, start_indices = dense<[1, 0]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}> : (tensor<2x2xui32>) -> tensor<1x2xui32>
    %4 = mhlo.reshape %3 : (tensor<1x2xui32>) -> tensor<2xui32>
    %5 = "mhlo.slice"(%4) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %6 = mhlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
    %7 = "mhlo.slice"(%4) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %8 = mhlo.reshape %7 : (tensor<1xui32>) -> tensor<ui32>
    %9 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<8xui64>
    %10 = mhlo.constant dense<1> : tensor<ui64>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<8xui64>
    %12 = mhlo.multiply %11, %9 : tensor<8xui64>
    %13 = mhlo.constant dense<32> : tensor<ui64>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<8xui64>
    %15 = mhlo.shift_right_logical %12, %14 : tensor<8xui64>
    %16 = mhlo.convert %12 : (tensor<8xui64>) -> tensor<8xui32>
    %17 = mhlo.convert %15 : (tensor<8xui64>) -> tensor<8xui32>
    %18:2 = call @threefry2x32_8(%6, %8, %17, %16) : (tensor<ui32>, tensor<ui32>, tensor<8xui32>, tensor<8xui32>) -> (tensor<8xui32>, tensor<8xui32>)
    %19 = mhlo.xor %18#0, %18#1 : tensor<8xui32>
    %20:2 = "mhlo.sort"(%19, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<ui32>, %arg3: tensor<ui32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
      %21 = mhlo.compare LT, %arg2, %arg3, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      mhlo.return %21 : tensor<i1>
    }) : (tensor<8xui32>, tensor<8xi32>) -> (tensor<8xui32>, tensor<8xi32>)
    return %20#1 : tensor<8xi32>
  }
  func.func private @threefry2x32_8(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<8xui32>, %arg3: tensor<8xui32>) -> (tensor<8xui32>, tensor<8xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %4 = mhlo.add %arg2, %3 : tensor<8xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %6 = mhlo.add %arg3, %5 : tensor<8xui32>
    %7 = mhlo.add %4, %6 : tensor<8xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<8xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<8xui32>
    %14 = mhlo.or %10, %13 : tensor<8xui32>
    %15 = mhlo.xor %7, %14 : tensor<8xui32>
    %16 = mhlo.add %7, %15 : tensor<8xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<8xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<8xui32>
    %23 = mhlo.or %19, %22 : tensor<8xui32>
    %24 = mhlo.xor %16, %23 : tensor<8xui32>
    %25 = mhlo.add %16, %24 : tensor<8xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<8xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<8xui32>
    %32 = mhlo.or %28, %31 : tensor<8xui32>
    %33 = mhlo.xor %25, %32 : tensor<8xui32>
    %34 = mhlo.add %25, %33 : tensor<8xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<8xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<8xui32>
    %41 = mhlo.or %37, %40 : tensor<8xui32>
    %42 = mhlo.xor %34, %41 : tensor<8xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %44 = mhlo.add %34, %43 : tensor<8xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %46 = mhlo.add %42, %45 : tensor<8xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %49 = mhlo.add %46, %48 : tensor<8xui32>
    %50 = mhlo.add %44, %49 : tensor<8xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<8xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<8xui32>
    %57 = mhlo.or %53, %56 : tensor<8xui32>
    %58 = mhlo.xor %50, %57 : tensor<8xui32>
    %59 = mhlo.add %50, %58 : tensor<8xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<8xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<8xui32>
    %66 = mhlo.or %62, %65 : tensor<8xui32>
    %67 = mhlo.xor %59, %66 : tensor<8xui32>
    %68 = mhlo.add %59, %67 : tensor<8xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<8xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<8xui32>
    %75 = mhlo.or %71, %74 : tensor<8xui32>
    %76 = mhlo.xor %68, %75 : tensor<8xui32>
    %77 = mhlo.add %68, %76 : tensor<8xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<8xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<8xui32>
    %84 = mhlo.or %80, %83 : tensor<8xui32>
    %85 = mhlo.xor %77, %84 : tensor<8xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %87 = mhlo.add %77, %86 : tensor<8xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %89 = mhlo.add %85, %88 : tensor<8xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %92 = mhlo.add %89, %91 : tensor<8xui32>
    %93 = mhlo.add %87, %92 : tensor<8xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<8xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<8xui32>
    %100 = mhlo.or %96, %99 : tensor<8xui32>
    %101 = mhlo.xor %93, %100 : tensor<8xui32>
    %102 = mhlo.add %93, %101 : tensor<8xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<8xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<8xui32>
    %109 = mhlo.or %105, %108 : tensor<8xui32>
    %110 = mhlo.xor %102, %109 : tensor<8xui32>
    %111 = mhlo.add %102, %110 : tensor<8xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<8xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<8xui32>
    %118 = mhlo.or %114, %117 : tensor<8xui32>
    %119 = mhlo.xor %111, %118 : tensor<8xui32>
    %120 = mhlo.add %111, %119 : tensor<8xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<8xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<8xui32>
    %127 = mhlo.or %123, %126 : tensor<8xui32>
    %128 = mhlo.xor %120, %127 : tensor<8xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %130 = mhlo.add %120, %129 : tensor<8xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %132 = mhlo.add %128, %131 : tensor<8xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %135 = mhlo.add %132, %134 : tensor<8xui32>
    %136 = mhlo.add %130, %135 : tensor<8xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<8xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<8xui32>
    %143 = mhlo.or %139, %142 : tensor<8xui32>
    %144 = mhlo.xor %136, %143 : tensor<8xui32>
    %145 = mhlo.add %136, %144 : tensor<8xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<8xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<8xui32>
    %152 = mhlo.or %148, %151 : tensor<8xui32>
    %153 = mhlo.xor %145, %152 : tensor<8xui32>
    %154 = mhlo.add %145, %153 : tensor<8xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<8xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<8xui32>
    %161 = mhlo.or %157, %160 : tensor<8xui32>
    %162 = mhlo.xor %154, %161 : tensor<8xui32>
    %163 = mhlo.add %154, %162 : tensor<8xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<8xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<8xui32>
    %170 = mhlo.or %166, %169 : tensor<8xui32>
    %171 = mhlo.xor %163, %170 : tensor<8xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %173 = mhlo.add %163, %172 : tensor<8xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %175 = mhlo.add %171, %174 : tensor<8xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %178 = mhlo.add %175, %177 : tensor<8xui32>
    %179 = mhlo.add %173, %178 : tensor<8xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<8xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<8xui32>
    %186 = mhlo.or %182, %185 : tensor<8xui32>
    %187 = mhlo.xor %179, %186 : tensor<8xui32>
    %188 = mhlo.add %179, %187 : tensor<8xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<8xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<8xui32>
    %195 = mhlo.or %191, %194 : tensor<8xui32>
    %196 = mhlo.xor %188, %195 : tensor<8xui32>
    %197 = mhlo.add %188, %196 : tensor<8xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<8xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<8xui32>
    %204 = mhlo.or %200, %203 : tensor<8xui32>
    %205 = mhlo.xor %197, %204 : tensor<8xui32>
    %206 = mhlo.add %197, %205 : tensor<8xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<8xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<8xui32>
    %213 = mhlo.or %209, %212 : tensor<8xui32>
    %214 = mhlo.xor %206, %213 : tensor<8xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %216 = mhlo.add %206, %215 : tensor<8xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %218 = mhlo.add %214, %217 : tensor<8xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<8xui32>
    %221 = mhlo.add %218, %220 : tensor<8xui32>
    return %216, %221 : tensor<8xui32>, tensor<8xui32>
  }
  func.func private @_threefry_split_9(%arg0: tensor<2xui32>) -> tensor<3x2xui32> {
    %0 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %1 = mhlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
    %2 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %3 = mhlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
    %4 = "mhlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<3xui64>
    %5 = mhlo.constant dense<1> : tensor<ui64>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<3xui64>
    %7 = mhlo.multiply %6, %4 : tensor<3xui64>
    %8 = mhlo.constant dense<32> : tensor<ui64>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui64>) -> tensor<3xui64>
    %10 = mhlo.shift_right_logical %7, %9 : tensor<3xui64>
    %11 = mhlo.convert %7 : (tensor<3xui64>) -> tensor<3xui32>
    %12 = mhlo.convert %10 : (tensor<3xui64>) -> tensor<3xui32>
    %13:2 = call @threefry2x32_10(%1, %3, %12, %11) : (tensor<ui32>, tensor<ui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
    %14 = "mhlo.broadcast_in_dim"(%13#0) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xui32>) -> tensor<3x1xui32>
    %15 = "mhlo.broadcast_in_dim"(%13#1) <{broadcast_dimensions = dense<0> : tensor<1xi64>}> : (tensor<3xui32>) -> tensor<3x1xui32>
    %16 = "mhlo.concatenate"(%14, %15) <{dimension = 1 : i64}> : (tensor<3x1xui32>, tensor<3x1xui32>) -> tensor<3x2xui32>
    return %16 : tensor<3x2xui32>
  }
  func.func private @threefry2x32_10(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3xui32>, %arg3: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %4 = mhlo.add %arg2, %3 : tensor<3xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %6 = mhlo.add %arg3, %5 : tensor<3xui32>
    %7 = mhlo.add %4, %6 : tensor<3xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<3xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<3xui32>
    %14 = mhlo.or %10, %13 : tensor<3xui32>
    %15 = mhlo.xor %7, %14 : tensor<3xui32>
    %16 = mhlo.add %7, %15 : tensor<3xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<3xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<3xui32>
    %23 = mhlo.or %19, %22 : tensor<3xui32>
    %24 = mhlo.xor %16, %23 : tensor<3xui32>
    %25 = mhlo.add %16, %24 : tensor<3xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<3xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<3xui32>
    %32 = mhlo.or %28, %31 : tensor<3xui32>
    %33 = mhlo.xor %25, %32 : tensor<3xui32>
    %34 = mhlo.add %25, %33 : tensor<3xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<3xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<3xui32>
    %41 = mhlo.or %37, %40 : tensor<3xui32>
    %42 = mhlo.xor %34, %41 : tensor<3xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %44 = mhlo.add %34, %43 : tensor<3xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %46 = mhlo.add %42, %45 : tensor<3xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %49 = mhlo.add %46, %48 : tensor<3xui32>
    %50 = mhlo.add %44, %49 : tensor<3xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<3xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<3xui32>
    %57 = mhlo.or %53, %56 : tensor<3xui32>
    %58 = mhlo.xor %50, %57 : tensor<3xui32>
    %59 = mhlo.add %50, %58 : tensor<3xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<3xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<3xui32>
    %66 = mhlo.or %62, %65 : tensor<3xui32>
    %67 = mhlo.xor %59, %66 : tensor<3xui32>
    %68 = mhlo.add %59, %67 : tensor<3xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<3xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<3xui32>
    %75 = mhlo.or %71, %74 : tensor<3xui32>
    %76 = mhlo.xor %68, %75 : tensor<3xui32>
    %77 = mhlo.add %68, %76 : tensor<3xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<3xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<3xui32>
    %84 = mhlo.or %80, %83 : tensor<3xui32>
    %85 = mhlo.xor %77, %84 : tensor<3xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %87 = mhlo.add %77, %86 : tensor<3xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %89 = mhlo.add %85, %88 : tensor<3xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %92 = mhlo.add %89, %91 : tensor<3xui32>
    %93 = mhlo.add %87, %92 : tensor<3xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<3xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<3xui32>
    %100 = mhlo.or %96, %99 : tensor<3xui32>
    %101 = mhlo.xor %93, %100 : tensor<3xui32>
    %102 = mhlo.add %93, %101 : tensor<3xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<3xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<3xui32>
    %109 = mhlo.or %105, %108 : tensor<3xui32>
    %110 = mhlo.xor %102, %109 : tensor<3xui32>
    %111 = mhlo.add %102, %110 : tensor<3xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<3xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<3xui32>
    %118 = mhlo.or %114, %117 : tensor<3xui32>
    %119 = mhlo.xor %111, %118 : tensor<3xui32>
    %120 = mhlo.add %111, %119 : tensor<3xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<3xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<3xui32>
    %127 = mhlo.or %123, %126 : tensor<3xui32>
    %128 = mhlo.xor %120, %127 : tensor<3xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %130 = mhlo.add %120, %129 : tensor<3xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %132 = mhlo.add %128, %131 : tensor<3xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %135 = mhlo.add %132, %134 : tensor<3xui32>
    %136 = mhlo.add %130, %135 : tensor<3xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<3xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<3xui32>
    %143 = mhlo.or %139, %142 : tensor<3xui32>
    %144 = mhlo.xor %136, %143 : tensor<3xui32>
    %145 = mhlo.add %136, %144 : tensor<3xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<3xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<3xui32>
    %152 = mhlo.or %148, %151 : tensor<3xui32>
    %153 = mhlo.xor %145, %152 : tensor<3xui32>
    %154 = mhlo.add %145, %153 : tensor<3xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<3xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<3xui32>
    %161 = mhlo.or %157, %160 : tensor<3xui32>
    %162 = mhlo.xor %154, %161 : tensor<3xui32>
    %163 = mhlo.add %154, %162 : tensor<3xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<3xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<3xui32>
    %170 = mhlo.or %166, %169 : tensor<3xui32>
    %171 = mhlo.xor %163, %170 : tensor<3xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %173 = mhlo.add %163, %172 : tensor<3xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %175 = mhlo.add %171, %174 : tensor<3xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %178 = mhlo.add %175, %177 : tensor<3xui32>
    %179 = mhlo.add %173, %178 : tensor<3xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<3xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<3xui32>
    %186 = mhlo.or %182, %185 : tensor<3xui32>
    %187 = mhlo.xor %179, %186 : tensor<3xui32>
    %188 = mhlo.add %179, %187 : tensor<3xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<3xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<3xui32>
    %195 = mhlo.or %191, %194 : tensor<3xui32>
    %196 = mhlo.xor %188, %195 : tensor<3xui32>
    %197 = mhlo.add %188, %196 : tensor<3xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<3xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<3xui32>
    %204 = mhlo.or %200, %203 : tensor<3xui32>
    %205 = mhlo.xor %197, %204 : tensor<3xui32>
    %206 = mhlo.add %197, %205 : tensor<3xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<3xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<3xui32>
    %213 = mhlo.or %209, %212 : tensor<3xui32>
    %214 = mhlo.xor %206, %213 : tensor<3xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %216 = mhlo.add %206, %215 : tensor<3xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %218 = mhlo.add %214, %217 : tensor<3xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<3xui32>
    %221 = mhlo.add %218, %220 : tensor<3xui32>
    return %216, %221 : tensor<3xui32>, tensor<3xui32>
  }
  func.func private @_threefry_fold_in(%arg0: tensor<2xui32>, %arg1: tensor<ui32>) -> tensor<2xui32> {
    %0 = mhlo.constant dense<32> : tensor<ui32>
    %1 = mhlo.shift_right_logical %arg1, %0 : tensor<ui32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %3 = mhlo.constant dense<4294967295> : tensor<ui32>
    %4 = mhlo.and %arg1, %3 : tensor<ui32>
    %5 = "mhlo.broadcast_in_dim"(%4) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %6 = "mhlo.concatenate"(%2, %5) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    %7 = "mhlo.slice"(%arg0) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %8 = mhlo.reshape %7 : (tensor<1xui32>) -> tensor<ui32>
    %9 = "mhlo.slice"(%arg0) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %10 = mhlo.reshape %9 : (tensor<1xui32>) -> tensor<ui32>
    %11 = "mhlo.slice"(%6) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %12 = "mhlo.slice"(%6) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<2xui32>) -> tensor<1xui32>
    %13:2 = call @threefry2x32_11(%8, %10, %11, %12) : (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>)
    %14 = "mhlo.concatenate"(%13#0, %13#1) <{dimension = 0 : i64}> : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
    return %14 : tensor<2xui32>
  }
  func.func private @threefry2x32_11(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<1xui32>, %arg3: tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>) {
    %0 = mhlo.xor %arg0, %arg1 : tensor<ui32>
    %1 = mhlo.constant dense<466688986> : tensor<ui32>
    %2 = mhlo.xor %0, %1 : tensor<ui32>
    %3 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %4 = mhlo.add %arg2, %3 : tensor<1xui32>
    %5 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %6 = mhlo.add %arg3, %5 : tensor<1xui32>
    %7 = mhlo.add %4, %6 : tensor<1xui32>
    %8 = mhlo.constant dense<13> : tensor<ui32>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %10 = mhlo.shift_left %6, %9 : tensor<1xui32>
    %11 = mhlo.constant dense<19> : tensor<ui32>
    %12 = "mhlo.broadcast_in_dim"(%11) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %13 = mhlo.shift_right_logical %6, %12 : tensor<1xui32>
    %14 = mhlo.or %10, %13 : tensor<1xui32>
    %15 = mhlo.xor %7, %14 : tensor<1xui32>
    %16 = mhlo.add %7, %15 : tensor<1xui32>
    %17 = mhlo.constant dense<15> : tensor<ui32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %19 = mhlo.shift_left %15, %18 : tensor<1xui32>
    %20 = mhlo.constant dense<17> : tensor<ui32>
    %21 = "mhlo.broadcast_in_dim"(%20) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %22 = mhlo.shift_right_logical %15, %21 : tensor<1xui32>
    %23 = mhlo.or %19, %22 : tensor<1xui32>
    %24 = mhlo.xor %16, %23 : tensor<1xui32>
    %25 = mhlo.add %16, %24 : tensor<1xui32>
    %26 = mhlo.constant dense<26> : tensor<ui32>
    %27 = "mhlo.broadcast_in_dim"(%26) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %28 = mhlo.shift_left %24, %27 : tensor<1xui32>
    %29 = mhlo.constant dense<6> : tensor<ui32>
    %30 = "mhlo.broadcast_in_dim"(%29) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %31 = mhlo.shift_right_logical %24, %30 : tensor<1xui32>
    %32 = mhlo.or %28, %31 : tensor<1xui32>
    %33 = mhlo.xor %25, %32 : tensor<1xui32>
    %34 = mhlo.add %25, %33 : tensor<1xui32>
    %35 = mhlo.constant dense<6> : tensor<ui32>
    %36 = "mhlo.broadcast_in_dim"(%35) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %37 = mhlo.shift_left %33, %36 : tensor<1xui32>
    %38 = mhlo.constant dense<26> : tensor<ui32>
    %39 = "mhlo.broadcast_in_dim"(%38) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %40 = mhlo.shift_right_logical %33, %39 : tensor<1xui32>
    %41 = mhlo.or %37, %40 : tensor<1xui32>
    %42 = mhlo.xor %34, %41 : tensor<1xui32>
    %43 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %44 = mhlo.add %34, %43 : tensor<1xui32>
    %45 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %46 = mhlo.add %42, %45 : tensor<1xui32>
    %47 = mhlo.constant dense<1> : tensor<ui32>
    %48 = "mhlo.broadcast_in_dim"(%47) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %49 = mhlo.add %46, %48 : tensor<1xui32>
    %50 = mhlo.add %44, %49 : tensor<1xui32>
    %51 = mhlo.constant dense<17> : tensor<ui32>
    %52 = "mhlo.broadcast_in_dim"(%51) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %53 = mhlo.shift_left %49, %52 : tensor<1xui32>
    %54 = mhlo.constant dense<15> : tensor<ui32>
    %55 = "mhlo.broadcast_in_dim"(%54) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %56 = mhlo.shift_right_logical %49, %55 : tensor<1xui32>
    %57 = mhlo.or %53, %56 : tensor<1xui32>
    %58 = mhlo.xor %50, %57 : tensor<1xui32>
    %59 = mhlo.add %50, %58 : tensor<1xui32>
    %60 = mhlo.constant dense<29> : tensor<ui32>
    %61 = "mhlo.broadcast_in_dim"(%60) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %62 = mhlo.shift_left %58, %61 : tensor<1xui32>
    %63 = mhlo.constant dense<3> : tensor<ui32>
    %64 = "mhlo.broadcast_in_dim"(%63) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %65 = mhlo.shift_right_logical %58, %64 : tensor<1xui32>
    %66 = mhlo.or %62, %65 : tensor<1xui32>
    %67 = mhlo.xor %59, %66 : tensor<1xui32>
    %68 = mhlo.add %59, %67 : tensor<1xui32>
    %69 = mhlo.constant dense<16> : tensor<ui32>
    %70 = "mhlo.broadcast_in_dim"(%69) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %71 = mhlo.shift_left %67, %70 : tensor<1xui32>
    %72 = mhlo.constant dense<16> : tensor<ui32>
    %73 = "mhlo.broadcast_in_dim"(%72) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %74 = mhlo.shift_right_logical %67, %73 : tensor<1xui32>
    %75 = mhlo.or %71, %74 : tensor<1xui32>
    %76 = mhlo.xor %68, %75 : tensor<1xui32>
    %77 = mhlo.add %68, %76 : tensor<1xui32>
    %78 = mhlo.constant dense<24> : tensor<ui32>
    %79 = "mhlo.broadcast_in_dim"(%78) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %80 = mhlo.shift_left %76, %79 : tensor<1xui32>
    %81 = mhlo.constant dense<8> : tensor<ui32>
    %82 = "mhlo.broadcast_in_dim"(%81) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %83 = mhlo.shift_right_logical %76, %82 : tensor<1xui32>
    %84 = mhlo.or %80, %83 : tensor<1xui32>
    %85 = mhlo.xor %77, %84 : tensor<1xui32>
    %86 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %87 = mhlo.add %77, %86 : tensor<1xui32>
    %88 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %89 = mhlo.add %85, %88 : tensor<1xui32>
    %90 = mhlo.constant dense<2> : tensor<ui32>
    %91 = "mhlo.broadcast_in_dim"(%90) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %92 = mhlo.add %89, %91 : tensor<1xui32>
    %93 = mhlo.add %87, %92 : tensor<1xui32>
    %94 = mhlo.constant dense<13> : tensor<ui32>
    %95 = "mhlo.broadcast_in_dim"(%94) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %96 = mhlo.shift_left %92, %95 : tensor<1xui32>
    %97 = mhlo.constant dense<19> : tensor<ui32>
    %98 = "mhlo.broadcast_in_dim"(%97) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %99 = mhlo.shift_right_logical %92, %98 : tensor<1xui32>
    %100 = mhlo.or %96, %99 : tensor<1xui32>
    %101 = mhlo.xor %93, %100 : tensor<1xui32>
    %102 = mhlo.add %93, %101 : tensor<1xui32>
    %103 = mhlo.constant dense<15> : tensor<ui32>
    %104 = "mhlo.broadcast_in_dim"(%103) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %105 = mhlo.shift_left %101, %104 : tensor<1xui32>
    %106 = mhlo.constant dense<17> : tensor<ui32>
    %107 = "mhlo.broadcast_in_dim"(%106) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %108 = mhlo.shift_right_logical %101, %107 : tensor<1xui32>
    %109 = mhlo.or %105, %108 : tensor<1xui32>
    %110 = mhlo.xor %102, %109 : tensor<1xui32>
    %111 = mhlo.add %102, %110 : tensor<1xui32>
    %112 = mhlo.constant dense<26> : tensor<ui32>
    %113 = "mhlo.broadcast_in_dim"(%112) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %114 = mhlo.shift_left %110, %113 : tensor<1xui32>
    %115 = mhlo.constant dense<6> : tensor<ui32>
    %116 = "mhlo.broadcast_in_dim"(%115) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %117 = mhlo.shift_right_logical %110, %116 : tensor<1xui32>
    %118 = mhlo.or %114, %117 : tensor<1xui32>
    %119 = mhlo.xor %111, %118 : tensor<1xui32>
    %120 = mhlo.add %111, %119 : tensor<1xui32>
    %121 = mhlo.constant dense<6> : tensor<ui32>
    %122 = "mhlo.broadcast_in_dim"(%121) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %123 = mhlo.shift_left %119, %122 : tensor<1xui32>
    %124 = mhlo.constant dense<26> : tensor<ui32>
    %125 = "mhlo.broadcast_in_dim"(%124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %126 = mhlo.shift_right_logical %119, %125 : tensor<1xui32>
    %127 = mhlo.or %123, %126 : tensor<1xui32>
    %128 = mhlo.xor %120, %127 : tensor<1xui32>
    %129 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %130 = mhlo.add %120, %129 : tensor<1xui32>
    %131 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %132 = mhlo.add %128, %131 : tensor<1xui32>
    %133 = mhlo.constant dense<3> : tensor<ui32>
    %134 = "mhlo.broadcast_in_dim"(%133) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %135 = mhlo.add %132, %134 : tensor<1xui32>
    %136 = mhlo.add %130, %135 : tensor<1xui32>
    %137 = mhlo.constant dense<17> : tensor<ui32>
    %138 = "mhlo.broadcast_in_dim"(%137) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %139 = mhlo.shift_left %135, %138 : tensor<1xui32>
    %140 = mhlo.constant dense<15> : tensor<ui32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %142 = mhlo.shift_right_logical %135, %141 : tensor<1xui32>
    %143 = mhlo.or %139, %142 : tensor<1xui32>
    %144 = mhlo.xor %136, %143 : tensor<1xui32>
    %145 = mhlo.add %136, %144 : tensor<1xui32>
    %146 = mhlo.constant dense<29> : tensor<ui32>
    %147 = "mhlo.broadcast_in_dim"(%146) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %148 = mhlo.shift_left %144, %147 : tensor<1xui32>
    %149 = mhlo.constant dense<3> : tensor<ui32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %151 = mhlo.shift_right_logical %144, %150 : tensor<1xui32>
    %152 = mhlo.or %148, %151 : tensor<1xui32>
    %153 = mhlo.xor %145, %152 : tensor<1xui32>
    %154 = mhlo.add %145, %153 : tensor<1xui32>
    %155 = mhlo.constant dense<16> : tensor<ui32>
    %156 = "mhlo.broadcast_in_dim"(%155) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %157 = mhlo.shift_left %153, %156 : tensor<1xui32>
    %158 = mhlo.constant dense<16> : tensor<ui32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %160 = mhlo.shift_right_logical %153, %159 : tensor<1xui32>
    %161 = mhlo.or %157, %160 : tensor<1xui32>
    %162 = mhlo.xor %154, %161 : tensor<1xui32>
    %163 = mhlo.add %154, %162 : tensor<1xui32>
    %164 = mhlo.constant dense<24> : tensor<ui32>
    %165 = "mhlo.broadcast_in_dim"(%164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %166 = mhlo.shift_left %162, %165 : tensor<1xui32>
    %167 = mhlo.constant dense<8> : tensor<ui32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %169 = mhlo.shift_right_logical %162, %168 : tensor<1xui32>
    %170 = mhlo.or %166, %169 : tensor<1xui32>
    %171 = mhlo.xor %163, %170 : tensor<1xui32>
    %172 = "mhlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %173 = mhlo.add %163, %172 : tensor<1xui32>
    %174 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %175 = mhlo.add %171, %174 : tensor<1xui32>
    %176 = mhlo.constant dense<4> : tensor<ui32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %178 = mhlo.add %175, %177 : tensor<1xui32>
    %179 = mhlo.add %173, %178 : tensor<1xui32>
    %180 = mhlo.constant dense<13> : tensor<ui32>
    %181 = "mhlo.broadcast_in_dim"(%180) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %182 = mhlo.shift_left %178, %181 : tensor<1xui32>
    %183 = mhlo.constant dense<19> : tensor<ui32>
    %184 = "mhlo.broadcast_in_dim"(%183) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %185 = mhlo.shift_right_logical %178, %184 : tensor<1xui32>
    %186 = mhlo.or %182, %185 : tensor<1xui32>
    %187 = mhlo.xor %179, %186 : tensor<1xui32>
    %188 = mhlo.add %179, %187 : tensor<1xui32>
    %189 = mhlo.constant dense<15> : tensor<ui32>
    %190 = "mhlo.broadcast_in_dim"(%189) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %191 = mhlo.shift_left %187, %190 : tensor<1xui32>
    %192 = mhlo.constant dense<17> : tensor<ui32>
    %193 = "mhlo.broadcast_in_dim"(%192) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %194 = mhlo.shift_right_logical %187, %193 : tensor<1xui32>
    %195 = mhlo.or %191, %194 : tensor<1xui32>
    %196 = mhlo.xor %188, %195 : tensor<1xui32>
    %197 = mhlo.add %188, %196 : tensor<1xui32>
    %198 = mhlo.constant dense<26> : tensor<ui32>
    %199 = "mhlo.broadcast_in_dim"(%198) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %200 = mhlo.shift_left %196, %199 : tensor<1xui32>
    %201 = mhlo.constant dense<6> : tensor<ui32>
    %202 = "mhlo.broadcast_in_dim"(%201) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %203 = mhlo.shift_right_logical %196, %202 : tensor<1xui32>
    %204 = mhlo.or %200, %203 : tensor<1xui32>
    %205 = mhlo.xor %197, %204 : tensor<1xui32>
    %206 = mhlo.add %197, %205 : tensor<1xui32>
    %207 = mhlo.constant dense<6> : tensor<ui32>
    %208 = "mhlo.broadcast_in_dim"(%207) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %209 = mhlo.shift_left %205, %208 : tensor<1xui32>
    %210 = mhlo.constant dense<26> : tensor<ui32>
    %211 = "mhlo.broadcast_in_dim"(%210) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %212 = mhlo.shift_right_logical %205, %211 : tensor<1xui32>
    %213 = mhlo.or %209, %212 : tensor<1xui32>
    %214 = mhlo.xor %206, %213 : tensor<1xui32>
    %215 = "mhlo.broadcast_in_dim"(%2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %216 = mhlo.add %206, %215 : tensor<1xui32>
    %217 = "mhlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %218 = mhlo.add %214, %217 : tensor<1xui32>
    %219 = mhlo.constant dense<5> : tensor<ui32>
    %220 = "mhlo.broadcast_in_dim"(%219) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<ui32>) -> tensor<1xui32>
    %221 = mhlo.add %218, %220 : tensor<1xui32>
    return %216, %221 : tensor<1xui32>, tensor<1xui32>
  }
}
