// Prometheus' text format. Names and helps are ours and need no escaping but for the help's; values of labels come from outside.
#include <math.h>

#include "serve/json/json.h"
#include "serve/metrics/metrics.h"

// \ and newline; in a label's value the quote too.
static void put_escaped(sv_text *out, sv_str text, bool quotes) {
  for (size_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    if (c == '\\' || (quotes && c == '"')) {
      sv_text_putc(out, '\\');
      sv_text_putc(out, c);
    } else if (c == '\n') {
      sv_text_puts(out, "\\n");
    } else {
      sv_text_putc(out, c);
    }
  }
}

static void put_label(sv_text *out, const char *name, sv_str value) {
  sv_text_puts(out, name);
  sv_text_puts(out, "=\"");
  if (sv_str_is_utf8(value)) {
    put_escaped(out, value, true);
  } else {
    sv_text_puts(out, "(not UTF-8)");
  }
  sv_text_putc(out, '"');
}

static void put_number(sv_text *out, double value) {
  if (isnan(value)) {
    sv_text_puts(out, "NaN");
  } else if (isinf(value)) {
    sv_text_puts(out, value > 0 ? "+Inf" : "-Inf");
  } else {
    sv_json_put_double(out, value);
  }
}

// "name_suffix{labels,le="..."} "; le NULL: none.
static void put_name(sv_text *out, const char *name, const char *suffix, const sv_label *labels, uint32_t num_labels,
                     const double *le) {
  sv_text_puts(out, name);
  sv_text_puts(out, suffix);
  if (num_labels || le) {
    sv_text_putc(out, '{');
    for (uint32_t i = 0; i < num_labels; i++) {
      if (i) {
        sv_text_putc(out, ',');
      }
      put_label(out, labels[i].name, labels[i].value);
    }
    if (le) {
      sv_text_puts(out, num_labels ? ",le=\"" : "le=\"");
      put_number(out, *le);
      sv_text_putc(out, '"');
    }
    sv_text_putc(out, '}');
  }
  sv_text_putc(out, ' ');
}

void sv_metric_begin(sv_text *out, const char *name, const char *type, const char *help) {
  sv_text_puts(out, "# HELP ");
  sv_text_puts(out, name);
  sv_text_putc(out, ' ');
  put_escaped(out, sv_str_of(help), false);
  sv_text_puts(out, "\n# TYPE ");
  sv_text_puts(out, name);
  sv_text_putc(out, ' ');
  sv_text_puts(out, type);
  sv_text_putc(out, '\n');
}

void sv_metric_sample(sv_text *out, const char *name, const sv_label *labels, uint32_t num_labels, double value) {
  put_name(out, name, "", labels, num_labels, NULL);
  put_number(out, value);
  sv_text_putc(out, '\n');
}

void sv_metric_count(sv_text *out, const char *name, const sv_label *labels, uint32_t num_labels, uint64_t value) {
  put_name(out, name, "", labels, num_labels, NULL);
  sv_text_add_uint(out, value);
  sv_text_putc(out, '\n');
}

void sv_metric_histogram(sv_text *out, const char *name, const sv_label *labels, uint32_t num_labels,
                         const double *bounds, uint32_t num_bounds, const uint64_t *counts, double sum) {
  uint64_t total = 0;
  for (uint32_t i = 0; i <= num_bounds; i++) {
    double bound = i < num_bounds ? bounds[i] : INFINITY;
    total += counts[i];
    put_name(out, name, "_bucket", labels, num_labels, &bound);
    sv_text_add_uint(out, total);
    sv_text_putc(out, '\n');
  }
  put_name(out, name, "_sum", labels, num_labels, NULL);
  put_number(out, sum);
  sv_text_putc(out, '\n');
  put_name(out, name, "_count", labels, num_labels, NULL);
  sv_text_add_uint(out, total);
  sv_text_putc(out, '\n');
}
