// What a version counts. With its lock, if nothing else is said.
#include <string.h>

#include "serve/batch/internal.h"

static void add(sv_duration *duration, uint64_t count, uint64_t ns) {
  duration->count += count;
  duration->ns += ns;
}

// The bounds are 50 us times powers of two.
static void observe(sv_histogram *histogram, uint64_t ns) {
  uint32_t bucket = 0;
  for (uint64_t bound = 50000; bucket < SV_HISTOGRAM_BUCKETS - 1 && ns > bound; bound *= 2) {
    bucket++;
  }
  histogram->counts[bucket]++;
  histogram->sum_ns += ns;
}

void sv_statistics_add_failure(sv_statistics *statistics, millrace_code code, uint64_t ns) {
  add(&statistics->fail, 1, ns);
  switch (code) {
  case MILLRACE_CANCELLED: statistics->cancelled++; break;
  case MILLRACE_UNAVAILABLE:
  case MILLRACE_DEADLINE_EXCEEDED:
  case MILLRACE_RESOURCE_EXHAUSTED: statistics->rejected++; break;
  default: statistics->failed_otherwise++;
  }
}

// Of this number of rows; the last place has whatever there is no other place for.
static sv_batch_stats *batch_stats(sv_statistics *statistics, uint32_t rows) {
  uint32_t at = 0;
  while (at < statistics->num_batches && statistics->batches[at].rows < rows) {
    at++;
  }
  if (at < statistics->num_batches && statistics->batches[at].rows == rows) {
    return &statistics->batches[at];
  }
  if (statistics->num_batches == SV_BATCH_STATS) {
    return &statistics->batches[SV_BATCH_STATS - 1];
  }
  memmove(&statistics->batches[at + 1], &statistics->batches[at],
          (statistics->num_batches - at) * sizeof statistics->batches[0]);
  statistics->num_batches++;
  statistics->batches[at] = (sv_batch_stats){.rows = rows};
  return &statistics->batches[at];
}

void sv_statistics_add_batch(sv_version *version, const sv_batch *batch, uint64_t end_ns, bool failed) {
  sv_statistics *s = &version->statistics;
  const uint64_t input_ns = batch->ready_ns - batch->begin_ns, infer_ns = end_ns - batch->ready_ns;
  for (const sv_member *member = batch->members; member; member = member->next) {
    const uint64_t all_ns = end_ns - member->submit_ns;
    const uint64_t queue_ns = batch->begin_ns > member->submit_ns ? batch->begin_ns - member->submit_ns : 0;
    if (failed) {
      add(&s->fail, 1, all_ns);
      s->failed_execution++;
      continue;
    }
    add(&s->success, 1, all_ns);
    add(&s->queue, 1, queue_ns);
    add(&s->compute_input, 1, input_ns);
    add(&s->compute_infer, 1, infer_ns);
    add(&s->compute_output, 1, 0);
    observe(&s->latency, all_ns);
    observe(&s->queueing, queue_ns);
  }
  if (failed) {
    return;
  }
  const uint32_t rows = batch->rows ? batch->rows : 1;
  s->last_inference_ms = sv_wall_ms();
  s->inference_count += rows;
  s->execution_count++;
  observe(&s->executing, end_ns - batch->begin_ns);
  sv_batch_stats *of_size = batch_stats(s, rows);
  add(&of_size->compute_input, 1, input_ns);
  add(&of_size->compute_infer, 1, infer_ns);
  add(&of_size->compute_output, 1, 0);
}

void sv_statistics_add_ensemble(sv_version *version, uint32_t rows, uint64_t ns, uint64_t queue_ns,
                                uint64_t compute_ns) {
  sv_statistics *s = &version->statistics;
  add(&s->success, 1, ns);
  add(&s->queue, 1, queue_ns);
  add(&s->compute_input, 1, 0);
  add(&s->compute_infer, 1, compute_ns);
  add(&s->compute_output, 1, 0);
  observe(&s->latency, ns);
  observe(&s->queueing, queue_ns);
  observe(&s->executing, compute_ns);
  s->last_inference_ms = sv_wall_ms();
  s->inference_count += rows ? rows : 1;
  s->execution_count++;
}

// Any thread, without the lock, from here on.

void sv_version_statistics(sv_version *version, sv_statistics *out) {
  pthread_mutex_lock(&version->lock);
  *out = version->statistics;
  out->pending = version->pending;
  out->running = version->running + version->running_here;
  pthread_mutex_unlock(&version->lock);
}

void sv_version_count_failure(sv_version *version, millrace_code code, uint64_t ns) {
  pthread_mutex_lock(&version->lock);
  sv_statistics_add_failure(&version->statistics, code, ns);
  pthread_mutex_unlock(&version->lock);
}
