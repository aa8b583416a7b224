// Sizes that a program leaves open: what arrays and the command line say of them.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/feed.h"

// ---- The command line -----------------------------------------------------------------------------------------------

// "8x784", with nothing behind it.
static bool parse_shape(const char *text, feed_size *out) {
  if (!*text) {
    return true;  // of a scalar
  }
  for (;;) {
    char *end = NULL;
    errno = 0;
    long long dim = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : -1;
    if (dim < 0 || errno || out->rank == NPY_MAX_RANK || (*end && *end != 'x')) {
      return false;
    }
    out->dims[out->rank++] = dim;
    if (!*end) {
      return true;
    }
    text = end + 1;
  }
}

static bool add_size(feed_sizes *sizes, const char *value, bool one) {
  const char *equals = strrchr(value, '=');
  feed_size size = {.name = value, .name_size = equals ? (size_t)(equals - value) : 0};
  if (!size.name_size || !parse_shape(equals + 1, &size) || (one && size.rank != 1)) {
    return false;
  }
  feed_size *list = realloc(sizes->list, (sizes->size + 1) * sizeof *list);
  if (!list) {
    return false;
  }
  sizes->list = list;
  list[sizes->size++] = size;
  return true;
}

bool feed_take_size(void *sizes, const char *value) { return add_size(sizes, value, true); }

bool feed_take_shape(void *shapes, const char *value) { return add_size(shapes, value, false); }

// ---- Symbols --------------------------------------------------------------------------------------------------------

// The symbol of a dimension that is open; NULL: it is not open, or no symbol by itself.
static const char *symbol_of(const feed_parameter *p, size_t d) {
  return p->port.type.dims[d] == MILLRACE_OPEN && p->port.symbols ? p->port.symbols[d] : NULL;
}

const char **feed_symbols(const feed *f) {
  size_t room = 1, count = 0;
  for (size_t i = 0; i < f->num_parameters; i++) {
    room += f->parameters[i].port.type.rank;
  }
  const char **symbols = calloc(room, sizeof *symbols);
  for (size_t i = 0; symbols && i < f->num_parameters; i++) {
    for (size_t d = 0; d < f->parameters[i].port.type.rank; d++) {
      const char *symbol = symbol_of(&f->parameters[i], d);
      size_t known = 0;
      while (symbol && known < count && strcmp(symbols[known], symbol) != 0) {
        known++;
      }
      if (symbol && known == count) {
        symbols[count++] = symbol;
      }
    }
  }
  return symbols;
}

int64_t feed_symbol(const feed *f, const char *symbol) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    const feed_parameter *p = &f->parameters[i];
    for (size_t d = 0; d < p->port.type.rank; d++) {
      const char *own = symbol_of(p, d);
      if (own && p->dims[d] != MILLRACE_OPEN && strcmp(own, symbol) == 0) {
        return p->dims[d];
      }
    }
  }
  return MILLRACE_OPEN;
}

static void list_symbols(const feed *f) {
  const char **symbols = feed_symbols(f);
  fputs(symbols && symbols[0] ? "it leaves open" : "it leaves none open", stderr);
  for (size_t i = 0; symbols && symbols[i]; i++) {
    fprintf(stderr, "%s %s", i ? "," : "", symbols[i]);
  }
  fputs("\n", stderr);
  free(symbols);
}

// A size of one parameter, and of all that have the same symbol. Sizes that were known before stay what they are.
static bool set_size(feed *f, size_t i, size_t d, int64_t value, const char *who) {
  feed_parameter *p = &f->parameters[i];
  const char *symbol = symbol_of(p, d);
  if (p->dims[d] != MILLRACE_OPEN && p->dims[d] != value) {
    fprintf(stderr, "millrace: %s%s of %s is %lld, and %lld by %s\n", symbol ? "the size " : "a size",
            symbol ? symbol : "", p->port.name, (long long)p->dims[d], (long long)value, who);
    return false;
  }
  p->dims[d] = value;
  for (size_t j = 0; symbol && j < f->num_parameters; j++) {
    feed_parameter *other = &f->parameters[j];
    for (size_t e = 0; e < other->port.type.rank; e++) {
      const char *theirs = symbol_of(other, e);
      if (theirs && other->dims[e] == MILLRACE_OPEN && strcmp(theirs, symbol) == 0) {
        other->dims[e] = value;
      }
    }
  }
  return true;
}

static bool set_shape(feed *f, size_t i, const int64_t *dims, size_t rank, const char *who) {
  feed_parameter *p = &f->parameters[i];
  if (rank != p->port.type.rank) {
    fprintf(stderr, "millrace: %s has %zu dimensions, and %zu by %s\n", p->port.name, p->port.type.rank, rank, who);
    return false;
  }
  for (size_t d = 0; d < rank; d++) {
    if (!set_size(f, i, d, dims[d], who)) {
      return false;
    }
  }
  return true;
}

// ---- Resolving ------------------------------------------------------------------------------------------------------

static bool take_arrays(feed *f) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    const feed_parameter *p = &f->parameters[i];
    if (p->source == FEED_GIVEN) {
      const npy_array *array = &f->inputs.arrays[p->index];
      if (!set_shape(f, i, array->dims, array->rank, "its array")) {
        return false;
      }
    } else if (p->source == FEED_WEIGHTS) {
      millrace_array array = millrace_weights_array(f->weights, p->index);
      if (!set_shape(f, i, array.dims, array.rank, "the weights")) {
        return false;
      }
    }
  }
  return true;
}

static bool is_named(const feed_size *size, const char *name) {
  return strlen(name) == size->name_size && memcmp(name, size->name, size->name_size) == 0;
}

static bool take_shape(feed *f, const feed_size *shape) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    if (is_named(shape, f->parameters[i].port.name)) {
      return set_shape(f, i, shape->dims, shape->rank, "--shape");
    }
  }
  fprintf(stderr, "millrace: no input is called %.*s, which has a --shape\n", (int)shape->name_size, shape->name);
  return false;
}

static bool take_size(feed *f, const feed_size *size) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    for (size_t d = 0; d < f->parameters[i].port.type.rank; d++) {
      const char *symbol = symbol_of(&f->parameters[i], d);
      if (symbol && is_named(size, symbol)) {
        return set_size(f, i, d, size->dims[0], "--size");
      }
    }
  }
  fprintf(stderr, "millrace: the program has no size %.*s; ", (int)size->name_size, size->name);
  list_symbols(f);
  return false;
}

// All inputs that leave their first size open have the same one there. Where it is no symbol by itself it is taken for the same: a program
// that has it otherwise is refused with its own words when it is compiled.
static bool take_batch(feed *f, int64_t batch) {
  const char *first = NULL, *owner = NULL;
  bool found = false;
  for (size_t i = 0; i < f->num_parameters; i++) {
    const feed_parameter *p = &f->parameters[i];
    if (p->source == FEED_WEIGHTS || p->port.type.rank == 0 || p->port.type.dims[0] != MILLRACE_OPEN) {
      continue;
    }
    const char *symbol = symbol_of(p, 0);
    if (symbol && first && strcmp(symbol, first) != 0) {
      fprintf(stderr,
              "millrace: --batch wants one size in front of all inputs, that of %s is %s, of %s %s: --size says each\n",
              owner, first, p->port.name, symbol);
      return false;
    }
    owner = first ? owner : p->port.name;
    first = first ? first : symbol;
    found = true;
    if (!set_size(f, i, 0, batch, "--batch")) {
      return false;
    }
  }
  if (!found) {
    fputs("millrace: --batch wants a program that leaves the first size of an input open, this one does not\n", stderr);
  }
  return found;
}

bool feed_resolve(feed *f, uint64_t batch) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    millrace_type type = f->parameters[i].port.type;
    for (size_t d = 0; d < type.rank; d++) {
      f->parameters[i].dims[d] = type.dims[d];
    }
  }
  bool ok = take_arrays(f);
  for (size_t k = 0; k < f->shapes.size && ok; k++) {
    ok = take_shape(f, &f->shapes.list[k]);
  }
  for (size_t k = 0; k < f->sizes.size && ok; k++) {
    ok = take_size(f, &f->sizes.list[k]);
  }
  return ok && (!batch || take_batch(f, (int64_t)batch));
}

bool feed_is_open(const feed *f) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    for (size_t d = 0; d < f->parameters[i].port.type.rank; d++) {
      if (f->parameters[i].port.type.dims[d] == MILLRACE_OPEN) {
        return true;
      }
    }
  }
  return false;
}

bool feed_is_resolved(const feed *f) {
  for (size_t i = 0; i < f->num_parameters; i++) {
    const feed_parameter *p = &f->parameters[i];
    for (size_t d = 0; d < p->port.type.rank; d++) {
      if (p->dims[d] != MILLRACE_OPEN) {
        continue;
      }
      const char *symbol = symbol_of(p, d);
      if (symbol) {
        fprintf(stderr, "millrace: the program leaves the size %s open (of %s): --size %s=N says it\n", symbol,
                p->port.name, symbol);
      } else {
        fprintf(stderr, "millrace: the program leaves size %zu of %s open: --shape %s=SHAPE says it\n", d, p->port.name,
                p->port.name);
      }
      return false;
    }
  }
  return true;
}
