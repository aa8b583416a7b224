// Programs of any size over any number of devices: what the time of partitioning is measured on as programs and meshes grow
// (perf/compiler/growth.c), and what tests/compiler/test_growth.c counts the work of.
//
// As growth_programs.h, for growth_devices devices. What is cut is of 2048, so that 1024 devices have parts; of layers it is 256 for each
// device, as products of narrower parts would be kernels instead of calls of a library, whatever number of devices they are for.
#ifndef MR_PERF_COMPILER_PARTITIONED_PROGRAMS_H
#define MR_PERF_COMPILER_PARTITIONED_PROGRAMS_H

#include "perf/compiler/growth_programs.h"

#define CUT_MESH "module {\nsdy.mesh @mesh = <[\"x\"=$D]>\n"
#define CUT_TYPE "tensor<2048x4xf32>"
#define CUT_ROWS "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}"
#define CUT_COLUMNS "{sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}"
#define CUT_ARGUMENT "%x: " CUT_TYPE " " CUT_ROWS
#define CUT_MAIN \
  CUT_MESH "func.func @main(" CUT_ARGUMENT ") -> " CUT_TYPE " {\n%v0 = stablehlo.sine %x : " CUT_TYPE "\n"
#define CUT_END "return %v$n : " CUT_TYPE "\n}\n}\n"
#define CUT_NARROW "tensor<8x64xf32>"
#define CUT_WIDE "tensor<8x$Sxf32>"
#define CUT_IN "tensor<64x$Sxf32>"
#define CUT_OUT "tensor<$Sx64xf32>"
#define CUT_SUM(to, from)                                                                                              \
  "%s$i = stablehlo.reduce(" from " init: %z) applies stablehlo.add across dimensions = [0] : (" CUT_TYPE              \
  ", tensor<f32>) -> tensor<4xf32>\n%b$i = stablehlo.broadcast_in_dim %s$i, dims = [1] : (tensor<4xf32>) -> " CUT_TYPE \
  "\n" to " = stablehlo.subtract " from ", %b$i : " CUT_TYPE "\n"
#define CUT_ZERO "%z = stablehlo.constant dense<0.0> : tensor<f32>\n"

static const growth_form partitioned_forms[] = {
    {"cut_chain", "elementwise on parts, each of the one before",
     .pieces = {CUT_MAIN,
                "%a$i = stablehlo.add %v$i, %x : " CUT_TYPE "\n%v$j = stablehlo.multiply %a$i, %x : " CUT_TYPE "\n",
                CUT_END}},
    {"cut_sums", "a sum over what is cut and a difference to it, each of the one before",
     .pieces = {CUT_MAIN CUT_ZERO, CUT_SUM("%v$j", "%v$i"), CUT_END}},
    {"cut_layers", "two products in a library with cut weights, the sum between devices, each of the one before",
     .pieces = {CUT_MESH "func.func @main(%x: " CUT_NARROW ", %u: " CUT_IN " " CUT_COLUMNS ", %w: " CUT_OUT " " CUT_ROWS
                         ") -> " CUT_NARROW " {\n%v0 = stablehlo.sine %x : " CUT_NARROW "\n",
                "%a$i = stablehlo.dot_general %v$i, %u, contracting_dims = [1] x [0] : (" CUT_NARROW ", " CUT_IN
                ") -> " CUT_WIDE "\n%b$i = stablehlo.tanh %a$i : " CUT_WIDE
                "\n%v$j = stablehlo.dot_general %b$i, %w, contracting_dims = [1] x [0] : (" CUT_WIDE ", " CUT_OUT
                ") -> " CUT_NARROW "\n",
                "return %v$n : " CUT_NARROW "\n}\n}\n"}},
    {"cut_turns", "rows become columns become rows",
     .pieces = {CUT_MESH "func.func @main(%x: tensor<2048x2048xf32> " CUT_ROWS
                         ") -> tensor<2048x2048xf32> {\n%v0 = stablehlo.sine %x : tensor<2048x2048xf32>\n",
                "%a$i = sdy.sharding_constraint %v$i <@mesh, [{}, {\"x\"}]> : tensor<2048x2048xf32>\n%b$i = "
                "stablehlo.sine %a$i : tensor<2048x2048xf32>\n%v$j = sdy.sharding_constraint %b$i <@mesh, [{\"x\"}, "
                "{}]> : tensor<2048x2048xf32>\n",
                "return %v$n : tensor<2048x2048xf32>\n}\n}\n"}},
    {"cut_manual", "manual computations, each of the one before",
     .pieces = {CUT_MAIN,
                "%v$j = sdy.manual_computation(%v$i) in_shardings=[<@mesh, [{\"x\"}, {}]>] out_shardings=[<@mesh, "
                "[{\"x\"}, {}]>] manual_axes={\"x\"} (%b$i: tensor<$Px4xf32>) {\n%c$i = stablehlo.sine %b$i : "
                "tensor<$Px4xf32>\nsdy.return %c$i : tensor<$Px4xf32>\n} : (" CUT_TYPE ") -> " CUT_TYPE "\n",
                CUT_END}},
    {"cut_groups", "elementwise on parts, of each two values a group that shall be sharded alike",
     .pieces = {CUT_MAIN,
                "%a$i = stablehlo.add %v$i, %x : " CUT_TYPE "\nsdy.sharding_group %a$i group_id=$i : " CUT_TYPE
                "\n%v$j = stablehlo.multiply %a$i, %x : " CUT_TYPE "\nsdy.sharding_group %v$j group_id=$i : " CUT_TYPE
                "\n",
                CUT_END}},
    {"cut_one_group", "elementwise on parts, in groups that share a value with the next and so are one",
     .pieces = {CUT_MAIN,
                "%v$j = stablehlo.multiply %v$i, %x : " CUT_TYPE "\nsdy.sharding_group %v$i group_id=$i : " CUT_TYPE
                "\nsdy.sharding_group %v$j group_id=$i : " CUT_TYPE "\n",
                CUT_END}},
    {"cut_whiles", "while around a sum over what is cut, each of the one before",
     .pieces = {CUT_MESH "func.func @main(" CUT_ARGUMENT ") -> " CUT_TYPE " {\n" GROWTH_COUNT CUT_ZERO
                         "%v0:2 = stablehlo.optimization_barrier %zero, %x : $I, " CUT_TYPE "\n",
                "%v$j:2 = stablehlo.while(%i$i = %zero, %w$i = %v$i#1) : $I, " CUT_TYPE
                " cond { %c$i = stablehlo.compare LT, %i$i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c$i : "
                "tensor<i1> } do { %n$i = stablehlo.add %i$i, %one : $I " CUT_SUM(
                    "%q$i", "%w$i") " stablehlo.return %n$i, %q$i : $I, " CUT_TYPE " }\n",
                "return %v$n#1 : " CUT_TYPE "\n}\n}\n"}},
    {"cut_cases", "case of a sum over what is cut, each of the one before",
     .pieces = {CUT_MESH "func.func @main(%p: $I, " CUT_ARGUMENT ") -> " CUT_TYPE " {\n" CUT_ZERO
                         "%v0 = stablehlo.sine %x : " CUT_TYPE "\n",
                "%v$j = \"stablehlo.case\"(%p) ({ " CUT_SUM(
                    "%q$i", "%v$i") " stablehlo.return %q$i : " CUT_TYPE
                                    " }, { %t$i = stablehlo.add %v$i, %x : " CUT_TYPE
                                    " stablehlo.return %t$i : " CUT_TYPE " }) : ($I) -> " CUT_TYPE "\n",
                CUT_END}},
    {"cut_calls", "call of a function of its own, each of the one before",
     .pieces = {CUT_MAIN, "%v$j = func.call @f$i(%v$i, %x) : (" CUT_TYPE ", " CUT_TYPE ") -> " CUT_TYPE "\n",
                "return %v$n : " CUT_TYPE "\n}\n",
                "func.func private @f$i(%a: " CUT_TYPE ", %b: " CUT_TYPE ") -> " CUT_TYPE
                " {\n%c = stablehlo.add %a, %b : " CUT_TYPE "\n%d = stablehlo.multiply %c, %b : " CUT_TYPE
                "\nreturn %d : " CUT_TYPE "\n}\n",
                "}\n"}},
    {"cut_params", "n cut parameters, added",
     .pieces = {CUT_MESH "func.func @main(", "$,%p$i: " CUT_TYPE " " CUT_ROWS,
                ") -> " CUT_TYPE " {\n%v0 = stablehlo.sine %p0 : " CUT_TYPE "\n",
                "%v$j = stablehlo.add %v$i, %p$i : " CUT_TYPE "\n", CUT_END}},
    {"cut_results", "elementwise on parts, each of the one before and a result",
     .pieces = {CUT_MESH "func.func @main(" CUT_ARGUMENT ") -> (", "$," CUT_TYPE,
                ") {\n%v0 = stablehlo.sine %x : " CUT_TYPE "\n", "%v$j = stablehlo.add %v$i, %x : " CUT_TYPE "\n",
                "return ", "$,%v$j", " : ", "$," CUT_TYPE, "\n}\n}\n"}},
    {"cut_carried", "one while with n values, of which each becomes a sum",
     .pieces = {CUT_MESH "func.func @main(", "$,%p$i: " CUT_TYPE " " CUT_ROWS, ") -> (", "$," CUT_TYPE,
                ") {\n" GROWTH_COUNT CUT_ZERO "%out:$j = stablehlo.while(%i = %zero", ", %w$i = %p$i", ") : $I",
                ", " CUT_TYPE,
                " cond { %c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c : "
                "tensor<i1> } do { %e = stablehlo.add %i, %one : $I\n",
                CUT_SUM("%q$i", "%w$i"), "stablehlo.return %e", ", %q$i", " : $I", ", " CUT_TYPE, "}\nreturn ",
                "$,%out#$j", " : ", "$," CUT_TYPE, "\n}\n}\n"}},
};

#endif
