// Scatter, in place of its inputs. Updates are applied in row-major order of the scatter indices; what runs in parallel
// are coordinates that no index can move: window dimensions without a start, and batching dimensions.
#include <string.h>

#include "compiler/lower/roots.h"
#include "compiler/lower/tuning.h"

typedef struct scatter {
  mr_lower *lw;
  const mr_op *op;
  uint32_t n;  // inputs
  const mr_type *input, *updates;
  const mr_value *indices;
  mr_ints window, inserted, input_batching, index_batching, map;
  int64_t vector_dim;
  uint32_t operands[8];            // of the kernel, by input
  int64_t window_of[MR_MAX_RANK];  // by input dimension: the update dimension of its window, -1 when it has none
  int64_t batch_of[MR_MAX_RANK];   // by input dimension: the update dimension of its batch coordinate, -1
  int64_t start_of[MR_MAX_RANK];   // by input dimension: component of the index, -1
  bool parallel[MR_MAX_RANK];      // by update dimension
  const mr_ix *at[MR_MAX_RANK];    // by update dimension
} scatter;

// The update dimension that walks dimension `dim` of the indices.
static int64_t scatter_dim(const scatter *s, int64_t dim) {
  int64_t n = dim > s->vector_dim ? dim - 1 : dim;
  for (uint32_t d = 0; d < s->updates->rank; d++) {
    if (!mr_ints_has(s->window, d) && n-- == 0) {
      return d;
    }
  }
  return 0;
}

static bool describe(scatter *s) {
  const mr_op *op = s->op;
  s->n = op->num_results;
  if (s->n > MR_ARRAY_SIZE(s->operands)) {
    return false;
  }
  s->input = &mr_op_operand(op, 0)->type;
  s->indices = mr_op_operand(op, s->n);
  s->updates = &mr_op_operand(op, s->n + 1)->type;
  s->window = mr_op_ints(op, MR_ATTR_update_window_dims);
  s->inserted = mr_op_ints(op, MR_ATTR_inserted_window_dims);
  s->input_batching = mr_op_ints(op, MR_ATTR_input_batching_dims);
  s->index_batching = mr_op_ints(op, MR_ATTR_scatter_indices_batching_dims);
  s->map = mr_op_ints(op, MR_ATTR_scatter_dims_to_operand_dims);
  s->vector_dim = mr_op_int(op, MR_ATTR_index_vector_dim, 0);
  for (uint32_t i = 0; i < s->n; i++) {
    s->operands[i] = mr_lw_operand(s->lw, mr_op_operand(op, i));
    if (s->operands[i] == MR_LW_NO_OPERAND) {
      return false;
    }
  }
  size_t next = 0;
  bool unique = mr_op_int(op, MR_ATTR_unique_indices, 0) != 0;
  for (uint32_t d = 0; d < s->updates->rank; d++) {
    s->parallel[d] = unique && !mr_ints_has(s->window, d);
  }
  for (uint32_t d = 0; d < s->input->rank; d++) {
    s->window_of[d] = s->batch_of[d] = s->start_of[d] = -1;
    if (!mr_ints_has(s->inserted, d) && !mr_ints_has(s->input_batching, d)) {
      s->window_of[d] = s->window.data[next++];
    }
    for (size_t k = 0; k < s->map.size; k++) {
      if (s->map.data[k] == d) {
        s->start_of[d] = (int64_t)k;
      }
    }
    for (size_t k = 0; k < s->input_batching.size; k++) {
      if (s->input_batching.data[k] == d) {
        s->batch_of[d] = scatter_dim(s, s->index_batching.data[k]);
      }
    }
    if (s->window_of[d] >= 0 && s->start_of[d] < 0) {
      s->parallel[s->window_of[d]] = true;
    }
    if (s->batch_of[d] >= 0) {
      s->parallel[s->batch_of[d]] = true;
    }
  }
  return true;
}

static const mr_ix *start_at(scatter *s, int64_t component) {
  mr_ix_table *t = &s->lw->ix;
  const mr_ix *index[MR_MAX_RANK + 1];
  for (uint32_t d = 0; d < s->indices->type.rank; d++) {
    index[d] = d == (uint32_t)s->vector_dim ? mr_ix_const(t, component) : s->at[scatter_dim(s, d)];
  }
  return mr_ix_dyn(t, s->indices, mr_at(s->indices->type.rank, index), false, INT32_MIN, INT32_MAX);
}

// True when every window starts at 0 everywhere; else `condition` is whether the whole window fits.
static void window_fits(scatter *s, mr_lv *condition) {
  mr_lower *lw = s->lw;
  for (uint32_t d = 0; d < s->input->rank; d++) {
    if (s->start_of[d] < 0) {
      continue;
    }
    int64_t window = s->window_of[d] < 0 ? 1 : s->updates->dims[s->window_of[d]];
    mr_lv start = mr_lw_ix(lw, start_at(s, s->start_of[d]));
    mr_lv low = mr_l_compare(lw->p, 2, 3, MR_S64, start, mr_l_index(lw->p, 0));
    mr_lv high = mr_l_compare(lw->p, 4, 3, MR_S64, start, mr_l_index(lw->p, s->input->dims[d] - window));
    *condition = mr_lw_and(lw, *condition, mr_lw_and(lw, low, high));
  }
}

static void apply(scatter *s, uint32_t first) {
  mr_lower *lw = s->lw;
  const mr_ix *target[MR_MAX_RANK];
  for (uint32_t d = 0; d < s->input->rank; d++) {
    target[d] = mr_ix_const(&lw->ix, 0);
    if (s->window_of[d] >= 0) {
      target[d] = s->at[s->window_of[d]];
    }
    if (s->batch_of[d] >= 0) {
      target[d] = s->at[s->batch_of[d]];
    }
    if (s->start_of[d] >= 0) {
      target[d] = mr_ix_add(&lw->ix, target[d], start_at(s, s->start_of[d]));
    }
  }
  const mr_ix *linear = mr_lw_linear(lw, s->input, mr_at(s->input->rank, target));
  mr_elem args[16], out[8];
  for (uint32_t i = 0; i < s->n; i++) {
    const mr_value *update = mr_op_operand(s->op, s->n + 1 + i);
    mr_dtype dtype = s->op->results[i].type.dtype;
    args[i] = mr_lw_load(lw, mr_lw_result_buffer(lw, first + i), dtype, linear);
    args[s->n + i] = mr_lw_element(lw, update, mr_at(s->updates->rank, s->at));
  }
  mr_lw_region(lw, s->op->regions[0], args, out);
  for (uint32_t i = 0; i < s->n; i++) {
    mr_lw_store(lw, mr_lw_result_buffer(lw, first + i), s->op->results[i].type.dtype, linear, out[i]);
  }
}

// The innermost dimension of the updates is cut into blocks that shares take, when it may be.
static int64_t block_of(const scatter *s, int64_t others) {
  uint32_t rank = s->updates->rank;
  if (rank == 0 || !s->parallel[rank - 1] || !mr_ints_has(s->window, rank - 1)) {
    return 0;
  }
  int64_t size = s->updates->dims[rank - 1];
  if (size <= MR_LOWER_SCATTER_BLOCK || others >= MR_LOWER_SCATTER_SHARES) {
    return size;
  }
  return MR_MAX(MR_LOWER_SCATTER_BLOCK, (size / MR_LOWER_SCATTER_SHARES + MR_LOWER_SCATTER_BLOCK - 1) /
                                            MR_LOWER_SCATTER_BLOCK * MR_LOWER_SCATTER_BLOCK);
}

// The loop over the shares' dimensions. Returns where the share's block of the innermost one starts; NULL: it is not cut.
static const mr_ix *open_range(scatter *s, mr_root *root, int64_t *out_block) {
  mr_lower *lw = s->lw;
  uint32_t rank = s->updates->rank, n = 0;
  int64_t sizes[MR_MAX_RANK + 1], others = 1;
  uint32_t which[MR_MAX_RANK + 1];
  for (uint32_t d = 0; d + 1 < rank; d++) {
    if (s->parallel[d]) {
      others *= s->updates->dims[d];
    }
  }
  int64_t block = block_of(s, others);
  for (uint32_t d = 0; d < rank; d++) {
    if (!s->parallel[d]) {
      continue;
    }
    which[n] = d;
    sizes[n++] = d + 1 == rank && block ? (s->updates->dims[d] + block - 1) / block : s->updates->dims[d];
  }
  const mr_ix *shares[MR_MAX_RANK + 1];
  mr_root_range(lw, n, sizes, shares, &root->range);
  const mr_ix *block_start = NULL;
  for (uint32_t k = 0; k < n; k++) {
    if (which[k] + 1 == rank && block) {
      block_start = mr_ix_scale(&lw->ix, shares[k], block);
    } else {
      s->at[which[k]] = shares[k];
    }
  }
  *out_block = block;
  return block_start;
}

// Loops over the dimensions that are not shared out and are of the window or are not. Returns how many.
static uint32_t open_loops(scatter *s, bool of_window) {
  uint32_t rank = s->updates->rank, opened = 0;
  for (uint32_t d = 0; d < rank; d++) {
    if (s->parallel[d] || mr_ints_has(s->window, d) != of_window) {
      continue;
    }
    uint32_t flags = of_window && d + 1 == rank ? MR_L_INDEPENDENT : 0;
    mr_root_loops(s->lw, 1, &s->updates->dims[d], &s->at[d], flags);
    opened++;
  }
  return opened;
}

static void emit(scatter *s, mr_root *root) {
  mr_lower *lw = s->lw;
  int64_t block;
  const mr_ix *block_start = open_range(s, root, &block);
  uint32_t opened = open_loops(s, false);
  mr_lv condition = 0;
  window_fits(s, &condition);
  if (condition) {
    mr_lw_if(lw, condition);
  }
  opened += open_loops(s, true);
  if (block_start) {
    uint32_t rank = s->updates->rank;
    int64_t size = s->updates->dims[rank - 1];
    const mr_ix *loop = mr_ix_loop(&lw->ix, lw->next_bit++, 0, MR_MAX(block - 1, 1));
    mr_lv rest = mr_l_isub(lw->p, mr_l_index(lw->p, size), mr_lw_ix(lw, block_start));
    mr_lw_for(lw, loop, mr_l_index(lw->p, 0), mr_l_imin(lw->p, rest, mr_l_index(lw->p, block)), 1, MR_L_INDEPENDENT,
              (double)block);
    s->at[rank - 1] = mr_ix_add(&lw->ix, block_start, loop);
    opened++;
  }
  apply(s, root->first);
  while (opened--) {
    mr_lw_end(lw);
  }
  if (condition) {
    mr_lw_end(lw);
  }
  mr_lw_end(lw);
}

// Whether indices or updates read what the kernel writes.
static bool reads_inputs(scatter *s) {
  mr_lower *lw = s->lw;
  mr_record record;
  uint32_t bits = lw->next_bit;
  for (uint32_t d = 0; d < s->updates->rank; d++) {
    s->at[d] = mr_lw_loop(lw, 0, s->updates->dims[d] - 1);
  }
  mr_dry dry = mr_lw_dry_begin(lw, &record);
  for (uint32_t i = 0; i < s->n; i++) {
    mr_lw_element(lw, mr_op_operand(s->op, s->n + 1 + i), mr_at(s->updates->rank, s->at));
  }
  for (size_t k = 0; k < s->map.size; k++) {
    mr_lw_ix(lw, start_at(s, (int64_t)k));
  }
  mr_lw_dry_end(lw, dry);
  lw->next_bit = bits;
  for (uint32_t i = 0; i < record.num_accesses; i++) {
    for (uint32_t k = 0; k < s->n; k++) {
      if (lw->body && record.accesses[i].operand == s->operands[k]) {
        return true;
      }
    }
  }
  return false;
}

bool mr_root_scatter(mr_lower *lw, mr_root *root) {
  scatter s = {.lw = lw, .op = root->op};
  if (!describe(&s)) {
    return false;
  }
  if (reads_inputs(&s)) {
    return false;
  }
  for (uint32_t i = 0; i < s.n; i++) {
    root->inplace[i] = (int)s.operands[i];
  }
  root->range = 0;
  if (mr_type_count(s.updates) > 0) {
    emit(&s, root);
  }
  return true;
}
