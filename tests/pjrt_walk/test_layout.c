// Arrays in other orders than row-major: on the host, on the device, and as parameters and results of programs.
#define HOST_DEVICES 2

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

static const float rows[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};  // of one 2 by 3 array
static const int64_t dims[] = {2, 3}, row_order[] = {1, 0}, column_order[] = {0, 1};

static PJRT_Buffer_MemoryLayout order_layout(const int64_t *minor_to_major) {
  return (PJRT_Buffer_MemoryLayout){.struct_size = sizeof(PJRT_Buffer_MemoryLayout),
                                    .tiled = {.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled),
                                              .minor_to_major = minor_to_major,
                                              .minor_to_major_size = 2},
                                    .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
}

static PJRT_Buffer *put_columns(void) {
  PJRT_Buffer_MemoryLayout layout = order_layout(column_order);
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = rows, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = 2, .device = device, .device_layout = &layout);
  HOST_OK(Client_BufferFromHostBuffer, &args);
  assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  return args.buffer;
}

// The order that the buffer reports, its logical dimensions, the bytes as they lie, and the array in row-major order.
static void assert_array(PJRT_Buffer *buffer, const int64_t *order, const float *bytes) {
  HOST_ARGS(layout, Buffer_GetMemoryLayout, .buffer = buffer);
  HOST_OK(Buffer_GetMemoryLayout, &layout);
  assert_memory_equal(layout.layout.tiled.minor_to_major, order, 2 * sizeof *order);
  HOST_ARGS(shape, Buffer_Dimensions, .buffer = buffer);
  HOST_OK(Buffer_Dimensions, &shape);
  assert_memory_equal(shape.dims, dims, sizeof dims);
  float got[6] = {0};
  HOST_ARGS(raw, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .transfer_size = sizeof got);
  HOST_OK(Buffer_CopyRawToHost, &raw);
  assert_int_equal(host_await(raw.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, bytes, sizeof got);
  HOST_ARGS(as_is, Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof got);
  HOST_OK(Buffer_ToHostBuffer, &as_is);  // without a layout: as it lies
  assert_int_equal(host_await(as_is.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, bytes, sizeof got);
  PJRT_Buffer_MemoryLayout wanted = order_layout(row_order);
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = buffer, .host_layout = &wanted, .dst = got, .dst_size = sizeof got);
  HOST_OK(Buffer_ToHostBuffer, &to_host);
  assert_int_equal(host_await(to_host.event, NULL), PJRT_Error_Code_OK);
  assert_memory_equal(got, rows, sizeof got);
}

// A host asks for an order and gets it, also in copies of the buffer and in what takes its place.
static void test_order_is_kept(void **state) {
  (void)state;
  PJRT_Buffer *buffer = put_columns();
  assert_array(buffer, column_order, columns);
  HOST_ARGS(copy, Buffer_CopyToMemory, .buffer = buffer, .dst_memory = host_memory(host_device(client, 1), "device"));
  HOST_OK(Buffer_CopyToMemory, &copy);
  assert_array(copy.dst_buffer, column_order, columns);
  host_buffer_destroy(copy.dst_buffer);
  PJRT_Buffer_MemoryLayout layout = order_layout(column_order);
  HOST_ARGS(alias, Client_CreateAliasBuffer, .client = client, .shape_dims = dims, .shape_num_dims = 2,
            .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &layout);
  HOST_OK(Client_CreateAliasBuffer, &alias);
  HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = client, .buffer = buffer,
            .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb);
  HOST_OK(Client_FulfillAliasBuffer, &fulfill);
  assert_array(alias.alias_buffer, column_order, columns);
  host_buffer_destroy(alias.alias_buffer);
  HOST_ARGS(give, Buffer_DonateWithControlDependency, .buffer = buffer);
  HOST_OK(Buffer_DonateWithControlDependency, &give);
  PJRT_Buffer_DonateWithControlDependency_Callback_Args go = {.struct_size = sizeof go,
                                                              .callback_data = give.callback_data};
  give.dependency_ready_callback(&go);
  assert_array(give.out_buffer, column_order, columns);
  host_buffer_destroy(give.out_buffer);
  host_buffer_destroy(buffer);
}

// Strides that are an order are taken as one.
static void test_strides_as_device_layouts(void **state) {
  (void)state;
  int64_t strides[] = {4, 8};
  PJRT_Buffer_MemoryLayout layout = {
      .struct_size = sizeof layout,
      .strides = {.struct_size = sizeof layout.strides, .byte_strides = strides, .num_byte_strides = 2},
      .type = PJRT_Buffer_MemoryLayout_Type_Strides};
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = rows, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = 2, .device = device, .device_layout = &layout);
  HOST_OK(Client_BufferFromHostBuffer, &args);
  host_await(args.done_with_host_buffer, NULL);
  assert_array(args.buffer, column_order, columns);
  host_buffer_destroy(args.buffer);
}

// A buffer that a transfer manager fills has the order it was made with; a literal may come in another.
static void test_transfer_manager(void **state) {
  (void)state;
  PJRT_Buffer_MemoryLayout order = order_layout(column_order), *orders[] = {&order};
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 2, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1, .device_layouts = orders, .num_device_layouts = 1);
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  HOST_ARGS(literal, AsyncHostToDeviceTransferManager_TransferLiteral, .transfer_manager = create.transfer_manager,
            .data = rows, .shape_dims = dims, .shape_num_dims = 2, .shape_element_type = PJRT_Buffer_Type_F32);
  HOST_OK(AsyncHostToDeviceTransferManager_TransferLiteral, &literal);
  host_await(literal.done_with_h2d_transfer, NULL);
  assert_array(get.buffer_out, column_order, columns);
  host_buffer_destroy(get.buffer_out);
  HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
}

static const char doubling[] = "func.func public @main(%x: tensor<2x3xf32> {mhlo.layout_mode = \"{0,1}\"}) -> "
                               "(tensor<2x3xf32> {mhlo.layout_mode = "
                               "\"{0,1}\"}, tensor<2x3xf32>) {\n"
                               "  %a = stablehlo.add %x, %x : tensor<2x3xf32>\n"
                               "  return %a, %x : tensor<2x3xf32>, tensor<2x3xf32>\n}\n";

// A program's results have the orders that it was compiled with, whatever the order of its arguments.
static void test_programs(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded = host_compile(client, doubling);
  PJRT_Buffer *arguments[] = {put_columns(), host_put(client, device, rows, dims, 2)}, *results[2];
  for (int i = 0; i < 2; i++) {
    host_ok(host_execute(loaded, &arguments[i], 1, results), "Execute");
    assert_array(results[1], row_order, rows);
    HOST_ARGS(layout, Buffer_GetMemoryLayout, .buffer = results[0]);
    HOST_OK(Buffer_GetMemoryLayout, &layout);
    assert_memory_equal(layout.layout.tiled.minor_to_major, column_order, sizeof column_order);
    float got[6];
    host_get(results[0], got, 6);
    for (int k = 0; k < 6; k++) {
      assert_true(got[k] == 2 * columns[k]);
    }
    host_buffer_destroy(results[0]);
    host_buffer_destroy(results[1]);
    host_buffer_destroy(arguments[i]);
  }
  host_loaded_destroy(loaded);
}

// A program that asks for what is no layout of its array is refused by name.
static void test_bad_requests(void **state) {
  (void)state;
  static const struct {
    const char *mode;
    PJRT_Error_Code code;
  } cases[] = {{"{0,0}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{1}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{1,0,}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{99999999999999999999,0}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{1,0:T(8,128}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{1,0:T(0)}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{1,0:E(4)}", PJRT_Error_Code_INVALID_ARGUMENT},
               {"{1,0:S(1)}", PJRT_Error_Code_UNIMPLEMENTED}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func public @main(%%x: tensor<2x3xf32> {mhlo.layout_mode = \"%s\"}) -> tensor<2x3xf32> {\n"
             "  return %%x : tensor<2x3xf32>\n}\n",
             cases[i].mode);
    PJRT_Program program = {
        .struct_size = sizeof program, .code = text, .code_size = strlen(text), .format = "mlir", .format_size = 4};
    HOST_ARGS(args, Client_Compile, .client = client, .program = &program);
    const char *message;
    assert_int_equal(host_take_error(host_api()->PJRT_Client_Compile(&args), &message), cases[i].code);
    assert_non_null(strstr(message, "parameter 0"));
  }
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_is_kept), cmocka_unit_test(test_strides_as_device_layouts),
      cmocka_unit_test(test_transfer_manager), cmocka_unit_test(test_programs), cmocka_unit_test(test_bad_requests)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
