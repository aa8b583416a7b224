// Models come, change and go while others find them.
#include "tests/serve/fake_versions.h"

// A changed program takes the place of the old one, which ends; what has not changed is left alone.
static void test_reload(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok first");
  fake_write(&place, "b/1/model.mlir", "ok b");
  fake_open(&place);
  sv_version *old;
  check_ok(sv_repository_find(place.repository, SV_STR("a"), SV_STR(""), &old));
  fake_write(&place, "a/1/new.tmp", "ok second one");
  fake_run("mv %s/a/1/new.tmp %s/a/1/model.mlir", place.root, place.root);
  fake_rescan(&place);
  check_text(&place, "a", "", "ok second one");
  assert_string_equal(old->text, "ok first");  // whoever has it keeps it
  assert_true(atomic_load(&old->draining));
  sv_version_release(old);
  assert_string_equal(place.engine.log, "load a/1;load b/1;load a/1;drain a/1;");
  fake_rescan(&place);
  assert_int_equal(atomic_load(&place.engine.loads), 3);
  fake_close(&place);
}

// A new version is served and the one before it ends; when it is taken away again, the one before comes back.
static void test_new_version(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok 1");
  fake_open(&place);
  fake_write(&place, "a/2/model.mlir", "ok 2");
  fake_rescan(&place);
  check_text(&place, "a", "", "ok 2");
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;a/2 READY;");
  assert_string_equal(place.engine.log, "load a/1;load a/2;drain a/1;");
  fake_run("rm -r %s/a/2", place.root);
  fake_rescan(&place);
  check_index_soon(&place, "a/1 READY;");
  check_text(&place, "a", "", "ok 1");
  fake_close(&place);
}

// What cannot be loaded leaves the old one serving and says why; it is not tried again until it has changed.
static void test_bad_reload(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_write(&place, "b/1/model.mlir", "ok b1");
  fake_open(&place);
  fake_write(&place, "a/1/model.mlir", "bad news");
  fake_write(&place, "b/2/model.mlir", "bad version");
  fake_rescan(&place);
  fake_rescan(&place);
  check_index(&place, "a/1 READY refused: bad news;b/1 READY;b/2 UNAVAILABLE refused: bad version;");
  check_text(&place, "a", "", "ok");
  check_text(&place, "b", "", "ok b1");
  assert_int_equal(atomic_load(&place.engine.loads), 4);
  check_fails(fake_load(&place, "a", NULL), MILLRACE_INVALID_ARGUMENT, "refused: bad news");
  check_text(&place, "a", "", "ok");
  fake_write(&place, "a/1/model.mlir", "ok again");
  fake_write(&place, "b/2/model.mlir", "ok b2");
  fake_write(&place, "b/config.json", "{\"wrong\": 1}");
  fake_rescan(&place);
  check_text(&place, "a", "", "ok again");
  check_text(&place, "b", "", "ok b1");  // with a configuration that cannot be read nothing is changed
  char index[1024];
  fake_index(&place, index, sizeof index);
  assert_non_null(strstr(index, "a/1 READY;b/1 READY;b/2 UNAVAILABLE b/config.json"));
  assert_non_null(strstr(index, "unknown key 'wrong'"));
  fake_run("rm %s/b/config.json", place.root);
  fake_rescan(&place);
  check_index_soon(&place, "a/1 READY;b/1 UNAVAILABLE unloaded;b/2 READY;");
  fake_close(&place);
}

// A version whose folder is taken away ends, though another one cannot be loaded; the last one that is served stays.
static void test_gone_beside_bad(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/config.json", "{\"version_policy\": {\"all\": {}}}");
  fake_write(&place, "a/1/model.mlir", "ok 1");
  fake_write(&place, "a/2/model.mlir", "ok 2");
  fake_write(&place, "a/3/model.mlir", "bad");
  fake_open(&place);
  fake_run("rm -r %s/a/1", place.root);
  fake_rescan(&place);
  check_index_soon(&place, "a/2 READY;a/3 UNAVAILABLE refused: bad;");
  fake_run("rm -r %s/a/2", place.root);
  fake_rescan(&place);
  check_index_soon(&place, "a/2 READY;a/3 UNAVAILABLE refused: bad;");
  check_text(&place, "a", "", "ok 2");
  fake_close(&place);
}

// Configuration, labels and weights are looked at as the program is.
static void test_changes_beside(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_write(&place, "a/names.txt", "x");
  fake_write(&place, "a/config.json", "{\"output\": [{\"name\": \"y\", \"label_filename\": \"names.txt\"}]}");
  fake_write(&place, "s.mlir", "ok");
  fake_open(&place);
  assert_int_equal(atomic_load(&place.engine.loads), 2);
  fake_write(&place, "a/names.txt", "x\ny");
  fake_rescan(&place);
  assert_int_equal(atomic_load(&place.engine.loads), 3);
  fake_write(&place, "a/1/model.npz", "weights");
  fake_write(&place, "s.safetensors", "weights");
  fake_rescan(&place);
  assert_int_equal(atomic_load(&place.engine.loads), 5);
  fake_write(&place, "a/config.json",
             "{\"max_batch_size\": 2, \"output\": [{\"name\": \"y\", \"label_filename\": \"names.txt\"}]}");
  fake_rescan(&place);
  assert_int_equal(atomic_load(&place.engine.loads), 6);
  fake_close(&place);
}

// A folder that is taken away is unloaded and forgotten; so is a root that comes to be empty, and one that cannot be read changes nothing.
static void test_deletion(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok a");
  fake_write(&place, "b.mlir", "ok b");
  fake_open(&place);
  fake_run("rm -r %s/a", place.root);
  fake_rescan(&place);
  check_index_soon(&place, "b/1 READY;");
  check_text(&place, "a", "", "model 'a' is not there");
  fake_run("mv %s %s.away", place.root, place.root);
  fake_rescan(&place);
  check_text(&place, "b", "", "ok b");
  fake_run("mv %s.away %s && rm %s/b.mlir", place.root, place.root, place.root);
  fake_rescan(&place);
  check_index_soon(&place, "");
  assert_true(sv_repository_is_ready(place.repository));
  fake_close(&place);
}

// By request: nothing but what is named is loaded; models are loaded, loaded anew, and unloaded.
static void test_by_request(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok a");
  fake_write(&place, "b/1/model.mlir", "ok b");
  fake_write(&place, "c/1/model.mlir", "bad c");
  const char *names[] = {"b", "lost"};
  fake_create(&place, false, names, 2, false);
  assert_false(sv_repository_is_ready(place.repository));
  fake_start(&place);
  check_index(&place, "a/0 UNKNOWN;b/1 READY;c/0 UNKNOWN;lost/0 UNAVAILABLE is not in the repository;");
  assert_false(sv_repository_is_ready(place.repository));
  check_text(&place, "a", "", "model 'a' has not been loaded");
  check_ok(fake_load(&place, "a", NULL));
  check_text(&place, "a", "", "ok a");
  check_fails(fake_load(&place, "c", NULL), MILLRACE_INVALID_ARGUMENT, "bad c");
  check_fails(fake_load(&place, "nobody", NULL), MILLRACE_NOT_FOUND, "'nobody' is not in the repository");
  check_ok(fake_unload(&place, "b", false));
  check_ok(fake_unload(&place, "nobody", false));
  fake_rescan(&place);
  check_index_soon(&place, "a/1 READY;b/1 UNAVAILABLE unloaded;c/1 UNAVAILABLE refused: bad c;"
                           "lost/0 UNAVAILABLE is not in the repository;");
  check_text(&place, "b", "", "model 'b' is not served: unloaded");
  check_ok(fake_unload(&place, "lost", false));
  assert_true(sv_repository_is_ready(place.repository));
  int loads = atomic_load(&place.engine.loads);
  check_ok(fake_load(&place, "a", NULL));  // the same call loads anew
  assert_int_equal(atomic_load(&place.engine.loads), loads + 1);
  check_ok(fake_load(&place, "b", NULL));
  check_text(&place, "b", "1", "ok b");
  fake_close(&place);

  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok a");
  fake_create(&place, false, NULL, 0, true);
  fake_start(&place);
  check_index(&place, "a/0 UNKNOWN;");
  assert_true(sv_repository_is_ready(place.repository));
  fake_close(&place);
}

// A configuration in the request stands in for the folder's until the next load; a bad one changes nothing.
static void test_config_of_request(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok 1");
  fake_write(&place, "a/2/model.mlir", "ok 2");
  fake_create(&place, false, NULL, 0, true);
  fake_start(&place);
  check_ok(fake_load(&place, "a", "{\"version_policy\": {\"specific\": {\"versions\": [\"1\"]}}}"));
  check_index(&place, "a/1 READY;");
  check_fails(fake_load(&place, "a", "{\"max_batch_size\": -1}"), MILLRACE_INVALID_ARGUMENT, "max_batch_size");
  check_fails(fake_load(&place, "a", "max_batch_size: 1"), MILLRACE_INVALID_ARGUMENT, "request's configuration");
  check_text(&place, "a", "", "ok 1");
  fake_rescan(&place);
  check_text(&place, "a", "", "ok 1");
  check_ok(fake_load(&place, "a", NULL));
  check_text(&place, "a", "", "ok 2");
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;a/2 READY;");
  fake_close(&place);
}

// READY, then UNLOADING as long as requests are under way, then UNAVAILABLE; meanwhile nobody finds it, and it can be loaded again.
static void test_unloading(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_open(&place);
  atomic_store(&place.engine.hold_drains, true);
  check_ok(fake_unload(&place, "a", false));
  check_index_soon(&place, "a/1 UNLOADING;");
  check_text(&place, "a", "", "model 'a' is not served");
  check_ok(fake_load(&place, "a", NULL));
  check_index(&place, "a/1 READY;");
  fake_end_drains(&place.engine);
  fake_rescan(&place);
  check_index(&place, "a/1 READY;");
  check_ok(fake_unload(&place, "a", false));
  while (!place.engine.held) {
    usleep(1000);
  }
  fake_end_drains(&place.engine);
  check_index_soon(&place, "a/1 UNAVAILABLE unloaded;");
  atomic_store(&place.engine.hold_drains, false);
  fake_close(&place);
}

// A load that takes its time holds nobody up: others are found, the index tells, and a stop ends it.
static void test_stop_while_loading(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_write(&place, "b/1/model.mlir", "gate");
  fake_create(&place, false, NULL, 0, false);
  _Atomic(bool) loaded = false;
  sv_repository_start(place.repository, fake_set, &loaded);
  check_index_soon(&place, "a/1 READY;b/1 LOADING;");
  check_text(&place, "a", "", "ok");
  check_text(&place, "b", "", "model 'b' is being loaded");
  check_text(&place, "b", "1", "model 'b' version 1 is being loaded");
  assert_false(atomic_load(&loaded));
  assert_false(sv_repository_is_ready(place.repository));
  fake_answer behind = {0};
  sv_repository_load(place.repository, SV_STR("a"), SV_STR(""), fake_take, &behind);
  fake_close(&place);
  assert_true(atomic_load(&loaded));
  fake_wait_for(&behind.done);
  check_fails(behind.error, MILLRACE_CANCELLED, "stopping");
}

// Loads of one model at once come one after the other, and each has its answer.
static void test_loads_at_once(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "slow");
  fake_create(&place, false, NULL, 0, true);
  fake_start(&place);
  fake_answer answers[4] = {0};
  for (int i = 0; i < 4; i++) {
    sv_repository_load(place.repository, SV_STR("a"), SV_STR(""), fake_take, &answers[i]);
  }
  for (int i = 0; i < 4; i++) {
    fake_wait_for(&answers[i].done);
    check_ok(answers[i].error);
  }
  assert_int_equal(atomic_load(&place.engine.loads), 4);
  assert_non_null(strstr(place.engine.log, "load a/1;load a/1;drain a/1;"));
  fake_close(&place);
}

// The deadline passes with requests under way: the repository goes, and what they had is freed with the last of them.
static void test_release_at_deadline(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok");
  fake_open(&place);
  atomic_store(&place.engine.hold_drains, true);
  sv_repository_release(place.repository, sv_now_ns() + 20000000);
  assert_int_equal(atomic_load(&place.engine.drained), 1);
  assert_int_equal(atomic_load(&place.engine.versions), 1);
  fake_end_drains(&place.engine);
  assert_int_equal(atomic_load(&place.engine.versions), 0);
  fake_run("rm -rf %s", place.root);
}

typedef struct finder {
  fake_place *place;
  _Atomic(bool) *stop;
  uint64_t found;
  pthread_t thread;
} finder;

static void *find_always(void *argument) {
  finder *self = argument;
  while (!atomic_load_explicit(self->stop, memory_order_relaxed)) {
    sv_version *version;
    sv_error *error = sv_repository_find(self->place->repository, SV_STR("a"), SV_STR(""), &version);
    if (error) {
      printf("%s\n", sv_error_message(error));
      abort();
    }
    self->found += version->text[0] == 'o';
    sv_version_release(version);
    sv_index_entry *entries;
    size_t count;
    if (self->found % 16 == 0 && !sv_repository_index(self->place->repository, &entries, &count)) {
      sv_index_free(entries, count);
    }
  }
  return NULL;
}

// Several threads find the model all the time while it is loaded anew, in new versions, badly, and by its configuration: it is always there.
static void test_found_while_reloaded(void **state) {
  (void)state;
  fake_place place;
  fake_setup(&place);
  fake_write(&place, "a/1/model.mlir", "ok first");
  fake_open(&place);
  _Atomic(bool) stop = false;
  finder finders[3];
  for (int i = 0; i < 3; i++) {
    finders[i] = (finder){.place = &place, .stop = &stop};
    pthread_create(&finders[i].thread, NULL, find_always, &finders[i]);
  }
  for (int i = 0; i < 40; i++) {
    char path[64];
    snprintf(path, sizeof path, "a/%d/model.mlir", 1 + i / 4);
    fake_write(&place, path, i % 4 == 1 ? "bad" : i % 4 == 2 ? "ok and longer" : "ok");
    fake_rescan(&place);
    sv_error_free(fake_load(&place, "a", i % 8 == 5 ? "{\"max_batch_size\": 3}" : NULL));
  }
  atomic_store(&stop, true);
  uint64_t found = 0;
  for (int i = 0; i < 3; i++) {
    pthread_join(finders[i].thread, NULL);
    found += finders[i].found;
  }
  assert_true(found > 0);
  check_text(&place, "a", "", "ok");
  fake_close(&place);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_reload),
    cmocka_unit_test(test_new_version),
    cmocka_unit_test(test_bad_reload),
    cmocka_unit_test(test_gone_beside_bad),
    cmocka_unit_test(test_changes_beside),
    cmocka_unit_test(test_deletion),
    cmocka_unit_test(test_by_request),
    cmocka_unit_test(test_config_of_request),
    cmocka_unit_test(test_unloading),
    cmocka_unit_test(test_stop_while_loading),
    cmocka_unit_test(test_loads_at_once),
    cmocka_unit_test(test_release_at_deadline),
    cmocka_unit_test(test_found_while_reloaded),
};
int main(void) { return check_run(tests); }
