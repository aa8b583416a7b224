// A version's queues, and what is taken from them: which requests become one batch, and of which size.
//
// Requests stand in levels of priority, first come first served in each. What is taken is a run from the front whose sizes agree and whose rows fit; it
// ends where a request does not fit, so that nobody is passed by. Of the runs that end at each request, and the batch sizes that there are programs for,
// the one is taken that does most rows in its time: a half-filled batch is padded when that is cheaper than two executions, and not when it is not.
#include <math.h>
#include <string.h>
#include <sys/timerfd.h>

#include "serve/batch/internal.h"

enum { MOST_BUCKETS = 64 };

void sv_queue_add(sv_version *version, sv_member *member, uint32_t level) {
  sv_queue *queue = &version->levels[level];
  member->level = level;
  member->next = NULL;
  member->previous = queue->last;
  *(queue->last ? &queue->last->next : &queue->first) = member;
  queue->last = member;
  version->pending++;
  version->rows_pending += member->rows;
}

void sv_queue_remove(sv_version *version, sv_member *member) {
  sv_queue *queue = &version->levels[member->level];
  *(member->previous ? &member->previous->next : &queue->first) = member->next;
  *(member->next ? &member->next->previous : &queue->last) = member->previous;
  member->next = member->previous = NULL;
  version->pending--;
  version->rows_pending -= member->rows;
}

static sv_member *first_from(const sv_version *version, uint32_t level) {
  for (; level < SV_MAX_PRIORITIES + 2; level++) {
    if (version->levels[level].first) {
      return version->levels[level].first;
    }
  }
  return NULL;
}

static sv_member *after(const sv_version *version, const sv_member *member) {
  return member->next ? member->next : first_from(version, member->level + 1);
}

// So many requests from the front, with so many rows, in a batch of this size.
typedef struct choice {
  sv_bucket *bucket;
  uint32_t members, rows;
} choice;

// What the front of the queue offers.
typedef struct offer {
  sv_sizes *sizes;
  choice best[MOST_BUCKETS];  // by bucket: the longest run that fits
  choice preferred;           // the longest whose rows are a preferred size; bucket is not set
  bool is_full;               // nothing that comes later could join
} offer;

static bool is_preferred(const sv_config *config, uint32_t rows) {
  for (uint32_t i = 0; i < config->num_preferred; i++) {
    if (config->preferred[i] == rows) {
      return true;
    }
  }
  return false;
}

static void look(const sv_version *version, offer *out) {
  const sv_member *member = first_from(version, 1);
  const uint32_t most = version->signature.max_batch_size;
  *out = (offer){.sizes = member->sizes};
  uint32_t rows = 0, members = 0;
  for (; member; member = after(version, member)) {
    if (members && (!version->joins || member->sizes != out->sizes || rows + member->rows > most)) {
      break;
    }
    rows += member->rows;
    members++;
    for (uint32_t b = 0; b < out->sizes->num_buckets; b++) {
      sv_bucket *bucket = &out->sizes->buckets[b];
      if (bucket->rows >= rows) {
        out->best[b] = (choice){bucket, members, rows};
      }
    }
    if (is_preferred(version->config, rows)) {
      out->preferred = (choice){.members = members, .rows = rows};
    }
  }
  out->is_full = member || rows == most || !version->joins;
}

// What a batch of this size takes, on cores that another execution uses too (`beside`) or does not.
static double time_of(const sv_bucket *bucket, bool beside) {
  return (double)(beside && bucket->beside_ns ? bucket->beside_ns : bucket->ns);
}

// Of the sizes that are ready; none: bucket is NULL.
//
// Times have been measured on a machine that may have had something else to do. A batch is taken to need no longer for a row than smaller ones do, so
// that a time that was too long does little harm. Where a larger batch hardly does more in its time, a smaller one is taken: its requests are answered
// sooner, and the others no later.
static choice choose(const offer *front, bool beside) {
  choice best = {0};
  double best_speed = -1, row_ns = INFINITY;
  for (uint32_t b = 0; b < front->sizes->num_buckets; b++) {
    const sv_bucket *bucket = &front->sizes->buckets[b];
    choice c = front->best[b];
    if (bucket->state != SV_BUCKET_READY) {
      continue;
    }
    const double rows = bucket->rows ? bucket->rows : 1;
    row_ns = fmin(row_ns, time_of(bucket, beside) / rows);
    if (!c.bucket) {
      continue;
    }
    if (front->preferred.members && c.rows >= front->preferred.rows) {
      return (choice){c.bucket, front->preferred.members, front->preferred.rows};
    }
    double speed = (double)(c.rows ? c.rows : 1) / (row_ns * rows);
    if (speed * SV_WORTHWHILE > best_speed) {
      best = c;
      best_speed = speed;
    }
  }
  return best;
}

// True: it is worth waiting for more, and the timer is set.
static bool waits_for_more(sv_version *version, const offer *front) {
  const uint64_t delay = version->config->max_delay_us * 1000;
  if (!delay || version->timer_fd < 0 || front->is_full || front->preferred.members) {
    return false;
  }
  uint64_t due = first_from(version, 1)->submit_ns + delay, now = sv_now_ns();
  if (due <= now) {
    return false;
  }
  if (version->armed_ns != due) {
    struct itimerspec at = {.it_value = {.tv_sec = (time_t)(due / 1000000000u), .tv_nsec = (long)(due % 1000000000u)}};
    timerfd_settime(version->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
    version->armed_ns = due;
  }
  return true;
}

// What one look at the queues led to; one of the first three, or nothing.
typedef struct outcome {
  sv_batch *batch;
  sv_bucket *prepare;  // is to be compiled
  sv_member *failed;   // was taken out, and is never executed
  sv_error *error;     // of `failed`; owned
  bool unused_turn;
} outcome;

static void fail_first(sv_version *version, const sv_error *why, outcome *out) {
  sv_member *first = first_from(version, 1);
  sv_queue_remove(version, first);
  first->state = SV_REQUEST_DONE;
  out->failed = first;
  out->error = why ? sv_error_copy(why) : sv_no_memory();
  sv_statistics_add_failure(&version->statistics, sv_error_code(out->error), sv_now_ns() - first->submit_ns);
}

// No size that is ready holds the first request: one that does is compiled, unless that has failed already.
static void compile_or_fail(sv_version *version, const offer *front, outcome *out) {
  const sv_error *why = NULL;
  for (uint32_t b = 0; b < front->sizes->num_buckets; b++) {
    sv_bucket *bucket = &front->sizes->buckets[b];
    if (!front->best[b].bucket) {
      continue;
    }
    if (bucket->state == SV_BUCKET_EMPTY) {
      bucket->state = SV_BUCKET_COMPILING;
      out->prepare = bucket;
    }
    if (bucket->state == SV_BUCKET_COMPILING) {
      return;
    }
    why = bucket->error;
  }
  fail_first(version, why, out);
}

static bool may_run(sv_version *version, const sv_bucket *bucket, bool *out_here) {
  *out_here = bucket->ns < SV_INLINE_NS && !bucket->is_unbounded;
  if (version->config->preserve_ordering && version->running_here + version->running) {
    return false;
  }
  if (*out_here) {
    return version->running_here < sv_engine_cores(version->engine);
  }
  return version->running < version->config->instances && sv_engine_take_turn(version->engine, version);
}

static void take(sv_version *version, const choice *chosen, sv_batch *batch) {
  sv_member **last = &batch->members;
  for (uint32_t i = 0; i < chosen->members; i++) {
    sv_member *member = first_from(version, 1);
    sv_queue_remove(version, member);
    member->state = SV_REQUEST_TAKEN;
    *last = member;
    last = &member->next;
  }
  batch->num_members = chosen->members;
  batch->rows = chosen->rows;
}

// With the lock.
static outcome pick(sv_version *version) {
  outcome out = {0};
  if (!version->pending) {
    version->lonely += version->running == 1;
    return out;
  }
  offer front;
  look(version, &front);
  choice chosen = choose(&front, version->running > 0);
  bool here;
  if (!chosen.bucket) {
    compile_or_fail(version, &front, &out);
    return out;
  }
  if (waits_for_more(version, &front) || !may_run(version, chosen.bucket, &here)) {
    return out;
  }
  out.batch = sv_batch_take(chosen.bucket);
  if (!out.batch) {
    fail_first(version, NULL, &out);
    out.unused_turn = !here;
    return out;
  }
  take(version, &chosen, out.batch);
  out.batch->here = here;
  out.batch->beside = version->running > 0;
  out.batch->lonely_then = version->lonely;
  version->running += !here;
  version->running_here += here;
  return out;
}

void sv_version_dispatch(sv_version *version) {
  for (;;) {
    pthread_mutex_lock(&version->lock);
    outcome out = pick(version);
    pthread_mutex_unlock(&version->lock);
    if (out.unused_turn) {
      sv_engine_end_turn(version->engine, version, 0);
    }
    if (out.batch) {
      sv_batch_run(out.batch);
    } else if (out.prepare) {
      sv_bucket_prepare_later(out.prepare);
    } else if (out.failed) {
      sv_member_done(out.failed, out.error, true);
      sv_version_look_drained(version);
    } else {
      return;
    }
  }
}
