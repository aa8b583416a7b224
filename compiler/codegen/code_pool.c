// Reservations of some MiB, given out page by page: first from pages that came back, then from the untouched end. The
// kernel merges neighbours of equal protection, so thousands of kernels are a handful of mappings.
#include "compiler/codegen/code_pool.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "core/processor/processor.h"

#define RESERVATION ((size_t)4 << 20)

typedef struct span {
  struct span *next;
  unsigned char *data;
  size_t size;
} span;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static span *free_spans;      // sorted by address, neighbours joined
static unsigned char *fresh;  // untouched part of the newest reservation
static size_t fresh_size;

static unsigned char *from_free(size_t size) {
  for (span **at = &free_spans; *at; at = &(*at)->next) {
    span *s = *at;
    if (s->size < size) {
      continue;
    }
    unsigned char *data = s->data;
    s->data += size;
    s->size -= size;
    if (!s->size) {
      *at = s->next;
      mr_free(s);
    }
    return data;
  }
  return NULL;
}

static void give_free(unsigned char *data, size_t size) {
  span **at = &free_spans, *before = NULL;
  while (*at && (*at)->data < data) {
    before = *at;
    at = &before->next;
  }
  span *after = *at;
  if (before && before->data + before->size == data) {
    before->size += size;
    if (after && data + size == after->data) {
      before->size += after->size;
      before->next = after->next;
      mr_free(after);
    }
    return;
  }
  if (after && data + size == after->data) {
    after->data = data;
    after->size += size;
    return;
  }
  span *s = mr_alloc_zeroed(1, sizeof *s);
  if (!s) {
    return;  // those pages are lost, nothing else
  }
  *s = (span){after, data, size};
  *at = s;
}

static unsigned char *from_fresh(size_t size) {
  if (fresh_size < size) {
    size_t reserve = MR_MAX(size, RESERVATION);
    void *memory = mmap(NULL, reserve, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      return NULL;
    }
    if (fresh_size) {
      give_free(fresh, fresh_size);
    }
    fresh = memory;
    fresh_size = reserve;
  }
  unsigned char *data = fresh;
  fresh += size;
  fresh_size -= size;
  return data;
}

mr_status mr_code_take(size_t bytes, mr_code_block *out_code) {
  *out_code = (mr_code_block){0};
  if (bytes > ((size_t)1 << 30)) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "a kernel of %zu bytes", bytes);
  }
  size_t page = mr_processor_page(), size = MR_MAX((bytes + page - 1) / page * page, page);
  pthread_mutex_lock(&lock);
  unsigned char *data = from_free(size);
  if (!data) {
    data = from_fresh(size);
  }
  pthread_mutex_unlock(&lock);
  if (!data) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "no memory for %zu bytes of code", size);
  }
  if (mprotect(data, size, PROT_READ | PROT_WRITE)) {
    mr_status status = mr_error(MR_RESOURCE_EXHAUSTED, "no memory for %zu bytes of code: %s", size, strerror(errno));
    mr_code_free((mr_code_block){data, size});
    return status;
  }
  memset(data, 0, size);
  *out_code = (mr_code_block){data, size};
  return MR_OK;
}

mr_status mr_code_seal(mr_code_block code) {
  mr_processor_code_is_written(code.data, code.size);
  if (!mprotect(code.data, code.size, PROT_READ | PROT_EXEC)) {
    return MR_OK;
  }
  return mr_error(MR_INTERNAL, "code memory cannot be made executable: %s", strerror(errno));
}

void mr_code_free(mr_code_block code) {
  if (!code.data) {
    return;
  }
  // Without access a stale pointer faults at once, and the pages go back to the system.
  (void)madvise(code.data, code.size, MADV_DONTNEED);
  (void)mprotect(code.data, code.size, PROT_NONE);
  pthread_mutex_lock(&lock);
  give_free(code.data, code.size);
  pthread_mutex_unlock(&lock);
}

void mr_code_hold(void) { pthread_mutex_lock(&lock); }
void mr_code_let_go(void) { pthread_mutex_unlock(&lock); }
