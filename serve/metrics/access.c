// The access log. Whoever finished a request formats its line on the stack and appends it to one of two buffers of fixed size; the
// writer's thread takes the full one and leaves the empty one, under a lock that covers no more than the copy of a line.
#include "serve/metrics/access.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "serve/json/json.h"

// Each of the two: some 1,500 lines.
static const size_t BUFFER_SIZE = 512 * 1024;
// How long the writer collects lines after the first one: one wake-up and one write serve all of them, so that a line costs its request no
// system call in most cases.
static const uint64_t COLLECT_NS = 10 * 1000 * 1000;
// What closing waits for a pipe that nobody reads.
static const uint64_t CLOSE_WAIT_NS = 2ull * 1000 * 1000 * 1000;
static const uint64_t POLL_MS = 100;

struct sv_access_log {
  char *path;  // NULL: standard error
  uint32_t sample;
  _Atomic(uint64_t) turn;  // counts requests for sampling; relaxed, nothing hangs on it
  pthread_t thread;
  pthread_mutex_t lock;  // of what follows
  pthread_cond_t changed;
  char *filling;  // lines come here
  size_t used;
  uint64_t dropped;  // since the last line that was written
  bool closing, reopening;
  // The writer's alone.
  char *writing;
  int descriptor;
  bool is_file;
  uint64_t give_up_ns;  // 0: not closing
};

// ---- A line ---------------------------------------------------------------------------------------------------------

// Texts are cut, so that a line has a fixed most: 6 bytes for each of theirs (a control character is written \u001f).
enum { MOST_SHORT = 64, MOST_NAME = 256, MOST_PATH = 1024 };
enum { MOST_TEXTS = 3 * MOST_SHORT + 3 * MOST_NAME + MOST_PATH, LINE_SIZE = 6 * MOST_TEXTS + 1024 };

// Keys are literals, so that their sizes are known: ADD(line, ",\"model\":").
#define ADD(line, literal) sv_text_add(line, "" literal, sizeof(literal) - 1)
#define PUT_TEXT(line, key, text, most) put_text(line, SV_STR(",\"" key "\":"), text, most)
#define PUT_NUMBER(line, key, number) put_number(line, SV_STR(",\"" key "\":"), number)

// Nothing for an empty text.
static void put_text(sv_text *line, sv_str key, sv_str text, size_t most) {
  if (text.size > most) {
    text.size = most;
    while (text.size && ((unsigned char)text.data[text.size] & 0xc0) == 0x80) {  // not through a character
      text.size--;
    }
  }
  if (text.size) {
    sv_text_add_str(line, key);
    sv_json_put_string(line, text);
  }
}

static void put_number(sv_text *line, sv_str key, uint64_t number) {
  sv_text_add_str(line, key);
  sv_text_add_uint(line, number);
}

// The calendar takes longer than the rest of a line: a thread keeps the text of its last second and writes the milliseconds into it.
static void put_time(sv_text *line) {
  static _Thread_local uint64_t last_second = UINT64_MAX;
  static _Thread_local char text[25];
  enum { MILLISECONDS = 20 };  // where they are in "2026-11-30T21:20:00.123Z"
  uint64_t wall_ms = sv_wall_ms();
  if (wall_ms / 1000 != last_second) {
    last_second = wall_ms / 1000;
    sv_wall_text(wall_ms, text);
  }
  unsigned rest = (unsigned)(wall_ms % 1000);
  text[MILLISECONDS] = (char)('0' + rest / 100);
  text[MILLISECONDS + 1] = (char)('0' + rest / 10 % 10);
  text[MILLISECONDS + 2] = (char)('0' + rest % 10);
  ADD(line, "{\"time\":\"");
  sv_text_add(line, text, sizeof text - 1);
  ADD(line, "\"");
}

static void put_line(sv_text *line, const sv_access *access) {
  put_time(line);
  PUT_TEXT(line, "remote", access->remote, MOST_SHORT);
  PUT_TEXT(line, "protocol", access->protocol, MOST_SHORT);
  PUT_TEXT(line, "method", access->method, MOST_SHORT);
  PUT_TEXT(line, "path", access->path, MOST_PATH);
  ADD(line, ",\"status\":");
  sv_text_add_int(line, access->status);
  PUT_NUMBER(line, "bytes_in", access->bytes_in);
  PUT_NUMBER(line, "bytes_out", access->bytes_out);
  PUT_TEXT(line, "model", access->model, MOST_NAME);
  if (access->version) {
    PUT_NUMBER(line, "version", access->version);
  }
  PUT_TEXT(line, "request_id", access->request_id, MOST_NAME);
  if (access->batch_size) {
    PUT_NUMBER(line, "batch_size", access->batch_size);
    PUT_NUMBER(line, "queue_us", access->queue_us);
    PUT_NUMBER(line, "compute_us", access->compute_us);
  }
  PUT_NUMBER(line, "total_us", access->total_us);
  PUT_TEXT(line, "trace_id", sv_str_of(access->trace_id), MOST_SHORT);
  PUT_TEXT(line, "span_id", sv_str_of(access->span_id), MOST_SHORT);
  PUT_TEXT(line, "user_agent", access->user_agent, MOST_NAME);
  ADD(line, "}\n");
}

static bool is_failure(const sv_access *access) {
  if (!sv_str_begins(access->protocol, "grpc")) {
    return access->status >= 500;
  }
  switch (access->status) {  // what REST would answer with 500 and more
  case MILLRACE_UNKNOWN:
  case MILLRACE_DEADLINE_EXCEEDED:
  case MILLRACE_UNIMPLEMENTED:
  case MILLRACE_INTERNAL:
  case MILLRACE_UNAVAILABLE:
  case MILLRACE_DATA_LOSS: return true;
  default: return false;
  }
}

// Under the lock. True: the writer sleeps and is to be woken, or should hurry.
static bool append(sv_access_log *log, sv_str line) {
  sv_str rest = line;
  char head[40];
  size_t head_size = 0;
  if (log->dropped) {  // in front of the line's members
    head_size = (size_t)snprintf(head, sizeof head, "{\"dropped\":%llu,", (unsigned long long)log->dropped);
    rest.data++;
    rest.size--;
  }
  if (head_size + rest.size > BUFFER_SIZE - log->used) {
    log->dropped++;
    return false;
  }
  size_t before = log->used;
  memcpy(log->filling + log->used, head, head_size);
  memcpy(log->filling + log->used + head_size, rest.data, rest.size);
  log->used += head_size + rest.size;
  log->dropped = 0;
  return before == 0 || (before < BUFFER_SIZE / 2 && log->used >= BUFFER_SIZE / 2);
}

void sv_access_write(sv_access_log *log, const sv_access *access) {
  if (!log) {
    return;
  }
  uint64_t turn = log->sample > 1 ? atomic_fetch_add_explicit(&log->turn, 1, memory_order_relaxed) : 0;
  if (log->sample > 1 && turn % log->sample && !is_failure(access)) {
    return;
  }
  char buffer[LINE_SIZE];
  sv_text line = {.data = buffer, .capacity = sizeof buffer};  // never grows: LINE_SIZE is the most
  put_line(&line, access);
  pthread_mutex_lock(&log->lock);
  bool wake = append(log, sv_text_str(&line));
  pthread_mutex_unlock(&log->lock);
  if (wake) {
    pthread_cond_signal(&log->changed);
  }
}

// ---- The writer -----------------------------------------------------------------------------------------------------

static uint64_t count_lines(const char *from, size_t size) {
  uint64_t lines = 0;
  for (const char *end = from + size; (from = memchr(from, '\n', (size_t)(end - from))); from++) {
    lines++;
  }
  return lines;
}

// Nothing could be written. True: the log is being closed, and has waited long enough.
static bool gives_up(sv_access_log *log, bool was_ready) {
  if (was_ready) {  // and yet had no room for a piece
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  pthread_mutex_lock(&log->lock);
  if (log->closing && !log->give_up_ns) {
    log->give_up_ns = sv_now_ns() + CLOSE_WAIT_NS;
  }
  pthread_mutex_unlock(&log->lock);
  return log->give_up_ns && sv_now_ns() > log->give_up_ns;
}

// Returns how much was written: all, or less after an error or when a pipe stays full at the end.
static size_t write_out(sv_access_log *log, const char *from, size_t size) {
  // A pipe that is ready takes as much without blocking.
  static const size_t PIECE = 4096;
  size_t done = 0;
  while (done < size) {
    struct pollfd wait = {.fd = log->descriptor, .events = POLLOUT};
    int ready = log->is_file ? 1 : poll(&wait, 1, (int)POLL_MS);
    size_t piece = log->is_file || size - done < PIECE ? size - done : PIECE;
    ssize_t written = ready > 0 ? write(log->descriptor, from + done, piece) : 0;
    if (written < 0 && errno != EINTR && errno != EAGAIN) {
      break;
    }
    if (written > 0) {
      done += (size_t)written;
    } else if (gives_up(log, ready > 0)) {
      break;
    }
  }
  return done;
}

static sv_error *open_file(const char *path, int *out_descriptor, bool *out_is_file) {
  // Not blocking: a FIFO without a reader is an error rather than a hang.
  int descriptor = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0640)
                        : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  struct stat found;
  if (descriptor < 0 || fstat(descriptor, &found) != 0) {
    return sv_errorf(errno == ENOENT   ? MILLRACE_NOT_FOUND
                     : errno == EACCES ? MILLRACE_PERMISSION_DENIED
                                       : MILLRACE_INVALID_ARGUMENT,
                     "access log '%s': %s", path ? path : "-", strerror(errno));
  }
  *out_descriptor = descriptor;
  *out_is_file = S_ISREG(found.st_mode);
  return NULL;
}

static void reopen(sv_access_log *log) {
  int descriptor;
  bool is_file;
  sv_error *error = log->path ? open_file(log->path, &descriptor, &is_file) : NULL;
  if (log->path && !error) {
    close(log->descriptor);
    log->descriptor = descriptor;
    log->is_file = is_file;
  }
  sv_error_free(error);  // then the old file goes on
}

static void wait_collecting(sv_access_log *log) {
  while (!log->used && !log->closing && !log->reopening) {
    pthread_cond_wait(&log->changed, &log->lock);
  }
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  uint64_t ns = (uint64_t)until.tv_nsec + COLLECT_NS;
  until.tv_sec += (time_t)(ns / 1000000000);
  until.tv_nsec = (long)(ns % 1000000000);
  int late = 0;
  while (!late && !log->closing && !log->reopening && log->used < BUFFER_SIZE / 2) {
    late = pthread_cond_timedwait(&log->changed, &log->lock, &until);
  }
}

// Lines that nothing followed: what was dropped is said in a line of its own.
static void append_dropped(sv_access_log *log) {
  char line[96], time[25];
  sv_wall_text(sv_wall_ms(), time);
  int size =
      snprintf(line, sizeof line, "{\"time\":\"%s\",\"dropped\":%llu}\n", time, (unsigned long long)log->dropped);
  log->dropped = 0;
  append(log, (sv_str){line, (size_t)size});
}

static void *write_lines(void *argument) {
  sv_access_log *log = argument;
  pthread_mutex_lock(&log->lock);
  for (bool last = false; !last;) {
    wait_collecting(log);
    last = log->closing;
    if (last && log->dropped) {
      append_dropped(log);
    }
    bool again = log->reopening;
    log->reopening = false;
    char *full = log->filling;
    size_t size = log->used;
    log->filling = log->writing;
    log->writing = full;
    log->used = 0;
    pthread_mutex_unlock(&log->lock);
    size_t done = write_out(log, full, size);  // what came before a reopening belongs to the old file
    if (again) {
      reopen(log);
    }
    pthread_mutex_lock(&log->lock);
    log->dropped += count_lines(full + done, size - done);
  }
  pthread_mutex_unlock(&log->lock);
  return NULL;
}

// ---- Opening, closing -----------------------------------------------------------------------------------------------

static void destroy(sv_access_log *log) {
  if (log->descriptor >= 0) {
    close(log->descriptor);
  }
  pthread_mutex_destroy(&log->lock);
  pthread_cond_destroy(&log->changed);
  free(log->filling);
  free(log->writing);
  free(log->path);
  free(log);
}

// Signals are for the loop that waits for them.
static sv_error *start(sv_access_log *log) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(&log->thread, NULL, write_lines, log);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failed) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "access log: no thread: %s", strerror(failed));
  }
  pthread_setname_np(log->thread, "sv-access");
  return NULL;
}

sv_error *sv_access_open(const char *path, uint32_t sample, sv_access_log **out_log) {
  *out_log = NULL;
  sv_access_log *log = calloc(1, sizeof *log);
  if (!log) {
    return sv_no_memory();
  }
  bool is_stderr = strcmp(path, "-") == 0;
  *log = (sv_access_log){.sample = sample ? sample : 1,
                         .descriptor = -1,
                         .path = is_stderr ? NULL : strdup(path),
                         .filling = malloc(BUFFER_SIZE),
                         .writing = malloc(BUFFER_SIZE)};
  pthread_mutex_init(&log->lock, NULL);
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&log->changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  sv_error *error = !log->filling || !log->writing || (!is_stderr && !log->path)
                        ? sv_no_memory()
                        : open_file(log->path, &log->descriptor, &log->is_file);
  if (!error) {
    error = start(log);
  }
  if (error) {
    destroy(log);
    return error;
  }
  *out_log = log;
  return NULL;
}

void sv_access_reopen(sv_access_log *log) {
  if (log) {
    pthread_mutex_lock(&log->lock);
    log->reopening = true;
    pthread_mutex_unlock(&log->lock);
    pthread_cond_signal(&log->changed);
  }
}

void sv_access_close(sv_access_log *log) {
  if (log) {
    pthread_mutex_lock(&log->lock);
    log->closing = true;
    pthread_mutex_unlock(&log->lock);
    pthread_cond_signal(&log->changed);
    pthread_join(log->thread, NULL);
    destroy(log);
  }
}
