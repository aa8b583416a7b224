// Arrays on a device in layouts with tiles, gaps and negative strides, through every function that makes, reads, moves or
// runs on them. Where elements lie is written out by hand here; tests/pjrt/test_placing.c has every other layout.
#define HOST_DEVICES 2

#include <stdio.h>
#include <string.h>

#include "tests/cmocka.h"
#include "tests/pjrt_walk/host_client.h"

enum { MOST = 8, LAYOUTS = 8 };

static const float rows[] = {1, 2, 3, 4, 5, 6};
static const int64_t dims[] = {2, 3};

// How a 2 by 3 array lies in each; 0 where nothing does.
static const struct {
  const char *mode;  // as a program spells it; NULL: strides
  int64_t order[2];
  size_t num_tiles, tile_ranks[2];
  int64_t tile_sizes[4], strides[2];
  size_t count, first;  // elements that have room, and which the first one is
  float block[MOST];
} cases[LAYOUTS] = {
    {"{1,0:T(2,2)}", {1, 0}, 1, {2}, {2, 2}, {0}, 8, 0, {1, 2, 4, 5, 3, 0, 6, 0}},
    {"{1,0:T(4)}", {1, 0}, 1, {1}, {4}, {0}, 8, 0, {1, 2, 3, 0, 4, 5, 6, 0}},
    {"{1,0:T(2,2)(2,1)}", {1, 0}, 2, {2, 2}, {2, 2, 2, 1}, {0}, 8, 0, {1, 4, 2, 5, 3, 6, 0, 0}},
    {"{0,1:T(2)}", {0, 1}, 1, {1}, {2}, {0}, 6, 0, {1, 4, 2, 5, 3, 6}},
    {"{0,1:T(2,2)}", {0, 1}, 1, {2}, {2, 2}, {0}, 8, 0, {1, 4, 2, 5, 3, 6, 0, 0}},
    {NULL, {0}, 0, {0}, {0}, {16, 4}, 7, 0, {1, 2, 3, 0, 4, 5, 6}},
    {NULL, {0}, 0, {0}, {0}, {4, -12}, 8, 6, {3, 6, 0, 2, 5, 0, 1, 4}},
    {NULL, {0}, 0, {0}, {0}, {-12, -4}, 6, 5, {6, 5, 4, 3, 2, 1}},
};

static PJRT_Buffer_MemoryLayout layout_of(size_t i) {
  PJRT_Buffer_MemoryLayout layout = {.struct_size = sizeof layout, .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
  if (cases[i].mode) {
    layout.tiled = (PJRT_Buffer_MemoryLayout_Tiled){.struct_size = sizeof layout.tiled,
                                                    .minor_to_major = cases[i].order,
                                                    .minor_to_major_size = 2,
                                                    .tile_dims = cases[i].tile_sizes,
                                                    .tile_dim_sizes = cases[i].tile_ranks,
                                                    .num_tiles = cases[i].num_tiles};
  } else {
    layout.type = PJRT_Buffer_MemoryLayout_Type_Strides;
    layout.strides = (PJRT_Buffer_MemoryLayout_Strides){
        .struct_size = sizeof layout.strides, .byte_strides = cases[i].strides, .num_byte_strides = 2};
  }
  return layout;
}

static size_t bytes_of(size_t i) { return cases[i].count * sizeof(float); }

static void get_as(PJRT_Buffer *buffer, PJRT_Buffer_MemoryLayout *layout, float *out, size_t bytes) {
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = buffer, .host_layout = layout);
  HOST_OK(Buffer_ToHostBuffer, &to_host);
  assert_int_equal(to_host.dst_size, bytes);
  to_host.dst = out;
  HOST_OK(Buffer_ToHostBuffer, &to_host);
  assert_int_equal(host_await(to_host.event, NULL), PJRT_Error_Code_OK);
}

static const int64_t row_order[] = {1, 0};
static PJRT_Buffer_MemoryLayout row_layout(void) {
  return (PJRT_Buffer_MemoryLayout){.struct_size = sizeof(PJRT_Buffer_MemoryLayout),
                                    .tiled = {.struct_size = sizeof(PJRT_Buffer_MemoryLayout_Tiled),
                                              .minor_to_major = row_order,
                                              .minor_to_major_size = 2},
                                    .type = PJRT_Buffer_MemoryLayout_Type_Tiled};
}

static void assert_layout(PJRT_Buffer *buffer, size_t i) {
  HOST_ARGS(got, Buffer_GetMemoryLayout, .buffer = buffer);
  HOST_OK(Buffer_GetMemoryLayout, &got);
  if (!cases[i].mode) {
    assert_int_equal(got.layout.type, PJRT_Buffer_MemoryLayout_Type_Strides);
    assert_int_equal(got.layout.strides.num_byte_strides, 2);
    assert_memory_equal(got.layout.strides.byte_strides, cases[i].strides, sizeof cases[i].strides);
    return;
  }
  assert_int_equal(got.layout.type, PJRT_Buffer_MemoryLayout_Type_Tiled);
  assert_memory_equal(got.layout.tiled.minor_to_major, cases[i].order, sizeof cases[i].order);
  assert_int_equal(got.layout.tiled.num_tiles, cases[i].num_tiles);
  size_t sizes = cases[i].tile_ranks[0] + cases[i].tile_ranks[1];
  assert_memory_equal(got.layout.tiled.tile_dim_sizes, cases[i].tile_ranks, cases[i].num_tiles * sizeof(size_t));
  assert_memory_equal(got.layout.tiled.tile_dims, cases[i].tile_sizes, sizes * sizeof(int64_t));
}

static const char *text_of(PJRT_Layouts_MemoryLayout *layout) {
  static char text[64];
  const PJRT_Layouts_Extension *layouts = (const PJRT_Layouts_Extension *)host_extension(PJRT_Extension_Type_Layouts);
  PJRT_Layouts_MemoryLayout_Serialize_Args args = {.struct_size = sizeof args, .layout = layout};
  host_ok(layouts->memory_layout_serialize(&args), "memory_layout_serialize");
  snprintf(text, sizeof text, "%.*s", (int)args.serialized_bytes_size, args.serialized_bytes);
  args.serialized_layout_deleter(args.serialized_layout);
  return text;
}

// The layout object says the same; for strides that leave gaps there is none.
static void assert_layout_object(PJRT_Buffer *buffer, size_t i) {
  const PJRT_Layouts_Extension *layouts = (const PJRT_Layouts_Extension *)host_extension(PJRT_Extension_Type_Layouts);
  PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args args = {.struct_size = sizeof args, .buffer = buffer};
  if (!cases[i].mode) {
    host_refused(layouts->buffer_memory_layout(&args), PJRT_Error_Code_UNIMPLEMENTED, "strides that leave gaps");
    assert_null(args.layout);
    return;
  }
  host_ok(layouts->buffer_memory_layout(&args), "buffer_memory_layout");
  assert_string_equal(text_of(args.layout), cases[i].mode);
  PJRT_Layouts_MemoryLayout_Destroy_Args destroy = {.struct_size = sizeof destroy, .layout = args.layout};
  host_ok(layouts->memory_layout_destroy(&destroy), "memory_layout_destroy");
}

// Everything that can be asked of an array in layout i: type, dimensions, size, layout, the bytes of its block, and the array
// in row-major order and in every other layout.
static void assert_array(PJRT_Buffer *buffer, size_t i, bool gaps_are_zero) {
  float got[MOST];
  HOST_ARGS(type, Buffer_ElementType, .buffer = buffer);
  HOST_OK(Buffer_ElementType, &type);
  assert_int_equal(type.type, PJRT_Buffer_Type_F32);
  HOST_ARGS(shape, Buffer_Dimensions, .buffer = buffer);
  HOST_OK(Buffer_Dimensions, &shape);
  assert_int_equal(shape.num_dims, 2);
  assert_memory_equal(shape.dims, dims, sizeof dims);
  HOST_ARGS(size, Buffer_OnDeviceSizeInBytes, .buffer = buffer);
  HOST_OK(Buffer_OnDeviceSizeInBytes, &size);
  assert_int_equal(size.on_device_size_in_bytes, bytes_of(i));
  assert_layout(buffer, i);
  assert_layout_object(buffer, i);
  HOST_ARGS(raw, Buffer_CopyRawToHost, .buffer = buffer, .dst = got, .transfer_size = (int64_t)bytes_of(i));
  HOST_OK(Buffer_CopyRawToHost, &raw);
  assert_int_equal(host_await(raw.event, NULL), PJRT_Error_Code_OK);
  for (size_t k = 0; k < cases[i].count; k++) {
    assert_true(got[k] == cases[i].block[k] || (!gaps_are_zero && cases[i].block[k] == 0));
  }
  PJRT_Buffer_MemoryLayout layout = row_layout();
  get_as(buffer, &layout, got, sizeof rows);
  assert_memory_equal(got, rows, sizeof rows);
  for (size_t k = 0; k < LAYOUTS; k++) {
    layout = layout_of(k);
    memset(got, 0, sizeof got);
    get_as(buffer, &layout, got, bytes_of(k));
    assert_memory_equal(got, cases[k].block, bytes_of(k));
  }
}

static PJRT_Buffer *put_as(size_t i) {
  PJRT_Buffer_MemoryLayout layout = layout_of(i);
  HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = rows, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = 2, .device = device, .device_layout = &layout);
  HOST_OK(Client_BufferFromHostBuffer, &args);
  assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
  return args.buffer;
}

// From a dense host array, from one that runs backwards, and to another device; donated on.
static void test_from_host(void **state) {
  (void)state;
  for (size_t i = 0; i < LAYOUTS; i++) {
    PJRT_Buffer *buffer = put_as(i);
    assert_array(buffer, i, true);
    HOST_ARGS(copy, Buffer_CopyToMemory, .buffer = buffer, .dst_memory = host_memory(host_device(client, 1), "device"));
    HOST_OK(Buffer_CopyToMemory, &copy);
    assert_array(copy.dst_buffer, i, true);
    host_buffer_destroy(copy.dst_buffer);
    HOST_ARGS(give, Buffer_DonateWithControlDependency, .buffer = buffer);
    HOST_OK(Buffer_DonateWithControlDependency, &give);
    PJRT_Buffer_DonateWithControlDependency_Callback_Args go = {.struct_size = sizeof go,
                                                                .callback_data = give.callback_data};
    give.dependency_ready_callback(&go);
    assert_true(host_buffer_is_deleted(buffer));
    assert_array(give.out_buffer, i, true);
    host_buffer_destroy(give.out_buffer);
    host_buffer_destroy(buffer);
    static const float backwards[] = {6, 5, 4, 3, 2, 1};
    static const int64_t strides[] = {-12, -4};
    PJRT_Buffer_MemoryLayout layout = layout_of(i);
    HOST_ARGS(args, Client_BufferFromHostBuffer, .client = client, .data = &backwards[5], .type = PJRT_Buffer_Type_F32,
              .dims = dims, .num_dims = 2, .device = device, .device_layout = &layout, .byte_strides = strides,
              .num_byte_strides = 2);
    HOST_OK(Client_BufferFromHostBuffer, &args);
    assert_int_equal(host_await(args.done_with_host_buffer, NULL), PJRT_Error_Code_OK);
    assert_array(args.buffer, i, true);
    host_buffer_destroy(args.buffer);
  }
}

static int told;
static void *told_of;
static void tell(void *data, void *arg) {
  assert_ptr_equal(arg, &told);
  told_of = data;
  told++;
}

// A view is where its owner said, by the first element, and follows what the owner writes.
static void test_views(void **state) {
  (void)state;
  for (size_t i = 0; i < LAYOUTS; i++) {
    PJRT_Buffer_MemoryLayout layout = layout_of(i);
    float block[MOST];
    memcpy(block, cases[i].block, sizeof block);
    float *first = &block[cases[i].first];
    HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = first, .dims = dims,
              .num_dims = 2, .element_type = PJRT_Buffer_Type_F32, .layout = &layout,
              .memory = host_visible_memory(device), .on_delete_callback = tell, .on_delete_callback_arg = &told);
    HOST_OK(Client_CreateViewOfDeviceBuffer, &view);
    assert_array(view.buffer, i, true);
    HOST_ARGS(address, Buffer_UnsafePointer, .buffer = view.buffer);
    HOST_OK(Buffer_UnsafePointer, &address);
    assert_true(address.buffer_pointer == (uintptr_t)first);
    HOST_ARGS(pointer, Buffer_OpaqueDeviceMemoryDataPointer, .buffer = view.buffer);
    HOST_OK(Buffer_OpaqueDeviceMemoryDataPointer, &pointer);
    assert_ptr_equal(pointer.device_memory_ptr, first);
    *first = 9;
    PJRT_Buffer_MemoryLayout dense = row_layout();
    float got[6];
    get_as(view.buffer, &dense, got, sizeof got);
    assert_true(got[0] == 9 && got[5] == 6);
    told = 0;
    host_buffer_destroy(view.buffer);
    assert_int_equal(told, 1);
    assert_ptr_equal(told_of, first);
  }
}

// A view may name one element several times; what is written may not.
static void test_shared_elements(void **state) {
  (void)state;
  static const int64_t again[] = {0, 4};
  static const float wanted[] = {1, 2, 3, 1, 2, 3};
  PJRT_Buffer_MemoryLayout layout = {
      .struct_size = sizeof layout,
      .strides = {.struct_size = sizeof layout.strides, .byte_strides = again, .num_byte_strides = 2},
      .type = PJRT_Buffer_MemoryLayout_Type_Strides};
  HOST_ARGS(view, Client_CreateViewOfDeviceBuffer, .client = client, .device_buffer_ptr = (void *)rows, .dims = dims,
            .num_dims = 2, .element_type = PJRT_Buffer_Type_F32, .layout = &layout,
            .memory = host_visible_memory(device));
  HOST_OK(Client_CreateViewOfDeviceBuffer, &view);
  PJRT_Buffer_MemoryLayout dense = row_layout();
  float got[6];
  get_as(view.buffer, &dense, got, sizeof got);
  assert_memory_equal(got, wanted, sizeof got);
  HOST_ARGS(size, Buffer_OnDeviceSizeInBytes, .buffer = view.buffer);
  HOST_OK(Buffer_OnDeviceSizeInBytes, &size);
  assert_int_equal(size.on_device_size_in_bytes, 12);
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = client, .data = rows, .type = PJRT_Buffer_Type_F32,
            .dims = dims, .num_dims = 2, .device = device, .device_layout = &layout);
  host_refused(host_api()->PJRT_Client_BufferFromHostBuffer(&put), PJRT_Error_Code_INVALID_ARGUMENT, "stride of 0");
  HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = view.buffer, .host_layout = &layout, .dst = got, .dst_size = 12);
  host_refused(host_api()->PJRT_Buffer_ToHostBuffer(&to_host), PJRT_Error_Code_INVALID_ARGUMENT, "stride of 0");
  host_buffer_destroy(view.buffer);
}

// Transfer managers: raw bytes in two pieces in the buffer's layout, and a literal in each of the others.
static void test_transfer_managers(void **state) {
  (void)state;
  for (size_t i = 0; i < LAYOUTS; i++) {
    for (size_t k = 0; k <= LAYOUTS; k++) {
      PJRT_Buffer_MemoryLayout layout = layout_of(i), *layouts[] = {&layout}, other = layout_of(k % LAYOUTS);
      PJRT_ShapeSpec spec = {
          .struct_size = sizeof spec, .dims = dims, .num_dims = 2, .element_type = PJRT_Buffer_Type_F32};
      HOST_ARGS(create, Client_CreateBuffersForAsyncHostToDevice, .client = client, .shape_specs = &spec,
                .num_shape_specs = 1, .device_layouts = layouts, .num_device_layouts = 1);
      HOST_OK(Client_CreateBuffersForAsyncHostToDevice, &create);
      HOST_ARGS(get, AsyncHostToDeviceTransferManager_RetrieveBuffer, .transfer_manager = create.transfer_manager);
      HOST_OK(AsyncHostToDeviceTransferManager_RetrieveBuffer, &get);
      HOST_ARGS(size, AsyncHostToDeviceTransferManager_BufferSize, .transfer_manager = create.transfer_manager);
      HOST_OK(AsyncHostToDeviceTransferManager_BufferSize, &size);
      assert_int_equal(size.buffer_size, bytes_of(i));
      if (k < LAYOUTS) {
        HOST_ARGS(literal, AsyncHostToDeviceTransferManager_TransferLiteral,
                  .transfer_manager = create.transfer_manager, .data = cases[k].block, .shape_dims = dims,
                  .shape_num_dims = 2, .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &other);
        HOST_OK(AsyncHostToDeviceTransferManager_TransferLiteral, &literal);
        host_await(literal.done_with_h2d_transfer, NULL);
      } else {
        for (int piece = 1; piece >= 0; piece--) {
          HOST_ARGS(data, AsyncHostToDeviceTransferManager_TransferData, .transfer_manager = create.transfer_manager,
                    .data = &cases[i].block[piece * 4], .offset = piece * 16,
                    .transfer_size = piece ? (int64_t)bytes_of(i) - 16 : 16, .is_last_transfer = piece == 0);
          HOST_OK(AsyncHostToDeviceTransferManager_TransferData, &data);
          host_await(data.done_with_h2d_transfer, NULL);
        }
      }
      assert_array(get.buffer_out, i, true);
      host_buffer_destroy(get.buffer_out);
      HOST_ARGS(destroy, AsyncHostToDeviceTransferManager_Destroy, .transfer_manager = create.transfer_manager);
      HOST_OK(AsyncHostToDeviceTransferManager_Destroy, &destroy);
    }
  }
}

// Bytes become an array in a layout and back; an alias takes what has its layout and nothing else.
static void test_other_makers(void **state) {
  (void)state;
  for (size_t i = 0; i < LAYOUTS; i++) {
    const int64_t flat[] = {(int64_t)bytes_of(i)};
    PJRT_Buffer_MemoryLayout layout = layout_of(i), other = layout_of((i + 1) % LAYOUTS);
    HOST_ARGS(put, Client_BufferFromHostBuffer, .client = client, .data = cases[i].block, .type = PJRT_Buffer_Type_U8,
              .dims = flat, .num_dims = 1, .device = device);
    HOST_OK(Client_BufferFromHostBuffer, &put);
    host_await(put.done_with_host_buffer, NULL);
    HOST_ARGS(cast, Buffer_Bitcast, .buffer = put.buffer, .element_type = PJRT_Buffer_Type_F32, .dims = dims,
              .num_dims = 2, .device_layout = &layout);
    HOST_OK(Buffer_Bitcast, &cast);
    assert_array(cast.out_buffer, i, true);
    HOST_ARGS(back, Buffer_Bitcast, .buffer = cast.out_buffer, .element_type = PJRT_Buffer_Type_U8, .dims = flat,
              .num_dims = 1);
    HOST_OK(Buffer_Bitcast, &back);
    host_buffer_destroy(back.out_buffer);
    HOST_ARGS(alias, Client_CreateAliasBuffer, .client = client, .shape_dims = dims, .shape_num_dims = 2,
              .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &layout);
    HOST_OK(Client_CreateAliasBuffer, &alias);
    HOST_ARGS(fulfill, Client_FulfillAliasBuffer, .client = client, .buffer = cast.out_buffer,
              .fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb);
    HOST_OK(Client_FulfillAliasBuffer, &fulfill);
    assert_array(alias.alias_buffer, i, true);
    host_buffer_destroy(alias.alias_buffer);
    alias.shape_layout = &other;
    HOST_OK(Client_CreateAliasBuffer, &alias);
    fulfill.fulfill_alias_buffer_cb = alias.fulfill_alias_buffer_cb;
    host_refused(host_api()->PJRT_Client_FulfillAliasBuffer(&fulfill), PJRT_Error_Code_INVALID_ARGUMENT, "an alias");
    host_buffer_destroy(alias.alias_buffer);
    HOST_ARGS(nothing, Client_CreateUninitializedBuffer, .client = client, .shape_dims = dims, .shape_num_dims = 2,
              .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &layout, .device = device);
    HOST_OK(Client_CreateUninitializedBuffer, &nothing);
    assert_layout(nothing.buffer, i);
    host_buffer_destroy(nothing.buffer);
    host_buffer_destroy(cast.out_buffer);
    host_buffer_destroy(put.buffer);
  }
}

// ---- Programs ----------------------------------------------------------------------------------------------------------------

static PJRT_LoadedExecutable *compile_for(size_t i, bool donates) {
  char text[512];
  snprintf(text, sizeof text,
           "func.func public @main(%%x: tensor<2x3xf32> {mhlo.layout_mode = \"%s\"%s}) -> (tensor<2x3xf32> "
           "{mhlo.layout_mode = \"%s\"}, tensor<2x3xf32>) {\n"
           "  %%a = stablehlo.negate %%x : tensor<2x3xf32>\n"
           "  return %%x, %%a : tensor<2x3xf32>, tensor<2x3xf32>\n}\n",
           cases[i].mode ? cases[i].mode : "default", donates ? ", jax.buffer_donor = true" : "",
           cases[i].mode ? cases[i].mode : "default");
  return host_compile(client, text);
}

// Programs take arguments in any layout, and their results have the layouts they were compiled with.
static void test_programs(void **state) {
  (void)state;
  for (size_t i = 0; i < LAYOUTS; i++) {
    PJRT_LoadedExecutable *loaded = compile_for(i, false);
    for (size_t k = 0; k < LAYOUTS; k++) {
      PJRT_Buffer *argument = put_as(k), *results[2];
      host_ok(host_execute(loaded, &argument, 1, results), "Execute");
      if (cases[i].mode) {
        assert_array(results[0], i, true);
      }
      float got[6];
      host_get(results[1], got, 6);
      for (int n = 0; n < 6; n++) {
        assert_true(got[n] == -rows[n]);
      }
      assert_array(argument, k, true);
      host_buffer_destroy(results[0]);
      host_buffer_destroy(results[1]);
      host_buffer_destroy(argument);
    }
    host_loaded_destroy(loaded);
  }
}

// What the executable says about its parameters and results is what it was asked for.
static void test_layouts_of_programs(void **state) {
  (void)state;
  const PJRT_Layouts_Extension *layouts = (const PJRT_Layouts_Extension *)host_extension(PJRT_Extension_Type_Layouts);
  for (size_t i = 0; cases[i].mode; i++) {
    PJRT_LoadedExecutable *loaded = compile_for(i, true);
    HOST_ARGS(get, LoadedExecutable_GetExecutable, .loaded_executable = loaded);
    HOST_OK(LoadedExecutable_GetExecutable, &get);
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args params = {.struct_size = sizeof params,
                                                                    .executable = get.executable};
    host_ok(layouts->executable_get_parameter_layouts(&params), "parameter layouts");
    assert_string_equal(text_of(params.layouts[0]), cases[i].mode);
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args outputs = {.struct_size = sizeof outputs,
                                                                  .executable = get.executable};
    host_ok(layouts->executable_get_output_layouts(&outputs), "output layouts");
    assert_string_equal(text_of(outputs.layouts[0]), cases[i].mode);
    assert_string_equal(text_of(outputs.layouts[1]), "{1,0}");
    PJRT_Buffer *argument = put_as(i), *results[2];
    host_ok(host_execute(loaded, &argument, 1, results), "Execute");
    assert_true(host_buffer_is_deleted(argument));
    assert_array(results[0], i, true);
    host_buffer_destroy(argument);
    host_buffer_destroy(results[0]);
    host_buffer_destroy(results[1]);
    HOST_ARGS(drop, Executable_Destroy, .executable = get.executable);
    HOST_OK(Executable_Destroy, &drop);
    host_loaded_destroy(loaded);
  }
}

// An argument in rows, given up for a result that is to be in tiles: refused calls have not taken it (see host_ok).
static void test_donated_rows(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded =
      host_compile(client, "func.func public @main(%x: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}) -> "
                           "(tensor<2x3xf32> {mhlo.layout_mode = \"{1,0:T(2,2)}\"}) {\n"
                           "  %a = stablehlo.negate %x : tensor<2x3xf32>\n"
                           "  %b = stablehlo.negate %a : tensor<2x3xf32>\n"
                           "  return %b : tensor<2x3xf32>\n}\n");
  PJRT_Buffer *argument = host_put(client, device, rows, dims, 2), *result = NULL;
  host_ok(host_execute(loaded, &argument, 1, &result), "Execute");
  assert_true(host_buffer_is_deleted(argument));
  assert_array(result, 0, true);
  host_buffer_destroy(result);
  host_buffer_destroy(argument);
  host_loaded_destroy(loaded);
}

// Elements of four bits, two to a byte, in tiles of four: a program gives them and takes them.
static void test_packed_elements(void **state) {
  (void)state;
  PJRT_LoadedExecutable *loaded =
      host_compile(client, "func.func public @main(%x: tensor<2x3xui4> {mhlo.layout_mode = \"{1,0:T(4)E(4)}\"}) -> "
                           "(tensor<2x3xui4> {mhlo.layout_mode = \"{1,0:T(4)E(4)}\"}, tensor<2x3xui4>) {\n"
                           "  return %x, %x : tensor<2x3xui4>, tensor<2x3xui4>\n}\n");
  static const uint8_t values[] = {1, 2, 3, 13, 14, 15}, packed[] = {0x21, 0x03, 0xED, 0x0F};
  HOST_ARGS(put, Client_BufferFromHostBuffer, .client = client, .data = values, .type = PJRT_Buffer_Type_U4,
            .dims = dims, .num_dims = 2, .device = device);
  HOST_OK(Client_BufferFromHostBuffer, &put);
  host_await(put.done_with_host_buffer, NULL);
  PJRT_Buffer *results[2], *again[2];
  host_ok(host_execute(loaded, &put.buffer, 1, results), "Execute");
  host_ok(host_execute(loaded, &results[0], 1, again), "Execute");
  uint8_t got[6];
  for (int i = 0; i < 2; i++) {
    PJRT_Buffer *buffer = i ? again[0] : results[0];
    HOST_ARGS(raw, Buffer_ToHostBuffer, .src = buffer, .dst = got, .dst_size = sizeof packed);
    HOST_OK(Buffer_ToHostBuffer, &raw);
    assert_int_equal(host_await(raw.event, NULL), PJRT_Error_Code_OK);
    assert_memory_equal(got, packed, sizeof packed);
    PJRT_Buffer_MemoryLayout dense = row_layout();
    HOST_ARGS(to_host, Buffer_ToHostBuffer, .src = i ? again[1] : buffer, .host_layout = &dense, .dst = got,
              .dst_size = sizeof got);
    HOST_OK(Buffer_ToHostBuffer, &to_host);
    assert_int_equal(host_await(to_host.event, NULL), PJRT_Error_Code_OK);
    assert_memory_equal(got, values, sizeof got);
  }
  for (int i = 0; i < 2; i++) {
    host_buffer_destroy(results[i]);
    host_buffer_destroy(again[i]);
  }
  host_buffer_destroy(put.buffer);
  host_loaded_destroy(loaded);
}

// Large enough for several threads, from a pending buffer: a tiled result goes into the next program before it is there.
static void test_large_and_pending(void **state) {
  (void)state;
  enum { N = 1030 };
  static const int64_t large[] = {N, N};
  static float values[N * N], got[N * N];
  for (int i = 0; i < N * N; i++) {
    values[i] = (float)i;
  }
  PJRT_LoadedExecutable *loaded = host_compile(
      client, "func.func public @main(%x: tensor<1030x1030xf32>) -> (tensor<1030x1030xf32> {mhlo.layout_mode = "
              "\"{1,0:T(8,128)}\"}) {\n"
              "  %a = stablehlo.negate %x : tensor<1030x1030xf32>\n"
              "  return %a : tensor<1030x1030xf32>\n}\n");
  PJRT_Buffer *first = host_put(client, device, values, large, 2), *buffers[5] = {first};
  PJRT_ExecuteOptions options = {.struct_size = sizeof options};
  for (int i = 0; i < 4; i++) {
    PJRT_Buffer *const *arguments[] = {&buffers[i]};
    PJRT_Buffer **outputs[] = {&buffers[i + 1]};
    HOST_ARGS(run, LoadedExecutable_Execute, .executable = loaded, .options = &options, .argument_lists = arguments,
              .num_devices = 1, .num_args = 1, .output_lists = outputs);
    HOST_OK(LoadedExecutable_Execute, &run);
  }
  HOST_ARGS(size, Buffer_OnDeviceSizeInBytes, .buffer = buffers[4]);
  HOST_OK(Buffer_OnDeviceSizeInBytes, &size);
  assert_int_equal(size.on_device_size_in_bytes, 1032 * 1152 * sizeof(float));
  PJRT_Buffer_MemoryLayout dense = row_layout();
  get_as(buffers[4], &dense, got, sizeof got);
  assert_memory_equal(got, values, sizeof got);
  for (int i = 0; i < 5; i++) {
    host_buffer_destroy(buffers[i]);
  }
  host_loaded_destroy(loaded);
}

int main(int argc, char **argv) {
  host_set_library(argc > 1 ? argv[1] : NULL);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_from_host),           cmocka_unit_test(test_views),
      cmocka_unit_test(test_shared_elements),     cmocka_unit_test(test_transfer_managers),
      cmocka_unit_test(test_other_makers),        cmocka_unit_test(test_programs),
      cmocka_unit_test(test_layouts_of_programs), cmocka_unit_test(test_donated_rows),
      cmocka_unit_test(test_packed_elements),     cmocka_unit_test(test_large_and_pending)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
