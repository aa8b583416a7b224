// Random programs from seeds, until there were enough or the time is over: each difference is made smaller, written to a
// folder and counted.
//
//   random_programs [--seed 0] [--count 1000] [--seconds 60] [--found FOLDER] [--state FILE] [--processor NAME]
//                   [--dump FOLDER] [--print] [--write FOLDER] [--no-reduce] [--shard | --half | --loops] [FILE.mlir ...]
//
// With --write programs are written and not run. A file of the corpus is a program; its first line "// seed N" says what inputs it got.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/compiler/faulty_party.h"
#include "tests/random/random.h"

typedef struct options {
  uint64_t seed, count;
  double seconds;
  const char *found, *state, *write;
  bool print, reduce, shard, half,
      loops;  // shard: over several devices; half: on half precision; loops: rich in loops and updates
} options;

typedef struct totals {
  uint64_t by[INVALID + 1];
} totals;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_program(const char *folder, uint64_t seed, const mr_text *text, const char *why) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%llu.mlir", folder, (unsigned long long)seed);
  FILE *file = fopen(path, "w");
  if (file) {
    fprintf(file, "// seed %llu\n// %s\n%.*s", (unsigned long long)seed, why, (int)text->size, text->data);
    fclose(file);
  }
}

static void check_seed(session *s, const options *o, uint64_t seed, totals *t) {
  rng random = rng_of(seed);
  mr_text text = {0}, why = {0};
  bool (*generate)(rng *, mr_text *) = o->shard   ? generate_sharded_program
                                       : o->half  ? generate_half_program
                                       : o->loops ? generate_looping_program
                                                  : generate_program;
  if (!generate(&random, &text)) {
    fprintf(stderr, "seed %llu: out of memory\n", (unsigned long long)seed);
    exit(2);
  }
  if (o->print) {
    printf("// seed %llu\n%.*s", (unsigned long long)seed, (int)text.size, text.data);
    fflush(stdout);
  }
  if (o->write) {
    write_program(o->write, seed, &text, "");
    mr_text_deinit(&text);
    return;
  }
  outcome result = check_program(s, (mr_str){text.data, text.size}, seed, &why);
  mr_text_put(&why, " ");
  t->by[result]++;
  static const char *const names[] = {"agrees", "DIFFERS", "refused", "no verdict", "INVALID"};
  if (result != AGREES) {
    printf("seed %llu: %s: %.*s\n", (unsigned long long)seed, names[result], (int)why.size, why.data);
    fflush(stdout);
  }
  if (result == DIFFERS || result == INVALID) {
    char reason[500];
    snprintf(reason, sizeof reason, "%.*s", (int)why.size, why.data);
    if (o->reduce && result == DIFFERS) {
      reduce_program(s, &text, seed);
      mr_text again = {0};
      check_program(s, (mr_str){text.data, text.size}, seed, &again);
      snprintf(reason, sizeof reason, "%.*s", (int)again.size, again.size ? again.data : "");
      mr_text_deinit(&again);
    }
    if (o->found) {
      write_program(o->found, seed, &text, reason);
    }
  }
  mr_text_deinit(&text);
  mr_text_deinit(&why);
}

static void save_state(const options *o, uint64_t next, const totals *t) {
  char path[4096];
  snprintf(path, sizeof path, "%s.new", o->state);
  FILE *file = fopen(path, "w");
  if (file) {
    fprintf(file, "%llu %llu %llu %llu %llu %llu\n", (unsigned long long)next, (unsigned long long)t->by[AGREES],
            (unsigned long long)t->by[DIFFERS], (unsigned long long)t->by[REFUSED],
            (unsigned long long)t->by[NO_VERDICT], (unsigned long long)t->by[INVALID]);
    fclose(file);
    rename(path, o->state);
  }
}

// Where an earlier run stopped.
static uint64_t load_state(const options *o, totals *t) {
  FILE *file = o->state ? fopen(o->state, "r") : NULL;
  unsigned long long n[6];
  if (!file) {
    return o->seed;
  }
  bool whole = fscanf(file, "%llu %llu %llu %llu %llu %llu", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 6;
  fclose(file);
  if (!whole) {
    return o->seed;
  }
  t->by[AGREES] = n[1], t->by[DIFFERS] = n[2], t->by[REFUSED] = n[3], t->by[NO_VERDICT] = n[4], t->by[INVALID] = n[5];
  return n[0];
}

// A file of the corpus.
static bool replay(session *s, const char *path) {
  FILE *file = fopen(path, "rb");
  static char data[1 << 20];
  size_t size = file ? fread(data, 1, sizeof data, file) : 0;
  unsigned long long seed = 0;
  if (file) {
    fclose(file);
  }
  mr_text why = {0};
  bool named = sscanf(data, "// seed %llu", &seed) == 1;
  outcome result = check_program(s, (mr_str){data, size}, seed, &why);
  bool fine = named && result != DIFFERS && result != INVALID;
  if (!fine) {
    printf("%s: %.*s\n", path, (int)why.size, why.data);
  }
  mr_text_deinit(&why);
  return fine;
}

// Takes one option; false: the argument is a file.
static bool take_option(options *o, session *s, int argc, char **argv, int *i) {
  const char *name = argv[*i], *with = *i + 1 < argc ? argv[*i + 1] : NULL;
  if (strcmp(name, "--print") == 0) {
    o->print = true;
    return true;
  }
  if (strcmp(name, "--no-reduce") == 0) {
    o->reduce = false;
    return true;
  }
  if (strcmp(name, "--shard") == 0) {
    o->shard = true;
    return true;
  }
  if (strcmp(name, "--loops") == 0) {
    o->loops = true;
    return true;
  }
  if (strcmp(name, "--half") == 0) {
    o->half = true;
    return true;
  }
  if (strncmp(name, "--", 2) != 0 || !with) {
    return false;
  }
  ++*i;
  if (strcmp(name, "--seed") == 0) {
    o->seed = strtoull(with, NULL, 0);
  } else if (strcmp(name, "--count") == 0) {
    o->count = strtoull(with, NULL, 0);
  } else if (strcmp(name, "--seconds") == 0) {
    o->seconds = strtod(with, NULL);
  } else if (strcmp(name, "--found") == 0) {
    o->found = with;
  } else if (strcmp(name, "--state") == 0) {
    o->state = with;
  } else if (strcmp(name, "--write") == 0) {
    o->write = with;
  } else if (strcmp(name, "--dump") == 0) {
    s->dump = with;
  } else if (strcmp(name, "--processor") == 0) {
    setenv("MILLRACE_CPU", with, 1);  // before anything reads it
  } else {
    fprintf(stderr, "no such option: %s\n", name);
    exit(2);
  }
  return true;
}

static void open_platform(session *s) {
  party_from_environment();
  mr_platform_options eight = {.num_devices = 8};
  mr_status status = mr_platform_create(&eight, &s->platform);
  if (status) {
    fprintf(stderr, "%s\n", mr_status_message(status));
    exit(2);
  }
  s->device = mr_platform_device(s->platform, 0);
  s->memory = &s->device->memories[MR_MEMORY_DEVICE];
}

// Seeds until there were enough, or the time is over. True: nothing differed.
static bool run_seeds(session *s, const options *o) {
  totals t = {0};
  double begun = now();
  uint64_t seed = load_state(o, &t);
  for (; seed < o->seed + o->count && now() - begun < o->seconds; seed++) {
    check_seed(s, o, seed, &t);
    if (o->state && seed % 16 == 15) {
      save_state(o, seed + 1, &t);
    }
  }
  if (o->state) {
    save_state(o, seed, &t);
  }
  double cells = (double)(s->sure + s->bounded + s->unsure + 1) / 100;
  printf("seeds %llu to %llu in %.1f s: %llu agree, %llu differ, %llu refused, %llu without a verdict, %llu invalid; "
         "%.2f%% of result elements exact, %.2f%% bounded\n",
         (unsigned long long)o->seed, (unsigned long long)seed, now() - begun, (unsigned long long)t.by[AGREES],
         (unsigned long long)t.by[DIFFERS], (unsigned long long)t.by[REFUSED], (unsigned long long)t.by[NO_VERDICT],
         (unsigned long long)t.by[INVALID], (double)s->sure / cells, (double)s->bounded / cells);
  return !t.by[DIFFERS] && !t.by[INVALID];
}

int main(int argc, char **argv) {
  options o = {.count = 1000, .seconds = 1e9, .reduce = true};
  session s = {0};
  int files = 0, failed = 0;
  for (int i = 1; i < argc; i++) {
    if (!take_option(&o, &s, argc, argv, &i)) {
      argv[files++] = argv[i];
    }
  }
  open_platform(&s);
  for (int i = 0; i < files; i++) {
    failed += !replay(&s, argv[i]);
  }
  bool fine = files ? failed == 0 : run_seeds(&s, &o);
  if (files) {
    printf("%d of %d files pass\n", files - failed, files);
  }
  mr_platform_release(s.platform);
  return !fine;
}
