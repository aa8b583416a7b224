// mutants: operations of the sources with weaker orders than they have. Each is looked for by a process of its own, in the second pass of
// a scenario, and must be found there: or the pass would not see it either if it was the source's.
#include "tests/model/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/core.h"

#undef memset
#undef memcpy

static model_site *sites;                // all that were come to
static const model_mutant *mutant;       // of this process
static const model_site *weakened_site;  // likewise, where all sites are tried
static bool was_applied;
static int tells;  // the standard output before it was nobody's

bool model_tries_all(void) { return weakened_site != NULL; }

void model_tell_of_mutant(const char *scenario, const char *what) {
  if (weakened_site || getenv("MILLRACE_MODEL_MUTANTS")) {
    dprintf(tells, "[%s: %s] ", scenario, what);
  }
}

bool model_looks_for_mutant(const char *scenario) {
  return !mutant || !mutant->scenario || strcmp(mutant->scenario, scenario) == 0;
}

static void learn_site(model_site *site, const char *function) {
  site->known = true;
  site->function = function;
  site->next = sites;
  sites = site;
  if (mutant && strcmp(mutant->function, function) == 0 && strcmp(mutant->operation, site->operation) == 0) {
    site->weaker[0] = was_applied = true;
    site->weaker[1] = strncmp(site->operation, "swap ", 5) == 0;
  }
}

// A swap that is weakened fails with no more than it may succeed with.
static memory_order failure_of(memory_order order) {
  return order == memory_order_acq_rel   ? memory_order_acquire
         : order == memory_order_release ? memory_order_relaxed
                                         : order;
}

memory_order model_order_of(model_site *site, const char *function, memory_order order, int which) {
  if (!site->known) {
    learn_site(site, function);
  }
  if (!site->weaker[which]) {
    return order;
  }
  if (weakened_site || which == 0) {
    return mutant->order;
  }
  memory_order failure = failure_of(mutant->order);
  return failure < order ? failure : order;
}

// ---- Looking for one ----------------------------------------------------------------------------------------------------------------------

enum { FOUND, MISSED, NOT_THERE };

// In a child: what it says of what it finds is the mutant's business.
static int look_for(void (*explore)(void), const model_mutant *m, model_site *site, int place) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    unsetenv("MILLRACE_MODEL_MORE");
    unsetenv("MILLRACE_MODEL_SECONDS");  // it is found in its steps, however long those take
    tells = dup(STDOUT_FILENO);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) {
      _exit(3);
    }
    mutant = m;
    if (site) {
      weakened_site = site;
      site->weaker[place] = was_applied = true;
    } else {
      for (model_site *s = sites; s; s = s->next) {
        s->known = false;
      }
      sites = NULL;
    }
    model_set_passes(MODEL_WEAK);
    explore();
    _exit(was_applied ? 0 : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  // An assert of the source, or memory that is not there, finds it as well.
  if (WIFSIGNALED(status) || WEXITSTATUS(status) == 1) {
    return FOUND;
  }
  return WEXITSTATUS(status) == 0 ? MISSED : NOT_THERE;
}

static const char *name_of(memory_order order) {
  static const char *const names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return names[order];
}

// ---- All of them --------------------------------------------------------------------------------------------------------------------------

// All weaker orders that the operation may have, and -1.
static void weaker_orders(const char *operation, memory_order order, int *out_orders) {
  static const memory_order from_strongest[] = {memory_order_acq_rel, memory_order_acquire, memory_order_release,
                                                memory_order_relaxed};
  bool load = strncmp(operation, "load", 4) == 0, store = strncmp(operation, "store", 5) == 0;
  for (size_t i = 0; i < MR_ARRAY_SIZE(from_strongest); i++) {
    memory_order to = from_strongest[i];
    bool fits = load    ? to == memory_order_acquire || to == memory_order_relaxed
                : store ? to == memory_order_release || to == memory_order_relaxed
                        : true;
    bool is_weaker = to < order && !(order == memory_order_release && to == memory_order_acquire);
    if (fits && is_weaker) {
      *out_orders++ = (int)to;
    }
  }
  *out_orders = -1;
}

static memory_order order_named(const char *name, int which) {
  // "memory_order_release memory_order_relaxed": the second is a swap's where it fails.
  const char *at = strstr(name, "memory_order_");
  for (int i = 0; at && i < which; i++) {
    at = strstr(at + 1, "memory_order_");
  }
  for (memory_order order = memory_order_relaxed; at && order <= memory_order_seq_cst; order++) {
    if (strncmp(at + strlen("memory_order_"), name_of(order), strlen(name_of(order))) == 0) {
      return order;
    }
  }
  return memory_order_relaxed;
}

static void try_all(void (*explore)(void)) {
  static const char *const said[] = {"found", "NOT FOUND", "not come to"};
  for (model_site *site = sites; site; site = site->next) {
    bool swap = strncmp(site->operation, "swap", 4) == 0;
    for (int place = 0; place < (swap ? 2 : 1); place++) {
      memory_order order = order_named(site->orders, place);
      // A load has what a swap that fails may have.
      int weaker[5];
      weaker_orders(place ? "load" : site->operation, order, weaker);
      for (int *to = weaker; *to >= 0; to++) {
        model_mutant m = {site->function, site->operation, (memory_order)*to, NULL};
        int result = look_for(explore, &m, site, place);
        printf("%s: %s%s, %s -> %s: %s\n", site->function, site->operation, place ? " (fails)" : "", name_of(order),
               name_of(m.order), said[result]);
        fflush(stdout);
      }
    }
  }
}

int model_main(void (*explore)(void), const model_mutant *mutants, size_t count) {
  explore();
  const char *which = getenv("MILLRACE_MODEL_MUTANTS");
  if (which && strcmp(which, "all") == 0) {
    try_all(explore);
    return 0;
  }
  const char *orders = getenv("MILLRACE_MODEL_ORDERS");
  if (orders && strcmp(orders, "sc") == 0) {
    return 0;
  }
  int missed = 0, found = 0;
  for (size_t i = 0; i < count; i++) {
    int result = look_for(explore, &mutants[i], NULL, 0);
    found += result == FOUND;
    missed += result != FOUND;
    if (result != FOUND) {
      fprintf(stderr, "%s: %s with %s is not found%s\n", mutants[i].function, mutants[i].operation,
              name_of(mutants[i].order), result == NOT_THERE ? ": there is no such operation" : "");
    }
  }
  printf("%d mutants found\n", found);
  return missed > 0;
}
