// The layout: rows from top to bottom, each item one row below the last of those it comes after; a frame is laid out by itself
// and then is an item of the frame around it. Within a row, items stand in the order of where their inputs are.
#include "tools/svg.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  NAME_BYTES = 32,
  LABEL_BYTES = 160,
  MARGIN = 24,
  GAP_X = 18,
  GAP_Y = 34,
  LINE = 15,
  CHARACTER = 7,
  MOST_WIDTH = 1800
};

// A box, an ellipse, or a frame with items in it. Item 0 is the frame around everything.
typedef struct item {
  char name[NAME_BYTES], label[LABEL_BYTES];  // lines of the label end with \n
  char fill[16];
  bool frame, ellipse, dashed;
  uint32_t parent, row;
  double x, y, width, height;  // x, y: of the top left corner, within the parent until the end
} item;

typedef struct edge {
  uint32_t from, to;
  bool dotted, bold;
  char label[64];
} edge;

typedef struct drawing {
  item *items;
  edge *edges;
  uint32_t item_count, edge_count, item_room, edge_room;
} drawing;

// ---- Reading ----------------------------------------------------------------------------------------------------------

static bool grow(void **array, uint32_t count, uint32_t *room, size_t size) {
  if (count < *room) {
    return true;
  }
  uint32_t more = *room ? 2 * *room : 64;
  void *larger = realloc(*array, more * size);
  if (!larger) {
    return false;
  }
  *array = larger;
  *room = more;
  return true;
}

static item *add_item(drawing *d, uint32_t parent) {
  if (!grow((void **)&d->items, d->item_count, &d->item_room, sizeof *d->items)) {
    return NULL;
  }
  item *added = &d->items[d->item_count++];
  memset(added, 0, sizeof *added);
  added->parent = parent;
  return added;
}

// What stands between the quotes after `label=`, with \n for line breaks.
static void read_label(const char *line, char *out) {
  const char *at = strstr(line, "label=\"");
  size_t used = 0;
  for (at = at ? at + strlen("label=\"") : ""; *at && *at != '"' && used + 2 < LABEL_BYTES; at++) {
    char c = *at;
    if (c == '\\' && at[1]) {
      c = *++at == 'n' ? '\n' : *at;
    }
    out[used++] = c;
  }
  out[used] = '\0';
}

static uint32_t find_item(const drawing *d, const char *name) {
  // Edges follow their nodes closely: from the back.
  for (uint32_t i = d->item_count; i-- > 1;) {
    if (strcmp(d->items[i].name, name) == 0) {
      return i;
    }
  }
  return 0;
}

static bool read_edge(drawing *d, const char *line, const char *from, const char *to) {
  if (!grow((void **)&d->edges, d->edge_count, &d->edge_room, sizeof *d->edges)) {
    return false;
  }
  edge e = {.from = find_item(d, from),
            .to = find_item(d, to),
            .dotted = strstr(line, "style=dotted") != NULL,
            .bold = strstr(line, "style=bold") != NULL};
  if (!e.from || !e.to) {
    return false;
  }
  char label[LABEL_BYTES];
  read_label(line, label);
  snprintf(e.label, sizeof e.label, "%.*s", (int)sizeof e.label - 1, label);
  d->edges[d->edge_count++] = e;
  return true;
}

static bool read_node(drawing *d, const char *line, const char *name, uint32_t parent) {
  item *node = add_item(d, parent);
  if (!node) {
    return false;
  }
  snprintf(node->name, sizeof node->name, "%s", name);
  read_label(line, node->label);
  node->ellipse = strstr(line, "shape=ellipse") != NULL;
  node->dashed = strstr(line, "style=dashed") != NULL;
  const char *fill = strstr(line, "fillcolor=\"");
  if (!fill || sscanf(fill, "fillcolor=\"%15[#0-9a-f]", node->fill) != 1) {
    strcpy(node->fill, "white");
  }
  return true;
}

static bool read_line(drawing *d, const char *line, uint32_t *frame) {
  char a[NAME_BYTES], b[NAME_BYTES];
  line += strspn(line, " ");
  if (strncmp(line, "digraph", 7) == 0 || strncmp(line, "node [", 6) == 0 || !*line) {
    return true;
  }
  if (*line == '}') {
    *frame = d->items[*frame].parent;
    return true;
  }
  if (strncmp(line, "subgraph", 8) == 0) {
    item *added = add_item(d, *frame);
    if (!added) {
      return false;
    }
    added->frame = true;
    *frame = d->item_count - 1;
    return true;
  }
  if (strncmp(line, "label=", 6) == 0) {
    read_label(line, d->items[*frame].label);
    return true;
  }
  if (sscanf(line, "%31[a-z0-9] -> %31[a-z0-9]", a, b) == 2) {
    return read_edge(d, line, a, b);
  }
  return sscanf(line, "%31[a-z0-9] [", a) == 1 && read_node(d, line, a, *frame);
}

static bool read_graph(drawing *d, const char *dot) {
  uint32_t frame = 0;
  item *all = add_item(d, 0);
  if (!all) {
    return false;
  }
  all->frame = true;
  while (*dot) {
    size_t size = strcspn(dot, "\n");
    char line[512];
    snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line ? size : sizeof line - 1), dot);
    if (!read_line(d, line, &frame)) {
      return false;
    }
    dot += size + (dot[size] == '\n');
  }
  return true;
}

// ---- Layout -----------------------------------------------------------------------------------------------------------

// The item of `frame` that `i` is or is in; 0: neither.
static uint32_t item_within(const drawing *d, uint32_t i, uint32_t frame) {
  while (i && d->items[i].parent != frame) {
    i = d->items[i].parent;
  }
  return i;
}

static void measure(item *box) {
  size_t longest = 0, lines = 1, here = 0;
  for (const char *at = box->label; *at; at++) {
    here = *at == '\n' ? 0 : here + 1;
    lines += *at == '\n';
    if (here > longest) {
      longest = here;
    }
  }
  box->width = 20 + CHARACTER * (double)longest;
  box->height = 14 + LINE * (double)lines;
}

// Rows: a pass over the edges settles those whose inputs come first, as they do in a plan; a few passes settle the rest.
static uint32_t choose_rows(drawing *d, uint32_t frame) {
  bool changed = true;
  for (uint32_t pass = 0; changed && pass < d->item_count; pass++) {
    changed = false;
    for (uint32_t e = 0; e < d->edge_count; e++) {
      uint32_t from = item_within(d, d->edges[e].from, frame), to = item_within(d, d->edges[e].to, frame);
      if (!from || !to || from == to || d->items[to].row > d->items[from].row) {
        continue;
      }
      // An edge back, out of a loop's frame, counts for nothing.
      if (to < from) {
        continue;
      }
      d->items[to].row = d->items[from].row + 1;
      changed = true;
    }
  }
  uint32_t rows = 0;
  for (uint32_t i = 1; i < d->item_count; i++) {
    if (d->items[i].parent == frame && d->items[i].row + 1 > rows) {
      rows = d->items[i].row + 1;
    }
  }
  return rows;
}

// For each item of a frame, the edges that end there: first[item], next[edge], as numbers + 1.
typedef struct arrivals {
  uint32_t *first, *next;
} arrivals;

static bool find_arrivals(const drawing *d, uint32_t frame, arrivals *out) {
  out->first = calloc(d->item_count, sizeof *out->first);
  out->next = calloc((size_t)d->edge_count + 1, sizeof *out->next);
  if (!out->first || !out->next) {
    return false;
  }
  for (uint32_t e = 0; e < d->edge_count; e++) {
    uint32_t to = item_within(d, d->edges[e].to, frame);
    out->next[e] = out->first[to];
    out->first[to] = e + 1;
  }
  return true;
}

// The middle of what an item comes after, in rows that are placed already.
static double wish_of(const drawing *d, uint32_t frame, const arrivals *a, uint32_t i) {
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t e = a->first[i]; e; e = a->next[e - 1]) {
    uint32_t from = item_within(d, d->edges[e - 1].from, frame);
    if (!from || from == i || d->items[from].row >= d->items[i].row) {
      continue;
    }
    sum += d->items[from].x + d->items[from].width / 2;
    count++;
  }
  return count ? sum / count : 0;
}

typedef struct in_row {
  double wish;
  uint32_t item;
} in_row;

static int by_wish(const void *a, const void *b) {
  const in_row *one = a, *two = b;
  if (one->wish != two->wish) {
    return one->wish < two->wish ? -1 : 1;
  }
  return one->item < two->item ? -1 : 1;
}

// A row from left to right, each item where it wishes if there is room; a row that gets too wide goes on below itself. Returns
// where the next row begins.
static double place_row(drawing *d, const in_row *row, uint32_t count, double y) {
  double right = MARGIN, tallest = 0;
  for (uint32_t k = 0; k < count; k++) {
    item *i = &d->items[row[k].item];
    double left = row[k].wish - i->width / 2;
    if (left < right) {
      left = right;
    }
    if (left + i->width > MOST_WIDTH && right > MARGIN) {
      y += tallest + GAP_Y / 2.0;
      left = MARGIN;
      tallest = 0;
    }
    i->x = left;
    i->y = y;
    right = left + i->width + GAP_X;
    if (i->height > tallest) {
      tallest = i->height;
    }
  }
  return y + tallest + GAP_Y;
}

static bool place_rows(drawing *d, uint32_t frame, double *out_right, double *out_bottom) {
  uint32_t rows = choose_rows(d, frame);
  double y = MARGIN;
  arrivals a = {0};
  in_row *row = malloc(d->item_count * sizeof *row);
  bool ok = row && find_arrivals(d, frame, &a);
  *out_right = 0;
  for (uint32_t r = 0; ok && r < rows; r++) {
    uint32_t count = 0;
    for (uint32_t i = 1; i < d->item_count; i++) {
      if (d->items[i].parent == frame && d->items[i].row == r) {
        row[count++] = (in_row){wish_of(d, frame, &a, i), i};
      }
    }
    qsort(row, count, sizeof *row, by_wish);
    y = place_row(d, row, count, y);
    for (uint32_t k = 0; k < count; k++) {
      double right = d->items[row[k].item].x + d->items[row[k].item].width;
      if (right > *out_right) {
        *out_right = right;
      }
    }
  }
  *out_bottom = y - GAP_Y;
  free(row);
  free(a.first);
  free(a.next);
  return ok;
}

static bool lay_out(drawing *d, uint32_t frame) {
  for (uint32_t i = 1; i < d->item_count; i++) {
    if (d->items[i].parent != frame) {
      continue;
    }
    if (!d->items[i].frame) {
      measure(&d->items[i]);
    } else if (!lay_out(d, i)) {
      return false;
    }
  }
  double bottom, right;
  if (!place_rows(d, frame, &right, &bottom)) {
    return false;
  }
  item *self = &d->items[frame];
  double label = 20 + CHARACTER * (double)strlen(self->label);
  self->width = (right > label ? right : label) + MARGIN;
  self->height = bottom + MARGIN;
  return true;
}

// ---- Writing ----------------------------------------------------------------------------------------------------------

void svg_text(FILE *file, double x, double y, const char *anchor, const char *text, size_t size) {
  fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  for (size_t i = 0; i < size; i++) {
    switch (text[i]) {
    case '<': fputs("&lt;", file); break;
    case '>': fputs("&gt;", file); break;
    case '&': fputs("&amp;", file); break;
    default: fputc((unsigned char)text[i] < ' ' ? '?' : text[i], file);
    }
  }
  fputs("</text>\n", file);
}

static void write_item(FILE *file, const item *i) {
  const char *dash = i->dashed ? " stroke-dasharray=\"4 3\"" : "";
  if (i->frame) {
    fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#999\"/>\n", i->x,
            i->y, i->width, i->height);
    svg_text(file, i->x + 8, i->y + LINE, "start", i->label, strlen(i->label));
    return;
  }
  if (i->ellipse) {
    fprintf(file, "<ellipse cx=\"%.1f\" cy=\"%.1f\" rx=\"%.1f\" ry=\"%.1f\" fill=\"%s\" stroke=\"black\"%s/>\n",
            i->x + i->width / 2, i->y + i->height / 2, i->width / 2, i->height / 2, i->fill, dash);
  } else {
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" fill=\"%s\" stroke=\"black\"%s/>\n",
            i->x, i->y, i->width, i->height, i->fill, dash);
  }
  double y = i->y + 5 + LINE;
  for (const char *line = i->label; *line; y += LINE) {
    size_t size = strcspn(line, "\n");
    svg_text(file, i->x + i->width / 2, y, "middle", line, size);
    line += size + (line[size] == '\n');
  }
}

static void write_edge(FILE *file, const item *from, const item *to, const edge *e) {
  double x = from->x + from->width / 2, y = from->y + from->height, end_x = to->x + to->width / 2, end_y = to->y;
  if (end_y < y) {
    y = from->y + from->height / 2;  // to the side or up
  }
  double bend = (end_y - y) / 2 > GAP_Y / 2.0 ? (end_y - y) / 2 : GAP_Y / 2.0;
  fprintf(file,
          "<path d=\"M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f\" fill=\"none\" stroke=\"%s%s "
          "marker-end=\"url(#tip)\"/>\n",
          x, y, x, y + bend, end_x, end_y - bend, end_x, end_y, e->bold ? "#c00\" stroke-width=\"2\"" : "#555\"",
          e->dotted ? " stroke-dasharray=\"2 3\"" : "");
  if (e->label[0]) {
    svg_text(file, (x + end_x) / 2 + 4, (y + end_y) / 2 + 4, "start", e->label, strlen(e->label));
  }
}

static bool write_all(const drawing *d, FILE *file) {
  fprintf(
      file,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" font-family=\"Helvetica,sans-serif\" "
      "font-size=\"12\">\n<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" "
      "orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#555\"/></marker></defs>\n",
      d->items[0].width, d->items[0].height);
  for (uint32_t i = 1; i < d->item_count; i++) {
    if (d->items[i].frame) {
      write_item(file, &d->items[i]);
    }
  }
  for (uint32_t e = 0; e < d->edge_count; e++) {
    write_edge(file, &d->items[d->edges[e].from], &d->items[d->edges[e].to], &d->edges[e]);
  }
  for (uint32_t i = 1; i < d->item_count; i++) {
    if (!d->items[i].frame) {
      write_item(file, &d->items[i]);
    }
  }
  fputs("</svg>\n", file);
  return !ferror(file);
}

bool svg_write(const char *dot, FILE *file) {
  drawing d = {0};
  bool ok = read_graph(&d, dot) && lay_out(&d, 0);
  if (ok) {
    // A frame is in the list before what is in it.
    for (uint32_t i = 1; i < d.item_count; i++) {
      d.items[i].x += d.items[d.items[i].parent].x;
      d.items[i].y += d.items[d.items[i].parent].y;
    }
    ok = write_all(&d, file);
  }
  free(d.items);
  free(d.edges);
  return ok;
}
