// Manual computations, evaluated on all devices at once, op by op: each has its own values, and a collective looks at those of all.
// Axes that are not the computation's own do not exist here: along them values are whole.
#include <string.h>

#include "tests/random/random.h"

enum { MOST_AXES = 3, MOST_PLACES = 8 };

// The places that devices have along the axes of one computation. Devices of a place are one.
typedef struct places {
  char names[MOST_AXES];
  int64_t sizes[MOST_AXES], strides[MOST_AXES];  // of the whole mesh's axes
  bool own[MOST_AXES];
  int num_axes;
  int64_t count, ids[MOST_PLACES];  // the first device of each
  tensor **values[MOST_PLACES];
} places;

static bool read_mesh(const mr_module *module, places *p) {
  mr_str text = module->meshes && module->meshes->count ? module->meshes->items[0].string : (mr_str){0};
  int64_t stride = 1;
  for (size_t i = 0; i + 4 < text.size && p->num_axes < MOST_AXES; i++) {
    if (text.data[i] == '"' && text.data[i + 2] == '"' && text.data[i + 3] == '=') {
      p->names[p->num_axes] = text.data[i + 1];
      p->sizes[p->num_axes++] = text.data[i + 4] - '0';
    }
  }
  for (int axis = p->num_axes; axis-- > 0;) {
    p->strides[axis] = stride;
    stride *= p->sizes[axis];
  }
  return p->num_axes > 0;
}

static void find_places(const mr_op *op, places *p) {
  mr_str text = mr_op_attr(op, MR_ATTR_manual_axes)->string;
  for (size_t i = 0; i + 2 < text.size; i++) {
    for (int axis = 0; axis < p->num_axes; axis++) {
      p->own[axis] |= text.data[i] == '"' && text.data[i + 1] == p->names[axis] && text.data[i + 2] == '"';
    }
  }
  int64_t devices = p->strides[0] * p->sizes[0];
  for (int64_t id = 0; id < devices; id++) {
    bool first = true;
    for (int axis = 0; axis < p->num_axes; axis++) {
      first = first && (p->own[axis] || id / p->strides[axis] % p->sizes[axis] == 0);
    }
    if (first) {
      p->ids[p->count++] = id;
    }
  }
}

static int64_t place_of(const places *p, int64_t id) {
  for (int64_t i = 0; i < p->count; i++) {
    if (p->ids[i] == id) {
      return i;
    }
  }
  return -1;
}

// ---- Parts ------------------------------------------------------------------------------------------------------------------

// Where a place's part begins, in parts, by dimension: the `which`-th sharding in a list of them.
static void part_of(const places *p, mr_str list, uint32_t which, int64_t place, int64_t *out) {
  size_t at = 0;
  for (uint32_t seen = 0; at < list.size; at++) {
    if (list.data[at] == '@' && seen++ == which) {
      break;
    }
  }
  uint32_t d = 0;
  for (; at < list.size && list.data[at] != ']'; at++) {
    if (list.data[at] == '{') {
      out[d++] = 0;
    }
    for (int axis = 0; d && list.data[at] == '"' && axis < p->num_axes; axis++) {
      if (list.data[at + 1] == p->names[axis] && list.data[at + 2] == '"') {
        out[d - 1] = out[d - 1] * p->sizes[axis] + p->ids[place] / p->strides[axis] % p->sizes[axis];
      }
    }
  }
}

static void copy_part(const tensor *whole, const tensor *part, const int64_t *begin, bool join) {
  for (int64_t i = 0; i < part->count; i++) {
    int64_t index[MR_MAX_RANK];
    index_of(&part->type, i, index);
    for (uint32_t d = 0; d < part->type.rank; d++) {
      index[d] += begin[d] * part->type.dims[d];
    }
    cell *in_whole = whole->cells + flat_of(&whole->type, index) * whole->parts,
         *in_part = part->cells + i * part->parts;
    memcpy(join ? in_whole : in_part, join ? in_part : in_whole, sizeof(cell) * (size_t)part->parts);
  }
}

// ---- Collectives ------------------------------------------------------------------------------------------------------------

// The members of a place's group, as places, in the group's order.
static int64_t group_of(const places *p, const mr_op *op, int64_t place, int64_t *out) {
  const mr_attr *groups = mr_op_attr(op, MR_ATTR_replica_groups);
  int64_t size = groups && groups->rows > 0 ? (int64_t)groups->ints.size / groups->rows : 0;
  for (int64_t row = 0; size && row < groups->rows; row++) {
    bool mine = false;
    for (int64_t i = 0; i < size; i++) {
      int64_t id = groups->ints.data[row * size + i];
      out[i] = place_of(p, id);
      mine = mine || id == p->ids[place];
    }
    if (mine) {
      return size;
    }
  }
  return 0;
}

static void fold(const mr_op *op, mr_dtype dtype, const cell *x, const cell *y, cell *out) {
  const mr_op *inner = op->regions[0]->first;
  if (mr_dtype_is_complex(dtype)) {
    complex_binary(inner, dtype, x, y, out);
  } else {
    element_binary(inner, dtype, x, y, out);
  }
}

static void all_reduce(const mr_op *op, tensor *const *members, int64_t count, tensor *r) {
  memcpy(r->cells, members[0]->cells, sizeof(cell) * (size_t)(r->count * r->parts));
  for (int64_t i = 1; i < count; i++) {
    for (int64_t k = 0; k < r->count; k++) {
      cell folded[2];
      fold(op, r->type.dtype, r->cells + k * r->parts, members[i]->cells + k * r->parts, folded);
      memcpy(r->cells + k * r->parts, folded, sizeof(cell) * (size_t)r->parts);
    }
  }
}

static void all_gather(const mr_op *op, tensor *const *members, int64_t count, tensor *r) {
  int64_t begin[MR_MAX_RANK] = {0}, dim = mr_op_int(op, MR_ATTR_all_gather_dim, 0);
  for (int64_t i = 0; i < count; i++) {
    begin[dim] = i;
    copy_part(r, members[i], begin, true);
  }
}

// The member number `mine`'s: the others' parts of that number, one behind the other.
static void all_to_all(const mr_op *op, tensor *const *members, int64_t count, int64_t mine, tensor *r) {
  int64_t split = mr_op_int(op, MR_ATTR_split_dimension, 0), concat = mr_op_int(op, MR_ATTR_concat_dimension, 0);
  const mr_type *type = &members[0]->type;
  for (int64_t k = 0; k < r->count; k++) {
    int64_t index[MR_MAX_RANK], piece = type->dims[concat] / (split == concat ? count : 1);
    index_of(&r->type, k, index);
    int64_t from = index[concat] / piece;
    index[concat] %= piece;
    index[split] += mine * (type->dims[split] / count);
    memcpy(r->cells + k * r->parts, members[from]->cells + flat_of(type, index) * r->parts,
           sizeof(cell) * (size_t)r->parts);
  }
}

static void permute(const places *p, const mr_op *op, tensor *const *all, int64_t place, tensor *r) {
  mr_ints pairs = mr_op_ints(op, MR_ATTR_source_target_pairs);
  mr_dtype dtype = mr_dtype_real(r->type.dtype);
  for (int64_t k = 0; k < r->count * r->parts; k++) {
    static const uint8_t zero[16] = {0};
    r->cells[k] = cell_decode(dtype, zero);
  }
  for (size_t i = 0; i + 1 < pairs.size; i += 2) {
    if (pairs.data[i + 1] == p->ids[place]) {
      memcpy(r->cells, all[place_of(p, pairs.data[i])]->cells, sizeof(cell) * (size_t)(r->count * r->parts));
    }
  }
}

// False: no collective.
static bool evaluate_meeting(evaluator *ev, const places *p, const mr_op *op) {
  if (op->kind != MR_OP_all_reduce && op->kind != MR_OP_all_gather && op->kind != MR_OP_all_to_all &&
      op->kind != MR_OP_collective_permute && op->kind != MR_OP_partition_id) {
    return false;
  }
  for (int64_t place = 0; place < p->count && !ev->gave_up; place++) {
    tensor *r = tensor_create(ev, &op->results[0].type), *all[MOST_PLACES], *members[MOST_PLACES];
    int64_t group[64], count = group_of(p, op, place, group), mine = 0;
    p->values[place][op->results[0].id] = r;
    for (int64_t i = 0; i < p->count && op->num_operands; i++) {
      all[i] = p->values[i][mr_op_operand(op, 0)->id];
    }
    for (int64_t i = 0; i < count; i++) {
      members[i] = all[group[i]];
      mine = group[i] == place ? i : mine;
    }
    if (ev->gave_up || !spend(ev, r->count * 8)) {
      return true;
    }
    switch ((int)op->kind) {
    case MR_OP_all_reduce: all_reduce(op, members, count, r); break;
    case MR_OP_all_gather: all_gather(op, members, count, r); break;
    case MR_OP_all_to_all: all_to_all(op, members, count, mine, r); break;
    case MR_OP_collective_permute: permute(p, op, all, place, r); break;
    default: r->cells[0] = cell_of_bits(MR_U32, (uint64_t)p->ids[place]); break;
    }
  }
  return true;
}

// ---- The op ------------------------------------------------------------------------------------------------------------------

static void enter(evaluator *ev, places *p, const mr_op *op, size_t num_values) {
  mr_str in = mr_op_attr(op, MR_ATTR_in_shardings)->string;
  const mr_block *body = op->regions[0];
  for (int64_t place = 0; place < p->count; place++) {
    p->values[place] = mr_arena_array(&ev->arena, tensor *, num_values + 1);
    if (!p->values[place]) {
      give_up(ev, "memory");
      return;
    }
    for (uint32_t i = 0; i < body->num_args && !ev->gave_up; i++) {
      tensor *part = tensor_create(ev, &body->args[i]->type);
      int64_t begin[MR_MAX_RANK] = {0};
      part_of(p, in, i, place, begin);
      if (!ev->gave_up) {
        copy_part(operand_of(ev, op, i), part, begin, false);
      }
      p->values[place][body->args[i]->id] = part;
    }
  }
}

static void leave(const places *p, const mr_op *op, tensor *const *results) {
  mr_str out = mr_op_attr(op, MR_ATTR_out_shardings)->string;
  const mr_op *terminator = mr_block_terminator(op->regions[0]);
  for (int64_t place = 0; place < p->count; place++) {
    for (uint32_t i = 0; i < op->num_results; i++) {
      int64_t begin[MR_MAX_RANK] = {0};
      part_of(p, out, i, place, begin);
      copy_part(results[i], p->values[place][mr_op_operand(terminator, i)->id], begin, true);
    }
  }
}

bool evaluate_manual_op(evaluator *ev, const mr_op *op, tensor *const *results) {
  if (op->kind != MR_OP_sdy_manual_computation) {
    return false;
  }
  places p = {0};
  if (!read_mesh(ev->module, &p)) {
    give_up(ev, "a mesh");
    return true;
  }
  find_places(op, &p);
  enter(ev, &p, op, op->block->function->num_values);
  tensor **outside = ev->values;
  const mr_block *body = op->regions[0];
  for (const mr_op *at = body->first; at && at->kind != MR_OP_return && !ev->gave_up; at = at->next) {
    if (evaluate_meeting(ev, &p, at)) {
      continue;
    }
    for (int64_t place = 0; place < p.count && !ev->gave_up; place++) {
      ev->values = p.values[place];
      evaluate_op(ev, at);
    }
  }
  ev->values = outside;
  if (!ev->gave_up) {
    leave(&p, op, results);
  }
  return true;
}
