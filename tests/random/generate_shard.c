// Shardings for a program that has none: a mesh, how parameters and some results lie over it, and constraints in between.
#include <stdio.h>
#include <string.h>

#include "compiler/reader/reader.h"
#include "tests/random/random.h"

static const mesh meshes[] = {{1, {2}},    {1, {4}}, {1, {8}},       {2, {2, 2}}, {2, {4, 2}},
                              {2, {2, 4}}, {1, {3}}, {3, {2, 2, 2}}, {2, {3, 2}}, {2, {2, 3}}};

static mr_str kept(mr_module *module, const char *text) {
  return mr_arena_str(&module->arena, (mr_str){text, strlen(text)});
}

// What may be open is where a constraint leaves a dimension to propagation.
static mr_str random_sharding(rng *r, mr_module *module, const mesh *m, const mr_type *type, bool may_be_open) {
  char text[1024];
  bool used[3] = {0};
  int at = snprintf(text, sizeof text, "#sdy.sharding<@mesh, [");
  for (uint32_t d = 0; d < type->rank; d++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%s{", d ? ", " : "");
    int count = 0;
    for (int tries = (int)rng_below(r, 3); tries > 0; tries--) {
      int axis = (int)rng_below(r, m->num_axes);
      if (!used[axis]) {
        used[axis] = true;
        at += snprintf(text + at, sizeof text - (size_t)at, "%s\"%c\"", count++ ? ", " : "", "xyz"[axis]);
      }
    }
    bool open = may_be_open && rng_chance(r, 20);
    at += snprintf(text + at, sizeof text - (size_t)at, "%s}", open ? count ? ", ?" : "?" : "");
  }
  snprintf(text + at, sizeof text - (size_t)at, "]>");
  return kept(module, text);
}

static void add_to_dict(mr_module *module, mr_attr **dict, mr_attr item) {
  size_t count = *dict ? (*dict)->count : 0;
  mr_attr *made = mr_arena_array(&module->arena, mr_attr, count + 2);
  if (!made) {
    module->out_of_memory = true;
    return;
  }
  made[0] = (mr_attr){.kind = MR_ATTR_DICT, .items = made + 1, .count = count + 1};
  for (size_t i = 0; i < count; i++) {
    made[1 + i] = (*dict)->items[i];
  }
  made[1 + count] = item;
  *dict = made;
}

static void annotate(rng *r, mr_module *module, const mesh *m, mr_attr **dict, const mr_type *type) {
  mr_str text = random_sharding(r, module, m, type, false);
  add_to_dict(module, dict, (mr_attr){.kind = MR_ATTR_TEXT, .name = MR_STR("sdy.sharding"), .string = text});
}

static void constrain(rng *r, const mesh *m, mr_op *op, mr_value *x) {
  mr_module *module = mr_op_module(op);
  mr_builder at = op->next ? mr_builder_before(op->next) : mr_builder_at_end(op->block);
  mr_op *made = mr_build(&at, MR_OP_sdy_sharding_constraint, 0, NULL, 1, &x->type, 0);
  if (!made) {
    return;
  }
  mr_value_replace_all_uses(x, &made->results[0]);
  mr_op *again = mr_build(&at, MR_OP_sdy_sharding_constraint, 1, &x, 1, &x->type, 0);
  if (again) {
    mr_value_replace_all_uses(&made->results[0], &again->results[0]);
    mr_op_set_attr(module, again,
                   (mr_attr){.key = MR_ATTR_sharding,
                             .name = MR_STR("sharding"),
                             .kind = MR_ATTR_TEXT,
                             .string = random_sharding(r, module, m, &x->type, true)});
  }
  mr_op_erase(made);
}

// Whole values: not the scalars that regions of folds work on.
static bool is_outside_folds(const mr_block *block) {
  for (; block->parent; block = block->parent->block) {
    mr_op_kind kind = block->parent->kind;
    if (kind != MR_OP_while && kind != MR_OP_case && kind != MR_OP_if) {
      return false;
    }
  }
  return true;
}

static void constrain_some(rng *r, const mesh *m, mr_function *f) {
  for (mr_op *op = mr_walk_first(&f->body), *next; op; op = next) {
    next = mr_walk_next(op, &f->body);
    for (uint32_t i = 0; i < op->num_results && is_outside_folds(op->block); i++) {
      const mr_type *type = &op->results[i].type;
      if (type->kind == MR_TYPE_TENSOR && mr_type_is_static(type) && rng_chance(r, 12)) {
        constrain(r, m, op, &op->results[i]);
      }
    }
  }
}

// Of main, which is where values are whole.
static void add_manuals(rng *r, const mesh *m, mr_function *f) {
  int left = (int)rng_below(r, 3);
  for (mr_op *op = mr_walk_first(&f->body), *next; op && left > 0; op = next) {
    next = mr_walk_next(op, &f->body);
    // A constant, or one with a constraint, may be a size that is to be known when the program is compiled.
    bool computed = op->kind != MR_OP_constant && op->kind != MR_OP_sdy_sharding_constraint;
    bool fits = op->num_results == 1 && computed && is_outside_folds(op->block);
    if (fits && rng_chance(r, 15)) {
      left -= generate_manual(r, m, (1U << m->num_axes) - 1, op, &op->results[0]) != NULL;
    }
  }
}

static void shard_module(rng *r, mr_module *module) {
  const mesh *m = &meshes[rng_below(r, MR_ARRAY_SIZE(meshes))];
  char text[128];
  int at = snprintf(text, sizeof text, "<[");
  for (int i = 0; i < m->num_axes; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%s\"%c\"=%d", i ? ", " : "", "xyz"[i], m -> sizes[i]);
  }
  snprintf(text + at, sizeof text - (size_t)at, "]>");
  add_to_dict(module, &module->meshes,
              (mr_attr){.kind = MR_ATTR_TEXT, .name = MR_STR("mesh"), .string = kept(module, text)});
  mr_function *f = mr_module_entry(module);
  for (uint32_t i = 0; f && i < f->body.num_args; i++) {
    if (rng_chance(r, 75)) {
      annotate(r, module, m, &f->arg_attrs[i], &f->body.args[i]->type);
    }
  }
  for (uint32_t i = 0; f && i < f->num_results; i++) {
    if (rng_chance(r, 25)) {
      annotate(r, module, m, &f->result_attrs[i], &f->result_types[i]);
    }
  }
  for (mr_function *each = module->functions; each; each = each->next) {
    constrain_some(r, m, each);
  }
  if (f && rng_chance(r, 50)) {
    add_manuals(r, m, f);
  }
}

bool generate_sharded_program(rng *r, mr_text *text) {
  mr_text plain = {0};
  mr_module *module = NULL;
  if (!generate_even_program(r, &plain)) {
    return false;
  }
  mr_status status = mr_read_program((mr_span){(const uint8_t *)plain.data, plain.size}, &module);
  mr_text_deinit(&plain);
  if (status) {
    mr_status_free(status);
    return false;
  }
  rng_next(r);
  shard_module(r, module);
  bool made = !module->out_of_memory;
  mr_module_print(module, text);
  mr_module_release(module);
  return made && !text->failed;
}

uint32_t devices_of_program(const mr_module *module) {
  uint32_t devices = 1;
  const char *at = module->meshes && module->meshes->count ? module->meshes->items[0].string.data : "";
  for (size_t i = 0, size = *at ? module->meshes->items[0].string.size : 0; i < size; i++) {
    devices *= at[i] == '=' ? (uint32_t)(at[i + 1] - '0') : 1;
  }
  return devices;
}
