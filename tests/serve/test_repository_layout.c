// Which folders and files are models, which versions are served, and what is refused.
#include "tests/serve/fake_versions.h"

// Every layout at once: folders with versions, one program for itself, no configuration, either configuration.
static void test_layouts(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlirbc", "ok a1");
  fake_write(&place, "b/2/model.mlir", "ok b2");
  fake_write(&place, "b/10/model.millrace", "ok b10");
  fake_write(&place, "b/config.json", "{\"max_batch_size\": 8}");
  fake_write(&place, "c.mlirbc", "ok c");
  fake_write(&place, "c.mlir", "ok second spelling");
  fake_write(&place, "c.safetensors", "weights");
  fake_write(&place, "d/model.stablehlo", "ok d");
  fake_write(&place, "e/1/net.bin", "ok e");
  fake_write(&place, "e/config.pbtxt", "name: 'e' default_model_filename: 'net.bin'");
  fake_write(&place, "notes/readme.txt", "no model");
  fake_write(&place, ".hidden/1/model.mlir", "ok hidden");
  fake_write(&place, "copy.mlirbc.part", "ok unfinished");
  fake_write(&place, "b/03/model.mlir", "ok leading zero");
  fake_write(&place, "b/next/model.mlir", "ok no number");
  fake_open(&place);
  check_index(&place, "a/1 READY;b/10 READY;c/1 READY;d/1 READY;e/1 READY;");
  check_text(&place, "a", "", "ok a1");
  check_text(&place, "b", "", "ok b10");
  check_text(&place, "b", "10", "ok b10");
  check_text(&place, "c", "1", "ok c");
  check_text(&place, "b", "2", "model 'b' has no version 2");
  check_text(&place, "z", "", "model 'z' is not there");
  sv_version *version;
  check_fails(sv_repository_find(place.repository, SV_STR("a"), SV_STR("01"), &version), MILLRACE_INVALID_ARGUMENT,
              "version '01'");
  check_ok(sv_repository_find(place.repository, SV_STR("b"), SV_STR(""), &version));
  assert_int_equal(sv_version_signature(version)->max_batch_size, 8);
  sv_version_release(version);
  assert_true(sv_repository_is_ready(place.repository));
  fake_close(&place);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_layouts)};
int main(void) { return check_run(tests); }
