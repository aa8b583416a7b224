// Writes an XSpace by hand: a trace has hundreds of thousands of events, each of some ten bytes on the wire, and protobuf-c
// would make an object with an allocation or three of each.
//
//   XSpace: planes 1.   XPlane: id 1, name 2, lines 3, event metadata 4, stat metadata 5 (maps: key 1, value 2).
//   XLine: id 1, name 2, timestamp in ns 3, events 4.   XEvent: metadata 1, offset in ps 2, duration in ps 3, stats 4.
//   XStat: metadata 1, reference to a stat metadata's name 7.   Metadata of either kind: id 1, name 2.
#include "pjrt/proto/xspace.h"

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

enum { NAME_ROOM = 32, FIRST_TABLE = 64 };
typedef struct event_name {
  char text[NAME_ROOM];
  size_t size;
} event_name;

typedef struct plane {
  int device;  // -1: the host's
  line *lines;
  event_name *names;  // metadata i + 1
  uint32_t name_count, name_capacity;
  uint32_t *table;  // open addressing: 0 or a metadata id
  uint32_t table_size;
  struct plane *next;
} plane;

typedef struct writer {
  const mr_trace_session *session;
  mr_pjrt_xspace_options options;
  plane *planes;
  plane *last_plane;  // of the previous event, and its line: events come thread by thread
  line *last_line;
  bool failed;
} writer;

// Every category is a stat metadata whose name events refer to.
enum { CATEGORY_STAT = 1, FIRST_CATEGORY = 2 };
static const char *const category_names[] = {[MR_TRACE_NODE] = "node",
                                             [MR_TRACE_STEP] = "step",
                                             [MR_TRACE_TRANSFER] = "transfer",
                                             [MR_TRACE_COMPILE] = "compile",
                                             [MR_TRACE_WORKER] = "worker"};

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

static uint32_t *find_slot(const plane *p, mr_str name) {
  uint32_t at = (uint32_t)mr_hash64(name.data, name.size, 0) & (p->table_size - 1);
  while (p->table[at]) {
    const event_name *known = &p->names[p->table[at] - 1];
    if (known->size == name.size && memcmp(known->text, name.data, name.size) == 0) {
      break;
    }
    at = (at + 1) & (p->table_size - 1);
  }
  return &p->table[at];
}

// Twice the room for names; the table stays at most half full.
static bool grow_names(plane *p) {
  uint32_t capacity = p->name_capacity ? 2 * p->name_capacity : FIRST_TABLE;
  event_name *names = mr_realloc(p->names, capacity * sizeof *names);
  if (names == NULL) {
    return false;
  }
  p->names = names;
  uint32_t *table = mr_alloc_zeroed(2 * (size_t)capacity, sizeof *table);
  if (table == NULL) {
    return false;
  }
  mr_free(p->table);
  p->table = table;
  p->table_size = 2 * capacity;
  p->name_capacity = capacity;
  for (uint32_t i = 0; i < p->name_count; i++) {
    *find_slot(p, (mr_str){names[i].text, names[i].size}) = i + 1;
  }
  return true;
}

// The name's metadata id, 0 when memory is short.
static uint32_t id_of_name(plane *p, mr_str name) {
  if (p->name_count == p->name_capacity && !grow_names(p)) {
    return 0;
  }
  name.size = MR_MIN(name.size, (size_t)NAME_ROOM);
  uint32_t *slot = find_slot(p, name);
  if (*slot == 0) {
    event_name *entry = &p->names[p->name_count++];
    memcpy(entry->text, name.data, name.size);
    entry->size = name.size;
    *slot = p->name_count;
  }
  return *slot;
}

static void write_event(line *l, uint32_t name, const mr_trace_event *event) {
  uint8_t stat_bytes[8], event_bytes[64];
  wire stat = {.data = stat_bytes, .capacity = sizeof stat_bytes};
  wire message = {.data = event_bytes, .capacity = sizeof event_bytes};
  // The categories' ids are of one byte; reserve() would otherwise grow what is on the stack.
  stat.data[stat.size++] = 1 << 3;
  stat.data[stat.size++] = CATEGORY_STAT;
  stat.data[stat.size++] = 7 << 3;
  stat.data[stat.size++] = (uint8_t)(FIRST_CATEGORY + event->category);
  put_number(&message, 1, name);
  put_number(&message, 2, event->offset_ps);
  put_number(&message, 3, event->duration_ps);
  put_message(&message, 4, &stat);
  put_message(&l->events, 4, &message);
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
  uint32_t name = l ? id_of_name(p, event->name) : 0;
  if (name == 0) {
    w->failed = true;
    return;
  }
  w->last_plane = p;
  w->last_line = l;
  write_event(l, name, event);
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
  for (uint32_t i = 0; i < p->name_count; i++) {
    put_named(&message, 4, i + 1, (mr_str){p->names[i].text, p->names[i].size});
  }
  put_named(&message, 5, CATEGORY_STAT, MR_STR("category"));
  for (size_t i = 0; i < MR_ARRAY_SIZE(category_names); i++) {
    put_named(&message, 5, FIRST_CATEGORY + i, mr_str_of(category_names[i]));
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
  mr_free(p->names);
  mr_free(p->table);
  mr_free(p);
}

mr_status mr_pjrt_xspace_serialize(const mr_trace_session *session, const mr_pjrt_xspace_options *options,
                                   char **out_bytes, size_t *out_size) {
  writer w = {.session = session, .options = *options};
  mr_trace_session_visit(session, add_event, &w);
  wire space = {.failed = w.failed};
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
