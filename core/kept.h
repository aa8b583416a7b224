// kept: files that one process leaves for the next, in the user's cache folder: compiled kernels, the machine's figures.
//
// A file is written beside its place and renamed into it, so readers see whole files or none; what a crash or a full disk left is
// for the reader to find out. Whatever goes wrong while writing is ignored by those who write: it is only ever a shortcut.
// What is read is believed, and some of it is code: the folder and each file must be the user's (or root's) and writable by nobody
// else, or they are not used.
// The folder: MILLRACE_CACHE_DIR (empty: none), else $XDG_CACHE_HOME/millrace, else $HOME/.cache/millrace; then `part`. Of the
// last two one that is relative does not count.
// Threads: any.
#ifndef MR_CORE_KEPT_H
#define MR_CORE_KEPT_H

#include "core/core.h"

// A descriptor of the folder, which the caller closes. -1: there is none, or none that can be trusted.
int mr_kept_open(const char *part, bool make);
// A descriptor of a file in it, with its size, which the caller closes. -1: there is none, or none that can be trusted.
int mr_kept_open_file(int folder, const char *name, size_t *out_size);
bool mr_kept_read(int file, void *data, size_t size);
// The pieces one after the other as the file `name`: all of them, or no file that was not there before.
bool mr_kept_write(int folder, const char *name, const mr_span *pieces, size_t num_pieces);
// How the names of files begin that are being written; one that is a day old was left by a process that died.
#define MR_KEPT_TEMPORARY "tmp-"

// All of it, in as many writes as it takes. False: errno says why.
bool mr_kept_write_all(int file, const void *data, size_t size);

#endif
