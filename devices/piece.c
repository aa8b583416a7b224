// Pieces: bytes of the host's that go to a place which is filled bit by bit. A long one is a node, which cuts it over the cores.
#include "devices/devices.h"
#include "devices/tuning.h"

typedef struct journey {
  mr_piece piece;
  mr_platform *platform;  // retained: the node's executor is its scheduler's
} journey;

bool mr_piece_is_short(size_t bytes) { return bytes <= MR_PIECE_INLINE; }

void mr_piece_copy_now(const mr_piece *piece) {
  mr_group *group = piece->device->group;
  if (piece->move) {
    piece->move(piece->argument, group);
  } else if (piece->bytes) {
    mr_copy_bytes(group, piece->to, piece->from, piece->bytes);
    mr_dtype_clear_above(piece->dtype, piece->to, piece->bytes);
  }
}

static void piece_drop(mr_node *node) {
  journey *j = mr_node_payload(node);
  mr_platform_leave(j->platform);
  j->platform = NULL;
}

// The platform goes before the node finishes: who waits for it may be about to let go of that.
static void piece_run(mr_node *node) {
  journey *j = mr_node_payload(node);
  mr_piece_copy_now(&j->piece);
  piece_drop(node);
  mr_node_finish(node, MR_OK);
}

static void piece_fail(mr_node *node, mr_status status) {
  (void)status;
  piece_drop(node);
}

static mr_trace_label piece_tag(const mr_node *node) {
  return (mr_trace_label){.text = ((const journey *)(node + 1))->piece.name};
}

static const mr_node_type piece_type = {.name = "piece to device",
                                        .kind = MR_NODE_HOST_TO_DEVICE,
                                        .run = piece_run,
                                        .fail = piece_fail,
                                        .drop = piece_drop,
                                        .tag = piece_tag};

mr_status mr_piece_send(const mr_piece *piece, mr_future *const *after, size_t num_after, mr_future **out_done) {
  mr_node *node;
  *out_done = NULL;
  MR_TRY(mr_node_create(&piece_type, sizeof(journey), piece->device->executor, &node));
  *(journey *)mr_node_payload(node) =
      (journey){.piece = *piece, .platform = mr_platform_enter(piece->device->platform)};
  node->device = (int16_t)piece->device->id;
  node->cost_ns = (uint32_t)MR_MIN(piece->bytes / MR_COPY_BYTES_PER_NS + 1, (size_t)UINT32_MAX);
  for (size_t i = 0; i < num_after; i++) {
    mr_status_free(mr_node_after(node, after[i]));  // on failure the node is poisoned with it
  }
  *out_done = mr_node_keep_done(node);
  mr_node_submit(node);
  return MR_OK;
}
