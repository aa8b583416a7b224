module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> (tensor<4x4xf32> {jax.result_info = "result"}) {
    %0 = "mhlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = "mhlo.broadcast_in_dim"(%1) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %3 = mhlo.add %0, %2 : tensor<4x4xf32>
    %4 = mhlo.tanh %3 : tensor<4x4xf32>
    %5 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %7 = mhlo.multiply %arg0, %6 : tensor<4x4xf32>
    %8 = mhlo.add %4, %7 : tensor<4x4xf32>
    %9 = "mhlo.dot_general"(%8, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %10 = mhlo.constant dense<0.00999999977> : tensor<f32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %12 = mhlo.add %9, %11 : tensor<4x4xf32>
    %13 = mhlo.tanh %12 : tensor<4x4xf32>
    %14 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %15 = "mhlo.broadcast_in_dim"(%14) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %16 = mhlo.multiply %8, %15 : tensor<4x4xf32>
    %17 = mhlo.add %13, %16 : tensor<4x4xf32>
    %18 = "mhlo.dot_general"(%17, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %19 = mhlo.constant dense<2.000000e-02> : tensor<f32>
    %20 = "mhlo.broadcast_in_dim"(%19) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %21 = mhlo.add %18, %20 : tensor<4x4xf32>
    %22 = mhlo.tanh %21 : tensor<4x4xf32>
    %23 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %24 = "mhlo.broadcast_in_dim"(%23) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %25 = mhlo.multiply %17, %24 : tensor<4x4xf32>
    %26 = mhlo.add %22, %25 : tensor<4x4xf32>
    %27 = "mhlo.dot_general"(%26, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %28 = mhlo.constant dense<3.000000e-02> : tensor<f32>
    %29 = "mhlo.broadcast_in_dim"(%28) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %30 = mhlo.add %27, %29 : tensor<4x4xf32>
    %31 = mhlo.tanh %30 : tensor<4x4xf32>
    %32 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %33 = "mhlo.broadcast_in_dim"(%32) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %34 = mhlo.multiply %26, %33 : tensor<4x4xf32>
    %35 = mhlo.add %31, %34 : tensor<4x4xf32>
    %36 = "mhlo.dot_general"(%35, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %37 = mhlo.constant dense<4.000000e-02> : tensor<f32>
    %38 = "mhlo.broadcast_in_dim"(%37) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %39 = mhlo.add %36, %38 : tensor<4x4xf32>
    %40 = mhlo.tanh %39 : tensor<4x4xf32>
    %41 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %42 = "mhlo.broadcast_in_dim"(%41) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %43 = mhlo.multiply %35, %42 : tensor<4x4xf32>
    %44 = mhlo.add %40, %43 : tensor<4x4xf32>
    %45 = "mhlo.dot_general"(%44, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %46 = mhlo.constant dense<5.000000e-02> : tensor<f32>
    %47 = "mhlo.broadcast_in_dim"(%46) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %48 = mhlo.add %45, %47 : tensor<4x4xf32>
    %49 = mhlo.tanh %48 : tensor<4x4xf32>
    %50 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %51 = "mhlo.broadcast_in_dim"(%50) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %52 = mhlo.multiply %44, %51 : tensor<4x4xf32>
    %53 = mhlo.add %49, %52 : tensor<4x4xf32>
    %54 = "mhlo.dot_general"(%53, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %55 = mhlo.constant dense<6.000000e-02> : tensor<f32>
    %56 = "mhlo.broadcast_in_dim"(%55) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %57 = mhlo.add %54, %56 : tensor<4x4xf32>
    %58 = mhlo.tanh %57 : tensor<4x4xf32>
    %59 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %60 = "mhlo.broadcast_in_dim"(%59) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %61 = mhlo.multiply %53, %60 : tensor<4x4xf32>
    %62 = mhlo.add %58, %61 : tensor<4x4xf32>
    %63 = "mhlo.dot_general"(%62, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %64 = mhlo.constant dense<7.000000e-02> : tensor<f32>
    %65 = "mhlo.broadcast_in_dim"(%64) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %66 = mhlo.add %63, %65 : tensor<4x4xf32>
    %67 = mhlo.tanh %66 : tensor<4x4xf32>
    %68 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %69 = "mhlo.broadcast_in_dim"(%68) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %70 = mhlo.multiply %62, %69 : tensor<4x4xf32>
    %71 = mhlo.add %67, %70 : tensor<4x4xf32>
    %72 = "mhlo.dot_general"(%71, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %73 = mhlo.constant dense<8.000000e-02> : tensor<f32>
    %74 = "mhlo.broadcast_in_dim"(%73) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %75 = mhlo.add %72, %74 : tensor<4x4xf32>
    %76 = mhlo.tanh %75 : tensor<4x4xf32>
    %77 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %78 = "mhlo.broadcast_in_dim"(%77) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %79 = mhlo.multiply %71, %78 : tensor<4x4xf32>
    %80 = mhlo.add %76, %79 : tensor<4x4xf32>
    %81 = "mhlo.dot_general"(%80, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %82 = mhlo.constant dense<9.000000e-02> : tensor<f32>
    %83 = "mhlo.broadcast_in_dim"(%82) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %84 = mhlo.add %81, %83 : tensor<4x4xf32>
    %85 = mhlo.tanh %84 : tensor<4x4xf32>
    %86 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %87 = "mhlo.broadcast_in_dim"(%86) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %88 = mhlo.multiply %80, %87 : tensor<4x4xf32>
    %89 = mhlo.add %85, %88 : tensor<4x4xf32>
    %90 = "mhlo.dot_general"(%89, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %91 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %92 = "mhlo.broadcast_in_dim"(%91) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %93 = mhlo.add %90, %92 : tensor<4x4xf32>
    %94 = mhlo.tanh %93 : tensor<4x4xf32>
    %95 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %96 = "mhlo.broadcast_in_dim"(%95) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %97 = mhlo.multiply %89, %96 : tensor<4x4xf32>
    %98 = mhlo.add %94, %97 : tensor<4x4xf32>
    %99 = "mhlo.dot_general"(%98, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %100 = mhlo.constant dense<1.100000e-01> : tensor<f32>
    %101 = "mhlo.broadcast_in_dim"(%100) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %102 = mhlo.add %99, %101 : tensor<4x4xf32>
    %103 = mhlo.tanh %102 : tensor<4x4xf32>
    %104 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %105 = "mhlo.broadcast_in_dim"(%104) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %106 = mhlo.multiply %98, %105 : tensor<4x4xf32>
    %107 = mhlo.add %103, %106 : tensor<4x4xf32>
    %108 = "mhlo.dot_general"(%107, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %109 = mhlo.constant dense<1.200000e-01> : tensor<f32>
    %110 = "mhlo.broadcast_in_dim"(%109) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %111 = mhlo.add %108, %110 : tensor<4x4xf32>
    %112 = mhlo.tanh %111 : tensor<4x4xf32>
    %113 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %114 = "mhlo.broadcast_in_dim"(%113) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %115 = mhlo.multiply %107, %114 : tensor<4x4xf32>
    %116 = mhlo.add %112, %115 : tensor<4x4xf32>
    %117 = "mhlo.dot_general"(%116, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %118 = mhlo.constant dense<1.300000e-01> : tensor<f32>
    %119 = "mhlo.broadcast_in_dim"(%118) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %120 = mhlo.add %117, %119 : tensor<4x4xf32>
    %121 = mhlo.tanh %120 : tensor<4x4xf32>
    %122 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %123 = "mhlo.broadcast_in_dim"(%122) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %124 = mhlo.multiply %116, %123 : tensor<4x4xf32>
    %125 = mhlo.add %121, %124 : tensor<4x4xf32>
    %126 = "mhlo.dot_general"(%125, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %127 = mhlo.constant dense<1.400000e-01> : tensor<f32>
    %128 = "mhlo.broadcast_in_dim"(%127) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %129 = mhlo.add %126, %128 : tensor<4x4xf32>
    %130 = mhlo.tanh %129 : tensor<4x4xf32>
    %131 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %132 = "mhlo.broadcast_in_dim"(%131) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %133 = mhlo.multiply %125, %132 : tensor<4x4xf32>
    %134 = mhlo.add %130, %133 : tensor<4x4xf32>
    %135 = "mhlo.dot_general"(%134, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %136 = mhlo.constant dense<1.500000e-01> : tensor<f32>
    %137 = "mhlo.broadcast_in_dim"(%136) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %138 = mhlo.add %135, %137 : tensor<4x4xf32>
    %139 = mhlo.tanh %138 : tensor<4x4xf32>
    %140 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %141 = "mhlo.broadcast_in_dim"(%140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %142 = mhlo.multiply %134, %141 : tensor<4x4xf32>
    %143 = mhlo.add %139, %142 : tensor<4x4xf32>
    %144 = "mhlo.dot_general"(%143, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %145 = mhlo.constant dense<1.600000e-01> : tensor<f32>
    %146 = "mhlo.broadcast_in_dim"(%145) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %147 = mhlo.add %144, %146 : tensor<4x4xf32>
    %148 = mhlo.tanh %147 : tensor<4x4xf32>
    %149 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %150 = "mhlo.broadcast_in_dim"(%149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %151 = mhlo.multiply %143, %150 : tensor<4x4xf32>
    %152 = mhlo.add %148, %151 : tensor<4x4xf32>
    %153 = "mhlo.dot_general"(%152, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %154 = mhlo.constant dense<1.700000e-01> : tensor<f32>
    %155 = "mhlo.broadcast_in_dim"(%154) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %156 = mhlo.add %153, %155 : tensor<4x4xf32>
    %157 = mhlo.tanh %156 : tensor<4x4xf32>
    %158 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %159 = "mhlo.broadcast_in_dim"(%158) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %160 = mhlo.multiply %152, %159 : tensor<4x4xf32>
    %161 = mhlo.add %157, %160 : tensor<4x4xf32>
    %162 = "mhlo.dot_general"(%161, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %163 = mhlo.constant dense<1.800000e-01> : tensor<f32>
    %164 = "mhlo.broadcast_in_dim"(%163) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %165 = mhlo.add %162, %164 : tensor<4x4xf32>
    %166 = mhlo.tanh %165 : tensor<4x4xf32>
    %167 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %168 = "mhlo.broadcast_in_dim"(%167) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %169 = mhlo.multiply %161, %168 : tensor<4x4xf32>
    %170 = mhlo.add %166, %169 : tensor<4x4xf32>
    %171 = "mhlo.dot_general"(%170, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %172 = mhlo.constant dense<1.900000e-01> : tensor<f32>
    %173 = "mhlo.broadcast_in_dim"(%172) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %174 = mhlo.add %171, %173 : tensor<4x4xf32>
    %175 = mhlo.tanh %174 : tensor<4x4xf32>
    %176 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %177 = "mhlo.broadcast_in_dim"(%176) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %178 = mhlo.multiply %170, %177 : tensor<4x4xf32>
    %179 = mhlo.add %175, %178 : tensor<4x4xf32>
    %180 = "mhlo.dot_general"(%179, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %181 = mhlo.constant dense<2.000000e-01> : tensor<f32>
    %182 = "mhlo.broadcast_in_dim"(%181) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %183 = mhlo.add %180, %182 : tensor<4x4xf32>
    %184 = mhlo.tanh %183 : tensor<4x4xf32>
    %185 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %186 = "mhlo.broadcast_in_dim"(%185) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %187 = mhlo.multiply %179, %186 : tensor<4x4xf32>
    %188 = mhlo.add %184, %187 : tensor<4x4xf32>
    %189 = "mhlo.dot_general"(%188, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %190 = mhlo.constant dense<2.100000e-01> : tensor<f32>
    %191 = "mhlo.broadcast_in_dim"(%190) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %192 = mhlo.add %189, %191 : tensor<4x4xf32>
    %193 = mhlo.tanh %192 : tensor<4x4xf32>
    %194 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %195 = "mhlo.broadcast_in_dim"(%194) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %196 = mhlo.multiply %188, %195 : tensor<4x4xf32>
    %197 = mhlo.add %193, %196 : tensor<4x4xf32>
    %198 = "mhlo.dot_general"(%197, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %199 = mhlo.constant dense<2.200000e-01> : tensor<f32>
    %200 = "mhlo.broadcast_in_dim"(%199) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %201 = mhlo.add %198, %200 : tensor<4x4xf32>
    %202 = mhlo.tanh %201 : tensor<4x4xf32>
    %203 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %204 = "mhlo.broadcast_in_dim"(%203) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %205 = mhlo.multiply %197, %204 : tensor<4x4xf32>
    %206 = mhlo.add %202, %205 : tensor<4x4xf32>
    %207 = "mhlo.dot_general"(%206, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %208 = mhlo.constant dense<2.300000e-01> : tensor<f32>
    %209 = "mhlo.broadcast_in_dim"(%208) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %210 = mhlo.add %207, %209 : tensor<4x4xf32>
    %211 = mhlo.tanh %210 : tensor<4x4xf32>
    %212 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %213 = "mhlo.broadcast_in_dim"(%212) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %214 = mhlo.multiply %206, %213 : tensor<4x4xf32>
    %215 = mhlo.add %211, %214 : tensor<4x4xf32>
    %216 = "mhlo.dot_general"(%215, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %217 = mhlo.constant dense<2.400000e-01> : tensor<f32>
    %218 = "mhlo.broadcast_in_dim"(%217) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %219 = mhlo.add %216, %218 : tensor<4x4xf32>
    %220 = mhlo.tanh %219 : tensor<4x4xf32>
    %221 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %222 = "mhlo.broadcast_in_dim"(%221) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %223 = mhlo.multiply %215, %222 : tensor<4x4xf32>
    %224 = mhlo.add %220, %223 : tensor<4x4xf32>
    %225 = "mhlo.dot_general"(%224, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %226 = mhlo.constant dense<2.500000e-01> : tensor<f32>
    %227 = "mhlo.broadcast_in_dim"(%226) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %228 = mhlo.add %225, %227 : tensor<4x4xf32>
    %229 = mhlo.tanh %228 : tensor<4x4xf32>
    %230 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %231 = "mhlo.broadcast_in_dim"(%230) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %232 = mhlo.multiply %224, %231 : tensor<4x4xf32>
    %233 = mhlo.add %229, %232 : tensor<4x4xf32>
    %234 = "mhlo.dot_general"(%233, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %235 = mhlo.constant dense<2.600000e-01> : tensor<f32>
    %236 = "mhlo.broadcast_in_dim"(%235) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %237 = mhlo.add %234, %236 : tensor<4x4xf32>
    %238 = mhlo.tanh %237 : tensor<4x4xf32>
    %239 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %240 = "mhlo.broadcast_in_dim"(%239) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %241 = mhlo.multiply %233, %240 : tensor<4x4xf32>
    %242 = mhlo.add %238, %241 : tensor<4x4xf32>
    %243 = "mhlo.dot_general"(%242, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %244 = mhlo.constant dense<2.700000e-01> : tensor<f32>
    %245 = "mhlo.broadcast_in_dim"(%244) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %246 = mhlo.add %243, %245 : tensor<4x4xf32>
    %247 = mhlo.tanh %246 : tensor<4x4xf32>
    %248 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %249 = "mhlo.broadcast_in_dim"(%248) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %250 = mhlo.multiply %242, %249 : tensor<4x4xf32>
    %251 = mhlo.add %247, %250 : tensor<4x4xf32>
    %252 = "mhlo.dot_general"(%251, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %253 = mhlo.constant dense<2.800000e-01> : tensor<f32>
    %254 = "mhlo.broadcast_in_dim"(%253) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %255 = mhlo.add %252, %254 : tensor<4x4xf32>
    %256 = mhlo.tanh %255 : tensor<4x4xf32>
    %257 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %258 = "mhlo.broadcast_in_dim"(%257) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %259 = mhlo.multiply %251, %258 : tensor<4x4xf32>
    %260 = mhlo.add %256, %259 : tensor<4x4xf32>
    %261 = "mhlo.dot_general"(%260, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %262 = mhlo.constant dense<2.900000e-01> : tensor<f32>
    %263 = "mhlo.broadcast_in_dim"(%262) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %264 = mhlo.add %261, %263 : tensor<4x4xf32>
    %265 = mhlo.tanh %264 : tensor<4x4xf32>
    %266 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %267 = "mhlo.broadcast_in_dim"(%266) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %268 = mhlo.multiply %260, %267 : tensor<4x4xf32>
    %269 = mhlo.add %265, %268 : tensor<4x4xf32>
    %270 = "mhlo.dot_general"(%269, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %271 = mhlo.constant dense<3.000000e-01> : tensor<f32>
    %272 = "mhlo.broadcast_in_dim"(%271) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %273 = mhlo.add %270, %272 : tensor<4x4xf32>
    %274 = mhlo.tanh %273 : tensor<4x4xf32>
    %275 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %276 = "mhlo.broadcast_in_dim"(%275) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %277 = mhlo.multiply %269, %276 : tensor<4x4xf32>
    %278 = mhlo.add %274, %277 : tensor<4x4xf32>
    %279 = "mhlo.dot_general"(%278, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %280 = mhlo.constant dense<3.100000e-01> : tensor<f32>
    %281 = "mhlo.broadcast_in_dim"(%280) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %282 = mhlo.add %279, %281 : tensor<4x4xf32>
    %283 = mhlo.tanh %282 : tensor<4x4xf32>
    %284 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %285 = "mhlo.broadcast_in_dim"(%284) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %286 = mhlo.multiply %278, %285 : tensor<4x4xf32>
    %287 = mhlo.add %283, %286 : tensor<4x4xf32>
    %288 = "mhlo.dot_general"(%287, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %289 = mhlo.constant dense<3.200000e-01> : tensor<f32>
    %290 = "mhlo.broadcast_in_dim"(%289) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %291 = mhlo.add %288, %290 : tensor<4x4xf32>
    %292 = mhlo.tanh %291 : tensor<4x4xf32>
    %293 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %294 = "mhlo.broadcast_in_dim"(%293) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %295 = mhlo.multiply %287, %294 : tensor<4x4xf32>
    %296 = mhlo.add %292, %295 : tensor<4x4xf32>
    %297 = "mhlo.dot_general"(%296, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %298 = mhlo.constant dense<3.300000e-01> : tensor<f32>
    %299 = "mhlo.broadcast_in_dim"(%298) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %300 = mhlo.add %297, %299 : tensor<4x4xf32>
    %301 = mhlo.tanh %300 : tensor<4x4xf32>
    %302 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %303 = "mhlo.broadcast_in_dim"(%302) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %304 = mhlo.multiply %296, %303 : tensor<4x4xf32>
    %305 = mhlo.add %301, %304 : tensor<4x4xf32>
    %306 = "mhlo.dot_general"(%305, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %307 = mhlo.constant dense<3.400000e-01> : tensor<f32>
    %308 = "mhlo.broadcast_in_dim"(%307) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %309 = mhlo.add %306, %308 : tensor<4x4xf32>
    %310 = mhlo.tanh %309 : tensor<4x4xf32>
    %311 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %312 = "mhlo.broadcast_in_dim"(%311) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %313 = mhlo.multiply %305, %312 : tensor<4x4xf32>
    %314 = mhlo.add %310, %313 : tensor<4x4xf32>
    %315 = "mhlo.dot_general"(%314, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %316 = mhlo.constant dense<3.500000e-01> : tensor<f32>
    %317 = "mhlo.broadcast_in_dim"(%316) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %318 = mhlo.add %315, %317 : tensor<4x4xf32>
    %319 = mhlo.tanh %318 : tensor<4x4xf32>
    %320 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %321 = "mhlo.broadcast_in_dim"(%320) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %322 = mhlo.multiply %314, %321 : tensor<4x4xf32>
    %323 = mhlo.add %319, %322 : tensor<4x4xf32>
    %324 = "mhlo.dot_general"(%323, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %325 = mhlo.constant dense<3.600000e-01> : tensor<f32>
    %326 = "mhlo.broadcast_in_dim"(%325) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %327 = mhlo.add %324, %326 : tensor<4x4xf32>
    %328 = mhlo.tanh %327 : tensor<4x4xf32>
    %329 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %330 = "mhlo.broadcast_in_dim"(%329) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %331 = mhlo.multiply %323, %330 : tensor<4x4xf32>
    %332 = mhlo.add %328, %331 : tensor<4x4xf32>
    %333 = "mhlo.dot_general"(%332, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %334 = mhlo.constant dense<3.700000e-01> : tensor<f32>
    %335 = "mhlo.broadcast_in_dim"(%334) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %336 = mhlo.add %333, %335 : tensor<4x4xf32>
    %337 = mhlo.tanh %336 : tensor<4x4xf32>
    %338 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %339 = "mhlo.broadcast_in_dim"(%338) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %340 = mhlo.multiply %332, %339 : tensor<4x4xf32>
    %341 = mhlo.add %337, %340 : tensor<4x4xf32>
    %342 = "mhlo.dot_general"(%341, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %343 = mhlo.constant dense<3.800000e-01> : tensor<f32>
    %344 = "mhlo.broadcast_in_dim"(%343) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %345 = mhlo.add %342, %344 : tensor<4x4xf32>
    %346 = mhlo.tanh %345 : tensor<4x4xf32>
    %347 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %348 = "mhlo.broadcast_in_dim"(%347) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %349 = mhlo.multiply %341, %348 : tensor<4x4xf32>
    %350 = mhlo.add %346, %349 : tensor<4x4xf32>
    %351 = "mhlo.dot_general"(%350, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %352 = mhlo.constant dense<3.900000e-01> : tensor<f32>
    %353 = "mhlo.broadcast_in_dim"(%352) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %354 = mhlo.add %351, %353 : tensor<4x4xf32>
    %355 = mhlo.tanh %354 : tensor<4x4xf32>
    %356 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %357 = "mhlo.broadcast_in_dim"(%356) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %358 = mhlo.multiply %350, %357 : tensor<4x4xf32>
    %359 = mhlo.add %355, %358 : tensor<4x4xf32>
    %360 = "mhlo.dot_general"(%359, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %361 = mhlo.constant dense<4.000000e-01> : tensor<f32>
    %362 = "mhlo.broadcast_in_dim"(%361) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %363 = mhlo.add %360, %362 : tensor<4x4xf32>
    %364 = mhlo.tanh %363 : tensor<4x4xf32>
    %365 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %366 = "mhlo.broadcast_in_dim"(%365) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %367 = mhlo.multiply %359, %366 : tensor<4x4xf32>
    %368 = mhlo.add %364, %367 : tensor<4x4xf32>
    %369 = "mhlo.dot_general"(%368, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %370 = mhlo.constant dense<4.100000e-01> : tensor<f32>
    %371 = "mhlo.broadcast_in_dim"(%370) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %372 = mhlo.add %369, %371 : tensor<4x4xf32>
    %373 = mhlo.tanh %372 : tensor<4x4xf32>
    %374 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %375 = "mhlo.broadcast_in_dim"(%374) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %376 = mhlo.multiply %368, %375 : tensor<4x4xf32>
    %377 = mhlo.add %373, %376 : tensor<4x4xf32>
    %378 = "mhlo.dot_general"(%377, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %379 = mhlo.constant dense<4.200000e-01> : tensor<f32>
    %380 = "mhlo.broadcast_in_dim"(%379) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %381 = mhlo.add %378, %380 : tensor<4x4xf32>
    %382 = mhlo.tanh %381 : tensor<4x4xf32>
    %383 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %384 = "mhlo.broadcast_in_dim"(%383) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %385 = mhlo.multiply %377, %384 : tensor<4x4xf32>
    %386 = mhlo.add %382, %385 : tensor<4x4xf32>
    %387 = "mhlo.dot_general"(%386, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %388 = mhlo.constant dense<4.300000e-01> : tensor<f32>
    %389 = "mhlo.broadcast_in_dim"(%388) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %390 = mhlo.add %387, %389 : tensor<4x4xf32>
    %391 = mhlo.tanh %390 : tensor<4x4xf32>
    %392 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %393 = "mhlo.broadcast_in_dim"(%392) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %394 = mhlo.multiply %386, %393 : tensor<4x4xf32>
    %395 = mhlo.add %391, %394 : tensor<4x4xf32>
    %396 = "mhlo.dot_general"(%395, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %397 = mhlo.constant dense<4.400000e-01> : tensor<f32>
    %398 = "mhlo.broadcast_in_dim"(%397) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %399 = mhlo.add %396, %398 : tensor<4x4xf32>
    %400 = mhlo.tanh %399 : tensor<4x4xf32>
    %401 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %402 = "mhlo.broadcast_in_dim"(%401) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %403 = mhlo.multiply %395, %402 : tensor<4x4xf32>
    %404 = mhlo.add %400, %403 : tensor<4x4xf32>
    %405 = "mhlo.dot_general"(%404, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %406 = mhlo.constant dense<4.500000e-01> : tensor<f32>
    %407 = "mhlo.broadcast_in_dim"(%406) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %408 = mhlo.add %405, %407 : tensor<4x4xf32>
    %409 = mhlo.tanh %408 : tensor<4x4xf32>
    %410 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %411 = "mhlo.broadcast_in_dim"(%410) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %412 = mhlo.multiply %404, %411 : tensor<4x4xf32>
    %413 = mhlo.add %409, %412 : tensor<4x4xf32>
    %414 = "mhlo.dot_general"(%413, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %415 = mhlo.constant dense<4.600000e-01> : tensor<f32>
    %416 = "mhlo.broadcast_in_dim"(%415) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %417 = mhlo.add %414, %416 : tensor<4x4xf32>
    %418 = mhlo.tanh %417 : tensor<4x4xf32>
    %419 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %420 = "mhlo.broadcast_in_dim"(%419) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %421 = mhlo.multiply %413, %420 : tensor<4x4xf32>
    %422 = mhlo.add %418, %421 : tensor<4x4xf32>
    %423 = "mhlo.dot_general"(%422, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %424 = mhlo.constant dense<4.700000e-01> : tensor<f32>
    %425 = "mhlo.broadcast_in_dim"(%424) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %426 = mhlo.add %423, %425 : tensor<4x4xf32>
    %427 = mhlo.tanh %426 : tensor<4x4xf32>
    %428 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %429 = "mhlo.broadcast_in_dim"(%428) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %430 = mhlo.multiply %422, %429 : tensor<4x4xf32>
    %431 = mhlo.add %427, %430 : tensor<4x4xf32>
    %432 = "mhlo.dot_general"(%431, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %433 = mhlo.constant dense<4.800000e-01> : tensor<f32>
    %434 = "mhlo.broadcast_in_dim"(%433) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %435 = mhlo.add %432, %434 : tensor<4x4xf32>
    %436 = mhlo.tanh %435 : tensor<4x4xf32>
    %437 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %438 = "mhlo.broadcast_in_dim"(%437) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %439 = mhlo.multiply %431, %438 : tensor<4x4xf32>
    %440 = mhlo.add %436, %439 : tensor<4x4xf32>
    %441 = "mhlo.dot_general"(%440, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %442 = mhlo.constant dense<4.900000e-01> : tensor<f32>
    %443 = "mhlo.broadcast_in_dim"(%442) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %444 = mhlo.add %441, %443 : tensor<4x4xf32>
    %445 = mhlo.tanh %444 : tensor<4x4xf32>
    %446 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %447 = "mhlo.broadcast_in_dim"(%446) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %448 = mhlo.multiply %440, %447 : tensor<4x4xf32>
    %449 = mhlo.add %445, %448 : tensor<4x4xf32>
    %450 = "mhlo.dot_general"(%449, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %451 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %452 = "mhlo.broadcast_in_dim"(%451) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %453 = mhlo.add %450, %452 : tensor<4x4xf32>
    %454 = mhlo.tanh %453 : tensor<4x4xf32>
    %455 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %456 = "mhlo.broadcast_in_dim"(%455) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %457 = mhlo.multiply %449, %456 : tensor<4x4xf32>
    %458 = mhlo.add %454, %457 : tensor<4x4xf32>
    %459 = "mhlo.dot_general"(%458, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %460 = mhlo.constant dense<5.100000e-01> : tensor<f32>
    %461 = "mhlo.broadcast_in_dim"(%460) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %462 = mhlo.add %459, %461 : tensor<4x4xf32>
    %463 = mhlo.tanh %462 : tensor<4x4xf32>
    %464 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %465 = "mhlo.broadcast_in_dim"(%464) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %466 = mhlo.multiply %458, %465 : tensor<4x4xf32>
    %467 = mhlo.add %463, %466 : tensor<4x4xf32>
    %468 = "mhlo.dot_general"(%467, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %469 = mhlo.constant dense<5.200000e-01> : tensor<f32>
    %470 = "mhlo.broadcast_in_dim"(%469) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %471 = mhlo.add %468, %470 : tensor<4x4xf32>
    %472 = mhlo.tanh %471 : tensor<4x4xf32>
    %473 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %474 = "mhlo.broadcast_in_dim"(%473) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %475 = mhlo.multiply %467, %474 : tensor<4x4xf32>
    %476 = mhlo.add %472, %475 : tensor<4x4xf32>
    %477 = "mhlo.dot_general"(%476, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %478 = mhlo.constant dense<5.300000e-01> : tensor<f32>
    %479 = "mhlo.broadcast_in_dim"(%478) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %480 = mhlo.add %477, %479 : tensor<4x4xf32>
    %481 = mhlo.tanh %480 : tensor<4x4xf32>
    %482 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %483 = "mhlo.broadcast_in_dim"(%482) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %484 = mhlo.multiply %476, %483 : tensor<4x4xf32>
    %485 = mhlo.add %481, %484 : tensor<4x4xf32>
    %486 = "mhlo.dot_general"(%485, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %487 = mhlo.constant dense<5.400000e-01> : tensor<f32>
    %488 = "mhlo.broadcast_in_dim"(%487) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %489 = mhlo.add %486, %488 : tensor<4x4xf32>
    %490 = mhlo.tanh %489 : tensor<4x4xf32>
    %491 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %492 = "mhlo.broadcast_in_dim"(%491) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %493 = mhlo.multiply %485, %492 : tensor<4x4xf32>
    %494 = mhlo.add %490, %493 : tensor<4x4xf32>
    %495 = "mhlo.dot_general"(%494, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %496 = mhlo.constant dense<5.500000e-01> : tensor<f32>
    %497 = "mhlo.broadcast_in_dim"(%496) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %498 = mhlo.add %495, %497 : tensor<4x4xf32>
    %499 = mhlo.tanh %498 : tensor<4x4xf32>
    %500 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %501 = "mhlo.broadcast_in_dim"(%500) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %502 = mhlo.multiply %494, %501 : tensor<4x4xf32>
    %503 = mhlo.add %499, %502 : tensor<4x4xf32>
    %504 = "mhlo.dot_general"(%503, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %505 = mhlo.constant dense<5.600000e-01> : tensor<f32>
    %506 = "mhlo.broadcast_in_dim"(%505) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %507 = mhlo.add %504, %506 : tensor<4x4xf32>
    %508 = mhlo.tanh %507 : tensor<4x4xf32>
    %509 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %510 = "mhlo.broadcast_in_dim"(%509) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %511 = mhlo.multiply %503, %510 : tensor<4x4xf32>
    %512 = mhlo.add %508, %511 : tensor<4x4xf32>
    %513 = "mhlo.dot_general"(%512, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %514 = mhlo.constant dense<5.700000e-01> : tensor<f32>
    %515 = "mhlo.broadcast_in_dim"(%514) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %516 = mhlo.add %513, %515 : tensor<4x4xf32>
    %517 = mhlo.tanh %516 : tensor<4x4xf32>
    %518 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %519 = "mhlo.broadcast_in_dim"(%518) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %520 = mhlo.multiply %512, %519 : tensor<4x4xf32>
    %521 = mhlo.add %517, %520 : tensor<4x4xf32>
    %522 = "mhlo.dot_general"(%521, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %523 = mhlo.constant dense<5.800000e-01> : tensor<f32>
    %524 = "mhlo.broadcast_in_dim"(%523) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %525 = mhlo.add %522, %524 : tensor<4x4xf32>
    %526 = mhlo.tanh %525 : tensor<4x4xf32>
    %527 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %528 = "mhlo.broadcast_in_dim"(%527) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %529 = mhlo.multiply %521, %528 : tensor<4x4xf32>
    %530 = mhlo.add %526, %529 : tensor<4x4xf32>
    %531 = "mhlo.dot_general"(%530, %arg1) <{dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#mhlo<precision DEFAULT>, #mhlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %532 = mhlo.constant dense<5.900000e-01> : tensor<f32>
    %533 = "mhlo.broadcast_in_dim"(%532) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %534 = mhlo.add %531, %533 : tensor<4x4xf32>
    %535 = mhlo.tanh %534 : tensor<4x4xf32>
    %536 = mhlo.constant dense<1.000000e-01> : tensor<f32>
    %537 = "mhlo.broadcast_in_dim"(%536) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<4x4xf32>
    %538 = mhlo.multiply %530, %537 : tensor<4x4xf32>
    %539 = mhlo.add %535, %538 : tensor<4x4xf32>
    return %539 : tensor<4x4xf32>
  }
}
