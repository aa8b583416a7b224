// GSPMD's form: tiles as strings, and custom calls @Sharding, @SPMDFullToShardShape, @SPMDShardToFullShape. One mesh is made for all
// of them, and the program then says the same in Shardy's words.
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "compiler/shard/import_forms.h"

typedef struct reader {
  mr_module *module;
  int64_t num_devices;
  const mr_mesh *mesh;
} reader;

// ---- The mesh -------------------------------------------------------------------------------------------------------------

typedef struct cuts {
  uint32_t count;
  int64_t list[MR_SHARDING_MOST_CUTS];
  bool any;  // something is said
} cuts;

static mr_status add_cuts(reader *r, mr_str text, cuts *out) {
  mr_tile_sharding *tiles;
  uint32_t count;
  if (text.size == 0) {
    return MR_OK;
  }
  MR_TRY(mr_sharding_tiles_parse_list(&r->module->arena, text, &count, &tiles));
  out->any = true;
  for (uint32_t i = 0; i < count; i++) {
    MR_TRY(mr_sharding_tiles_check(&r->module->arena, &tiles[i], r->num_devices));
    out->count = mr_sharding_cuts(&tiles[i], out->list, out->count);
  }
  return MR_OK;
}

static mr_str said_of_port(const mr_attr *dict) {
  const mr_attr *attr = mr_dict_find(dict, "mhlo.sharding");
  return attr && attr->kind == MR_ATTR_STRING ? attr->string : (mr_str){"", 0};
}

static mr_status add_ports(reader *r, const char *what, uint32_t count, mr_attr *const *attrs, cuts *out) {
  for (uint32_t i = 0; attrs && i < count; i++) {
    MR_TRY(mr_status_note(add_cuts(r, said_of_port(attrs[i]), out), "in %s %u", what, i));
  }
  return MR_OK;
}

// Of all functions and ops, whatever becomes of it.
static mr_status find_cuts(reader *r, cuts *out) {
  for (const mr_function *f = r->module->functions; f; f = f->next) {
    MR_TRY(add_ports(r, "argument", f->body.num_args, f->arg_attrs, out));
    MR_TRY(add_ports(r, "result", f->num_results, f->result_attrs, out));
    for (const mr_op *op = mr_walk_first(&f->body); op; op = mr_walk_next(op, &f->body)) {
      if (op->extra) {
        mr_status status = add_cuts(r, mr_import_said(op, "mhlo.sharding"), out);
        MR_TRY(mr_status_note(status, "in %s", mr_op_table[op->kind].spelling));
      }
    }
  }
  return MR_OK;
}

static mr_str keep_text(mr_arena *arena, mr_text *take_text) {
  mr_str text = take_text->failed ? (mr_str){NULL, 0} : mr_arena_str(arena, (mr_str){take_text->data, take_text->size});
  mr_text_deinit(take_text);
  return text;
}

static mr_status make_mesh(reader *r, const cuts *found) {
  mr_text text = {0};
  int64_t above = r->num_devices;
  uint32_t axes = 0;
  mr_text_put(&text, "<[");
  for (uint32_t i = 0; i <= found->count; i++) {
    int64_t cut = i < found->count ? found->list[i] : 1;
    if (cut < above && above % cut == 0) {
      mr_text_put(&text, axes ? ", \"axis_%u\"=%" PRId64 : "\"axis_%u\"=%" PRId64, axes, above / cut);
      above = cut;
      axes++;
    }
  }
  mr_text_put(&text, "]>");
  mr_str kept = keep_text(&r->module->arena, &text);
  if (!kept.data) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_import_add_mesh(r->module, MR_STR("gspmd"), kept));
  return mr_mesh_named(r->module, MR_STR("gspmd"), &r->mesh);
}

// ---- Shardings ------------------------------------------------------------------------------------------------------------

// unspecified_dims=[0,1] in the op's backend_config: these are open.
static bool is_open(const mr_op *op, uint32_t dim) {
  static const char word[] = "unspecified_dims=[";
  mr_str config = op ? mr_op_string(op, MR_ATTR_backend_config) : (mr_str){"", 0};
  const char *at = config.size ? memmem(config.data, config.size, word, sizeof word - 1) : NULL;
  const char *end = config.data + config.size;
  for (at = at ? at + sizeof word - 1 : end; at < end && *at != ']';) {
    uint32_t number = 0;
    for (; at < end && isdigit((unsigned char)*at) && number < MR_MAX_RANK; at++) {
      number = number * 10 + (uint32_t)(*at - '0');
    }
    if (number == dim) {
      return true;
    }
    at++;
  }
  return false;
}

// Shardy's text of tiles for a value of this rank; `op`, whose open dimensions it has, may be NULL.
static mr_status say_tiles(reader *r, const mr_tile_sharding *tiles, const mr_op *op, uint32_t rank, mr_text *out) {
  const mr_sharding *sharding;
  MR_TRY(mr_sharding_from_tiles(r->module, r->mesh, tiles, rank, r->num_devices, &sharding));
  mr_sharding *copy = mr_sharding_copy(r->module, sharding);
  MR_TRY(mr_module_memory(r->module));
  for (uint32_t i = 0; i < rank; i++) {
    copy->dims[i].open = is_open(op, i);
  }
  mr_sharding_print(copy, out);
  return MR_OK;
}

// Of tiles as text; none: replicated.
static mr_status say(reader *r, mr_str text, const mr_op *op, uint32_t rank, mr_text *out) {
  mr_tile_sharding tiles = {.kind = MR_TILE_REPLICATED};
  if (text.size) {
    MR_TRY(mr_sharding_tiles_parse(&r->module->arena, text, &tiles));
  }
  return say_tiles(r, &tiles, op, rank, out);
}

static mr_status say_ports(reader *r, uint32_t count, mr_attr **attrs, const mr_type *types, mr_value *const *args) {
  for (uint32_t i = 0; attrs && i < count; i++) {
    mr_str tiles = said_of_port(attrs[i]);
    const mr_type *type = args ? &args[i]->type : &types[i];
    if (tiles.size && type->kind == MR_TYPE_TENSOR) {
      mr_text text = {0};
      mr_text_put(&text, "#sdy.sharding");
      mr_status status = say(r, tiles, NULL, type->rank, &text);
      mr_str kept = keep_text(&r->module->arena, &text);
      MR_TRY(status);
      MR_TRY(kept.data ? mr_import_say_port(r->module, &attrs[i], kept) : MR_NO_MEMORY());
    }
  }
  return MR_OK;
}

// ---- Manual computations --------------------------------------------------------------------------------------------------

// The manual axes by name: all of them, or those of the dimensions of the grid that are.
static mr_status say_axes(reader *r, mr_str tiles_text, mr_text *out) {
  mr_tile_sharding tiles;
  MR_TRY(mr_sharding_tiles_parse(&r->module->arena, tiles_text, &tiles));
  uint32_t rank = tiles.tile_rank - tiles.num_last;
  const mr_sharding *sharding = NULL;
  if (tiles.kind == MR_TILE_OTHER) {
    // Seen with the manual dimensions as ordinary ones.
    tiles.num_last = 0;
    MR_TRY(mr_sharding_from_tiles(r->module, r->mesh, &tiles, tiles.tile_rank, r->num_devices, &sharding));
  }
  mr_text_put(out, "{");
  bool first = true;
  for (uint32_t axis = 0; axis < r->mesh->num_axes; axis++) {
    bool manual = tiles.kind == MR_TILE_MANUAL;
    for (uint32_t d = rank; sharding && d < tiles.tile_rank; d++) {
      mr_axis_ref whole = {(uint16_t)axis, 1, r->mesh->axes[axis].size};
      manual = manual || (tiles.last_tile_dims[d - rank] == MR_TILE_LAST_MANUAL &&
                          mr_axis_list_overlaps(sharding->dims[d].axes, whole));
    }
    if (manual) {
      mr_text_put(out, first ? "\"%.*s\"" : ", \"%.*s\"", MR_STR_ARG(r->mesh->axes[axis].name));
      first = false;
    }
  }
  mr_text_put(out, "}");
  return MR_OK;
}

static bool is_step(const mr_op *op, const char *target) {
  return mr_import_calls(op, target) && op->num_operands == 1 && op->num_results == 1;
}

// Through annotations of local values, which say nothing that matters.
static mr_value *behind_annotations(mr_value *value) {
  while (is_step(value->def, "Sharding")) {
    value = mr_op_operand(value->def, 0);
  }
  return value;
}

static bool is_manual_call(const mr_op *op) {
  if (op->kind != MR_OP_call) {
    return false;
  }
  for (uint32_t i = 0; i < op->num_operands; i++) {
    if (!is_step(mr_op_operand(op, i)->def, "SPMDFullToShardShape")) {
      return false;
    }
  }
  const mr_use *use = op->num_results ? op->results[0].uses : NULL;
  while (use && is_step(use->user, "Sharding")) {
    use = use->user->results[0].uses;
  }
  return op->num_operands || (use && is_step(use->user, "SPMDShardToFullShape"));
}

// What leaves the call: in its block, behind it.
static uint32_t find_outs(const mr_op *call, mr_op **out, uint32_t room) {
  uint32_t count = 0;
  for (mr_op *op = call->next; op; op = op->next) {
    if (is_step(op, "SPMDShardToFullShape") && behind_annotations(mr_op_operand(op, 0))->def == call && count < room) {
      out[count++] = op;
    }
  }
  return count;
}

static void erase_with_annotations(mr_op *op) {
  while (op && mr_value_is_unused(&op->results[0])) {
    mr_op *before = op->num_operands ? mr_op_operand(op, 0)->def : NULL;
    mr_op_erase(op);
    op = is_step(before, "Sharding") ? before : NULL;
  }
}

static mr_status read_lists(reader *r, const mr_op *call, mr_op *const *outs, mr_manual_call *it, mr_text *in,
                            mr_text *out) {
  mr_text_put(in, "[");
  for (uint32_t i = 0; i < it->num_in; i++) {
    const mr_op *giver = mr_op_operand(call, i)->def;
    it->in[i] = mr_op_operand(giver, 0);
    const mr_op *says = is_step(it->in[i]->def, "Sharding") ? it->in[i]->def : NULL;
    mr_text_put(in, i ? ", " : "");
    MR_TRY(say(r, says ? mr_import_said(says, "mhlo.sharding") : MR_STR(""), says, it->in[i]->type.rank, in));
  }
  mr_text_put(in, "]");
  mr_text_put(out, "[");
  for (uint32_t i = 0; i < it->num_out; i++) {
    it->out[i] = &outs[i]->results[0];
    it->from[i] = behind_annotations(mr_op_operand(outs[i], 0))->index;
    mr_text_put(out, i ? ", " : "");
    MR_TRY(say(r, mr_import_said(outs[i], "mhlo.sharding"), outs[i], it->out[i]->type.rank, out));
  }
  mr_text_put(out, "]");
  return MR_OK;
}

static mr_status read_manual(reader *r, mr_op *call) {
  mr_arena *arena = &r->module->arena;
  mr_op *outs[256];
  mr_text in = {0}, out = {0}, axes = {0};
  mr_manual_call it = {.call = call, .num_in = call->num_operands};
  it.num_out = find_outs(call, outs, MR_ARRAY_SIZE(outs));
  it.in = mr_arena_array(arena, mr_value *, it.num_in + 1);
  it.out = mr_arena_array(arena, mr_value *, it.num_out + 1);
  it.from = mr_arena_array(arena, uint32_t, it.num_out + 1);
  if (!it.in || !it.out || !it.from) {
    return MR_NO_MEMORY();
  }
  // What a result's annotation says of itself is manual: without operands that is where the axes are.
  const mr_op *local = it.num_in ? mr_op_operand(call, 0)->def : it.num_out ? mr_op_operand(outs[0], 0)->def : call;
  mr_status status = read_lists(r, call, outs, &it, &in, &out);
  status = status ? status : say_axes(r, mr_import_said(local, "mhlo.sharding"), &axes);
  it.in_text = keep_text(arena, &in);
  it.out_text = keep_text(arena, &out);
  it.axes = keep_text(arena, &axes);
  MR_TRY(status);
  MR_TRY(it.in_text.data && it.out_text.data && it.axes.data ? MR_OK : MR_NO_MEMORY());
  mr_op *givers[256];
  uint32_t num_givers = MR_MIN(it.num_in, (uint32_t)MR_ARRAY_SIZE(givers));
  for (uint32_t i = 0; i < num_givers; i++) {
    givers[i] = mr_op_operand(call, i)->def;
  }
  MR_TRY(mr_import_make_manual(&it));
  for (uint32_t i = 0; i < it.num_out; i++) {
    erase_with_annotations(outs[i]);
  }
  for (uint32_t i = 0; i < call->num_results; i++) {
    if (!mr_value_is_unused(&call->results[i])) {
      return mr_unimplemented(call, "result %u of a manual computation goes elsewhere than SPMDShardToFullShape", i);
    }
  }
  mr_op_erase(call);
  for (uint32_t i = num_givers; i-- > 0;) {
    bool again = false;
    for (uint32_t k = 0; k < i; k++) {
      again = again || givers[k] == givers[i];
    }
    if (!again && mr_value_is_unused(&givers[i]->results[0])) {
      mr_op_erase(givers[i]);
    }
  }
  return MR_OK;
}

// ---- The whole ------------------------------------------------------------------------------------------------------------

static mr_status read_annotation(reader *r, mr_op *op) {
  mr_str tiles = mr_import_said(op, "mhlo.sharding");
  if (op->num_operands != 1 || op->num_results != 1 || op->results[0].type.kind != MR_TYPE_TENSOR) {
    return mr_op_error(op, "a sharding of %u values", op->num_operands);
  }
  if (tiles.size == 0 || mr_str_is(tiles, "{manual}")) {
    mr_value_replace_all_uses(&op->results[0], mr_op_operand(op, 0));
    mr_op_erase(op);
    return MR_OK;
  }
  mr_text text = {0};
  mr_status status = say(r, tiles, op, op->results[0].type.rank, &text);
  mr_str kept = keep_text(&r->module->arena, &text);
  MR_TRY(status);
  return kept.data ? mr_import_make_constraint(op, kept) : MR_NO_MEMORY();
}

static bool is_manual(const mr_tile_sharding *tiles) {
  bool manual = tiles->kind == MR_TILE_MANUAL;
  for (uint32_t i = 0; i < tiles->num_last; i++) {
    manual = manual || tiles->last_tile_dims[i] == MR_TILE_LAST_MANUAL;
  }
  return manual;
}

// What an op says of its results. A call of the host's that one device is to make is known by no dimensions (part_call.c).
static mr_status say_results(reader *r, const mr_op *op, const mr_tile_sharding *list, uint32_t count, mr_text *out) {
  bool on_one = op->kind == MR_OP_custom_call && list[0].kind == MR_TILE_MAXIMAL;
  uint32_t values = on_one ? MR_MAX(op->num_results, 1u) : op->num_results;
  if (count != 1 && count != values) {
    return mr_op_error(op, "%u shardings of %u results", count, values);
  }
  mr_text_put(out, "#sdy.sharding_per_value<[");
  for (uint32_t i = 0; i < values; i++) {
    bool tensor = !on_one && op->results[i].type.kind == MR_TYPE_TENSOR;
    mr_text_put(out, i ? ", " : "");
    if (tensor || on_one) {
      MR_TRY(say_tiles(r, &list[count == 1 ? 0 : i], NULL, tensor ? op->results[i].type.rank : 0, out));
    } else {
      mr_text_put(out, "<@gspmd, []>");
    }
  }
  mr_text_put(out, "]>");
  return MR_OK;
}

// Any op but this form's custom calls. On local values it says nothing that matters.
static mr_status read_said(reader *r, mr_op *op) {
  mr_str tiles = op->extra ? mr_import_said(op, "mhlo.sharding") : (mr_str){"", 0};
  mr_tile_sharding *list;
  uint32_t count;
  if (tiles.size == 0) {
    return MR_OK;
  }
  MR_TRY(mr_sharding_tiles_parse_list(&r->module->arena, tiles, &count, &list));
  for (uint32_t i = 0; i < count; i++) {
    if (is_manual(&list[i])) {
      return MR_OK;
    }
  }
  mr_text text = {0};
  mr_status status = say_results(r, op, list, count, &text);
  mr_str kept = keep_text(&r->module->arena, &text);
  MR_TRY(status);
  if (!kept.data) {
    return MR_NO_MEMORY();
  }
  mr_op_set_attr(r->module, op, (mr_attr){.name = MR_STR("sdy.sharding"), .kind = MR_ATTR_TEXT, .string = kept});
  return mr_module_memory(r->module);
}

static mr_status read_function(reader *r, mr_function *f) {
  MR_TRY(say_ports(r, f->body.num_args, f->arg_attrs, NULL, f->body.args));
  MR_TRY(say_ports(r, f->num_results, f->result_attrs, f->result_types, NULL));
  // Manual computations first: their operands' annotations say how they come.
  for (mr_op *op = mr_walk_first(&f->body); op;) {
    bool manual = is_manual_call(op);
    if (manual) {
      MR_TRY(read_manual(r, op));
    }
    op = manual ? mr_walk_first(&f->body) : mr_walk_next(op, &f->body);
  }
  for (mr_op *op = mr_walk_first(&f->body), *next; op; op = next) {
    next = mr_walk_next(op, &f->body);
    if (mr_import_calls(op, "SPMDFullToShardShape") || mr_import_calls(op, "SPMDShardToFullShape")) {
      return mr_unimplemented(op, "a manual computation whose body is no call");
    }
    MR_TRY(mr_import_calls(op, "Sharding") ? read_annotation(r, op) : read_said(r, op));
  }
  return MR_OK;
}

mr_status mr_import_gspmd(mr_module *module, int64_t num_devices) {
  if (module->meshes && module->meshes->count) {
    return MR_OK;
  }
  reader r = {.module = module, .num_devices = num_devices};
  cuts found = {0};
  MR_TRY(find_cuts(&r, &found));
  if (!found.any) {
    return MR_OK;
  }
  MR_TRY(make_mesh(&r, &found));
  for (mr_function *f = module->functions; f; f = f->next) {
    MR_TRY(read_function(&r, f));
  }
  return mr_module_memory(module);
}
