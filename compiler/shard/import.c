// Import: the program made one function, and what its arguments, results and ops say of shardings.
#include "compiler/shard/import.h"

#include "compiler/passes/passes.h"
#include "compiler/shard/import_forms.h"
#include "compiler/shard/import_internal.h"

// One that stands in the sharding; check_meshes() looks at the others.
static mr_status check_own_mesh(const mr_import *import, const mr_sharding *sharding) {
  return sharding->mesh->name.size ? MR_OK : mr_mesh_check(&import->module->arena, sharding->mesh, import->num_devices);
}

mr_status mr_import_check(const mr_import *import, const mr_op *op, const mr_sharding *sharding, const mr_type *type) {
  MR_TRY(check_own_mesh(import, sharding));
  if (type->kind == MR_TYPE_TENSOR && sharding->rank == type->rank) {
    return MR_OK;
  }
  char buffer[128];
  const char *wanted = mr_type_text(type, buffer, sizeof buffer);
  return op ? mr_op_error(op, "a sharding of %u dimensions for %s", sharding->rank, wanted)
            : mr_error(MR_INVALID_ARGUMENT, "a sharding of %u dimensions for %s", sharding->rank, wanted);
}

// ---- The function's boundary --------------------------------------------------------------------------------------------

// What an argument or result has; *out NULL: nothing.
static mr_status read_port(mr_import *import, const mr_attr *dict, const mr_type *type, const mr_sharding **out) {
  const mr_attr *attr = mr_dict_find(dict, "sdy.sharding");
  *out = NULL;
  if (!attr || attr->kind != MR_ATTR_TEXT || type->kind != MR_TYPE_TENSOR) {
    return MR_OK;
  }
  MR_TRY(mr_sharding_parse(import->module, attr->string, out));
  return mr_import_check(import, NULL, *out, type);
}

static mr_status read_boundary(mr_import *import) {
  mr_function *f = import->function;
  import->results = mr_arena_array(&import->module->arena, const mr_sharding *, MR_MAX(f->num_results, 1u));
  if (!import->results) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    const mr_sharding *sharding;
    mr_status status = read_port(import, f->arg_attrs ? f->arg_attrs[i] : NULL, &f->body.args[i]->type, &sharding);
    MR_TRY(mr_status_note(status, "in argument %u", i));
    f->body.args[i]->sharding = sharding;
  }
  for (uint32_t i = 0; i < f->num_results; i++) {
    mr_status status =
        read_port(import, f->result_attrs ? f->result_attrs[i] : NULL, &f->result_types[i], &import->results[i]);
    MR_TRY(mr_status_note(status, "in result %u", i));
  }
  return MR_OK;
}

// ---- Ops ------------------------------------------------------------------------------------------------------------------

// A maximal sharding names no dimensions whatever the value has.
static mr_status fit(const mr_import *import, const mr_op *op, const mr_type *type, const mr_sharding **sharding) {
  if ((*sharding)->rank != type->rank && (*sharding)->rank == 0 && (*sharding)->mesh->num_axes == 0) {
    *sharding = mr_sharding_create(import->module, (*sharding)->mesh, type->rank, false);
    MR_TRY(mr_module_memory(import->module));
  }
  return mr_import_check(import, op, *sharding, type);
}

// sdy.sharding beside any op: one for each result, or for ops without results one for the op.
static mr_status read_results(mr_import *import, mr_op *op, const mr_attr *attr) {
  const mr_sharding **list;
  uint32_t count;
  MR_TRY(mr_sharding_parse_list(import->module, attr->string, &count, &list));
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(check_own_mesh(import, list[i]));
  }
  for (uint32_t i = 0; i < op->num_results && i < count; i++) {
    if (op->results[i].type.kind == MR_TYPE_TENSOR) {
      MR_TRY(fit(import, op, &op->results[i].type, &list[i]));
      op->results[i].sharding = list[i];
    }
  }
  return MR_OK;
}

static mr_status read_constraint(mr_import *import, mr_op *op) {
  const mr_attr *attr = mr_op_attr(op, MR_ATTR_sharding);
  const mr_sharding *sharding;
  if (!attr || attr->kind != MR_ATTR_TEXT) {
    return mr_op_error(op, "has no sharding");
  }
  MR_TRY(mr_sharding_parse(import->module, attr->string, &sharding));
  MR_TRY(mr_import_check(import, op, sharding, &op->results[0].type));
  op->results[0].sharding = sharding;
  return MR_OK;
}

static mr_status read_ops(mr_import *import) {
  const mr_block *root = &import->function->body;
  for (mr_op *op = mr_walk_first(root); op; op = mr_walk_next(op, root)) {
    const mr_attr *attr = mr_op_extra(op, "sdy.sharding");
    import->num_members += op->kind == MR_OP_sdy_sharding_group;
    if (op->kind == MR_OP_sdy_sharding_constraint) {
      MR_TRY(read_constraint(import, op));
    } else if (attr && attr->kind == MR_ATTR_TEXT) {
      MR_TRY(read_results(import, op, attr));
    }
  }
  return MR_OK;
}

// ---- The whole ------------------------------------------------------------------------------------------------------------

static mr_status prepare(mr_module *module, int64_t num_devices) {
  MR_TRY(mr_import_frontend(module));
  MR_TRY(mr_import_gspmd(module, num_devices));
  MR_TRY(mr_pass_inline_calls(module));
  MR_TRY(mr_pass_forward_plain(module));
  MR_TRY(mr_pass_simplify_plain(module));
  return mr_pass_dce(module);
}

static mr_status check_meshes(mr_module *module, int64_t num_devices) {
  for (size_t i = 0; module->meshes && i < module->meshes->count; i++) {
    const mr_mesh *mesh;
    MR_TRY(mr_mesh_named(module, module->meshes->items[i].name, &mesh));
    MR_TRY(mr_mesh_check(&module->arena, mesh, num_devices));
  }
  return MR_OK;
}

mr_status mr_import_run(mr_module *module, int64_t num_devices, mr_import **out) {
  *out = NULL;
  MR_TRY(prepare(module, num_devices));
  MR_TRY(check_meshes(module, num_devices));
  mr_import *import = mr_arena_new(&module->arena, mr_import);
  if (!import) {
    return MR_NO_MEMORY();
  }
  import->module = module;
  import->function = mr_module_entry(module);
  import->num_devices = num_devices;
  MR_TRY(mr_import_manuals(import));
  MR_TRY(mr_import_split_constants(import));
  MR_TRY(read_boundary(import));
  MR_TRY(read_ops(import));
  MR_TRY(mr_import_make_edges(import));
  MR_TRY(mr_import_constraints(import));
  MR_TRY(mr_import_groups(import));
  MR_TRY(mr_module_memory(module));
  *out = import;
  return MR_OK;
}
