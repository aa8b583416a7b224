// Shardy's attributes as text, the form in which both readers leave them.
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "compiler/shard/sharding.h"
#include "compiler/shard/words.h"

// No mesh, list of axes or of dimensions is longer; a hostile program could have any.
#define LIST_LIMIT 256

typedef struct parser {
  mr_module *module;
  mr_words words;
} parser;

// A string between quotes. Escapes stay as they are: names are only compared with one another.
static mr_status parse_string(parser *p, mr_str *out) {
  MR_TRY(mr_words_expect(&p->words, "\""));
  size_t start = p->words.at;
  while (p->words.at < p->words.text.size && p->words.text.data[p->words.at] != '"') {
    p->words.at += p->words.text.data[p->words.at] == '\\' ? 2 : 1;
  }
  if (p->words.at >= p->words.text.size) {
    p->words.at = p->words.text.size;
    return mr_words_wrong(&p->words, "the end of a string");
  }
  *out = (mr_str){p->words.text.data + start, p->words.at - start};
  p->words.at++;
  return MR_OK;
}

static mr_status parse_symbol(parser *p, mr_str *out) {
  MR_TRY(mr_words_expect(&p->words, "@"));
  if (p->words.at < p->words.text.size && p->words.text.data[p->words.at] == '"') {
    return parse_string(p, out);
  }
  size_t start = p->words.at;
  while (p->words.at < p->words.text.size &&
         (isalnum((unsigned char)p->words.text.data[p->words.at]) || strchr("_.$-", p->words.text.data[p->words.at]))) {
    p->words.at++;
  }
  *out = (mr_str){p->words.text.data + start, p->words.at - start};
  return out->size ? MR_OK : mr_words_wrong(&p->words, "a name");
}

// ---- Meshes -----------------------------------------------------------------------------------------------------------------

// "x"=4, ..]: axes of size 1 stand apart.
static mr_status parse_mesh_axes(parser *p, mr_mesh *out) {
  mr_axis axes[LIST_LIMIT];
  mr_str ones[LIST_LIMIT];
  int64_t devices = 1;
  while (!mr_words_accept(&p->words, "]")) {
    mr_axis axis;
    MR_TRY(out->num_axes + out->num_ones ? mr_words_expect(&p->words, ",") : MR_OK);
    MR_TRY(parse_string(p, &axis.name));
    MR_TRY(mr_words_expect(&p->words, "="));
    MR_TRY(mr_words_int(&p->words, &axis.size));
    if (axis.size < 1 || out->num_axes + out->num_ones >= LIST_LIMIT || devices > MR_WORDS_LIMIT / axis.size) {
      return mr_words_wrong(&p->words, "fewer devices");
    }
    devices *= axis.size;
    axis.name = mr_arena_str(&p->module->arena, axis.name);
    if (!axis.name.data) {
      return MR_NO_MEMORY();
    }
    if (axis.size > 1) {
      axes[out->num_axes++] = axis;
    } else {
      ones[out->num_ones++] = axis.name;
    }
  }
  out->axes = mr_arena_copy(&p->module->arena, axes, MR_MAX(out->num_axes, 1u) * sizeof *axes);
  out->ones = mr_arena_copy(&p->module->arena, ones, MR_MAX(out->num_ones, 1u) * sizeof *ones);
  return out->axes && out->ones ? MR_OK : MR_NO_MEMORY();
}

static mr_status parse_ids(parser *p, mr_mesh *out) {
  int64_t *ids = NULL;
  uint32_t room = 0;
  bool straight = true;
  MR_TRY(mr_words_expect(&p->words, "["));
  while (!mr_words_accept(&p->words, "]")) {
    if (out->num_ids) {
      MR_TRY(mr_words_expect(&p->words, ","));
    }
    if (out->num_ids == room) {
      room = MR_MAX(room * 2, 16u);
      int64_t *more = mr_arena_array(&p->module->arena, int64_t, room);
      if (!more) {
        return MR_NO_MEMORY();
      }
      memcpy(more, ids ? ids : more, out->num_ids * sizeof *ids);
      ids = more;
    }
    MR_TRY(mr_words_int(&p->words, &ids[out->num_ids]));
    straight = straight && ids[out->num_ids] == out->num_ids;
    out->num_ids++;
  }
  if (out->num_axes == 0 && out->num_ids == 1) {
    out->maximal = ids[0];
    out->num_ids = 0;
  } else if (out->num_ids != mr_mesh_devices(out)) {
    return mr_words_wrong(&p->words, "a device for each place of the mesh");
  } else {
    out->num_ids = straight ? 0 : out->num_ids;
    out->ids = straight ? NULL : ids;
  }
  return MR_OK;
}

static mr_status parse_mesh(parser *p, mr_str name, mr_mesh *out) {
  *out = (mr_mesh){.name = name, .maximal = -1};
  mr_words_accept(&p->words, "#sdy.mesh");
  MR_TRY(mr_words_expect(&p->words, "<"));
  MR_TRY(mr_words_expect(&p->words, "["));
  MR_TRY(parse_mesh_axes(p, out));
  if (mr_words_accept(&p->words, ",")) {
    MR_TRY(mr_words_expect(&p->words, "device_ids"));
    MR_TRY(mr_words_expect(&p->words, "="));
    MR_TRY(parse_ids(p, out));
  }
  return mr_words_expect(&p->words, ">");
}

// All of them at the first question: shardings of one mesh then have one address for it.
static mr_status read_meshes(mr_module *module) {
  size_t count = module->meshes ? module->meshes->count : 0;
  if (module->read_meshes || count == 0) {
    return MR_OK;
  }
  mr_mesh *meshes = mr_arena_array(&module->arena, mr_mesh, count);
  if (!meshes) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    const mr_attr *attr = &module->meshes->items[i];
    parser p = {module, {.text = attr->kind == MR_ATTR_TEXT ? attr->string : (mr_str){"", 0}}};
    MR_TRY(mr_status_note(parse_mesh(&p, attr->name, &meshes[i]), "in mesh @%.*s", MR_STR_ARG(attr->name)));
  }
  module->read_meshes = meshes;
  return MR_OK;
}

mr_status mr_mesh_named(mr_module *module, mr_str name, const mr_mesh **out) {
  MR_TRY(read_meshes(module));
  for (size_t i = 0; module->meshes && i < module->meshes->count; i++) {
    if (mr_str_equal(module->read_meshes[i].name, name)) {
      *out = &module->read_meshes[i];
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "there is no mesh @%.*s", MR_STR_ARG(name));
}

// ---- Shardings --------------------------------------------------------------------------------------------------------------

// @mesh or mesh<..>
static mr_status parse_mesh_use(parser *p, const mr_mesh **out) {
  mr_str name;
  if (mr_words_accept(&p->words, "mesh")) {
    mr_mesh *mesh = mr_arena_new(&p->module->arena, mr_mesh);
    *out = mesh;
    return mesh ? parse_mesh(p, (mr_str){"", 0}, mesh) : MR_NO_MEMORY();
  }
  MR_TRY(parse_symbol(p, &name));
  return mr_mesh_named(p->module, name, out);
}

static bool is_one(const mr_mesh *mesh, mr_str name) {
  for (uint32_t i = 0; i < mesh->num_ones; i++) {
    if (mr_str_equal(mesh->ones[i], name)) {
      return true;
    }
  }
  return false;
}

// "x" or "x":(1)2. Of size 1: the axis says nothing.
static mr_status parse_axis(parser *p, const mr_mesh *mesh, mr_axis_ref *out) {
  mr_str name;
  MR_TRY(parse_string(p, &name));
  int axis = mr_mesh_axis(mesh, name);
  if (axis < 0 && !is_one(mesh, name)) {
    return mr_words_wrong(&p->words, "an axis of the mesh before this");
  }
  *out = (mr_axis_ref){.axis = (uint16_t)MR_MAX(axis, 0), .pre = 1, .size = axis >= 0 ? mesh->axes[axis].size : 1};
  if (mr_words_accept(&p->words, ":")) {
    MR_TRY(mr_words_expect(&p->words, "("));
    MR_TRY(mr_words_int(&p->words, &out->pre));
    MR_TRY(mr_words_expect(&p->words, ")"));
    MR_TRY(mr_words_int(&p->words, &out->size));
    bool divides = axis >= 0 && out->pre >= 1 && out->size >= 1 && out->pre <= mesh->axes[axis].size &&
                   out->size <= mesh->axes[axis].size && mesh->axes[axis].size % (out->pre * out->size) == 0;
    if (!divides) {
      return mr_words_wrong(&p->words, "a part of an axis of the mesh before this");
    }
  }
  return MR_OK;
}

// Axes up to `}`; `?` behind them when *out_open may say so.
static mr_status parse_axes(parser *p, const mr_mesh *mesh, bool sorted, mr_axis_list *out, bool *out_open) {
  mr_axis_ref refs[LIST_LIMIT];
  uint32_t count = 0;
  bool first = true;
  MR_TRY(mr_words_expect(&p->words, "{"));
  while (!mr_words_accept(&p->words, "}")) {
    if (!first) {
      MR_TRY(mr_words_expect(&p->words, ","));
    }
    first = false;
    if (out_open && mr_words_accept(&p->words, "?")) {
      *out_open = true;
      MR_TRY(mr_words_expect(&p->words, "}"));
      break;
    }
    if (count == LIST_LIMIT) {
      return mr_words_wrong(&p->words, "fewer axes");
    }
    MR_TRY(parse_axis(p, mesh, &refs[count]));
    count += refs[count].size > 1;
  }
  bool made =
      sorted ? mr_axis_list_make_set(p->module, count, refs, out) : mr_axis_list_make(p->module, count, refs, out);
  return made ? MR_OK : MR_NO_MEMORY();
}

static mr_status parse_dims(parser *p, mr_sharding *out) {
  mr_dim_sharding dims[MR_MAX_RANK] = {0};
  MR_TRY(mr_words_expect(&p->words, "["));
  while (!mr_words_accept(&p->words, "]")) {
    if (out->rank == MR_MAX_RANK) {
      return mr_words_wrong(&p->words, "fewer dimensions");
    }
    if (out->rank) {
      MR_TRY(mr_words_expect(&p->words, ","));
    }
    mr_dim_sharding *dim = &dims[out->rank++];
    int64_t priority = 0;
    MR_TRY(parse_axes(p, out->mesh, false, &dim->axes, &dim->open));
    if (mr_words_accept(&p->words, "p")) {
      MR_TRY(mr_words_int(&p->words, &priority));
    }
    dim->priority = (int32_t)MR_MIN(priority, (int64_t)INT32_MAX);
  }
  out->dims = mr_arena_copy(&p->module->arena, dims, MR_MAX(out->rank, 1u) * sizeof *dims);
  return out->dims ? MR_OK : MR_NO_MEMORY();
}

// No part of an axis is used twice.
static mr_status check_axes(const parser *p, const mr_sharding *sharding) {
  for (uint32_t i = 0; i < sharding->rank + 2; i++) {
    mr_axis_list list = i < sharding->rank    ? sharding->dims[i].axes
                        : i == sharding->rank ? sharding->replicated
                                              : sharding->unreduced;
    for (uint32_t k = 0; k < list.count; k++) {
      bool again = false;
      for (uint32_t j = 0; j < i; j++) {
        again = again ||
                mr_axis_list_overlaps(j < sharding->rank ? sharding->dims[j].axes : sharding->replicated, list.refs[k]);
      }
      if (again || mr_axis_list_overlaps((mr_axis_list){k, list.refs}, list.refs[k])) {
        return mr_words_wrong(&p->words, "each axis once before this");
      }
    }
  }
  return MR_OK;
}

static mr_status parse_sharding(parser *p, const mr_sharding **out) {
  mr_sharding *sharding = mr_arena_new(&p->module->arena, mr_sharding);
  if (!sharding) {
    return MR_NO_MEMORY();
  }
  MR_TRY(mr_words_expect(&p->words, "<"));
  MR_TRY(parse_mesh_use(p, &sharding->mesh));
  MR_TRY(mr_words_expect(&p->words, ","));
  MR_TRY(parse_dims(p, sharding));
  while (mr_words_accept(&p->words, ",")) {
    bool replicated = mr_words_accept(&p->words, "replicated");
    if (!replicated) {
      MR_TRY(mr_words_expect(&p->words, "unreduced"));
    }
    MR_TRY(mr_words_expect(&p->words, "="));
    // The word for how it reduces; without one it sums.
    if (!replicated && (mr_words_accept(&p->words, "max") || mr_words_accept(&p->words, "min"))) {
      return mr_error(MR_UNIMPLEMENTED, "a sharding with parts to be reduced by other than a sum: %.*s",
                      MR_STR_ARG(p->words.text));
    }
    mr_words_accept(&p->words, "sum");
    MR_TRY(parse_axes(p, sharding->mesh, true, replicated ? &sharding->replicated : &sharding->unreduced, NULL));
  }
  MR_TRY(mr_words_expect(&p->words, ">"));
  *out = sharding;
  return check_axes(p, sharding);
}

// ---- What was read before -----------------------------------------------------------------------------------------------------
// Programs say the same of value after value: the last text of each hash is kept with what it says.

#define TEXTS 256

typedef struct kept_text {
  mr_str text;
  bool listed;  // it was read as a list
  uint32_t count;
  const mr_sharding *const *shardings;  // NULL: none is kept here
} kept_text;

struct mr_sharding_texts {
  bool any_priority;
  kept_text kept[TEXTS];
};

bool mr_sharding_any_priority(const mr_module *module) {
  return module->sharding_texts && module->sharding_texts->any_priority;
}

// Where the text is kept, or is to be. NULL without memory.
static kept_text *place_of(mr_module *module, mr_str text, bool listed) {
  if (!module->sharding_texts) {
    module->sharding_texts = mr_arena_new(&module->arena, struct mr_sharding_texts);
  }
  uint64_t hash = mr_hash64(text.data, text.size, listed);
  return module->sharding_texts ? &module->sharding_texts->kept[hash % TEXTS] : NULL;
}

static bool is_kept(const kept_text *kept, mr_str text, bool listed) {
  return kept->shardings && kept->listed == listed && mr_str_equal(kept->text, text);
}

static void note_priorities(mr_module *module, const mr_sharding *sharding) {
  for (uint32_t d = 0; d < sharding->rank; d++) {
    module->sharding_texts->any_priority |= sharding->dims[d].priority > 0;
  }
}

static mr_status keep(mr_module *module, kept_text *kept, mr_str text, bool listed, uint32_t count,
                      const mr_sharding *const *shardings) {
  const mr_sharding **copy = mr_arena_array(&module->arena, const mr_sharding *, MR_MAX(count, 1u));
  if (!copy) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < count; i++) {
    copy[i] = shardings[i];
    note_priorities(module, copy[i]);
  }
  *kept = (kept_text){text, listed, count, copy};
  return MR_OK;
}

// ---- Texts --------------------------------------------------------------------------------------------------------------------

static mr_status parse_end(parser *p) {
  mr_words_skip_space(&p->words);
  return p->words.at == p->words.text.size ? MR_OK : mr_words_wrong(&p->words, "the end");
}

static mr_status parse_one(mr_module *module, mr_str text, const mr_sharding **out) {
  parser p = {module, {.text = text}};
  bool listed = mr_words_accept(&p.words, "#sdy.sharding_per_value<[");
  if (!listed) {
    mr_words_accept(&p.words, "#sdy.sharding");
  }
  MR_TRY(parse_sharding(&p, out));
  if (listed) {
    MR_TRY(mr_words_expect(&p.words, "]>"));
  }
  return parse_end(&p);
}

mr_status mr_sharding_parse(mr_module *module, mr_str text, const mr_sharding **out) {
  kept_text *kept = place_of(module, text, false);
  *out = NULL;
  if (!kept) {
    return MR_NO_MEMORY();
  }
  if (is_kept(kept, text, false)) {
    *out = kept->shardings[0];
    return MR_OK;
  }
  MR_TRY(parse_one(module, text, out));
  return keep(module, kept, text, false, 1, out);
}

static mr_status parse_list(mr_module *module, mr_str text, uint32_t *out_count, const mr_sharding ***out) {
  parser p = {module, {.text = text}};
  bool worded = mr_words_accept(&p.words, "#sdy.sharding_per_value");
  if (worded) {
    MR_TRY(mr_words_expect(&p.words, "<"));
  }
  MR_TRY(mr_words_expect(&p.words, "["));
  uint32_t count = 0, room = 0;
  const mr_sharding **list = NULL;
  while (!mr_words_accept(&p.words, "]")) {
    if (count) {
      MR_TRY(mr_words_expect(&p.words, ","));
    }
    if (count == room) {
      room = MR_MAX(room * 2, 8u);
      const mr_sharding **more = mr_arena_array(&module->arena, const mr_sharding *, room);
      if (!more) {
        return MR_NO_MEMORY();
      }
      memcpy(more, list ? list : more, count * sizeof *list);
      list = more;
    }
    MR_TRY(parse_sharding(&p, &list[count++]));
  }
  if (worded) {
    MR_TRY(mr_words_expect(&p.words, ">"));
  }
  *out = list;
  *out_count = count;
  return parse_end(&p);
}

mr_status mr_sharding_parse_list(mr_module *module, mr_str text, uint32_t *out_count, const mr_sharding ***out) {
  kept_text *kept = place_of(module, text, true);
  if (!kept) {
    return MR_NO_MEMORY();
  }
  if (is_kept(kept, text, true)) {
    *out_count = kept->count;
    *out = mr_arena_copy(&module->arena, kept->shardings, kept->count * sizeof(mr_sharding *));
    return *out ? MR_OK : MR_NO_MEMORY();
  }
  MR_TRY(parse_list(module, text, out_count, out));
  return keep(module, kept, text, true, *out_count, *out);
}

mr_status mr_sharding_parse_per_value(mr_module *module, mr_str text, uint32_t count, const mr_sharding ***out) {
  uint32_t found;
  MR_TRY(mr_sharding_parse_list(module, text, &found, out));
  return found == count ? MR_OK
                        : mr_error(MR_INVALID_ARGUMENT, "%u shardings for %u values: %.*s", found, count,
                                   (int)MR_MIN(text.size, (size_t)200), text.data);
}

mr_status mr_sharding_parse_names(mr_module *module, mr_str text, uint32_t *out_count, const mr_str **out_names) {
  parser p = {module, {.text = text}};
  mr_str names[LIST_LIMIT];
  uint32_t count = 0;
  bool worded = mr_words_accept(&p.words, "#sdy<manual_axes");
  MR_TRY(mr_words_expect(&p.words, "{"));
  while (!mr_words_accept(&p.words, "}")) {
    if (count) {
      MR_TRY(mr_words_expect(&p.words, ","));
    }
    if (count == LIST_LIMIT) {
      return mr_words_wrong(&p.words, "fewer axes");
    }
    MR_TRY(parse_string(&p, &names[count++]));
  }
  if (worded) {
    MR_TRY(mr_words_expect(&p.words, ">"));
  }
  *out_names = mr_arena_copy(&module->arena, names, MR_MAX(count, 1u) * sizeof *names);
  *out_count = count;
  return *out_names ? parse_end(&p) : MR_NO_MEMORY();
}

// ---- Printing ---------------------------------------------------------------------------------------------------------------

static void print_axes(const mr_mesh *mesh, mr_axis_list list, mr_text *text) {
  for (uint32_t i = 0; i < list.count; i++) {
    mr_axis_ref ref = list.refs[i];
    mr_text_put(text, i ? ", \"" : "\"");
    mr_text_append(text, mesh->axes[ref.axis].name);
    mr_text_put(text, "\"");
    if (!mr_axis_ref_whole(mesh, ref)) {
      mr_text_put(text, ":(%" PRId64 ")%" PRId64, ref.pre, ref.size);
    }
  }
}

static void print_list(const char *word, const mr_sharding *sharding, mr_axis_list list, mr_text *text) {
  if (list.count) {
    mr_text_put(text, ", %s={", word);
    print_axes(sharding->mesh, list, text);
    mr_text_put(text, "}");
  }
}

static void print_mesh(const mr_mesh *mesh, mr_text *text) {
  if (mesh->name.size) {
    bool bare = !isdigit((unsigned char)mesh->name.data[0]);
    for (size_t i = 0; i < mesh->name.size; i++) {
      bare = bare && (isalnum((unsigned char)mesh->name.data[i]) || strchr("_.$", mesh->name.data[i]));
    }
    mr_text_put(text, bare ? "@%.*s" : "@\"%.*s\"", MR_STR_ARG(mesh->name));
    return;
  }
  mr_text_put(text, "mesh<[");
  for (uint32_t i = 0; i < mesh->num_axes; i++) {
    mr_text_put(text, "%s\"%.*s\"=%" PRId64, i ? ", " : "", MR_STR_ARG(mesh->axes[i].name), mesh->axes[i].size);
  }
  mr_text_put(text, "]");
  for (uint32_t i = 0; i < mesh->num_ids; i++) {
    mr_text_put(text, "%s%" PRId64, i ? ", " : ", device_ids=[", mesh->ids[i]);
  }
  if (mesh->maximal >= 0) {
    mr_text_put(text, ", device_ids=[%" PRId64, mesh->maximal);
  }
  mr_text_put(text, mesh->num_ids || mesh->maximal >= 0 ? "]>" : ">");
}

void mr_sharding_print(const mr_sharding *sharding, mr_text *text) {
  mr_text_put(text, "<");
  print_mesh(sharding->mesh, text);
  mr_text_put(text, ", [");
  for (uint32_t i = 0; i < sharding->rank; i++) {
    const mr_dim_sharding *dim = &sharding->dims[i];
    mr_text_put(text, i ? ", {" : "{");
    print_axes(sharding->mesh, dim->axes, text);
    mr_text_put(text, dim->open ? (dim->axes.count ? ", ?}" : "?}") : "}");
    if (dim->priority) {
      mr_text_put(text, "p%" PRId32, dim->priority);
    }
  }
  mr_text_put(text, "]");
  print_list("replicated", sharding, sharding->replicated, text);
  print_list("unreduced", sharding, sharding->unreduced, text);
  mr_text_put(text, ">");
}
