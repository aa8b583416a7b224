// Which folders and files are models, which versions are served, and what is refused.
#include "tests/serve/fake_versions.h"

// Every layout at once: folders with versions, one program for itself, no configuration, either configuration; what is unfinished or no model is not there.
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
  fake_write(&place, "my model.mlir", "ok no name");
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

// The policies: the latest ones, all, or those that are named.
static void test_policies(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  for (int i = 1; i <= 3; i++) {
    static const char *const models[] = {"all", "latest", "named", "plain"};
    for (int m = 0; m < 4; m++) {
      char path[64];
      snprintf(path, sizeof path, "%s/%d/model.mlir", models[m], i);
      fake_write(&place, path, "ok");
    }
  }
  fake_write(&place, "all/config.json", "{\"version_policy\": {\"all\": {}}}");
  fake_write(&place, "latest/config.json", "{\"versionPolicy\": {\"latest\": {\"num_versions\": 2}}}");
  fake_write(&place, "named/config.pbtxt", "version_policy { specific { versions: [1, 3] } }");
  fake_open(&place);
  check_index(&place, "all/1 READY;all/2 READY;all/3 READY;latest/2 READY;latest/3 READY;named/1 READY;named/3 READY;"
                      "plain/3 READY;");
  sv_version **versions;
  size_t count;
  check_ok(sv_repository_versions(place.repository, SV_STR("named"), &versions, &count));
  assert_int_equal(count, 2);
  assert_int_equal(sv_version_signature(versions[1])->number, 3);
  sv_versions_free(versions, count);
  check_ok(sv_repository_versions(place.repository, SV_STR(""), &versions, &count));
  assert_int_equal(count, 8);
  sv_versions_free(versions, count);
  check_fails(sv_repository_versions(place.repository, SV_STR("no"), &versions, &count), MILLRACE_NOT_FOUND, "'no'");
  fake_close(&place);
}

// A version that the policy names and that is not there makes the server not ready, and the others are served.
static void test_missing_named_version(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "m/1/model.mlir", "ok");
  fake_write(&place, "m/config.pbtxt", "version_policy: { specific: { versions: 1, versions: 7 } }");
  fake_open(&place);
  check_index(&place, "m/1 READY;m/7 UNAVAILABLE m/7 is not there, and the version_policy wants it;");
  fake_close(&place);
}

// The root as a model's folder: KServe mounts one model at /mnt/models.
static void test_root_is_model(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "config.json", "{\"name\": \"named\"}");
  fake_write(&place, "1/model.mlir", "ok 1");
  fake_write(&place, "2/model.mlir", "ok 2");
  fake_open(&place);
  check_index(&place, "named/2 READY;");
  fake_close(&place);

  fake_setup(&place);
  fake_write(&place, "config.pbtxt", "max_batch_size: 4");
  fake_write(&place, "classifier.mlirbc", "ok");
  fake_open(&place);
  check_index(&place, "classifier/1 READY;");
  fake_close(&place);

  fake_setup(&place);
  fake_write(&place, "5/model.mlirbc", "ok");
  fake_open(&place);
  char wanted[128];
  snprintf(wanted, sizeof wanted, "%.40s/5 READY;", place.root + strlen("/tmp/"));
  check_index(&place, wanted);
  fake_close(&place);
}

// Label files and weights come to the version.
static void test_labels_and_weights(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "l/1/model.mlir", "ok");
  fake_write(&place, "l/names.txt", "cat\ndog");
  fake_write(&place, "l/config.pbtxt", "output [ { name: 'x' }, { name: 'y' label_filename: 'names.txt' } ]");
  fake_write(&place, "w/1/model.mlir", "ok");
  fake_write(&place, "w/1/best.npz", "weights");
  fake_write(&place, "w/config.json", "{\"parameters\": {\"weights\": {\"string_value\": \"best.npz\"}}}");
  fake_write(&place, "n/1/model.mlir", "ok");
  fake_write(&place, "n/config.json", "{\"output\": [{\"name\": \"y\", \"label_filename\": \"none.txt\"}]}");
  fake_open(&place);
  check_index(&place, "l/1 READY;n/0 UNAVAILABLE n/none.txt: No such file or directory;w/1 READY;");
  sv_version *version;
  check_ok(sv_repository_find(place.repository, SV_STR("l"), SV_STR(""), &version));
  assert_string_equal(version->labels, "|cat\ndog|");
  sv_version_release(version);
  check_ok(sv_repository_find(place.repository, SV_STR("w"), SV_STR(""), &version));
  assert_string_equal(version->labels, "best.npz");
  sv_version_release(version);
  assert_false(sv_repository_is_ready(place.repository));
  fake_close(&place);
}

// No path leads out of the repository: not a link of a folder, a program, weights or labels, and no name of a file.
static void test_nothing_leads_out(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  char outside[] = "/tmp/sv-outside-XXXXXX";
  assert_non_null(mkdtemp(outside));
  fake_run("echo 'ok secret' > %s/model.mlir && mkdir %s/1 && cp %s/model.mlir %s/1", outside, outside, outside,
           outside);
  fake_run("ln -s %s %s/folder", outside, place.root);
  fake_run("ln -s %s/model.mlir %s/file.mlir", outside, place.root);
  fake_run("mkdir %s/version && ln -s %s/1 %s/version/1", place.root, outside, place.root);
  fake_run("mkdir -p %s/program/1 && ln -s %s/model.mlir %s/program/1/model.mlir", place.root, outside, place.root);
  fake_write(&place, "weights/1/model.mlir", "ok");
  fake_run("ln -s %s/model.mlir %s/weights/1/model.npz", outside, place.root);
  fake_write(&place, "labels/1/model.mlir", "ok");
  fake_write(&place, "labels/config.pbtxt", "output { name: 'y' label_filename: '../../etc/passwd' }");
  fake_write(&place, "name/1/model.mlir", "ok");
  fake_write(&place, "name/config.pbtxt", "default_model_filename: '../../x.mlir'");
  fake_write(&place, "inside/1/model.mlir", "ok inside");
  fake_run("ln -s inside %s/link && ln -s inside/1/model.mlir %s/short.mlir", place.root, place.root);
  fake_run("mkdir -p %s/pipe/1 && mkfifo %s/pipe/1/model.mlir", place.root, place.root);
  fake_open(&place);
  check_index(&place, "file/0 UNAVAILABLE file.mlir leads out of the repository;"
                      "folder/0 UNAVAILABLE folder leads out of the repository;"
                      "inside/1 READY;"
                      "labels/0 UNAVAILABLE labels/config.pbtxt: label_filename '../../etc/passwd': wanted the name of "
                      "a file without a path;"
                      "link/1 READY;"
                      "name/0 UNAVAILABLE name/config.pbtxt: default_model_filename '../../x.mlir': wanted the name of "
                      "a file without a path;"
                      "pipe/1 UNAVAILABLE pipe/1/model.mlir is not a regular file;"
                      "program/1 UNAVAILABLE program/1/model.mlir leads out of the repository;"
                      "short/1 READY;"
                      "version/1 UNAVAILABLE version/1 leads out of the repository;"
                      "weights/1 UNAVAILABLE weights/1/model.npz leads out of the repository;");
  static const char *const names[] = {"..", "../x", "/etc", ".", "", "a/b", "inside/1", "in\nside", "%2e%2e"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    check_fails(fake_load(&place, names[i], NULL), MILLRACE_NOT_FOUND, "is not in the repository");
    sv_version *version;
    check_fails(sv_repository_find(place.repository, sv_str_of(names[i]), SV_STR(""), &version), MILLRACE_NOT_FOUND,
                "is not there");
  }
  fake_close(&place);
  fake_run("rm -rf %s", outside);
}

// A name that is there twice, in one root or in two, is served from neither; the others are.
static void test_names_twice(void **state) {
  (void)state;
  fake_place place, other;
  fake_setup(&place);
  fake_setup(&other);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_write(&place, "a.mlir", "ok");
  fake_write(&place, "b/1/model.mlir", "ok");
  fake_write(&place, "c/1/model.mlir", "ok");
  fake_write(&other, "b/1/model.mlir", "ok");
  fake_write(&other, "d/1/model.mlir", "ok");
  const char *roots[] = {place.root, other.root};
  check_ok(
      sv_repository_create(&place.engine, &(sv_repository_options){.roots = roots, .num_roots = 2}, &place.repository));
  fake_start(&place);
  char wanted[1024];
  snprintf(wanted, sizeof wanted,
           "a/0 UNAVAILABLE model 'a' is there twice: %s/a and %s/a.mlir;"
           "b/0 UNAVAILABLE model 'b' is there twice: %s/b and %s/b;c/1 READY;d/1 READY;",
           place.root, place.root, place.root, other.root);
  char index[4096];
  fake_index(&place, index, sizeof index);
  assert_true(strcmp(index, wanted) == 0 || strstr(index, "a.mlir and"));  // either order of the two in one root
  assert_non_null(strstr(index, strstr(wanted, "b/0")));
  fake_close(&place);
  fake_run("rm -rf %s", other.root);
}

// After a copy that was cut off: what is whole is served, an older version in place of one that is not, and the rest is named.
static void test_partial_files(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok a1");
  fake_write(&place, "a/2/model.mlir", "");
  fake_write(&place, "b/1/model.mlir.tmp", "ok half");
  fake_write(&place, "c/1/model.mlir", "ok c");
  fake_write(&place, "c/config.json", "{\"max_batch_size\": ");
  fake_write(&place, "d/1/model.mlir", "bad bytecode");
  fake_run("mkdir -p %s/e", place.root);
  fake_open(&place);
  char index[4096];
  fake_index(&place, index, sizeof index);
  assert_non_null(strstr(index, "a/1 READY;a/2 UNAVAILABLE "));
  assert_non_null(strstr(index, "a/2/model.mlir is empty;"));
  assert_non_null(strstr(index, "b/1 UNAVAILABLE b/1 has no program: wanted model.mlirbc"));
  assert_non_null(strstr(index, "c/0 UNAVAILABLE c/config.json"));
  assert_non_null(strstr(index, "d/1 UNAVAILABLE refused: bad bytecode;"));
  assert_null(strstr(index, "e/"));
  check_text(&place, "a", "", "ok a1");
  check_text(&place, "d", "", "model 'd' is not served: refused: bad bytecode");
  assert_false(sv_repository_is_ready(place.repository));
  fake_close(&place);
}

// A name in the configuration is the folder's, and a root that is not there is told of at once.
static void test_wrong_names(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_write(&place, "a/config.json", "{\"name\": \"b\"}");
  fake_open(&place);
  check_index(&place, "a/0 UNAVAILABLE a/config.json: the name 'b': wanted the folder's, which is 'a';");
  const char *roots[] = {"/no/such/folder"};
  sv_repository *repository;
  check_fails(
      sv_repository_create(&place.engine, &(sv_repository_options){.roots = roots, .num_roots = 1}, &repository),
      MILLRACE_NOT_FOUND, "/no/such/folder");
  assert_null(repository);
  const char *names[] = {"../a"};
  roots[0] = place.root;
  check_fails(
      sv_repository_create(&place.engine,
                           &(sv_repository_options){.roots = roots, .num_roots = 1, .names = names, .num_names = 1},
                           &repository),
      MILLRACE_INVALID_ARGUMENT, "'../a'");
  fake_close(&place);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_layouts),
    cmocka_unit_test(test_policies),
    cmocka_unit_test(test_missing_named_version),
    cmocka_unit_test(test_root_is_model),
    cmocka_unit_test(test_labels_and_weights),
    cmocka_unit_test(test_nothing_leads_out),
    cmocka_unit_test(test_names_twice),
    cmocka_unit_test(test_partial_files),
    cmocka_unit_test(test_wrong_names),
};
int main(void) { return check_run(tests); }
