// Shardings as HLO says them: a grid of tiles and the devices in its order.
#include <stdio.h>
#include <string.h>

#include "compiler/shard/sharding.h"

// Axes, parts of them, and dimensions: more than any sharding needs.
#define MOST_PIECES MR_SHARDING_MOST_CUTS

// ---- From a sharding --------------------------------------------------------------------------------------------------------

// The parts that a sharding's mesh falls into, major first, and in which place of the grid each stands.
typedef struct pieces {
  uint32_t count;
  mr_axis_ref refs[MOST_PIECES];
  uint32_t order[MOST_PIECES];  // the pieces as the grid has them
  uint32_t placed;
} pieces;

static mr_axis_list list_of(const mr_sharding *s, uint32_t i) { return i < s->rank ? s->dims[i].axes : s->unreduced; }

// The next place behind `from` where some list of the sharding cuts the axis.
static int64_t next_cut(const mr_sharding *s, uint16_t axis, int64_t from) {
  int64_t cut = s->mesh->axes[axis].size;
  for (uint32_t i = 0; i <= s->rank; i++) {
    mr_axis_list list = list_of(s, i);
    for (uint32_t k = 0; k < list.count; k++) {
      mr_axis_ref ref = list.refs[k];
      int64_t end = ref.pre * ref.size;
      if (ref.axis == axis) {
        cut = ref.pre > from ? MR_MIN(cut, ref.pre) : cut;
        cut = end > from ? MR_MIN(cut, end) : cut;
      }
    }
  }
  return cut;
}

static mr_status cut_mesh(const mr_sharding *s, pieces *out) {
  out->count = out->placed = 0;
  for (uint32_t axis = 0; axis < s->mesh->num_axes; axis++) {
    for (int64_t pre = 1; pre < s->mesh->axes[axis].size;) {
      int64_t end = next_cut(s, (uint16_t)axis, pre);
      if (out->count == MOST_PIECES || end % pre != 0) {
        return mr_error(MR_UNIMPLEMENTED, "a sharding by parts of axes that do not fit one another");
      }
      out->refs[out->count++] = (mr_axis_ref){(uint16_t)axis, pre, end / pre};
      pre = end;
    }
  }
  return MR_OK;
}

// Puts the pieces of a list behind those that are placed; returns into how many parts they cut.
static int64_t place(pieces *p, mr_axis_list list) {
  int64_t size = 1;
  for (uint32_t k = 0; k < list.count; k++) {
    for (uint32_t i = 0; i < p->count; i++) {
      if (mr_axis_ref_overlaps(p->refs[i], list.refs[k]) && p->placed < MOST_PIECES) {
        p->order[p->placed++] = i;
        size *= p->refs[i].size;
      }
    }
  }
  return size;
}

static bool is_placed(const pieces *p, uint32_t piece) {
  for (uint32_t i = 0; i < p->placed; i++) {
    if (p->order[i] == piece) {
      return true;
    }
  }
  return false;
}

static int64_t place_rest(pieces *p, mr_axis_list but) {
  int64_t size = 1;
  for (uint32_t i = 0; i < p->count; i++) {
    if (!is_placed(p, i) && !mr_axis_list_overlaps(but, p->refs[i])) {
      p->order[p->placed++] = i;
      size *= p->refs[i].size;
    }
  }
  return size;
}

// Dims of an iota and how it is transposed; neighbours that stay neighbours are one.
static mr_status say_iota(mr_arena *arena, const pieces *p, mr_tile_sharding *out) {
  int64_t *sizes = mr_arena_array(arena, int64_t, MR_MAX(p->count, 1u));
  int32_t *transpose = mr_arena_array(arena, int32_t, MR_MAX(p->count, 1u));
  if (!sizes || !transpose) {
    return MR_NO_MEMORY();
  }
  uint32_t group[MOST_PIECES], groups = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    bool joins = false;
    for (uint32_t k = 1; k < p->placed && !joins; k++) {
      joins = p->order[k] == i && i > 0 && p->order[k - 1] == i - 1;
    }
    groups += !joins;
    group[i] = groups - 1;
    sizes[groups - 1] = joins ? sizes[groups - 1] * p->refs[i].size : p->refs[i].size;
  }
  uint32_t count = 0;
  for (uint32_t k = 0; k < p->placed; k++) {
    if (k == 0 || group[p->order[k]] != group[p->order[k - 1]]) {
      transpose[count++] = (int32_t)group[p->order[k]];
    }
  }
  out->reshape_rank = groups;
  out->reshape_dims = sizes;
  out->transpose = transpose;
  return MR_OK;
}

// The devices themselves, for a mesh whose devices are not in order.
static mr_status say_list(mr_arena *arena, const mr_mesh *mesh, mr_tile_sharding *tiles) {
  int64_t *devices = mr_arena_array(arena, int64_t, mesh->num_ids);
  int64_t strides[MOST_PIECES], stride = 1;
  if (!devices) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = tiles->reshape_rank; i-- > 0;) {
    strides[i] = stride;
    stride *= tiles->reshape_dims[i];
  }
  for (uint32_t at = 0; at < mesh->num_ids; at++) {
    int64_t rest = at, from = 0;
    for (uint32_t k = tiles->reshape_rank; k-- > 0;) {
      int32_t dim = tiles->transpose[k];
      from += rest % tiles->reshape_dims[dim] * strides[dim];
      rest /= tiles->reshape_dims[dim];
    }
    devices[at] = mesh->ids[from];
  }
  tiles->reshape_rank = 0;
  tiles->reshape_dims = NULL;
  tiles->transpose = NULL;
  tiles->devices = devices;
  tiles->num_devices = mesh->num_ids;
  return MR_OK;
}

static mr_status say_maximal(mr_arena *arena, int64_t device, mr_tile_sharding *out) {
  int64_t *devices = mr_arena_new(arena, int64_t);
  if (!devices) {
    return MR_NO_MEMORY();
  }
  *devices = device;
  *out = (mr_tile_sharding){.kind = MR_TILE_MAXIMAL, .devices = devices, .num_devices = 1};
  return MR_OK;
}

mr_status mr_sharding_to_tiles(mr_arena *arena, const mr_sharding *sharding, int64_t num_devices,
                               mr_tile_sharding *out) {
  *out = (mr_tile_sharding){.kind = MR_TILE_REPLICATED};
  if (!sharding || (sharding->mesh->num_axes == 0 && sharding->mesh->maximal < 0)) {
    return MR_OK;
  }
  if (sharding->mesh->maximal >= 0) {
    return say_maximal(arena, sharding->mesh->maximal, out);
  }
  if (mr_mesh_devices(sharding->mesh) != num_devices) {
    return mr_error(MR_INVALID_ARGUMENT, "mesh @%.*s has %lld devices, the program %lld",
                    MR_STR_ARG(sharding->mesh->name), (long long)mr_mesh_devices(sharding->mesh),
                    (long long)num_devices);
  }
  pieces p;
  MR_TRY(cut_mesh(sharding, &p));
  int64_t *dims = mr_arena_array(arena, int64_t, sharding->rank + 2);
  uint8_t *last = mr_arena_array(arena, uint8_t, 2);
  if (!dims || !last) {
    return MR_NO_MEMORY();
  }
  for (uint32_t i = 0; i < sharding->rank; i++) {
    dims[i] = place(&p, sharding->dims[i].axes);
  }
  if (p.placed == 0 && sharding->unreduced.count == 0) {
    return MR_OK;
  }
  *out = (mr_tile_sharding){.kind = MR_TILE_OTHER, .tile_rank = sharding->rank, .tile_dims = dims};
  int64_t alike = place_rest(&p, sharding->unreduced);
  if (alike > 1) {
    dims[out->tile_rank++] = alike;
    last[out->num_last++] = MR_TILE_LAST_REPLICATED;
  }
  if (sharding->unreduced.count) {
    dims[out->tile_rank++] = place(&p, sharding->unreduced);
    last[out->num_last++] = MR_TILE_LAST_UNREDUCED;
    out->last_tile_dims = last;
  } else {
    out->replicate_on_last = out->num_last == 1;
    out->num_last = 0;
  }
  MR_TRY(say_iota(arena, &p, out));
  return sharding->mesh->num_ids ? say_list(arena, sharding->mesh, out) : MR_OK;
}

// ---- To a sharding ----------------------------------------------------------------------------------------------------------

// One step along a dimension of the grid, in devices: `size` of them, `stride` apart. Major first.
typedef struct stretch {
  int64_t size, stride;
  uint32_t dim;
} stretch;

typedef struct stretches {
  uint32_t count;
  stretch list[MOST_PIECES];
} stretches;

static int64_t tiles_of(const mr_tile_sharding *t) {
  int64_t count = 1;
  for (uint32_t i = 0; i < t->tile_rank; i++) {
    count *= t->tile_dims[i];
  }
  return count;
}

static bool add_stretch(stretches *s, stretch one) {
  if (one.size == 1) {
    return true;
  }
  if (s->count == MOST_PIECES) {
    return false;
  }
  s->list[s->count++] = one;
  return true;
}

// The dims of a transposed iota, cut where those of the grid end.
static bool stretch_iota(const mr_tile_sharding *t, stretches *out) {
  int64_t strides[MOST_PIECES], stride = 1;
  if (t->reshape_rank > MOST_PIECES) {
    return false;
  }
  for (uint32_t i = t->reshape_rank; i-- > 0;) {
    strides[i] = stride;
    stride *= t->reshape_dims[i];
  }
  uint32_t dim = 0;
  int64_t want = t->tile_rank ? t->tile_dims[0] : 1;
  for (uint32_t k = 0; k < t->reshape_rank; k++) {
    int64_t size = t->reshape_dims[t->transpose[k]];
    while (size > 1) {
      while (want == 1 && dim + 1 < t->tile_rank) {
        want = t->tile_dims[++dim];
      }
      int64_t taken = want >= size ? size : want;
      if (taken <= 1 || size % taken != 0 || want % taken != 0) {
        return false;
      }
      size /= taken;
      want /= taken;
      if (!add_stretch(out, (stretch){taken, strides[t->transpose[k]] * size, dim})) {
        return false;
      }
    }
  }
  return true;
}

// Finds the steps of a list of devices, if it has any.
static bool stretch_list(const mr_tile_sharding *t, stretches *out) {
  int64_t step = tiles_of(t);
  for (uint32_t dim = 0; dim < t->tile_rank; dim++) {
    int64_t count = t->tile_dims[dim], unit = 1;
    step /= MR_MAX(count, INT64_C(1));
    stretches minor = {0};
    while (unit < count) {
      int64_t stride = t->devices[unit * step] - t->devices[0], size = 1;
      while (size * unit < count && t->devices[size * unit * step] - t->devices[0] == size * stride) {
        size++;
      }
      while (count % (size * unit) != 0) {
        size--;
      }
      if (size < 2 || stride <= 0 || !add_stretch(&minor, (stretch){size, stride, dim})) {
        return false;
      }
      unit *= size;
    }
    for (uint32_t i = minor.count; i-- > 0;) {
      if (!add_stretch(out, minor.list[i])) {
        return false;
      }
    }
  }
  for (int64_t at = 0, n = tiles_of(t); at < n; at++) {
    int64_t rest = at, device = t->devices[0];
    for (uint32_t i = out->count; i-- > 0;) {
      device += rest % out->list[i].size * out->list[i].stride;
      rest /= out->list[i].size;
    }
    if (device != t->devices[at]) {
      return false;
    }
  }
  return t->devices[0] == 0;
}

static bool add_axis(mr_module *module, mr_mesh *mesh, int64_t size) {
  char name[32];
  int length = snprintf(name, sizeof name, "axis_%u", mesh->num_axes);
  mr_str copy = mr_arena_str(&module->arena, (mr_str){name, (size_t)length});
  mr_axis *axes = (mr_axis *)mesh->axes;  // being made
  axes[mesh->num_axes++] = (mr_axis){copy, size};
  module->out_of_memory |= copy.data == NULL;
  return copy.data != NULL;
}

// A mesh whose axes are the stretches, the longest steps first. NULL when these are not all devices, each once.
static const mr_mesh *mesh_for(mr_module *module, const stretches *s, int64_t num_devices) {
  mr_mesh *mesh = mr_arena_new(&module->arena, mr_mesh);
  mr_axis *axes = mr_arena_array(&module->arena, mr_axis, MR_MAX(s->count, 1u));
  if (!mesh || !axes) {
    module->out_of_memory = true;
    return NULL;
  }
  *mesh = (mr_mesh){.name = {"", 0}, .axes = axes, .maximal = -1};
  int64_t left = num_devices;
  while (left > 1) {
    uint32_t i = 0;
    while (i < s->count && s->list[i].stride * s->list[i].size != left) {
      i++;
    }
    if (i == s->count || !add_axis(module, mesh, s->list[i].size)) {
      return NULL;
    }
    left = s->list[i].stride;
  }
  return mesh;
}

// The parts of the mesh's axes that a stretch is.
static bool stretch_axes(const mr_mesh *mesh, stretch one, mr_axis_ref *refs, uint32_t *count) {
  int64_t top = one.stride * one.size, stride = mr_mesh_devices(mesh);
  for (uint32_t i = 0; i < mesh->num_axes && top > one.stride; i++) {
    int64_t above = stride;
    stride /= mesh->axes[i].size;
    if (stride >= top) {
      continue;
    }
    int64_t low = MR_MAX(one.stride, stride);
    if (top > above || above % top != 0 || top % low != 0 || low % stride != 0 || *count == MOST_PIECES) {
      return false;
    }
    refs[(*count)++] = (mr_axis_ref){(uint16_t)i, above / top, top / low};
    top = low;
  }
  return top == one.stride;
}

static bool join_refs(mr_module *module, mr_axis_ref *refs, uint32_t count, mr_axis_list *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    mr_axis_ref *last = kept ? &refs[kept - 1] : NULL;
    if (last && last->axis == refs[i].axis && last->pre * last->size == refs[i].pre) {
      last->size *= refs[i].size;
    } else {
      refs[kept++] = refs[i];
    }
  }
  return mr_axis_list_make(module, kept, refs, out);
}

static mr_sharding *say_axes(mr_module *module, const mr_mesh *mesh, const stretches *s, const mr_tile_sharding *t,
                             uint32_t rank) {
  mr_sharding *sharding = mr_sharding_create(module, mesh, rank, false);
  for (uint32_t dim = 0; sharding && dim < t->tile_rank; dim++) {
    mr_axis_ref refs[MOST_PIECES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->list[i].dim == dim && !stretch_axes(mesh, s->list[i], refs, &count)) {
        return NULL;
      }
    }
    uint32_t behind = dim - rank;
    bool sums = dim >= rank && behind < t->num_last && t->last_tile_dims[behind] == MR_TILE_LAST_UNREDUCED;
    mr_axis_list *list = dim < rank ? &sharding->dims[dim].axes : sums ? &sharding->unreduced : NULL;
    if (list && !join_refs(module, refs, count, list)) {
      return NULL;
    }
  }
  return sharding;
}

// Whatever a host answers: as many devices as tiles, and an order that is one.
static bool is_whole(const mr_tile_sharding *t, int64_t num_devices) {
  int64_t devices = 1;
  uint64_t seen = 0;
  if (tiles_of(t) != num_devices || num_devices < 1) {
    return false;
  }
  if (t->reshape_rank == 0) {
    return (int64_t)t->num_devices == num_devices;
  }
  for (uint32_t i = 0; i < t->reshape_rank && t->reshape_rank <= 64; i++) {
    bool fits = t->transpose[i] >= 0 && t->transpose[i] < (int32_t)t->reshape_rank && t->reshape_dims[i] >= 1 &&
                t->reshape_dims[i] <= num_devices / devices;
    if (!fits) {
      return false;
    }
    devices *= t->reshape_dims[i];
    seen |= UINT64_C(1) << t->transpose[i];
  }
  return devices == num_devices && seen + 1 == (t->reshape_rank < 64 ? UINT64_C(1) << t->reshape_rank : 0);
}

mr_status mr_sharding_tiles_check(mr_arena *arena, const mr_tile_sharding *tiles, int64_t num_devices) {
  bool grid = tiles->kind == MR_TILE_OTHER;
  if (tiles->kind == MR_TILE_MAXIMAL && tiles->num_devices != 1) {
    return mr_error(MR_INVALID_ARGUMENT, "a maximal sharding without its device");
  }
  if (tiles->kind == MR_TILE_MAXIMAL || (grid && tiles->reshape_rank == 0)) {
    MR_TRY(mr_devices_check(arena, tiles->devices, tiles->num_devices, num_devices));
  }
  return !grid || is_whole(tiles, num_devices)
             ? MR_OK
             : mr_error(MR_INVALID_ARGUMENT, "a sharding over %lld tiles, wanted the program's %lld devices",
                        (long long)tiles_of(tiles), (long long)num_devices);
}

mr_status mr_sharding_from_tiles(mr_module *module, const mr_mesh *mesh, const mr_tile_sharding *tiles, uint32_t rank,
                                 int64_t num_devices, const mr_sharding **out) {
  static const mr_mesh nothing = {.name = {"", 0}, .maximal = -1};
  *out = NULL;
  MR_TRY(mr_sharding_tiles_check(&module->arena, tiles, num_devices));
  if (tiles->kind == MR_TILE_MAXIMAL) {
    mr_mesh *one = mr_arena_new(&module->arena, mr_mesh);
    if (!one) {
      return MR_NO_MEMORY();
    }
    *one = (mr_mesh){.name = {"", 0}, .maximal = tiles->devices[0]};
    *out = mr_sharding_create(module, one, rank, false);
    return mr_module_memory(module);
  }
  if (tiles->kind != MR_TILE_OTHER) {
    *out = mr_sharding_create(module, mesh ? mesh : &nothing, rank, false);
    return mr_module_memory(module);
  }
  stretches s = {0};
  bool listed = tiles->reshape_rank == 0;
  if (tiles->tile_rank < rank) {
    return mr_error(MR_INVALID_ARGUMENT, "a sharding of %u dimensions, wanted %u", tiles->tile_rank, rank);
  }
  bool straight = !mesh || mesh->num_ids == 0;  // the numbers of devices are places in the mesh
  bool found = straight && (listed ? stretch_list(tiles, &s) : stretch_iota(tiles, &s));
  const mr_mesh *used = found && !mesh ? mesh_for(module, &s, num_devices) : mesh;
  *out = found && used ? say_axes(module, used, &s, tiles, rank) : NULL;
  MR_TRY(mr_module_memory(module));
  return *out ? MR_OK : mr_error(MR_UNIMPLEMENTED, "a sharding whose devices are in an order that no axes have");
}

// ---- A mesh for many ------------------------------------------------------------------------------------------------------

// Keeps the cuts sorted, largest first, each a multiple of the next; one that is not is left out.
static void add_cut(int64_t *cuts, uint32_t *count, int64_t cut) {
  uint32_t at = 0;
  while (at < *count && cuts[at] > cut) {
    at++;
  }
  bool fits = *count < MOST_PIECES && !(at < *count && cuts[at] == cut) && !(at > 0 && cuts[at - 1] % cut != 0) &&
              !(at < *count && cut % cuts[at] != 0);
  if (fits) {
    memmove(cuts + at + 1, cuts + at, (*count - at) * sizeof *cuts);
    cuts[at] = cut;
    ++*count;
  }
}

uint32_t mr_sharding_cuts(const mr_tile_sharding *tiles, int64_t *cuts, uint32_t count) {
  stretches s = {0};
  bool found = tiles->kind == MR_TILE_OTHER &&
               (tiles->reshape_rank ? stretch_iota(tiles, &s)
                                    : (int64_t)tiles->num_devices == tiles_of(tiles) && stretch_list(tiles, &s));
  for (uint32_t i = 0; found && i < s.count; i++) {
    add_cut(cuts, &count, s.list[i].stride);
    add_cut(cuts, &count, s.list[i].stride * s.list[i].size);
  }
  return count;
}
