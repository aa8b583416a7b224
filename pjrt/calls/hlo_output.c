// HLO output callbacks: a host sees the values of instructions that have a tag, while the program runs.
#include <string.h>

#include "compiler/ir/ir.h"
#include "core/trace.h"
#include "ops/library/library.h"
#include "pjrt/calls/launch.h"

typedef struct output_value {
  mr_dtype dtype;
  size_t rank;
  int64_t dims[MR_MAX_RANK];
} output_value;

typedef struct output_call {
  mr_library_call base;
  int64_t tag;
  uint32_t count;
  output_value values[];
} output_call;

// The values are the program's own memory: the host reads them during the call.
static mr_status show(const output_call *call, const PJRT_HloOutputCallbackInfo *info, void *const *buffers) {
  if (info->callback == NULL || (info->num_operands && info->num_operands != call->count)) {
    return mr_error(MR_INVALID_ARGUMENT, "HLO output callback %lld: %s for %zu arrays, the instruction has %u",
                    (long long)call->tag, info->callback ? "a callback" : "no callback", info->num_operands,
                    call->count);
  }
  uint64_t start = mr_trace_begin();
  for (uint32_t i = 0; i < call->count; i++) {
    const output_value *value = &call->values[i];
    info->callback(0, 0, buffers[i], value->dims, value->rank, (PJRT_Buffer_Type)value->dtype, i, info->user_arg);
  }
  mr_trace_end_call(MR_TRACE_NODE, "HLO output callback", MR_NODE_CALLBACK, mr_trace_device, start);
  return MR_OK;
}

static mr_status output_run(const mr_library_call *base, void *const *buffers, void *scratch, mr_group *group) {
  (void)scratch, (void)group;
  const output_call *call = (const output_call *)base;
  const mr_pjrt_launch *launch = mr_pjrt_launch_current();
  mr_status status = MR_OK;
  for (size_t i = 0; !status && launch && i < launch->num_outputs; i++) {
    if (launch->outputs[i].callback_id == call->tag) {
      status = show(call, &launch->outputs[i], buffers);
    }
  }
  return status;
}

static void output_destroy(mr_library_call *base) { mr_free(base); }

mr_status mr_pjrt_make_output_call(const mr_op *op, mr_library_call **out_call) {
  const mr_attr *config = mr_op_attr(op, MR_ATTR_backend_config);
  const mr_attr *tag = config && config->kind == MR_ATTR_DICT ? mr_dict_find(config, "tag") : NULL;
  if (!tag || tag->kind != MR_ATTR_INT) {
    return mr_error(MR_INVALID_ARGUMENT, "an HLO output has no tag");
  }
  output_call *call = mr_alloc_zeroed(1, sizeof *call + op->num_operands * sizeof call->values[0]);
  if (call == NULL) {
    return MR_NO_MEMORY();
  }
  call->base = (mr_library_call){
      .run = output_run, .destroy = output_destroy, .calls_host = true, .cost_ns = 1000, .name = "hlo output"};
  call->tag = tag->integer;
  call->count = op->num_operands;
  for (uint32_t i = 0; i < op->num_operands; i++) {
    const mr_type *type = &mr_op_operand(op, i)->type;
    if (type->kind != MR_TYPE_TENSOR || !mr_type_is_static(type)) {
      mr_free(call);
      return mr_error(MR_UNIMPLEMENTED, "an HLO output of values that are not static arrays");
    }
    call->values[i].dtype = type->dtype;
    call->values[i].rank = type->rank;
    memcpy(call->values[i].dims, type->dims, type->rank * sizeof type->dims[0]);
  }
  *out_call = &call->base;
  return MR_OK;
}
