// What `millrace bench --plot` draws: a line for each batch size, how long at most so many of the executions took. To the right each step of
// the scale is a tenth of those that are left: half, 90%, 99%, ... so that the few that took long are seen. Times are on a scale of powers.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "tools/bench.h"
#include "tools/svg.h"

enum { LEFT = 80, TOP = 50, WIDE = 640, HIGH = 360, RIGHT = 130, BELOW = 50, POINTS = 160 };

typedef struct scale {
  double low, high;  // us, powers of ten or a half of one
  double nines;      // how many tens it goes to the right
} scale;

static const char *color(size_t i) {
  static const char *const colors[] = {"#1f5fa8", "#c0392b", "#2e8540", "#8e44ad",
                                       "#b9770e", "#148f8f", "#555555", "#d6478a"};
  return colors[i % (sizeof colors / sizeof *colors)];
}

// What share of the executions is left at `nines`: 0.1 at 1.
static double x_of(const scale *s, double nines) { return LEFT + WIDE * nines / s->nines; }

static double y_of(const scale *s, double us) {
  return TOP + HIGH * (1 - (log10(us) - log10(s->low)) / (log10(s->high) - log10(s->low)));
}

// 1, 2 or 5 times a power of ten, the largest that is not above, or the smallest that is not below.
static double round_to(double us, bool up) {
  static const double steps[] = {1, 2, 5, 10};
  double power = pow(10, floor(log10(us))), share = us / power;
  size_t i = 0;
  while (i + 1 < sizeof steps / sizeof *steps && (up ? steps[i] < share - 1e-9 : steps[i + 1] <= share + 1e-9)) {
    i++;
  }
  return steps[i] * power;
}

static scale choose_scale(const bench_report *report) {
  double least = INFINITY, most = 0;
  uint64_t count = 10;
  for (size_t i = 0; i < report->num_rows; i++) {
    const bench_row *row = &report->rows[i];
    least = fmin(least, (double)histogram_min(row->latency) / 1e3);
    most = fmax(most, (double)histogram_max(row->latency) / 1e3);
    count = row->executions > count ? row->executions : count;
  }
  scale s = {.low = round_to(fmax(least, 0.01), false),
             .high = round_to(fmax(most, 0.02), true),
             .nines = ceil(log10((double)count))};
  if (s.high <= s.low) {
    s.high = 10 * s.low;
  }
  return s;
}

static void text(FILE *file, double x, double y, const char *anchor, const char *words) {
  svg_text(file, x, y, anchor, words, strlen(words));
}

static void draw_times(FILE *file, const scale *s) {
  static const double steps[] = {1, 2, 5};
  for (double power = pow(10, floor(log10(s->low))); power <= s->high * 1.001; power *= 10) {
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      double us = steps[i] * power;
      if (us < s->low * 0.999 || us > s->high * 1.001) {
        continue;
      }
      char words[32];
      snprintf(words, sizeof words,
               us < 1e3   ? "%g us"
               : us < 1e6 ? "%g ms"
                          : "%g s",
               us < 1e3   ? us
               : us < 1e6 ? us / 1e3
                          : us / 1e6);
      fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, y_of(s, us),
              LEFT + WIDE, y_of(s, us));
      text(file, LEFT - 8, y_of(s, us) + 4, "end", words);
    }
  }
}

static void draw_shares(FILE *file, const scale *s) {
  static const struct {
    const char *words;
    double left;
  } marks[] = {{"0", 1},        {"50%", 0.5},     {"90%", 0.1},      {"99%", 0.01},
               {"99.9%", 1e-3}, {"99.99%", 1e-4}, {"99.999%", 1e-5}, {"99.9999%", 1e-6}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    double nines = -log10(marks[i].left);
    if (nines <= s->nines + 1e-9) {
      fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#ddd\"/>\n", x_of(s, nines), TOP,
              x_of(s, nines), TOP + HIGH);
      text(file, x_of(s, nines), TOP + HIGH + 18, "middle", marks[i].words);
    }
  }
  text(file, LEFT + WIDE / 2.0, TOP + HIGH + 38, "middle", "of the executions took at most");
}

static void draw_row(FILE *file, const bench_row *row, const scale *s, size_t i) {
  fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", color(i));
  for (int k = 0; k <= POINTS; k++) {
    double nines = s->nines * k / POINTS, percent = 100 * (1 - pow(10, -nines));
    double us = fmax((double)histogram_percentile(row->latency, percent) / 1e3, s->low);
    fprintf(file, "%s%.1f,%.1f", k ? " " : "", x_of(s, nines), y_of(s, us));
  }
  fputs("\"/>\n", file);
  char words[64];
  if (row->batch) {
    snprintf(words, sizeof words, "batch %" PRIu64, row->batch);
  } else {
    snprintf(words, sizeof words, "%" PRIu64 " executions", row->executions);
  }
  double y = TOP + 14 + 18.0 * (double)i;
  fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\"/>\n",
          LEFT + WIDE + 10, y - 4, LEFT + WIDE + 26, y - 4, color(i));
  text(file, LEFT + WIDE + 32, y, "start", words);
}

static void draw(const bench_report *report, FILE *file) {
  // With many rows the list of them is what is high.
  int rows = TOP + 30 + 18 * (int)report->num_rows, height = TOP + HIGH + BELOW;
  fprintf(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"Helvetica,sans-serif\" "
          "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
          LEFT + WIDE + RIGHT, rows > height ? rows : height);
  text(file, LEFT, 24, "start", report->options->feed.program_path);
  if (report->num_rows) {
    scale s = choose_scale(report);
    draw_times(file, &s);
    draw_shares(file, &s);
    for (size_t i = 0; i < report->num_rows; i++) {
      draw_row(file, &report->rows[i], &s, i);
    }
  } else {
    text(file, LEFT, TOP, "start", "nothing was measured");
  }
  fputs("</svg>\n", file);
}

bool bench_write_plot(const bench_report *report, const char *path) { return bench_write(report, draw, path); }
