// The layouts in compile options. Private to pjrt/proto.
//
// Threads: plain data. Ownership: what is read lies in the caller's arena. Errors: INVALID_ARGUMENT, UNIMPLEMENTED that names the form.
#ifndef MR_PJRT_PROTO_OPTION_LAYOUTS_H
#define MR_PJRT_PROTO_OPTION_LAYOUTS_H

#include "pjrt/proto/options.h"

// From serialized ShapeProtos; the orders live in `arena`.
mr_status mr_pjrt_read_layouts(mr_arena *arena, const ProtobufCBinaryData *shapes, size_t count,
                               mr_pjrt_layout_requests *out) MR_WARN_UNUSED;
mr_status mr_pjrt_read_result_layout(mr_arena *arena, ProtobufCBinaryData bytes,
                                     mr_pjrt_layout_requests *out) MR_WARN_UNUSED;

#endif
