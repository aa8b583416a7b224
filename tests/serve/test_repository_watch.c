// Changes in the folders are loaded by themselves.
#include "tests/serve/fake_versions.h"

// What the program says comes to be this.
static void check_text_soon(fake_place *place, const char *model, const char *wanted) {
  char room[512];
  for (int i = 0; i < 20000 && strcmp(fake_text(place, model, "", room), wanted) != 0; i++) {
    usleep(1000);
  }
  assert_string_equal(room, wanted);
}

// Folders and files that come, change, are renamed into their place, and go.
static void test_changes(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok 1");
  fake_create(&place, true, NULL, 0, false);
  fake_start(&place);
  check_text(&place, "a", "", "ok 1");
  fake_write(&place, "a/1/model.mlir", "ok changed");
  check_text_soon(&place, "a", "ok changed");
  fake_write(&place, "a/1/.new", "ok renamed");
  fake_run("mv %s/a/1/.new %s/a/1/model.mlir", place.root, place.root);
  check_text_soon(&place, "a", "ok renamed");
  fake_write(&place, "a/2/model.mlir", "ok 2");
  check_text_soon(&place, "a", "ok 2");
  fake_write(&place, "b.mlir", "ok b");
  check_text_soon(&place, "b", "ok b");
  fake_write(&place, "c/1/model.mlir", "ok c");
  check_text_soon(&place, "c", "ok c");
  fake_run("rm -r %s/a/2 %s/b.mlir", place.root, place.root);
  check_text_soon(&place, "a", "ok renamed");
  check_text_soon(&place, "b", "model 'b' is not there");
  fake_run("mv %s/c %s/d", place.root, place.root);
  check_text_soon(&place, "d", "ok c");
  check_index_soon(&place, "a/1 READY;d/1 READY;");
  fake_close(&place);
}

// A copy that pauses half way is refused as long as it is half, and loaded when it is whole; the old one serves meanwhile.
static void test_half_copied(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok 1");
  fake_create(&place, true, NULL, 0, false);
  fake_start(&place);
  fake_write(&place, "a/2/model.mlir", "o");
  check_index_soon(&place, "a/1 READY;a/2 UNAVAILABLE refused: o;");
  check_text(&place, "a", "", "ok 1");
  char path[128];
  snprintf(path, sizeof path, "%s/a/2/model.mlir", place.root);
  FILE *file = fopen(path, "a");
  fputs("k 2", file);
  fclose(file);
  check_text_soon(&place, "a", "ok 2");
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;a/2 READY;");
  fake_close(&place);
}

// Hidden files and those of copying programs wake nobody; what was unloaded by request stays so though its files change.
static void test_ignored(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok 1");
  fake_write(&place, "b/1/model.mlir", "ok b");
  fake_create(&place, true, NULL, 0, false);
  fake_start(&place);
  check_ok(fake_unload(&place, "a", false));
  fake_write(&place, "c.mlir.part", "ok c");
  fake_write(&place, "b/1/.model.mlir.swp", "editor");
  fake_write(&place, "a/1/model.mlir", "ok 2");
  fake_write(&place, "b/1/model.mlir", "ok b again");
  check_text_soon(&place, "b", "ok b again");
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;b/1 READY;");
  assert_int_equal(atomic_load(&place.engine.loads), 3);
  fake_close(&place);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes), cmocka_unit_test(test_half_copied),
                                          cmocka_unit_test(test_ignored)};
int main(void) { return check_run(tests); }
