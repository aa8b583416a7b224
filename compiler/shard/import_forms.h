// import_forms: other ways in which programs say their shardings, made into Shardy's. Private to compiler/shard.
//
//   frontend attributes  what StableHLO without Shardy's dialect has of Shardy: module, arguments and custom calls carry its
//                        attributes as strings, manual computations are calls between two custom calls
//   GSPMD                tiles as strings (mhlo.sharding) and custom calls of other names
//   groups by axes       collectives whose groups of devices are named by axes of a mesh
//
// Memory and threads: the module's. Errors: INVALID_ARGUMENT, UNIMPLEMENTED for a body that is no call.
#ifndef MR_COMPILER_SHARD_IMPORT_FORMS_H
#define MR_COMPILER_SHARD_IMPORT_FORMS_H

#include "compiler/shard/sharding.h"

// A program as it was read, calls and all. Both leave programs alone that are of another form.
mr_status mr_import_frontend(mr_module *module) MR_WARN_UNUSED;
mr_status mr_import_gspmd(mr_module *module, int64_t num_devices) MR_WARN_UNUSED;
mr_status mr_import_mesh_groups(mr_module *module) MR_WARN_UNUSED;

// A call whose callee is the body of a manual computation, and what stands around it.
typedef struct mr_manual_call {
  mr_op *call;
  uint32_t num_in, num_out;
  mr_value **in;   // global values
  mr_value **out;  // global values, which the manual computation gives instead
  uint32_t *from;  // which result of the call each is
  mr_str in_text, out_text, axes;
} mr_manual_call;

// Builds it before the call and gives its results to who used `out`.
mr_status mr_import_make_manual(const mr_manual_call *it) MR_WARN_UNUSED;
// op becomes a sharding constraint of this text.
mr_status mr_import_make_constraint(mr_op *op, mr_str text) MR_WARN_UNUSED;
// Puts `sdy.sharding` into an argument's or a result's dictionary.
mr_status mr_import_say_port(mr_module *module, mr_attr **slot, mr_str text) MR_WARN_UNUSED;
mr_status mr_import_add_mesh(mr_module *module, mr_str name, mr_str text) MR_WARN_UNUSED;
// The op's attribute of this name, in it or among its frontend attributes; empty when there is none.
mr_str mr_import_said(const mr_op *op, const char *name);
bool mr_import_calls(const mr_op *op, const char *target);  // a custom call of this target

#endif
