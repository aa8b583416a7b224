// Compile options as a host sends them (a serialized CompileOptionsProto), read into plain C; and the other protos
// that cross the ABI. protobuf-c stays inside this folder.
//
// Threads: plain data; a parsed object is read-only and may be shared. Ownership: everything a mr_pjrt_options points to
// belongs to it and is freed by mr_pjrt_options_deinit; nothing points into the bytes that were parsed.
//
//   mr_pjrt_options options;
//   MR_TRY(mr_pjrt_options_parse(bytes, size, &options));
//   for (size_t i = 0; i < options.override_count; i++) use(options.overrides[i].key);
//   mr_pjrt_options_deinit(&options);
#ifndef MR_PJRT_PROTO_OPTIONS_H
#define MR_PJRT_PROTO_OPTIONS_H

#include "core/core.h"
#include "pjrt/layout/layout.h"

typedef enum mr_pjrt_override_type {
  MR_OVERRIDE_STRING,
  MR_OVERRIDE_BOOL,
  MR_OVERRIDE_INT,
  MR_OVERRIDE_DOUBLE,
} mr_pjrt_override_type;

// One entry of JAX's compiler_options={...}.
typedef struct mr_pjrt_override {
  mr_str key;
  mr_pjrt_override_type type;
  union {
    mr_str string;
    bool boolean;
    int64_t integer;
    double real;
  };
} mr_pjrt_override;

// The layouts a host asks for, one for each parameter or result: NULL where it leaves the choice. NULL and 0 when it says
// nothing at all.
typedef struct mr_pjrt_layout_requests {
  PJRT_Layouts_MemoryLayout **layouts;
  size_t count;
} mr_pjrt_layout_requests;

typedef struct mr_pjrt_options {
  int64_t device_ordinal;  // -1: not chosen
  int64_t replicas;        // at least 1
  int64_t partitions;      // at least 1
  // Global device ids, [replica * partitions + partition]; NULL when the host gave no assignment.
  int64_t *device_ids;
  mr_pjrt_layout_requests argument_layouts, result_layouts;
  // XLA's debugging options that are honoured, as their message says; an override is over it.
  bool allow_excess_precision;
  mr_str dump_to;  // "": nowhere, as far as the message says
  bool dump_text, dump_proto;
  mr_pjrt_override *overrides;
  size_t override_count;
  mr_arena arena;  // holds all of the above
} mr_pjrt_options;

// No bytes at all give the defaults. UNIMPLEMENTED for a field that options.def says is refused. On failure `out` is empty and need
// not be deinitialized.
mr_status mr_pjrt_options_parse(const void *bytes, size_t size, mr_pjrt_options *out) MR_WARN_UNUSED;
// INVALID_ARGUMENT for an override that XLA does not know, or one whose value is of another type (debug_options.def).
mr_status mr_pjrt_options_check(const mr_pjrt_options *options) MR_WARN_UNUSED;
// What an override of kind bool says, or `fallback` when there is none of that name. After mr_pjrt_options_check.
bool mr_pjrt_options_flag(const mr_pjrt_options *options, const char *name, bool fallback);
void mr_pjrt_options_deinit(mr_pjrt_options *options);

// The serialized DeviceAssignmentProto of device_ids[replica * partitions + partition]; free with mr_free.
mr_status mr_pjrt_assignment_serialize(const int64_t *device_ids, int64_t replicas, int64_t partitions,
                                       char **out_bytes, size_t *out_size) MR_WARN_UNUSED;

// The serialized ShapeProto of a static array in this layout; `element_type` in XLA's numbering. Free with mr_free.
mr_status mr_pjrt_shape_serialize(int32_t element_type, mr_ints dims, const PJRT_Layouts_MemoryLayout *layout,
                                  char **out_bytes, size_t *out_size) MR_WARN_UNUSED;
// That of a tuple of shapes that are serialized.
mr_status mr_pjrt_shape_serialize_tuple(const mr_span *shapes, size_t count, char **out_bytes,
                                        size_t *out_size) MR_WARN_UNUSED;

#endif
