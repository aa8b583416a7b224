// Products of matrices and convolutions for devices of many items: a tile of the result by a group, each item of which has a few rows
// by a few columns in registers. Block by block of the sum the group brings both sides into local memory, in the order in which
// they lie in memory, so that neighbours load neighbours; what an item needs of a block it reads from there, the columns beside its
// neighbours'.
#include <stdio.h>

#include "compiler/codegen/clc_product.h"
#include "compiler/codegen/tuning.h"

typedef struct tiling {
  long long items, item_rows, item_columns;  // of a group: item_rows by item_columns
  long long rows, columns;                   // of an item
  long long tile_rows, tile_columns;
  long long steps;  // of the sum in a block
} tiling;

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static tiling choose(const mr_clc_product *p, const mr_target *target) {
  tiling t = {.steps = MR_CLC_ITEMS_STEPS};
  t.item_rows = t.item_columns = target->group_items >= 256 ? 16 : 8;
  t.items = t.item_rows * t.item_columns;
  t.rows = p->pixels <= t.item_rows ? 1 : MR_CLC_ITEMS_RESULTS;
  t.columns = p->features <= t.item_columns ? 1 : MR_CLC_ITEMS_RESULTS;
  t.tile_rows = t.rows * t.item_rows;
  t.tile_columns = t.columns * t.item_columns;
  return t;
}

// ---- Into local memory ----------------------------------------------------------------------------------------------------------

// for each element of the block that is this item's: `i`, its row or column of the tile, and `s`, its step of the sum.
static void begin_elements(const mr_clc_product *p, const tiling *t, long long side, bool steps_first) {
  mr_text_put(p->text, "for (uint e = item; e < %lldu; e += %lldu) {\nuint s = e %s %lldu, i = e %s %lldu;\n",
              side * t->steps, t->items, steps_first ? "%" : "/", steps_first ? t->steps : side,
              steps_first ? "/" : "%", steps_first ? t->steps : side);
  mr_text_put(p->text, "long k = k0 + s, t0 = k / %lldl, t = 0, c0 = k %% %lldl;\n%s value = 0;\n",
              (long long)p->channels, (long long)p->channels, p->type);
}

static void put_pixels(const mr_clc_product *p, const tiling *t) {
  mr_clc_name front;
  const char *back = mr_clc_widened(p, p->lhs_dtype, &front);
  begin_elements(p, t, t->tile_rows, p->lhs.stride[1] == 1);
  mr_text_put(p->text, "if (k < %lldl && m0 + i < %lldl) {\n", (long long)p->taps * p->channels, (long long)p->pixels);
  mr_clc_put_places(p, "m0 + i");
  mr_clc_put_tap(p);
  mr_clc_put_input_place(p);
  mr_text_put(p->text, "if (inside) value = %sa[at]%s;\n}\nta[s * %lld + i] = value;\n}\n", front.text, back,
              t->tile_rows + 1);
}

static void put_features(const mr_clc_product *p, const tiling *t) {
  mr_clc_name front;
  const char *back = mr_clc_widened(p, p->rhs_dtype, &front);
  begin_elements(p, t, t->tile_columns, p->rhs.stride[0] != 1);
  mr_text_put(p->text, "if (k < %lldl && n0 + i < %lldl) {\n", (long long)p->taps * p->channels,
              (long long)p->features);
  mr_clc_put_tap(p);
  mr_text_put(p->text, "long at = g * %lldl + c0 * %lldl + (n0 + i) * %lldl;\n", (long long)p->rhs.group,
              (long long)p->rhs.stride[1], (long long)p->rhs.stride[0]);
  for (int d = 0; p->window && d < p->window->spatial; d++) {
    mr_text_put(p->text, "at += x%d * %lldl;\n", d, (long long)p->rhs.stride[2 + d]);
  }
  mr_text_put(p->text, "value = %sb[at]%s;\n}\ntb[s * %lld + i] = value;\n}\n", front.text, back, t->tile_columns + 1);
}

// ---- In registers ---------------------------------------------------------------------------------------------------------------

static void put_sums(const mr_clc_product *p, const tiling *t) {
  bool is_float = mr_dtype_is_float(p->out_dtype);
  mr_text_put(p->text, "for (uint s = 0; s < %lldu; s++) {\n", t->steps);
  for (long long r = 0; r < t->rows; r++) {
    mr_text_put(p->text, "%s a%lld = ta[s * %lld + row * %lld + %lld];\n", p->type, r, t->tile_rows + 1, t->rows, r);
  }
  for (long long c = 0; c < t->columns; c++) {
    mr_text_put(p->text, "%s b%lld = tb[s * %lld + column + %lld];\n", p->type, c, t->tile_columns + 1,
                c * t->item_columns);
  }
  for (long long r = 0; r < t->rows; r++) {
    for (long long c = 0; c < t->columns; c++) {
      const char *form =
          is_float ? "s%lld_%lld = fma(a%lld, b%lld, s%lld_%lld);\n" : "s%lld_%lld = a%lld * b%lld + s%lld_%lld;\n";
      mr_text_put(p->text, form, r, c, r, c, r, c);
    }
  }
  mr_text_put(p->text, "}\n");
}

static void put_results(const mr_clc_product *p, const tiling *t) {
  for (long long r = 0; r < t->rows; r++) {
    mr_text_put(p->text, "if (m0 + row * %lld + %lld < %lldl) {\n", t->rows, r, (long long)p->pixels);
    char number[64];
    snprintf(number, sizeof number, "m0 + row * %lld + %lld", t->rows, r);
    mr_clc_put_places(p, number);
    mr_text_put(p->text, "long at = g * %lldl + image * %lldl;\n", (long long)p->out.group,
                (long long)p->out.stride[0]);
    for (int d = 0; p->window && d < p->window->spatial; d++) {
      mr_text_put(p->text, "at += q%d * %lldl;\n", d, (long long)p->out.stride[2 + d]);
    }
    for (long long c = 0; c < t->columns; c++) {
      mr_text_put(p->text, "if (n0 + column + %lld < %lldl) {\n%s value = s%lld_%lld;\n", c * t->item_columns,
                  (long long)p->features, p->type, r, c);
      mr_text_put(p->text, "c[at + (n0 + column + %lld) * %lldl] = ", c * t->item_columns, (long long)p->out.stride[1]);
      mr_clc_put_narrowed(p);
      mr_text_put(p->text, ";\n}\n");
    }
    mr_text_put(p->text, "}\n");
  }
}

// ---- The kernel -----------------------------------------------------------------------------------------------------------------

static void put_tile(const mr_clc_product *p, const tiling *t) {
  long long row_tiles = (long long)divide_up(p->pixels, t->tile_rows);
  long long column_tiles = (long long)divide_up(p->features, t->tile_columns);
  mr_text_put(p->text,
              "long m0 = tile %% %lld * %lld, n0 = tile / %lld %% %lld * %lld, g = tile / %lld;\n"
              "uint row = item / %lldu, column = item %% %lldu;\n",
              row_tiles, t->tile_rows, row_tiles, column_tiles, t->tile_columns, row_tiles * column_tiles,
              t->item_columns, t->item_columns);
  for (long long r = 0; r < t->rows; r++) {
    for (long long c = 0; c < t->columns; c++) {
      mr_text_put(p->text, "%s s%lld_%lld = 0;\n", p->type, r, c);
    }
  }
  mr_text_put(p->text, "for (long k0 = 0; k0 < %lldl; k0 += %lldl) {\n", (long long)p->taps * p->channels, t->steps);
  put_pixels(p, t);
  put_features(p, t);
  mr_text_put(p->text, "barrier(CLK_LOCAL_MEM_FENCE);\n");
  put_sums(p, t);
  mr_text_put(p->text, "barrier(CLK_LOCAL_MEM_FENCE);\n}\n");
  put_results(p, t);
}

void mr_clc_put_product_items(mr_clc_product *p, const mr_target *target, int64_t *out_range) {
  mr_clc_choose_type(p);
  const tiling t = choose(p, target);
  const char *a = mr_clc_memory_type(p->lhs_dtype), *b = mr_clc_memory_type(p->rhs_dtype),
             *c = mr_clc_memory_type(p->out_dtype);
  mr_text_put(p->text,
              "static void %s_tile(global const %s *restrict a, global const %s *restrict b, global %s *restrict c, "
              "local %s *restrict ta, local %s *restrict tb, const uint item, long tile) {\n",
              p->entry, a, b, c, p->type, p->type);
  put_tile(p, &t);
  mr_text_put(p->text,
              "}\nkernel __attribute__((reqd_work_group_size(%lld, 1, 1))) void %s(global uchar *p0, ulong o0, "
              "global uchar *p1, ulong o1, global uchar *p2, ulong o2, long range, long share) {\n"
              "local %s ta[%lld], tb[%lld];\n",
              t.items, p->entry, p->type, t.steps * (t.tile_rows + 1), t.steps * (t.tile_columns + 1));
  mr_text_put(p->text,
              "long begin = (long)get_group_id(0) * share, end = min(range, begin + share);\n"
              "for (long tile = begin; tile < end; tile++) %s_tile((global const %s *)(p0 + o0), (global const %s *)"
              "(p1 + o1), (global %s *)(p2 + o2), ta, tb, (uint)get_local_id(0), tile);\n}\n",
              p->entry, a, b, c);
  *out_range = divide_up(p->pixels, t.tile_rows) * divide_up(p->features, t.tile_columns) * p->groups;
}
