// Programs that say their shardings in other forms than Shardy's, and such that only look as if they did.
#include "compiler/shard/import.h"
#include "tests/compiler/pass_text.h"

#define T "tensor<8xf32>"
#define L "tensor<2xf32>"

static mr_code code_of(const char *text) {
  mr_module *module = read_ok(text);
  mr_import *import;
  mr_status status = mr_import_run(module, 4, &import);
  mr_code code = mr_status_code(status);
  mr_status_free(status);
  mr_module_release(module);
  return code;
}

static char *frontend(const char *body) {
  char *text = NULL;
  assert_true(asprintf(&text,
                       "module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = \"{mesh = "
                       "#sdy.mesh<[\\22x\\22=4]>}\"}} {\n"
                       "func.func public @main(%%a: " T ") -> " T " {\n%s}\n"
                       "func.func private @xla.sdy.manual_computation_body(%%a: " L ") -> " L " {\n"
                       "  %%0 = stablehlo.negate %%a : " L "\n  return %%0 : " L "\n}\n}\n",
                       body) > 0);
  return text;
}

#define GIVE                                                                                                        \
  "  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%a) {has_side_effect = true, mhlo.frontend_attributes " \
  "= {xla.sdy.in_shardings = \"#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>\", xla.sdy.manual_axes = "         \
  "\"#sdy<manual_axes{\\22x\\22}>\"}} : (" T ") -> " L "\n"
#define CALL "  %1 = call @xla.sdy.manual_computation_body(%0) : (" L ") -> " L "\n"
#define TAKE                                                                                                        \
  "  %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {has_side_effect = true, mhlo.frontend_attributes " \
  "= {xla.sdy.out_shardings = \"#sdy.sharding_per_value<[<@mesh, [{\\22x\\22}]>]>\", xla.sdy.manual_axes = "        \
  "\"#sdy<manual_axes{\\22x\\22}>\"}} : (" L ") -> " T "\n"

// A body between its two custom calls is a manual computation; one that is not so is refused by name.
static void test_frontend_bodies(void **state) {
  (void)state;
  static const struct {
    const char *body;
    mr_code code;
  } cases[] = {
      {GIVE CALL TAKE "  return %2 : " T "\n", (mr_code)0},
      {"  %0 = stablehlo.slice %a [0:2] : (" T ") -> " L "\n" CALL TAKE "  return %2 : " T "\n", MR_UNIMPLEMENTED},
      {GIVE CALL TAKE "  %3 = stablehlo.concatenate %1, %1, %1, %1, dim = 0 : (" L ", " L ", " L ", " L ") -> " T
                      "\n  return %3 : " T "\n",
       MR_UNIMPLEMENTED},
      {"  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "
       "\"#sdy.sharding_per_value<[<@nothing, [{}]>]>\"}} : (" T ") -> " T "\n  return %2 : " T "\n",
       MR_INVALID_ARGUMENT},
      {"  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "
       "\"#sdy.sharding_per_value<[<@mesh, [{}, {}]>]>\"}} : (" T ") -> " T "\n  return %2 : " T "\n",
       MR_INVALID_ARGUMENT},
      {"  %2 = stablehlo.custom_call @xla.sdy.FuncResultSharding() {mhlo.frontend_attributes = {xla.sdy.sharding = "
       "\"#sdy.sharding_per_value<[<@mesh, [{}]>]>\"}, has_side_effect = true} : () -> " T "\n  return %2 : " T "\n",
       MR_INVALID_ARGUMENT},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    char *text = frontend(cases[i].body);
    assert_int_equal(code_of(text), cases[i].code);
    free(text);
  }
}

static char *gspmd(const char *body) {
  char *text = NULL;
  assert_true(asprintf(&text,
                       "func.func public @main(%%a: " T " {mhlo.sharding = \"{devices=[4]<=[4]}\"}) -> " T " {\n%s}\n"
                       "func.func private @body(%%a: " L ") -> " L " {\n"
                       "  %%0 = stablehlo.negate %%a : " L "\n  return %%0 : " L "\n}\n",
                       body) > 0);
  return text;
}

#define IN "  %0 = stablehlo.custom_call @SPMDFullToShardShape(%s) {mhlo.sharding = \"{manual}\"} : (" T ") -> " L "\n"
#define OUT \
  "  %2 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = \"{devices=[4]<=[4]}\"} : (" L ") -> " T "\n"
#define SAY "  %s = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{devices=[4]<=[4]}\"} : (" T ") -> " T "\n"

// The same for GSPMD's custom calls, with too many or no operands as well.
static void test_gspmd_bodies(void **state) {
  (void)state;
  static const struct {
    const char *body;
    mr_code code;
  } cases[] = {
      {SAY IN "  %1 = call @body(%0) : (" L ") -> " L "\n" OUT "  return %2 : " T "\n", (mr_code)0},
      {SAY IN "  %1 = stablehlo.negate %0 : " L "\n" OUT "  return %2 : " T "\n", MR_UNIMPLEMENTED},
      {"  %2 = stablehlo.custom_call @SPMDShardToFullShape() {mhlo.sharding = \"{manual}\"} : () -> " T "\n"
       "  return %2 : " T "\n",
       MR_UNIMPLEMENTED},
      {"  %2 = stablehlo.custom_call @Sharding() {mhlo.sharding = \"{replicated}\"} : () -> " T "\n  return %2 : " T
       "\n",
       MR_INVALID_ARGUMENT},
      {"  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{devices=[2,2]<=[4]}\"} : (" T ") -> " T
       "\n  return %2 : " T "\n",
       (mr_code)0},  // more dimensions than the value: the last ones say nothing
      {"  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{devices=[8]<=[8]}\"} : (" T ") -> " T
       "\n  return %2 : " T "\n",
       MR_INVALID_ARGUMENT},
      {"  %2 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = \"{devices=[4]0,2,3,1}\"} : (" T ") -> " T
       "\n  return %2 : " T "\n",
       MR_UNIMPLEMENTED},
  };
  for (size_t i = 0; i < MR_ARRAY_SIZE(cases); i++) {
    char *text = gspmd(cases[i].body);
    assert_int_equal(code_of(text), cases[i].code);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_frontend_bodies),
      cmocka_unit_test(test_gspmd_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
