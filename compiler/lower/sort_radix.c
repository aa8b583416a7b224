// Least significant digit first: counts of all digits in one pass over the keys, then a stable pass for each.
#include "compiler/lower/sort.h"
#include "compiler/lower/tuning.h"

bool mr_radix_fits(const mr_sorter *s) {
  return s->key != MR_INVALID && s->size >= MR_LOWER_RADIX_SHORTEST * (int64_t)mr_dtype_bytes(s->key) / 4 &&
         s->size <= INT32_MAX;
}

mr_radix mr_radix_make(mr_sorter *s) {
  int width = (int)mr_dtype_bits(s->key);
  mr_radix r = {.bits = MR_LOWER_RADIX_DIGIT, .passes = (width + MR_LOWER_RADIX_DIGIT - 1) / MR_LOWER_RADIX_DIGIT};
  r.counts = mr_l_local(s->lw->p, MR_S32, (int64_t)r.passes << r.bits);
  return r;
}

static mr_lv digit(mr_sorter *s, const mr_radix *r, mr_lv key, int pass) {
  mr_loop_program *p = s->lw->p;
  mr_lv d = mr_l_binary(p, MR_OP_shift_right_logical, s->key, key, mr_l_int(p, s->key, (int64_t)pass * r->bits));
  d = mr_l_binary(p, MR_OP_and, s->key, d, mr_l_int(p, s->key, (1 << r->bits) - 1));
  return mr_l_iadd(p, mr_l_convert(p, MR_S64, d), mr_l_index(p, (int64_t)pass << r->bits));
}

static void count_digits(mr_sorter *s, const mr_radix *r) {
  mr_loop_program *p = s->lw->p;
  mr_l_fill(p, r->counts, mr_l_index(p, 0), mr_l_index(p, (int64_t)r->passes << r->bits), mr_l_int(p, MR_S32, 0));
  mr_lv i = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, s->size), 1, MR_L_NO_VECTOR);
  mr_lv key = mr_sort_load(s, 0, s->inputs, i).re;
  for (int pass = 0; pass < r->passes; pass++) {
    mr_lv at = digit(s, r, key, pass);
    mr_lv more = mr_l_binary(p, MR_OP_add, MR_S32, mr_l_load(p, r->counts, at), mr_l_int(p, MR_S32, 1));
    mr_l_store(p, r->counts, at, more);
  }
  mr_l_end(p);
}

// Counts become the places where each digit's elements begin.
static void sum_counts(mr_sorter *s, const mr_radix *r, int pass) {
  mr_loop_program *p = s->lw->p;
  mr_lv sum = mr_l_var(p, mr_l_int(p, MR_S32, 0));
  int64_t first = (int64_t)pass << r->bits;
  mr_lv i = mr_l_for(p, mr_l_index(p, first), mr_l_index(p, first + (1 << r->bits)), 1, MR_L_NO_VECTOR);
  mr_lv count = mr_l_load(p, r->counts, i), before = mr_l_get(p, sum);
  mr_l_store(p, r->counts, i, before);
  mr_l_set(p, sum, mr_l_binary(p, MR_OP_add, MR_S32, before, count));
  mr_l_end(p);
}

static void distribute(mr_sorter *s, const mr_radix *r, int pass) {
  mr_loop_program *p = s->lw->p;
  int from = pass & 1;
  mr_lv i = mr_l_for(p, mr_l_index(p, 0), mr_l_index(p, s->size), 1, MR_L_NO_VECTOR);
  mr_lv at = digit(s, r, mr_sort_load(s, from, s->inputs, i).re, pass);
  mr_lv place = mr_l_load(p, r->counts, at);
  mr_l_store(p, r->counts, at, mr_l_binary(p, MR_OP_add, MR_S32, place, mr_l_int(p, MR_S32, 1)));
  mr_lv to = mr_l_convert(p, MR_S64, place);
  for (uint32_t c = 0; c < s->n; c++) {
    // The last pass needs no keys any more.
    if (c == s->inputs && pass + 1 == r->passes) {
      continue;
    }
    mr_sort_store(s, 1 - from, c, to, mr_sort_load(s, from, c, i));
  }
  mr_l_end(p);
}

int mr_radix_sort(mr_sorter *s, const mr_radix *r) {
  count_digits(s, r);
  for (int pass = 0; pass < r->passes; pass++) {
    sum_counts(s, r, pass);
    distribute(s, r, pass);
  }
  double moves = r->passes * s->lw->trips * (double)s->size;
  // Two copies of the keys, and of what goes with them.
  double near = mr_op_module(s->lw->op)->figures->caches[1].bytes, bytes = 16.0 * (double)s->size;
  s->lw->flops += MR_LOWER_RADIX_FLOPS * moves;
  s->lw->apart_ns += moves * ((bytes <= near ? MR_LOWER_RADIX_NS : MR_LOWER_RADIX_FAR_NS) -
                              MR_LOWER_RADIX_FLOPS * MR_LOWER_NS_PER_FLOP);
  return r->passes & 1;
}
