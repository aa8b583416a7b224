// Programs meant to hurt: each gets a status, in bounded time and memory. A child process compiles each of them, with limits
// on its memory, its processor time and its stack; it must come back by itself and say one of the codes that are allowed.
#include "tests/cmocka.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/compiler.h"

enum { FINE = 1, INVALID = 2, MISSING = 4, TOO_MUCH = 8 };  // what the child may answer
enum { MILLION = 1000000 };

// A program of `times` copies of a unit between two other texts, and as many of a second unit between two more. In units {i}
// is the number of the copy and {j} one less; the second unit's numbers fall.
typedef struct hostile {
  const char *name;
  unsigned allowed;
  uint32_t times;
  const char *head, *unit, *middle, *back_unit, *tail;
} hostile;

#define MAIN(args, res) "func.func public @main(" args ") -> " res " {\n"
#define F4 "tensor<4xf32>"
#define ONE MAIN("%x: " F4, F4)
#define NEGATE "%r = stablehlo.negate %x "
#define RETURN " : " F4 "\n return %r : " F4 "\n}\n"
#define WINDOW(dims, strides, base, dilations, pads)                                                        \
  ONE "%i = stablehlo.constant dense<0.0> : tensor<f32>\n %r = \"stablehlo.reduce_window\"(%x, %i) ({\n"    \
      "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n %s = stablehlo.add %a, %b : tensor<f32>\n"                 \
      " stablehlo.return %s : tensor<f32>\n}) {window_dimensions = array<i64: " dims                        \
      ">, window_strides = array<i64: " strides ">, base_dilations = array<i64: " base                      \
      ">, window_dilations = array<i64: " dilations ">, padding = " pads "} : (" F4 ", tensor<f32>) -> " F4 \
      "\n return %r : " F4 "\n}\n"
#define PADS(low, high) "dense<[[" low ", " high "]]> : tensor<1x2xi64>"
#define CONV(window)                                                                                            \
  MAIN("%x: tensor<1x1x4xf32>, %k: tensor<1x1x1xf32>", "tensor<1x1x4xf32>")                                     \
  "%r = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {" window          \
  "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> " \
  "tensor<1x1x4xf32>\n return %r : tensor<1x1x4xf32>\n}\n"
#define BIG "4611686018427387904"
#define LARGEST "9223372036854775807"

// What a line does not give is NULL.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
static const hostile texts[] = {
    // Sizes that are not so.
    {"fewer elements than the type has", INVALID, .head = ONE "%r = stablehlo.constant dense<[1.0, 2.0]>" RETURN},
    {"a string longer than the type", INVALID,
     .head = ONE "%r = stablehlo.constant dense<\"0x0102030405060708\">" RETURN},
    {"2^62 elements", INVALID,
     .head = MAIN("%x: tensor<" BIG "xf32>", "tensor<" BIG "xf32>") "return %x : tensor<" BIG "xf32>\n}"},
    {"sizes whose product wraps", INVALID,
     .head = MAIN("%x: tensor<4294967296x4294967296xi8>", "tensor<i8>") "return %x : tensor<i8>\n}"},
    {"a size of thirty digits", INVALID,
     .head = MAIN("%x: tensor<999999999999999999999999999999xi8>", "tensor<i8>") "return %x : tensor<i8>\n}"},
    {"rank of a million", INVALID, MILLION, "func.func @main(%x: tensor<", "1x", "f32>) {\n return\n}"},
    {"2^62 results of one name", INVALID, .head = ONE "%r:" BIG " = stablehlo.negate %x" RETURN},
    {"indices that wrap", INVALID,
     .head = MAIN("%x: tensor<" BIG "xi8>", "tensor<4xi8>") "%r = stablehlo.concatenate %x, %x, dim = 0 : (tensor<" BIG
                                                            "xi8>, tensor<" BIG
                                                            "xi8>) -> tensor<4xi8>\n return %r : tensor<4xi8>\n}"},
    // Circles and explosions.
    {"a function that calls itself", INVALID,
     .head = MAIN("%x: tensor<f32>",
                  "tensor<f32>") "%r = call @main(%x) : (tensor<f32>) -> tensor<f32>\n return %r : tensor<f32>\n}"},
    {"two that call each other", INVALID,
     .head = MAIN("%x: tensor<f32>",
                  "tensor<f32>") "%r = call @b(%x) : (tensor<f32>) -> tensor<f32>\n return %r : "
                                 "tensor<f32>\n}\nfunc.func private @b(%x: tensor<f32>) -> tensor<f32> {\n%r = call "
                                 "@main(%x) : (tensor<f32>) -> tensor<f32>\n return %r : tensor<f32>\n}"},
    {"a composite that is its own decomposition", INVALID,
     .head = MAIN("%x: tensor<f32>", "tensor<f32>") "%r = stablehlo.composite \"a.b\" %x {decomposition = @main} : "
                                                    "(tensor<f32>) -> tensor<f32>\n return %r : tensor<f32>\n}"},
    {"sixty functions that double", TOO_MUCH, 60,
     MAIN("%x: tensor<f32>", "tensor<f32>") "%r = call @f0(%x) : (tensor<f32>) -> tensor<f32>\n return %r : "
                                            "tensor<f32>\n}\nfunc.func private @f60(%x: tensor<f32>) -> tensor<f32> "
                                            "{\n%r = stablehlo.sine %x : tensor<f32>\n return %r : tensor<f32>\n}\n",
     "func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {\n%a = call @f{k}(%x) : (tensor<f32>) -> "
     "tensor<f32>\n%r = call @f{k}(%a) : (tensor<f32>) -> tensor<f32>\n return %r : tensor<f32>\n}\n",
     ""},
    {"twenty thousand functions in a row", FINE | TOO_MUCH | MISSING, 20000,
     MAIN("%x: tensor<f32>",
          "tensor<f32>") "%r = call @f0(%x) : (tensor<f32>) -> tensor<f32>\n return %r : tensor<f32>\n}\nfunc.func "
                         "private @f20000(%x: tensor<f32>) -> tensor<f32> {\n return %x : tensor<f32>\n}\n",
     "func.func private @f{i}(%x: tensor<f32>) -> tensor<f32> {\n%r = call @f{k}(%x) : (tensor<f32>) -> tensor<f32>\n "
     "return %r : tensor<f32>\n}\n",
     ""},
    {"aliases of types that double", INVALID, 60, "!t0 = tuple<tensor<f32>, tensor<f32>>\n",
     "!t{k} = tuple<!t{i}, !t{i}>\n", "func.func public @main(%x: !t60) {\n return\n}"},
    {"aliases of attributes that double", INVALID, 60, "#a0 = [1, 1]\n", "#a{k} = [#a{i}, #a{i}]\n",
     ONE NEGATE "{a = #a60}" RETURN},
    {"aliases in a circle", INVALID, .head = "!a = !b\n!b = !a\nfunc.func public @main(%x: !a) {\n return\n}"},
    // A million deep.
    {"regions", INVALID, MILLION, MAIN("%x: tensor<i32>", "tensor<i32>"), " %r = \"stablehlo.case\"(%x) ({\n", ""},
    {"regions that end", INVALID | MISSING, 3000, MAIN("%x: tensor<i32>", "tensor<i32>"),
     "%r{i} = \"stablehlo.case\"(%x) ({\n", "stablehlo.return %x : tensor<i32>\n",
     "}) : (tensor<i32>) -> tensor<i32>\n stablehlo.return %r{i} : tensor<i32>\n", "}"},
    {"types", INVALID, MILLION, "func.func @main(%x: ", "tuple<", "tensor<f32>", ">", ") {\n return\n}"},
    {"function types", INVALID, MILLION, "func.func @main(%x: ", "(", ""},
    {"lists", INVALID, MILLION, ONE NEGATE "{a = ", "[", "", "]", "}" RETURN},
    {"dictionaries", INVALID, MILLION, ONE NEGATE "{a = ", "{a = ", "1", "}", "}" RETURN},
    {"brackets of a constant", INVALID, MILLION, ONE "%r = stablehlo.constant dense<", "[", "1.0", "]", ">" RETURN},
    {"call sites of a location", FINE | INVALID, MILLION, ONE NEGATE ": " F4 " loc(", "callsite(\"a\" at ", "\"a\"",
     ")", ")\n return %r : " F4 "\n}"},
    {"fused locations", FINE | INVALID, MILLION, ONE NEGATE ": " F4 " loc(", "fused[", "\"a\"", "]",
     ")\n return %r : " F4 "\n}"},
    {"modules", INVALID | MISSING, MILLION, "", "module {", ""},
    {"braces", INVALID, MILLION, "", "{", ""},
    {"angles", INVALID, MILLION, "", "<", ""},
    {"quotes", INVALID, MILLION, "", "\"", ""},
    {"digits", INVALID, MILLION, ONE "%r = stablehlo.constant dense<1.", "9", ">" RETURN},
    // Many.
    {"attributes of one op", INVALID, 200000, ONE NEGATE "{b = 1", ", a{i} = 1", "}" RETURN},
    {"functions", FINE, 50000, ONE NEGATE RETURN, "func.func private @f{i}() {\n return\n}\n", ""},
    {"ops in a chain", FINE | TOO_MUCH, 50000, ONE "%s0 = stablehlo.negate %x : " F4 "\n",
     "%s{k} = stablehlo.add %s{i}, %x : " F4 "\n", "%r = stablehlo.negate %s50000" RETURN},
    {"uses that double", FINE | TOO_MUCH, 3000, ONE "%s0 = stablehlo.sine %x : " F4 "\n",
     "%s{k} = stablehlo.multiply %s{i}, %s{i} : " F4 "\n", "%r = stablehlo.negate %s3000" RETURN},
    {"functions of a reduction's region", FINE | TOO_MUCH | MISSING, 400,
     ONE "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%q = \"stablehlo.reduce\"(%x, %z) ({\n^bb0(%a: "
         "tensor<f32>, %b: tensor<f32>):\n%s0 = stablehlo.add %a, %b : tensor<f32>\n",
     "%s{k} = stablehlo.sine %s{i} : tensor<f32>\n",
     "stablehlo.return %s400 : tensor<f32>\n}) {dimensions = array<i64: 0>} : (" F4
     ", tensor<f32>) -> tensor<f32>\n%r = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> " F4
     "\n return %r : " F4 "\n}"},
    // Absurd attributes.
    {"a window of 2^62", INVALID, .head = WINDOW(BIG, "1", "1", "1", PADS(BIG, BIG))},
    {"a window of -5", INVALID, .head = WINDOW("-5", "1", "1", "1", PADS("0", "0"))},
    {"no stride", INVALID, .head = WINDOW("1", "0", "1", "1", PADS("0", "0"))},
    {"dilations of 2^62", INVALID, .head = WINDOW("2", "1", BIG, BIG, PADS("0", "0"))},
    {"padding that wraps", INVALID, .head = WINDOW("1", "1", "1", "1", PADS(LARGEST, LARGEST))},
    {"padding that takes everything", INVALID, .head = WINDOW("1", "1", "1", "1", PADS("-" BIG, "-" BIG))},
    {"padding of 2^31 dimensions", INVALID, .head = WINDOW("1", "1", "1", "1", "dense<0> : tensor<2147483648x2xi64>")},
    {"a convolution padded by 2^62", INVALID, .head = CONV("stride = [1], pad = [[" BIG ", " BIG "]]")},
    {"a convolution padded here and cut there", FINE | INVALID,
     .head = CONV("stride = [1], pad = [[-" BIG ", " BIG "]]")},
    {"a convolution dilated by 2^61", INVALID,
     .head = CONV("stride = [1], pad = [[0, 0]], lhs_dilate = [2305843009213693952]")},
    {"a convolution without stride", INVALID, .head = CONV("stride = [0], pad = [[0, 0]]")},
    {"interior padding of 2^62", INVALID,
     .head = ONE "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%r = stablehlo.pad %x, %z, low = [0], high = [0], "
                 "interior = [" BIG "] : (" F4 ", tensor<f32>) -> " F4 "\n return %r : " F4 "\n}"},
    {"a slice up to 2^62", INVALID,
     .head = ONE "%r = stablehlo.slice %x [0:" BIG "] : (" F4 ") -> " F4 "\n return %r : " F4 "\n}"},
    {"a transform of length 2^42", FINE | MISSING | TOO_MUCH,
     .head = MAIN("%x: tensor<4398046511104xcomplex<f32>>",
                  "tensor<4398046511104xcomplex<f32>>") "%r = stablehlo.fft %x, type = FFT, length = [4398046511104] : "
                                                        "(tensor<4398046511104xcomplex<f32>>) -> "
                                                        "tensor<4398046511104xcomplex<f32>>\n return %r : "
                                                        "tensor<4398046511104xcomplex<f32>>\n}"},
    {"2^44 equal elements", FINE | TOO_MUCH,
     .head = MAIN("", "tensor<17592186044416xi8>") "%a = stablehlo.constant dense<1> : tensor<17592186044416xi8>\n%r = "
                                                   "stablehlo.add %a, %a : tensor<17592186044416xi8>\n return %r : "
                                                   "tensor<17592186044416xi8>\n}"},
    {"equal elements that are scattered into", FINE | TOO_MUCH | INVALID,
     .head = MAIN(
         "%i: tensor<1xi32>",
         "tensor<8796093022208xf32>") "%a = stablehlo.constant dense<1.0> : tensor<8796093022208xf32>\n%u = "
                                      "stablehlo.constant dense<2.0> : tensor<f32>\n%r = \"stablehlo.scatter\"(%a, %i, "
                                      "%u) ({\n^bb0(%p: tensor<f32>, %q: tensor<f32>):\nstablehlo.return %q : "
                                      "tensor<f32>\n}) {scatter_dimension_numbers = "
                                      "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = "
                                      "[0]>, indices_are_sorted = false, unique_indices = false} : "
                                      "(tensor<8796093022208xf32>, tensor<1xi32>, tensor<f32>) -> "
                                      "tensor<8796093022208xf32>\n return %r : tensor<8796093022208xf32>\n}"},
    {"2^32 copies in a group list", INVALID,
     .head = ONE "%r = \"stablehlo.all_reduce\"(%x) ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\nstablehlo.return %a : "
                 "tensor<f32>\n}) {replica_groups = dense<0> : tensor<1x4294967296xi64>} : (" F4 ") -> " F4
                 "\n return %r : " F4 "\n}"},
    {"2^60 as the scanned dimension", INVALID,
     .head = ONE
     "%i = stablehlo.constant dense<0.0> : tensor<f32>\n%r, %c = chlo.scan(%x) inits(%i) dimension=1152921504606846976 "
     "{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\nstablehlo.return %a, %b : tensor<f32>, tensor<f32>\n} : (" F4
     ", tensor<f32>) -> (" F4 ", tensor<f32>)\n return %r : " F4 "\n}"},
    {"a computed shape of 2^62", INVALID | TOO_MUCH,
     .head = MAIN("", "tensor<i8>") "%s = stablehlo.constant dense<" BIG
                                    "> : tensor<1xi64>\n%d = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> "
                                    "tensor<?xi8>\n%z = stablehlo.constant dense<0> : tensor<i8>\n%r = "
                                    "stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [0] : "
                                    "(tensor<?xi8>, tensor<i8>) -> tensor<i8>\n return %r : tensor<i8>\n}"},
};

// ---- Making the text ----------------------------------------------------------------------------------------------------

static void put_unit(mr_text *text, const char *unit, uint32_t i) {
  for (const char *at = unit; *at;) {
    const char *brace = strstr(at, "{i}"), *other = strstr(at, "{k}");
    const char *next = !brace || (other && other < brace) ? other : brace;
    if (!next) {
      mr_text_append(text, mr_str_of(at));
      return;
    }
    mr_text_append(text, (mr_str){at, (size_t)(next - at)});
    mr_text_put(text, "%u", next[1] == 'i' ? i : i + 1);
    at = next + 3;
  }
}

static mr_text make_text(const hostile *h) {
  mr_text text = {0};
  mr_text_append(&text, mr_str_of(h->head));
  for (uint32_t i = 0; i < h->times; i++) {
    put_unit(&text, h->unit, i);
  }
  if (h->middle) {
    mr_text_append(&text, mr_str_of(h->middle));
  }
  for (uint32_t i = h->times; h->back_unit && i-- > 0;) {
    put_unit(&text, h->back_unit, i);
  }
  if (h->tail) {
    mr_text_append(&text, mr_str_of(h->tail));
  }
  assert_false(text.failed);
  return text;
}

// ---- The child ----------------------------------------------------------------------------------------------------------

static unsigned answer_of(mr_status status) {
  switch (mr_status_code(status)) {
  case MR_OK_CODE: return FINE;
  case MR_INVALID_ARGUMENT_CODE: return INVALID;
  case MR_UNIMPLEMENTED_CODE: return MISSING;
  case MR_RESOURCE_EXHAUSTED_CODE: return TOO_MUCH;
  default: return 64;
  }
}

static void limit(int what, rlim_t value) { (void)setrlimit(what, &(struct rlimit){value, value}); }

static int compile_in_child(mr_span program) {
  limit(RLIMIT_CPU, MR_TEST_SANITIZED ? 200 : 20);
  limit(RLIMIT_CORE, 0);
  if (!MR_TEST_SANITIZED) {
    limit(RLIMIT_AS, (rlim_t)6 << 30);  // the sanitizers reserve terabytes
  }
  mr_executable *e = NULL;
  mr_status status = mr_compile(program, NULL, &e);
  unsigned answer = answer_of(status);
  if (answer == 64) {
    fprintf(stderr, "%s: %s\n", mr_status_code_name(mr_status_code(status)), mr_status_message(status));
  }
  _exit((int)answer);
}

static void expect(const char *name, mr_span program, unsigned allowed) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    compile_in_child(program);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (!WIFEXITED(status)) {
    fail_msg("%s: ended by signal %d", name, WTERMSIG(status));
  }
  if (!(WEXITSTATUS(status) & (int)allowed)) {
    fail_msg("%s: answered %d, wanted of %u", name, WEXITSTATUS(status), allowed);
  }
}

// Text of every kind that is made to cost more than it should.
static void test_hostile_text(void **state) {
  (void)state;
  for (size_t i = 0; i < MR_ARRAY_SIZE(texts); i++) {
    mr_text text = make_text(&texts[i]);
    expect(texts[i].name, (mr_span){text.data, text.size}, texts[i].allowed);
    mr_text_deinit(&text);
  }
}

// The same as artifacts, which MLIR's own writer made.
static void test_hostile_bytecode(void **state) {
  (void)state;
  static const struct {
    const char *file;
    unsigned allowed;
  } files[] = {
      {"call_double", TOO_MUCH},         {"deep_attr", INVALID | MISSING},
      {"deep_loc", FINE | INVALID},      {"deep_regions_900", INVALID | MISSING},
      {"deep_tuple", INVALID | MISSING}, {"huge_dim", INVALID},
      {"loc_bomb", FINE | INVALID},      {"recurse", INVALID},
      {"splat_fold", FINE | TOO_MUCH},   {"window_splat", INVALID | MISSING | FINE},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(files); i++) {
    char path[256], bytes[1 << 16];
    snprintf(path, sizeof path, "tests/compiler/hostile/%s.mlirbc", files[i].file);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 0);
    expect(files[i].file, (mr_span){bytes, size}, files[i].allowed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_hostile_text), cmocka_unit_test(test_hostile_bytecode)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
