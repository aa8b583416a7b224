#include "pjrt/proto/sharding.h"

#include <string.h>

#include "pjrt/proto/message.h"
#include "pjrt/proto/options.pb-c.h"

// ---- Writing ---------------------------------------------------------------------------------------------------------------

static const Millrace__OpSharding__Type types_of_kinds[] = {
    [MR_TILE_REPLICATED] = MILLRACE__OP_SHARDING__TYPE__REPLICATED,
    [MR_TILE_MAXIMAL] = MILLRACE__OP_SHARDING__TYPE__MAXIMAL,
    [MR_TILE_MANUAL] = MILLRACE__OP_SHARDING__TYPE__MANUAL,
    [MR_TILE_OTHER] = MILLRACE__OP_SHARDING__TYPE__OTHER,
};
static_assert(MR_TILE_LAST_MANUAL == (int)MILLRACE__OP_SHARDING__TYPE__MANUAL &&
                  MR_TILE_LAST_UNREDUCED == (int)MILLRACE__OP_SHARDING__TYPE__UNREDUCED,
              "HLO's numbers");

typedef struct sharding_message {
  Millrace__OpSharding proto;
  Millrace__OpSharding__Type last[MR_MAX_RANK];
} sharding_message;

// protobuf-c's structs are not const-correct; packing only reads.
static mr_status fill(const mr_tile_sharding *tiles, sharding_message *out) {
  Millrace__OpSharding *proto = &out->proto;
  *proto = (Millrace__OpSharding)MILLRACE__OP_SHARDING__INIT;
  if (tiles == NULL) {
    return MR_OK;
  }
  if (tiles->num_last > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "sharding has %u trailing dimensions, wanted at most %d", tiles->num_last,
                    MR_MAX_RANK);
  }
  proto->type = types_of_kinds[tiles->kind];
  if (tiles->kind != MR_TILE_OTHER && tiles->kind != MR_TILE_MAXIMAL) {
    return MR_OK;
  }
  proto->tile_assignment_devices = (int64_t *)tiles->devices;
  proto->n_tile_assignment_devices = tiles->reshape_rank ? 0 : tiles->num_devices;
  if (tiles->kind == MR_TILE_MAXIMAL) {
    return MR_OK;
  }
  proto->tile_assignment_dimensions = (int64_t *)tiles->tile_dims;
  proto->n_tile_assignment_dimensions = tiles->tile_rank;
  proto->iota_reshape_dims = (int64_t *)tiles->reshape_dims;
  proto->n_iota_reshape_dims = tiles->reshape_rank;
  proto->iota_transpose_perm = (int32_t *)tiles->transpose;
  proto->n_iota_transpose_perm = tiles->reshape_rank;
  proto->replicate_on_last_tile_dim = tiles->replicate_on_last;
  for (uint32_t i = 0; i < tiles->num_last; i++) {
    out->last[i] = (Millrace__OpSharding__Type)tiles->last_tile_dims[i];
  }
  proto->last_tile_dims = out->last;
  proto->n_last_tile_dims = tiles->num_last;
  return MR_OK;
}

mr_status mr_pjrt_sharding_pack(const mr_tile_sharding *tiles, char **out_bytes, size_t *out_size) {
  sharding_message message;
  *out_bytes = NULL;
  *out_size = 0;
  MR_TRY(fill(tiles, &message));
  return mr_proto_pack(&message.proto.base, out_bytes, out_size);
}

mr_status mr_pjrt_sharding_pack_tuple(const mr_tile_sharding *const *tiles, size_t count, char **out_bytes,
                                      size_t *out_size) {
  *out_bytes = NULL;
  *out_size = 0;
  mr_arena arena;
  mr_arena_init(&arena, 0);
  Millrace__OpSharding tuple = MILLRACE__OP_SHARDING__INIT;
  sharding_message *messages = mr_arena_array(&arena, sharding_message, MR_MAX(count, 1));
  Millrace__OpSharding **list = mr_arena_array(&arena, Millrace__OpSharding *, MR_MAX(count, 1));
  mr_status status = messages && list ? MR_OK : MR_NO_MEMORY();
  for (size_t i = 0; !status && i < count; i++) {
    status = fill(tiles[i], &messages[i]);
    list[i] = &messages[i].proto;
  }
  if (!status) {
    tuple.type = MILLRACE__OP_SHARDING__TYPE__TUPLE;
    tuple.tuple_shardings = list;
    tuple.n_tuple_shardings = count;
    status = mr_proto_pack(&tuple.base, out_bytes, out_size);
  }
  mr_arena_deinit(&arena);
  return status;
}

// ---- Reading ---------------------------------------------------------------------------------------------------------------

static mr_status read_kind(const Millrace__OpSharding *proto, mr_tile_kind *out) {
  for (size_t i = 0; i < sizeof types_of_kinds / sizeof types_of_kinds[0]; i++) {
    if (types_of_kinds[i] == proto->type) {
      *out = (mr_tile_kind)i;
      return MR_OK;
    }
  }
  return mr_error(MR_INVALID_ARGUMENT, "sharding of type %d, wanted replicated, maximal, manual or tiled",
                  (int)proto->type);
}

// The sizes of the grid of devices, all positive, and of what the devices are an iota over, have the same product.
static mr_status check_tiles(const Millrace__OpSharding *proto) {
  enum { MAX_DEVICES = 1 << 24 };
  int64_t places = 1, ids = 1;
  for (size_t i = 0; i < proto->n_tile_assignment_dimensions; i++) {
    int64_t size = proto->tile_assignment_dimensions[i];
    if (size <= 0 || size > MAX_DEVICES / places) {
      return mr_error(MR_INVALID_ARGUMENT, "sharding with %lld tiles in dimension %zu", (long long)size, i);
    }
    places *= size;
  }
  size_t rank = proto->n_iota_reshape_dims;
  for (size_t i = 0; i < rank; i++) {
    int64_t size = proto->iota_reshape_dims[i];
    if (size <= 0 || size > MAX_DEVICES / ids) {
      return mr_error(MR_INVALID_ARGUMENT, "sharding over %lld devices in dimension %zu", (long long)size, i);
    }
    ids *= size;
  }
  ids = rank ? ids : (int64_t)proto->n_tile_assignment_devices;
  if (ids != places || proto->n_iota_transpose_perm != rank || rank > MR_MAX_RANK) {
    return mr_error(MR_INVALID_ARGUMENT, "sharding of %lld tiles over %lld devices", (long long)places, (long long)ids);
  }
  uint32_t seen = 0;
  for (size_t i = 0; i < rank; i++) {
    int32_t from = proto->iota_transpose_perm[i];
    if (from < 0 || (size_t)from >= rank || seen >> from & 1) {
      return mr_error(MR_INVALID_ARGUMENT, "sharding whose devices are transposed by %d at %zu", from, i);
    }
    seen |= 1u << from;
  }
  return MR_OK;
}

static const void *copy(mr_arena *arena, const void *data, size_t bytes, mr_status *status) {
  void *own = mr_arena_alloc(arena, MR_MAX(bytes, 1));
  if (own == NULL) {
    *status = *status ? *status : MR_NO_MEMORY();
  } else if (bytes) {
    memcpy(own, data, bytes);
  }
  return own;
}

static mr_status read_last(const Millrace__OpSharding *proto, mr_arena *arena, mr_tile_sharding *out) {
  size_t count = proto->n_last_tile_dims;
  if (count > proto->n_tile_assignment_dimensions) {
    return mr_error(MR_INVALID_ARGUMENT, "sharding with %zu trailing of %zu dimensions", count,
                    proto->n_tile_assignment_dimensions);
  }
  uint8_t *last = mr_arena_alloc(arena, MR_MAX(count, 1));
  if (last == NULL) {
    return MR_NO_MEMORY();
  }
  for (size_t i = 0; i < count; i++) {
    int type = (int)proto->last_tile_dims[i];
    if (type != MR_TILE_LAST_REPLICATED && type != MR_TILE_LAST_MANUAL && type != MR_TILE_LAST_UNREDUCED) {
      return mr_error(MR_INVALID_ARGUMENT, "sharding whose trailing dimension %zu is of type %d", i, type);
    }
    last[i] = (uint8_t)type;
  }
  out->num_last = (uint32_t)count;
  out->last_tile_dims = last;
  return MR_OK;
}

static mr_status read_tiles(const Millrace__OpSharding *proto, mr_arena *arena, mr_tile_sharding *out) {
  *out = (mr_tile_sharding){0};
  MR_TRY(read_kind(proto, &out->kind));
  mr_status status = MR_OK;
  if (out->kind == MR_TILE_MAXIMAL && proto->n_tile_assignment_devices != 1) {
    return mr_error(MR_INVALID_ARGUMENT, "maximal sharding on %zu devices", proto->n_tile_assignment_devices);
  }
  if (out->kind == MR_TILE_OTHER) {
    MR_TRY(check_tiles(proto));
    MR_TRY(read_last(proto, arena, out));
    out->tile_rank = (uint32_t)proto->n_tile_assignment_dimensions;
    out->tile_dims = copy(arena, proto->tile_assignment_dimensions, out->tile_rank * sizeof out->tile_dims[0], &status);
    out->reshape_rank = (uint32_t)proto->n_iota_reshape_dims;
    out->reshape_dims = copy(arena, proto->iota_reshape_dims, out->reshape_rank * sizeof out->reshape_dims[0], &status);
    out->transpose = copy(arena, proto->iota_transpose_perm, out->reshape_rank * sizeof out->transpose[0], &status);
    out->replicate_on_last = proto->replicate_on_last_tile_dim;
  }
  if (out->kind == MR_TILE_OTHER || out->kind == MR_TILE_MAXIMAL) {
    out->num_devices = proto->n_tile_assignment_devices;
    out->devices = copy(arena, proto->tile_assignment_devices, out->num_devices * sizeof out->devices[0], &status);
  }
  return status;
}

static mr_status read_all(const Millrace__OpSharding *proto, size_t count, mr_arena *arena,
                          mr_tile_sharding *out_tiles) {
  if (proto->type != MILLRACE__OP_SHARDING__TYPE__TUPLE) {
    return count == 1 ? read_tiles(proto, arena, out_tiles)
                      : mr_error(MR_INVALID_ARGUMENT, "one sharding, wanted a tuple of %zu", count);
  }
  if (proto->n_tuple_shardings != count) {
    return mr_error(MR_INVALID_ARGUMENT, "a tuple of %zu shardings, wanted %zu", proto->n_tuple_shardings, count);
  }
  for (size_t i = 0; i < count; i++) {
    MR_TRY(read_tiles(proto->tuple_shardings[i], arena, &out_tiles[i]));
  }
  return MR_OK;
}

mr_status mr_pjrt_sharding_unpack(mr_span bytes, size_t count, mr_arena *arena, mr_tile_sharding *out_tiles) {
  ProtobufCMessage *message;
  MR_TRY(mr_proto_unpack(&millrace__op_sharding__descriptor, "sharding", bytes, arena, &message));
  return read_all((const Millrace__OpSharding *)message, count, arena, out_tiles);
}
