// Memory that runs out while a program is read, optimised, planned, lowered and run: whichever allocation fails, the answer is
// a status, and nothing is kept. The programs are those of other tests; the first argument chooses among them by path.
#include "compiler/ir/print_internal.h"
#include "compiler/reader/reader.h"
#include "tests/alloc_loop.h"
#include "tests/compiler/cache_folder.h"
#include "tests/compiler/optimized_program.h"
#include "tests/file.h"

enum { MOST_PORTS = 64 };

static const char *only = "";

typedef struct program {
  const char *path;
  mr_span bytes;
  mr_executable *executable;
  mr_buffer *arguments[MOST_PORTS];
  mr_code refusal;  // what is answered with all the memory there is
} program;

typedef void (*visitor)(program *p);

// A file, or each of the pieces that it is cut into.
static size_t each_piece(const char *path, mr_span bytes, visitor visit) {
  static const char separator[] = "// -----";
  size_t count = 0;
  for (const char *at = bytes.data, *end = at + bytes.size; at < end; count++) {
    const char *stop = memmem(at, (size_t)(end - at), separator, sizeof separator - 1);
    stop = stop ? stop : end;
    program p = {.path = path, .bytes = {at, (size_t)(stop - at)}};
    visit(&p);
    at = stop < end ? stop + sizeof separator - 1 : end;
  }
  return count;
}

typedef struct walk {
  visitor visit;
  size_t count;
} walk;

static void walk_file(void *context, const char *path, mr_span bytes) {
  walk *w = context;
  w->count += strstr(path, only) ? each_piece(path, bytes, w->visit) : 0;
}

static size_t each_program(const char *folder, const char *ending, visitor visit) {
  walk w = {.visit = visit};
  file_each(folder, ending, SIZE_MAX, walk_file, &w);
  return w.count;
}

static bool succeeds(alloc_attempt attempt, program *p) {
  mr_status status = attempt(p);
  bool good = status == MR_OK;
  mr_status_free(status);
  return good;
}

// ---- Compiling ----------------------------------------------------------------------------------------------------------

static mr_status compile_and_forget(void *context) {
  const program *p = context;
  mr_executable *executable = NULL;
  mr_status status = mr_compile(p->bytes, NULL, &executable);
  assert_true((status != MR_OK) == (executable == NULL));
  if (executable) {
    mr_text text = {0};
    mr_executable_print(executable, &text);
    mr_executable_draw(executable, &text);
    mr_text_deinit(&text);
  }
  mr_executable_release(executable);
  return status;
}

// Some of the programs are there because they are refused, and that is their good end.
static mr_status compile_or_refuse(void *context) {
  const program *p = context;
  mr_status status = compile_and_forget(context);
  if (mr_status_code(status) == p->refusal) {
    mr_status_free(status);
    return MR_OK;
  }
  return status;
}

static void loop_compile(program *p) {
  mr_status refused = compile_and_forget(p);
  p->refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_loop(p->path, compile_or_refuse, p, p->refusal ? 12000 : 40000);
}

static void test_compile(void **state) {
  (void)state;
  assert_true(each_program("tests/programs", ".mlirbc", loop_compile) > 40 || *only);
  assert_true(each_program("tests/programs", ".mlir", loop_compile) > 20 || *only);
  each_program("tests/compiler/programs", ".mlir", loop_compile);
  each_program("tests/programs/check", ".mlir", loop_compile);
  each_program("tests/compiler/rare", ".mlir", loop_compile);
  each_program("tests/random/corpus", ".mlir", loop_compile);
  each_program("tests/compiler/reader_data", "", loop_compile);
  each_program("tests/compiler/hostile", "", loop_compile);
  each_program("tests/fuzz/corpus/bytecode", "", loop_compile);
  each_program("tests/fuzz/corpus/text", "", loop_compile);
  alloc_loops_ended_well();
}

// ---- By hand ----------------------------------------------------------------------------------------------------------------

// What no reader makes: attributes that have no key, given one by one, and a type whose text is long.
static mr_status build(mr_module *module) {
  mr_type element = {.dtype = MR_F32}, elements[200], tuple = {.kind = MR_TYPE_TUPLE, .rank = 200};
  for (size_t i = 0; i < MR_ARRAY_SIZE(elements); i++) {
    elements[i] = element;
  }
  tuple.elements = elements;
  mr_text text = {0};
  mr_print_type(&text, &tuple);
  bool failed = text.failed;
  mr_text_deinit(&text);
  if (failed) {
    return MR_NO_MEMORY();
  }
  mr_function *main = mr_module_add_function(module, MR_STR("main"), true, 1, &element, 1, &element);
  if (!main) {
    return mr_module_memory(module);
  }
  mr_builder b = mr_builder_at_end(&main->body);
  mr_value *sum = mr_build_unary(&b, MR_OP_negate, main->body.args[0]);
  for (int i = 0; sum && i < 3; i++) {
    mr_op_set_attr(module, sum->def,
                   (mr_attr){.name = i ? MR_STR("more") : MR_STR("one"), .kind = MR_ATTR_INT, .integer = i});
  }
  return mr_module_memory(module);
}

static mr_status by_hand(void *context) {
  (void)context;
  mr_module *module = NULL;
  MR_TRY(mr_module_create(0, &module));
  mr_status status = build(module);
  mr_module_release(module);
  return status;
}

static void test_by_hand(void **state) {
  (void)state;
  alloc_loop("a module made by hand", by_hand, NULL, 20000);
  alloc_loops_ended_well();
}

// ---- Other forms of programs ----------------------------------------------------------------------------------------------

static mr_status read_hlo(void *context) {
  const program *p = context;
  mr_module *module = NULL;
  mr_status status = mr_read_hlo(p->bytes, false, &module);
  assert_true((status != MR_OK) == (module == NULL));
  mr_module_release(module);
  return status;
}

static mr_status optimize(void *context) {
  const program *p = context;
  mr_text text = {0}, hlo = {0};
  mr_status status = optimized_program(p->bytes, NULL, &text, &hlo);
  mr_text_deinit(&text);
  mr_text_deinit(&hlo);
  return status;
}

static mr_status read_or_refuse(void *context) {
  const program *p = context;
  mr_status status = read_hlo(context);
  if (mr_status_code(status) == p->refusal) {
    mr_status_free(status);
    return MR_OK;
  }
  return status;
}

static void loop_hlo(program *p) {
  mr_status refused = read_hlo(p);
  p->refusal = mr_status_code(refused);
  mr_status_free(refused);
  alloc_loop(p->path, read_or_refuse, p, p->refusal ? 12000 : 150000);
}

static void loop_mhlo(program *p) {
  if (succeeds(optimize, p)) {
    alloc_loop(p->path, optimize, p, 150000);
  }
}

static void test_other_forms(void **state) {
  (void)state;
  assert_true(each_program("tests/compiler/hlo", ".pb", loop_hlo) > 20 || *only);
  each_program("tests/compiler/hlo_only", ".pb", loop_hlo);
  each_program("tests/fuzz/corpus/hlo", "", loop_hlo);
  assert_true(each_program("tests/compiler/mhlo", ".mlir", loop_mhlo) > 20 || *only);
  alloc_loops_ended_well();
}

// ---- Running --------------------------------------------------------------------------------------------------------------

static mr_status zeros(const mr_port *port, mr_buffer **out_buffer) {
  void *data = calloc(1, port->bytes + 1);
  mr_host_array host = {.data = data, .dtype = port->dtype, .dims = port->dims, .rank = port->rank};
  mr_status status = mr_buffer_from_host(memory, &host, MR_HOST_ONLY_DURING_CALL, NULL, NULL, out_buffer);
  free(data);
  return status;
}

static mr_status wait_and_read(mr_buffer *buffer, mr_future *done) {
  mr_status status = MR_OK;
  if (done) {
    mr_future_wait(done);
    status = mr_status_retain(mr_future_status(done));
  }
  mr_future *read = NULL;
  void *data = malloc(mr_buffer_bytes(buffer) + 1);
  if (!status && !mr_buffer_is_deleted(buffer)) {
    status = mr_buffer_to_host(buffer, data, NULL, &read);
  }
  if (read) {
    mr_future_wait(read);
    status = mr_status_join(status, mr_status_retain(mr_future_status(read)));
    mr_future_release(read);
  }
  free(data);
  return status;
}

static mr_status execute(void *context) {
  program *p = context;
  mr_buffer *results[MOST_PORTS] = {0};
  mr_future *done = NULL;
  mr_status status =
      mr_execute(p->executable, device, NULL, p->arguments, mr_executable_param_count(p->executable), results, &done);
  for (size_t i = 0; i < mr_executable_result_count(p->executable); i++) {
    assert_true((status == MR_OK) == (results[i] != NULL) || i > 0);
  }
  for (size_t i = 0; !status && i < mr_executable_result_count(p->executable); i++) {
    status = wait_and_read(results[i], done);
  }
  if (done) {
    mr_future_wait(done);
  }
  mr_future_release(done);
  release_all(results, mr_executable_result_count(p->executable));
  return status;
}

// Arguments of zeros, made anew where they are donated.
static mr_status execute_donating(void *context) {
  program *p = context;
  mr_status status = MR_OK;
  for (size_t i = 0; !status && i < mr_executable_param_count(p->executable); i++) {
    status = zeros(mr_executable_param(p->executable, i), &p->arguments[i]);
  }
  status = status ? status : execute(p);
  release_all(p->arguments, mr_executable_param_count(p->executable));
  memset(p->arguments, 0, sizeof p->arguments);
  return status;
}

static void loop_execute(program *p) {
  mr_status refused = mr_compile(p->bytes, NULL, &p->executable);
  mr_status_free(refused);
  if (refused) {
    return;
  }
  assert_true(mr_executable_param_count(p->executable) <= MOST_PORTS);
  assert_true(mr_executable_result_count(p->executable) <= MOST_PORTS);
  alloc_each_place(p->path, execute_donating, p);  // the first run of a kernel compiles it
  if (succeeds(execute_donating, p)) {
    alloc_loop(p->path, execute_donating, p, 20000);
  }
  mr_executable_release(p->executable);
}

static void test_execute(void **state) {
  (void)state;
  assert_true(each_program("tests/programs", ".mlirbc", loop_execute) > 40 || *only);
  each_program("tests/compiler/programs", ".mlir", loop_execute);
  each_program("tests/programs/check", ".mlir", loop_execute);
  each_program("tests/compiler/rare", ".mlir", loop_execute);
  alloc_loops_ended_well();
}

int main(int argc, char **argv) {
  only = argc > 1 ? argv[1] : only;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compile),
      cmocka_unit_test(test_by_hand),
      cmocka_unit_test(test_other_forms),
      cmocka_unit_test(test_execute),
  };
  return cmocka_run_group_tests(tests, open_with_cache, close_and_clean);
}
