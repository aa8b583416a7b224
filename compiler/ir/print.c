// The module as StableHLO text: functions in the pretty form, every op in the generic one.
#include "compiler/ir/print_internal.h"

static void put_values(mr_text *text, uint32_t count, const mr_value *values) {
  for (uint32_t i = 0; i < count; i++) {
    mr_text_put(text, "%s%%%u", i ? ", " : "", values[i].id);
  }
}

static void put_operands(mr_text *text, const mr_op *op) {
  mr_text_put(text, "(");
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_text_put(text, "%s%%%u", i ? ", " : "", op->operands[i].value->id);
  }
  mr_text_put(text, ")");
}

static void put_signature(mr_text *text, const mr_op *op) {
  mr_text_put(text, " : (");
  for (uint32_t i = 0; i < op->num_operands; i++) {
    mr_text_put(text, i ? ", " : "");
    mr_print_type(text, &op->operands[i].value->type);
  }
  mr_text_put(text, ") -> (");
  for (uint32_t i = 0; i < op->num_results; i++) {
    mr_text_put(text, i ? ", " : "");
    mr_print_type(text, &op->results[i].type);
  }
  mr_text_put(text, ")");
}

// One return stands for three: which one is told by what holds it.
static mr_str op_name(const mr_op *op) {
  if (op->kind != MR_OP_return) {
    return op->name.size ? op->name : mr_str_of(mr_op_table[op->kind].spelling);
  }
  const mr_op *parent = op->block->parent;
  if (!parent) {
    return MR_STR("func.return");
  }
  if (parent->kind == MR_OP_sdy_manual_computation || parent->kind == MR_OP_sdy_named_computation) {
    return MR_STR("sdy.return");
  }
  return MR_STR("stablehlo.return");
}

static void indent(mr_text *text, unsigned depth) {
  const unsigned deepest = 40;  // beyond that only the text would grow
  for (unsigned i = 0; i < MR_MIN(depth, deepest); i++) {
    mr_text_append(text, MR_STR("  "));
  }
}

// What stands before the regions, " ({" of the first one included.
static void open_op(mr_text *text, const mr_op *op, unsigned depth) {
  indent(text, depth);
  if (op->num_results) {
    put_values(text, op->num_results, op->results);
    mr_text_put(text, " = ");
  }
  mr_text_put(text, "\"%.*s\"", MR_STR_ARG(op_name(op)));
  put_operands(text, op);
  mr_print_properties(text, op);
}

static void put_origin(mr_text *text, const mr_origin *origin) {
  mr_text_put(text, " loc(");
  if (origin->path.size) {
    mr_print_string(text, origin->path);
  }
  if (origin->file.size) {
    mr_text_put(text, origin->path.size ? "(" : "");
    mr_print_string(text, origin->file);
    mr_text_put(text, ":%u:0%s", origin->line, origin->path.size ? ")" : "");
  }
  mr_text_put(text, ")");
}

static void close_op(mr_text *text, const mr_op *op) {
  if (op->extra && op->extra->count) {
    mr_text_put(text, " ");
    mr_print_dict(text, op->extra);
  }
  put_signature(text, op);
  if (op->loc.origin && op->block->function->module->prints_origins) {
    put_origin(text, op->loc.origin);
  }
  mr_text_put(text, "\n");
}

static void open_region(mr_text *text, const mr_block *block, unsigned depth) {
  mr_text_put(text, block->region ? ", {\n" : " ({\n");
  if (!block->num_args) {
    return;
  }
  indent(text, depth);
  mr_text_put(text, "^bb0(");
  for (uint32_t i = 0; i < block->num_args; i++) {
    mr_text_put(text, "%s%%%u: ", i ? ", " : "", block->args[i]->id);
    mr_print_type(text, &block->args[i]->type);
  }
  mr_text_put(text, "):\n");
}

// Goes on after everything at and below `op` is printed: closes regions and ops until there is a next op, which it
// returns, or `stop` has been closed. No recursion: programs nest as deep as they like.
static const mr_op *advance(mr_text *text, const mr_op *op, const mr_op *stop, unsigned *depth) {
  for (;;) {
    close_op(text, op);
    if (op == stop) {
      return NULL;
    }
    if (op->next) {
      return op->next;
    }
    const mr_block *block = op->block;
    for (;;) {  // ends of regions, empty ones in between included
      const mr_op *parent = block->parent;
      if (!parent) {
        return NULL;
      }
      indent(text, *depth - 1);
      mr_text_put(text, "}");
      if (block->region + 1 == parent->num_regions) {
        mr_text_put(text, ")");
        (*depth)--;
        op = parent;
        break;
      }
      block = parent->regions[block->region + 1];
      open_region(text, block, *depth);
      if (block->first) {
        return block->first;
      }
    }
  }
}

// Prints from `op` to the end of its block, or only `op` when it is `stop`.
static void put_ops(mr_text *text, const mr_op *op, const mr_op *stop, unsigned depth) {
  while (op) {
    open_op(text, op, depth);
    if (!op->num_regions) {
      op = advance(text, op, stop, &depth);
      continue;
    }
    depth++;
    const mr_block *block = op->regions[0];
    open_region(text, block, depth);
    while (!block->first && block->region + 1 < op->num_regions) {
      indent(text, depth - 1);
      mr_text_put(text, "}");
      block = op->regions[block->region + 1];
      open_region(text, block, depth);
    }
    if (block->first) {
      op = block->first;
    } else {
      depth--;
      indent(text, depth);
      mr_text_put(text, "})");
      op = advance(text, op, stop, &depth);
    }
  }
}

static void put_function(mr_text *text, const mr_function *f) {
  mr_text_put(text, "  func.func %s", f->is_public ? "public " : "private ");
  mr_print_symbol(text, f->name);
  mr_text_put(text, "(");
  for (uint32_t i = 0; i < f->body.num_args; i++) {
    mr_text_put(text, i ? ", " : "");
    if (!f->is_declaration) {
      mr_text_put(text, "%%%u: ", f->body.args[i]->id);
    }
    mr_print_type(text, &f->body.args[i]->type);
    if (f->arg_attrs && f->arg_attrs[i]) {
      mr_text_put(text, " ");
      mr_print_dict(text, f->arg_attrs[i]);
    }
  }
  mr_text_put(text, ") -> (");
  for (uint32_t i = 0; i < f->num_results; i++) {
    mr_text_put(text, i ? ", " : "");
    mr_print_type(text, &f->result_types[i]);
    if (f->result_attrs && f->result_attrs[i]) {
      mr_text_put(text, " ");
      mr_print_dict(text, f->result_attrs[i]);
    }
  }
  mr_text_put(text, ")%s\n", f->is_declaration ? "" : " {");
  if (!f->is_declaration) {
    put_ops(text, f->body.first, NULL, 2);
    mr_text_put(text, "  }\n");
  }
}

void mr_module_print(const mr_module *module, mr_text *text) {
  mr_text_put(text, "module ");
  if (module->name.size) {
    mr_print_symbol(text, module->name);
    mr_text_put(text, " ");
  }
  if (module->attrs && module->attrs->count) {
    mr_text_put(text, "attributes ");
    mr_print_dict(text, module->attrs);
    mr_text_put(text, " ");
  }
  mr_text_put(text, "{\n");
  for (size_t i = 0; module->meshes && i < module->meshes->count; i++) {
    mr_text_put(text, "  sdy.mesh ");
    mr_print_symbol(text, module->meshes->items[i].name);
    mr_text_put(text, " = ");
    mr_print_attr(text, &module->meshes->items[i]);
    mr_text_put(text, "\n");
  }
  for (mr_function *f = module->functions; f; f = f->next) {
    mr_function_number(f);
    put_function(text, f);
  }
  mr_text_put(text, "}\n");
}

void mr_op_print(const mr_op *op, mr_text *text) {
  mr_function_number(op->block->function);
  put_ops(text, op, op, 0);
}
