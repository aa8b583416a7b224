module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>) -> (tensor<12xf32> {jax.result_info = "result[0]"}, tensor<12xf32> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf32> {jax.result_info = "result[3]"}, tensor<12xf32> {jax.result_info = "result[4]"}, tensor<12xf32> {jax.result_info = "result[5]"}, tensor<12xf32> {jax.result_info = "result[6]"}, tensor<12xf32> {jax.result_info = "result[7]"}, tensor<12xf32> {jax.result_info = "result[8]"}, tensor<12xf32> {jax.result_info = "result[9]"}, tensor<12xf32> {jax.result_info = "result[10]"}, tensor<12xf32> {jax.result_info = "result[11]"}, tensor<12xf32> {jax.result_info = "result[12]"}, tensor<12xf32> {jax.result_info = "result[13]"}, tensor<12xf32> {jax.result_info = "result[14]"}, tensor<12xf32> {jax.result_info = "result[15]"}, tensor<12xf32> {jax.result_info = "result[16]"}) {
    %0 = mhlo.constant dense<[-59.9633484, 98.0010757, -56.6762848, 13.9312611, -1.23916578]> : tensor<5xf32>
    %1 = mhlo.constant dense<[1.000000e+00, 1.95448864, 4.67627907, 86.3602447, -225.462692, 200.260208, -82.0372238, 15.9056225, -1.18331623]> : tensor<9xf32>
    %2 = mhlo.constant dense<[3.23774886, 6.91522884, 3.93881035, 1.33303463, 0.201485395, 0.0123716639, 3.01581546E-4, 2.65806966E-6, 6.23974561E-9]> : tensor<9xf32>
    %3 = mhlo.constant dense<[1.000000e+00, 6.02427053, 3.67983556, 1.37702096, 2.162370e-01, 1.342040e-02, 3.28014459E-4, 2.89247873E-6, 6.79019418E-9]> : tensor<9xf32>
    %4 = mhlo.constant dense<[4.05544901, 31.5251102, 57.1628189, 44.0805092, 14.6849566, 2.18663311, -0.140256077, -0.035042461, -8.57456762E-4]> : tensor<9xf32>
    %5 = mhlo.constant dense<[1.000000e+00, 15.7799883, 45.3907623, 41.3172035, 15.0425386, 2.5046494, -0.142182916, -0.0380806401, -9.33259492E-4]> : tensor<9xf32>
    %6 = mhlo.constant dense<4.000000e+00> : tensor<f32>
    %7 = "mhlo.broadcast_in_dim"(%6) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %8 = mhlo.divide %arg0, %7 : tensor<12xf32>
    %9 = mhlo.erf %arg0 : tensor<12xf32>
    %10 = mhlo.multiply %arg0, %arg0 : tensor<12xf32>
    %11 = mhlo.negate %10 : tensor<12xf32>
    %12 = mhlo.abs %arg0 : tensor<12xf32>
    %13 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %14 = mhlo.divide %13, %10 : tensor<12xf32>
    %15 = mhlo.exponential %11 : tensor<12xf32>
    %16 = mhlo.divide %13, %12 : tensor<12xf32>
    %17 = mhlo.multiply %15, %16 : tensor<12xf32>
    %18 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %19 = mhlo.compare LT, %12, %18 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %20 = mhlo.constant dense<2.326820e-02> : tensor<12xf32>
    %21 = mhlo.multiply %20, %14 : tensor<12xf32>
    %22 = mhlo.constant dense<-0.138703942> : tensor<12xf32>
    %23 = mhlo.add %21, %22 : tensor<12xf32>
    %24 = mhlo.multiply %23, %14 : tensor<12xf32>
    %25 = mhlo.constant dense<0.368742466> : tensor<12xf32>
    %26 = mhlo.add %24, %25 : tensor<12xf32>
    %27 = mhlo.multiply %26, %14 : tensor<12xf32>
    %28 = mhlo.constant dense<-0.582473278> : tensor<12xf32>
    %29 = mhlo.add %27, %28 : tensor<12xf32>
    %30 = mhlo.multiply %29, %14 : tensor<12xf32>
    %31 = mhlo.constant dense<0.621000468> : tensor<12xf32>
    %32 = mhlo.add %30, %31 : tensor<12xf32>
    %33 = mhlo.multiply %32, %14 : tensor<12xf32>
    %34 = mhlo.constant dense<-0.494451523> : tensor<12xf32>
    %35 = mhlo.add %33, %34 : tensor<12xf32>
    %36 = mhlo.multiply %35, %14 : tensor<12xf32>
    %37 = mhlo.constant dense<3.404880e-01> : tensor<12xf32>
    %38 = mhlo.add %36, %37 : tensor<12xf32>
    %39 = mhlo.multiply %38, %14 : tensor<12xf32>
    %40 = mhlo.constant dense<-0.274112701> : tensor<12xf32>
    %41 = mhlo.add %39, %40 : tensor<12xf32>
    %42 = mhlo.multiply %41, %14 : tensor<12xf32>
    %43 = mhlo.constant dense<0.563825965> : tensor<12xf32>
    %44 = mhlo.add %42, %43 : tensor<12xf32>
    %45 = mhlo.constant dense<-10.477664> : tensor<12xf32>
    %46 = mhlo.multiply %45, %14 : tensor<12xf32>
    %47 = mhlo.constant dense<1.297720e+01> : tensor<12xf32>
    %48 = mhlo.add %46, %47 : tensor<12xf32>
    %49 = mhlo.multiply %48, %14 : tensor<12xf32>
    %50 = mhlo.constant dense<-7.49551868> : tensor<12xf32>
    %51 = mhlo.add %49, %50 : tensor<12xf32>
    %52 = mhlo.multiply %51, %14 : tensor<12xf32>
    %53 = mhlo.constant dense<2.92101908> : tensor<12xf32>
    %54 = mhlo.add %52, %53 : tensor<12xf32>
    %55 = mhlo.multiply %54, %14 : tensor<12xf32>
    %56 = mhlo.constant dense<-1.01526523> : tensor<12xf32>
    %57 = mhlo.add %55, %56 : tensor<12xf32>
    %58 = mhlo.multiply %57, %14 : tensor<12xf32>
    %59 = mhlo.constant dense<0.42184633> : tensor<12xf32>
    %60 = mhlo.add %58, %59 : tensor<12xf32>
    %61 = mhlo.multiply %60, %14 : tensor<12xf32>
    %62 = mhlo.constant dense<-0.282076746> : tensor<12xf32>
    %63 = mhlo.add %61, %62 : tensor<12xf32>
    %64 = mhlo.multiply %63, %14 : tensor<12xf32>
    %65 = mhlo.constant dense<0.564189494> : tensor<12xf32>
    %66 = mhlo.add %64, %65 : tensor<12xf32>
    %67 = mhlo.select %19, %44, %66 : tensor<12xi1>, tensor<12xf32>
    %68 = mhlo.multiply %17, %67 : tensor<12xf32>
    %69 = mhlo.constant dense<-88.7228394> : tensor<12xf32>
    %70 = mhlo.compare LT, %11, %69 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %71 = mhlo.constant dense<0.000000e+00> : tensor<12xf32>
    %72 = mhlo.select %70, %71, %68 : tensor<12xi1>, tensor<12xf32>
    %73 = mhlo.compare LT, %arg0, %71 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %74 = mhlo.subtract %18, %72 : tensor<12xf32>
    %75 = mhlo.select %73, %74, %72 : tensor<12xi1>, tensor<12xf32>
    %76 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %77 = mhlo.multiply %arg0, %arg0 : tensor<12xf32>
    %78 = mhlo.constant dense<7.85386146E-5> : tensor<12xf32>
    %79 = mhlo.multiply %78, %77 : tensor<12xf32>
    %80 = mhlo.constant dense<-8.0101937E-4> : tensor<12xf32>
    %81 = mhlo.add %79, %80 : tensor<12xf32>
    %82 = mhlo.multiply %81, %77 : tensor<12xf32>
    %83 = mhlo.constant dense<0.00518832775> : tensor<12xf32>
    %84 = mhlo.add %82, %83 : tensor<12xf32>
    %85 = mhlo.multiply %84, %77 : tensor<12xf32>
    %86 = mhlo.constant dense<-0.0268538129> : tensor<12xf32>
    %87 = mhlo.add %85, %86 : tensor<12xf32>
    %88 = mhlo.multiply %87, %77 : tensor<12xf32>
    %89 = mhlo.constant dense<0.112835854> : tensor<12xf32>
    %90 = mhlo.add %88, %89 : tensor<12xf32>
    %91 = mhlo.multiply %90, %77 : tensor<12xf32>
    %92 = mhlo.constant dense<-0.37612626> : tensor<12xf32>
    %93 = mhlo.add %91, %92 : tensor<12xf32>
    %94 = mhlo.multiply %93, %77 : tensor<12xf32>
    %95 = mhlo.constant dense<1.12837911> : tensor<12xf32>
    %96 = mhlo.add %94, %95 : tensor<12xf32>
    %97 = mhlo.multiply %arg0, %96 : tensor<12xf32>
    %98 = mhlo.subtract %76, %97 : tensor<12xf32>
    %99 = mhlo.abs %arg0 : tensor<12xf32>
    %100 = mhlo.compare LT, %99, %76 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %101 = mhlo.select %100, %98, %75 : tensor<12xi1>, tensor<12xf32>
    %102 = mhlo.negate %8 : tensor<12xf32>
    %103 = mhlo.multiply %8, %102 : tensor<12xf32>
    %104 = mhlo.log_plus_one %103 : tensor<12xf32>
    %105 = mhlo.negate %104 : tensor<12xf32>
    %106 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %107 = mhlo.compare LT, %105, %106 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %108 = mhlo.constant dense<2.500000e+00> : tensor<12xf32>
    %109 = mhlo.subtract %105, %108 : tensor<12xf32>
    %110 = mhlo.sqrt %105 : tensor<12xf32>
    %111 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %112 = mhlo.subtract %110, %111 : tensor<12xf32>
    %113 = mhlo.select %107, %109, %112 : tensor<12xi1>, tensor<12xf32>
    %114 = mhlo.constant dense<2.81022636E-8> : tensor<12xf32>
    %115 = mhlo.constant dense<-2.00214257E-4> : tensor<12xf32>
    %116 = mhlo.select %107, %114, %115 : tensor<12xi1>, tensor<12xf32>
    %117 = mhlo.constant dense<3.43273939E-7> : tensor<12xf32>
    %118 = mhlo.constant dense<1.00950558E-4> : tensor<12xf32>
    %119 = mhlo.select %107, %117, %118 : tensor<12xi1>, tensor<12xf32>
    %120 = mhlo.multiply %116, %113 : tensor<12xf32>
    %121 = mhlo.add %119, %120 : tensor<12xf32>
    %122 = mhlo.constant dense<-3.5233877E-6> : tensor<12xf32>
    %123 = mhlo.constant dense<0.00134934322> : tensor<12xf32>
    %124 = mhlo.select %107, %122, %123 : tensor<12xi1>, tensor<12xf32>
    %125 = mhlo.multiply %121, %113 : tensor<12xf32>
    %126 = mhlo.add %124, %125 : tensor<12xf32>
    %127 = mhlo.constant dense<-4.39150654E-6> : tensor<12xf32>
    %128 = mhlo.constant dense<-0.00367342844> : tensor<12xf32>
    %129 = mhlo.select %107, %127, %128 : tensor<12xi1>, tensor<12xf32>
    %130 = mhlo.multiply %126, %113 : tensor<12xf32>
    %131 = mhlo.add %129, %130 : tensor<12xf32>
    %132 = mhlo.constant dense<2.1858087E-4> : tensor<12xf32>
    %133 = mhlo.constant dense<0.00573950773> : tensor<12xf32>
    %134 = mhlo.select %107, %132, %133 : tensor<12xi1>, tensor<12xf32>
    %135 = mhlo.multiply %131, %113 : tensor<12xf32>
    %136 = mhlo.add %134, %135 : tensor<12xf32>
    %137 = mhlo.constant dense<-0.00125372503> : tensor<12xf32>
    %138 = mhlo.constant dense<-0.0076224613> : tensor<12xf32>
    %139 = mhlo.select %107, %137, %138 : tensor<12xi1>, tensor<12xf32>
    %140 = mhlo.multiply %136, %113 : tensor<12xf32>
    %141 = mhlo.add %139, %140 : tensor<12xf32>
    %142 = mhlo.constant dense<-0.00417768164> : tensor<12xf32>
    %143 = mhlo.constant dense<0.00943887047> : tensor<12xf32>
    %144 = mhlo.select %107, %142, %143 : tensor<12xi1>, tensor<12xf32>
    %145 = mhlo.multiply %141, %113 : tensor<12xf32>
    %146 = mhlo.add %144, %145 : tensor<12xf32>
    %147 = mhlo.constant dense<0.246640727> : tensor<12xf32>
    %148 = mhlo.constant dense<1.00167406> : tensor<12xf32>
    %149 = mhlo.select %107, %147, %148 : tensor<12xi1>, tensor<12xf32>
    %150 = mhlo.multiply %146, %113 : tensor<12xf32>
    %151 = mhlo.add %149, %150 : tensor<12xf32>
    %152 = mhlo.constant dense<1.50140941> : tensor<12xf32>
    %153 = mhlo.constant dense<2.83297682> : tensor<12xf32>
    %154 = mhlo.select %107, %152, %153 : tensor<12xi1>, tensor<12xf32>
    %155 = mhlo.multiply %151, %113 : tensor<12xf32>
    %156 = mhlo.add %154, %155 : tensor<12xf32>
    %157 = mhlo.multiply %156, %8 : tensor<12xf32>
    %158 = mhlo.abs %8 : tensor<12xf32>
    %159 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %160 = mhlo.compare EQ, %158, %159 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %161 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %162 = mhlo.multiply %8, %161 : tensor<12xf32>
    %163 = mhlo.select %160, %162, %157 : tensor<12xi1>, tensor<12xf32>
    %164 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %165 = mhlo.compare LT, %arg1, %164 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %166 = mhlo.negate %arg1 : tensor<12xf32>
    %167 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %168 = mhlo.subtract %arg1, %167 : tensor<12xf32>
    %169 = mhlo.select %165, %166, %168 : tensor<12xi1>, tensor<12xf32>
    %170 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %171 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %172 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %173 = mhlo.add %169, %172 : tensor<12xf32>
    %174 = mhlo.divide %171, %173 : tensor<12xf32>
    %175 = mhlo.add %170, %174 : tensor<12xf32>
    %176 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %177 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %178 = mhlo.add %169, %177 : tensor<12xf32>
    %179 = mhlo.divide %176, %178 : tensor<12xf32>
    %180 = mhlo.add %175, %179 : tensor<12xf32>
    %181 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %182 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %183 = mhlo.add %169, %182 : tensor<12xf32>
    %184 = mhlo.divide %181, %183 : tensor<12xf32>
    %185 = mhlo.add %180, %184 : tensor<12xf32>
    %186 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %187 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %188 = mhlo.add %169, %187 : tensor<12xf32>
    %189 = mhlo.divide %186, %188 : tensor<12xf32>
    %190 = mhlo.add %185, %189 : tensor<12xf32>
    %191 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %192 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %193 = mhlo.add %169, %192 : tensor<12xf32>
    %194 = mhlo.divide %191, %193 : tensor<12xf32>
    %195 = mhlo.add %190, %194 : tensor<12xf32>
    %196 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %197 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %198 = mhlo.add %169, %197 : tensor<12xf32>
    %199 = mhlo.divide %196, %198 : tensor<12xf32>
    %200 = mhlo.add %195, %199 : tensor<12xf32>
    %201 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %202 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %203 = mhlo.add %169, %202 : tensor<12xf32>
    %204 = mhlo.divide %201, %203 : tensor<12xf32>
    %205 = mhlo.add %200, %204 : tensor<12xf32>
    %206 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %207 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %208 = mhlo.add %169, %207 : tensor<12xf32>
    %209 = mhlo.divide %206, %208 : tensor<12xf32>
    %210 = mhlo.add %205, %209 : tensor<12xf32>
    %211 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %212 = mhlo.add %211, %169 : tensor<12xf32>
    %213 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %214 = mhlo.divide %169, %211 : tensor<12xf32>
    %215 = mhlo.log_plus_one %214 : tensor<12xf32>
    %216 = mhlo.add %213, %215 : tensor<12xf32>
    %217 = mhlo.divide %212, %216 : tensor<12xf32>
    %218 = mhlo.add %169, %164 : tensor<12xf32>
    %219 = mhlo.subtract %218, %217 : tensor<12xf32>
    %220 = mhlo.multiply %219, %216 : tensor<12xf32>
    %221 = mhlo.log %210 : tensor<12xf32>
    %222 = mhlo.constant dense<0.918938517> : tensor<12xf32>
    %223 = mhlo.add %222, %220 : tensor<12xf32>
    %224 = mhlo.add %223, %221 : tensor<12xf32>
    %225 = mhlo.abs %arg1 : tensor<12xf32>
    %226 = mhlo.floor %225 : tensor<12xf32>
    %227 = mhlo.subtract %225, %226 : tensor<12xf32>
    %228 = mhlo.compare LT, %164, %227 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %229 = mhlo.subtract %167, %227 : tensor<12xf32>
    %230 = mhlo.select %228, %229, %227 : tensor<12xi1>, tensor<12xf32>
    %231 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %232 = mhlo.multiply %231, %230 : tensor<12xf32>
    %233 = mhlo.sine %232 : tensor<12xf32>
    %234 = mhlo.log %233 : tensor<12xf32>
    %235 = mhlo.constant dense<1.14472985> : tensor<12xf32>
    %236 = mhlo.subtract %235, %234 : tensor<12xf32>
    %237 = mhlo.subtract %236, %224 : tensor<12xf32>
    %238 = mhlo.is_finite %234 : (tensor<12xf32>) -> tensor<12xi1>
    %239 = mhlo.negate %234 : tensor<12xf32>
    %240 = mhlo.select %238, %237, %239 : tensor<12xi1>, tensor<12xf32>
    %241 = mhlo.select %165, %240, %224 : tensor<12xi1>, tensor<12xf32>
    %242 = mhlo.abs %arg1 : tensor<12xf32>
    %243 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %244 = mhlo.compare EQ, %242, %243 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %245 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %246 = mhlo.select %244, %245, %241 : tensor<12xi1>, tensor<12xf32>
    %247 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %248 = mhlo.compare LT, %arg1, %247 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %249 = mhlo.negate %arg1 : tensor<12xf32>
    %250 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %251 = mhlo.subtract %arg1, %250 : tensor<12xf32>
    %252 = mhlo.select %248, %249, %251 : tensor<12xi1>, tensor<12xf32>
    %253 = mhlo.constant dense<0.000000e+00> : tensor<12xf32>
    %254 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %255 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %256 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %257 = mhlo.add %252, %256 : tensor<12xf32>
    %258 = mhlo.multiply %257, %257 : tensor<12xf32>
    %259 = mhlo.divide %255, %258 : tensor<12xf32>
    %260 = mhlo.subtract %253, %259 : tensor<12xf32>
    %261 = mhlo.divide %255, %257 : tensor<12xf32>
    %262 = mhlo.add %254, %261 : tensor<12xf32>
    %263 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %264 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %265 = mhlo.add %252, %264 : tensor<12xf32>
    %266 = mhlo.multiply %265, %265 : tensor<12xf32>
    %267 = mhlo.divide %263, %266 : tensor<12xf32>
    %268 = mhlo.subtract %260, %267 : tensor<12xf32>
    %269 = mhlo.divide %263, %265 : tensor<12xf32>
    %270 = mhlo.add %262, %269 : tensor<12xf32>
    %271 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %272 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %273 = mhlo.add %252, %272 : tensor<12xf32>
    %274 = mhlo.multiply %273, %273 : tensor<12xf32>
    %275 = mhlo.divide %271, %274 : tensor<12xf32>
    %276 = mhlo.subtract %268, %275 : tensor<12xf32>
    %277 = mhlo.divide %271, %273 : tensor<12xf32>
    %278 = mhlo.add %270, %277 : tensor<12xf32>
    %279 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %280 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %281 = mhlo.add %252, %280 : tensor<12xf32>
    %282 = mhlo.multiply %281, %281 : tensor<12xf32>
    %283 = mhlo.divide %279, %282 : tensor<12xf32>
    %284 = mhlo.subtract %276, %283 : tensor<12xf32>
    %285 = mhlo.divide %279, %281 : tensor<12xf32>
    %286 = mhlo.add %278, %285 : tensor<12xf32>
    %287 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %288 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %289 = mhlo.add %252, %288 : tensor<12xf32>
    %290 = mhlo.multiply %289, %289 : tensor<12xf32>
    %291 = mhlo.divide %287, %290 : tensor<12xf32>
    %292 = mhlo.subtract %284, %291 : tensor<12xf32>
    %293 = mhlo.divide %287, %289 : tensor<12xf32>
    %294 = mhlo.add %286, %293 : tensor<12xf32>
    %295 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %296 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %297 = mhlo.add %252, %296 : tensor<12xf32>
    %298 = mhlo.multiply %297, %297 : tensor<12xf32>
    %299 = mhlo.divide %295, %298 : tensor<12xf32>
    %300 = mhlo.subtract %292, %299 : tensor<12xf32>
    %301 = mhlo.divide %295, %297 : tensor<12xf32>
    %302 = mhlo.add %294, %301 : tensor<12xf32>
    %303 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %304 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %305 = mhlo.add %252, %304 : tensor<12xf32>
    %306 = mhlo.multiply %305, %305 : tensor<12xf32>
    %307 = mhlo.divide %303, %306 : tensor<12xf32>
    %308 = mhlo.subtract %300, %307 : tensor<12xf32>
    %309 = mhlo.divide %303, %305 : tensor<12xf32>
    %310 = mhlo.add %302, %309 : tensor<12xf32>
    %311 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %312 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %313 = mhlo.add %252, %312 : tensor<12xf32>
    %314 = mhlo.multiply %313, %313 : tensor<12xf32>
    %315 = mhlo.divide %311, %314 : tensor<12xf32>
    %316 = mhlo.subtract %308, %315 : tensor<12xf32>
    %317 = mhlo.divide %311, %313 : tensor<12xf32>
    %318 = mhlo.add %310, %317 : tensor<12xf32>
    %319 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %320 = mhlo.add %319, %252 : tensor<12xf32>
    %321 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %322 = mhlo.divide %252, %319 : tensor<12xf32>
    %323 = mhlo.log_plus_one %322 : tensor<12xf32>
    %324 = mhlo.add %321, %323 : tensor<12xf32>
    %325 = mhlo.divide %316, %318 : tensor<12xf32>
    %326 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %327 = mhlo.divide %326, %320 : tensor<12xf32>
    %328 = mhlo.add %324, %325 : tensor<12xf32>
    %329 = mhlo.subtract %328, %327 : tensor<12xf32>
    %330 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %331 = mhlo.add %arg1, %330 : tensor<12xf32>
    %332 = mhlo.floor %331 : tensor<12xf32>
    %333 = mhlo.abs %332 : tensor<12xf32>
    %334 = mhlo.add %arg1, %333 : tensor<12xf32>
    %335 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %336 = mhlo.multiply %335, %334 : tensor<12xf32>
    %337 = mhlo.cosine %336 : tensor<12xf32>
    %338 = mhlo.sine %336 : tensor<12xf32>
    %339 = mhlo.multiply %335, %337 : tensor<12xf32>
    %340 = mhlo.divide %339, %338 : tensor<12xf32>
    %341 = mhlo.subtract %329, %340 : tensor<12xf32>
    %342 = mhlo.select %248, %341, %329 : tensor<12xi1>, tensor<12xf32>
    %343 = mhlo.compare LE, %arg1, %253 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %344 = mhlo.floor %arg1 : tensor<12xf32>
    %345 = mhlo.compare EQ, %arg1, %344 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %346 = mhlo.and %343, %345 : tensor<12xi1>
    %347 = mhlo.constant dense<0x7FC00000> : tensor<12xf32>
    %348 = mhlo.select %346, %347, %342 : tensor<12xi1>, tensor<12xf32>
    %349 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %350 = mhlo.log %349 : tensor<12xf32>
    %351 = mhlo.add %arg0, %350 : tensor<12xf32>
    %352 = mhlo.exponential %351 : tensor<12xf32>
    %353 = mhlo.subtract %350, %arg0 : tensor<12xf32>
    %354 = mhlo.exponential %353 : tensor<12xf32>
    %355 = mhlo.subtract %352, %354 : tensor<12xf32>
    %356 = mhlo.exponential_minus_one %arg0 : tensor<12xf32>
    %357 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %358 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %359 = mhlo.add %356, %357 : tensor<12xf32>
    %360 = mhlo.divide %356, %359 : tensor<12xf32>
    %361 = mhlo.add %356, %360 : tensor<12xf32>
    %362 = mhlo.multiply %358, %361 : tensor<12xf32>
    %363 = mhlo.abs %arg0 : tensor<12xf32>
    %364 = mhlo.compare LT, %363, %357 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %365 = mhlo.select %364, %362, %355 : tensor<12xi1>, tensor<12xf32>
    %366 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %367 = mhlo.log %366 : tensor<12xf32>
    %368 = mhlo.add %arg0, %367 : tensor<12xf32>
    %369 = mhlo.exponential %368 : tensor<12xf32>
    %370 = mhlo.subtract %367, %arg0 : tensor<12xf32>
    %371 = mhlo.exponential %370 : tensor<12xf32>
    %372 = mhlo.add %369, %371 : tensor<12xf32>
    %373 = mhlo.sign %arg0 : tensor<12xf32>
    %374 = mhlo.abs %arg0 : tensor<12xf32>
    %375 = mhlo.constant dense<3.40282347E+38> : tensor<12xf32>
    %376 = mhlo.sqrt %375 : tensor<12xf32>
    %377 = mhlo.compare GE, %374, %376 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %378 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %379 = mhlo.log %378 : tensor<12xf32>
    %380 = mhlo.log %374 : tensor<12xf32>
    %381 = mhlo.add %379, %380 : tensor<12xf32>
    %382 = mhlo.multiply %374, %374 : tensor<12xf32>
    %383 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %384 = mhlo.add %383, %382 : tensor<12xf32>
    %385 = mhlo.sqrt %384 : tensor<12xf32>
    %386 = mhlo.add %383, %385 : tensor<12xf32>
    %387 = mhlo.divide %382, %386 : tensor<12xf32>
    %388 = mhlo.add %374, %387 : tensor<12xf32>
    %389 = mhlo.log_plus_one %388 : tensor<12xf32>
    %390 = mhlo.select %377, %381, %389 : tensor<12xi1>, tensor<12xf32>
    %391 = mhlo.multiply %373, %390 : tensor<12xf32>
    %392 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %393 = "mhlo.broadcast_in_dim"(%392) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %394 = mhlo.add %arg1, %393 : tensor<12xf32>
    %395 = call @arccosh(%394) : (tensor<12xf32>) -> tensor<12xf32>
    %396 = mhlo.abs %8 : tensor<12xf32>
    %397 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %398 = mhlo.compare GT, %396, %397 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %399 = mhlo.constant dense<0x7FC00000> : tensor<12xf32>
    %400 = mhlo.log_plus_one %8 : tensor<12xf32>
    %401 = mhlo.negate %8 : tensor<12xf32>
    %402 = mhlo.log_plus_one %401 : tensor<12xf32>
    %403 = mhlo.subtract %400, %402 : tensor<12xf32>
    %404 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %405 = mhlo.multiply %403, %404 : tensor<12xf32>
    %406 = mhlo.select %398, %399, %405 : tensor<12xi1>, tensor<12xf32>
    %407 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %408 = mhlo.subtract %407, %8 : tensor<12xf32>
    %409 = mhlo.add %407, %8 : tensor<12xf32>
    %410 = mhlo.multiply %408, %409 : tensor<12xf32>
    %411 = mhlo.sqrt %410 : tensor<12xf32>
    %412 = mhlo.add %407, %411 : tensor<12xf32>
    %413 = mhlo.atan2 %8, %412 : tensor<12xf32>
    %414 = mhlo.add %413, %413 : tensor<12xf32>
    %415 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %416 = mhlo.subtract %415, %8 : tensor<12xf32>
    %417 = mhlo.add %415, %8 : tensor<12xf32>
    %418 = mhlo.multiply %416, %417 : tensor<12xf32>
    %419 = mhlo.sqrt %418 : tensor<12xf32>
    %420 = mhlo.atan2 %419, %8 : tensor<12xf32>
    %421 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %422 = mhlo.atan2 %arg0, %421 : tensor<12xf32>
    %423 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %424 = "mhlo.broadcast_in_dim"(%423) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %425 = mhlo.add %arg1, %424 : tensor<12xf32>
    %426 = mhlo.abs %8 : tensor<12xf32>
    %427 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %428 = "mhlo.broadcast_in_dim"(%427) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %429 = mhlo.compare EQ, %arg1, %428, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %430 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %431 = "mhlo.broadcast_in_dim"(%430) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %432 = mhlo.compare EQ, %425, %431, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %433 = mhlo.or %429, %432 : tensor<12xi1>
    %434 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %435 = "mhlo.broadcast_in_dim"(%434) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %436 = mhlo.compare EQ, %425, %435, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %437 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %438 = "mhlo.broadcast_in_dim"(%437) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %439 = mhlo.compare EQ, %arg1, %438, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %440 = mhlo.or %436, %439 : tensor<12xi1>
    %441 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %442 = "mhlo.broadcast_in_dim"(%441) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %443 = mhlo.compare EQ, %426, %442, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %444 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %445 = "mhlo.broadcast_in_dim"(%444) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %446 = mhlo.compare EQ, %426, %445, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %447 = mhlo.not %443 : tensor<12xi1>
    %448 = mhlo.not %446 : tensor<12xi1>
    %449 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %450 = mhlo.compare NE, %425, %425, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %451 = mhlo.or %449, %450 : tensor<12xi1>
    %452 = mhlo.compare NE, %426, %426, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %453 = mhlo.or %451, %452 : tensor<12xi1>
    %454 = mhlo.and %440, %448 : tensor<12xi1>
    %455 = mhlo.and %433, %443 : tensor<12xi1>
    %456 = mhlo.or %454, %455 : tensor<12xi1>
    %457 = mhlo.and %433, %447 : tensor<12xi1>
    %458 = mhlo.and %440, %446 : tensor<12xi1>
    %459 = mhlo.or %457, %458 : tensor<12xi1>
    %460 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %461 = "mhlo.broadcast_in_dim"(%460) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %462 = mhlo.compare LT, %arg1, %461, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %463 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = "mhlo.broadcast_in_dim"(%463) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %465 = mhlo.compare LT, %425, %464, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %466 = mhlo.or %462, %465 : tensor<12xi1>
    %467 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %468 = "mhlo.broadcast_in_dim"(%467) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %469 = mhlo.compare LT, %426, %468, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %470 = mhlo.or %466, %469 : tensor<12xi1>
    %471 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %472 = "mhlo.broadcast_in_dim"(%471) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %473 = mhlo.compare GT, %426, %472, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %474 = mhlo.or %470, %473 : tensor<12xi1>
    %475 = mhlo.and %433, %440 : tensor<12xi1>
    %476 = mhlo.or %475, %453 : tensor<12xi1>
    %477 = mhlo.or %474, %476 : tensor<12xi1>
    %478 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %479 = "mhlo.broadcast_in_dim"(%478) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %480 = mhlo.add %arg1, %479 : tensor<12xf32>
    %481 = mhlo.add %arg1, %425 : tensor<12xf32>
    %482 = mhlo.constant dense<2.000000e+00> : tensor<f32>
    %483 = "mhlo.broadcast_in_dim"(%482) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %484 = mhlo.add %481, %483 : tensor<12xf32>
    %485 = mhlo.divide %480, %484 : tensor<12xf32>
    %486 = mhlo.compare LT, %426, %485, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %487 = mhlo.select %486, %arg1, %425 : tensor<12xi1>, tensor<12xf32>
    %488 = mhlo.select %486, %425, %arg1 : tensor<12xi1>, tensor<12xf32>
    %489 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %490 = "mhlo.broadcast_in_dim"(%489) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %491 = mhlo.subtract %490, %426 : tensor<12xf32>
    %492 = mhlo.select %486, %426, %491 : tensor<12xi1>, tensor<12xf32>
    %493 = mhlo.constant dense<0> : tensor<i32>
    %494 = "mhlo.broadcast_in_dim"(%493) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %495 = mhlo.constant dense<0> : tensor<i32>
    %496 = "mhlo.broadcast_in_dim"(%495) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %497 = mhlo.compare EQ, %494, %496, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %498 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %499 = "mhlo.broadcast_in_dim"(%498) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %500 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %501 = "mhlo.broadcast_in_dim"(%500) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %502 = mhlo.select %497, %499, %501 : tensor<12xi1>, tensor<12xf32>
    %503 = mhlo.abs %502 : tensor<12xf32>
    %504 = mhlo.constant dense<5.96046448E-8> : tensor<f32>
    %505 = "mhlo.broadcast_in_dim"(%504) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %506 = mhlo.compare LT, %503, %505, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %507 = mhlo.constant dense<5.96046448E-8> : tensor<f32>
    %508 = "mhlo.broadcast_in_dim"(%507) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %509 = mhlo.select %506, %508, %502 : tensor<12xi1>, tensor<12xf32>
    %510 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %511 = "mhlo.broadcast_in_dim"(%510) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %512 = mhlo.constant dense<1> : tensor<i32>
    %513 = mhlo.constant dense<true> : tensor<i1>
    %514:8 = mhlo.while(%iterArg = %487, %iterArg_0 = %488, %iterArg_1 = %492, %iterArg_2 = %512, %iterArg_3 = %513, %iterArg_4 = %509, %iterArg_5 = %511, %iterArg_6 = %509) : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<i32>, tensor<i1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %1241 = mhlo.constant dense<200> : tensor<i32>
      %1242 = mhlo.compare LT, %iterArg_2, %1241, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %1243 = mhlo.and %1242, %iterArg_3 : tensor<i1>
      mhlo.return %1243 : tensor<i1>
    } do {
      %1241 = "mhlo.broadcast_in_dim"(%iterArg_2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1242 = mhlo.constant dense<2> : tensor<i32>
      %1243 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1244 = func.call @remainder(%1241, %1243) : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
      %1245 = mhlo.constant dense<0> : tensor<i32>
      %1246 = "mhlo.broadcast_in_dim"(%1245) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1247 = mhlo.compare EQ, %1244, %1246, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %1248 = mhlo.constant dense<1> : tensor<i32>
      %1249 = "mhlo.broadcast_in_dim"(%1248) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1250 = mhlo.compare EQ, %1241, %1249, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %1251 = mhlo.constant dense<1> : tensor<i32>
      %1252 = "mhlo.broadcast_in_dim"(%1251) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1253 = mhlo.subtract %1241, %1252 : tensor<12xi32>
      %1254 = mhlo.constant dense<2> : tensor<i32>
      %1255 = "mhlo.broadcast_in_dim"(%1254) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1256 = func.call @floor_divide(%1253, %1255) : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
      %1257 = mhlo.constant dense<0> : tensor<i32>
      %1258 = "mhlo.broadcast_in_dim"(%1257) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1259 = mhlo.compare EQ, %1256, %1258, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %1260 = mhlo.convert %1256 : (tensor<12xi32>) -> tensor<12xf32>
      %1261 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1262 = "mhlo.broadcast_in_dim"(%1261) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1263 = mhlo.constant dense<2.000000e+00> : tensor<f32>
      %1264 = "mhlo.broadcast_in_dim"(%1263) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1265 = mhlo.add %iterArg, %iterArg_0 : tensor<12xf32>
      %1266 = mhlo.negate %1265 : tensor<12xf32>
      %1267 = mhlo.multiply %1266, %iterArg_1 : tensor<12xf32>
      %1268 = mhlo.add %iterArg, %1262 : tensor<12xf32>
      %1269 = mhlo.divide %1267, %1268 : tensor<12xf32>
      %1270 = mhlo.add %iterArg, %1260 : tensor<12xf32>
      %1271 = mhlo.negate %1270 : tensor<12xf32>
      %1272 = mhlo.add %iterArg, %iterArg_0 : tensor<12xf32>
      %1273 = mhlo.add %1272, %1260 : tensor<12xf32>
      %1274 = mhlo.multiply %1271, %1273 : tensor<12xf32>
      %1275 = mhlo.multiply %1274, %iterArg_1 : tensor<12xf32>
      %1276 = mhlo.multiply %1264, %1260 : tensor<12xf32>
      %1277 = mhlo.add %iterArg, %1276 : tensor<12xf32>
      %1278 = mhlo.multiply %1264, %1260 : tensor<12xf32>
      %1279 = mhlo.add %iterArg, %1278 : tensor<12xf32>
      %1280 = mhlo.add %1279, %1262 : tensor<12xf32>
      %1281 = mhlo.multiply %1277, %1280 : tensor<12xf32>
      %1282 = mhlo.divide %1275, %1281 : tensor<12xf32>
      %1283 = mhlo.select %1259, %1269, %1282 : tensor<12xi1>, tensor<12xf32>
      %1284 = mhlo.subtract %iterArg_0, %1260 : tensor<12xf32>
      %1285 = mhlo.multiply %1260, %1284 : tensor<12xf32>
      %1286 = mhlo.multiply %1285, %iterArg_1 : tensor<12xf32>
      %1287 = mhlo.multiply %1264, %1260 : tensor<12xf32>
      %1288 = mhlo.add %iterArg, %1287 : tensor<12xf32>
      %1289 = mhlo.subtract %1288, %1262 : tensor<12xf32>
      %1290 = mhlo.multiply %1264, %1260 : tensor<12xf32>
      %1291 = mhlo.add %iterArg, %1290 : tensor<12xf32>
      %1292 = mhlo.multiply %1289, %1291 : tensor<12xf32>
      %1293 = mhlo.divide %1286, %1292 : tensor<12xf32>
      %1294 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1295 = "mhlo.broadcast_in_dim"(%1294) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1296 = mhlo.select %1247, %1283, %1293 : tensor<12xi1>, tensor<12xf32>
      %1297 = mhlo.select %1250, %1295, %1296 : tensor<12xi1>, tensor<12xf32>
      %1298 = "mhlo.broadcast_in_dim"(%iterArg_2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1299 = mhlo.constant dense<0> : tensor<i32>
      %1300 = "mhlo.broadcast_in_dim"(%1299) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
      %1301 = mhlo.compare EQ, %1298, %1300, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
      %1302 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %1303 = "mhlo.broadcast_in_dim"(%1302) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1304 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1305 = "mhlo.broadcast_in_dim"(%1304) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1306 = mhlo.select %1301, %1303, %1305 : tensor<12xi1>, tensor<12xf32>
      %1307 = mhlo.divide %1297, %iterArg_4 : tensor<12xf32>
      %1308 = mhlo.add %1306, %1307 : tensor<12xf32>
      %1309 = mhlo.constant dense<5.96046448E-8> : tensor<f32>
      %1310 = "mhlo.broadcast_in_dim"(%1309) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1311 = mhlo.abs %1308 : tensor<12xf32>
      %1312 = mhlo.compare LT, %1311, %1310, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1313 = mhlo.select %1312, %1310, %1308 : tensor<12xi1>, tensor<12xf32>
      %1314 = mhlo.multiply %1297, %iterArg_5 : tensor<12xf32>
      %1315 = mhlo.add %1306, %1314 : tensor<12xf32>
      %1316 = mhlo.abs %1315 : tensor<12xf32>
      %1317 = mhlo.compare LT, %1316, %1310, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1318 = mhlo.select %1317, %1310, %1315 : tensor<12xi1>, tensor<12xf32>
      %1319 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1320 = "mhlo.broadcast_in_dim"(%1319) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1321 = mhlo.divide %1320, %1318 : tensor<12xf32>
      %1322 = mhlo.multiply %1313, %1321 : tensor<12xf32>
      %1323 = mhlo.multiply %iterArg_6, %1322 : tensor<12xf32>
      %1324 = mhlo.constant dense<1> : tensor<i32>
      %1325 = mhlo.add %iterArg_2, %1324 : tensor<i32>
      %1326 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1327 = "mhlo.broadcast_in_dim"(%1326) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1328 = mhlo.subtract %1322, %1327 : tensor<12xf32>
      %1329 = mhlo.abs %1328 : tensor<12xf32>
      %1330 = mhlo.constant dense<5.96046448E-8> : tensor<f32>
      %1331 = "mhlo.broadcast_in_dim"(%1330) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1332 = mhlo.compare GE, %1329, %1331, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1333 = mhlo.constant dense<false> : tensor<i1>
      %1334 = mhlo.reduce(%1332 init: %1333) applies mhlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      mhlo.return %iterArg, %iterArg_0, %iterArg_1, %1325, %1334, %1313, %1321, %1323 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<i32>, tensor<i1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %515 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %516 = mhlo.compare LT, %488, %515 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %517 = mhlo.negate %488 : tensor<12xf32>
    %518 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %519 = mhlo.subtract %488, %518 : tensor<12xf32>
    %520 = mhlo.select %516, %517, %519 : tensor<12xi1>, tensor<12xf32>
    %521 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %522 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %523 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %524 = mhlo.add %520, %523 : tensor<12xf32>
    %525 = mhlo.divide %522, %524 : tensor<12xf32>
    %526 = mhlo.add %521, %525 : tensor<12xf32>
    %527 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %528 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %529 = mhlo.add %520, %528 : tensor<12xf32>
    %530 = mhlo.divide %527, %529 : tensor<12xf32>
    %531 = mhlo.add %526, %530 : tensor<12xf32>
    %532 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %533 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %534 = mhlo.add %520, %533 : tensor<12xf32>
    %535 = mhlo.divide %532, %534 : tensor<12xf32>
    %536 = mhlo.add %531, %535 : tensor<12xf32>
    %537 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %538 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %539 = mhlo.add %520, %538 : tensor<12xf32>
    %540 = mhlo.divide %537, %539 : tensor<12xf32>
    %541 = mhlo.add %536, %540 : tensor<12xf32>
    %542 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %543 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %544 = mhlo.add %520, %543 : tensor<12xf32>
    %545 = mhlo.divide %542, %544 : tensor<12xf32>
    %546 = mhlo.add %541, %545 : tensor<12xf32>
    %547 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %548 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %549 = mhlo.add %520, %548 : tensor<12xf32>
    %550 = mhlo.divide %547, %549 : tensor<12xf32>
    %551 = mhlo.add %546, %550 : tensor<12xf32>
    %552 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %553 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %554 = mhlo.add %520, %553 : tensor<12xf32>
    %555 = mhlo.divide %552, %554 : tensor<12xf32>
    %556 = mhlo.add %551, %555 : tensor<12xf32>
    %557 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %558 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %559 = mhlo.add %520, %558 : tensor<12xf32>
    %560 = mhlo.divide %557, %559 : tensor<12xf32>
    %561 = mhlo.add %556, %560 : tensor<12xf32>
    %562 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %563 = mhlo.add %562, %520 : tensor<12xf32>
    %564 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %565 = mhlo.divide %520, %562 : tensor<12xf32>
    %566 = mhlo.log_plus_one %565 : tensor<12xf32>
    %567 = mhlo.add %564, %566 : tensor<12xf32>
    %568 = mhlo.divide %563, %567 : tensor<12xf32>
    %569 = mhlo.add %520, %515 : tensor<12xf32>
    %570 = mhlo.subtract %569, %568 : tensor<12xf32>
    %571 = mhlo.multiply %570, %567 : tensor<12xf32>
    %572 = mhlo.log %561 : tensor<12xf32>
    %573 = mhlo.constant dense<0.918938517> : tensor<12xf32>
    %574 = mhlo.add %573, %571 : tensor<12xf32>
    %575 = mhlo.add %574, %572 : tensor<12xf32>
    %576 = mhlo.abs %488 : tensor<12xf32>
    %577 = mhlo.floor %576 : tensor<12xf32>
    %578 = mhlo.subtract %576, %577 : tensor<12xf32>
    %579 = mhlo.compare LT, %515, %578 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %580 = mhlo.subtract %518, %578 : tensor<12xf32>
    %581 = mhlo.select %579, %580, %578 : tensor<12xi1>, tensor<12xf32>
    %582 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %583 = mhlo.multiply %582, %581 : tensor<12xf32>
    %584 = mhlo.sine %583 : tensor<12xf32>
    %585 = mhlo.log %584 : tensor<12xf32>
    %586 = mhlo.constant dense<1.14472985> : tensor<12xf32>
    %587 = mhlo.subtract %586, %585 : tensor<12xf32>
    %588 = mhlo.subtract %587, %575 : tensor<12xf32>
    %589 = mhlo.is_finite %585 : (tensor<12xf32>) -> tensor<12xi1>
    %590 = mhlo.negate %585 : tensor<12xf32>
    %591 = mhlo.select %589, %588, %590 : tensor<12xi1>, tensor<12xf32>
    %592 = mhlo.select %516, %591, %575 : tensor<12xi1>, tensor<12xf32>
    %593 = mhlo.abs %488 : tensor<12xf32>
    %594 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %595 = mhlo.compare EQ, %593, %594 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %596 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %597 = mhlo.select %595, %596, %592 : tensor<12xi1>, tensor<12xf32>
    %598 = mhlo.add %487, %488 : tensor<12xf32>
    %599 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %600 = mhlo.compare LT, %598, %599 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %601 = mhlo.negate %598 : tensor<12xf32>
    %602 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %603 = mhlo.subtract %598, %602 : tensor<12xf32>
    %604 = mhlo.select %600, %601, %603 : tensor<12xi1>, tensor<12xf32>
    %605 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %606 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %607 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %608 = mhlo.add %604, %607 : tensor<12xf32>
    %609 = mhlo.divide %606, %608 : tensor<12xf32>
    %610 = mhlo.add %605, %609 : tensor<12xf32>
    %611 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %612 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %613 = mhlo.add %604, %612 : tensor<12xf32>
    %614 = mhlo.divide %611, %613 : tensor<12xf32>
    %615 = mhlo.add %610, %614 : tensor<12xf32>
    %616 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %617 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %618 = mhlo.add %604, %617 : tensor<12xf32>
    %619 = mhlo.divide %616, %618 : tensor<12xf32>
    %620 = mhlo.add %615, %619 : tensor<12xf32>
    %621 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %622 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %623 = mhlo.add %604, %622 : tensor<12xf32>
    %624 = mhlo.divide %621, %623 : tensor<12xf32>
    %625 = mhlo.add %620, %624 : tensor<12xf32>
    %626 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %627 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %628 = mhlo.add %604, %627 : tensor<12xf32>
    %629 = mhlo.divide %626, %628 : tensor<12xf32>
    %630 = mhlo.add %625, %629 : tensor<12xf32>
    %631 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %632 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %633 = mhlo.add %604, %632 : tensor<12xf32>
    %634 = mhlo.divide %631, %633 : tensor<12xf32>
    %635 = mhlo.add %630, %634 : tensor<12xf32>
    %636 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %637 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %638 = mhlo.add %604, %637 : tensor<12xf32>
    %639 = mhlo.divide %636, %638 : tensor<12xf32>
    %640 = mhlo.add %635, %639 : tensor<12xf32>
    %641 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %642 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %643 = mhlo.add %604, %642 : tensor<12xf32>
    %644 = mhlo.divide %641, %643 : tensor<12xf32>
    %645 = mhlo.add %640, %644 : tensor<12xf32>
    %646 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %647 = mhlo.add %646, %604 : tensor<12xf32>
    %648 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %649 = mhlo.divide %604, %646 : tensor<12xf32>
    %650 = mhlo.log_plus_one %649 : tensor<12xf32>
    %651 = mhlo.add %648, %650 : tensor<12xf32>
    %652 = mhlo.divide %647, %651 : tensor<12xf32>
    %653 = mhlo.add %604, %599 : tensor<12xf32>
    %654 = mhlo.subtract %653, %652 : tensor<12xf32>
    %655 = mhlo.multiply %654, %651 : tensor<12xf32>
    %656 = mhlo.log %645 : tensor<12xf32>
    %657 = mhlo.constant dense<0.918938517> : tensor<12xf32>
    %658 = mhlo.add %657, %655 : tensor<12xf32>
    %659 = mhlo.add %658, %656 : tensor<12xf32>
    %660 = mhlo.abs %598 : tensor<12xf32>
    %661 = mhlo.floor %660 : tensor<12xf32>
    %662 = mhlo.subtract %660, %661 : tensor<12xf32>
    %663 = mhlo.compare LT, %599, %662 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %664 = mhlo.subtract %602, %662 : tensor<12xf32>
    %665 = mhlo.select %663, %664, %662 : tensor<12xi1>, tensor<12xf32>
    %666 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %667 = mhlo.multiply %666, %665 : tensor<12xf32>
    %668 = mhlo.sine %667 : tensor<12xf32>
    %669 = mhlo.log %668 : tensor<12xf32>
    %670 = mhlo.constant dense<1.14472985> : tensor<12xf32>
    %671 = mhlo.subtract %670, %669 : tensor<12xf32>
    %672 = mhlo.subtract %671, %659 : tensor<12xf32>
    %673 = mhlo.is_finite %669 : (tensor<12xf32>) -> tensor<12xi1>
    %674 = mhlo.negate %669 : tensor<12xf32>
    %675 = mhlo.select %673, %672, %674 : tensor<12xi1>, tensor<12xf32>
    %676 = mhlo.select %600, %675, %659 : tensor<12xi1>, tensor<12xf32>
    %677 = mhlo.abs %598 : tensor<12xf32>
    %678 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %679 = mhlo.compare EQ, %677, %678 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %680 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %681 = mhlo.select %679, %680, %676 : tensor<12xi1>, tensor<12xf32>
    %682 = mhlo.subtract %597, %681 : tensor<12xf32>
    %683 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %684 = mhlo.compare LT, %487, %683 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %685 = mhlo.negate %487 : tensor<12xf32>
    %686 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %687 = mhlo.subtract %487, %686 : tensor<12xf32>
    %688 = mhlo.select %684, %685, %687 : tensor<12xi1>, tensor<12xf32>
    %689 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %690 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %691 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %692 = mhlo.add %688, %691 : tensor<12xf32>
    %693 = mhlo.divide %690, %692 : tensor<12xf32>
    %694 = mhlo.add %689, %693 : tensor<12xf32>
    %695 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %696 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %697 = mhlo.add %688, %696 : tensor<12xf32>
    %698 = mhlo.divide %695, %697 : tensor<12xf32>
    %699 = mhlo.add %694, %698 : tensor<12xf32>
    %700 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %701 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %702 = mhlo.add %688, %701 : tensor<12xf32>
    %703 = mhlo.divide %700, %702 : tensor<12xf32>
    %704 = mhlo.add %699, %703 : tensor<12xf32>
    %705 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %706 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %707 = mhlo.add %688, %706 : tensor<12xf32>
    %708 = mhlo.divide %705, %707 : tensor<12xf32>
    %709 = mhlo.add %704, %708 : tensor<12xf32>
    %710 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %711 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %712 = mhlo.add %688, %711 : tensor<12xf32>
    %713 = mhlo.divide %710, %712 : tensor<12xf32>
    %714 = mhlo.add %709, %713 : tensor<12xf32>
    %715 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %716 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %717 = mhlo.add %688, %716 : tensor<12xf32>
    %718 = mhlo.divide %715, %717 : tensor<12xf32>
    %719 = mhlo.add %714, %718 : tensor<12xf32>
    %720 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %721 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %722 = mhlo.add %688, %721 : tensor<12xf32>
    %723 = mhlo.divide %720, %722 : tensor<12xf32>
    %724 = mhlo.add %719, %723 : tensor<12xf32>
    %725 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %726 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %727 = mhlo.add %688, %726 : tensor<12xf32>
    %728 = mhlo.divide %725, %727 : tensor<12xf32>
    %729 = mhlo.add %724, %728 : tensor<12xf32>
    %730 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %731 = mhlo.add %730, %688 : tensor<12xf32>
    %732 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %733 = mhlo.divide %688, %730 : tensor<12xf32>
    %734 = mhlo.log_plus_one %733 : tensor<12xf32>
    %735 = mhlo.add %732, %734 : tensor<12xf32>
    %736 = mhlo.divide %731, %735 : tensor<12xf32>
    %737 = mhlo.add %688, %683 : tensor<12xf32>
    %738 = mhlo.subtract %737, %736 : tensor<12xf32>
    %739 = mhlo.multiply %738, %735 : tensor<12xf32>
    %740 = mhlo.log %729 : tensor<12xf32>
    %741 = mhlo.constant dense<0.918938517> : tensor<12xf32>
    %742 = mhlo.add %741, %739 : tensor<12xf32>
    %743 = mhlo.add %742, %740 : tensor<12xf32>
    %744 = mhlo.abs %487 : tensor<12xf32>
    %745 = mhlo.floor %744 : tensor<12xf32>
    %746 = mhlo.subtract %744, %745 : tensor<12xf32>
    %747 = mhlo.compare LT, %683, %746 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %748 = mhlo.subtract %686, %746 : tensor<12xf32>
    %749 = mhlo.select %747, %748, %746 : tensor<12xi1>, tensor<12xf32>
    %750 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %751 = mhlo.multiply %750, %749 : tensor<12xf32>
    %752 = mhlo.sine %751 : tensor<12xf32>
    %753 = mhlo.log %752 : tensor<12xf32>
    %754 = mhlo.constant dense<1.14472985> : tensor<12xf32>
    %755 = mhlo.subtract %754, %753 : tensor<12xf32>
    %756 = mhlo.subtract %755, %743 : tensor<12xf32>
    %757 = mhlo.is_finite %753 : (tensor<12xf32>) -> tensor<12xi1>
    %758 = mhlo.negate %753 : tensor<12xf32>
    %759 = mhlo.select %757, %756, %758 : tensor<12xi1>, tensor<12xf32>
    %760 = mhlo.select %684, %759, %743 : tensor<12xi1>, tensor<12xf32>
    %761 = mhlo.abs %487 : tensor<12xf32>
    %762 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %763 = mhlo.compare EQ, %761, %762 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %764 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %765 = mhlo.select %763, %764, %760 : tensor<12xi1>, tensor<12xf32>
    %766 = mhlo.add %765, %682 : tensor<12xf32>
    %767 = mhlo.constant dense<2.3509887E-38> : tensor<f32>
    %768 = "mhlo.broadcast_in_dim"(%767) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %769 = mhlo.compare LT, %487, %768, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %770 = mhlo.negate %492 : tensor<12xf32>
    %771 = mhlo.log_plus_one %770 : tensor<12xf32>
    %772 = mhlo.multiply %771, %488 : tensor<12xf32>
    %773 = mhlo.subtract %772, %682 : tensor<12xf32>
    %774 = mhlo.exponential %773 : tensor<12xf32>
    %775 = mhlo.log %492 : tensor<12xf32>
    %776 = mhlo.multiply %775, %487 : tensor<12xf32>
    %777 = mhlo.negate %492 : tensor<12xf32>
    %778 = mhlo.log_plus_one %777 : tensor<12xf32>
    %779 = mhlo.multiply %778, %488 : tensor<12xf32>
    %780 = mhlo.add %776, %779 : tensor<12xf32>
    %781 = mhlo.subtract %780, %766 : tensor<12xf32>
    %782 = mhlo.exponential %781 : tensor<12xf32>
    %783 = mhlo.divide %782, %487 : tensor<12xf32>
    %784 = mhlo.select %769, %774, %783 : tensor<12xi1>, tensor<12xf32>
    %785 = mhlo.multiply %514#7, %784 : tensor<12xf32>
    %786 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %787 = "mhlo.broadcast_in_dim"(%786) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %788 = mhlo.subtract %787, %785 : tensor<12xf32>
    %789 = mhlo.select %486, %785, %788 : tensor<12xi1>, tensor<12xf32>
    %790 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %791 = "mhlo.broadcast_in_dim"(%790) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %792 = mhlo.select %456, %791, %789 : tensor<12xi1>, tensor<12xf32>
    %793 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %794 = "mhlo.broadcast_in_dim"(%793) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %795 = mhlo.select %459, %794, %792 : tensor<12xi1>, tensor<12xf32>
    %796 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %797 = "mhlo.broadcast_in_dim"(%796) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %798 = mhlo.select %477, %797, %795 : tensor<12xi1>, tensor<12xf32>
    %799 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %800 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %801 = mhlo.or %799, %800 : tensor<12xi1>
    %802 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %803 = "mhlo.broadcast_in_dim"(%802) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %804 = mhlo.compare EQ, %arg1, %803, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %805 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %806 = "mhlo.broadcast_in_dim"(%805) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %807 = mhlo.compare EQ, %arg1, %806, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %808 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %809 = "mhlo.broadcast_in_dim"(%808) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %810 = mhlo.compare EQ, %arg1, %809, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %811 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %812 = "mhlo.broadcast_in_dim"(%811) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %813 = mhlo.compare LT, %arg1, %812, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %814 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %815 = "mhlo.broadcast_in_dim"(%814) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %816 = mhlo.compare LT, %arg1, %815, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %817 = mhlo.and %807, %810 : tensor<12xi1>
    %818 = mhlo.or %813, %816 : tensor<12xi1>
    %819 = mhlo.or %818, %817 : tensor<12xi1>
    %820 = mhlo.or %819, %801 : tensor<12xi1>
    %821 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %822 = "mhlo.broadcast_in_dim"(%821) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %823 = mhlo.compare GE, %arg1, %822, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %824 = mhlo.compare GT, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %825 = mhlo.and %823, %824 : tensor<12xi1>
    %826 = mhlo.log %arg1 : tensor<12xf32>
    %827 = mhlo.multiply %arg1, %826 : tensor<12xf32>
    %828 = mhlo.subtract %827, %arg1 : tensor<12xf32>
    %829 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %830 = mhlo.compare LT, %arg1, %829 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %831 = mhlo.negate %arg1 : tensor<12xf32>
    %832 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %833 = mhlo.subtract %arg1, %832 : tensor<12xf32>
    %834 = mhlo.select %830, %831, %833 : tensor<12xi1>, tensor<12xf32>
    %835 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %836 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %837 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %838 = mhlo.add %834, %837 : tensor<12xf32>
    %839 = mhlo.divide %836, %838 : tensor<12xf32>
    %840 = mhlo.add %835, %839 : tensor<12xf32>
    %841 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %842 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %843 = mhlo.add %834, %842 : tensor<12xf32>
    %844 = mhlo.divide %841, %843 : tensor<12xf32>
    %845 = mhlo.add %840, %844 : tensor<12xf32>
    %846 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %847 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %848 = mhlo.add %834, %847 : tensor<12xf32>
    %849 = mhlo.divide %846, %848 : tensor<12xf32>
    %850 = mhlo.add %845, %849 : tensor<12xf32>
    %851 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %852 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %853 = mhlo.add %834, %852 : tensor<12xf32>
    %854 = mhlo.divide %851, %853 : tensor<12xf32>
    %855 = mhlo.add %850, %854 : tensor<12xf32>
    %856 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %857 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %858 = mhlo.add %834, %857 : tensor<12xf32>
    %859 = mhlo.divide %856, %858 : tensor<12xf32>
    %860 = mhlo.add %855, %859 : tensor<12xf32>
    %861 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %862 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %863 = mhlo.add %834, %862 : tensor<12xf32>
    %864 = mhlo.divide %861, %863 : tensor<12xf32>
    %865 = mhlo.add %860, %864 : tensor<12xf32>
    %866 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %867 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %868 = mhlo.add %834, %867 : tensor<12xf32>
    %869 = mhlo.divide %866, %868 : tensor<12xf32>
    %870 = mhlo.add %865, %869 : tensor<12xf32>
    %871 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %872 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %873 = mhlo.add %834, %872 : tensor<12xf32>
    %874 = mhlo.divide %871, %873 : tensor<12xf32>
    %875 = mhlo.add %870, %874 : tensor<12xf32>
    %876 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %877 = mhlo.add %876, %834 : tensor<12xf32>
    %878 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %879 = mhlo.divide %834, %876 : tensor<12xf32>
    %880 = mhlo.log_plus_one %879 : tensor<12xf32>
    %881 = mhlo.add %878, %880 : tensor<12xf32>
    %882 = mhlo.divide %877, %881 : tensor<12xf32>
    %883 = mhlo.add %834, %829 : tensor<12xf32>
    %884 = mhlo.subtract %883, %882 : tensor<12xf32>
    %885 = mhlo.multiply %884, %881 : tensor<12xf32>
    %886 = mhlo.log %875 : tensor<12xf32>
    %887 = mhlo.constant dense<0.918938517> : tensor<12xf32>
    %888 = mhlo.add %887, %885 : tensor<12xf32>
    %889 = mhlo.add %888, %886 : tensor<12xf32>
    %890 = mhlo.abs %arg1 : tensor<12xf32>
    %891 = mhlo.floor %890 : tensor<12xf32>
    %892 = mhlo.subtract %890, %891 : tensor<12xf32>
    %893 = mhlo.compare LT, %829, %892 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %894 = mhlo.subtract %832, %892 : tensor<12xf32>
    %895 = mhlo.select %893, %894, %892 : tensor<12xi1>, tensor<12xf32>
    %896 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %897 = mhlo.multiply %896, %895 : tensor<12xf32>
    %898 = mhlo.sine %897 : tensor<12xf32>
    %899 = mhlo.log %898 : tensor<12xf32>
    %900 = mhlo.constant dense<1.14472985> : tensor<12xf32>
    %901 = mhlo.subtract %900, %899 : tensor<12xf32>
    %902 = mhlo.subtract %901, %889 : tensor<12xf32>
    %903 = mhlo.is_finite %899 : (tensor<12xf32>) -> tensor<12xi1>
    %904 = mhlo.negate %899 : tensor<12xf32>
    %905 = mhlo.select %903, %902, %904 : tensor<12xi1>, tensor<12xf32>
    %906 = mhlo.select %830, %905, %889 : tensor<12xi1>, tensor<12xf32>
    %907 = mhlo.abs %arg1 : tensor<12xf32>
    %908 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %909 = mhlo.compare EQ, %907, %908 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %910 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %911 = mhlo.select %909, %910, %906 : tensor<12xi1>, tensor<12xf32>
    %912 = mhlo.subtract %828, %911 : tensor<12xf32>
    %913 = mhlo.constant dense<3.40282347E+38> : tensor<f32>
    %914 = mhlo.log %913 : tensor<f32>
    %915 = mhlo.negate %914 : tensor<f32>
    %916 = "mhlo.broadcast_in_dim"(%915) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %917 = mhlo.compare LT, %912, %916, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %918 = mhlo.exponential %912 : tensor<12xf32>
    %919 = mhlo.or %810, %820 : tensor<12xi1>
    %920 = mhlo.or %919, %917 : tensor<12xi1>
    %921 = mhlo.or %920, %804 : tensor<12xi1>
    %922 = mhlo.not %921 : tensor<12xi1>
    %923 = mhlo.and %922, %825 : tensor<12xi1>
    %924 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %925 = "mhlo.broadcast_in_dim"(%924) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %926 = mhlo.subtract %925, %arg1 : tensor<12xf32>
    %927 = mhlo.add %arg1, %926 : tensor<12xf32>
    %928 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %929 = "mhlo.broadcast_in_dim"(%928) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %930 = mhlo.add %927, %929 : tensor<12xf32>
    %931 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %932 = "mhlo.broadcast_in_dim"(%931) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %933 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %934 = "mhlo.broadcast_in_dim"(%933) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %935 = mhlo.add %arg1, %934 : tensor<12xf32>
    %936 = mhlo.multiply %930, %arg1 : tensor<12xf32>
    %937 = mhlo.divide %935, %936 : tensor<12xf32>
    %938 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %939 = "mhlo.broadcast_in_dim"(%938) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %940 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %941 = "mhlo.broadcast_in_dim"(%940) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %942 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %943 = "mhlo.broadcast_in_dim"(%942) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %944 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %945 = "mhlo.broadcast_in_dim"(%944) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %946 = mhlo.negate %arg1 : tensor<12xf32>
    %947 = mhlo.multiply %937, %946 : tensor<12xf32>
    %948 = mhlo.subtract %945, %947 : tensor<12xf32>
    %949 = mhlo.divide %948, %936 : tensor<12xf32>
    %950 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %951:15 = mhlo.while(%iterArg = %923, %iterArg_0 = %937, %iterArg_1 = %939, %iterArg_2 = %926, %iterArg_3 = %930, %iterArg_4 = %950, %iterArg_5 = %935, %iterArg_6 = %936, %iterArg_7 = %932, %iterArg_8 = %arg1, %iterArg_9 = %941, %iterArg_10 = %943, %iterArg_11 = %945, %iterArg_12 = %946, %iterArg_13 = %949) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %1241 = mhlo.constant dense<2.000000e+03> : tensor<f32>
      %1242 = mhlo.compare LT, %iterArg_4, %1241, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1243 = mhlo.constant dense<false> : tensor<i1>
      %1244 = mhlo.reduce(%iterArg init: %1243) applies mhlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      %1245 = mhlo.and %1242, %1244 : tensor<i1>
      mhlo.return %1245 : tensor<i1>
    } do {
      %1241 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1242 = mhlo.add %iterArg_4, %1241 : tensor<f32>
      %1243 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1244 = "mhlo.broadcast_in_dim"(%1243) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1245 = mhlo.add %iterArg_2, %1244 : tensor<12xf32>
      %1246 = mhlo.constant dense<2.000000e+00> : tensor<f32>
      %1247 = "mhlo.broadcast_in_dim"(%1246) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1248 = mhlo.add %iterArg_3, %1247 : tensor<12xf32>
      %1249 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1250 = mhlo.multiply %1245, %1249 : tensor<12xf32>
      %1251 = mhlo.multiply %iterArg_5, %1248 : tensor<12xf32>
      %1252 = mhlo.multiply %iterArg_7, %1250 : tensor<12xf32>
      %1253 = mhlo.subtract %1251, %1252 : tensor<12xf32>
      %1254 = mhlo.multiply %iterArg_6, %1248 : tensor<12xf32>
      %1255 = mhlo.multiply %iterArg_8, %1250 : tensor<12xf32>
      %1256 = mhlo.subtract %1254, %1255 : tensor<12xf32>
      %1257 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %1258 = "mhlo.broadcast_in_dim"(%1257) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1259 = mhlo.compare NE, %1256, %1258, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1260 = mhlo.divide %1253, %1256 : tensor<12xf32>
      %1261 = mhlo.subtract %iterArg_0, %1260 : tensor<12xf32>
      %1262 = mhlo.divide %1261, %1260 : tensor<12xf32>
      %1263 = mhlo.abs %1262 : tensor<12xf32>
      %1264 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1265 = "mhlo.broadcast_in_dim"(%1264) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1266 = mhlo.select %1259, %1263, %1265 : tensor<12xi1>, tensor<12xf32>
      %1267 = mhlo.select %1259, %1260, %iterArg_0 : tensor<12xi1>, tensor<12xf32>
      %1268 = mhlo.multiply %iterArg_11, %1248 : tensor<12xf32>
      %1269 = mhlo.subtract %1268, %iterArg_5 : tensor<12xf32>
      %1270 = mhlo.multiply %iterArg_9, %1250 : tensor<12xf32>
      %1271 = mhlo.subtract %1269, %1270 : tensor<12xf32>
      %1272 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1273 = mhlo.multiply %iterArg_7, %1272 : tensor<12xf32>
      %1274 = mhlo.add %1271, %1273 : tensor<12xf32>
      %1275 = mhlo.multiply %iterArg_12, %1248 : tensor<12xf32>
      %1276 = mhlo.subtract %1275, %iterArg_6 : tensor<12xf32>
      %1277 = mhlo.multiply %iterArg_10, %1250 : tensor<12xf32>
      %1278 = mhlo.subtract %1276, %1277 : tensor<12xf32>
      %1279 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1280 = mhlo.multiply %iterArg_8, %1279 : tensor<12xf32>
      %1281 = mhlo.add %1278, %1280 : tensor<12xf32>
      %1282 = mhlo.multiply %1267, %1281 : tensor<12xf32>
      %1283 = mhlo.subtract %1274, %1282 : tensor<12xf32>
      %1284 = mhlo.divide %1283, %1256 : tensor<12xf32>
      %1285 = mhlo.select %1259, %1284, %iterArg_13 : tensor<12xi1>, tensor<12xf32>
      %1286 = mhlo.subtract %1285, %iterArg_13 : tensor<12xf32>
      %1287 = mhlo.abs %1286 : tensor<12xf32>
      %1288 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1289 = "mhlo.broadcast_in_dim"(%1288) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1290 = mhlo.select %1259, %1287, %1289 : tensor<12xi1>, tensor<12xf32>
      %1291 = mhlo.abs %1253 : tensor<12xf32>
      %1292 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1293 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1294 = "mhlo.broadcast_in_dim"(%1293) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
      %1295 = mhlo.divide %1294, %1292 : tensor<f32>
      %1296 = "mhlo.broadcast_in_dim"(%1295) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1297 = mhlo.compare GT, %1291, %1296, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1298 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1299 = "mhlo.broadcast_in_dim"(%1298) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1300 = mhlo.multiply %iterArg_5, %1299 : tensor<12xf32>
      %1301 = mhlo.select %1297, %1300, %iterArg_5 : tensor<12xi1>, tensor<12xf32>
      %1302 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1303 = "mhlo.broadcast_in_dim"(%1302) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1304 = mhlo.multiply %1253, %1303 : tensor<12xf32>
      %1305 = mhlo.select %1297, %1304, %1253 : tensor<12xi1>, tensor<12xf32>
      %1306 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1307 = "mhlo.broadcast_in_dim"(%1306) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1308 = mhlo.multiply %iterArg_6, %1307 : tensor<12xf32>
      %1309 = mhlo.select %1297, %1308, %iterArg_6 : tensor<12xi1>, tensor<12xf32>
      %1310 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1311 = "mhlo.broadcast_in_dim"(%1310) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1312 = mhlo.multiply %1256, %1311 : tensor<12xf32>
      %1313 = mhlo.select %1297, %1312, %1256 : tensor<12xi1>, tensor<12xf32>
      %1314 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1315 = "mhlo.broadcast_in_dim"(%1314) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1316 = mhlo.multiply %iterArg_11, %1315 : tensor<12xf32>
      %1317 = mhlo.select %1297, %1316, %iterArg_11 : tensor<12xi1>, tensor<12xf32>
      %1318 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1319 = "mhlo.broadcast_in_dim"(%1318) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1320 = mhlo.multiply %iterArg_12, %1319 : tensor<12xf32>
      %1321 = mhlo.select %1297, %1320, %iterArg_12 : tensor<12xi1>, tensor<12xf32>
      %1322 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1323 = "mhlo.broadcast_in_dim"(%1322) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1324 = mhlo.multiply %1274, %1323 : tensor<12xf32>
      %1325 = mhlo.select %1297, %1324, %1274 : tensor<12xi1>, tensor<12xf32>
      %1326 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1327 = "mhlo.broadcast_in_dim"(%1326) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1328 = mhlo.multiply %1281, %1327 : tensor<12xf32>
      %1329 = mhlo.select %1297, %1328, %1281 : tensor<12xi1>, tensor<12xf32>
      %1330 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1331 = "mhlo.broadcast_in_dim"(%1330) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1332 = mhlo.compare GT, %1266, %1331, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1333 = mhlo.and %iterArg, %1332 : tensor<12xi1>
      %1334 = mhlo.select %iterArg, %1267, %iterArg_0 : tensor<12xi1>, tensor<12xf32>
      %1335 = mhlo.select %iterArg, %1266, %iterArg_1 : tensor<12xi1>, tensor<12xf32>
      %1336 = mhlo.select %iterArg, %1245, %iterArg_2 : tensor<12xi1>, tensor<12xf32>
      %1337 = mhlo.select %iterArg, %1248, %iterArg_3 : tensor<12xi1>, tensor<12xf32>
      %1338 = mhlo.select %iterArg, %1305, %iterArg_5 : tensor<12xi1>, tensor<12xf32>
      %1339 = mhlo.select %iterArg, %1313, %iterArg_6 : tensor<12xi1>, tensor<12xf32>
      %1340 = mhlo.select %iterArg, %1301, %iterArg_7 : tensor<12xi1>, tensor<12xf32>
      %1341 = mhlo.select %iterArg, %1309, %iterArg_8 : tensor<12xi1>, tensor<12xf32>
      %1342 = mhlo.select %iterArg, %1317, %iterArg_9 : tensor<12xi1>, tensor<12xf32>
      %1343 = mhlo.select %iterArg, %1321, %iterArg_10 : tensor<12xi1>, tensor<12xf32>
      %1344 = mhlo.select %iterArg, %1325, %iterArg_11 : tensor<12xi1>, tensor<12xf32>
      %1345 = mhlo.select %iterArg, %1329, %iterArg_12 : tensor<12xi1>, tensor<12xf32>
      %1346 = mhlo.select %iterArg, %1285, %iterArg_13 : tensor<12xi1>, tensor<12xf32>
      mhlo.return %1333, %1334, %1335, %1336, %1337, %1242, %1338, %1339, %1340, %1341, %1342, %1343, %1344, %1345, %1346 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %952 = mhlo.multiply %951#1, %918 : tensor<12xf32>
    %953 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %954 = "mhlo.broadcast_in_dim"(%953) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %955 = mhlo.subtract %954, %952 : tensor<12xf32>
    %956 = mhlo.not %825 : tensor<12xi1>
    %957 = mhlo.and %922, %956 : tensor<12xi1>
    %958 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %959 = "mhlo.broadcast_in_dim"(%958) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %960 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %961 = "mhlo.broadcast_in_dim"(%960) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %962 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %963 = "mhlo.broadcast_in_dim"(%962) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %964 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %965 = "mhlo.broadcast_in_dim"(%964) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %966:7 = mhlo.while(%iterArg = %957, %iterArg_0 = %arg1, %iterArg_1 = %959, %iterArg_2 = %961, %iterArg_3 = %arg1, %iterArg_4 = %963, %iterArg_5 = %965) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %1241 = mhlo.constant dense<false> : tensor<i1>
      %1242 = mhlo.reduce(%iterArg init: %1241) applies mhlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      mhlo.return %1242 : tensor<i1>
    } do {
      %1241 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1242 = "mhlo.broadcast_in_dim"(%1241) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1243 = mhlo.add %iterArg_0, %1242 : tensor<12xf32>
      %1244 = mhlo.divide %iterArg_3, %1243 : tensor<12xf32>
      %1245 = mhlo.multiply %iterArg_4, %1244 : tensor<12xf32>
      %1246 = mhlo.multiply %iterArg_1, %iterArg_3 : tensor<12xf32>
      %1247 = mhlo.multiply %1243, %1243 : tensor<12xf32>
      %1248 = mhlo.divide %1246, %1247 : tensor<12xf32>
      %1249 = mhlo.subtract %1245, %1248 : tensor<12xf32>
      %1250 = mhlo.add %iterArg_5, %1249 : tensor<12xf32>
      %1251 = mhlo.divide %iterArg_3, %1243 : tensor<12xf32>
      %1252 = mhlo.multiply %iterArg_1, %1251 : tensor<12xf32>
      %1253 = mhlo.add %iterArg_2, %1252 : tensor<12xf32>
      %1254 = mhlo.divide %1252, %1253 : tensor<12xf32>
      %1255 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1256 = "mhlo.broadcast_in_dim"(%1255) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1257 = mhlo.compare GT, %1254, %1256, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1258 = mhlo.and %iterArg, %1257 : tensor<12xi1>
      %1259 = mhlo.select %iterArg, %1243, %iterArg_0 : tensor<12xi1>, tensor<12xf32>
      %1260 = mhlo.select %iterArg, %1252, %iterArg_1 : tensor<12xi1>, tensor<12xf32>
      %1261 = mhlo.select %iterArg, %1253, %iterArg_2 : tensor<12xi1>, tensor<12xf32>
      %1262 = mhlo.select %iterArg, %iterArg_3, %iterArg_3 : tensor<12xi1>, tensor<12xf32>
      %1263 = mhlo.select %iterArg, %1249, %iterArg_4 : tensor<12xi1>, tensor<12xf32>
      %1264 = mhlo.select %iterArg, %1250, %iterArg_5 : tensor<12xi1>, tensor<12xf32>
      mhlo.return %1258, %1259, %1260, %1261, %1262, %1263, %1264 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %967 = mhlo.multiply %966#3, %918 : tensor<12xf32>
    %968 = mhlo.divide %967, %arg1 : tensor<12xf32>
    %969 = mhlo.select %825, %955, %968 : tensor<12xi1>, tensor<12xf32>
    %970 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %971 = "mhlo.broadcast_in_dim"(%970) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %972 = mhlo.select %810, %971, %969 : tensor<12xi1>, tensor<12xf32>
    %973 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %974 = "mhlo.broadcast_in_dim"(%973) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %975 = mhlo.select %804, %974, %972 : tensor<12xi1>, tensor<12xf32>
    %976 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %977 = "mhlo.broadcast_in_dim"(%976) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %978 = mhlo.select %820, %977, %975 : tensor<12xi1>, tensor<12xf32>
    %979 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %980 = "mhlo.broadcast_in_dim"(%979) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %981 = mhlo.add %arg1, %980 : tensor<12xf32>
    %982 = mhlo.compare NE, %arg1, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %983 = mhlo.compare NE, %981, %981, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %984 = mhlo.or %982, %983 : tensor<12xi1>
    %985 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %986 = "mhlo.broadcast_in_dim"(%985) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %987 = mhlo.compare EQ, %arg1, %986, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %988 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %989 = "mhlo.broadcast_in_dim"(%988) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %990 = mhlo.compare EQ, %981, %989, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %991 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %992 = "mhlo.broadcast_in_dim"(%991) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %993 = mhlo.compare EQ, %981, %992, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %994 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %995 = "mhlo.broadcast_in_dim"(%994) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %996 = mhlo.compare LT, %981, %995, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %997 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %998 = "mhlo.broadcast_in_dim"(%997) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %999 = mhlo.compare LT, %arg1, %998, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1000 = mhlo.and %987, %990 : tensor<12xi1>
    %1001 = mhlo.or %996, %999 : tensor<12xi1>
    %1002 = mhlo.or %1001, %1000 : tensor<12xi1>
    %1003 = mhlo.or %1002, %984 : tensor<12xi1>
    %1004 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1005 = "mhlo.broadcast_in_dim"(%1004) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1006 = mhlo.compare LT, %981, %1005, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1007 = mhlo.compare LT, %981, %arg1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1008 = mhlo.or %1006, %1007 : tensor<12xi1>
    %1009 = mhlo.log %981 : tensor<12xf32>
    %1010 = mhlo.multiply %arg1, %1009 : tensor<12xf32>
    %1011 = mhlo.subtract %1010, %981 : tensor<12xf32>
    %1012 = mhlo.constant dense<5.000000e-01> : tensor<12xf32>
    %1013 = mhlo.compare LT, %arg1, %1012 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1014 = mhlo.negate %arg1 : tensor<12xf32>
    %1015 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %1016 = mhlo.subtract %arg1, %1015 : tensor<12xf32>
    %1017 = mhlo.select %1013, %1014, %1016 : tensor<12xi1>, tensor<12xf32>
    %1018 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %1019 = mhlo.constant dense<676.520386> : tensor<12xf32>
    %1020 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %1021 = mhlo.add %1017, %1020 : tensor<12xf32>
    %1022 = mhlo.divide %1019, %1021 : tensor<12xf32>
    %1023 = mhlo.add %1018, %1022 : tensor<12xf32>
    %1024 = mhlo.constant dense<-1259.13916> : tensor<12xf32>
    %1025 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %1026 = mhlo.add %1017, %1025 : tensor<12xf32>
    %1027 = mhlo.divide %1024, %1026 : tensor<12xf32>
    %1028 = mhlo.add %1023, %1027 : tensor<12xf32>
    %1029 = mhlo.constant dense<771.323425> : tensor<12xf32>
    %1030 = mhlo.constant dense<3.000000e+00> : tensor<12xf32>
    %1031 = mhlo.add %1017, %1030 : tensor<12xf32>
    %1032 = mhlo.divide %1029, %1031 : tensor<12xf32>
    %1033 = mhlo.add %1028, %1032 : tensor<12xf32>
    %1034 = mhlo.constant dense<-176.615036> : tensor<12xf32>
    %1035 = mhlo.constant dense<4.000000e+00> : tensor<12xf32>
    %1036 = mhlo.add %1017, %1035 : tensor<12xf32>
    %1037 = mhlo.divide %1034, %1036 : tensor<12xf32>
    %1038 = mhlo.add %1033, %1037 : tensor<12xf32>
    %1039 = mhlo.constant dense<12.5073433> : tensor<12xf32>
    %1040 = mhlo.constant dense<5.000000e+00> : tensor<12xf32>
    %1041 = mhlo.add %1017, %1040 : tensor<12xf32>
    %1042 = mhlo.divide %1039, %1041 : tensor<12xf32>
    %1043 = mhlo.add %1038, %1042 : tensor<12xf32>
    %1044 = mhlo.constant dense<-0.138571098> : tensor<12xf32>
    %1045 = mhlo.constant dense<6.000000e+00> : tensor<12xf32>
    %1046 = mhlo.add %1017, %1045 : tensor<12xf32>
    %1047 = mhlo.divide %1044, %1046 : tensor<12xf32>
    %1048 = mhlo.add %1043, %1047 : tensor<12xf32>
    %1049 = mhlo.constant dense<9.98436917E-6> : tensor<12xf32>
    %1050 = mhlo.constant dense<7.000000e+00> : tensor<12xf32>
    %1051 = mhlo.add %1017, %1050 : tensor<12xf32>
    %1052 = mhlo.divide %1049, %1051 : tensor<12xf32>
    %1053 = mhlo.add %1048, %1052 : tensor<12xf32>
    %1054 = mhlo.constant dense<1.50563267E-7> : tensor<12xf32>
    %1055 = mhlo.constant dense<8.000000e+00> : tensor<12xf32>
    %1056 = mhlo.add %1017, %1055 : tensor<12xf32>
    %1057 = mhlo.divide %1054, %1056 : tensor<12xf32>
    %1058 = mhlo.add %1053, %1057 : tensor<12xf32>
    %1059 = mhlo.constant dense<7.500000e+00> : tensor<12xf32>
    %1060 = mhlo.add %1059, %1017 : tensor<12xf32>
    %1061 = mhlo.constant dense<2.01490307> : tensor<12xf32>
    %1062 = mhlo.divide %1017, %1059 : tensor<12xf32>
    %1063 = mhlo.log_plus_one %1062 : tensor<12xf32>
    %1064 = mhlo.add %1061, %1063 : tensor<12xf32>
    %1065 = mhlo.divide %1060, %1064 : tensor<12xf32>
    %1066 = mhlo.add %1017, %1012 : tensor<12xf32>
    %1067 = mhlo.subtract %1066, %1065 : tensor<12xf32>
    %1068 = mhlo.multiply %1067, %1064 : tensor<12xf32>
    %1069 = mhlo.log %1058 : tensor<12xf32>
    %1070 = mhlo.constant dense<0.918938517> : tensor<12xf32>
    %1071 = mhlo.add %1070, %1068 : tensor<12xf32>
    %1072 = mhlo.add %1071, %1069 : tensor<12xf32>
    %1073 = mhlo.abs %arg1 : tensor<12xf32>
    %1074 = mhlo.floor %1073 : tensor<12xf32>
    %1075 = mhlo.subtract %1073, %1074 : tensor<12xf32>
    %1076 = mhlo.compare LT, %1012, %1075 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1077 = mhlo.subtract %1015, %1075 : tensor<12xf32>
    %1078 = mhlo.select %1076, %1077, %1075 : tensor<12xi1>, tensor<12xf32>
    %1079 = mhlo.constant dense<3.14159274> : tensor<12xf32>
    %1080 = mhlo.multiply %1079, %1078 : tensor<12xf32>
    %1081 = mhlo.sine %1080 : tensor<12xf32>
    %1082 = mhlo.log %1081 : tensor<12xf32>
    %1083 = mhlo.constant dense<1.14472985> : tensor<12xf32>
    %1084 = mhlo.subtract %1083, %1082 : tensor<12xf32>
    %1085 = mhlo.subtract %1084, %1072 : tensor<12xf32>
    %1086 = mhlo.is_finite %1082 : (tensor<12xf32>) -> tensor<12xi1>
    %1087 = mhlo.negate %1082 : tensor<12xf32>
    %1088 = mhlo.select %1086, %1085, %1087 : tensor<12xi1>, tensor<12xf32>
    %1089 = mhlo.select %1013, %1088, %1072 : tensor<12xi1>, tensor<12xf32>
    %1090 = mhlo.abs %arg1 : tensor<12xf32>
    %1091 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %1092 = mhlo.compare EQ, %1090, %1091 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1093 = mhlo.constant dense<0x7F800000> : tensor<12xf32>
    %1094 = mhlo.select %1092, %1093, %1089 : tensor<12xi1>, tensor<12xf32>
    %1095 = mhlo.subtract %1011, %1094 : tensor<12xf32>
    %1096 = mhlo.constant dense<3.40282347E+38> : tensor<f32>
    %1097 = mhlo.log %1096 : tensor<f32>
    %1098 = mhlo.negate %1097 : tensor<f32>
    %1099 = "mhlo.broadcast_in_dim"(%1098) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1100 = mhlo.compare LT, %1095, %1099, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1101 = mhlo.or %1003, %1100 : tensor<12xi1>
    %1102 = mhlo.or %1101, %993 : tensor<12xi1>
    %1103 = mhlo.or %1102, %987 : tensor<12xi1>
    %1104 = mhlo.not %1103 : tensor<12xi1>
    %1105 = mhlo.exponential %1095 : tensor<12xf32>
    %1106 = mhlo.and %1104, %1008 : tensor<12xi1>
    %1107 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1108 = "mhlo.broadcast_in_dim"(%1107) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1109 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1110 = "mhlo.broadcast_in_dim"(%1109) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1111 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1112 = "mhlo.broadcast_in_dim"(%1111) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1113 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1114 = "mhlo.broadcast_in_dim"(%1113) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1115:7 = mhlo.while(%iterArg = %1106, %iterArg_0 = %arg1, %iterArg_1 = %1108, %iterArg_2 = %1110, %iterArg_3 = %981, %iterArg_4 = %1112, %iterArg_5 = %1114) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %1241 = mhlo.constant dense<false> : tensor<i1>
      %1242 = mhlo.reduce(%iterArg init: %1241) applies mhlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      mhlo.return %1242 : tensor<i1>
    } do {
      %1241 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1242 = "mhlo.broadcast_in_dim"(%1241) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1243 = mhlo.add %iterArg_0, %1242 : tensor<12xf32>
      %1244 = mhlo.divide %iterArg_3, %1243 : tensor<12xf32>
      %1245 = mhlo.multiply %iterArg_4, %1244 : tensor<12xf32>
      %1246 = mhlo.multiply %iterArg_1, %iterArg_3 : tensor<12xf32>
      %1247 = mhlo.multiply %1243, %1243 : tensor<12xf32>
      %1248 = mhlo.divide %1246, %1247 : tensor<12xf32>
      %1249 = mhlo.subtract %1245, %1248 : tensor<12xf32>
      %1250 = mhlo.add %iterArg_5, %1249 : tensor<12xf32>
      %1251 = mhlo.divide %iterArg_3, %1243 : tensor<12xf32>
      %1252 = mhlo.multiply %iterArg_1, %1251 : tensor<12xf32>
      %1253 = mhlo.add %iterArg_2, %1252 : tensor<12xf32>
      %1254 = mhlo.divide %1252, %1253 : tensor<12xf32>
      %1255 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1256 = "mhlo.broadcast_in_dim"(%1255) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1257 = mhlo.compare GT, %1254, %1256, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1258 = mhlo.and %iterArg, %1257 : tensor<12xi1>
      %1259 = mhlo.select %iterArg, %1243, %iterArg_0 : tensor<12xi1>, tensor<12xf32>
      %1260 = mhlo.select %iterArg, %1252, %iterArg_1 : tensor<12xi1>, tensor<12xf32>
      %1261 = mhlo.select %iterArg, %1253, %iterArg_2 : tensor<12xi1>, tensor<12xf32>
      %1262 = mhlo.select %iterArg, %iterArg_3, %iterArg_3 : tensor<12xi1>, tensor<12xf32>
      %1263 = mhlo.select %iterArg, %1249, %iterArg_4 : tensor<12xi1>, tensor<12xf32>
      %1264 = mhlo.select %iterArg, %1250, %iterArg_5 : tensor<12xi1>, tensor<12xf32>
      mhlo.return %1258, %1259, %1260, %1261, %1262, %1263, %1264 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %1116 = mhlo.multiply %1115#3, %1105 : tensor<12xf32>
    %1117 = mhlo.divide %1116, %arg1 : tensor<12xf32>
    %1118 = mhlo.not %1008 : tensor<12xi1>
    %1119 = mhlo.and %1104, %1118 : tensor<12xi1>
    %1120 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1121 = "mhlo.broadcast_in_dim"(%1120) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1122 = mhlo.subtract %1121, %arg1 : tensor<12xf32>
    %1123 = mhlo.add %981, %1122 : tensor<12xf32>
    %1124 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1125 = "mhlo.broadcast_in_dim"(%1124) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1126 = mhlo.add %1123, %1125 : tensor<12xf32>
    %1127 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1128 = "mhlo.broadcast_in_dim"(%1127) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1129 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1130 = "mhlo.broadcast_in_dim"(%1129) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1131 = mhlo.add %981, %1130 : tensor<12xf32>
    %1132 = mhlo.multiply %1126, %981 : tensor<12xf32>
    %1133 = mhlo.divide %1131, %1132 : tensor<12xf32>
    %1134 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1135 = "mhlo.broadcast_in_dim"(%1134) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1136 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1137 = "mhlo.broadcast_in_dim"(%1136) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1138 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1139 = "mhlo.broadcast_in_dim"(%1138) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1140 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1141 = "mhlo.broadcast_in_dim"(%1140) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1142 = mhlo.negate %981 : tensor<12xf32>
    %1143 = mhlo.multiply %1133, %1142 : tensor<12xf32>
    %1144 = mhlo.subtract %1141, %1143 : tensor<12xf32>
    %1145 = mhlo.divide %1144, %1132 : tensor<12xf32>
    %1146 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1147:15 = mhlo.while(%iterArg = %1119, %iterArg_0 = %1133, %iterArg_1 = %1135, %iterArg_2 = %1122, %iterArg_3 = %1126, %iterArg_4 = %1146, %iterArg_5 = %1131, %iterArg_6 = %1132, %iterArg_7 = %1128, %iterArg_8 = %981, %iterArg_9 = %1137, %iterArg_10 = %1139, %iterArg_11 = %1141, %iterArg_12 = %1142, %iterArg_13 = %1145) : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    cond {
      %1241 = mhlo.constant dense<2.000000e+03> : tensor<f32>
      %1242 = mhlo.compare LT, %iterArg_4, %1241, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %1243 = mhlo.constant dense<false> : tensor<i1>
      %1244 = mhlo.reduce(%iterArg init: %1243) applies mhlo.or across dimensions = [0] : (tensor<12xi1>, tensor<i1>) -> tensor<i1>
      %1245 = mhlo.and %1242, %1244 : tensor<i1>
      mhlo.return %1245 : tensor<i1>
    } do {
      %1241 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1242 = mhlo.add %iterArg_4, %1241 : tensor<f32>
      %1243 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1244 = "mhlo.broadcast_in_dim"(%1243) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1245 = mhlo.add %iterArg_2, %1244 : tensor<12xf32>
      %1246 = mhlo.constant dense<2.000000e+00> : tensor<f32>
      %1247 = "mhlo.broadcast_in_dim"(%1246) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1248 = mhlo.add %iterArg_3, %1247 : tensor<12xf32>
      %1249 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1250 = mhlo.multiply %1245, %1249 : tensor<12xf32>
      %1251 = mhlo.multiply %iterArg_5, %1248 : tensor<12xf32>
      %1252 = mhlo.multiply %iterArg_7, %1250 : tensor<12xf32>
      %1253 = mhlo.subtract %1251, %1252 : tensor<12xf32>
      %1254 = mhlo.multiply %iterArg_6, %1248 : tensor<12xf32>
      %1255 = mhlo.multiply %iterArg_8, %1250 : tensor<12xf32>
      %1256 = mhlo.subtract %1254, %1255 : tensor<12xf32>
      %1257 = mhlo.constant dense<0.000000e+00> : tensor<f32>
      %1258 = "mhlo.broadcast_in_dim"(%1257) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1259 = mhlo.compare NE, %1256, %1258, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1260 = mhlo.divide %1253, %1256 : tensor<12xf32>
      %1261 = mhlo.subtract %iterArg_0, %1260 : tensor<12xf32>
      %1262 = mhlo.divide %1261, %1260 : tensor<12xf32>
      %1263 = mhlo.abs %1262 : tensor<12xf32>
      %1264 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1265 = "mhlo.broadcast_in_dim"(%1264) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1266 = mhlo.select %1259, %1263, %1265 : tensor<12xi1>, tensor<12xf32>
      %1267 = mhlo.select %1259, %1260, %iterArg_0 : tensor<12xi1>, tensor<12xf32>
      %1268 = mhlo.multiply %iterArg_11, %1248 : tensor<12xf32>
      %1269 = mhlo.subtract %1268, %iterArg_5 : tensor<12xf32>
      %1270 = mhlo.multiply %iterArg_9, %1250 : tensor<12xf32>
      %1271 = mhlo.subtract %1269, %1270 : tensor<12xf32>
      %1272 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1273 = mhlo.multiply %iterArg_7, %1272 : tensor<12xf32>
      %1274 = mhlo.add %1271, %1273 : tensor<12xf32>
      %1275 = mhlo.multiply %iterArg_12, %1248 : tensor<12xf32>
      %1276 = mhlo.subtract %1275, %iterArg_6 : tensor<12xf32>
      %1277 = mhlo.multiply %iterArg_10, %1250 : tensor<12xf32>
      %1278 = mhlo.subtract %1276, %1277 : tensor<12xf32>
      %1279 = "mhlo.broadcast_in_dim"(%1242) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1280 = mhlo.multiply %iterArg_8, %1279 : tensor<12xf32>
      %1281 = mhlo.add %1278, %1280 : tensor<12xf32>
      %1282 = mhlo.multiply %1267, %1281 : tensor<12xf32>
      %1283 = mhlo.subtract %1274, %1282 : tensor<12xf32>
      %1284 = mhlo.divide %1283, %1256 : tensor<12xf32>
      %1285 = mhlo.select %1259, %1284, %iterArg_13 : tensor<12xi1>, tensor<12xf32>
      %1286 = mhlo.subtract %1285, %iterArg_13 : tensor<12xf32>
      %1287 = mhlo.abs %1286 : tensor<12xf32>
      %1288 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1289 = "mhlo.broadcast_in_dim"(%1288) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1290 = mhlo.select %1259, %1287, %1289 : tensor<12xi1>, tensor<12xf32>
      %1291 = mhlo.abs %1253 : tensor<12xf32>
      %1292 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1293 = mhlo.constant dense<1.000000e+00> : tensor<f32>
      %1294 = "mhlo.broadcast_in_dim"(%1293) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<f32>
      %1295 = mhlo.divide %1294, %1292 : tensor<f32>
      %1296 = "mhlo.broadcast_in_dim"(%1295) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1297 = mhlo.compare GT, %1291, %1296, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1298 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1299 = "mhlo.broadcast_in_dim"(%1298) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1300 = mhlo.multiply %iterArg_5, %1299 : tensor<12xf32>
      %1301 = mhlo.select %1297, %1300, %iterArg_5 : tensor<12xi1>, tensor<12xf32>
      %1302 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1303 = "mhlo.broadcast_in_dim"(%1302) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1304 = mhlo.multiply %1253, %1303 : tensor<12xf32>
      %1305 = mhlo.select %1297, %1304, %1253 : tensor<12xi1>, tensor<12xf32>
      %1306 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1307 = "mhlo.broadcast_in_dim"(%1306) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1308 = mhlo.multiply %iterArg_6, %1307 : tensor<12xf32>
      %1309 = mhlo.select %1297, %1308, %iterArg_6 : tensor<12xi1>, tensor<12xf32>
      %1310 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1311 = "mhlo.broadcast_in_dim"(%1310) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1312 = mhlo.multiply %1256, %1311 : tensor<12xf32>
      %1313 = mhlo.select %1297, %1312, %1256 : tensor<12xi1>, tensor<12xf32>
      %1314 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1315 = "mhlo.broadcast_in_dim"(%1314) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1316 = mhlo.multiply %iterArg_11, %1315 : tensor<12xf32>
      %1317 = mhlo.select %1297, %1316, %iterArg_11 : tensor<12xi1>, tensor<12xf32>
      %1318 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1319 = "mhlo.broadcast_in_dim"(%1318) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1320 = mhlo.multiply %iterArg_12, %1319 : tensor<12xf32>
      %1321 = mhlo.select %1297, %1320, %iterArg_12 : tensor<12xi1>, tensor<12xf32>
      %1322 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1323 = "mhlo.broadcast_in_dim"(%1322) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1324 = mhlo.multiply %1274, %1323 : tensor<12xf32>
      %1325 = mhlo.select %1297, %1324, %1274 : tensor<12xi1>, tensor<12xf32>
      %1326 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1327 = "mhlo.broadcast_in_dim"(%1326) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1328 = mhlo.multiply %1281, %1327 : tensor<12xf32>
      %1329 = mhlo.select %1297, %1328, %1281 : tensor<12xi1>, tensor<12xf32>
      %1330 = mhlo.constant dense<1.1920929E-7> : tensor<f32>
      %1331 = "mhlo.broadcast_in_dim"(%1330) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
      %1332 = mhlo.compare GT, %1266, %1331, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
      %1333 = mhlo.and %iterArg, %1332 : tensor<12xi1>
      %1334 = mhlo.select %iterArg, %1267, %iterArg_0 : tensor<12xi1>, tensor<12xf32>
      %1335 = mhlo.select %iterArg, %1266, %iterArg_1 : tensor<12xi1>, tensor<12xf32>
      %1336 = mhlo.select %iterArg, %1245, %iterArg_2 : tensor<12xi1>, tensor<12xf32>
      %1337 = mhlo.select %iterArg, %1248, %iterArg_3 : tensor<12xi1>, tensor<12xf32>
      %1338 = mhlo.select %iterArg, %1305, %iterArg_5 : tensor<12xi1>, tensor<12xf32>
      %1339 = mhlo.select %iterArg, %1313, %iterArg_6 : tensor<12xi1>, tensor<12xf32>
      %1340 = mhlo.select %iterArg, %1301, %iterArg_7 : tensor<12xi1>, tensor<12xf32>
      %1341 = mhlo.select %iterArg, %1309, %iterArg_8 : tensor<12xi1>, tensor<12xf32>
      %1342 = mhlo.select %iterArg, %1317, %iterArg_9 : tensor<12xi1>, tensor<12xf32>
      %1343 = mhlo.select %iterArg, %1321, %iterArg_10 : tensor<12xi1>, tensor<12xf32>
      %1344 = mhlo.select %iterArg, %1325, %iterArg_11 : tensor<12xi1>, tensor<12xf32>
      %1345 = mhlo.select %iterArg, %1329, %iterArg_12 : tensor<12xi1>, tensor<12xf32>
      %1346 = mhlo.select %iterArg, %1285, %iterArg_13 : tensor<12xi1>, tensor<12xf32>
      mhlo.return %1333, %1334, %1335, %1336, %1337, %1242, %1338, %1339, %1340, %1341, %1342, %1343, %1344, %1345, %1346 : tensor<12xi1>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<f32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
    }
    %1148 = mhlo.multiply %1147#1, %1105 : tensor<12xf32>
    %1149 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1150 = "mhlo.broadcast_in_dim"(%1149) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1151 = mhlo.subtract %1150, %1117 : tensor<12xf32>
    %1152 = mhlo.select %1008, %1151, %1148 : tensor<12xi1>, tensor<12xf32>
    %1153 = mhlo.or %993, %987 : tensor<12xi1>
    %1154 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1155 = "mhlo.broadcast_in_dim"(%1154) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1156 = mhlo.select %1153, %1155, %1152 : tensor<12xi1>, tensor<12xf32>
    %1157 = mhlo.constant dense<0x7FC00000> : tensor<f32>
    %1158 = "mhlo.broadcast_in_dim"(%1157) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1159 = mhlo.select %1003, %1158, %1156 : tensor<12xi1>, tensor<12xf32>
    %1160 = mhlo.abs %8 : tensor<12xf32>
    %1161 = mhlo.constant dense<0.864664733> : tensor<f32>
    %1162 = "mhlo.broadcast_in_dim"(%1161) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1163 = mhlo.compare GT, %1160, %1162, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1164 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1165 = "mhlo.broadcast_in_dim"(%1164) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1166 = mhlo.subtract %1165, %1160 : tensor<12xf32>
    %1167 = call @_where_1(%1163, %1166, %1160) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1168 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1169 = "mhlo.broadcast_in_dim"(%1168) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1170 = mhlo.compare EQ, %1167, %1169, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1171 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %1172 = "mhlo.broadcast_in_dim"(%1171) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1173 = call @_where_1(%1170, %1172, %1167) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1174 = mhlo.constant dense<5.000000e-01> : tensor<f32>
    %1175 = "mhlo.broadcast_in_dim"(%1174) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1176 = mhlo.subtract %1173, %1175 : tensor<12xf32>
    %1177 = mhlo.multiply %1176, %1176 : tensor<12xf32>
    %1178 = mhlo.multiply %1176, %1177 : tensor<12xf32>
    %1179 = call @polyval(%0, %1177) : (tensor<5xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1180 = call @polyval_2(%1, %1177) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1181 = mhlo.divide %1179, %1180 : tensor<12xf32>
    %1182 = mhlo.multiply %1178, %1181 : tensor<12xf32>
    %1183 = mhlo.add %1176, %1182 : tensor<12xf32>
    %1184 = mhlo.constant dense<-2.50662827> : tensor<f32>
    %1185 = "mhlo.broadcast_in_dim"(%1184) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1186 = mhlo.multiply %1183, %1185 : tensor<12xf32>
    %1187 = mhlo.log %1173 : tensor<12xf32>
    %1188 = mhlo.constant dense<-2.000000e+00> : tensor<f32>
    %1189 = "mhlo.broadcast_in_dim"(%1188) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1190 = mhlo.multiply %1189, %1187 : tensor<12xf32>
    %1191 = mhlo.sqrt %1190 : tensor<12xf32>
    %1192 = mhlo.log %1191 : tensor<12xf32>
    %1193 = mhlo.divide %1192, %1191 : tensor<12xf32>
    %1194 = mhlo.subtract %1191, %1193 : tensor<12xf32>
    %1195 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1196 = "mhlo.broadcast_in_dim"(%1195) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1197 = mhlo.divide %1196, %1191 : tensor<12xf32>
    %1198 = call @polyval_2(%2, %1197) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1199 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1200 = "mhlo.broadcast_in_dim"(%1199) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1201 = mhlo.divide %1200, %1191 : tensor<12xf32>
    %1202 = call @polyval_2(%3, %1201) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1203 = mhlo.divide %1198, %1202 : tensor<12xf32>
    %1204 = mhlo.divide %1203, %1191 : tensor<12xf32>
    %1205 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1206 = "mhlo.broadcast_in_dim"(%1205) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1207 = mhlo.divide %1206, %1191 : tensor<12xf32>
    %1208 = call @polyval_2(%4, %1207) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1209 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1210 = "mhlo.broadcast_in_dim"(%1209) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1211 = mhlo.divide %1210, %1191 : tensor<12xf32>
    %1212 = call @polyval_2(%5, %1211) : (tensor<9xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1213 = mhlo.divide %1208, %1212 : tensor<12xf32>
    %1214 = mhlo.divide %1213, %1191 : tensor<12xf32>
    %1215 = mhlo.subtract %1194, %1204 : tensor<12xf32>
    %1216 = mhlo.subtract %1194, %1214 : tensor<12xf32>
    %1217 = mhlo.constant dense<0.135335281> : tensor<f32>
    %1218 = "mhlo.broadcast_in_dim"(%1217) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1219 = mhlo.compare GT, %1173, %1218, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1220 = mhlo.constant dense<8.000000e+00> : tensor<f32>
    %1221 = "mhlo.broadcast_in_dim"(%1220) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1222 = mhlo.compare GE, %1191, %1221, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1223 = call @_where_1(%1222, %1215, %1216) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1224 = call @_where_1(%1219, %1186, %1223) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1225 = mhlo.constant dense<0.864664733> : tensor<f32>
    %1226 = "mhlo.broadcast_in_dim"(%1225) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1227 = mhlo.compare GT, %1160, %1226, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1228 = mhlo.negate %1224 : tensor<12xf32>
    %1229 = call @_where_1(%1227, %1224, %1228) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1230 = mhlo.constant dense<0x7F800000> : tensor<f32>
    %1231 = "mhlo.broadcast_in_dim"(%1230) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1232 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1233 = "mhlo.broadcast_in_dim"(%1232) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1234 = mhlo.compare EQ, %1160, %1233, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1235 = mhlo.negate %1231 : tensor<12xf32>
    %1236 = mhlo.constant dense<1.000000e+00> : tensor<f32>
    %1237 = "mhlo.broadcast_in_dim"(%1236) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %1238 = mhlo.compare EQ, %1160, %1237, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %1239 = call @_where_1(%1238, %1231, %1229) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %1240 = call @_where_1(%1234, %1235, %1239) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %9, %101, %163, %246, %348, %365, %372, %391, %395, %406, %414, %420, %422, %798, %978, %1159, %1240 : tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>, tensor<12xf32>
  }
  func.func private @arccosh(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = mhlo.constant dense<3.40282347E+38> : tensor<12xf32>
    %1 = mhlo.constant dense<2.000000e+00> : tensor<12xf32>
    %2 = mhlo.divide %0, %1 : tensor<12xf32>
    %3 = mhlo.compare GE, %arg0, %2 : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %4 = mhlo.log %1 : tensor<12xf32>
    %5 = mhlo.log %arg0 : tensor<12xf32>
    %6 = mhlo.add %4, %5 : tensor<12xf32>
    %7 = mhlo.constant dense<1.000000e+00> : tensor<12xf32>
    %8 = mhlo.subtract %arg0, %7 : tensor<12xf32>
    %9 = mhlo.sqrt %8 : tensor<12xf32>
    %10 = mhlo.add %arg0, %7 : tensor<12xf32>
    %11 = mhlo.sqrt %10 : tensor<12xf32>
    %12 = mhlo.add %11, %9 : tensor<12xf32>
    %13 = mhlo.multiply %9, %12 : tensor<12xf32>
    %14 = mhlo.log_plus_one %13 : tensor<12xf32>
    %15 = mhlo.select %3, %6, %14 : tensor<12xi1>, tensor<12xf32>
    return %15 : tensor<12xf32>
  }
  func.func private @remainder(%arg0: tensor<12xi32>, %arg1: tensor<12xi32>) -> tensor<12xi32> {
    %0 = mhlo.constant dense<0> : tensor<i32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %2 = mhlo.compare EQ, %arg1, %1, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %3 = mhlo.constant dense<1> : tensor<i32>
    %4 = "mhlo.broadcast_in_dim"(%3) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %5 = call @_where(%2, %4, %arg1) : (tensor<12xi1>, tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
    %6 = mhlo.remainder %arg0, %5 : tensor<12xi32>
    %7 = mhlo.constant dense<0> : tensor<i32>
    %8 = "mhlo.broadcast_in_dim"(%7) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %9 = mhlo.compare NE, %6, %8, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %10 = mhlo.constant dense<0> : tensor<i32>
    %11 = "mhlo.broadcast_in_dim"(%10) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %12 = mhlo.compare LT, %6, %11, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %13 = mhlo.constant dense<0> : tensor<i32>
    %14 = "mhlo.broadcast_in_dim"(%13) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %15 = mhlo.compare LT, %5, %14, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %16 = mhlo.compare NE, %12, %15, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %17 = mhlo.and %16, %9 : tensor<12xi1>
    %18 = mhlo.add %6, %5 : tensor<12xi32>
    %19 = mhlo.select %17, %18, %6 : tensor<12xi1>, tensor<12xi32>
    return %19 : tensor<12xi32>
  }
  func.func private @_where(%arg0: tensor<12xi1>, %arg1: tensor<12xi32>, %arg2: tensor<12xi32>) -> tensor<12xi32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @floor_divide(%arg0: tensor<12xi32>, %arg1: tensor<12xi32>) -> tensor<12xi32> {
    %0 = mhlo.divide %arg0, %arg1 : tensor<12xi32>
    %1 = mhlo.sign %arg0 : tensor<12xi32>
    %2 = mhlo.sign %arg1 : tensor<12xi32>
    %3 = mhlo.compare NE, %1, %2, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %4 = mhlo.remainder %arg0, %arg1 : tensor<12xi32>
    %5 = mhlo.constant dense<0> : tensor<i32>
    %6 = "mhlo.broadcast_in_dim"(%5) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %7 = mhlo.compare NE, %4, %6, SIGNED : (tensor<12xi32>, tensor<12xi32>) -> tensor<12xi1>
    %8 = mhlo.constant dense<false> : tensor<i1>
    %9 = "mhlo.broadcast_in_dim"(%8) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<12xi1>
    %10 = mhlo.compare NE, %3, %9, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %11 = mhlo.convert %10 : tensor<12xi1>
    %12 = mhlo.constant dense<false> : tensor<i1>
    %13 = "mhlo.broadcast_in_dim"(%12) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i1>) -> tensor<12xi1>
    %14 = mhlo.compare NE, %7, %13, UNSIGNED : (tensor<12xi1>, tensor<12xi1>) -> tensor<12xi1>
    %15 = mhlo.convert %14 : tensor<12xi1>
    %16 = mhlo.and %11, %15 : tensor<12xi1>
    %17 = mhlo.constant dense<1> : tensor<i32>
    %18 = "mhlo.broadcast_in_dim"(%17) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<i32>) -> tensor<12xi32>
    %19 = mhlo.subtract %0, %18 : tensor<12xi32>
    %20 = call @_where_0(%16, %19, %0) : (tensor<12xi1>, tensor<12xi32>, tensor<12xi32>) -> tensor<12xi32>
    return %20 : tensor<12xi32>
  }
  func.func private @_where_0(%arg0: tensor<12xi1>, %arg1: tensor<12xi32>, %arg2: tensor<12xi32>) -> tensor<12xi32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xi32>
    return %0 : tensor<12xi32>
  }
  func.func private @_where_1(%arg0: tensor<12xi1>, %arg1: tensor<12xf32>, %arg2: tensor<12xf32>) -> tensor<12xf32> {
    %0 = mhlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @polyval(%arg0: tensor<5xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %2 = "mhlo.slice"(%arg0) <{limit_indices = dense<0> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<0xf32>
    %3 = "mhlo.slice"(%arg0) <{limit_indices = dense<5> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<5xf32>
    %4 = "mhlo.slice"(%3) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1xf32>
    %5 = mhlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
    %6 = call @closed_call(%arg1, %1, %5) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %7 = "mhlo.slice"(%3) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1xf32>
    %8 = mhlo.reshape %7 : (tensor<1xf32>) -> tensor<f32>
    %9 = call @closed_call(%arg1, %6, %8) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %10 = "mhlo.slice"(%3) <{limit_indices = dense<3> : tensor<1xi64>, start_indices = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1xf32>
    %11 = mhlo.reshape %10 : (tensor<1xf32>) -> tensor<f32>
    %12 = call @closed_call(%arg1, %9, %11) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %13 = "mhlo.slice"(%3) <{limit_indices = dense<4> : tensor<1xi64>, start_indices = dense<3> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1xf32>
    %14 = mhlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
    %15 = call @closed_call(%arg1, %12, %14) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %16 = "mhlo.slice"(%3) <{limit_indices = dense<5> : tensor<1xi64>, start_indices = dense<4> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<5xf32>) -> tensor<1xf32>
    %17 = mhlo.reshape %16 : (tensor<1xf32>) -> tensor<f32>
    %18 = call @closed_call(%arg1, %15, %17) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    return %18 : tensor<12xf32>
  }
  func.func private @closed_call(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>, %arg2: tensor<f32>) -> tensor<12xf32> {
    %0 = mhlo.multiply %arg1, %arg0 : tensor<12xf32>
    %1 = "mhlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %2 = mhlo.add %0, %1 : tensor<12xf32>
    return %2 : tensor<12xf32>
  }
  func.func private @polyval_2(%arg0: tensor<9xf32>, %arg1: tensor<12xf32>) -> tensor<12xf32> {
    %0 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = "mhlo.broadcast_in_dim"(%0) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %2 = "mhlo.slice"(%arg0) <{limit_indices = dense<0> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<0xf32>
    %3 = "mhlo.slice"(%arg0) <{limit_indices = dense<9> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<9xf32>
    %4 = "mhlo.slice"(%3) <{limit_indices = dense<1> : tensor<1xi64>, start_indices = dense<0> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %5 = mhlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
    %6 = call @closed_call_3(%arg1, %1, %5) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %7 = "mhlo.slice"(%3) <{limit_indices = dense<2> : tensor<1xi64>, start_indices = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %8 = mhlo.reshape %7 : (tensor<1xf32>) -> tensor<f32>
    %9 = call @closed_call_3(%arg1, %6, %8) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %10 = "mhlo.slice"(%3) <{limit_indices = dense<3> : tensor<1xi64>, start_indices = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %11 = mhlo.reshape %10 : (tensor<1xf32>) -> tensor<f32>
    %12 = call @closed_call_3(%arg1, %9, %11) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %13 = "mhlo.slice"(%3) <{limit_indices = dense<4> : tensor<1xi64>, start_indices = dense<3> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %14 = mhlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
    %15 = call @closed_call_3(%arg1, %12, %14) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %16 = "mhlo.slice"(%3) <{limit_indices = dense<5> : tensor<1xi64>, start_indices = dense<4> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %17 = mhlo.reshape %16 : (tensor<1xf32>) -> tensor<f32>
    %18 = call @closed_call_3(%arg1, %15, %17) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %19 = "mhlo.slice"(%3) <{limit_indices = dense<6> : tensor<1xi64>, start_indices = dense<5> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %20 = mhlo.reshape %19 : (tensor<1xf32>) -> tensor<f32>
    %21 = call @closed_call_3(%arg1, %18, %20) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %22 = "mhlo.slice"(%3) <{limit_indices = dense<7> : tensor<1xi64>, start_indices = dense<6> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %23 = mhlo.reshape %22 : (tensor<1xf32>) -> tensor<f32>
    %24 = call @closed_call_3(%arg1, %21, %23) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %25 = "mhlo.slice"(%3) <{limit_indices = dense<8> : tensor<1xi64>, start_indices = dense<7> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %26 = mhlo.reshape %25 : (tensor<1xf32>) -> tensor<f32>
    %27 = call @closed_call_3(%arg1, %24, %26) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    %28 = "mhlo.slice"(%3) <{limit_indices = dense<9> : tensor<1xi64>, start_indices = dense<8> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}> : (tensor<9xf32>) -> tensor<1xf32>
    %29 = mhlo.reshape %28 : (tensor<1xf32>) -> tensor<f32>
    %30 = call @closed_call_3(%arg1, %27, %29) : (tensor<12xf32>, tensor<12xf32>, tensor<f32>) -> tensor<12xf32>
    return %30 : tensor<12xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<12xf32>, %arg1: tensor<12xf32>, %arg2: tensor<f32>) -> tensor<12xf32> {
    %0 = mhlo.multiply %arg1, %arg0 : tensor<12xf32>
    %1 = "mhlo.broadcast_in_dim"(%arg2) <{broadcast_dimensions = dense<> : tensor<0xi64>}> : (tensor<f32>) -> tensor<12xf32>
    %2 = mhlo.add %0, %1 : tensor<12xf32>
    return %2 : tensor<12xf32>
  }
}
