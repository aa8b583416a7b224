// The classification extension: the largest elements of each row, as texts.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "serve/service/service.h"

typedef struct candidate {
  double value;
  uint64_t index;
} candidate;

static double half_value(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                 : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                : ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

static double bfloat_value(uint16_t bits) {
  uint32_t wide = (uint32_t)bits << 16;
  float value;
  memcpy(&value, &wide, sizeof value);
  return (double)value;
}

// An element as a double. Of 64-bit integers only what a double tells apart; they print alike ("%f") in Triton.
static double value_at(millrace_dtype dtype, const unsigned char *data, size_t i) {
#define VALUE(type, convert)                               \
  do {                                                     \
    type value;                                            \
    memcpy(&value, data + i * sizeof value, sizeof value); \
    return convert(value);                                 \
  } while (0)
  switch ((int)dtype) {
  case MILLRACE_PRED: return data[i] != 0;
  case MILLRACE_S8: VALUE(int8_t, (double));
  case MILLRACE_S16: VALUE(int16_t, (double));
  case MILLRACE_S32: VALUE(int32_t, (double));
  case MILLRACE_S64: VALUE(int64_t, (double));
  case MILLRACE_U8: VALUE(uint8_t, (double));
  case MILLRACE_U16: VALUE(uint16_t, (double));
  case MILLRACE_U32: VALUE(uint32_t, (double));
  case MILLRACE_U64: VALUE(uint64_t, (double));
  case MILLRACE_F16: VALUE(uint16_t, half_value);
  case MILLRACE_BF16: VALUE(uint16_t, bfloat_value);
  case MILLRACE_F32: VALUE(float, (double));
  default: VALUE(double, (double));
  }
#undef VALUE
}

// a comes before b. NaN comes last.
static bool is_before(const candidate *a, const candidate *b) {
  bool a_nan = isnan(a->value), b_nan = isnan(b->value);
  if (a_nan != b_nan) {
    return b_nan;
  }
  return a->value > b->value || ((a->value == b->value || a_nan) && a->index < b->index);
}

static int compare(const void *a, const void *b) { return is_before(b, a) - is_before(a, b); }

static void swap(candidate *a, candidate *b) {
  candidate held = *a;
  *a = *b;
  *b = held;
}

// Of a heap whose top is the last one in order: the new top finds its place.
static void sink(candidate *heap, size_t count) {
  for (size_t at = 0;;) {
    size_t last = at, left = 2 * at + 1;
    for (size_t child = left; child < count && child <= left + 1; child++) {
      last = is_before(&heap[last], &heap[child]) ? child : last;
    }
    if (last == at) {
      return;
    }
    swap(&heap[at], &heap[last]);
    at = last;
  }
}

static void rise(candidate *heap, size_t at) {
  while (at && is_before(&heap[(at - 1) / 2], &heap[at])) {
    swap(&heap[at], &heap[(at - 1) / 2]);
    at = (at - 1) / 2;
  }
}

// The first `count` in order, in order, of the elements from `begin` on.
static void choose(const sv_tensor *output, size_t begin, size_t elements, candidate *best, size_t count) {
  for (size_t i = 0; i < elements; i++) {
    candidate next = {value_at(output->dtype, output->data, begin + i), i};
    if (i < count) {
      best[i] = next;
      rise(best, i);
    } else if (is_before(&next, &best[0])) {
      best[0] = next;
      sink(best, count);
    }
  }
  qsort(best, count, sizeof *best, compare);
}

static void put_text(const sv_port *port, const candidate *what, sv_text *out) {
  static const char length_bytes[4] = {0};
  size_t begin = out->size;
  sv_text_add(out, length_bytes, sizeof length_bytes);
  sv_text_addf(out, "%f:%llu", what->value, (unsigned long long)what->index);
  if (what->index < port->num_labels && port->labels[what->index][0]) {
    sv_text_putc(out, ':');
    sv_text_puts(out, port->labels[what->index]);
  }
  if (!out->failed) {
    size_t length = out->size - begin - sizeof length_bytes;
    for (int i = 0; i < 4; i++) {
      out->data[begin + (size_t)i] = (char)(length >> (8 * i));
    }
  }
}

sv_error *sv_classify(const sv_port *port, const sv_tensor *output, bool batched, uint32_t count, sv_text *out,
                      int64_t out_dims[2], uint32_t *out_rank) {
  size_t bytes = millrace_dtype_bytes(output->dtype);
  if (!sv_datatype_name(output->dtype) || !bytes) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "output '%s' cannot be classified: its elements have no order",
                     port->name);
  }
  batched = batched && output->rank > 0;
  size_t rows = batched ? (size_t)output->dims[0] : 1;
  size_t elements = rows ? output->bytes / bytes / rows : 0;
  size_t most = count < elements ? count : elements;
  *out_rank = batched ? 2 : 1;
  out_dims[0] = (int64_t)rows;
  out_dims[*out_rank - 1] = (int64_t)most;
  candidate *best = malloc((most ? most : 1) * sizeof *best);
  if (!best) {
    return sv_no_memory();
  }
  for (size_t row = 0; row < rows && most; row++) {
    choose(output, row * elements, elements, best, most);
    for (size_t i = 0; i < most; i++) {
      put_text(port, &best[i], out);
    }
  }
  free(best);
  return out->failed ? sv_no_memory() : NULL;
}
