#include "devices/figures.h"

#include <stddef.h>

#include "devices/devices.h"

// clang-format off
const mr_figures mr_figures_default = {
#define FIGURE(field, name, standard, least, most, words) .field = standard,
#include "devices/figures.def"
#undef FIGURE
};
// clang-format on

typedef struct figure {
  const char *name, *words;
  size_t offset;
  double least, most;
} figure;

static const figure table[] = {
#define FIGURE(field, name, standard, least, most, words) {name, words, offsetof(mr_figures, field), least, most},
#include "devices/figures.def"
#undef FIGURE
};

const char *mr_figures_origin_name(mr_figures_origin origin) {
  static const char *const names[] = {[MR_FIGURES_DEFAULT] = "default",
                                      [MR_FIGURES_MEASURED] = "measured",
                                      [MR_FIGURES_KEPT] = "kept",
                                      [MR_FIGURES_GIVEN] = "given"};
  return names[origin];
}

static const double *at(const mr_figures *figures, const figure *f) {
  return (const double *)(const void *)((const char *)figures + f->offset);
}

void mr_figures_each(const mr_figures *figures,
                     void (*visit)(void *context, const char *name, double value, const char *words), void *context) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(table); i++) {
    visit(context, table[i].name, *at(figures, &table[i]), table[i].words);
  }
}

// Not a number is between nothing.
static bool allowed(const figure *f, double value) { return value >= f->least && value <= f->most; }

bool mr_figures_set(mr_figures *figures, mr_str name, double value) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(table); i++) {
    if (mr_str_is(name, table[i].name) && allowed(&table[i], value)) {
      *(double *)(void *)((char *)figures + table[i].offset) = value;
      return true;
    }
  }
  return false;
}

bool mr_figures_plausible(const mr_figures *figures) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(table); i++) {
    if (!allowed(&table[i], *at(figures, &table[i]))) {
      return false;
    }
  }
  double inner = 0;
  for (size_t i = 0; i < MR_FIGURES_CACHES; i++) {
    double bytes = figures->caches[i].bytes;
    if (bytes > 0 && bytes < inner) {
      return false;
    }
    inner = MR_MAX(inner, bytes);
  }
  return true;
}

void mr_figures_mend(mr_figures *figures, const mr_figures *otherwise) {
  for (size_t i = 0; i < MR_ARRAY_SIZE(table); i++) {
    if (!allowed(&table[i], *at(figures, &table[i]))) {
      *(double *)(void *)((char *)figures + table[i].offset) = *at(otherwise, &table[i]);
    }
  }
}

// ---- What they come to ------------------------------------------------------------------------------------------------

// No processor gives a unit more than this of its last-level cache when all are busy, and few half of it.
#define MOST_SHARE ((double)(16 << 20))

double mr_figures_cache_share(const mr_figures *figures) {
  double bytes = 0, units = 1;
  for (size_t i = 0; i < MR_FIGURES_CACHES; i++) {
    if (figures->caches[i].bytes > 0) {
      bytes = figures->caches[i].bytes;
      units = figures->caches[i].units;
    }
  }
  return MR_MIN(bytes, MOST_SHARE * MR_MAX(units, 1));
}

static const mr_cache_figures *level_of(const mr_figures *figures, double bytes) {
  for (size_t i = 0; i < MR_FIGURES_CACHES; i++) {
    const mr_cache_figures *c = &figures->caches[i];
    if (c->bytes > 0 && bytes <= MR_MIN(c->bytes, MOST_SHARE * MR_MAX(c->units, 1))) {
      return c;
    }
  }
  return NULL;
}

double mr_figures_read_rate(const mr_figures *figures, double bytes) {
  const mr_cache_figures *level = level_of(figures, bytes);
  return level ? level->read_bytes_per_ns : figures->memory_read_bytes_per_ns;
}

double mr_figures_write_rate(const mr_figures *figures, double bytes) {
  const mr_cache_figures *level = level_of(figures, bytes);
  return level ? level->write_bytes_per_ns : figures->memory_write_bytes_per_ns;
}

const mr_figures *mr_device_figures(mr_device *device) {
  return device->ops->figures ? device->ops->figures(device) : &mr_figures_default;
}

const mr_figures *mr_device_measure(mr_device *device, bool (*stop)(void *context), void *context) {
  return device->ops->measure ? device->ops->measure(device, stop, context) : mr_device_figures(device);
}
