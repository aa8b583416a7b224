// The property table of vhlo.def and the words of StableHLO's enums as data.
#include "compiler/reader/normalize.h"

#include <assert.h>
#include <string.h>

// ---- Properties ----------------------------------------------------------------------------------------------------

// One array per line of the table, named by op and first version.
#define P(key, want, fallback) {MR_ATTR_##key, MR_WANT_##want, fallback}
#define STORED(op, first, last, ...) static const mr_prop props_##op##_##first[] = {__VA_ARGS__};
#include "compiler/reader/vhlo.def"

static const mr_props props_table[] = {
#define P(key, want, fallback)
#define STORED(op, first, last, ...) \
  {MR_OP_##op, first, last, props_##op##_##first, MR_ARRAY_SIZE(props_##op##_##first)},
#include "compiler/reader/vhlo.def"
};

// The column of ops.def and vhlo.def agree: what is LISTED has a newest line, and there are no others.
enum {
#define P(key, want, fallback)
#define STORED(op, first, last, ...) line_of_##op##_to_##last,
#include "compiler/reader/vhlo.def"
};
#define COUNT_LISTED(op) +(line_of_##op##_to_99 >= 0)
#define COUNT_NOTHING(op) +0
#define TO_99 +1
#define TO_1 +0
enum {
  LISTED_OPS = 0
#define OP(name, spelling, operands, results, class, rule, regions, types, cost, code, hlo, effect, fold, simplify, \
           rewrite, complex, element, root, fusion, library, places, stored, ...)                                   \
  COUNT_##stored(name)
#include "ops/ops.def"
  ,
  NEWEST_LINES = 0
#define P(key, want, fallback)
#define STORED(op, first, last, ...) TO_##last
#include "compiler/reader/vhlo.def"
};
static_assert(LISTED_OPS == NEWEST_LINES, "vhlo.def lists attributes of an op that stores NOTHING by ops.def");

const mr_props *mr_props_find(mr_op_kind kind, int version) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(props_table); i++) {
    const mr_props *line = &props_table[i];
    if (line->kind == kind && line->first <= version && version <= line->last) {
      return line;
    }
  }
  return NULL;
}

const mr_props *mr_props_newest(mr_op_kind kind) { return mr_props_find(kind, 99); }

bool mr_vhlo_split(mr_str spelling, mr_str *out_name, int *out_version) {
  size_t at = spelling.size;
  int version = 0, scale = 1;
  while (at > 0 && spelling.data[at - 1] >= '0' && spelling.data[at - 1] <= '9' && scale < 10000) {
    version += (spelling.data[--at] - '0') * scale;
    scale *= 10;
  }
  if (scale == 1 || at < 3 || spelling.data[at - 1] != 'v' || spelling.data[at - 2] != '_') {
    return false;
  }
  *out_name = (mr_str){spelling.data, at - 2};
  *out_version = version;
  return true;
}

mr_op_kind mr_vhlo_kind(mr_str name) {
  char spelling[80];
  static const char prefix[] = "stablehlo.";
  size_t skip = sizeof prefix - 1;
  if (mr_str_is(name, "call")) {
    return MR_OP_call;
  }
  if (name.size + skip > sizeof spelling) {
    return MR_OP_COUNT;
  }
  memcpy(spelling, prefix, skip);
  memcpy(spelling + skip, name.data, name.size);
  return mr_op_kind_from_spelling((mr_str){spelling, skip + name.size});
}

// ---- Enums ---------------------------------------------------------------------------------------------------------

typedef struct enum_word {
  mr_attr_key key;
  const char *word;
  int number;
} enum_word;

// Numbers as artifacts store them.
static const enum_word enum_words[] = {
    {MR_ATTR_comparison_direction, "EQ", 0},
    {MR_ATTR_comparison_direction, "NE", 1},
    {MR_ATTR_comparison_direction, "GE", 2},
    {MR_ATTR_comparison_direction, "GT", 3},
    {MR_ATTR_comparison_direction, "LE", 4},
    {MR_ATTR_comparison_direction, "LT", 5},
    {MR_ATTR_compare_type, "NOTYPE", 0},
    {MR_ATTR_compare_type, "FLOAT", 1},
    {MR_ATTR_compare_type, "TOTALORDER", 2},
    {MR_ATTR_compare_type, "SIGNED", 3},
    {MR_ATTR_compare_type, "UNSIGNED", 4},
    {MR_ATTR_precision_config, "DEFAULT", 0},
    {MR_ATTR_precision_config, "HIGH", 1},
    {MR_ATTR_precision_config, "HIGHEST", 2},
    {MR_ATTR_fft_type, "FFT", 0},
    {MR_ATTR_fft_type, "IFFT", 1},
    {MR_ATTR_fft_type, "RFFT", 2},
    {MR_ATTR_fft_type, "IRFFT", 3},
    {MR_ATTR_transpose_a, "TRANSPOSE_INVALID", 0},
    {MR_ATTR_transpose_a, "NO_TRANSPOSE", 1},
    {MR_ATTR_transpose_a, "TRANSPOSE", 2},
    {MR_ATTR_transpose_a, "ADJOINT", 3},
    {MR_ATTR_rng_algorithm, "DEFAULT", 0},
    {MR_ATTR_rng_algorithm, "THREE_FRY", 1},
    {MR_ATTR_rng_algorithm, "PHILOX", 2},
    {MR_ATTR_rng_distribution, "UNIFORM", 1},
    {MR_ATTR_rng_distribution, "NORMAL", 2},
    {MR_ATTR_api_version, "API_VERSION_UNSPECIFIED", 0},
    {MR_ATTR_api_version, "API_VERSION_ORIGINAL", 1},
    {MR_ATTR_api_version, "API_VERSION_STATUS_RETURNING", 2},
    {MR_ATTR_api_version, "API_VERSION_STATUS_RETURNING_UNIFIED", 3},
    {MR_ATTR_api_version, "API_VERSION_TYPED_FFI", 4},
    {MR_ATTR_result_accuracy, "DEFAULT", 0},
    {MR_ATTR_result_accuracy, "HIGHEST", 1},
    {MR_ATTR_result_accuracy, "TOLERANCE", 2},
};

bool mr_enum_number(mr_attr_key key, mr_str word, int64_t *out_number) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(enum_words); i++) {
    if (enum_words[i].key == key && mr_str_is(word, enum_words[i].word)) {
      *out_number = enum_words[i].number;
      return true;
    }
  }
  return false;
}

mr_attr_key mr_enum_key(mr_str kind) {
  static const struct {
    const char *kind;
    mr_attr_key key;
  } kinds[] = {
      {"comparison_direction", MR_ATTR_comparison_direction},
      {"comparison_type", MR_ATTR_compare_type},
      {"precision", MR_ATTR_precision_config},
      {"fft_type", MR_ATTR_fft_type},
      {"transpose", MR_ATTR_transpose_a},
      {"rng_distribution", MR_ATTR_rng_distribution},
      {"rng_algorithm", MR_ATTR_rng_algorithm},
      {"custom_call_api_version", MR_ATTR_api_version},
      {"result_accuracy_mode", MR_ATTR_result_accuracy},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(kinds); i++) {
    if (mr_str_is(kind, kinds[i].kind)) {
      return kinds[i].key;
    }
  }
  return MR_ATTR_none;
}
