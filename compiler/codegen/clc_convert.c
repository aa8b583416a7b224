// stablehlo.convert in OpenCL C: floats to integers truncate and saturate (NaN gives 0), integers wrap, anything to PRED is
// "not zero".
#include <stdio.h>

#include "compiler/codegen/clc_emit.h"

// The operand of a conversion in the compute type of `from`, without what a wide form has more than it.
static mr_clc_name operand(mr_clc_emit *e, mr_lv v) {
  mr_dtype from = mr_l_dtype(e->p, v);
  return mr_dtype_is_float(from) ? mr_clc_wide(e, v) : mr_clc_value_of(e, v);
}

static void to_pred(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_clc_name a = operand(e, in->a);
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "%s != 0;\n", a.text);
}

static void int_to_int(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype to = (mr_dtype)in->dtype;
  mr_clc_name a = operand(e, in->a);
  mr_clc_begin_value(e, in);
  if (mr_dtype_bits(to) < 8) {
    mr_text_put(e->text, "mr_clc_fit_%s((%s)%s, %u);\n", mr_clc_suffix(to), mr_clc_type(to), a.text,
                8 - mr_dtype_bits(to));
    return;
  }
  mr_text_put(e->text, "(%s)%s;\n", mr_clc_type(to), a.text);
}

// Through f32 for every narrow type: below 2^24 that is exact, and above only bf16 can still tell a difference.
static void int_to_float(mr_clc_emit *e, const mr_loop_instr *in, mr_dtype from) {
  mr_dtype to = (mr_dtype)in->dtype;
  mr_clc_name a = operand(e, in->a), one = mr_clc_real(to, 1.0), zero = mr_clc_real(to, 0.0);
  char wide[4 * sizeof a.text];
  if (from == MR_PRED) {
    snprintf(wide, sizeof wide, "%s ? %s : %s", a.text, one.text, zero.text);
  } else {
    snprintf(wide, sizeof wide, "(%s)%s", mr_clc_compute_type(to), a.text);
  }
  if (mr_clc_is_narrow(to)) {
    mr_clc_narrow(e, in, wide, false);
    return;
  }
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "%s;\n", wide);
}

static void float_to_int(mr_clc_emit *e, const mr_loop_instr *in, mr_dtype from) {
  mr_dtype to = (mr_dtype)in->dtype;
  unsigned width = mr_dtype_bits(to);
  bool sign = mr_dtype_is_signed(to), through_int = sign || width < 32;
  double low = sign ? -__builtin_ldexp(1.0, (int)width - 1) : 0.0;
  double high = __builtin_ldexp(1.0, (int)width - (sign ? 1 : 0));
  uint64_t max = (width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1) >> (sign ? 1 : 0);
  mr_clc_name a = operand(e, in->a);
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "(%s)mr_clc_%s_to_%c%u(%s, %s, %s, 0x%llx%s%s);\n", mr_clc_type(to), mr_clc_compute_suffix(from),
              through_int ? 'i' : 'u', width == 64 ? 64u : 32u, a.text, mr_clc_real(from, low).text,
              mr_clc_real(from, high).text, (unsigned long long)max, through_int ? "" : "u", width == 64 ? "l" : "");
}

static void float_to_float(mr_clc_emit *e, const mr_loop_instr *in, mr_dtype from) {
  mr_dtype to = (mr_dtype)in->dtype;
  if (e->values[in->a].wide && to == MR_F32) {
    mr_clc_name wide = mr_clc_wide(e, in->a);
    mr_clc_begin_value(e, in);
    mr_text_put(e->text, "%s;\n", wide.text);
    return;
  }
  mr_clc_name a = operand(e, in->a);
  if (!mr_clc_is_narrow(to)) {
    mr_clc_begin_value(e, in);
    mr_text_put(e->text, "(%s)%s;\n", mr_clc_type(to), a.text);
    return;
  }
  mr_clc_narrow(e, in, a.text, from == MR_F64);
}

void mr_clc_convert(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_dtype from = mr_l_dtype(e->p, in->a), to = (mr_dtype)in->dtype;
  bool from_float = mr_dtype_is_float(from), to_float = mr_dtype_is_float(to);
  if (from == to) {
    mr_clc_name a = mr_clc_value_of(e, in->a);
    mr_clc_begin_value(e, in);
    mr_text_put(e->text, "%s;\n", a.text);
  } else if (to == MR_PRED) {
    to_pred(e, in);
  } else if (from_float && to_float) {
    float_to_float(e, in, from);
  } else if (from_float) {
    float_to_int(e, in, from);
  } else if (to_float) {
    int_to_float(e, in, from);
  } else {
    int_to_int(e, in);
  }
}
