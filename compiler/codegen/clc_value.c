// Types, constants and names: how each value is written in OpenCL C.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/clc_emit.h"

unsigned mr_clc_held_bits(mr_dtype dtype) { return 8 * (unsigned)mr_dtype_bytes(dtype); }

// 0 .. 3 for 1, 2, 4 and 8 bytes.
static unsigned size_class(mr_dtype dtype) { return (unsigned)__builtin_ctzll(mr_dtype_bytes(dtype) | 8); }

static const char *unsigned_type(mr_dtype dtype) {
  static const char *const names[] = {"uchar", "ushort", "uint", "ulong"};
  return names[size_class(dtype)];
}

const char *mr_clc_type(mr_dtype dtype) {
  static const char *const names[] = {"char", "short", "int", "long"};
  switch (dtype) {
  case MR_PRED: return "bool";
  case MR_F32: return "float";
  case MR_F64: return "double";
  // Integers, and floats as their bits.
  default: return mr_dtype_is_signed(dtype) ? names[size_class(dtype)] : unsigned_type(dtype);
  }
}

const char *mr_clc_memory_type(mr_dtype dtype) { return dtype == MR_PRED ? "uchar" : mr_clc_type(dtype); }

const char *mr_clc_suffix(mr_dtype dtype) {
  static const char *const names[2][4] = {{"u8", "u16", "u32", "u64"}, {"i8", "i16", "i32", "i64"}};
  return names[mr_dtype_is_signed(dtype)][size_class(dtype)];
}

const char *mr_clc_compute_type(mr_dtype dtype) { return dtype == MR_F64 ? "double" : "float"; }
const char *mr_clc_compute_suffix(mr_dtype dtype) { return dtype == MR_F64 ? "f64" : "f32"; }
bool mr_clc_is_narrow(mr_dtype dtype) { return mr_dtype_is_float(dtype) && mr_dtype_bits(dtype) < 32; }

uint32_t mr_clc_number(const mr_clc_emit *e, const mr_loop_instr *in) { return (uint32_t)(in - e->p->instrs); }

// ---- Constants --------------------------------------------------------------------------------------------------------

// Hexadecimal, which is exact; what C has no plain literal for is written as its bits.
mr_clc_name mr_clc_real(mr_dtype compute_dtype, double value) {
  mr_clc_name name;
  bool single = compute_dtype != MR_F64;
  int kind = fpclassify(single ? (float)value : value);
  if (kind == FP_NORMAL || kind == FP_ZERO) {
    snprintf(name.text, sizeof name.text, "%s%a%s", signbit(value) ? "(" : "", value, single ? "f" : "");
    if (signbit(value)) {
      size_t end = strlen(name.text);
      snprintf(name.text + end, sizeof name.text - end, ")");
    }
    return name;
  }
  if (single) {
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    snprintf(name.text, sizeof name.text, "as_float(0x%xu)", bits);
  } else {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    snprintf(name.text, sizeof name.text, "as_double(0x%llxul)", (unsigned long long)bits);
  }
  return name;
}

// The bits themselves are asked, as a conversion of the host's would quieten a NaN.
static mr_clc_name float_const(mr_dtype dtype, uint64_t bits) {
  mr_clc_name name;
  if (dtype == MR_F64) {
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isnan(value)) {
      return mr_clc_real(dtype, value);
    }
    snprintf(name.text, sizeof name.text, "as_double(0x%llxul)", (unsigned long long)bits);
    return name;
  }
  float value;
  uint32_t low = (uint32_t)bits;
  memcpy(&value, &low, sizeof value);
  if (!isnan(value)) {
    return mr_clc_real(dtype, (double)value);
  }
  snprintf(name.text, sizeof name.text, "as_float(0x%xu)", low);
  return name;
}

static mr_clc_name constant(mr_dtype dtype, uint64_t bits) {
  mr_clc_name name;
  unsigned width = mr_dtype_bits(dtype);
  if (dtype == MR_PRED) {
    snprintf(name.text, sizeof name.text, "(bool)%u", (unsigned)(bits & 1));
    return name;
  }
  if (dtype == MR_F32 || dtype == MR_F64) {
    return float_const(dtype, bits);
  }
  if (width < 64) {
    bits &= ((uint64_t)1 << width) - 1;
  }
  if (!mr_dtype_is_signed(dtype)) {
    snprintf(name.text, sizeof name.text, "(%s)%lluu%s", mr_clc_type(dtype), (unsigned long long)bits,
             width == 64 ? "l" : "");
    return name;
  }
  int64_t value = (int64_t)(bits << (64 - width)) >> (64 - width);
  if (value == INT64_MIN) {
    snprintf(name.text, sizeof name.text, "(long)0x8000000000000000ul");
  } else if (width == 64) {
    snprintf(name.text, sizeof name.text, value < 0 ? "(%lldl)" : "%lldl", (long long)value);
  } else {
    snprintf(name.text, sizeof name.text, "(%s)(%lld)", mr_clc_type(dtype), (long long)value);
  }
  return name;
}

// ---- Operands ---------------------------------------------------------------------------------------------------------

static mr_clc_name held_name(const mr_clc_emit *e, mr_lv v) {
  const mr_loop_instr *in = &e->p->instrs[v];
  mr_clc_name name;
  if (in->code == MR_L_CONST) {
    return constant((mr_dtype)in->dtype, in->imm);
  }
  if (in->code == MR_L_BEGIN || in->code == MR_L_FINISH) {
    snprintf(name.text, sizeof name.text, "%s", in->code == MR_L_BEGIN ? "begin" : "end");
  } else {
    snprintf(name.text, sizeof name.text, "v%u", v);
  }
  return name;
}

mr_clc_name mr_clc_value_of(mr_clc_emit *e, mr_lv v) {
  if (mr_clc_is_narrow(mr_l_dtype(e->p, v))) {
    e->values[v].bits_uses++;
  } else {
    e->values[v].uses++;
  }
  return held_name(e, v);
}

mr_clc_name mr_clc_wide(mr_clc_emit *e, mr_lv v) {
  mr_dtype dtype = mr_l_dtype(e->p, v);
  if (!mr_clc_is_narrow(dtype)) {
    return mr_clc_value_of(e, v);
  }
  mr_clc_name name, held = held_name(e, v);
  if (e->values[v].wide) {
    e->values[v].uses++;
    snprintf(name.text, sizeof name.text, "w%u", v);
    return name;
  }
  e->values[v].bits_uses++;
  snprintf(name.text, sizeof name.text, "mr_clc_widen_%s(%.40s)", mr_dtype_name(dtype), held.text);
  return name;
}

// ---- Expressions ------------------------------------------------------------------------------------------------------

static void put_word(const mr_clc_words *w, char letter) {
  mr_text *text = w->e->text;
  switch (letter) {
  case 'a':
  case 'b':
  case 'c': mr_text_put(text, "%s", w->v[letter - 'a'].text); return;
  case 't': mr_text_put(text, "%s", w->type); return;
  case 'u': mr_text_put(text, "%s", w->unsigned_type); return;
  case 's': mr_text_put(text, "%s", w->suffix); return;
  case 'w': mr_text_put(text, "%u", mr_dtype_bits(w->dtype)); return;
  case 'i': mr_text_put(text, "%s", mr_clc_real(w->dtype, INFINITY).text); return;
  case 'n': mr_text_put(text, "%s", mr_clc_real(w->dtype, -INFINITY).text); return;
  default: assert(!"a letter that ops/instructions.def does not list");
  }
}

bool mr_clc_put_coded(const mr_clc_code *code, const mr_clc_words *w) {
  if (code->by) {
    code->by(w);
    return true;
  }
  for (const char *text = code->text; text && *text;) {
    size_t plain = strcspn(text, "$");
    mr_text_append(w->e->text, (mr_str){text, plain});
    text += plain;
    if (*text) {
      put_word(w, text[1]);
      text += 2;
    }
  }
  return code->text != NULL;
}

// ---- Declarations -----------------------------------------------------------------------------------------------------

void mr_clc_begin_value(mr_clc_emit *e, const mr_loop_instr *in) {
  const uint32_t number = mr_clc_number(e, in);
  mr_text_put(e->text, "%s v%u = ", mr_clc_type(mr_l_dtype(e->p, number)), number);
}

void mr_clc_begin_wide(mr_clc_emit *e, const mr_loop_instr *in) {
  mr_text_put(e->text, "float w%u = ", mr_clc_number(e, in));
}

void mr_clc_narrow(mr_clc_emit *e, const mr_loop_instr *in, const char *what, bool from_f64) {
  mr_clc_begin_value(e, in);
  mr_text_put(e->text, "mr_clc_narrow_%s(%s%s%s);\n", mr_dtype_name((mr_dtype)in->dtype),
              from_f64 ? "mr_clc_round_to_odd(" : "", what, from_f64 ? ")" : "");
}
