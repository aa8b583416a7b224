// Files of weights: what is in them, where it lies, and every way in which a file may be wrong.
#include <stdio.h>
#include <string.h>

#include "tests/millrace/model_harness.h"

static void opens(const char *path, millrace_weights **out) { ok(millrace_weights_open(path, out)); }

static void refuses(const char *path, millrace_code code, const char *words) {
  millrace_weights *weights;
  fails_with(millrace_weights_open(path, &weights), code, words);
  assert_null(weights);
}

// ---- safetensors ------------------------------------------------------------------------------------------------------------------

static void test_safetensors(void **state) {
  (void)state;
  const float data[] = {1, 2, 3, 4, 5, 6};
  millrace_weights *weights;
  opens(write_safetensors("good.safetensors",
                          "{ \"__metadata__\" : {\"by\": \"us\"},\n \"b\\u00e9\\ud83d\\ude00\\n\":{\"shape\":[2, "
                          "2],\"dtype\":\"F32\",\"data_offsets\":[0,16]},"
                          "\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[16,17]},\"empty\":{\"dtype\":\"F64\","
                          "\"shape\":[3,0],\"data_offsets\":[17,17]}}",
                          data, sizeof data),
        &weights);
  assert_int_equal(millrace_weights_count(weights), 3);
  assert_string_equal(millrace_weights_name(weights, 0), "b\xc3\xa9\xf0\x9f\x98\x80\n");
  assert_int_equal(millrace_weights_find(weights, "b\xc3\xa9\xf0\x9f\x98\x80\n"), 0);
  assert_int_equal(millrace_weights_find(weights, "a"), 1);
  assert_int_equal(millrace_weights_find(weights, "empty"), 2);
  assert_true(millrace_weights_find(weights, "") == SIZE_MAX);
  millrace_array array = millrace_weights_array(weights, 0);
  assert_int_equal(array.dtype, MILLRACE_F32);
  assert_int_equal(array.rank, 2);
  assert_int_equal((uintptr_t)array.data % 64, 0);
  assert_memory_equal(array.data, data, 16);
  assert_int_equal(millrace_weights_array(weights, 2).dims[1], 0);
  assert_ptr_equal(millrace_weights_retain(weights), weights);
  millrace_weights_release(weights);
  millrace_weights_release(weights);
}

// As the header says it; a file of 24 bytes of data.
static const struct {
  const char *header;
  millrace_code code;
  const char *words;
} wrong[] = {
    {"", MILLRACE_INVALID_ARGUMENT, "{ was wanted"},
    {"[]", MILLRACE_INVALID_ARGUMENT, "{ was wanted"},
    {"{\"a\":{}}", MILLRACE_INVALID_ARGUMENT, "was wanted"},
    {"{\"a\":1}", MILLRACE_INVALID_ARGUMENT, "{ was wanted"},
    {"{\"a\"", MILLRACE_INVALID_ARGUMENT, ": was wanted"},
    {"{\"a", MILLRACE_INVALID_ARGUMENT, "\" was wanted"},
    {"{\"a\\q\":1}", MILLRACE_INVALID_ARGUMENT, "an escape of JSON"},
    {"{\"a\\ud800\":1}", MILLRACE_INVALID_ARGUMENT, "a pair of surrogates"},
    {"{\"a\\u12\":1}", MILLRACE_INVALID_ARGUMENT, "hexadecimal"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}} x", MILLRACE_INVALID_ARGUMENT,
     "the header's end"},
    {"{\"a\":{\"dtype\":\"F99\",\"shape\":[4],\"data_offsets\":[0,16]}}", MILLRACE_UNIMPLEMENTED, "element type F99"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,12]}}", MILLRACE_INVALID_ARGUMENT, "wanted 16"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[7],\"data_offsets\":[0,28]}}", MILLRACE_INVALID_ARGUMENT, "28 bytes from"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[16,0]}}", MILLRACE_INVALID_ARGUMENT,
     "two offsets in order"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0]}}", MILLRACE_INVALID_ARGUMENT, "two offsets"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16,3]}}", MILLRACE_INVALID_ARGUMENT,
     "a shorter list"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[9223372036854775807,9223372036854775807]}}",
     MILLRACE_INVALID_ARGUMENT, "behind the file's end"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[99999999999999999999],\"data_offsets\":[0,16]}}", MILLRACE_INVALID_ARGUMENT,
     "a smaller number"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[-4],\"data_offsets\":[0,16]}}", MILLRACE_INVALID_ARGUMENT, "a number"},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,16]}}", MILLRACE_INVALID_ARGUMENT,
     ""},
    {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
     "1,1],"
     "\"data_offsets\":[0,4]}}",
     MILLRACE_INVALID_ARGUMENT, "a shorter list"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_"
     "offsets\":[1,2]}}",
     MILLRACE_INVALID_ARGUMENT, "two arrays are called a"},
    {"{\"a\":{\"dtype\":\"U8\",\"sheep\":[1]}}", MILLRACE_INVALID_ARGUMENT, "sheep of an array"},
};

static void test_wrong_safetensors(void **state) {
  (void)state;
  char data[24] = {0};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    refuses(write_safetensors("wrong.safetensors", wrong[i].header, data, sizeof data), wrong[i].code, wrong[i].words);
  }
  refuses(write_bytes("short.safetensors", "abc", 3), MILLRACE_INVALID_ARGUMENT, "3 bytes, wanted at least 8");
  refuses(write_bytes("none.safetensors", "", 0), MILLRACE_INVALID_ARGUMENT, "0 bytes, wanted at least 8");
  refuses(write_bytes("long.safetensors", "\377\377\377\377\377\377\377\377{}", 10), MILLRACE_INVALID_ARGUMENT,
          "in a file of 10");
  refuses(write_bytes("weights.bin", "abc", 3), MILLRACE_INVALID_ARGUMENT, ".safetensors or .npz");
  refuses(path_of("missing.safetensors"), MILLRACE_NOT_FOUND, "missing.safetensors");
  assert_int_equal(mkdir(path_of("folder.safetensors"), 0777), 0);
  refuses(path_of("folder.safetensors"), MILLRACE_INVALID_ARGUMENT, "is no file");
}

// A header cut at each byte, and with each byte another one, never ends in anything but an error or arrays that are inside the file.
static void test_damaged_safetensors(void **state) {
  (void)state;
  static const char header[] = "{\"a\\n\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},\"b\":{\"dtype\":"
                               "\"I8\",\"shape\":[],\"data_offsets\":[16,17]}}";
  char bytes[256];
  uint64_t length = sizeof header - 1;
  memcpy(bytes, &length, 8);
  memcpy(bytes + 8, header, length);
  memset(bytes + 8 + length, 7, 17);
  const size_t size = 8 + length + 17;
  for (size_t i = 0; i < size; i++) {
    for (int c = 0; c < 256; c += i < 8 ? 1 : 37) {
      char kept = bytes[i];
      bytes[i] = (char)c;
      millrace_weights *weights;
      millrace_error *error =
          millrace_weights_open(write_bytes("damaged.safetensors", bytes, c % 2 ? size : i), &weights);
      bytes[i] = kept;
      assert_true((error == NULL) == (weights != NULL));
      for (size_t k = 0; weights && k < millrace_weights_count(weights); k++) {
        millrace_array array = millrace_weights_array(weights, k);
        char *copy = malloc(64);
        size_t bytes_of = millrace_dtype_bytes(array.dtype);
        for (size_t d = 0; d < array.rank; d++) {
          bytes_of *= (size_t)array.dims[d];
        }
        assert_true(bytes_of <= 17);
        memcpy(copy, array.data, bytes_of);
        free(copy);
      }
      millrace_error_free(error);
      millrace_weights_release(weights);
    }
  }
}

// ---- npz --------------------------------------------------------------------------------------------------------------------------

typedef struct zip {
  char bytes[4096];
  size_t size, count;
  struct {
    const char *name;
    size_t at, size;
    unsigned method;
  } files[8];
} zip;

static void put(zip *z, uint64_t value, unsigned size) {
  memcpy(z->bytes + z->size, &value, size);
  z->size += size;
}

static void put_bytes(zip *z, const void *bytes, size_t size) {
  memcpy(z->bytes + z->size, bytes, size);
  z->size += size;
}

// A .npy with this dictionary as header.
static void put_npy(zip *z, const char *name, const char *header, const void *data, size_t size, unsigned method) {
  char npy[512] = "\x93NUMPY\x01\x00";
  size_t length = (strlen(header) + 1 + 10 + 63) / 64 * 64 - 10;
  npy[8] = (char)length;
  npy[9] = 0;
  memset(npy + 10, ' ', length);
  memcpy(npy + 10, header, strlen(header));
  npy[10 + length - 1] = '\n';
  memcpy(npy + 10 + length, data, size);
  const size_t all = 10 + length + size;
  z->files[z->count].name = name;
  z->files[z->count].at = z->size;
  z->files[z->count].size = all;
  z->files[z->count++].method = method;
  put(z, 0x04034b50, 4);
  put(z, 20, 2);
  put(z, 0, 2);
  put(z, method, 2);
  put(z, 0, 8);
  put(z, all, 4);
  put(z, all, 4);
  put(z, strlen(name), 2);
  put(z, 0, 2);
  put_bytes(z, name, strlen(name));
  put_bytes(z, npy, all);
}

static void put_directory(zip *z, bool large) {
  size_t start = z->size;
  for (size_t i = 0; i < z->count; i++) {
    put(z, 0x02014b50, 4);
    put(z, 20, 2);
    put(z, 20, 2);
    put(z, 0, 2);
    put(z, z->files[i].method, 2);
    put(z, 0, 8);
    put(z, large ? UINT32_MAX : z->files[i].size, 4);
    put(z, large ? UINT32_MAX : z->files[i].size, 4);
    put(z, strlen(z->files[i].name), 2);
    put(z, large ? 28 : 0, 2);
    put(z, 0, 2);
    put(z, 0, 8);
    put(z, large ? UINT32_MAX : z->files[i].at, 4);
    put_bytes(z, z->files[i].name, strlen(z->files[i].name));
    if (large) {
      put(z, 1, 2);
      put(z, 24, 2);
      put(z, z->files[i].size, 8);
      put(z, z->files[i].size, 8);
      put(z, z->files[i].at, 8);
    }
  }
  size_t end = z->size;
  if (large) {
    put(z, 0x06064b50, 4);
    put(z, 44, 8);
    put(z, 0, 4);
    put(z, 0, 8);
    put(z, z->count, 8);
    put(z, z->count, 8);
    put(z, end - start, 8);
    put(z, start, 8);
    put(z, 0x07064b50, 4);
    put(z, 0, 4);
    put(z, end, 8);
    put(z, 1, 4);
  }
  put(z, 0x06054b50, 4);
  put(z, 0, 4);
  put(z, large ? 0xffff : z->count, 2);
  put(z, large ? 0xffff : z->count, 2);
  put(z, end - start, 4);
  put(z, large ? UINT32_MAX : start, 4);
  put(z, 5, 2);
  put_bytes(z, "hello", 5);
}

static const char *write_zip(const char *name, const zip *z) { return write_bytes(name, z->bytes, z->size); }

static void test_npz(void **state) {
  (void)state;
  const float values[] = {1, 2, 3, 4, 5, 6};
  const int64_t number = 42;
  for (int large = 0; large < 2; large++) {
    zip z = {.size = 0};
    put_npy(&z, "w.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", values, sizeof values, 0);
    put_npy(&z, "n.npy", "{'descr': '<i8', 'fortran_order': False, 'shape': (), }", &number, sizeof number, 0);
    put_npy(&z, "one.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", values, 4, 0);
    put_npy(&z, "f.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", values, sizeof values, 0);
    put_directory(&z, large);
    millrace_weights *weights;
    opens(write_zip("good.npz", &z), &weights);
    assert_int_equal(millrace_weights_count(weights), 4);
    millrace_array fortran = millrace_weights_array(weights, millrace_weights_find(weights, "f"));
    assert_int_equal(fortran.byte_strides[0], 4);
    assert_int_equal(fortran.byte_strides[1], 8);
    size_t w = millrace_weights_find(weights, "w"), n = millrace_weights_find(weights, "n");
    millrace_array array = millrace_weights_array(weights, w);
    assert_int_equal(array.rank, 2);
    assert_int_equal(array.dims[1], 3);
    assert_memory_equal(array.data, values, sizeof values);
    assert_int_equal(millrace_weights_array(weights, n).dtype, MILLRACE_S64);
    assert_memory_equal(millrace_weights_array(weights, n).data, &number, 8);
    millrace_weights_release(weights);
  }
}

static void refuses_npy(const char *header, size_t size, unsigned method, millrace_code code, const char *words) {
  const float values[8] = {0};
  zip z = {.size = 0};
  put_npy(&z, "w.npy", header, values, size, method);
  put_directory(&z, false);
  refuses(write_zip("wrong.npz", &z), code, words);
}

static void test_wrong_npz(void **state) {
  (void)state;
  refuses_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8, 8, MILLRACE_UNIMPLEMENTED,
              "np.savez_compressed");
  refuses_npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }", 8, 0, MILLRACE_UNIMPLEMENTED,
              "element type '>f4'");
  refuses_npy("{'descr': [('a', '<f4')], 'shape': (2,), }", 8, 0, MILLRACE_UNIMPLEMENTED, "no plain one");
  refuses_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 8, 0, MILLRACE_INVALID_ARGUMENT,
              "wanted 12");
  refuses_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2", 8, 0, MILLRACE_INVALID_ARGUMENT, "shape");
  refuses_npy("{'descr': '<f4'}", 8, 0, MILLRACE_INVALID_ARGUMENT, "no shape");
  refuses_npy("{'descr': '<f4', 'shape': (-2,)}", 8, 0, MILLRACE_INVALID_ARGUMENT, "numbers");
  refuses(write_bytes("text.npz", "no zip at all, but long enough to be one", 40), MILLRACE_INVALID_ARGUMENT,
          "no directory");
}

// Every byte another one, and cut at every byte.
static void test_damaged_npz(void **state) {
  (void)state;
  const float values[] = {1, 2, 3, 4, 5, 6};
  for (int large = 0; large < 2; large++) {
    zip z = {.size = 0};
    put_npy(&z, "w.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", values, sizeof values, 0);
    put_directory(&z, large);
    for (size_t i = 0; i < z.size; i++) {
      for (int c = 0; c < 256; c += 51) {
        char kept = z.bytes[i];
        z.bytes[i] = (char)c;
        millrace_weights *weights;
        millrace_error *error =
            millrace_weights_open(write_bytes("damaged.npz", z.bytes, c % 2 ? z.size : i), &weights);
        z.bytes[i] = kept;
        assert_true((error == NULL) == (weights != NULL));
        if (weights && millrace_weights_count(weights)) {
          millrace_array array = millrace_weights_array(weights, 0);
          volatile char first = *(const char *)array.data;
          (void)first;
        }
        millrace_error_free(error);
        millrace_weights_release(weights);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_safetensors),         cmocka_unit_test(test_wrong_safetensors),
      cmocka_unit_test(test_damaged_safetensors), cmocka_unit_test(test_npz),
      cmocka_unit_test(test_wrong_npz),           cmocka_unit_test(test_damaged_npz)};
  void *none = NULL;
  if (make_folder(&none)) {
    return 1;
  }
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return remove_folder(&none) || failed;
}
