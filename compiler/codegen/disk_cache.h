// disk_cache: compiled kernels in files, <dir>/v<version>/<key>.mrk, shared by every process of the user.
//
// A file is written beside its place and renamed into it, so readers see whole files or none; a checksum catches what a
// crash or a full disk left. Whatever goes wrong while writing is ignored: the cache is only ever a shortcut.
// Files are code: the folder and each file must be the user's (or root's) and writable by nobody else, or they are not used.
// All processes together keep below MILLRACE_CACHE_LIMIT_MB, and look through the folder when an eighth of that may have been stored
// since somebody did.
// <dir>: MILLRACE_CACHE_DIR (empty: no cache), else $XDG_CACHE_HOME/millrace, else $HOME/.cache/millrace.
// Threads: any.
#ifndef MR_COMPILER_CODEGEN_DISK_CACHE_H
#define MR_COMPILER_CODEGEN_DISK_CACHE_H

#include "compiler/codegen/object.h"

// False when there is no good file. The object's memory is the caller's (mr_free) and 16-byte aligned.
bool mr_disk_cache_load(mr_hash128 key, mr_object *out_object);
void mr_disk_cache_store(mr_hash128 key, mr_span object);
// Removes the oldest files until the folder holds at most three quarters of `limit` bytes, if it holds more than `limit`. Returns how
// many are left.
uint64_t mr_disk_cache_trim(uint64_t limit);
// How many files this process has looked at for that.
uint64_t mr_disk_cache_files_looked_at(void);

#endif
