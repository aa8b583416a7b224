// A record of how long weights stayed the same.
#include "ops/library/steady.h"

#include "ops/library/tuning.h"

void mr_steady_init(mr_steady *steady) {
  *steady = (mr_steady){.content = {NULL, 0}};
  pthread_mutex_init(&steady->lock, NULL);
}

void mr_steady_deinit(mr_steady *steady) { pthread_mutex_destroy(&steady->lock); }

bool mr_steady_use(mr_steady *steady, mr_content content) {
  if (!content.storage) {
    return false;
  }
  pthread_mutex_lock(&steady->lock);
  if (steady->content.storage != content.storage || steady->content.generation != content.generation) {
    bool first = !steady->content.storage;
    steady->brief = first || steady->uses >= MR_STEADY_USES ? 0 : steady->brief + 1;
    steady->content = content;
    steady->uses = 0;
    steady->packs = steady->brief < MR_STEADY_BRIEF;
  }
  steady->uses += steady->uses < UINT32_MAX;
  bool packs = steady->packs;
  pthread_mutex_unlock(&steady->lock);
  return packs;
}
