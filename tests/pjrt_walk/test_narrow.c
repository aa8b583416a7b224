// Integers narrower than a byte, written with anything above their bits, through each door by which a host's bytes come in: what
// hosts and programs find has zeros there.
#include <stdio.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

enum { N = 6 };
static const int64_t dims[] = {2, 3};
static const uint8_t strays[N] = {0xF1, 0x0E, 0x97, 0xFF, 0x80, 0x3A};

static const struct {
  PJRT_Buffer_Type type;
  const char *name;
  unsigned bits;
} types[] = {{PJRT_Buffer_Type_S4, "i4", 4},
             {PJRT_Buffer_Type_U4, "ui4", 4},
             {PJRT_Buffer_Type_S2, "i2", 2},
             {PJRT_Buffer_Type_U2, "ui2", 2}};
enum { TYPES = sizeof types / sizeof *types };

static const int64_t row_order[] = {1, 0}, column_order[] = {0, 1}, tile[] = {2, 2};
static const size_t tile_rank[] = {2};
static PJRT_Buffer_MemoryLayout layout_of(const int64_t *order, size_t num_tiles) {
  return (PJRT_Buffer_MemoryLayout){.struct_size = sizeof(PJRT_Buffer_MemoryLayout),
                                    .tiled = {.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled),
                                              .minor_to_major = order,
                                              .minor_to_major_size = 2,
                                              .tile_dims = tile,
                                              .tile_dim_sizes = tile_rank,
                                              .num_tiles = num_tiles},
                                    .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
}

static void assert_bytes(PJRT_Buffer *buffer, PJRT_Buffer_MemoryLayout *layout, size_t i) {
  uint8_t got[N];
  HOST_ARGS(args, Buffer_ToHostBuffer, .src = buffer, .host_layout = layout, .dst = got, .dst_size = N);
  HOST_OK(Buffer_ToHostBuffer, &args);
  assert_int_equal(host_await(args.event, NULL), PJRT_Error_Code_OK);
  for (size_t k = 0; k < N; k++) {
    assert_int_equal(got[k], strays[k] & ((1u << types[i].bits) - 1));
  }
}

// The buffer's bytes in the host's order and as they lie, and those of results that the program hands on and that it moves.
static void assert_clean(PJRT_Buffer *take_buffer, bool lies_in_rows, size_t i) {
  PJRT_Buffer_MemoryLayout rows = layout_of(row_order, 0);
  assert_bytes(take_buffer, &rows, i);
  if (lies_in_rows) {
    assert_bytes(take_buffer, NULL, i);
  }
  HOST_ARGS(type, Buffer_ElementType, .buffer = take_buffer);
  HOST_OK(Buffer_ElementType, &type);
  assert_int_equal(type.type, types[i].type);
  char text[512];
  snprintf(text, sizeof text,
           "func.func @main(%%x: tensor<2x3x%s>) -> (tensor<2x3x%s>, tensor<2x3x%s>) {\n"
           "  %%y = stablehlo.concatenate %%x, %%x, dim = 0 : (tensor<2x3x%s>, tensor<2x3x%s>) -> tensor<4x3x%s>\n"
           "  %%z = stablehlo.slice %%y [2:4, 0:3] : (tensor<4x3x%s>) -> tensor<2x3x%s>\n"
           "  return %%x, %%z : tensor<2x3x%s>, tensor<2x3x%s>\n}\n",
           types[i].name, types[i].name, types[i].name, types[i].name, types[i].name, types[i].name, types[i].name,
           types[i].name, types[i].name, types[i].name);
  PJRT_LoadedExecutable *loaded = host_compile(client, text);
  PJRT_Buffer *results[2];
  host_ok(host_execute(loaded, &take_buffer, 1, results), "Execute");
  for (int k = 0; k < 2; k++) {
    assert_bytes(results[k], NULL, i);
    host_buffer_destroy(results[k]);
  }
  host_buffer_destroy(take_buffer);
  host_loaded_destroy(loaded);
}

static PJRT_Buffer *put_as(const void *data, PJRT_Buffer_Type type, PJRT_Buffer_MemoryLayout *layout) {
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = data, .type = type, .dims = dims,
            .num_dims = 2, .device = device, .device_layout = layout);
  HOST_OK(Client_BufferFromHostBuffer, &args);
  assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  return args.buffer;
}

// Host arrays, into rows, columns and tiles.
static void test_host_arrays(void **state) {
  (void)state;
  PJRT_Buffer_MemoryLayout columns = layout_of(column_order, 0), tiles = layout_of(row_order, 1);
  for (size_t i = 0; i < TYPES; i++) {
    assert_clean(put_as(strays, types[i].type, NULL), true, i);
    assert_clean(put_as(strays, types[i].type, &columns), false, i);
    assert_clean(put_as(strays, types[i].type, &tiles), false, i);
  }
}

static PJRT_AsyncHostToDeviceTransferManager *manager_of(size_t i, PJRT_Buffer **out_buffer) {
  PJRT_ShapeSpec spec = {.struct_size = sizeof spec, .dims = dims, .num_dims = 2, .element_type = types[i].type};
  HOST_ARGS(args, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
            .num_shape_specs = 1, .memory = host_memory(device, "device"));
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &args);
  HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = args.transfer_manager);
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
  *out_buffer = get.buffer_out;
  return args.transfer_manager;
}

static void manager_destroy(PJRT_AsyncHostToDeviceTransferManager *manager) {
  HOST_ARGS(args, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &args);
}

// Raw pieces, a literal without a layout and one with.
static void test_transfer_managers(void **state) {
  (void)state;
  for (size_t i = 0; i < TYPES; i++) {
    PJRT_Buffer *buffer;
    PJRT_AsyncHostToDeviceTransferManager *manager = manager_of(i, &buffer);
    for (int piece = 1; piece >= 0; piece--) {
      HOST_ARGS(data, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = manager,
                .data = &strays[piece * 2], .offset = piece * 2, .transfer_size = piece ? N - 2 : 2,
                .is_last_transfer = piece == 0);
      HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &data);
      assert_int_equal(host_await(data.done_with_h2d_transfer, NULL), PJRT_Error_Code_OK);
    }
    assert_clean(buffer, true, i);
    manager_destroy(manager);
    PJRT_Buffer_MemoryLayout rows = layout_of(row_order, 0);
    for (int described = 0; described < 2; described++) {
      manager = manager_of(i, &buffer);
      HOST_ARGS(literal, AsyncHostToDeviceTransferManager_TransferLiteral, .transfer_manager = manager, .data = strays,
                .shape_dims = dims, .shape_num_dims = 2, .shape_element_type = types[i].type,
                .shape_layout = described ? &rows : NULL);
      HOST_OK(AsyncHostToDeviceTransferManager_TransferLiteral, &literal);
      assert_int_equal(host_await(literal.done_with_h2d_transfer, NULL), PJRT_Error_Code_OK);
      assert_clean(buffer, true, i);
      manager_destroy(manager);
    }
  }
}

static void test_raw_buffers(void **state) {
  (void)state;
  const PJRT_RawBuffer_Extension *raw =
      (const PJRT_RawBuffer_Extension *)(const void *)host_extension(PJRT_Extension_Type_RawBuffer);
  static const uint8_t zeros[N];
  for (size_t i = 0; i < TYPES; i++) {
    PJRT_Buffer *buffer = put_as(zeros, types[i].type, NULL);
    PJRT_RawBuffer_CreateRawAliasOfBuffer_Args make = {.struct_size = sizeof make, .buffer = buffer};
    host_ok(raw->create_raw_alias_of_buffer(&make), "CreateRawAliasOfBuffer");
    for (int piece = 1; piece >= 0; piece--) {
      PJRT_RawBuffer_CopyRawHostToDevice_Args put = {.struct_size = sizeof put,
                                                     .buffer = make.raw_buffer,
                                                     .src = &strays[piece * 2],
                                                     .offset = piece * 2,
                                                     .transfer_size = piece ? N - 2 : 2};
      host_ok(raw->copy_raw_host_to_device(&put), "CopyRawHostToDevice");
      assert_int_equal(host_await(put.event, NULL), PJRT_Error_Code_OK);
    }
    PJRT_RawBuffer_Destroy_Args destroy = {.struct_size = sizeof destroy, .buffer = make.raw_buffer};
    host_ok(raw->destroy(&destroy), "Destroy");
    assert_clean(buffer, true, i);
  }
}

// Memory that stays its owner's, which is not written: where it is, and in what layout, is as he said.
static void test_views(void **state) {
  (void)state;
  _Alignas(16) uint8_t block[N], columns[N];
  for (size_t k = 0; k < N; k++) {
    block[k] = strays[k];
    columns[k % 3 * 2 + k / 3] = strays[k];
  }
  for (size_t i = 0; i < 2 * TYPES; i++) {
    PJRT_Buffer_MemoryLayout layout = layout_of(column_order, 0);
    HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = i % 2 ? columns : block,
              .dims = dims, .num_dims = 2, .element_type = types[i / 2].type, .layout = i % 2 ? &layout : NULL,
              .memory = host_visible_memory(device));
    HOST_OK(Client_CreateViewOfDeviceBuffer, &view);
    HOST_ARGS(address, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = view.buffer);
    HOST_OK(Buffer_OpaqueDeviceMemoryDataPointer, &address);
    assert_ptr_equal(address.device_memory_ptr, i % 2 ? columns : block);
    HOST_ARGS(got, Buffer_GetMemoryLayout, .buffer = view.buffer);
    HOST_OK(Buffer_GetMemoryLayout, &got);
    assert_int_equal(got.layout.type, PJRT_Buffer_MemoryLayout_Type_Tiled);
    assert_memory_equal(got.layout.tiled.minor_to_major, i % 2 ? column_order : row_order, sizeof row_order);
    assert_clean(view.buffer, i % 2 == 0, i / 2);
    assert_memory_equal(block, strays, sizeof strays);
  }
}

// Bytes of a wider type; an alias of these is refused, as somebody may have its buffer already.
static void test_other_types(void **state) {
  (void)state;
  for (size_t i = 0; i < TYPES; i++) {
    PJRT_Buffer *bytes = put_as(strays, PJRT_Buffer_Type_U8, NULL);
    HOST_ARGS(cast, Buffer_Bitcast, .buffer = bytes, .element_type = types[i].type, .dims = dims, .num_dims = 2);
    HOST_OK(Buffer_Bitcast, &cast);
    assert_clean(cast.out_buffer, true, i);
    HOST_ARGS(alias, Client_CreateAliasBuffer, .client = client, .memory = host_memory(device, "device"),
              .shape_dims = dims, .shape_num_dims = 2, .shape_element_type = types[i].type);
    HOST_OK(Client_CreateAliasBuffer, &alias);
    HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = client, .buffer = bytes, .status_code = PJRT_Error_Code_OK,
              .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb);
    host_refused(host_api()->PJRT_Client_FulfillAliasBuffer(&fulfill), PJRT_Error_Code_INVALID_ARGUMENT,
                 "is fulfilled with ui8");
    host_buffer_destroy(alias.alias_buffer);
    host_buffer_destroy(bytes);
  }
}

static void fill(PJRT_CopyToDeviceStream *stream, void *user) {
  (void)user;
  for (int piece = 0; piece < 2; piece++) {
    PJRT_Chunk chunk = {.data = (void *)&strays[piece * 2], .size = piece ? N - 2 : 2};
    HOST_ARGS(add, CopyToDeviceStream_AddChunk, .stream = stream, .chunk = &chunk);
    HOST_OK(CopyToDeviceStream_AddChunk, &add);
    assert_int_equal(host_await(add.transfer_complete, NULL), PJRT_Error_Code_OK);
  }
  HOST_ARGS(gone, CopyToDeviceStream_Destroy, .stream = stream);
  HOST_OK(CopyToDeviceStream_Destroy, &gone);
}

static void test_receives(void **state) {
  (void)state;
  for (size_t i = 0; i < TYPES; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "func.func @main() -> tensor<2x3x%s> {\n"
             "  %%t = stablehlo.create_token : !stablehlo.token\n"
             "  %%r:2 = \"stablehlo.recv\"(%%t) {channel_handle = #stablehlo.channel_handle<handle = 6, type = 3>,\n"
             "    is_host_transfer = true} : (!stablehlo.token) -> (tensor<2x3x%s>, !stablehlo.token)\n"
             "  return %%r#0 : tensor<2x3x%s>\n}\n",
             types[i].name, types[i].name, types[i].name);
    PJRT_LoadedExecutable *loaded = host_compile(client, text);
    PJRT_RecvCallbackInfo recv = {.channel_id = 6, .recv_callback = fill}, *recvs = &recv;
    PJRT_ExecuteOptions options = {.struct_size = sizeof options, .recv_callbacks = &recvs, .num_recv_ops = 1};
    PJRT_Buffer *const *none = NULL;
    PJRT_Buffer *result, **results = &result;
    HOST_ARGS(args, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = &none,
              .num_devices = 1, .output_lists = &results);
    HOST_OK(LoadedExecutable_Execute, &args);
    assert_bytes(result, NULL, i);
    host_buffer_destroy(result);
    host_loaded_destroy(loaded);
  }
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_host_arrays), cmocka_unit_test(test_transfer_managers),
                                     cmocka_unit_test(test_raw_buffers), cmocka_unit_test(test_views),
                                     cmocka_unit_test(test_other_types), cmocka_unit_test(test_receives)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
