// Admission: what an execution that is queued counts for, and when it is at work.
//
//   queued       mr_admit_enter(): it counts for its device, and so do the blocks that it holds
//   inputs there mr_admit_ready(): from here on it ends by itself, or by the host's code when it calls that
//   over         mr_admit_leave(), after the arguments were let go of
//   told         mr_admit_end_work(), when what comes after it has heard of that: so a chain is at work from its first to its last link
//
// Of a run over several devices each row counts for its own device; at work it is as a whole, and not before all of its rows can begin,
// as rows wait for each other.
#include "compiler/run/run.h"
#include "devices/tuning.h"

// What an argument holds of memory: also one that is on its way into its block. The result of another call has none yet: it is made when
// that call runs.
static mr_storage *held(const launch_state *s, uint32_t i) {
  mr_storage *storage = mr_hold_storage(s->holds[i]);
  // One that devices have in common may be replaced by a copy while the hold is there (devices/buffer.c: part).
  return storage && storage->size >= MR_ADMISSION_BLOCK && !storage->common ? storage : NULL;
}

void mr_admit_enter(launch_state *s, bool *counted) {
  s->counted = counted;
  for (uint32_t i = 0; i < s->executable->num_params; i++) {
    mr_storage *storage = held(s, i);
    counted[i] = false;
    if (!storage) {
      continue;
    }
    if (s->donates[i]) {  // nobody else has it, and what becomes of it is a result
      s->donated_bytes += (int64_t)storage->size;
      continue;
    }
    counted[i] = true;
    // relaxed: whoever comes first or last counts the block, and the hold keeps it.
    if (atomic_fetch_add_explicit(&storage->queued, 1, memory_order_relaxed) == 0) {
      mr_admission_add_bytes(&storage->memory->device->admission, (int64_t)storage->size);
    }
  }
  if (s->donated_bytes) {
    mr_admission_add_bytes(&s->device->admission, s->donated_bytes);
  }
  mr_admission_enter(&s->device->admission);
  s->admitted = true;
}

void mr_admit_let_go(launch_state *s, uint32_t i) {
  if (!s->counted || !s->counted[i]) {
    return;
  }
  s->counted[i] = false;
  mr_storage *storage = mr_hold_storage(s->holds[i]);
  if (atomic_fetch_sub_explicit(&storage->queued, 1, memory_order_relaxed) == 1) {
    mr_admission_add_bytes(&storage->memory->device->admission, -(int64_t)storage->size);
  }
}

static mr_progress progress_of(const mr_executable *e) {
  return e->main.calls_host ? MR_PROGRESS_HOST : MR_PROGRESS_OWN;
}

void mr_admit_ready(launch_state *s) {
  if (!s->admitted) {
    return;  // it was undone
  }
  if (s->rows) {
    mr_rows_ready(s->rows);
    return;
  }
  s->at_work = true;
  mr_progress_begin(progress_of(s->executable));
}

void mr_admit_leave(launch_state *s) {
  if (!s->admitted) {
    return;
  }
  s->admitted = false;
  if (s->donated_bytes) {
    mr_admission_add_bytes(&s->device->admission, -s->donated_bytes);
  }
  mr_admission_leave(&s->device->admission);
}

admitted_work mr_admit_take_work(launch_state *s) {
  if (!s->admitted) {
    return (admitted_work){0};  // it was undone, and has let go of its executable
  }
  admitted_work work = {.at_work = s->at_work, .kind = progress_of(s->executable)};
  work.rows = s->rows ? mr_rows_retain(s->rows) : NULL;
  s->at_work = false;
  return work;
}

void mr_admit_end_work(admitted_work work) {
  if (work.at_work) {
    mr_progress_end(work.kind);
  }
  if (work.rows) {
    mr_rows_told(work.rows);
    mr_rows_release(work.rows);
  }
}

void mr_admit_wait(const launch_state *s) {
  if (!s->unheld) {
    mr_admission_wait(&s->device->admission, mr_platform_scheduler(s->device->platform));
  }
}
