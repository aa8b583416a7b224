// Writes an XSpace by hand: a trace has hundreds of thousands of events, each of some ten bytes on the wire, and protobuf-c
// would make an object with an allocation or three of each.
//
//   XSpace: planes 1.   XPlane: id 1, name 2, lines 3, event metadata 4, stat metadata 5 (maps: key 1, value 2).
//   XLine: id 1, name 2, timestamp in ns 3, events 4.   XEvent: metadata 1, offset in ps 2, duration in ps 3, stats 4.
//   XStat: metadata 1, unsigned number 3, reference to a stat metadata's name 7.   Metadata of either kind: id 1, name 2.
//
// The stats of an op have the names that XLA's profiles have: hlo_op, hlo_module, program_id, run_id, device_ordinal, and, where the
// program says it, tf_op and source.
#include "pjrt/proto/xspace.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// ---- Wire format ----------------------------------------------------------------------------------------------------

typedef struct wire {
  uint8_t *data;
  size_t size, capacity;
  bool failed;  // memory was short
} wire;

static bool reserve(wire *to, size_t more) {
  if (to->failed || to->capacity - to->size >= more) {
    return !to->failed;
  }
  size_t capacity = MR_MAX(2 * to->capacity, to->size + more + 256);
  uint8_t *data = mr_realloc(to->data, capacity);
  to->failed = data == NULL;
  if (data) {
    to->data = data;
    to->capacity = capacity;
  }
  return !to->failed;
}

static void put_varint(wire *to, uint64_t value) {
  if (!reserve(to, 10)) {
    return;
  }
  while (value >= 0x80) {
    to->data[to->size++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  to->data[to->size++] = (uint8_t)value;
}

static void put_number(wire *to, uint32_t field, uint64_t value) {
  put_varint(to, field << 3);
  put_varint(to, value);
}

static void put_bytes(wire *to, uint32_t field, const void *data, size_t size) {
  put_varint(to, field << 3 | 2);
  put_varint(to, size);
  if (size > 0 && reserve(to, size)) {
    memcpy(to->data + to->size, data, size);
    to->size += size;
  }
}

static void put_message(wire *to, uint32_t field, const wire *message) {
  to->failed = to->failed || message->failed;
  put_bytes(to, field, message->data, message->size);
}

// {id 1, name 2} as an entry of a map.
static void put_named(wire *to, uint32_t field, uint64_t id, mr_str name) {
  wire value = {0}, entry = {0};
  put_number(&value, 1, id);
  put_bytes(&value, 2, name.data, name.size);
  put_number(&entry, 1, id);
  put_message(&entry, 2, &value);
  put_message(to, field, &entry);
  mr_free(value.data);
  mr_free(entry.data);
}

// ---- Planes ---------------------------------------------------------------------------------------------------------

typedef struct line {
  long thread;
  wire head, events;
  struct line *next;
} line;

// Texts or ops, numbered from 1 on in the order in which they came.
typedef struct entry {
  const mr_trace_op *op;  // NULL: `name`
  mr_str name;            // of an op borrowed from it, else owned
  wire stats;             // of an op: those that all its events have, as fields of an event
} entry;
typedef struct numbering {
  entry *entries;
  uint32_t count, capacity;
  uint32_t *table;  // open addressing: 0 or a number
  uint32_t table_size;
} numbering;
enum { FIRST_TABLE = 64 };

typedef struct plane {
  int device;  // -1: the host's
  line *lines;
  numbering names;  // event metadata
  numbering texts;  // stat metadata from FIRST_TEXT on
  struct plane *next;
} plane;

typedef struct writer {
  const mr_trace_session *session;
  mr_pjrt_xspace_options options;
  plane *planes;
  plane *last_plane;  // of the previous event, and its line: events come thread by thread
  line *last_line;
  wire message;  // of the event that is written
  bool failed;
} writer;

// Every category is a stat metadata whose name events refer to.
enum { CATEGORY_STAT = 1, FIRST_CATEGORY = 2, FIRST_OP_STAT = 8, FIRST_TEXT = 16 };
static const char *const category_names[] = {[MR_TRACE_NODE] = "node",
                                             [MR_TRACE_STEP] = "step",
                                             [MR_TRACE_TRANSFER] = "transfer",
                                             [MR_TRACE_COMPILE] = "compile",
                                             [MR_TRACE_WORKER] = "worker"};

// ORDER op_stat
typedef enum op_stat { HLO_OP, HLO_MODULE, PROGRAM_ID, RUN_ID, DEVICE_ORDINAL, TF_OP, SOURCE, OP_STATS } op_stat;
static const char *const op_stat_names[OP_STATS] = {"hlo_op",         "hlo_module", "program_id", "run_id",
                                                    "device_ordinal", "tf_op",      "source"};
static_assert((int)FIRST_CATEGORY + (int)MR_ARRAY_SIZE(category_names) <= (int)FIRST_OP_STAT &&
                  (int)FIRST_OP_STAT + (int)OP_STATS <= (int)FIRST_TEXT,
              "stat metadata have numbers of their own");

static plane *find_plane(writer *w, int device) {
  for (plane *p = w->planes; p; p = p->next) {
    if (p->device == device) {
      return p;
    }
  }
  plane *p = mr_alloc_zeroed(1, sizeof *p);
  if (p) {
    p->device = device;
    p->next = w->planes;
    w->planes = p;
  }
  return p;
}

static line *find_line(writer *w, plane *p, const mr_trace_event *event) {
  for (line *l = p->lines; l; l = l->next) {
    if (l->thread == event->thread) {
      return l;
    }
  }
  line *l = mr_alloc_zeroed(1, sizeof *l);
  if (l) {
    char name[64];
    int size = snprintf(name, sizeof name, "%.*s/%ld", MR_STR_ARG(event->thread_name), event->thread);
    l->thread = event->thread;
    put_number(&l->head, 1, (uint64_t)event->thread);
    put_bytes(&l->head, 2, name, (size_t)size);
    put_number(&l->head, 3, w->session->start_wall_ns);
    l->next = p->lines;
    p->lines = l;
  }
  return l;
}

static uint64_t hash_of(const mr_trace_op *op, mr_str name) {
  return op ? mr_hash64(&op, sizeof op, 0) : mr_hash64(name.data, name.size, 0);
}

static uint32_t *find_slot(const numbering *n, const mr_trace_op *op, mr_str name) {
  uint32_t at = (uint32_t)hash_of(op, name) & (n->table_size - 1);
  while (n->table[at]) {
    const entry *known = &n->entries[n->table[at] - 1];
    if (known->op == op && (op || mr_str_equal(known->name, name))) {
      break;
    }
    at = (at + 1) & (n->table_size - 1);
  }
  return &n->table[at];
}

// Twice the room; the table stays at most half full.
static bool grow(numbering *n) {
  uint32_t capacity = n->capacity ? 2 * n->capacity : FIRST_TABLE;
  entry *entries = mr_realloc(n->entries, capacity * sizeof *entries);
  if (entries == NULL) {
    return false;
  }
  n->entries = entries;
  uint32_t *table = mr_alloc_zeroed(2 * (size_t)capacity, sizeof *table);
  if (table == NULL) {
    return false;
  }
  mr_free(n->table);
  n->table = table;
  n->table_size = 2 * capacity;
  n->capacity = capacity;
  for (uint32_t i = 0; i < n->count; i++) {
    *find_slot(n, entries[i].op, entries[i].name) = i + 1;
  }
  return true;
}

// Its number; *out_new: it is the first time. 0 when memory is short.
static uint32_t number_of(numbering *n, const mr_trace_op *op, mr_str name, bool *out_new) {
  if (n->count == n->capacity && !grow(n)) {
    return 0;
  }
  uint32_t *slot = find_slot(n, op, name);
  *out_new = *slot == 0;
  if (*slot) {
    return *slot;
  }
  if (!op) {
    char *copy = mr_alloc(name.size + 1);
    if (copy == NULL) {
      return 0;
    }
    memcpy(copy, name.data, name.size);
    name.data = copy;
  }
  n->entries[n->count++] = (entry){.op = op, .name = name};
  *slot = n->count;
  return n->count;
}

static void release_numbering(numbering *n) {
  for (uint32_t i = 0; i < n->count; i++) {
    mr_free(n->entries[i].stats.data);
    if (!n->entries[i].op) {
      mr_free((void *)(uintptr_t)n->entries[i].name.data);
    }
  }
  mr_free(n->entries);
  mr_free(n->table);
}

// ---- Events -------------------------------------------------------------------------------------------------------------

enum { NUMBER_VALUE = 3, REFERENCE_VALUE = 7 };

// A stat, as a field of an event.
static void put_stat(wire *to, uint64_t metadata, uint32_t kind_of_value, uint64_t value) {
  uint8_t bytes[32];  // no more than 22 of them
  wire stat = {.data = bytes, .capacity = sizeof bytes};
  put_number(&stat, 1, metadata);
  put_number(&stat, kind_of_value, value);
  put_message(to, 4, &stat);
}

static void put_text_stat(plane *p, wire *to, op_stat stat, const char *text) {
  bool is_new;
  if (text) {
    uint32_t number = number_of(&p->texts, NULL, mr_str_of(text), &is_new);
    to->failed = to->failed || number == 0;
    put_stat(to, FIRST_OP_STAT + stat, REFERENCE_VALUE, FIRST_TEXT + (uint64_t)number);
  }
}

static void put_op_stats(plane *p, wire *to, const mr_trace_op *op) {
  put_text_stat(p, to, HLO_OP, op->op);
  put_text_stat(p, to, HLO_MODULE, op->program->module);
  put_stat(to, FIRST_OP_STAT + PROGRAM_ID, NUMBER_VALUE, op->program->id);
  if (p->device >= 0) {
    put_stat(to, FIRST_OP_STAT + DEVICE_ORDINAL, NUMBER_VALUE, (uint64_t)p->device);
  }
  put_text_stat(p, to, TF_OP, op->path);
  put_text_stat(p, to, SOURCE, op->source);
}

// The number of the event's metadata, 0 when memory is short.
static uint32_t metadata_of(plane *p, const mr_trace_event *event) {
  bool is_new;
  uint32_t number = number_of(&p->names, event->op, event->name, &is_new);
  if (number && is_new && event->op) {
    wire *stats = &p->names.entries[number - 1].stats;
    put_op_stats(p, stats, event->op);
    number = stats->failed ? 0 : number;
  }
  return number;
}

static void write_event(wire *message, plane *p, line *l, uint32_t metadata, const mr_trace_event *event) {
  const wire *stats = &p->names.entries[metadata - 1].stats;
  message->size = 0;
  put_number(message, 1, metadata);
  put_number(message, 2, event->offset_ps);
  put_number(message, 3, event->duration_ps);
  put_stat(message, CATEGORY_STAT, REFERENCE_VALUE, FIRST_CATEGORY + (uint64_t)event->category);
  if (stats->size && reserve(message, stats->size)) {
    memcpy(message->data + message->size, stats->data, stats->size);
    message->size += stats->size;
  }
  if (event->run) {
    put_stat(message, FIRST_OP_STAT + RUN_ID, NUMBER_VALUE, event->run);
  }
  put_message(&l->events, 4, message);
}

// ---- From the trace -------------------------------------------------------------------------------------------------

// The device whose plane an event belongs to, -1 for the host's, or -2 when it was not asked for.
static int plane_of(const writer *w, const mr_trace_event *event) {
  bool on_device = event->device >= 0 && (event->category == MR_TRACE_NODE || event->category == MR_TRACE_STEP);
  if (on_device) {
    return w->options.devices ? event->device : -2;
  }
  bool idle =
      event->category == MR_TRACE_WORKER && (mr_str_is(event->name, "sleep") || mr_str_is(event->name, "search"));
  return w->options.host_level >= (idle ? 3 : 1) ? -1 : -2;
}

static void add_event(void *context, const mr_trace_event *event) {
  writer *w = context;
  int device = plane_of(w, event);
  if (device == -2 || w->failed) {
    return;
  }
  plane *p = w->last_plane && w->last_plane->device == device ? w->last_plane : find_plane(w, device);
  bool same = p && p == w->last_plane && w->last_line->thread == event->thread;
  line *l = same ? w->last_line : p ? find_line(w, p, event) : NULL;
  uint32_t metadata = l ? metadata_of(p, event) : 0;
  if (metadata == 0) {
    w->failed = true;
    return;
  }
  w->last_plane = p;
  w->last_line = l;
  write_event(&w->message, p, l, metadata, event);
}

// ---- To bytes -------------------------------------------------------------------------------------------------------

// The profiler merges a plane of the host's name here into its own plane of host threads, line by line (it is the name that
// another plugin's runtime has); planes of devices it does not know are shown when they are called CUSTOM.
static void put_plane_name(wire *to, const plane *p) {
  char name[64] = "/host:TPU-runtime";
  if (p->device >= 0) {
    snprintf(name, sizeof name, "/device:CUSTOM:millrace:%d", p->device);
  }
  put_bytes(to, 2, name, strlen(name));
}

static void put_plane(wire *to, const plane *p) {
  wire message = {0};
  put_number(&message, 1, (uint64_t)((int64_t)p->device + 1));
  put_plane_name(&message, p);
  for (const line *l = p->lines; l; l = l->next) {
    wire whole = {0};
    whole.failed = l->head.failed || l->events.failed || !reserve(&whole, l->head.size + l->events.size);
    if (!whole.failed) {
      memcpy(whole.data, l->head.data, l->head.size);
      whole.size = l->head.size;
      if (l->events.size) {  // none when memory was short for the first one's name
        memcpy(whole.data + whole.size, l->events.data, l->events.size);
        whole.size += l->events.size;
      }
    }
    put_message(&message, 3, &whole);
    mr_free(whole.data);
  }
  for (uint32_t i = 0; i < p->names.count; i++) {
    put_named(&message, 4, i + 1, p->names.entries[i].name);
  }
  put_named(&message, 5, CATEGORY_STAT, MR_STR("category"));
  for (size_t i = 0; i < MR_ARRAY_SIZE(category_names); i++) {
    put_named(&message, 5, FIRST_CATEGORY + i, mr_str_of(category_names[i]));
  }
  for (size_t i = 0; i < OP_STATS; i++) {
    put_named(&message, 5, FIRST_OP_STAT + i, mr_str_of(op_stat_names[i]));
  }
  for (uint32_t i = 0; i < p->texts.count; i++) {
    put_named(&message, 5, FIRST_TEXT + i + 1, p->texts.entries[i].name);
  }
  put_message(to, 1, &message);
  mr_free(message.data);
}

static void release_plane(plane *p) {
  while (p->lines) {
    line *next = p->lines->next;
    mr_free(p->lines->head.data);
    mr_free(p->lines->events.data);
    mr_free(p->lines);
    p->lines = next;
  }
  release_numbering(&p->names);
  release_numbering(&p->texts);
  mr_free(p);
}

mr_status mr_pjrt_xspace_serialize(const mr_trace_session *session, const mr_pjrt_xspace_options *options,
                                   char **out_bytes, size_t *out_size) {
  writer w = {.session = session, .options = *options};
  mr_trace_session_visit(session, add_event, &w);
  mr_free(w.message.data);
  wire space = {.failed = w.failed || w.message.failed};
  while (w.planes) {
    plane *next = w.planes->next;
    put_plane(&space, w.planes);
    release_plane(w.planes);
    w.planes = next;
  }
  if (space.failed || !reserve(&space, 1)) {
    mr_free(space.data);
    return MR_NO_MEMORY();
  }
  *out_bytes = (char *)space.data;
  *out_size = space.size;
  return MR_OK;
}
