#include "tests/faults/faults.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/faults/wrappers.h"

// Orders: what is not atomic is written while there is no other thread, or under `lock`.
typedef struct shared_state {
  _Atomic(int) lock;
  _Atomic(bool) recording, armed;
  _Atomic(uint32_t) calls, struck;
  size_t place_count;
  fault_place places[FAULTS_MAX_PLACES];
  fault_place target;
  fault_way way;
  uint32_t first, last;
} shared_state;

static shared_state *shared;

static void *map_state(int flags) {
  void *state = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
  if (state == MAP_FAILED) {
    perror("memory for the state of faults");
    exit(1);
  }
  return state;
}

void faults_start(void) { shared = map_state(MAP_SHARED); }

void faults_alone(void) {
  shared_state *own = map_state(MAP_PRIVATE);
  memcpy(own, shared, sizeof *own);
  shared = own;
}

const char *fault_name(fault function) { return faults_wrappers[function].name; }

const fault_way *fault_ways(fault function, size_t *out_count) {
  *out_count = faults_wrappers[function].way_count;
  return faults_wrappers[function].ways;
}

// ---- Calls ----------------------------------------------------------------------------------------------------------

static void note(fault function, uintptr_t returns_to) {
  while (atomic_exchange_explicit(&shared->lock, 1, memory_order_acquire)) {
  }
  size_t i = 0;
  while (i < shared->place_count &&
         (shared->places[i].returns_to != returns_to || shared->places[i].function != function)) {
    i++;
  }
  if (i < FAULTS_MAX_PLACES) {
    if (i == shared->place_count) {
      shared->places[shared->place_count++] = (fault_place){function, returns_to, 0};
    }
    shared->places[i].calls++;
  }
  atomic_store_explicit(&shared->lock, 0, memory_order_release);
}

const fault_way *faults_strike(fault function, uintptr_t returns_to) {
  if (atomic_load_explicit(&shared->recording, memory_order_acquire)) {
    note(function, returns_to);
  }
  if (!atomic_load_explicit(&shared->armed, memory_order_acquire) || shared->target.function != function ||
      shared->target.returns_to != returns_to) {
    return NULL;
  }
  uint32_t call = atomic_fetch_add_explicit(&shared->calls, 1, memory_order_relaxed) + 1;
  if (call < shared->first || call > shared->last) {
    return NULL;
  }
  atomic_fetch_add_explicit(&shared->struck, 1, memory_order_relaxed);
  return &shared->way;
}

void faults_stop(void) {
  if (shared) {
    faults_record(false);
    faults_disarm();
  }
}

void faults_record(bool on) {
  for (size_t i = 0; on && i < shared->place_count; i++) {
    shared->places[i].calls = 0;
  }
  atomic_store_explicit(&shared->recording, on, memory_order_release);
}

size_t faults_places(const fault_place **out_places) {
  *out_places = shared->places;
  return shared->place_count;
}

void faults_arm(const fault_place *place, fault_way way, uint32_t first, uint32_t last) {
  shared->target = *place;
  shared->way = way;
  shared->first = first;
  shared->last = last;
  atomic_store_explicit(&shared->calls, 0, memory_order_relaxed);
  atomic_store_explicit(&shared->struck, 0, memory_order_relaxed);
  atomic_store_explicit(&shared->armed, true, memory_order_release);
}

void faults_disarm(void) { atomic_store_explicit(&shared->armed, false, memory_order_release); }
uint32_t faults_struck(void) { return atomic_load_explicit(&shared->struck, memory_order_relaxed); }

// ---- Libraries ------------------------------------------------------------------------------------------------------

typedef struct tables {
  ElfW(Addr) base;
  const char *strings;
  const ElfW(Sym) * symbols;
  const ElfW(Rela) * lists[2];
  size_t sizes[2];
} tables;

static bool find_tables(const char *name, tables *out) {
  struct link_map *map = _r_debug.r_map;
  size_t length = strlen(name);
  for (; map; map = map->l_next) {
    size_t n = strlen(map->l_name);
    if (n >= length && strcmp(map->l_name + n - length, name) == 0) {
      break;
    }
  }
  if (map == NULL) {
    return false;
  }
  *out = (tables){.base = map->l_addr};
  for (const ElfW(Dyn) *d = map->l_ld; d->d_tag != DT_NULL; d++) {
    switch (d->d_tag) {
    case DT_STRTAB: out->strings = (const char *)d->d_un.d_ptr; break;
    case DT_SYMTAB: out->symbols = (const ElfW(Sym) *)d->d_un.d_ptr; break;
    case DT_JMPREL: out->lists[0] = (const ElfW(Rela) *)d->d_un.d_ptr; break;
    case DT_PLTRELSZ: out->sizes[0] = d->d_un.d_val; break;
    case DT_RELA: out->lists[1] = (const ElfW(Rela) *)d->d_un.d_ptr; break;
    case DT_RELASZ: out->sizes[1] = d->d_un.d_val; break;
    default: break;
    }
  }
  return true;
}

static void visit_imports(const tables *t, void (*visit)(void *context, const char *name, void **slot), void *context) {
  for (int l = 0; l < 2; l++) {
    for (size_t i = 0; i < t->sizes[l] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela) *r = &t->lists[l][i];
      const ElfW(Sym) *symbol = &t->symbols[ELF64_R_SYM(r->r_info)];
      if (ELF64_R_SYM(r->r_info) && symbol->st_shndx == SHN_UNDEF) {
        visit(context, t->strings + symbol->st_name, (void **)(t->base + r->r_offset));
      }
    }
  }
}

static void patch_one(void *context, const char *name, void **slot) {
  for (const char *const *e = context; e && *e; e++) {
    if (strcmp(*e, name) == 0) {
      return;
    }
  }
  for (int i = 0; i < FAULT_COUNT; i++) {
    if (strcmp(faults_wrappers[i].name, name) == 0) {
      // The linker has made the page read-only once it was through with it.
      uintptr_t page = (uintptr_t)slot & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
      if (mprotect((void *)page, (uintptr_t)(slot + 1) - page, PROT_READ | PROT_WRITE) != 0) {
        perror("the linker's table");
        exit(1);
      }
      *slot = faults_wrappers[i].address;
    }
  }
}

bool faults_patch(const char *name, const char *const *except) {
  tables t;
  if (!find_tables(name, &t)) {
    return false;
  }
  visit_imports(&t, patch_one, (void *)(uintptr_t)except);
  return true;
}

typedef struct import_visit {
  void (*visit)(void *context, const char *import);
  void *context;
} import_visit;

static void visit_name(void *context, const char *name, void **slot) {
  const import_visit *self = context;
  (void)slot;
  self->visit(self->context, name);
}

bool faults_imports(const char *name, void (*visit)(void *context, const char *import), void *context) {
  tables t;
  if (!find_tables(name, &t)) {
    return false;
  }
  visit_imports(&t, visit_name, &(import_visit){visit, context});
  return true;
}
