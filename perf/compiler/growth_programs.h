// Programs of any size, one form each, as StableHLO text: what compile time and memory are measured on as programs grow
// (perf/compiler/growth.c), and what tests/compiler/test_growth.c counts the work of.
//
//   mr_text text = {0};
//   growth_write(&growth_forms[k], 10000, &text);
#ifndef MR_PERF_COMPILER_GROWTH_PROGRAMS_H
#define MR_PERF_COMPILER_GROWTH_PROGRAMS_H

#include <string.h>

#include "core/core.h"

// Pieces are written in turn: the first, third, ... once, the others n times with i from 0, or n - 1 times when they begin with
// '-'. In them $x stands for a number:
//   i, j = i + 1, n, l = n - 1, r = n - 1 - i, a = 2i, b = 2i + 1, c = n + i, d = n - i, o = n + 2, z = 2n - 2, w = 4n, m = i % 4, k = i % 4 + 1,
//   D = growth_devices, P = 2048 / D, S = 256 * D
// $, is a comma except before the first, $V the type of a short vector, $I that of a number.
typedef struct growth_form {
  const char *name, *about;
  const char *pieces[24];
  int most;    // the largest n that a program may have; 0: any
  bool apart;  // kernels differ or become long: milliseconds of code generation for each
} growth_form;

#define GROWTH_MAIN "func.func @main(%p: $I, %x: $V) -> $V {\n%v0 = stablehlo.sine %x : $V\n"
#define GROWTH_END "return %v$n : $V\n}\n"
#define GROWTH_TREE "-%v$c = stablehlo.add %v$a, %v$b : $V\n", "return %v$z : $V\n}\n"
#define GROWTH_COUNT                           \
  "%zero = stablehlo.constant dense<0> : $I\n" \
  "%one = stablehlo.constant dense<1> : $I\n"  \
  "%three = stablehlo.constant dense<3> : $I\n"
// Two branches of one operation each, from and to a value.
#define GROWTH_BRANCHES(from)                                                                                 \
  "({ %s$i = stablehlo.multiply " from ", %x : $V stablehlo.return %s$i : $V }, { %t$i = stablehlo.add " from \
  ", %x : $V stablehlo.return %t$i : $V })"
#define GROWTH_ROUNDS(to, from)                                                                                        \
  to ":2 = stablehlo.while(%i$i = %zero, %w$i = " from ") : $I, $V cond { "                                            \
     "%c$i = stablehlo.compare LT, %i$i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c$i : tensor<i1> } do { "   \
     "%n$i = stablehlo.add %i$i, %one : $I %s$i = stablehlo.multiply %w$i, %x : $V stablehlo.return %n$i, %s$i : $I, " \
     "$V }\n"
#define GROWTH_PIECE(to)                                                                \
  "%a$i = stablehlo.slice %y [$i:$j, 0:4] : (tensor<$nx4xf32>) -> tensor<1x4xf32>\n" to \
  " = stablehlo.reshape %a$i : (tensor<1x4xf32>) -> $V\n"
// A product that is a library's, which no generated loop contains.
#define GROWTH_LARGE "tensor<20000xf32>"
#define GROWTH_MATRIX "tensor<64x64xf32>"
#define GROWTH_PRODUCT(from)                                                                              \
  "stablehlo.dot_general " from ", %x, contracting_dims = [1] x [0] : (" GROWTH_MATRIX ", " GROWTH_MATRIX \
  ") -> " GROWTH_MATRIX

static const growth_form growth_forms[] = {
    {"chain", "elementwise, each of the one before",
     .pieces = {GROWTH_MAIN, "%a$i = stablehlo.add %v$i, %x : $V\n%v$j = stablehlo.multiply %a$i, %x : $V\n",
                GROWTH_END}},
    {"wide", "elementwise, each of another piece of the argument, joined by a tree",
     .pieces = {"func.func @main(%y: tensor<$nx4xf32>) -> $V {\n",
                GROWTH_PIECE("%b$i") "%v$i = stablehlo.multiply %b$i, %b$i : $V\n", "", GROWTH_TREE},
     .apart = true},
    {"dots", "small products in generated code, each of the one before",
     .pieces =
         {"func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n%v0 = stablehlo.sine %x : tensor<4x4xf32>\n",
          "%v$j = stablehlo.dot_general %v$i, %x, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> "
          "tensor<4x4xf32>\n",
          "return %v$n : tensor<4x4xf32>\n}\n"}},
    {"library", "products in a library, each of the one before",
     .pieces = {"func.func @main(%x: " GROWTH_MATRIX ") -> " GROWTH_MATRIX
                " {\n%v0 = stablehlo.sine %x : " GROWTH_MATRIX "\n",
                "%v$j = " GROWTH_PRODUCT("%v$i") "\n", "return %v$n : " GROWTH_MATRIX "\n}\n"}},
    {"reductions", "a sum and a quotient by it, each of the one before",
     .pieces =
         {GROWTH_MAIN "%z = stablehlo.constant dense<0.0> : tensor<f32>\n",
          "%s$i = stablehlo.reduce(%v$i init: %z) applies stablehlo.add across dimensions = [0] : ($V, tensor<f32>) -> "
          "tensor<f32>\n"
          "%b$i = stablehlo.broadcast_in_dim %s$i, dims = [] : (tensor<f32>) -> $V\n%v$j = stablehlo.divide %v$i, %b$i "
          ": "
          "$V\n",
          GROWTH_END}},
    {"pieces", "slices joined otherwise, each of the one before",
     .pieces =
         {GROWTH_MAIN,
          "%a$i = stablehlo.slice %v$i [1:4] : ($V) -> tensor<3xf32>\n%b$i = stablehlo.slice %x [$m:$k] : ($V) -> "
          "tensor<1xf32>\n"
          "%v$j = stablehlo.concatenate %a$i, %b$i, dim = 0 : (tensor<3xf32>, tensor<1xf32>) -> $V\n",
          GROWTH_END}},
    {"updates", "pieces of an array replaced in place",
     .pieces =
         {"func.func @main(%p: $I, %x: tensor<1000xf32>, %u: $V) -> tensor<1000xf32> {\n%v0 = stablehlo.sine %x : "
          "tensor<1000xf32>\n",
          "%v$j = stablehlo.dynamic_update_slice %v$i, %u, %p : (tensor<1000xf32>, $V, $I) -> tensor<1000xf32>\n",
          "return %v$n : tensor<1000xf32>\n}\n"}},
    {"sorts", "sorts, each of the one before",
     .pieces =
         {GROWTH_MAIN,
          "%s$i = \"stablehlo.sort\"(%v$i) ({ ^bb0(%f$i: tensor<f32>, %g$i: tensor<f32>): %h$i = stablehlo.compare LT, "
          "%f$i, %g$i : "
          "(tensor<f32>, tensor<f32>) -> tensor<i1> stablehlo.return %h$i : tensor<i1> }) {dimension = 0 : i64, "
          "is_stable "
          "= true} "
          ": ($V) -> $V\n%v$j = stablehlo.multiply %s$i, %x : $V\n",
          GROWTH_END}},
    {"shared", "products in a library, each of one value and a parameter",
     .pieces = {"func.func @main(%x: " GROWTH_MATRIX ") -> " GROWTH_MATRIX " {\n%v = stablehlo.sine %x : " GROWTH_MATRIX
                "\n%v0 = stablehlo.cosine %x : " GROWTH_MATRIX "\n",
                "%p$i = stablehlo.dot_general %v, %v$i, contracting_dims = [1] x [0] : (" GROWTH_MATRIX
                ", " GROWTH_MATRIX ") -> " GROWTH_MATRIX "\n%v$j = stablehlo.add %p$i, %v : " GROWTH_MATRIX "\n",
                "return %v$n : " GROWTH_MATRIX "\n}\n"}},
    {"operands", "one concatenation of n values",
     .pieces = {"func.func @main(%y: tensor<$nx4xf32>) -> tensor<$nx4xf32> {\n",
                "%a$i = stablehlo.slice %y [$r:$d, 0:4] : (tensor<$nx4xf32>) -> tensor<1x4xf32>\n%v$i = "
                "stablehlo.multiply %a$i, "
                "%a$i : tensor<1x4xf32>\n",
                "%z = stablehlo.concatenate ", "$,%v$i", ", dim = 0 : (", "$,tensor<1x4xf32>",
                ") -> tensor<$nx4xf32>\nreturn %z : tensor<$nx4xf32>\n}\n"},
     .apart = true},

    {"cases", "case, each of the one before",
     .pieces = {GROWTH_MAIN, "%v$j = \"stablehlo.case\"(%p) " GROWTH_BRANCHES("%v$i") " : ($I) -> $V\n", GROWTH_END}},
    {"cases_apart", "case, each of another argument's piece, joined by a tree",
     .pieces = {"func.func @main(%p: $I, %x: $V, %y: tensor<$nx4xf32>) -> $V {\n",
                GROWTH_PIECE("%b$i") "%v$i = \"stablehlo.case\"(%p) " GROWTH_BRANCHES("%b$i") " : ($I) -> $V\n", "",
                GROWTH_TREE},
     .apart = true},
    {"cases_kept", "case of products in a library, which remain steps",
     .pieces = {"func.func @main(%p: $I, %x: " GROWTH_MATRIX ") -> " GROWTH_MATRIX
                " {\n%v0 = stablehlo.sine %x : " GROWTH_MATRIX "\n",
                "%v$j = \"stablehlo.case\"(%p) ({ %s$i = " GROWTH_PRODUCT(
                    "%v$i") " stablehlo.return %s$i : " GROWTH_MATRIX " }, { "
                            "%t$i = stablehlo.add %v$i, %x : " GROWTH_MATRIX " stablehlo.return %t$i : " GROWTH_MATRIX
                            " }) : ($I) -> " GROWTH_MATRIX "\n",
                "return %v$n : " GROWTH_MATRIX "\n}\n"}},
    {"ifs", "if, each of the one before",
     .pieces = {"func.func @main(%p: tensor<i1>, %x: $V) -> $V {\n%v0 = stablehlo.sine %x : $V\n",
                "%v$j = \"stablehlo.if\"(%p) " GROWTH_BRANCHES("%v$i") " : (tensor<i1>) -> $V\n", GROWTH_END}},
    {"whiles", "while, each of the one before",
     .pieces = {"func.func @main(%x: $V) -> $V {\n" GROWTH_COUNT
                "%v0:2 = stablehlo.optimization_barrier %zero, %x : $I, $V\n",
                GROWTH_ROUNDS("%v$j", "%v$i#1"), "return %v$n#1 : $V\n}\n"}},
    {"whiles_apart", "while, each of another argument's piece, joined by a tree",
     .pieces = {"func.func @main(%x: $V, %y: tensor<$nx4xf32>) -> $V {\n" GROWTH_COUNT,
                GROWTH_PIECE("%b$i") GROWTH_ROUNDS("%w$c", "%b$i") "%v$i = stablehlo.add %w$c#1, %b$i : $V\n", "",
                GROWTH_TREE},
     .apart = true},
    {"whiles_kept", "while around a product in a library, which remains a step",
     .pieces = {"func.func @main(%x: " GROWTH_MATRIX ") -> " GROWTH_MATRIX " {\n" GROWTH_COUNT
                "%v0:2 = stablehlo.optimization_barrier %zero, %x : $I, " GROWTH_MATRIX "\n",
                "%v$j:2 = stablehlo.while(%i$i = %zero, %w$i = %v$i#1) : $I, " GROWTH_MATRIX " cond { "
                "%c$i = stablehlo.compare LT, %i$i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c$i : tensor<i1> "
                "} do { "
                "%n$i = stablehlo.add %i$i, %one : $I %s$i = " GROWTH_PRODUCT(
                    "%w$i") " stablehlo.return %n$i, %s$i : $I, " GROWTH_MATRIX " }\n",
                "return %v$n#1 : " GROWTH_MATRIX "\n}\n"}},
    {"calls", "call of one function, each of the one before",
     .pieces = {"func.func private @f(%a: $V, %b: $V) -> $V {\n%c = stablehlo.add %a, %b : $V\n%d = stablehlo.multiply "
                "%c, %b : "
                "$V\nreturn %d "
                ": $V\n}\n" GROWTH_MAIN,
                "%v$j = func.call @f(%v$i, %x) : ($V, $V) -> $V\n", GROWTH_END}},
    {
        "functions",
        "call of a function of its own, each of the one before",
        .pieces = {GROWTH_MAIN, "%v$j = func.call @f$i(%v$i, %x) : ($V, $V) -> $V\n", GROWTH_END,
                   "func.func private @f$i(%a: $V, %b: $V) -> $V {\n%c = stablehlo.add %a, %b : $V\n%d = "
                   "stablehlo.multiply %c, "
                   "%b : $V\nreturn %d : $V\n}\n",
                   ""},
    },
    {"levels", "call of a function that calls one that ...",
     .pieces = {"func.func private @f0(%a: $V) -> $V {\n%c = stablehlo.add %a, %a : $V\nreturn %c : $V\n}\n",
                "func.func private @f$j(%a: $V) -> $V {\n%c = func.call @f$i(%a) : ($V) -> $V\n%d = "
                "stablehlo.multiply %c, %a : $V\nreturn %d : $V\n}\n",
                "func.func @main(%x: $V) -> $V {\n%y = func.call @f$n(%x) : ($V) -> $V\nreturn %y : $V\n}\n"}},
    {"cases_large", "case, each of the one before and one large parameter",
     .pieces = {"func.func @main(%p: $I, %x: " GROWTH_LARGE ") -> " GROWTH_LARGE
                "{\n%v0 = stablehlo.sine %x : " GROWTH_LARGE "\n",
                "%v$j = \"stablehlo.case\"(%p) ({ %s$i = stablehlo.multiply %v$i, %x : " GROWTH_LARGE
                " stablehlo.return %s$i : " GROWTH_LARGE " }, { %t$i = stablehlo.add %v$i, %x : " GROWTH_LARGE
                " stablehlo.return %t$i : " GROWTH_LARGE " }) : ($I) -> " GROWTH_LARGE "\n",
                "return %v$n : " GROWTH_LARGE "\n}\n"}},
    {"nested", "case in case in case in case, each of the one before",
     .pieces =
         {GROWTH_MAIN,
          "%v$j = \"stablehlo.case\"(%p) ({ %d$i = \"stablehlo.case\"(%p) ({ %e$i = \"stablehlo.case\"(%p) ({ %f$i = "
          "\"stablehlo.case\"(%p) " GROWTH_BRANCHES(
              "%v$i") " : ($I) -> $V stablehlo.return %f$i : $V }) : ($I) -> $V stablehlo.return %e$i : $V }, "
                      "{ stablehlo.return %x : $V }) : ($I) -> $V stablehlo.return %d$i : $V }, { stablehlo.return "
                      "%v$i : "
                      "$V }) : ($I) -> $V\n",
          GROWTH_END}},
    {"deep", "case in case in ...",
     .pieces = {GROWTH_MAIN,
                "%w$i = \"stablehlo.case\"(%p) ({ %a$i = stablehlo.multiply %v$i, %x : $V %v$j = stablehlo.add %a$i, "
                "%x : $V\n",
                "stablehlo.return %v$n : $V\n",
                "-}, { %u$i = stablehlo.add %x, %x : $V stablehlo.return %u$i : $V }) : ($I) -> $V stablehlo.return "
                "%w$r : $V\n",
                "}, { stablehlo.return %x : $V }) : ($I) -> $V return %w0 : $V }\n"},
     .most = 90},
    {"branches", "one case of n branches",
     .pieces =
         {"func.func @main(%p: $I, %x: $V) -> $V {\n%y = \"stablehlo.case\"(%p) (",
          "$,{ %q$i = stablehlo.constant dense<$i.0> : $V %s$i = stablehlo.multiply %q$i, %x : $V %t$i = stablehlo.add "
          "%s$i, %x : $V "
          "stablehlo.return %t$i : $V }\n",
          ") : ($I) -> $V\nreturn %y : $V\n}\n"},
     .apart = true},
    {"carried", "one while with n values",
     .pieces = {"func.func @main(%x: $V, %y: tensor<$nx4xf32>) -> $V {\n" GROWTH_COUNT, GROWTH_PIECE("%v$i"),
                "%out:$j = stablehlo.while(%i = %zero", ", %w$i = %v$i", ") : $I", ", $V",
                " cond { %c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c : "
                "tensor<i1> } do { "
                "%e = stablehlo.add %i, %one : $I\n",
                "-%s$i = stablehlo.multiply %w$i, %w$j : $V\n",
                "%s$l = stablehlo.multiply %w$l, %w0 : $V\nstablehlo.return %e", ", %s$i", " : $I", ", $V", "}\n", "",
                "return %out#$n : $V\n}\n"},
     .apart = true},
    {"outcomes", "one case with n results",
     .pieces = {"func.func @main(%p: $I, %x: $V, %y: tensor<$nx4xf32>) -> (",
                "$,$V",
                ") {\n",
                GROWTH_PIECE("%u$i"),
                "%out:$n = \"stablehlo.case\"(%p) ({ ",
                "%s$i = stablehlo.multiply %u$i, %x : $V\n",
                "stablehlo.return ",
                "$,%s$i",
                " : ",
                "$,$V",
                " }, { stablehlo.return ",
                "$,%u$i",
                " : ",
                "$,$V",
                "}) : ($I) -> (",
                "$,$V",
                ")\nreturn ",
                "$,%out#$i",
                " : ",
                "$,$V",
                "\n}\n"},
     .apart = true},
    {"carried_kept", "one while with n values around a product in a library, which remains a step",
     .pieces = {"func.func @main(%m: " GROWTH_MATRIX, ", %p$i: $V",
                ") -> ($V, " GROWTH_MATRIX ") {\n" GROWTH_COUNT "%out:$o = stablehlo.while(%i = %zero, %k = %m",
                ", %w$i = %p$i", ") : $I, " GROWTH_MATRIX, ", $V",
                " cond { %c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c : "
                "tensor<i1> } do { %e = stablehlo.add %i, %one : $I\n%l = stablehlo.dot_general %k, %k, "
                "contracting_dims = [1] x [0] : (" GROWTH_MATRIX ", " GROWTH_MATRIX ") -> " GROWTH_MATRIX "\n",
                "-%s$i = stablehlo.multiply %w$i, %w$j : $V\n",
                "%s$l = stablehlo.multiply %w$l, %w0 : $V\nstablehlo.return %e, %l", ", %s$i", " : $I, " GROWTH_MATRIX,
                ", $V", "}\n", "", "return %out#$j, %out#1 : $V, " GROWTH_MATRIX "\n}\n"}},
    {"turned", "one while that turns n values around a product in a library",
     .pieces = {"func.func @main(%m: " GROWTH_MATRIX, ", %p$i: $V",
                ") -> ($V, " GROWTH_MATRIX ") {\n" GROWTH_COUNT "%out:$o = stablehlo.while(%i = %zero, %k = %m",
                ", %w$i = %p$i", ") : $I, " GROWTH_MATRIX, ", $V",
                " cond { %c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c : "
                "tensor<i1> } do { %e = stablehlo.add %i, %one : $I\n%l = stablehlo.dot_general %k, %k, "
                "contracting_dims = [1] x [0] : (" GROWTH_MATRIX ", " GROWTH_MATRIX ") -> " GROWTH_MATRIX
                "\nstablehlo.return %e, %l",
                "-, %w$j", ", %w0 : $I, " GROWTH_MATRIX, ", $V", "}\n", "",
                "return %out#$j, %out#1 : $V, " GROWTH_MATRIX "\n}\n"}},
    {"made_large", "one while with n matrices, each made anew of itself and its neighbour",
     .pieces = {"func.func @main(%m: " GROWTH_MATRIX, ", %p$i: " GROWTH_MATRIX,
                ") -> " GROWTH_MATRIX " {\n" GROWTH_COUNT "%out:$o = stablehlo.while(%i = %zero, %k = %m",
                ", %w$i = %p$i", ") : $I, " GROWTH_MATRIX, ", " GROWTH_MATRIX,
                " cond { %c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c : "
                "tensor<i1> } do { %e = stablehlo.add %i, %one : $I\n%l = stablehlo.add %k, %w0 : " GROWTH_MATRIX "\n",
                "%s$i = stablehlo.multiply %w$i, %k : " GROWTH_MATRIX "\n", "stablehlo.return %e, %l", ", %s$i",
                " : $I, " GROWTH_MATRIX, ", " GROWTH_MATRIX, "}\n", "", "return %out#1 : " GROWTH_MATRIX "\n}\n"}},
    {"unchanged", "one while that hands on n values and adds them",
     .pieces = {"func.func @main(%x: $V", ", %p$i: $V",
                ") -> $V {\n" GROWTH_COUNT "%out:$o = stablehlo.while(%i = %zero, %a0 = %x", ", %w$i = %p$i",
                ") : $I, $V", ", $V",
                " cond { %c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> stablehlo.return %c : "
                "tensor<i1> } do { %e = stablehlo.add %i, %one : $I\n",
                "%a$j = stablehlo.add %a$i, %w$i : $V\n", "stablehlo.return %e, %a$n", ", %w$i", " : $I, $V", ", $V",
                "}\n", "", "return %out#1 : $V\n}\n"}},
    {"body", "one while with n operations in its body",
     .pieces = {"func.func @main(%x: $V) -> $V {\n" GROWTH_COUNT
                "%y:2 = stablehlo.while(%i = %zero, %v0 = %x) : $I, $V cond { "
                "%c = stablehlo.compare LT, %i, %three : ($I, $I) -> tensor<i1> "
                "stablehlo.return %c : tensor<i1> } do { %e = stablehlo.add %i, %one : $I\n",
                "%s$i = stablehlo.add %v$i, %x : $V %v$j = stablehlo.multiply %s$i, %x : $V\n",
                "stablehlo.return %e, %v$n : $I, $V }\nreturn %y#1 : $V\n}\n"},
     .apart = true},

    {"params", "n parameters, added",
     .pieces = {"func.func @main(", "$,%p$i: $V", ") -> $V {\n%v0 = stablehlo.sine %p0 : $V\n",
                "%v$j = stablehlo.add %v$i, %p$i : $V\n", GROWTH_END}},
    {"results", "elementwise, each of the one before and a result",
     .pieces = {"func.func @main(%x: $V) -> (", "$,$V", ") {\n%v0 = stablehlo.sine %x : $V\n",
                "%v$j = stablehlo.add %v$i, %x : $V\n", "return ", "$,%v$j", " : ", "$,$V", "\n}\n"}},
    {"results_apart", "n results, each of another piece of the argument",
     .pieces = {"func.func @main(%x: $V, %y: tensor<$nx4xf32>) -> (", "$,$V", ") {\n",
                GROWTH_PIECE("%u$i") "%v$i = stablehlo.add %u$i, %x : $V\n", "return ", "$,%v$i", " : ", "$,$V",
                "\n}\n"},
     .apart = true},
    {"through", "n parameters that are results",
     .pieces = {"func.func @main(", "$,%p$i: $V", ") -> (", "$,$V", ") {\nreturn ", "$,%p$i", " : ", "$,$V", "\n}\n"}},
    {"donated", "n donated parameters, each made a result by an operation",
     .pieces = {"func.func @main(", "$,%p$i: $V {tf.aliasing_output = $i : i32}", ") -> (", "$,$V", ") {\n",
                "%v$i = stablehlo.add %p$i, %p$i : $V\n", "return ", "$,%v$i", " : ", "$,$V", "\n}\n"}},
    {"norms", "n parameters, each divided by the sum of all their squares",
     .pieces =
         {"func.func @main(", "$,%p$i: $V", ") -> (", "$,$V", ") {\n%z = stablehlo.constant dense<0.0> : tensor<f32>\n",
          "%e$i = stablehlo.sine %p$i : $V\n%f$i = stablehlo.multiply %e$i, %e$i : $V\n"
          "%s$i = stablehlo.reduce(%f$i init: %z) applies stablehlo.add across dimensions = [0] : ($V, "
          "tensor<f32>) -> tensor<f32>\n%t$i = stablehlo.reshape %s$i : (tensor<f32>) -> tensor<1xf32>\n",
          "%all = stablehlo.concatenate ", "$,%t$i", ", dim = 0 : (", "$,tensor<1xf32>",
          ") -> tensor<$nxf32>\n%norm = stablehlo.reduce(%all init: %z) applies stablehlo.add across dimensions "
          "= [0] : (tensor<$nxf32>, tensor<f32>) -> tensor<f32>\n%b = stablehlo.broadcast_in_dim %norm, dims = [] "
          ": (tensor<f32>) -> $V\n",
          "%q$i = stablehlo.divide %e$i, %b : $V\n", "return ", "$,%q$i", " : ", "$,$V", "\n}\n"},
     .apart = true},
    {"joined", "one concatenation of n parameters",
     .pieces = {"func.func @main(", "$,%p$i: $V", ") -> tensor<$wxf32> {\n%z = stablehlo.concatenate ", "$,%p$i",
                ", dim = 0 : (", "$,$V", ") -> tensor<$wxf32>\nreturn %z : tensor<$wxf32>\n}\n"},
     .apart = true},
    {"barrier", "one barrier for n parameters, which are added",
     .pieces = {"func.func @main(%p: $V", ", %p$i: $V",
                ") -> $V {\n%v0 = stablehlo.sine %p : $V\n%w:$n = "
                "stablehlo.optimization_barrier ",
                "$,%p$i", " : ", "$,$V", "\n", "%v$j = stablehlo.add %v$i, %w#$i : $V\n", GROWTH_END}},
    {"constants", "n arrays of constants, added",
     .pieces = {GROWTH_MAIN,
                "%q$i = stablehlo.constant dense<[$i.0, $j.0, 2.0, 3.0]> : $V\n%v$j = stablehlo.add %v$i, %q$i : $V\n",
                GROWTH_END}},
    {"numbers", "n numbers, added",
     .pieces = {GROWTH_MAIN, "%q$i = stablehlo.constant dense<$i.5> : $V\n%v$j = stablehlo.add %v$i, %q$i : $V\n",
                GROWTH_END}},
};

static int growth_devices = 1;

static int growth_number(char what, int n, int i) {
  switch (what) {
  case 'D': return growth_devices;
  case 'P': return 2048 / growth_devices;
  case 'S': return 256 * growth_devices;
  case 'i': return i;
  case 'j': return i + 1;
  case 'n': return n;
  case 'l': return n - 1;
  case 'r': return n - 1 - i;
  case 'a': return 2 * i;
  case 'b': return 2 * i + 1;
  case 'c': return n + i;
  case 'd': return n - i;
  case 'z': return 2 * n - 2;
  case 'w': return 4 * n;
  case 'o': return n + 2;
  case 'm': return i % 4;
  default: return i % 4 + 1;
  }
}

static void growth_put(mr_text *text, const char *piece, int n, int i) {
  for (;;) {
    const char *dollar = strchr(piece, '$');
    mr_text_append(text, (mr_str){piece, dollar ? (size_t)(dollar - piece) : strlen(piece)});
    if (!dollar) {
      return;
    }
    piece = dollar + 2;
    switch (dollar[1]) {
    case 'V': mr_text_append(text, MR_STR("tensor<4xf32>")); break;
    case 'I': mr_text_append(text, MR_STR("tensor<i32>")); break;
    case ',': mr_text_append(text, i ? MR_STR(", ") : MR_STR("")); break;
    default: mr_text_put(text, "%d", growth_number(dollar[1], n, i));
    }
  }
}

static inline void growth_write(const growth_form *form, int n, mr_text *text) {
  for (size_t k = 0; k < MR_ARRAY_SIZE(form->pieces) && form->pieces[k]; k++) {
    const char *piece = form->pieces[k];
    bool fewer = piece[0] == '-';
    for (int i = 0; k % 2 && i < n - fewer; i++) {
      growth_put(text, piece + fewer, n, i);
    }
    if (k % 2 == 0) {
      growth_put(text, piece, n, n);
    }
  }
}

#endif
