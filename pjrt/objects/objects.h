// The structs behind the ABI's handles. Private to pjrt/.
//
// Threads: after they are handed out these are read-only, except where a field says otherwise.
// Lifetimes: a client owns its devices, memories, descriptions and topology. A host may destroy it before buffers, loaded executables and
// managers of transfers, and what is under way: then it is closed, and stays in memory until the last of these is gone. They
// keep its platform (a buffer does so by itself), which takes the client along. An executable is counted: a loaded executable
// holds one, GetExecutable lends out more.
#ifndef MR_PJRT_OBJECTS_OBJECTS_H
#define MR_PJRT_OBJECTS_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "compiler/compiler.h"
#include "core/core.h"
#include "core/ref.h"
#include "devices/devices.h"
#include "pjrt/abi.h"
#include "pjrt/abi/api.h"
#include "pjrt/cross_host/nodes.h"
#include "pjrt/layout/form.h"
#include "pjrt/layout/layout.h"
#include "pjrt/objects/event.h"

// ---- Client and what it owns --------------------------------------------------------------------------------------------

struct PJRT_MemoryDescription {
  mr_memory_kind kind;
};

struct PJRT_DeviceDescription {
  int id;  // in the whole run; those of a process follow each other
  int process_index;
  int local_id;  // among the devices of its process
  int slice;
  int machine;                       // see mr_pjrt_node
  char kind[2 * MR_PJRT_NAME_SIZE];  // "millrace", and of devices that do not run native code what they are
  PJRT_NamedValue slice_attribute;   // what a host asks for
  char debug_string[MR_PJRT_NAME_SIZE];
  char to_string[MR_PJRT_NAME_SIZE];
};

// Something a host attached to a memory.
typedef struct mr_pjrt_user_data {
  const void *key;
  void *data;
  void (*dtor)(void *data);  // may be NULL
  struct mr_pjrt_user_data *next;
} mr_pjrt_user_data;

typedef struct mr_pjrt_memory {
  PJRT_Memory base;  // first: hosts read its table
  mr_memory *memory;
  PJRT_Device *device;
  mr_pjrt_user_data *user_data;  // under the client's mutex
  char debug_string[MR_PJRT_NAME_SIZE];
} mr_pjrt_memory;

struct PJRT_Device {
  PJRT_Client *client;
  mr_device *device;  // NULL: another process's, which has no memories here
  PJRT_DeviceDescription *description;
  mr_pjrt_memory memories[MR_MEMORY_KINDS];
  PJRT_Memory *memory_list[MR_MEMORY_KINDS];  // the default memory first
  PJRT_Device *self;                          // a list of one, for Memory_AddressableByDevices
  struct mr_pjrt_completion *completion;      // completion.h's
};

struct PJRT_TopologyDescription {
  char platform_name[MR_PJRT_NAME_SIZE];
  size_t platform_name_size;
  PJRT_DeviceDescription *descriptions;
  PJRT_DeviceDescription **description_list;
  size_t count;
};

typedef struct mr_pjrt_flights mr_pjrt_flights;  // flights.h

// Memory that a host registered.
typedef struct mr_pjrt_dma_range {
  struct mr_pjrt_dma_range *next;
  uintptr_t start;
  size_t size;
} mr_pjrt_dma_range;

struct PJRT_Client {
  mr_platform *platform;  // owned; the client goes when it is gone
  _Atomic(bool) closed;   // relaxed everywhere: a host that destroys it and begins something at once gets either answer
  mr_future *warm;        // owned; the compiler's warm-up, NULL when there is none
  struct mr_pjrt_client_ext *ext;  // owned; ext_client.h
  mr_pjrt_flights *flights;
  PJRT_TopologyDescription *topology;
  int process_index;
  PJRT_Device *devices;
  PJRT_Device **device_list;  // by global id
  size_t device_count;
  PJRT_Device **local_list;  // this process's, by local id; within the other list
  size_t local_count;
  PJRT_Memory **memory_list;  // by id of the platform's memories: all of local device 0, then of local device 1, ...
  size_t memory_count;
  pthread_mutex_t user_data_lock;  // also of the next
  mr_pjrt_dma_range *dma_ranges;
};
// FAILED_PRECONDITION when the host has destroyed it: nothing begins any more.
mr_status mr_pjrt_client_check(const PJRT_Client *client) MR_WARN_UNUSED;

// "millrace 0.2.0"
#define MR_PJRT_PLATFORM_VERSION "millrace " MILLRACE_VERSION
// "millrace 0.2.0 (build 0123456789abcdef)": what hosts are told. The number says which build this is and for which
// processor it compiles; JAX makes it part of its cache's keys, as a serialized executable of another one is refused.
mr_str mr_pjrt_platform_version(void);
#define MR_PJRT_DEVICE_KIND "millrace"

// A topology that is not tied to a client.
mr_status mr_pjrt_topology_create(mr_str platform_name, const mr_pjrt_node *nodes, size_t node_count,
                                  PJRT_TopologyDescription **out) MR_WARN_UNUSED;
void mr_pjrt_topology_release(PJRT_TopologyDescription *topology);
// Default platform name, number of devices and whatever else the named values of a host say.
typedef struct mr_pjrt_create_options {
  char platform_name[MR_PJRT_NAME_SIZE];
  uint32_t num_devices;             // 0: not said
  uint32_t num_cpus;                // as XLA:CPU is asked for devices, by an option or XLA_FLAGS; 0: not said
  char devices[MR_PJRT_NAME_SIZE];  // their kinds, as MILLRACE_DEVICES has them; "": not said
  int32_t node_id, num_nodes;
  int32_t slice;                   // -1: not said
  int32_t topology_timeout_ms;     // how long to wait for the other processes
  bool no_streams;                 // the host wants none of devices
  uint32_t queue_calls, queue_mb;  // as mr_platform_options has them
  bool waits;                      // a call over one device is over when it returns
  mr_str in_call;                  // the host's; custom calls that have run when a call over one device returns
} mr_pjrt_create_options;
mr_status mr_pjrt_create_options_read(const PJRT_NamedValue *values, size_t count,
                                      mr_pjrt_create_options *out) MR_WARN_UNUSED;

// What "millrace" is called in messages that name platforms by numbers.
uint64_t mr_pjrt_platform_id(void);

// Where programs go that do not say where: within this process's devices if they fit there, else among all.
typedef struct mr_pjrt_places {
  size_t count;                     // of all devices
  size_t first_local, local_count;  // of this process's
  const mr_figures *figures;        // what they can do; NULL: nobody knows
  const mr_target *target;          // what they run; NULL: native code
  PJRT_Client *client;              // whose devices say what they can do and run, in place of these; may be NULL
} mr_pjrt_places;
static inline mr_pjrt_places mr_pjrt_client_places(PJRT_Client *client) {
  return (mr_pjrt_places){client->device_count,
                          (size_t)(client->local_list - client->device_list),
                          client->local_count,
                          NULL,
                          NULL,
                          client};
}
// Without a client no process is this one. NULL: one device.
static inline mr_pjrt_places mr_pjrt_topology_places(const PJRT_TopologyDescription *topology) {
  size_t count = topology ? topology->count : 1;
  return (mr_pjrt_places){count, 0, count, NULL, NULL, NULL};
}
static inline size_t mr_pjrt_first_place(mr_pjrt_places places, size_t wanted) {
  return wanted <= places.local_count ? places.first_local : 0;
}

// INVALID_ARGUMENT for a device of another process.
mr_status mr_pjrt_check_addressable(const PJRT_Device *device) MR_WARN_UNUSED;
// The client's device with this global id, or NULL.
static inline PJRT_Device *mr_pjrt_device_of_id(PJRT_Client *client, int64_t id) {
  return id >= 0 && (size_t)id < client->device_count ? client->device_list[id] : NULL;
}
static inline mr_pjrt_memory *mr_pjrt_memory_of(PJRT_Memory *memory) { return (mr_pjrt_memory *)memory; }
// By XLA's numbers for the names, which hosts compare across plugins.
extern const int mr_pjrt_memory_kind_ids[MR_MEMORY_KINDS];
static inline mr_memory *mr_pjrt_unwrap_memory(PJRT_Memory *memory) { return mr_pjrt_memory_of(memory)->memory; }
// `memory`, or the device's default one, or the client's: as an ABI call that has both fields means it. INVALID_ARGUMENT
// for one that is another client's.
mr_status mr_pjrt_choose_memory(PJRT_Client *client, PJRT_Memory *memory, PJRT_Device *device,
                                PJRT_Memory **out_memory) MR_WARN_UNUSED;
void mr_pjrt_memory_init(mr_pjrt_memory *memory, mr_memory *inner, PJRT_Device *device);
void mr_pjrt_memory_deinit(mr_pjrt_memory *memory);
extern const PJRT_MemoryDescription mr_pjrt_memory_descriptions[MR_MEMORY_KINDS];

// ---- Buffers --------------------------------------------------------------------------------------------------------------

struct PJRT_Buffer {
  mr_buffer *buffer;   // retained
  mr_pjrt_form *form;  // retained; NULL: row-major
  mr_pjrt_memory *memory;
  _Atomic(uint32_t) external;  // external references that the host has through this handle
  bool is_token;               // a program's token result: hosts see a token, inside it is pred[0]
};

// The two halves of wrapping, for callers that may not fail in between.
PJRT_Buffer *mr_pjrt_buffer_allocate(void);
void mr_pjrt_buffer_free(PJRT_Buffer *buffer);
// Where the handle's buffer lies, and its form (NULL: row-major), of which the handle has a reference of its own.
void mr_pjrt_buffer_place(PJRT_Buffer *handle, PJRT_Memory *memory, mr_pjrt_form *form);
mr_status mr_pjrt_buffer_wrap_checked(PJRT_Memory *memory, mr_buffer *take_buffer, mr_pjrt_form *form,
                                      PJRT_Buffer **out_buffer) MR_WARN_UNUSED;
// The layout that a host is told: row-major or the form's; NULL when there is none, as strides leave gaps. Borrowed.
PJRT_Layouts_MemoryLayout *mr_pjrt_buffer_layout(const PJRT_Buffer *buffer);

// An array as a host describes it: element type, dimensions, and a layout or NULL.
typedef struct mr_pjrt_shape {
  mr_dtype dtype;
  size_t rank, bytes;  // bytes: on the device
  int64_t dims[MR_MAX_RANK];
  mr_pjrt_form *form;  // owned
  // What its mr_buffer is made with.
  mr_dtype block_dtype;
  size_t block_rank;
  int64_t block_dims[MR_MAX_RANK];
} mr_pjrt_shape;
// INVALID_ARGUMENT for what cannot be an array on a device; then there is nothing to deinit.
mr_status mr_pjrt_shape_init(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                             const PJRT_Buffer_MemoryLayout *layout) MR_WARN_UNUSED;
// The same for memory that is the host's already, where elements may share bytes.
mr_status mr_pjrt_shape_init_view(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                                  const PJRT_Buffer_MemoryLayout *layout) MR_WARN_UNUSED;
// The same for what may have been written as another type.
mr_status mr_pjrt_shape_init_bytes(mr_pjrt_shape *shape, PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                                   const PJRT_Buffer_MemoryLayout *layout) MR_WARN_UNUSED;
static inline void mr_pjrt_shape_deinit(mr_pjrt_shape *shape) { mr_pjrt_form_release(shape->form); }
// Element type and dimensions as a host gave them: a known type, a rank and sizes that are supported.
mr_status mr_pjrt_check_shape(PJRT_Buffer_Type type, const int64_t *dims, size_t rank,
                              mr_dtype *out_dtype) MR_WARN_UNUSED;

// INVALID_ARGUMENT unless `size` bytes from `offset` lie within `bytes`.
mr_status mr_pjrt_check_range(size_t bytes, int64_t offset, int64_t size) MR_WARN_UNUSED;

// ---- Executables ------------------------------------------------------------------------------------------------------------

// What the ABI asks about the parameters, or about the results, of an executable; made when it is compiled.
typedef struct mr_pjrt_ports {
  size_t count;
  PJRT_Layouts_MemoryLayout **layouts;
  mr_pjrt_form **forms;  // NULL: row-major
  bool *in_form;         // the program gives it in its form
  bool any_moved;        // some have a form that the program does not give
  const char **memory_kinds;
  size_t *memory_kind_sizes;
  const char **shardings;  // serialized OpSharding
  size_t *sharding_sizes;
  PJRT_Buffer_Type *types;
  size_t *ranks;
  int64_t *dims;  // of all, one after another
} mr_pjrt_ports;

enum { MR_PJRT_COST_PROPERTIES = 4 };

struct PJRT_Executable {
  mr_ref ref;
  pthread_mutex_t optimized_lock;  // of the next
  mr_text optimized;               // the optimized program (optimized.h), while it is kept
  mr_executable *executable;       // owned
  mr_arena arena;                  // what the ports and the bytes are in
  mr_span program;                 // as it came
  mr_program_format format;
  mr_span options;     // a serialized CompileOptionsProto
  mr_figures figures;  // that it was compiled with
  mr_target target;    // likewise, when
  bool for_target;     // its devices do not run native code
  int64_t replicas, partitions;
  int64_t *device_ids;  // [replica * partitions + partition]
  bool calls_host;      // its completion is told in the order of the calls
  uint32_t *donated;    // parameters that the program takes over
  size_t donated_count;
  mr_pjrt_ports params, results;
  PJRT_NamedValue costs[MR_PJRT_COST_PROPERTIES];
};

struct PJRT_LoadedExecutable {
  PJRT_Client *client;
  PJRT_Executable *executable;  // retained
  size_t device_count;          // of this process's
  PJRT_Device **devices;
  PJRT_LogicalDeviceIds *logical_ids;
  bool in_call;  // over one device, with a custom call that has run when the call returns
  // relaxed everywhere: a host that deletes and executes at once gets either answer.
  _Atomic(bool) deleted;
};

// What the compiler is told of the options, which have to stay.
struct mr_pjrt_options;
mr_compile_options mr_pjrt_options_for(const PJRT_Executable *executable, const struct mr_pjrt_options *options);
mr_status mr_pjrt_executable_compile(mr_span program, mr_program_format format, mr_span options, mr_pjrt_places places,
                                     PJRT_Executable **out_executable) MR_WARN_UNUSED;
void mr_pjrt_executable_release(PJRT_Executable *executable);
// Binds an executable, which is retained, to devices of a client.
mr_status mr_pjrt_executable_load(PJRT_Client *client, PJRT_Executable *executable,
                                  PJRT_LoadedExecutable **out_loaded) MR_WARN_UNUSED;

#endif
