// The tasks that wait are in an array, in no order: there are few.
#include "devices/host/queue.h"

#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

typedef struct entry {
  mr_task *task;
  uint64_t due_ns;
} entry;

struct mr_late_queue {
  mr_executor executor;
  uint64_t least_ns, most_ns;
  pthread_mutex_t lock;  // for everything below
  pthread_cond_t changed;
  pthread_t thread;
  pid_t process;  // the one that the thread is of
  bool has_thread, stops;
  uint64_t random;
  entry *entries;
  size_t count, room;
};

static void init_condition(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);  // mr_now_ns()
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

static uint64_t next_random(mr_late_queue *queue) {  // xorshift
  queue->random ^= queue->random << 13;
  queue->random ^= queue->random >> 7;
  queue->random ^= queue->random << 17;
  return queue->random;
}

// The number of the entry that is due first.
static size_t first_due(const mr_late_queue *queue) {
  size_t first = 0;
  for (size_t i = 1; i < queue->count; i++) {
    first = queue->entries[i].due_ns < queue->entries[first].due_ns ? i : first;
  }
  return first;
}

// The next task, when it is time for it; NULL: the queue ends. With the lock.
static mr_task *take(mr_late_queue *queue) {
  while (!queue->stops) {
    if (!queue->count) {
      pthread_cond_wait(&queue->changed, &queue->lock);
      continue;
    }
    size_t first = first_due(queue);
    entry next = queue->entries[first];
    if (next.due_ns <= mr_now_ns()) {
      queue->entries[first] = queue->entries[--queue->count];
      return next.task;
    }
    struct timespec until = {(time_t)(next.due_ns / 1000000000), (long)(next.due_ns % 1000000000)};
    pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
  }
  return NULL;
}

static void *queue_main(void *arg) {
  mr_late_queue *queue = arg;
  pthread_mutex_lock(&queue->lock);
  for (mr_task *task; (task = take(queue)) != NULL;) {
    pthread_mutex_unlock(&queue->lock);
    task->run(task);
    pthread_mutex_lock(&queue->lock);
  }
  pthread_mutex_unlock(&queue->lock);
  return NULL;
}

// A process that was forked has no thread, and nobody waits: what was queued is run by both. With the lock.
static void notice_fork(mr_late_queue *queue) {
  if (queue->process != getpid()) {
    queue->process = getpid();
    queue->has_thread = false;
    init_condition(&queue->changed);
  }
}

// Puts the task where the thread finds it; false: there is no thread or no memory. With the lock.
static bool put(mr_late_queue *queue, mr_task *task) {
  if (queue->count == queue->room) {
    size_t room = queue->room ? 2 * queue->room : 64;
    entry *larger = mr_realloc(queue->entries, room * sizeof *larger);
    if (!larger) {
      return false;
    }
    queue->entries = larger;
    queue->room = room;
  }
  if (!queue->has_thread && pthread_create(&queue->thread, NULL, queue_main, queue)) {
    return false;
  }
  queue->has_thread = true;
  uint64_t range = queue->most_ns - queue->least_ns + 1;
  queue->entries[queue->count++] = (entry){task, mr_now_ns() + queue->least_ns + next_random(queue) % range};
  pthread_cond_signal(&queue->changed);
  return true;
}

static void queue_ready(mr_executor *executor, mr_task *task, int priority, bool follows) {
  (void)priority;
  (void)follows;
  mr_late_queue *queue = MR_CONTAINER_OF(executor, mr_late_queue, executor);
  pthread_mutex_lock(&queue->lock);
  notice_fork(queue);
  bool queued = put(queue, task);
  pthread_mutex_unlock(&queue->lock);
  if (!queued) {
    task->run(task);  // by whoever made it ready, at once
  }
}

mr_status mr_late_queue_create(uint64_t least_ns, uint64_t most_ns, mr_late_queue **out_queue) {
  mr_late_queue *queue = *out_queue = mr_alloc_zeroed(1, sizeof *queue);
  if (!queue) {
    return MR_NO_MEMORY();
  }
  queue->executor = (mr_executor){.name = "late", .ready = queue_ready};
  queue->least_ns = least_ns;
  queue->most_ns = MR_MAX(most_ns, least_ns);
  queue->process = getpid();
  queue->random = 0x9e3779b97f4a7c15u;
  pthread_mutex_init(&queue->lock, NULL);
  init_condition(&queue->changed);
  return MR_OK;
}

void mr_late_queue_destroy(mr_late_queue *queue) {
  if (!queue) {
    return;
  }
  pthread_mutex_lock(&queue->lock);
  notice_fork(queue);
  assert(queue->count == 0);
  queue->stops = true;
  pthread_cond_signal(&queue->changed);
  pthread_mutex_unlock(&queue->lock);
  if (queue->has_thread) {
    pthread_join(queue->thread, NULL);
  }
  pthread_cond_destroy(&queue->changed);
  pthread_mutex_destroy(&queue->lock);
  mr_free(queue->entries);
  mr_free(queue);
}

mr_executor *mr_late_queue_executor(mr_late_queue *queue) { return &queue->executor; }
