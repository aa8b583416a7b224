// What came to glibc after 2.28 and the libraries of a wheel want, made of what glibc 2.28 has.
//
// cmake/glibc/old_glibc.py makes two things of this file: an archive that is linked into our libraries, in which these names are
// hidden, and libmillrace-glibc.so, which copies of the distribution's libraries need. In that one they have a version of ours, so
// that no library in the process that wants the name of glibc's own version is given them. On a newer glibc a copy may find
// either glibc's or these.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// ---- Files (2.33) -----------------------------------------------------------------------------------------------------

// The first argument of each says which struct stat is meant; there has been one on x86-64.
int __xstat(int version, const char *path, struct stat *out);
int __lxstat(int version, const char *path, struct stat *out);
int __fxstat(int version, int file, struct stat *out);
int __fxstatat(int version, int folder, const char *path, struct stat *out, int flags);
enum { STAT_VERSION = 1 };
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one function does for both names");

int stat(const char *path, struct stat *out) { return __xstat(STAT_VERSION, path, out); }
int lstat(const char *path, struct stat *out) { return __lxstat(STAT_VERSION, path, out); }
int fstat(int file, struct stat *out) { return __fxstat(STAT_VERSION, file, out); }
int fstatat(int folder, const char *path, struct stat *out, int flags) {
  return __fxstatat(STAT_VERSION, folder, path, out, flags);
}
int stat64(const char *path, struct stat64 *out) { return stat(path, (struct stat *)out); }
int lstat64(const char *path, struct stat64 *out) { return lstat(path, (struct stat *)out); }
int fstat64(int file, struct stat64 *out) { return fstat(file, (struct stat *)out); }
int fstatat64(int folder, const char *path, struct stat64 *out, int flags) {
  return fstatat(folder, path, (struct stat *)out, flags);
}

// ---- Random numbers (2.36) --------------------------------------------------------------------------------------------

// Like glibc's these have no way to say that there is no randomness, and end the process.
void arc4random_buf(void *out, size_t size) {
  for (char *at = out; size > 0;) {
    ssize_t got = getrandom(at, size, 0);
    if (got < 0 && errno != EINTR) {
      abort();
    }
    at += got > 0 ? got : 0;
    size -= got > 0 ? (size_t)got : 0;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}

// ---- Which object an address is in (2.35) -----------------------------------------------------------------------------

typedef struct find {
  uintptr_t address;
  struct dl_find_object *out;
} find;

static int is_in(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  const find *f = context;
  uintptr_t begin = UINTPTR_MAX, end = 0, frames = 0;
  int here = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t first = info->dlpi_addr + segment->p_vaddr, last = first + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME) {
      frames = first;
    }
    if (segment->p_type == PT_LOAD) {
      begin = first < begin ? first : begin;
      end = last > end ? last : end;
      here |= f->address >= first && f->address < last;
    }
  }
  if (!here || !frames) {
    return 0;
  }
  *f->out = (struct dl_find_object){
      .dlfo_map_start = (void *)begin, .dlfo_map_end = (void *)end, .dlfo_eh_frame = (void *)frames};
  return 1;
}

// For libgcc's unwinder, which asks for the range and the frames and not for the link map, which is left NULL.
int _dl_find_object(void *address, struct dl_find_object *out) {
  find f = {(uintptr_t)address, out};
  return dl_iterate_phdr(is_in, &f) ? 0 : -1;
}

// ---- Others -----------------------------------------------------------------------------------------------------------

// 2.32. Nobody sets it: 0 has libstdc++ count references atomically, which is right with any number of threads.
char __libc_single_threaded = 0;

// 2.30.
pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

// 2.33. The counts of mallinfo() have 32 bits: of 4 GB and more it says the rest.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
struct mallinfo2 mallinfo2(void) {
  struct mallinfo old = mallinfo();
  return (struct mallinfo2){
      .arena = (unsigned)old.arena,
      .ordblks = (unsigned)old.ordblks,
      .smblks = (unsigned)old.smblks,
      .hblks = (unsigned)old.hblks,
      .hblkhd = (unsigned)old.hblkhd,
      .usmblks = (unsigned)old.usmblks,
      .fsmblks = (unsigned)old.fsmblks,
      .uordblks = (unsigned)old.uordblks,
      .fordblks = (unsigned)old.fordblks,
      .keepcost = (unsigned)old.keepcost,
  };
}
