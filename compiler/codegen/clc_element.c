// One elementwise operation in OpenCL C: what takes or gives several types here (WHOLE in ops/instructions.def), arithmetic by the kind of
// type.
#include <stdio.h>

#include "compiler/codegen/clc_emit.h"

static const char *const directions[6] = {"==", "!=", ">=", ">", "<=", "<"};

static void compare_total(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype dtype = (mr_dtype)in->dtype;
  bool by_bits = dtype == MR_F16 || dtype == MR_BF16;
  const char *key = dtype == MR_F64 ? "f64" : by_bits ? "u16" : "f32";
  mr_clc_name a = by_bits ? mr_clc_value_of(e, in->a) : mr_clc_wide(e, in->a);
  mr_clc_name b = by_bits ? mr_clc_value_of(e, in->b) : mr_clc_wide(e, in->b);
  mr_text_put(e->text, "mr_clc_order_%s(%s) %s mr_clc_order_%s(%s);\n", key, a.text, directions[in->imm & 0xFF], key,
              b.text);
}

static void whole_compare(mr_clc_emit *e, const mr_loop_instr *in) {
  unsigned direction = in->imm & 0xFF, type = in->imm >> 8 & 0xFF;
  if (direction > MR_L_LT) {
    mr_clc_fail(e, mr_error(MR_INTERNAL, "comparison direction %u", direction));
    return;
  }
  mr_clc_begin_value(e, in);
  bool is_float = mr_dtype_is_float((mr_dtype)in->dtype);
  if (is_float && type == MR_L_TOTALORDER) {
    compare_total(e, in);
    return;
  }
  mr_clc_name a = is_float ? mr_clc_wide(e, in->a) : mr_clc_value_of(e, in->a);
  mr_clc_name b = is_float ? mr_clc_wide(e, in->b) : mr_clc_value_of(e, in->b);
  mr_text_put(e->text, "%s %s %s;\n", a.text, directions[direction], b.text);
}

// To a type of the same width.
static void whole_bitcast(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype from = mr_l_dtype(e->p, in->a), to = (mr_dtype)in->dtype;
  mr_clc_name v = mr_clc_value_of(e, in->a);
  mr_clc_begin_value(e, in);
  if (mr_dtype_bits(from) >= 8) {
    mr_text_put(e->text, "as_%s(%s);\n", mr_clc_type(to), v.text);
  } else if (to == MR_PRED) {
    mr_text_put(e->text, "(%s & 1) != 0;\n", v.text);
  } else if (mr_dtype_is_float(to)) {
    mr_text_put(e->text, "(uchar)(%s & %u);\n", v.text, (1u << mr_dtype_bits(to)) - 1);
  } else {
    mr_text_put(e->text, "mr_clc_fit_%s((%s)%s, %u);\n", mr_clc_suffix(to), mr_clc_type(to), v.text,
                8 - mr_dtype_bits(to));
  }
}

// A choice between values of which one has a wide form: chosen in both.
static void whole_select(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name condition = mr_clc_value_of(e, in->a);
  if (e->values[in->b].wide || e->values[in->c].wide) {
    mr_clc_name t = mr_clc_wide(e, in->b), f = mr_clc_wide(e, in->c);
    e->values[mr_clc_number(e, in)].wide = true;
    mr_clc_begin_wide(e, in);
    mr_text_put(e->text, "%s ? %s : %s;\n", condition.text, t.text, f.text);
  }
  mr_clc_name t = mr_clc_value_of(e, in->b), f = mr_clc_value_of(e, in->c);
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "%s ? %s : %s;\n", condition.text, t.text, f.text);
}

static void whole_convert(mr_clc_emit *e, const mr_loop_instr *in) { mr_clc_convert(e, in); }

static void (*const wholes[MR_OP_COUNT])(mr_clc_emit *e, const mr_loop_instr *in) = {
#define WHOLE(op, function) [MR_OP_##op] = whole_##function,
#include "ops/instructions.def"
};

void mr_clc_element(mr_clc_emit *e, const mr_loop_instr *in) {
  if (wholes[in->kind]) {
    wholes[in->kind](e, in);
    return;
  }
  bool known = mr_dtype_is_float((mr_dtype)in->dtype) ? mr_clc_float_op(e, in) : mr_clc_int_op(e, in);
  if (!known) {
    mr_clc_fail(e, mr_error(MR_UNIMPLEMENTED, "no code for %s on %s", mr_op_table[in->kind].name,
                            mr_dtype_name((mr_dtype)in->dtype)));
  }
}
