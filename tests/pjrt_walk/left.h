// What a host may have of a client when it destroys it: test_orphans.c.
#ifndef MR_TESTS_PJRT_WALK_LEFT_H
#define MR_TESTS_PJRT_WALK_LEFT_H

#include <stdatomic.h>

#include "tests/pjrt_walk/host.h"

// What is left of a client.
typedef struct left {
  PJRT_Client *bystander;  // another one
  PJRT_Client *client;     // destroyed when `use` is called; only to be named where a call wants one
  PJRT_Device *device;
  PJRT_Buffer *buffer, *other;
  PJRT_LoadedExecutable *loaded;
  PJRT_Executable *executable;
  PJRT_Event *event;
  PJRT_AsyncHostToDeviceTransferManager *manager;
  PJRT_FulfillAliasBufferCallback *fulfill;
  PJRT_RawBuffer *raw;
  _Atomic(PJRT_CopyToDeviceStream *) stream;  // comes on a thread of the engine's
  void (*copy_later)(PJRT_Buffer_CopyRawToHostFuture_Callback_Args *args);
  void *copy_data;
  int told;  // how often the owner of a view heard of its end
} left;

// Something that a host has: how it comes by it, what it still does once the client is destroyed, and how it lets go.
typedef struct left_kind {
  const char *name;
  void (*make)(left *l);
  void (*use)(left *l);
  void (*drop)(left *l);
  bool is_lone;  // it need not keep the client
} left_kind;

enum { LEFT_KINDS = 17 };
extern const left_kind left_kinds[LEFT_KINDS];
// One execution with the arguments x and x; `out_done` may be NULL.
PJRT_Buffer *left_run(PJRT_LoadedExecutable *loaded, PJRT_Buffer *x, PJRT_Event **out_done);
void left_expect_six(PJRT_Buffer *buffer, float factor);

#endif
