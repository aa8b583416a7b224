// The repository: its thread, and what others ask of it.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "serve/repository/internal.h"

typedef enum command_kind { START, RESCAN, LOAD, UNLOAD } command_kind;

struct sv_command {
  sv_command *next;
  command_kind kind;
  char *model, *config;
  bool dependents;
  void (*loaded)(void *argument);
  void (*done)(void *argument, sv_error *take_error);
  void *argument;
};

// ---- Life -----------------------------------------------------------------------------------------------------------

static void destroy(sv_repository *repository) {
  sv_models_free(repository);
  sv_drains_free(repository);
  sv_table_release(repository->table);
  sv_watcher_free(repository->watcher);
  for (uint32_t i = 0; repository->root_paths && i < repository->num_roots; i++) {
    free(repository->root_paths[i]);
  }
  for (uint32_t i = 0; repository->names && i < repository->num_names; i++) {
    free(repository->names[i]);
  }
  free(repository->root_paths);
  free(repository->names);
  free(repository->roots);
  if (repository->wake >= 0) {
    close(repository->wake);
  }
  pthread_mutex_destroy(&repository->lock);
  pthread_rwlock_destroy(&repository->table_lock);
  free(repository);
}

void sv_repository_release_reference(sv_repository *repository) {
  // acq_rel: what the others did is over before the last one takes it apart.
  if (atomic_fetch_sub_explicit(&repository->references, 1, memory_order_acq_rel) == 1) {
    destroy(repository);
  }
}

static sv_error *copy_texts(const char *const *texts, uint32_t count, char ***out_copies) {
  *out_copies = calloc(count + (size_t)1, sizeof(char *));
  for (uint32_t i = 0; *out_copies && i < count; i++) {
    (*out_copies)[i] = strdup(texts[i]);
    if (!(*out_copies)[i]) {
      return sv_no_memory();
    }
  }
  return *out_copies ? NULL : sv_no_memory();
}

static sv_error *check_root(const char *path) {
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    char room[128];
    return sv_errorf(errno == EACCES ? MILLRACE_PERMISSION_DENIED : MILLRACE_NOT_FOUND,
                     "the model repository %s: %s: wanted a folder", path, strerror_r(errno, room, sizeof room));
  }
  close(fd);
  return NULL;
}

static sv_error *fill(sv_repository *repository, const sv_repository_options *options) {
  repository->num_roots = options->num_roots;
  repository->num_names = options->names ? options->num_names : 0;
  repository->by_request = options->none || options->names;
  SV_TRY(copy_texts(options->roots, options->num_roots, &repository->root_paths));
  SV_TRY(copy_texts(options->names, repository->num_names, &repository->names));
  repository->roots = calloc(options->num_roots + (size_t)1, sizeof *repository->roots);
  repository->table = sv_table_create(0);
  if (!repository->roots || !repository->table) {
    return sv_no_memory();
  }
  for (uint32_t i = 0; i < options->num_roots; i++) {
    repository->roots[i] = (sv_root){.path = repository->root_paths[i], .fd = -1};
    SV_TRY(check_root(repository->roots[i].path));
  }
  for (uint32_t i = 0; i < repository->num_names; i++) {
    if (!sv_is_model_name(sv_str_of(repository->names[i]))) {
      return sv_errorf(
          MILLRACE_INVALID_ARGUMENT,
          "'%.255s' is no name of a model: wanted letters, digits, '_', '-' and '.', which is not the first",
          repository->names[i]);
    }
  }
  repository->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (repository->wake < 0) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "no more file descriptors for the model repository");
  }
  repository->watcher = options->watch ? sv_watcher_create() : NULL;
  return options->watch && !repository->watcher ? sv_no_memory() : NULL;
}

static void init_locks(sv_repository *repository) {
  pthread_mutex_init(&repository->lock, NULL);
  pthread_rwlockattr_t attributes;
  pthread_rwlockattr_init(&attributes);
  pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&repository->table_lock, &attributes);
  pthread_rwlockattr_destroy(&attributes);
}

static void *run(void *argument);

sv_error *sv_repository_create(sv_engine *engine, const sv_repository_options *options,
                               sv_repository **out_repository) {
  *out_repository = NULL;
  sv_repository *repository = calloc(1, sizeof *repository);
  if (!repository) {
    return sv_no_memory();
  }
  repository->engine = engine;
  repository->wake = -1;
  repository->last_command = &repository->commands;
  atomic_init(&repository->references, 1);
  init_locks(repository);
  sv_error *error = fill(repository, options);
  if (!error && pthread_create(&repository->thread, NULL, run, repository) != 0) {
    error = sv_errorf(MILLRACE_RESOURCE_EXHAUSTED, "no thread for the model repository");
  }
  if (error) {
    destroy(repository);
    return error;
  }
  *out_repository = repository;
  return NULL;
}

static void wake(sv_repository *repository) {
  uint64_t one = 1;
  if (write(repository->wake, &one, sizeof one) < 0) {
    // The counter is full: the thread is woken already.
  }
}

void sv_repository_release(sv_repository *repository, uint64_t deadline_ns) {
  if (!repository) {
    return;
  }
  atomic_store_explicit(&repository->stop, true, memory_order_relaxed);  // seen soon is enough
  pthread_mutex_lock(&repository->lock);
  repository->closed = true;
  repository->deadline_ns = deadline_ns;
  pthread_mutex_unlock(&repository->lock);
  wake(repository);
  pthread_join(repository->thread, NULL);
  sv_repository_release_reference(repository);
}

// ---- Commands -------------------------------------------------------------------------------------------------------

static void answer(sv_command *command, sv_error *take_error) {
  if (command->done) {
    command->done(command->argument, take_error);
  } else {
    sv_error_free(take_error);
  }
  if (command->loaded) {
    command->loaded(command->argument);
  }
  free(command->model);
  free(command->config);
  free(command);
}

static void post(sv_repository *repository, sv_command *command) {
  command->next = NULL;
  pthread_mutex_lock(&repository->lock);
  bool closed = repository->closed;
  if (!closed) {
    *repository->last_command = command;
    repository->last_command = &command->next;
  }
  pthread_mutex_unlock(&repository->lock);
  if (closed) {
    answer(command, sv_errorf(MILLRACE_CANCELLED, "the server is stopping"));
  } else {
    wake(repository);
  }
}

void sv_repository_start(sv_repository *repository, void (*loaded)(void *argument), void *argument) {
  sv_command *command = calloc(1, sizeof *command);
  if (command) {
    *command = (sv_command){.kind = START, .loaded = loaded, .argument = argument};
    atomic_store_explicit(&repository->beginning, true, memory_order_relaxed);
    post(repository, command);
  } else if (loaded) {
    loaded(argument);
  }
}

void sv_repository_rescan(sv_repository *repository) {
  sv_command *command = calloc(1, sizeof *command);
  if (command) {
    command->kind = RESCAN;
    post(repository, command);
  }
}

static void post_model(sv_repository *repository, sv_command given, sv_str model, sv_str config) {
  sv_command *command = malloc(sizeof *command);
  if (!command) {
    given.done(given.argument, sv_no_memory());
    return;
  }
  *command = given;
  command->model = sv_str_copy(model);
  command->config = config.size ? sv_str_copy(config) : NULL;
  if (!command->model || (config.size && !command->config)) {
    answer(command, sv_no_memory());
  } else if (config.size && strlen(command->config) != config.size) {
    answer(command, sv_errorf(MILLRACE_INVALID_ARGUMENT, "the configuration has a zero byte"));
  } else {
    post(repository, command);
  }
}

void sv_repository_load(sv_repository *repository, sv_str model, sv_str config,
                        void (*done)(void *argument, sv_error *take_error), void *argument) {
  post_model(repository, (sv_command){.kind = LOAD, .done = done, .argument = argument}, model, config);
}

void sv_repository_unload(sv_repository *repository, sv_str model, bool dependents,
                          void (*done)(void *argument, sv_error *take_error), void *argument) {
  post_model(repository, (sv_command){.kind = UNLOAD, .dependents = dependents, .done = done, .argument = argument},
             model, (sv_str){0});
}

bool sv_repository_is_ready(sv_repository *repository) {
  return atomic_load_explicit(&repository->ready, memory_order_relaxed);  // a hint that stands alone
}

// ---- The thread -----------------------------------------------------------------------------------------------------

static void do_command(sv_repository *repository, sv_command *command) {
  sv_error *error = NULL;
  if (command->kind == START) {
    repository->started = true;
    error = sv_models_refresh(repository);
    sv_models_publish(repository);
  } else if (command->kind == RESCAN) {
    error = repository->started ? sv_models_refresh(repository) : NULL;
  } else if (command->kind == LOAD) {
    error = sv_models_load(repository, command->model, command->config);
  } else {
    error = sv_models_unload(repository, command->model, command->dependents);
  }
  answer(command, error);
}

static sv_command *next_command(sv_repository *repository) {
  pthread_mutex_lock(&repository->lock);
  sv_command *command = repository->commands;
  if (command) {
    repository->commands = command->next;
    repository->last_command = repository->commands ? repository->last_command : &repository->commands;
  }
  pthread_mutex_unlock(&repository->lock);
  return command;
}

static bool is_closed(sv_repository *repository) {
  pthread_mutex_lock(&repository->lock);
  bool closed = repository->closed;
  pthread_mutex_unlock(&repository->lock);
  return closed;
}

// Until somebody wakes the thread, a folder changes, or it is time.
static void wait(sv_repository *repository, uint64_t until_ns) {
  uint64_t now = sv_now_ns();
  uint64_t left = until_ns <= now ? 0 : until_ns - now;
  struct timespec timeout = {.tv_sec = (time_t)(left / 1000000000), .tv_nsec = (long)(left % 1000000000)};
  struct pollfd fds[2] = {{.fd = repository->wake, .events = POLLIN},
                          {.fd = repository->watcher ? sv_watcher_fd(repository->watcher) : -1, .events = POLLIN}};
  ppoll(fds, 2, until_ns == UINT64_MAX ? NULL : &timeout, NULL);
  uint64_t count;
  if (read(repository->wake, &count, sizeof count) < 0) {
    // Nobody did.
  }
}

static void look_at_folders(sv_repository *repository) {
  if (!repository->watcher || !repository->started) {
    return;
  }
  sv_watcher_read(repository->watcher);
  if (sv_watcher_due_ns(repository->watcher) <= sv_now_ns()) {
    sv_error_free(sv_models_refresh(repository));  // what is wrong with a model is in the index
  }
}

// What was asked for is answered, everything ends, until the deadline at the latest.
static void finish(sv_repository *repository) {
  for (sv_command *command; (command = next_command(repository));) {
    answer(command, sv_errorf(MILLRACE_CANCELLED, "the server is stopping"));
  }
  sv_models_retire_all(repository);
  pthread_mutex_lock(&repository->lock);
  uint64_t deadline = repository->deadline_ns;
  pthread_mutex_unlock(&repository->lock);
  for (;;) {
    sv_drains_end(repository);
    bool late = sv_now_ns() >= deadline;
    sv_drains_start(repository, late);
    if (late || sv_drains_are_over(repository)) {
      return;
    }
    wait(repository, deadline);
  }
}

static void *run(void *argument) {
  sv_repository *repository = argument;
  pthread_setname_np(pthread_self(), "serve-models");
  while (!is_closed(repository)) {
    sv_drains_end(repository);
    sv_command *command = next_command(repository);
    if (command) {
      do_command(repository, command);
    }
    look_at_folders(repository);
    sv_drains_start(repository, false);
    if (!command) {
      wait(repository,
           repository->watcher && repository->started ? sv_watcher_due_ns(repository->watcher) : UINT64_MAX);
    }
  }
  finish(repository);
  return NULL;
}
