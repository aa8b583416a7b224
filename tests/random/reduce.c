// Makes a program that differs smaller: takes operations out one by one, as long as what is left still differs.
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/random/random.h"

static bool still_differs(session *s, const mr_text *text, uint64_t seed) {
  mr_text why = {0};
  bool differs = check_program(s, (mr_str){text->data, text->size}, seed, &why) == DIFFERS;
  mr_text_deinit(&why);
  return differs;
}

static mr_op *nth_op(mr_module *module, int n) {
  for (mr_function *f = module->functions; f; f = f->next) {
    for (mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      if (n-- == 0) {
        return op;
      }
    }
  }
  return NULL;
}

static void erase_unused(mr_module *module) {
  for (bool again = true; again;) {
    again = false;
    for (int n = 0; !again; n++) {
      mr_op *op = nth_op(module, n);
      if (!op) {
        break;
      }
      bool unused = op->kind != MR_OP_return;
      for (uint32_t i = 0; i < op->num_results; i++) {
        unused = unused && mr_value_is_unused(&op->results[i]);
      }
      if (unused) {
        mr_op_erase(op);
        again = true;
      }
    }
  }
}

static value ones_before(mr_op *op, const mr_type *type) {
  mr_builder at = mr_builder_before(op);
  return mr_dtype_is_complex(type->dtype) ? NULL : mr_build_splat(&at, type, 1);
}

// The result that the change number `way` leaves out or replaces. False: there is no such change of this op.
static bool change(mr_module *module, mr_op *op, int way) {
  mr_function *entry = mr_module_entry(module);
  if (op->kind == MR_OP_return) {
    bool of_entry = op->block == &entry->body;
    if (!of_entry || entry->num_results < 2 || way >= (int)entry->num_results) {
      return false;
    }
    value kept = mr_op_operand(op, (uint32_t)way);
    mr_op_drop_operands(op);
    mr_op_erase(op);
    mr_builder at = mr_builder_at_end(&entry->body);
    mr_build(&at, MR_OP_return, 1, &kept, 0, NULL, 0);
    entry->num_results = 1;
    entry->result_types[0] = kept->type;
    for (uint32_t i = 0; entry->arg_attrs && i < entry->body.num_args; i++) {
      entry->arg_attrs[i] = NULL;
    }
    return true;
  }
  if (way > 6 || op->num_results == 0) {
    return false;
  }
  // Ways 0 to 2: an operand of the same type instead; 3: ones instead.
  for (uint32_t r = 0; r < op->num_results; r++) {
    value with = NULL;
    if (way < 3 && way < (int)op->num_operands &&
        mr_type_equal(&mr_op_operand(op, (uint32_t)way)->type, &op->results[r].type)) {
      with = mr_op_operand(op, (uint32_t)way);
    } else if (way == 3 && op->kind != MR_OP_constant && op->results[r].type.kind == MR_TYPE_TENSOR) {
      with = ones_before(op, &op->results[r].type);
    } else if (way >= 4 && op->kind != MR_OP_constant) {  // a parameter instead
      for (uint32_t a = (uint32_t)way - 4; a < entry->body.num_args && op->block->function == entry; a += 3) {
        if (mr_type_equal(&entry->body.args[a]->type, &op->results[r].type)) {
          with = entry->body.args[a];
          break;
        }
      }
    }
    if (!with) {
      return false;
    }
    mr_value_replace_all_uses(mr_op_result(op, r), with);
  }
  return true;
}

// Tries one change; true when the program still differs, and is then the smaller one.
static bool try_change(session *s, mr_text *text, uint64_t seed, int n, int way, bool *out_end) {
  mr_module *module = NULL;
  mr_status status = mr_read_text((mr_span){(const uint8_t *)text->data, text->size}, &module);
  if (status) {
    mr_status_free(status);
    *out_end = true;
    return false;
  }
  mr_op *op = nth_op(module, n);
  *out_end = op == NULL;
  bool better = false;
  if (op && change(module, op, way)) {
    mr_text smaller = {0};
    erase_unused(module);
    mr_module_print(module, &smaller);
    better = !smaller.failed && (smaller.size != text->size || memcmp(smaller.data, text->data, text->size) != 0) &&
             still_differs(s, &smaller, seed);
    if (better) {
      mr_text old = *text;
      *text = smaller;
      smaller = old;
    }
    mr_text_deinit(&smaller);
  }
  mr_module_release(module);
  return better;
}

void reduce_program(session *s, mr_text *text, uint64_t seed) {
  int tries = 0;
  for (bool again = true; again && tries < 2000;) {
    again = false;
    bool end = false;
    for (int n = 0; !end && tries < 2000; n++) {
      for (int way = 0; way < 8 && !end; way++) {
        tries++;
        again |= try_change(s, text, seed, n, way, &end);
      }
    }
  }
}
