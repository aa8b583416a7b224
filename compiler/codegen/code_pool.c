// Reservations of some MiB, given out by runs of pages. Which pages are taken is a bit each, so what taking and giving back cost
// depends on a reservation's size and not on how many kernels there are. The kernel merges neighbours of equal protection, so
// thousands of kernels are a handful of mappings.
#include "compiler/codegen/code_pool.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "core/fork.h"
#include "core/processor/processor.h"

#define RESERVATION ((size_t)4 << 20)

typedef struct reservation {
  struct reservation *next;
  unsigned char *data;
  size_t pages;
  size_t longest;    // no run of free pages is longer; what it is exactly is known after looking for a longer one
  uint64_t taken[];  // a bit for each page
} reservation;

MR_FORK_LOCK(lock);
static reservation *reservations;  // newest first; kept for the life of the process

static bool is_taken(const reservation *r, size_t page) { return r->taken[page / 64] >> (page % 64) & 1; }

static void mark(reservation *r, size_t first, size_t pages) {
  for (size_t i = first; i < first + pages; i++) {
    r->taken[i / 64] ^= UINT64_C(1) << (i % 64);
  }
}

// The first run of so many free pages; SIZE_MAX, and how long the longest is, when there is none.
static size_t find_run(reservation *r, size_t pages) {
  size_t run = 0, longest = 0;
  for (size_t i = 0; i < r->pages; i++) {
    if (i % 64 == 0 && r->taken[i / 64] == UINT64_MAX) {
      run = 0;
      i += 63;
      continue;
    }
    run = is_taken(r, i) ? 0 : run + 1;
    longest = MR_MAX(longest, run);
    if (run == pages) {
      return i + 1 - pages;
    }
  }
  r->longest = longest;
  return SIZE_MAX;
}

static reservation *reserve(size_t pages, size_t page) {
  reservation *r = mr_alloc_zeroed(1, sizeof *r + (pages + 63) / 64 * sizeof r->taken[0]);
  if (!r) {
    return NULL;
  }
  void *memory = mmap(NULL, pages * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    mr_free(r);
    return NULL;
  }
  *r = (reservation){.next = reservations, .data = memory, .pages = pages, .longest = pages};
  reservations = r;
  return r;
}

static unsigned char *take_pages(size_t pages, size_t page) {
  reservation *r = reservations;
  size_t first = SIZE_MAX;
  for (; r; r = r->next) {
    first = r->longest >= pages ? find_run(r, pages) : SIZE_MAX;
    if (first != SIZE_MAX) {
      break;
    }
  }
  if (!r) {
    r = reserve(MR_MAX(pages, RESERVATION / page), page);
    first = 0;
  }
  if (!r) {
    return NULL;
  }
  mark(r, first, pages);
  return r->data + first * page;
}

static void give_pages(unsigned char *data, size_t pages, size_t page) {
  reservation *r = reservations;
  while (data < r->data || data >= r->data + r->pages * page) {
    r = r->next;
  }
  mark(r, (size_t)(data - r->data) / page, pages);
  r->longest = r->pages;
}

mr_status mr_code_take(size_t bytes, mr_code_block *out_code) {
  *out_code = (mr_code_block){0};
  if (bytes > ((size_t)1 << 30)) {
    return mr_error(MR_RESOURCE_EXHAUSTED, "a kernel of %zu bytes", bytes);
  }
  size_t page = mr_processor_page(), size = MR_MAX((bytes + page - 1) / page * page, page);
  pthread_mutex_lock(&lock);
  unsigned char *data = take_pages(size / page, page);
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
  give_pages(code.data, code.size / mr_processor_page(), mr_processor_page());
  pthread_mutex_unlock(&lock);
}
