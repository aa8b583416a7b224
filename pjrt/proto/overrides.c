// Which compile options a user may name in JAX's compiler_options={...}.
#include "pjrt/proto/options.h"

// Options by which people tune XLA mean nothing here and are accepted; of those that are known to be switches, the value
// is checked, so that a slip is noticed.
static const char *const switches[] = {
    "xla_embed_ir_in_executable",     "xla_cpu_enable_fast_math",          "xla_cpu_enable_fast_min_max",
    "xla_cpu_fast_math_honor_nans",   "xla_cpu_fast_math_honor_infs",      "xla_cpu_fast_math_honor_division",
    "xla_cpu_fast_math_honor_functions", "xla_allow_excess_precision",     "xla_dump_hlo_as_text",
    "xla_gpu_deterministic_ops",      "xla_eliminate_hlo_implicit_broadcast",
};
// Fields of the build options that can also be set by name.
static const char *const named_fields[] = {
    "exec_time_optimization_effort", "memory_fitting_effort", "optimization_level", "memory_fitting_level",
};

static bool is_one_of(mr_str name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (mr_str_is(name, list[i])) {
      return true;
    }
  }
  return false;
}

static bool is_bool_text(mr_str text) {
  static const char *const words[] = {"true", "false", "True", "False", "1", "0"};
  return is_one_of(text, words, MR_ARRAY_SIZE(words));
}

static mr_status check_override(const mr_pjrt_override *override) {
  mr_str name = override->key;
  if (!mr_str_starts_with(name, MR_STR("xla_")) && !is_one_of(name, named_fields, MR_ARRAY_SIZE(named_fields))) {
    return mr_error(MR_INVALID_ARGUMENT, "No such compile option: '%.*s'", MR_STR_ARG(name));
  }
  if (override->type == MR_OVERRIDE_STRING && !is_bool_text(override->string) &&
      is_one_of(name, switches, MR_ARRAY_SIZE(switches))) {
    return mr_error(MR_INVALID_ARGUMENT, "compile option '%.*s': '%.*s' is not a valid bool value.", MR_STR_ARG(name),
                    MR_STR_ARG(override->string));
  }
  return MR_OK;
}

mr_status mr_pjrt_options_check(const mr_pjrt_options *options) {
  for (size_t i = 0; i < options->override_count; i++) {
    MR_TRY(check_override(&options->overrides[i]));
  }
  return MR_OK;
}
