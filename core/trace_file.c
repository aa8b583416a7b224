// The file that a trace becomes: trace events as Perfetto and chrome://tracing read them.
//
// Each thread has a row in the process's group. Each device has a group of its own, which shows once more what was done for it, on
// whichever thread: in one row as long as that was one thing at a time, and in as many as there were things at once.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "core/trace_ring.h"

// Microseconds since the start, as the format has it. The clock's rate is what it was over the whole trace.
typedef struct scale {
  FILE *file;
  int process;
  uint64_t origin;
  double us_per_tick;
} scale;

static double us(const scale *s, uint64_t ticks) {
  return ticks > s->origin ? (double)(ticks - s->origin) * s->us_per_tick : 0;
}

static void write_name(FILE *file, const char *name, size_t size) {
  for (size_t i = 0; i < size && name[i]; i++) {
    unsigned char c = (unsigned char)name[i];
    if (c == '"' || c == '\\') {
      fprintf(file, "\\%c", c);
    } else {
      fputc(c < ' ' || c > '~' ? '?' : c, file);
    }
  }
}

// A member of the args: what comes before it, `{` or `,`, is *inout_mark.
static void write_key(FILE *file, char *inout_mark, const char *key) {
  fprintf(file, "%c\"%s\":", *inout_mark, key);
  *inout_mark = ',';
}

static void write_number(FILE *file, char *inout_mark, const char *key, int64_t number) {
  write_key(file, inout_mark, key);
  fprintf(file, "%" PRId64, number);
}

static void write_text(FILE *file, char *inout_mark, const char *key, const char *text) {
  if (text) {
    write_key(file, inout_mark, key);
    fputc('"', file);
    write_name(file, text, strlen(text));
    fputc('"', file);
  }
}

// What a node is, besides its name.
static void write_about(FILE *file, char *inout_mark, const record *at) {
  static const char *const kinds[] = {
#define KIND(name, spelling) spelling,
#include "core/kinds.def"
  };
  if (at->kind || at->count) {
    write_text(file, inout_mark, "kind", at->kind < MR_ARRAY_SIZE(kinds) ? kinds[at->kind] : "unknown");
  }
  if (at->device >= 0) {  // of what several run together, a device's part
    write_number(file, inout_mark, "device", at->device);
  }
  if (at->cost_ns) {
    write_number(file, inout_mark, "cost_ns", at->cost_ns);
  }
  if (at->priority) {
    write_number(file, inout_mark, "priority", at->priority);
  }
  if (at->count) {
    write_number(file, inout_mark, at->category == MR_TRACE_WORKER ? "pieces" : "nodes", at->count);
  }
  if (at->was_brief) {
    write_text(file, inout_mark, "duration", "of an earlier call");
  }
}

// The names are those of XLA's profiles.
static void write_op(FILE *file, char *inout_mark, const mr_trace_op *op, uint64_t run) {
  write_text(file, inout_mark, "hlo_op", op->op);
  write_text(file, inout_mark, "hlo_module", op->program->module);
  write_number(file, inout_mark, "program_id", (int64_t)op->program->id);
  if (run) {
    write_number(file, inout_mark, "run_id", (int64_t)run);
  }
  write_text(file, inout_mark, "tf_op", op->path);
  write_text(file, inout_mark, "source", op->source);
}

static void write_args(FILE *file, const record *at) {
  char mark = '{';
  if (!at->kind && !at->count && at->device < 0 && !at->has_op) {
    return;
  }
  fputs(",\"args\":", file);
  write_about(file, &mark, at);
  if (at->has_op) {
    write_op(file, &mark, at->op, at->run);
  }
  fputc('}', file);
}

// A row of a viewer.
typedef struct place {
  long process, thread;
} place;

static void write_span(const scale *s, const ring *r, place row, const char *category, const record *at) {
  double start = us(s, at->start);
  char room[MR_TRACE_NAME];
  mr_str name = mr_trace_record_name(r, at, room);
  fputs(",\n{\"ph\":\"X\",\"name\":\"", s->file);
  write_name(s->file, name.data, name.size);
  fprintf(s->file, "\",\"cat\":\"%s\",\"pid\":%ld,\"tid\":%ld,\"ts\":%.3f,\"dur\":%.3f", category, row.process,
          row.thread, start, us(s, at->start + at->ticks) - start);
  write_args(s->file, at);
  fputc('}', s->file);
}

static void write_record(const scale *s, const ring *r, place row, const record *at) {
  static const char *const categories[] = {[MR_TRACE_NODE] = "node",
                                           [MR_TRACE_STEP] = "step",
                                           [MR_TRACE_TRANSFER] = "transfer",
                                           [MR_TRACE_COMPILE] = "compile",
                                           [MR_TRACE_WORKER] = "worker"};
  if (at->category != FLOW_OUT) {
    write_span(s, r, row, at->category < MR_ARRAY_SIZE(categories) ? categories[at->category] : "other", at);
    if (!at->flow) {
      return;
    }
  }
  fprintf(s->file,
          ",\n{%s,\"cat\":\"flow\",\"name\":\"then\",\"id\":\"%" PRIx64 "\",\"pid\":%ld,\"tid\":%ld,\"ts\":%.3f}",
          at->category == FLOW_OUT ? "\"ph\":\"s\"" : "\"ph\":\"f\",\"bp\":\"e\"", (uint64_t)at->flow, row.process,
          row.thread, us(s, at->start));
}

static void write_row_name(const scale *s, const char *what, place row, const char *name, size_t size) {
  fprintf(s->file, ",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%ld,\"tid\":%ld,\"args\":{\"name\":\"", what, row.process,
          row.thread);
  write_name(s->file, name, size);
  fputs("\"}}", s->file);
}

static void write_ring(const scale *s, const ring *r) {
  const place row = {s->process, r->thread};
  uint64_t first, count;
  ring_range(r, &first, &count);
  write_row_name(s, "thread_name", row, r->thread_name, sizeof r->thread_name);
  for (uint64_t i = first; i < count; i++) {
    const record *at = &r->records[i % RING_RECORDS];
    // What was recorded before this trace began stays in the ring.
    if (at->start >= s->origin) {
      write_record(s, r, row, at);
    }
  }
}

// ---- Devices --------------------------------------------------------------------------------------------------------

// Rows of a device; what does not find room in these lies across what is in the last one. Numbers of groups and of rows are above all
// that a system gives to processes, threads, or trace.c to tracks.
enum { MAX_ROWS = 512 };
static const long FIRST_GROUP = 1L << 22, FIRST_ROW = 1L << 24;

static _Atomic(const char *) device_kinds[MR_TRACE_DEVICES];

void mr_trace_device_is(int device, const char *kind) {
  if (device >= 0 && device < MR_TRACE_DEVICES) {
    // relaxed: a literal, whose bytes need no publishing.
    atomic_store_explicit(&device_kinds[device], kind, memory_order_relaxed);
  }
}

// A span of a device's; or what one thread did for it without a gap, a span with all that lies within.
typedef struct device_span {
  uint64_t start, end;
  const ring *thread;
  const record *at;
  size_t first, count;  // of the spans in it
} device_span;

static bool is_of_device(const scale *s, const record *at) {
  bool is_work = at->category == MR_TRACE_NODE || at->category == MR_TRACE_STEP || at->category == MR_TRACE_TRANSFER;
  return is_work && at->device >= 0 && at->start >= s->origin;
}

// How many there are; the first `room` of them.
static size_t list_spans(const scale *s, const ring *rings, size_t room, device_span *out_spans) {
  size_t listed = 0;
  for (const ring *r = rings; r; r = r->next) {
    uint64_t first, count;
    ring_range(r, &first, &count);
    for (uint64_t i = first; i < count; i++) {
      const record *at = &r->records[i % RING_RECORDS];
      if (!is_of_device(s, at)) {
        continue;
      }
      if (listed < room) {
        out_spans[listed] = (device_span){.start = at->start, .end = at->start + at->ticks, .thread = r, .at = at};
      }
      listed++;
    }
  }
  return listed;
}

// By device, thread and time, what is within another behind it.
static int compare_spans(const void *a, const void *b) {
  const device_span *x = a, *y = b;
  if (x->at->device != y->at->device) {
    return x->at->device < y->at->device ? -1 : 1;
  }
  if (x->thread != y->thread) {
    return x->thread->thread < y->thread->thread ? -1 : 1;
  }
  if (x->start != y->start) {
    return x->start < y->start ? -1 : 1;
  }
  return (x->end < y->end) - (x->end > y->end);
}

static int compare_starts(const void *a, const void *b) {
  const device_span *x = a, *y = b;
  return (x->start > y->start) - (x->start < y->start);
}

// The sorted spans of one device, each with what it lies in on its thread.
static size_t join_nested(const device_span *spans, size_t count, device_span *out_joined) {
  size_t joined = 0;
  for (size_t i = 0; i < count; i++) {
    device_span *last = joined ? &out_joined[joined - 1] : NULL;
    if (!last || last->thread != spans[i].thread || spans[i].start >= last->end) {
      out_joined[joined] = spans[i];
      last = &out_joined[joined++];
      last->first = i;
    }
    last->count++;
    last->end = MR_MAX(last->end, spans[i].end);
  }
  return joined;
}

static void write_device(const scale *s, const device_span *spans, size_t count, device_span *joined) {
  int device = (int)spans->at->device;
  const char *kind = atomic_load_explicit(&device_kinds[device], memory_order_relaxed);  // relaxed: as above
  char name[48];
  int size = snprintf(name, sizeof name, "%.24s %d", kind ? kind : "device", device);
  place row = {FIRST_GROUP + device, FIRST_ROW + (long)device * MAX_ROWS};
  write_row_name(s, "process_name", row, name, (size_t)size);
  // Below the threads, in order.
  fprintf(s->file, ",\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%ld,\"args\":{\"sort_index\":%d}}",
          row.process, device + 1);
  uint64_t ends[MAX_ROWS];
  uint32_t rows = 0;
  size_t num_joined = join_nested(spans, count, joined);
  qsort(joined, num_joined, sizeof *joined, compare_starts);
  for (size_t i = 0; i < num_joined; i++) {
    uint32_t at = 0;
    while (at < rows && ends[at] > joined[i].start) {
      at++;
    }
    at = MR_MIN(at, (uint32_t)MAX_ROWS - 1);
    const place here = {row.process, row.thread + at};
    if (at == rows) {
      rows++;
      write_row_name(s, "thread_name", here, name, (size_t)size);
    }
    ends[at] = joined[i].end;
    for (size_t k = 0; k < joined[i].count; k++) {
      const device_span *span = &spans[joined[i].first + k];
      write_span(s, span->thread, here, "device", span->at);
    }
  }
}

static mr_status write_devices(const scale *s, const ring *rings) {
  size_t count = list_spans(s, rings, 0, NULL);
  device_span *spans = mr_alloc((2 * count + 1) * sizeof *spans);
  if (!spans) {
    return MR_NO_MEMORY();
  }
  // A thread that was late may have added one.
  count = MR_MIN(count, list_spans(s, rings, count, spans));
  if (count) {
    qsort(spans, count, sizeof *spans, compare_spans);
  }
  for (size_t i = 0, end; i < count; i = end) {
    end = i + 1;
    while (end < count && spans[end].at->device == spans[i].at->device) {
      end++;
    }
    write_device(s, spans + i, end - i, spans + count);
  }
  mr_free(spans);
  return MR_OK;
}

// ---- All ------------------------------------------------------------------------------------------------------------

mr_status mr_trace_write(FILE *file, const mr_trace_origin *origin, const ring *rings) {
  uint64_t ticks = mr_trace_now() - origin->ticks, ns = mr_now_ns() - origin->ns;
  scale s = {.file = file,
             .process = (int)origin->process,
             .origin = origin->ticks,
             .us_per_tick = ticks ? (double)ns / 1e3 / (double)ticks : 1e-3};
  char command[16] = "";
  prctl(PR_GET_NAME, command);
  fprintf(file,
          "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
          "\"args\":{\"name\":\"",
          s.process);
  write_name(file, command, sizeof command);
  fputs("\"}}", file);
  for (const ring *r = rings; r; r = r->next) {
    write_ring(&s, r);
  }
  mr_status status = write_devices(&s, rings);
  fputs("\n]}\n", file);
  return status;
}
