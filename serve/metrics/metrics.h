// Prometheus' text format (0.0.4), written sample by sample.
#ifndef SV_METRICS_H
#define SV_METRICS_H

#include "serve/base/base.h"

typedef struct sv_label {
  const char *name;
  sv_str value;
} sv_label;

// "# HELP" and "# TYPE"; type: "counter", "gauge", "histogram".
void sv_metric_begin(sv_text *out, const char *name, const char *type, const char *help);
void sv_metric_sample(sv_text *out, const char *name, const sv_label *labels, uint32_t num_labels, double value);
void sv_metric_count(sv_text *out, const char *name, const sv_label *labels, uint32_t num_labels, uint64_t value);
// Cumulates: bounds in seconds, counts of each bucket, the last one beyond all bounds (num_bounds + 1 counts).
void sv_metric_histogram(sv_text *out, const char *name, const sv_label *labels, uint32_t num_labels,
                         const double *bounds, uint32_t num_bounds, const uint64_t *counts, double sum);

#endif
