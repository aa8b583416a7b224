// What the functions of the table refuse, by the words they refuse it with: options, layouts, host arrays, transfers and programs
// that are wrong in one thing. NULL and short structs: host_refusals.h and walk_orders.c.
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_refusals.h"
#include "tests/pjrt_walk/walk.h"

static PJRT_Client *client;
static PJRT_Device *device;
static PJRT_Buffer *six;

static int setup(void **state) {
  (void)state;
  client = host_client_create(1);
  device = host_device(client, 0);
  six = host_put(client, device, walk_six, walk_dims, 1);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  host_buffer_destroy(six);
  host_client_destroy(client);
  return 0;
}

// `error` is one of INVALID_ARGUMENT with these words.
static void invalid(PJRT_Error *take_error, const char *says) {
  host_refused(take_error, PJRT_Error_Code_INVALID_ARGUMENT, says);
}

// ---- Options ----------------------------------------------------------------------------------------------------------------

static PJRT_NamedValue int_option(const char *name, int64_t value) {
  return (PJRT_NamedValue){.struct_size = sizeof(PJRT_NamedValue),
                           .name = name,
                           .name_size = strlen(name),
                           .type = PJRT_NamedValue_kInt64,
                           .int64_value = value,
                           .value_size = 1};
}

static PJRT_NamedValue text_option(const char *name, const char *value) {
  return (PJRT_NamedValue){.struct_size = sizeof(PJRT_NamedValue),
                           .name = name,
                           .name_size = strlen(name),
                           .type = PJRT_NamedValue_kString,
                           .string_value = value,
                           .value_size = strlen(value)};
}

static void refuses_option(PJRT_NamedValue option, const char *says) {
  HOST_ARGS(args, Client_Create, .create_options = &option, .num_options = 1);
  invalid(host_api()->PJRT_Client_Create(&args), says);
}

static void test_client_options(void **state) {
  (void)state;
  char longest[300];
  memset(longest, 'x', sizeof longest);
  longest[sizeof longest - 1] = 0;
  refuses_option(text_option("platform_name", ""), "platform_name has 0 characters, wanted 1 to");
  refuses_option(text_option("platform_name", longest), "platform_name has 299 characters, wanted 1 to");
  refuses_option(int_option("platform_name", 1), "option 'platform_name' has type 1, wanted a string");
  refuses_option(int_option("num_devices", 0), "option 'num_devices' is 0, wanted 1 to");
  refuses_option(text_option("num_devices", ""), "option 'num_devices' has a value of 0 characters, wanted an integer");
  refuses_option(text_option("num_devices", longest), "has a value of 299 characters, wanted an integer");
  refuses_option(text_option("num_devices", "2x"), "option 'num_devices' is '2x', wanted an integer");
  refuses_option(text_option("num_devices", "99999999999999999999"), "is '99999999999999999999', wanted an integer");
  PJRT_NamedValue real = int_option("num_devices", 1);
  real.type = PJRT_NamedValue_kFloat;
  refuses_option(real, "option 'num_devices' has type 3, wanted an integer");
  refuses_option(int_option("streams", 2), "option 'streams' is 2, wanted 0 to 1");
  refuses_option(int_option("num_nodes", 0), "option 'num_nodes' is 0, wanted 1 to");
  refuses_option(int_option("node_id", 1), "option 'node_id' is 1, wanted 0 to 0");
  refuses_option(int_option("topology_timeout_ms", 0), "option 'topology_timeout_ms' is 0, wanted 1 to");
}

// ---- Layouts ----------------------------------------------------------------------------------------------------------------

static void refuses_layout(PJRT_Buffer_MemoryLayout layout, PJRT_Error_Code code, const char *says) {
  float got[64];
  layout.struct_size = sizeof layout;
  HOST_ARGS(read, Buffer_ToHostBuffer, .src = six, .dst = got, .dst_size = sizeof got, .host_layout = &layout);
  host_refused(host_api()->PJRT_Buffer_ToHostBuffer(&read), code, says);
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = client, .data = walk_six, .type = PJRT_Buffer_Type_F32,
            .dims = walk_dims, .num_dims = 1, .device = device, .device_layout = &layout);
  host_refused(host_api()->PJRT_Client_BufferFromHostBuffer(&put), code, says);
}

static PJRT_Buffer_MemoryLayout tiled(const int64_t *order, size_t rank, const int64_t *sizes, const size_t *ranks,
                                      size_t num_tiles) {
  return (PJRT_Buffer_MemoryLayout){.type = PJRT_Buffer_MemoryLayout_Type_Tiled,
                                    .tiled = {.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled),
                                              .minor_to_major = order,
                                              .minor_to_major_size = rank,
                                              .tile_dims = sizes,
                                              .tile_dim_sizes = ranks,
                                              .num_tiles = num_tiles}};
}

static PJRT_Buffer_MemoryLayout strided(const int64_t *strides, size_t rank) {
  return (PJRT_Buffer_MemoryLayout){.type = PJRT_Buffer_MemoryLayout_Type_Strides,
                                    .strides = {.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Strides),
                                                .byte_strides = strides,
                                                .num_byte_strides = rank}};
}

static void test_layouts(void **state) {
  (void)state;
  static const int64_t order[] = {0, 1}, wrong[] = {3}, sizes[64] = {2}, none[] = {0}, far[] = {INT64_MAX / 2};
  static const size_t ones[64] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, zero[] = {0}, many[] = {1000};
  const PJRT_Error_Code bad = PJRT_Error_Code_INVALID_ARGUMENT, missing = PJRT_Error_Code_UNIMPLEMENTED;
  refuses_layout(tiled(order, 2, NULL, NULL, 0), bad, "layout of rank 2 for an array of rank 1");
  refuses_layout(tiled(NULL, 1, NULL, NULL, 0), bad, "layout of rank 1 with 0 tiles, but no list of them");
  refuses_layout(tiled(order, 1, NULL, ones, 1), bad, "layout of rank 1 with 1 tiles, but no list of them");
  refuses_layout(tiled(wrong, 1, NULL, NULL, 0), bad, "layout: entry 0 is 3, wanted a permutation of 0..0");
  refuses_layout(tiled(order, 1, sizes, ones, 16), missing, "layout with 16 levels of tiles: at most");
  refuses_layout(tiled(order, 1, sizes, many, 1), missing, "layout: tile 0 has 1000 sizes: at most");
  refuses_layout(tiled(order, 1, sizes, zero, 1), bad, "layout: tile 0 has no sizes");
  refuses_layout(tiled(order, 1, none, ones, 1), bad, "layout: size 0 of tile 0 is 0, wanted at least 1");
  refuses_layout((PJRT_Buffer_MemoryLayout){.type = 7}, bad, "layout of type 7, wanted 0 (tiled) or 1 (strides)");
  refuses_layout(strided(order, 2), bad, "layout of rank 2 for an array of rank 1");
  refuses_layout(strided(NULL, 1), bad, "layout of rank 1 for an array of rank 1");
  refuses_layout(strided(far, 1), bad, "layout: stride 0 is 4611686018427387903 bytes, which leads out of memory");
}

// ---- Host arrays ------------------------------------------------------------------------------------------------------------

static void refuses_array(PJRT_Client_BufferFromHostBuffer_Args args, const char *says) {
  args.struct_size = sizeof args;
  args.client = client;
  args.device = device;
  invalid(host_api()->PJRT_Client_BufferFromHostBuffer(&args), says);
}

static void test_host_arrays(void **state) {
  (void)state;
  static const int64_t ones[40] = {1}, huge[] = {INT64_MAX, 4}, negative[] = {-1}, strides[] = {4, 4};
  refuses_array(
      (PJRT_Client_BufferFromHostBuffer_Args){
          .data = walk_six, .type = PJRT_Buffer_Type_F32, .dims = ones, .num_dims = 40},
      "array of rank 40, wanted at most 32");
  refuses_array((PJRT_Client_BufferFromHostBuffer_Args){.data = walk_six, .type = PJRT_Buffer_Type_F32, .num_dims = 1},
                "array of rank 1 with its dimensions at NULL");
  refuses_array(
      (PJRT_Client_BufferFromHostBuffer_Args){
          .data = walk_six, .type = (PJRT_Buffer_Type)99, .dims = walk_dims, .num_dims = 1},
      "element type 99, wanted 1 to");
  refuses_array(
      (PJRT_Client_BufferFromHostBuffer_Args){
          .data = walk_six, .type = PJRT_Buffer_Type_F32, .dims = huge, .num_dims = 2},
      "9223372036854775807");
  refuses_array(
      (PJRT_Client_BufferFromHostBuffer_Args){
          .data = walk_six, .type = PJRT_Buffer_Type_F32, .dims = negative, .num_dims = 1},
      "-1");
  refuses_array((PJRT_Client_BufferFromHostBuffer_Args){.data = walk_six,
                                                        .type = PJRT_Buffer_Type_F32,
                                                        .dims = walk_dims,
                                                        .num_dims = 1,
                                                        .byte_strides = strides,
                                                        .num_byte_strides = 2},
                "2 byte strides for an array of rank 1");
  refuses_array((PJRT_Client_BufferFromHostBuffer_Args){.data = walk_six,
                                                        .type = PJRT_Buffer_Type_F32,
                                                        .dims = walk_dims,
                                                        .num_dims = 1,
                                                        .host_buffer_semantics = (PJRT_HostBufferSemantics)9},
                "host buffer semantics 9, wanted 0 to 3");
  refuses_array((PJRT_Client_BufferFromHostBuffer_Args){.type = PJRT_Buffer_Type_F32, .dims = walk_dims, .num_dims = 1},
                "a host array of 24 bytes at NULL");
  float got[2];
  HOST_ARGS(read, Buffer_ToHostBuffer, .src = six, .dst = got, .dst_size = sizeof got);
  invalid(host_api()->PJRT_Buffer_ToHostBuffer(&read), "destination has 8 bytes, wanted 24");
  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = client, .device = device, .dims = walk_dims, .num_dims = 1,
            .element_type = PJRT_Buffer_Type_F32, .device_buffer_ptr = (char *)(uintptr_t)walk_six + 1);
  invalid(host_api()->PJRT_Client_CreateViewOfDeviceBuffer(&view), "which is not aligned to");
}

// ---- Memory of the host, processes, devices -----------------------------------------------------------------------------------

static void test_host_memory_and_processes(void **state) {
  (void)state;
  static char page[64];
  HOST_ARGS(map, Client_DmaMap, .client = client, .data = page, .size = 0);
  invalid(host_api()->PJRT_Client_DmaMap(&map), "0 bytes at address");
  map.size = SIZE_MAX;
  invalid(host_api()->PJRT_Client_DmaMap(&map), "cannot be mapped");
  map.size = sizeof page;
  HOST_OK(Client_DmaMap, &map);
  host_refused(host_api()->PJRT_Client_DmaMap(&map), PJRT_Error_Code_ALREADY_EXISTS, "are mapped already");
  HOST_ARGS(unmap, Client_DmaUnmap, .client = client, .data = page);
  HOST_OK(Client_DmaUnmap, &unmap);
  host_refused(host_api()->PJRT_Client_DmaUnmap(&unmap), PJRT_Error_Code_NOT_FOUND, "no memory is mapped from address");

  PJRT_ProcessInfo info = {.struct_size = sizeof info, .task_id = -1, .state = PJRT_ProcessState_kConnected};
  HOST_ARGS(update, Client_UpdateGlobalProcessInfo, .client = client, .process_infos = &info, .num_process_infos = 1);
  invalid(host_api()->PJRT_Client_UpdateGlobalProcessInfo(&update), "process 0: task id -1");
  info.state = (PJRT_ProcessState)9;
  invalid(host_api()->PJRT_Client_UpdateGlobalProcessInfo(&update), "process 0: state 9 and error code 0, wanted 1 to");
  info.struct_size = 8;
  invalid(host_api()->PJRT_Client_UpdateGlobalProcessInfo(&update), "process 0: struct_size is 8, wanted at least");

  HOST_ARGS(poison, Device_PoisonExecution, .device = device, .error_message = "why", .error_message_size = 3);
  invalid(host_api()->PJRT_Device_PoisonExecution(&poison), "an execution is poisoned with code OK");
}

// ---- Programs -----------------------------------------------------------------------------------------------------------------

static void test_programs(void **state) {
  (void)state;
  PJRT_Program program = walk_program(walk_add);
  HOST_ARGS(compile, Client_Compile, .client = client, .program = &program);
  program.struct_size = 16;
  invalid(host_api()->PJRT_Client_Compile(&compile), "program: struct_size is 16, wanted at least");
  program = walk_program(walk_add);
  program.code = NULL;
  invalid(host_api()->PJRT_Client_Compile(&compile), "program: code is NULL");
  program = walk_program(walk_add);
  program.format = NULL;
  invalid(host_api()->PJRT_Client_Compile(&compile), "program: format is NULL");
  program = walk_program(walk_add);
  // executable_build_options: two replicas of one client's device; then an assignment of a device that is not there.
  static const char two[] = {0x1A, 0x02, 0x20, 0x02};
  compile.compile_options = two;
  compile.compile_options_size = sizeof two;
  invalid(host_api()->PJRT_Client_Compile(&compile), "2 replicas times 1 partitions, wanted at most 1 devices");
  static const char seventh[] = {0x1A, 0x0E, 0x20, 0x01, 0x28, 0x01, 0x4A, 0x08,
                                 0x08, 0x01, 0x10, 0x01, 0x1A, 0x02, 0x08, 0x07};
  compile.compile_options = seventh;
  compile.compile_options_size = sizeof seventh;
  invalid(host_api()->PJRT_Client_Compile(&compile), "device assignment names device 7, wanted 0 to 0");
}

// ---- Transfers ----------------------------------------------------------------------------------------------------------------

static void test_transfers(void **state) {
  (void)state;
  PJRT_ShapeSpec shape = {
      .struct_size = sizeof shape, .dims = walk_dims, .num_dims = 1, .element_type = PJRT_Buffer_Type_F32};
  HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &shape,
            .num_shape_specs = 1, .memory = host_memory(device, "device"));
  HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
  PJRT_AsyncHostToDeviceTransferManager *manager = create.transfer_manager;
  HOST_ARGS(odd, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &shape,
            .num_shape_specs = 1, .memory = host_memory(device, "device"),
            .device_layouts = (PJRT_Buffer_MemoryLayout *[]){NULL, NULL}, .num_device_layouts = 2);
  invalid(host_api()->PJRT_Client_CreateBuffersForAsyncHostToDevice(&odd), "2 layouts for 1 shapes");
  HOST_ARGS(literal, AsyncHostToDeviceTransferManager_TransferLiteral, .transfer_manager = manager, .data = walk_six,
            .shape_dims = walk_dims, .shape_num_dims = 1, .shape_element_type = (PJRT_Buffer_Type)99);
#define REFUSES(slot, args, says) invalid(host_api()->PJRT_AsyncHostToDeviceTransferManager_##slot(args), says)
  REFUSES(TransferLiteral, &literal, "element type 99, wanted 1 to");
  literal.shape_element_type = PJRT_Buffer_Type_F32;
  literal.shape_dims = (const int64_t[]){-3};
  REFUSES(TransferLiteral, &literal, "has a negative dimension");
  literal.shape_dims = walk_dims;
  HOST_ARGS(piece, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = manager, .buffer_index = 3,
            .data = walk_six, .transfer_size = 4);
  REFUSES(TransferData, &piece, "buffer index 3 of 1 buffers");
  literal.shape_element_type = PJRT_Buffer_Type_F64;
  REFUSES(TransferLiteral, &literal, "a literal of 48 bytes for a buffer of 24 bytes");
  literal.buffer_index = 3;
  REFUSES(TransferLiteral, &literal, "buffer index 3 of 1 buffers");
  literal.buffer_index = 0;
  static const int64_t order[] = {0};
  PJRT_Buffer_MemoryLayout layout = tiled(order, 1, NULL, NULL, 0);
  layout.struct_size = sizeof layout;
  literal.shape_layout = &layout;
  REFUSES(TransferLiteral, &literal, "a literal of another shape than the buffer's");
  literal.shape_element_type = PJRT_Buffer_Type_F32;
  layout.type = 7;
  REFUSES(TransferLiteral, &literal, "layout of type 7");
  PJRT_NamedValue value = int_option("a", 1);
  HOST_ARGS(metadata, AsyncHostToDeviceTransferManager_AddMetadata, .transfer_manager = manager,
            .transfer_metadata = &value, .num_metadata = 1);
  HOST_OK(AsyncHostToDeviceTransferManager_AddMetadata, &metadata);
  value.type = 17;
  REFUSES(AddMetadata, &metadata, "metadata 0: a value of type 17, wanted a name and a type of 0 to");
  value.struct_size = 8;
  REFUSES(AddMetadata, &metadata, "metadata 0: struct_size is 8, wanted at least");
  HOST_ARGS(retrieve, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = manager, .buffer_index = 3);
  REFUSES(RetrieveBuffer, &retrieve, "buffer index 3 of 1 buffers");
  retrieve.buffer_index = 0;
  HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &retrieve);
  PJRT_Buffer *buffer = retrieve.buffer_out;
  host_refused(host_api()->PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer(&retrieve),
               PJRT_Error_Code_FAILED_PRECONDITION, "buffer 0 was retrieved before");
  HOST_ARGS(gone, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = manager);
  HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &gone);
  const char *message;
  assert_int_not_equal(host_await_buffer(buffer, &message), PJRT_Error_Code_OK);
  assert_non_null(strstr(message, "the transfer manager was destroyed before the buffer was filled"));
  host_buffer_destroy(buffer);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_client_options), cmocka_unit_test(test_layouts),
      cmocka_unit_test(test_host_arrays),    cmocka_unit_test(test_host_memory_and_processes),
      cmocka_unit_test(test_programs),       cmocka_unit_test(test_transfers),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
