// Changes in folders, by inotify. What changes is not looked at: any change is a reason to look at all, once it has been quiet for a while.
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "serve/repository/internal.h"

// A copy of several files is over when nothing has happened for so long; one that does not end is looked at anyway.
static const uint64_t QUIET_NS = 250000000, MOST_NS = 5000000000;
static const uint32_t EVENTS = IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF |
                               IN_MOVE_SELF | IN_ATTRIB | IN_ONLYDIR;

struct sv_watcher {
  int fd;
  bool lacks;                  // a folder could not be watched: the system's limit
  uint64_t looked_ns;          // when sv_watcher_clear() was called
  uint64_t first_ns, last_ns;  // events since; 0: none
};

sv_watcher *sv_watcher_create(void) {
  sv_watcher *watcher = calloc(1, sizeof *watcher);
  if (watcher) {
    watcher->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    watcher->lacks = watcher->fd < 0;
  }
  return watcher;
}

void sv_watcher_free(sv_watcher *watcher) {
  if (watcher) {
    if (watcher->fd >= 0) {
      close(watcher->fd);
    }
    free(watcher);
  }
}

int sv_watcher_fd(const sv_watcher *watcher) { return watcher->fd; }

void sv_watcher_add(sv_watcher *watcher, const char *root, const char *path) {
  if (!watcher || watcher->fd < 0) {
    return;
  }
  char *whole = path[0] && strcmp(path, ".") != 0 ? sv_path_join(root, path) : strdup(root);
  // A folder that is watched already stays so.
  if (!whole || inotify_add_watch(watcher->fd, whole, EVENTS) < 0) {
    watcher->lacks = true;
  }
  free(whole);
}

static void note(sv_watcher *watcher, const struct inotify_event *event) {
  // "..data" is the link that Kubernetes puts in the place of the one before when a volume changes.
  bool hidden = event->len && sv_is_temporary(event->name) && strcmp(event->name, "..data") != 0;
  // IN_IGNORED follows the end of a folder, which has been told. IN_ATTRIB of a file: chmod and touch.
  if (!hidden && !(event->mask & IN_IGNORED)) {
    watcher->last_ns = sv_now_ns();
    watcher->first_ns = watcher->first_ns ? watcher->first_ns : watcher->last_ns;
  }
}

void sv_watcher_read(sv_watcher *watcher) {
  _Alignas(struct inotify_event) char room[16384];
  for (ssize_t size; watcher->fd >= 0 && (size = read(watcher->fd, room, sizeof room)) > 0;) {
    for (ssize_t at = 0; at < size;) {
      const struct inotify_event *event = (const struct inotify_event *)(room + at);
      note(watcher, event);
      at += (ssize_t)(sizeof *event + event->len);
    }
  }
}

uint64_t sv_watcher_due_ns(const sv_watcher *watcher) {
  // Without watches it is a look every now and then.
  uint64_t due = watcher->lacks && watcher->looked_ns ? watcher->looked_ns + MOST_NS : UINT64_MAX;
  if (watcher->first_ns) {
    uint64_t quiet = watcher->last_ns + QUIET_NS, most = watcher->first_ns + MOST_NS;
    due = quiet < due ? quiet : due;
    due = most < due ? most : due;
  }
  return due;
}

void sv_watcher_clear(sv_watcher *watcher) {
  if (watcher) {
    watcher->first_ns = watcher->last_ns = 0;
    watcher->looked_ns = sv_now_ns();
    watcher->lacks = watcher->fd < 0;
  }
}
