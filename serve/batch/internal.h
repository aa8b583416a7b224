// Inside batch/: how versions, queues, batches and requests are made.
//
// A version's lock guards its queues, its counters, the states of its buckets and their free batches; it is held for list work alone, never while
// anything runs, compiles or is answered. The engine's lock (who waits for a turn) is taken inside a version's.
#ifndef SV_BATCH_INTERNAL_H
#define SV_BATCH_INTERNAL_H

#include <pthread.h>

#include "serve/batch/request.h"

struct event;
typedef struct sv_batch sv_batch;
typedef struct sv_bucket sv_bucket;
typedef struct sv_sizes sv_sizes;
typedef struct sv_member sv_member;

// ---- Tuning ---------------------------------------------------------------------------------------------------------

// What takes less runs on the loop that has the requests: handing it to a worker and back takes about 20 us, and a loop that is busy for so
// long delays nobody noticeably.
#define SV_INLINE_NS 250000u
// A larger batch is worth the longer way to its end where it takes so much less for a row.
#define SV_WORTHWHILE 0.95
// The largest batch of a program that leaves its first size open, when the configuration says nothing.
#define SV_DEFAULT_BATCH 32u
#define SV_MOST_BATCH 4096u
// Inputs of fewer bytes are copied to the batch's memory rather than used where they lie: wrapping and counting costs as much.
#define SV_COPY_BYTES 16384u
// Combinations of open sizes, beside the batch, that one version is compiled for.
#define SV_MOST_SIZES 64u
// Batches that are kept for another time, a bucket.
#define SV_KEPT_BATCHES 8u

// ---- Programs by size -----------------------------------------------------------------------------------------------

typedef enum sv_bucket_state {
  SV_BUCKET_EMPTY,
  SV_BUCKET_COMPILING,
  SV_BUCKET_READY,
  SV_BUCKET_FAILED
} sv_bucket_state;

// A batch size that there is a program for.
struct sv_bucket {
  sv_version *version;  // borrowed
  sv_sizes *sizes;
  uint32_t rows;
  sv_bucket_state state;  // the version's lock
  uint64_t ns;            // the fastest run so far
  uint64_t beside_ns;     // the mean of runs that had another of their version beside them all the time; 0: none yet
  bool is_unbounded;      // a run may go on for long, whatever the others took
  sv_error *error;        // of SV_BUCKET_FAILED
  sv_tensor *inputs, *outputs;   // whole batches: dims, bytes; data is NULL
  size_t *input_at, *output_at;  // where each begins in a batch's memory
  size_t memory;
  sv_batch *kept;  // the version's lock
  uint32_t num_kept;
};

// One combination of the inputs' sizes but for the batch; there is but one of a version that leaves nothing else open.
struct sv_sizes {
  sv_tensor *inputs;   // dims alone; the first is not looked at where it is the batch
  sv_bucket *buckets;  // ascending by rows; one, of 0 rows, where there is no batch
  uint32_t num_buckets;
};

// ---- Requests -------------------------------------------------------------------------------------------------------

typedef enum sv_request_state {
  SV_REQUEST_IDLE,
  SV_REQUEST_QUEUED,
  SV_REQUEST_TAKEN,
  SV_REQUEST_DONE
} sv_request_state;

// What stands behind a sv_request.
struct sv_member {
  sv_request request;
  sv_loop *loop;
  sv_request_state state;  // the version's lock
  uint32_t rows;
  uint32_t level;
  sv_sizes *sizes;
  sv_member *next, *previous;  // in its level's queue; `next` also in a batch
  uint64_t submit_ns;
  uint64_t expiry_ns;       // when `timer` fires; 0: never
  bool expiry_is_deadline;  // the client's: DEADLINE_EXCEEDED; else the queue's policy
  struct event *timer;      // NULL until it is needed
  sv_batch *batch;          // retained: what the outputs lie in
  void *ensemble;           // sv_ensemble_run
  sv_task told;             // calls done() on the loop
  uint32_t room_inputs, room_outputs;
};

static inline sv_member *sv_member_of(sv_request *request) { return (sv_member *)request; }

// Calls done(), here if this is its loop's thread and `here` is true, else soon.
void sv_member_done(sv_member *member, sv_error *take_error, bool here);

// ---- Batches --------------------------------------------------------------------------------------------------------

// Memory for one execution's inputs and outputs, and who takes part.
struct sv_batch {
  _Atomic(uint32_t) references;  // the execution, each wrapped input, each member until it is reset
  sv_version *version;           // retained while it is in use
  sv_bucket *bucket;
  sv_block *block;
  sv_member *members;
  uint32_t num_members, rows;
  bool here;             // runs on the thread that took it, without a turn of the engine's
  bool beside;           // another execution was under way when it began
  uint64_t lonely_then;  // version->lonely, when it began
  uint64_t begin_ns, ready_ns;
  sv_batch *next;  // kept
  millrace_buffer **buffers, **results;
  millrace_destination *destinations;
};

void sv_batch_release(sv_batch *batch);
// Runs it, and answers its members now or later.
void sv_batch_run(sv_batch *batch);
// A batch of this bucket, of the kept ones or new; NULL without memory. With the version's lock.
sv_batch *sv_batch_take(sv_bucket *bucket);
void sv_batch_destroy(sv_batch *batch);
// Fills in the batch's inputs from `members` and starts. The event may be NULL (over).
sv_error *sv_batch_call(sv_batch *batch, bool elsewhere, millrace_event **out_event);

// ---- Versions -------------------------------------------------------------------------------------------------------

typedef struct sv_queue {
  sv_member *first, *last;
} sv_queue;

struct sv_version {
  _Atomic(uint32_t) references;
  sv_engine *engine;  // borrowed
  sv_signature signature;
  sv_config *config;
  sv_port *inputs, *outputs;
  char *name;
  millrace_model *model;
  millrace_device *device;
  size_t *input_order, *output_order;  // borrowed numbers of the model's ports: by signature's
  bool joins;                          // several requests become one batch
  bool is_open;                        // some size but the batch's is open
  uint32_t *batch_sizes, num_batch_sizes;

  pthread_mutex_t lock;
  sv_queue levels[SV_MAX_PRIORITIES + 2];  // 1 is served first; the last one has those that are late
  uint32_t pending, running, running_here;
  uint32_t rows_pending;
  uint64_t lonely;   // how often an execution was left alone with nothing to put beside it
  bool round_waits;  // the task below is with a loop
  sv_task round;
  int timer_fd;  // of a configuration with a delay; else -1
  struct event *timer_event;
  uint64_t armed_ns;  // 0: not armed
  sv_task end;        // of a version with a timer: it is taken apart on the timers' loop
  sv_sizes **sizes;
  uint32_t num_sizes;
  void (*drained)(void *argument);
  void *drained_argument;
  sv_statistics statistics;

  // The engine's lock.
  bool waits_for_turn;
  uint64_t used_ns;
  sv_version *next_waiting;

  // Of an ensemble.
  sv_error *(*find)(void *self, sv_str model, int64_t number, sv_version **out_version);
  void *find_self;
};

// Takes what is queued as long as there is something to take and somebody to run it.
void sv_version_dispatch(sv_version *version);
// With the lock: takes the member out of its queue.
void sv_queue_remove(sv_version *version, sv_member *member);
void sv_queue_add(sv_version *version, sv_member *member, uint32_t level);
// After the lock was let go: tells who waits for the end of a drain, if it has come.
void sv_version_look_drained(sv_version *version);
// With the lock.
void sv_statistics_add_failure(sv_statistics *statistics, millrace_code code, uint64_t ns);
void sv_statistics_add_batch(sv_version *version, const sv_batch *batch, uint64_t end_ns, bool failed);
void sv_statistics_add_ensemble(sv_version *version, uint32_t rows, uint64_t ns, uint64_t queue_ns,
                                uint64_t compute_ns);

// ports.c
sv_error *sv_ports_make(sv_version *version);
sv_error *sv_ports_apply(sv_version *version);
sv_error *sv_ports_make_ensemble(sv_version *version);
sv_error *sv_ports_label(sv_version *version, const sv_str *labels);
void sv_ports_free(sv_port *ports, uint32_t count);

// sizes.c
sv_error *sv_sizes_create(sv_version *version, const sv_tensor *inputs, sv_sizes **out_sizes);
void sv_sizes_free(sv_sizes *sizes);
void sv_sizes_keep(sv_sizes *sizes, uint32_t num_buckets);  // the first of them alone
// The one of these inputs; made if there is room. With the lock.
sv_error *sv_sizes_find(sv_version *version, const sv_tensor *inputs, sv_sizes **out_sizes);
// Compiles, and runs it for the first times. Takes its time; no lock is held.
sv_error *sv_bucket_prepare(sv_bucket *bucket);
// The same on other threads; then dispatches. No lock is held; the caller has set the state to COMPILING.
void sv_bucket_prepare_later(sv_bucket *bucket);

// ensemble.c
void sv_ensemble_submit(sv_member *member);
void sv_ensemble_cancel(sv_member *member);
void sv_ensemble_reset(sv_member *member);

// ---- Engine ---------------------------------------------------------------------------------------------------------

millrace_context *sv_engine_context(sv_engine *engine);
sv_loop *sv_engine_loop(sv_engine *engine);               // for timers
void sv_engine_add_version(sv_engine *engine, int more);  // 1 or -1
uint32_t sv_engine_queue_limit(const sv_engine *engine);
uint32_t sv_engine_cores(const sv_engine *engine);
// A turn to execute; false: the version is told (sv_version_dispatch) when there is one. With the version's lock.
bool sv_engine_take_turn(sv_engine *engine, sv_version *version);
// The turn is over and took so long; somebody else may have it, and is dispatched. Without any lock.
void sv_engine_end_turn(sv_engine *engine, sv_version *version, uint64_t ns);

#endif
