// Descriptions of programs for traces, and how long they stay.
//
// A record that points at an op began while the op's program was there. Who reads it has said so before it began (stay), and has not
// yet said otherwise (may_go), so a program that is released in between is kept until then. Records that are older than all who read
// are not looked at.
#include "core/trace_op.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "core/fork.h"
#include "core/trace_ring.h"

MR_FORK_LOCK(lock);
// Under the lock.
static mr_trace_program *gone;  // released, and somebody may read of them
static uint32_t readers;

static void free_program(mr_trace_program *program) {
  mr_arena_deinit(&program->arena);
  mr_free(program);
}

mr_status mr_trace_program_create(mr_str module, mr_trace_program **out_program) {
  static _Atomic(uint64_t) ids;
  *out_program = NULL;
  mr_trace_program *program = mr_alloc_zeroed(1, sizeof *program);
  if (!program) {
    return MR_NO_MEMORY();
  }
  mr_arena_init(&program->arena, 0);
  // relaxed: a number. XLA's begin with 0 as well.
  program->id = atomic_fetch_add_explicit(&ids, 1, memory_order_relaxed);
  program->module = mr_arena_str(&program->arena, module).data;
  if (!program->module) {
    free_program(program);
    return MR_NO_MEMORY();
  }
  *out_program = program;
  return MR_OK;
}

// Behind `text`, which is copied to `to`: `mark` and the number, then the NUL. Every step of every program that is compiled has such
// names, a hundred thousand of a large one, so they are not made by snprintf.
static void write_numbered(char *to, mr_str text, char mark, uint64_t number) {
  char digits[20];
  size_t count = 0;
  do {
    digits[count++] = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  if (text.size) {
    memcpy(to, text.data, text.size);
  }
  to += text.size;
  *to++ = mark;
  while (count) {
    *to++ = digits[--count];
  }
  *to = '\0';
}

const mr_trace_op *mr_trace_program_add(mr_trace_program *program, const mr_trace_words *words) {
  enum { MARKED_NUMBER = 22 };  // a mark, at most twenty digits and the NUL
  mr_arena *arena = &program->arena;
  bool numbered = words->number >= 0;
  mr_trace_op *op = mr_arena_alloc(arena, sizeof *op);
  const char *name = mr_arena_str(arena, words->name).data;
  char *number = numbered ? mr_arena_alloc(arena, words->name.size + MARKED_NUMBER) : NULL;
  char *source = words->file.size ? mr_arena_alloc(arena, words->file.size + MARKED_NUMBER) : NULL;
  const char *path = words->path.size ? mr_arena_str(arena, words->path).data : NULL;
  if (!op || !name || (numbered && !number) || (words->file.size && !source) || (words->path.size && !path)) {
    return NULL;
  }
  if (number) {
    write_numbered(number, words->name, '.', (uint64_t)words->number);
  }
  if (source) {
    write_numbered(source, words->file, ':', words->line);
  }
  *op = (mr_trace_op){program, name, number, path, source};
  return op;
}

void mr_trace_program_release(mr_trace_program *program) {
  if (!program) {
    return;
  }
  pthread_mutex_lock(&lock);
  if (readers) {
    program->next = gone;
    gone = program;
    program = NULL;
  }
  pthread_mutex_unlock(&lock);
  if (program) {
    free_program(program);
  }
}

void mr_trace_programs_stay(void) {
  pthread_mutex_lock(&lock);
  readers++;
  pthread_mutex_unlock(&lock);
}

void mr_trace_programs_may_go(void) {
  pthread_mutex_lock(&lock);
  mr_trace_program *programs = --readers ? NULL : gone;
  gone = programs ? NULL : gone;
  pthread_mutex_unlock(&lock);
  while (programs) {
    mr_trace_program *next = programs->next;
    free_program(programs);
    programs = next;
  }
}
