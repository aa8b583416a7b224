// Ensembles: after their steps when they come, before them when they go.
#include "tests/serve/fake_versions.h"

static void write_ensemble(fake_place *place, const char *name, const char *first, const char *second) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "%s/config.pbtxt", name);
  snprintf(text, sizeof text,
           "platform: 'ensemble' input { name: 'x' } output { name: 'z' }\n"
           "ensemble_scheduling { step [\n"
           "  { model_name: '%s' model_version: -1 input_map { key: 'in' value: 'x' } output_map { key: 'o' value: 'y' "
           "} },\n"
           "  { model_name: '%s' input_map { key: 'in' value: 'y' } output_map { key: 'o' value: 'z' } } ] }",
           first, second);
  fake_write(place, path, text);
}

// Steps are loaded before the ensemble whatever their names, an ensemble of ensembles last; one whose folder has a version has that number.
static void test_order(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  write_ensemble(&place, "a", "b", "z");
  write_ensemble(&place, "b", "y", "z");
  fake_run("mkdir %s/b/3", place.root);
  fake_write(&place, "y/1/model.mlir", "ok");
  fake_write(&place, "z/1/model.mlir", "ok");
  fake_open(&place);
  check_index(&place, "a/1 READY;b/3 READY;y/1 READY;z/1 READY;");
  assert_string_equal(place.engine.log, "load y/1;load z/1;load b/3;load a/1;");
  assert_true(sv_repository_is_ready(place.repository));
  fake_close(&place);
}

// Steps that are not there, and ensembles that are steps of themselves, are named.
static void test_missing_steps(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  write_ensemble(&place, "a", "b", "nowhere");
  write_ensemble(&place, "c", "d", "b");
  write_ensemble(&place, "d", "c", "b");
  write_ensemble(&place, "e", "bad", "b");
  fake_write(&place, "b/1/model.mlir", "ok");
  fake_write(&place, "bad/1/model.mlir", "bad");
  fake_open(&place);
  char index[4096];
  fake_index(&place, index, sizeof index);
  assert_non_null(strstr(index, "a/0 UNAVAILABLE step 'nowhere' is not served: it is not there;b/1 READY;"));
  assert_non_null(strstr(index, "by 'c';e/0 UNAVAILABLE step 'bad' is not served: refused: bad;"));
  assert_non_null(strstr(index, "is a step of itself"));
  assert_false(sv_repository_is_ready(place.repository));
  fake_write(&place, "nowhere/1/model.mlir", "ok");
  fake_write(&place, "bad/1/model.mlir", "ok now");
  fake_rescan(&place);
  check_text(&place, "a", "", "ensemble");
  check_text(&place, "e", "", "ensemble");
  fake_close(&place);
}

// A step that changes is found by the ensemble, which is checked against it; the old step ends after what depended on it.
static void test_step_changes(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  write_ensemble(&place, "a", "b", "c");
  fake_write(&place, "b/1/model.mlir", "ok 1");
  fake_write(&place, "c/1/model.mlir", "ok");
  fake_open(&place);
  place.engine.log[0] = 0;
  atomic_store(&place.engine.hold_drains, true);
  fake_write(&place, "b/1/model.mlir", "ok second");
  fake_rescan(&place);
  check_text(&place, "a", "", "ensemble");
  sv_version *ensemble, *step;
  check_ok(sv_repository_find(place.repository, SV_STR("a"), SV_STR(""), &ensemble));
  check_ok(ensemble->find(ensemble->find_self, SV_STR("b"), -1, &step));
  assert_string_equal(step->text, "ok second");
  sv_version_release(step);
  check_ok(ensemble->find(ensemble->find_self, SV_STR("b"), 1, &step));
  sv_version_release(step);
  check_fails(ensemble->find(ensemble->find_self, SV_STR("b"), 2, &step), MILLRACE_NOT_FOUND, "no version 2");
  sv_version_release(ensemble);
  assert_string_equal(place.engine.log, "load b/1;load a/1;drain a/1;");  // the old step waits
  atomic_store(&place.engine.hold_drains, false);
  fake_end_drains(&place.engine);
  fake_rescan(&place);
  fake_rescan(&place);
  assert_string_equal(place.engine.log, "load b/1;load a/1;drain a/1;drain b/1;");
  fake_close(&place);
}

// By request: the ensemble brings its steps, and takes them with it if that is wanted, after itself. A step that goes alone takes the ensemble along.
static void test_by_request(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  write_ensemble(&place, "a", "b", "c");
  fake_write(&place, "b/1/model.mlir", "ok b");
  fake_write(&place, "c/1/model.mlir", "ok c");
  fake_create(&place, false, NULL, 0, true);
  fake_start(&place);
  check_ok(fake_load(&place, "a", NULL));
  check_index(&place, "a/1 READY;b/1 READY;c/1 READY;");
  place.engine.log[0] = 0;
  check_ok(fake_unload(&place, "a", true));
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;b/1 UNAVAILABLE unloaded;c/1 UNAVAILABLE unloaded;");
  assert_true(strncmp(place.engine.log, "drain a/1;", 10) == 0);
  check_ok(fake_load(&place, "a", NULL));
  check_text(&place, "b", "", "ok b");
  check_ok(fake_unload(&place, "b", false));
  check_index_soon(&place,
                   "a/1 UNAVAILABLE step 'b' is not served: it is not loaded;b/1 UNAVAILABLE unloaded;c/1 READY;");
  check_ok(fake_load(&place, "b", NULL));
  check_index_soon(&place, "a/1 READY;b/1 READY;c/1 READY;");
  check_ok(fake_unload(&place, "a", false));
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;b/1 READY;c/1 READY;");
  fake_close(&place);
}

// A step that two ensembles have stays when one of them takes its steps along.
static void test_shared_step(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  write_ensemble(&place, "a", "b", "c");
  write_ensemble(&place, "d", "c", "e");
  fake_write(&place, "b/1/model.mlir", "ok");
  fake_write(&place, "c/1/model.mlir", "ok");
  fake_write(&place, "e/1/model.mlir", "ok");
  fake_open(&place);
  check_ok(fake_unload(&place, "a", true));
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;b/1 UNAVAILABLE unloaded;c/1 READY;d/1 READY;e/1 READY;");
  fake_close(&place);
}

// The end of the server: ensembles first, then their steps.
static void test_end(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  write_ensemble(&place, "e", "b", "c");
  fake_write(&place, "b/1/model.mlir", "ok b");
  fake_write(&place, "c/1/model.mlir", "ok c");
  fake_open(&place);
  place.engine.log[0] = 0;
  fake_close(&place);
  assert_true(strncmp(place.engine.log, "drain e/1;", 10) == 0);
  assert_int_equal(atomic_load(&place.engine.drained), 3);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_order),      cmocka_unit_test(test_missing_steps), cmocka_unit_test(test_step_changes),
    cmocka_unit_test(test_by_request), cmocka_unit_test(test_shared_step),   cmocka_unit_test(test_end),
};
int main(void) { return check_run(tests); }
