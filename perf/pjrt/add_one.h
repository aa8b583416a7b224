// add_one: x + 1 on 128 floats, compiled by a plugin: what the cost of a call is measured with.
#ifndef MR_PERF_PJRT_ADD_ONE_H
#define MR_PERF_PJRT_ADD_ONE_H

#include "perf/pjrt/host.h"

enum { SIZE = 128 };

typedef struct add_one {
  const PJRT_Api *api;
  PJRT_Client *client;
  PJRT_LoadedExecutable *executable;
  PJRT_Buffer *x;
} add_one;

static add_one open_add_one(const char *path) {
  static const char text[] = "func.func @main(%x: tensor<128xf32>) -> tensor<128xf32> {\n"
                             "  %c = stablehlo.constant dense<1.0> : tensor<128xf32>\n"
                             "  %y = stablehlo.add %x, %c : tensor<128xf32>\n"
                             "  return %y : tensor<128xf32>\n}\n";
  static const float data[SIZE];
  static const int64_t dims[1] = {SIZE};
  open_plugin(path);
  PJRT_Client *client = create_client();
  PJRT_Client_AddressableDevices_Args devices = {.struct_size = sizeof devices, .client = client};
  CALL(Client_AddressableDevices, &devices);
  PJRT_Client_BufferFromHostBuffer_Args put = {.struct_size = sizeof put,
                                               .client = client,
                                               .data = data,
                                               .type = PJRT_Buffer_Type_F32,
                                               .dims = dims,
                                               .num_dims = 1,
                                               .host_buffer_semantics =
                                                   PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                                               .device = devices.addressable_devices[0]};
  CALL(Client_BufferFromHostBuffer, &put);
  destroy_event(put.done_with_host_buffer);
  return (add_one){api, client, compile_text(client, text, sizeof text - 1), put.buffer};
}

#endif
