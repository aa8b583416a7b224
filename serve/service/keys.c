// API keys: a file of them, rights, and a quota each.
//
// A table of keys does not change; reloading puts another one in its place. Quotas are counted by the generic cell rate algorithm: one
// number a key, the time at which its bucket is full again, moved on by compare and exchange.
#include "serve/service/keys.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_KEY = 512, MOST_KEYS = 10000, MOST_FILE = 8 << 20 };
static const uint64_t SECOND_NS = 1000000000;
static const char CERTIFICATE[] = "certificate:";  // in front of an identity, in place of a key

typedef struct api_key {
  char *text, *name;  // text: without "certificate:"
  size_t size;
  bool is_certificate;
  bool may[SV_RIGHT_CONTROL + 1];
  uint64_t interval_ns;  // a request's share of the quota; 0: no quota
  // When the quota is whole again, sv_now_ns()'s clock. Relaxed: nothing else is read by it.
  _Atomic(uint64_t) whole_ns;
} api_key;

typedef struct key_table {
  api_key *keys;
  size_t count;
} key_table;

struct sv_keys {
  char *path;
  pthread_rwlock_t lock;  // of the pointer; a request reads it for as long as it compares
  key_table *table;
};

// ---- Reading the file -----------------------------------------------------------------------------------------------

static void table_free(key_table *table) {
  for (size_t i = 0; table && i < table->count; i++) {
    explicit_bzero(table->keys[i].text, table->keys[i].size);
    free(table->keys[i].text);
    free(table->keys[i].name);
  }
  if (table) {
    free(table->keys);
    free(table);
  }
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The next word of the line; empty at its end.
static sv_str next_word(sv_str *line) {
  while (line->size && is_space(line->data[0])) {
    line->data++;
    line->size--;
  }
  sv_str word = {line->data, 0};
  while (word.size < line->size && !is_space(line->data[word.size])) {
    word.size++;
  }
  line->data += word.size;
  line->size -= word.size;
  return word;
}

static sv_error *read_rights(sv_str word, api_key *key, const char *where) {
  while (word.size) {
    const char *comma = memchr(word.data, ',', word.size);
    sv_str one = {word.data, comma ? (size_t)(comma - word.data) : word.size};
    size_t used = one.size + (comma != NULL);
    word.data += used;
    word.size -= used;
    if (sv_str_is(one, "infer")) {
      key->may[SV_RIGHT_INFER] = true;
    } else if (sv_str_is(one, "control")) {
      key->may[SV_RIGHT_CONTROL] = true;
    } else {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: '%.*s' is not a right (infer, control)", where, SV_FMT(one));
    }
  }
  return NULL;
}

static sv_error *read_quota(sv_str word, api_key *key, const char *where) {
  uint64_t requests = 0;
  if (sv_str_is(word, "-")) {
    return NULL;
  }
  bool per_second = word.size > 2 && memcmp(word.data + word.size - 2, "/s", 2) == 0;
  if (!per_second || !sv_str_number((sv_str){word.data, word.size - 2}, SECOND_NS, &requests) || !requests) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: '%.*s' is not a quota (such as 100/s, or -)", where, SV_FMT(word));
  }
  key->interval_ns = SECOND_NS / requests;
  return NULL;
}

static bool is_printable(sv_str text) {
  for (size_t i = 0; i < text.size; i++) {
    if (text.data[i] < 0x21 || text.data[i] > 0x7e) {
      return false;
    }
  }
  return true;
}

static sv_error *read_key(sv_str word, api_key *key, const char *where) {
  key->is_certificate = sv_str_begins(word, CERTIFICATE);
  if (key->is_certificate) {
    word.data += sizeof CERTIFICATE - 1;
    word.size -= sizeof CERTIFICATE - 1;
  }
  if (!word.size || word.size > MOST_KEY || (!key->is_certificate && !is_printable(word))) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: a key has 1 to %d printable ASCII characters", where, MOST_KEY);
  }
  key->text = sv_str_copy(word);
  key->size = word.size;
  return key->text ? NULL : sv_no_memory();
}

static bool is_twice(const key_table *table, const api_key *key) {
  for (size_t i = 0; i < table->count; i++) {
    if (table->keys[i].is_certificate == key->is_certificate && strcmp(table->keys[i].text, key->text) == 0) {
      return true;
    }
  }
  return false;
}

// The table has room for it. What was made before an error belongs to the table.
static sv_error *read_line(key_table *table, sv_str line, const char *where) {
  sv_str word = next_word(&line);
  if (!word.size || word.data[0] == '#') {
    return NULL;
  }
  api_key *key = &table->keys[table->count];
  *key = (api_key){0};
  SV_TRY(read_key(word, key, where));
  bool twice = is_twice(table, key);
  table->count++;
  sv_str rights = next_word(&line), quota = next_word(&line), name = next_word(&line), more = next_word(&line);
  if (twice) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: this key is in the file twice", where);
  }
  if (!name.size || name.data[0] == '#' || (more.size && more.data[0] != '#')) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: wanted KEY RIGHTS QUOTA NAME", where);
  }
  SV_TRY(read_rights(rights, key, where));
  SV_TRY(read_quota(quota, key, where));
  key->name = sv_str_copy(name);
  return key->name ? NULL : sv_no_memory();
}

static sv_error *read_lines(key_table *table, sv_str text, const char *path) {
  size_t capacity = 0;
  for (uint32_t number = 1; text.size; number++) {
    const char *end = memchr(text.data, '\n', text.size);
    sv_str line = {text.data, end ? (size_t)(end - text.data) : text.size};
    size_t used = line.size + (end != NULL);
    text.data += used;
    text.size -= used;
    char where[300];
    snprintf(where, sizeof where, "keys '%.200s' line %u", path, number);
    if (table->count == capacity) {
      capacity = capacity ? capacity * 2 : 16;
      api_key *keys = realloc(table->keys, capacity * sizeof *keys);
      if (!keys) {
        return sv_no_memory();
      }
      table->keys = keys;
    }
    SV_TRY(read_line(table, line, where));
    if (table->count > MOST_KEYS) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s: more than %d keys", where, MOST_KEYS);
    }
  }
  return table->count ? NULL : sv_errorf(MILLRACE_INVALID_ARGUMENT, "keys '%s': there is no key in it", path);
}

static sv_error *check_file(int descriptor, const char *path) {
  struct stat found;
  if (fstat(descriptor, &found) != 0) {
    return sv_errorf(MILLRACE_INTERNAL, "keys '%s': %s", path, strerror(errno));
  }
  if (!S_ISREG(found.st_mode) || found.st_size > MOST_FILE) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "keys '%s': not a regular file of at most %d bytes", path, MOST_FILE);
  }
  if (found.st_mode & (S_IRWXO | S_IWGRP)) {
    return sv_errorf(MILLRACE_PERMISSION_DENIED, "keys '%s': mode %03o lets others in; wanted 600 or 640", path,
                     (unsigned)(found.st_mode & 0777));
  }
  return NULL;
}

static sv_error *read_file(const char *path, sv_text *out) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return sv_errorf(errno == ENOENT ? MILLRACE_NOT_FOUND : MILLRACE_PERMISSION_DENIED, "keys '%s': %s", path,
                     strerror(errno));
  }
  enum { PIECE = 4096 };
  sv_error *error = check_file(descriptor, path);
  for (bool more = !error; more;) {
    char *room = sv_text_room(out, PIECE);
    ssize_t got = room && out->size <= MOST_FILE ? read(descriptor, room, PIECE) : 0;
    out->size += got > 0 ? (size_t)got : 0;
    more = got > 0;
    if (got < 0) {
      error = sv_errorf(MILLRACE_INTERNAL, "keys '%s': %s", path, strerror(errno));
    }
  }
  close(descriptor);
  return error ? error : out->failed ? sv_no_memory() : NULL;
}

static sv_error *read_table(const char *path, key_table **out_table) {
  sv_text text = {0};
  key_table *made = calloc(1, sizeof *made);
  sv_error *error = made ? read_file(path, &text) : sv_no_memory();
  if (!error) {
    error = read_lines(made, sv_text_str(&text), path);
  }
  if (text.data) {
    explicit_bzero(text.data, text.capacity);
  }
  sv_text_free(&text);
  if (error) {
    table_free(made);
    made = NULL;
  }
  *out_table = made;
  return error;
}

// ---- Asking ---------------------------------------------------------------------------------------------------------

// Takes as long for each `shown`, whatever it has in common with the key.
static bool is_same(const api_key *key, sv_str shown) {
  volatile unsigned char differs = key->size != shown.size;
  for (size_t i = 0; i < key->size; i++) {
    unsigned char other = (unsigned char)shown.data[i < shown.size ? i : 0];
    differs |= (unsigned char)((unsigned char)key->text[i] ^ other);
  }
  return !differs;
}

// All keys are compared, so that the time does not say where it was found.
static api_key *find(const key_table *table, sv_str shown, bool is_certificate) {
  api_key *found = NULL;
  for (size_t i = 0; shown.size && i < table->count; i++) {
    bool same = is_same(&table->keys[i], shown) & (table->keys[i].is_certificate == is_certificate);
    found = same ? &table->keys[i] : found;
  }
  return found;
}

// One request off the quota, which a second fills: as many requests at once as are allowed in a second.
static bool take(api_key *key) {
  if (!key->interval_ns) {
    return true;
  }
  uint64_t now = sv_now_ns(), whole = atomic_load_explicit(&key->whole_ns, memory_order_relaxed), next;
  do {
    next = (whole > now ? whole : now) + key->interval_ns;
    if (next > now + SECOND_NS) {
      return false;
    }
  } while (
      !atomic_compare_exchange_weak_explicit(&key->whole_ns, &whole, next, memory_order_relaxed, memory_order_relaxed));
  return true;
}

static sv_error *ask(api_key *key, sv_right right, bool shown) {
  if (!key) {
    return shown ? sv_errorf(MILLRACE_UNAUTHENTICATED, "this API key is not known")
                 : sv_errorf(MILLRACE_UNAUTHENTICATED,
                             "an API key is wanted: 'Authorization: Bearer KEY' or 'X-API-Key: KEY'");
  }
  if (!key->may[right]) {
    return sv_errorf(MILLRACE_PERMISSION_DENIED, "the API key of '%s' has no right '%s'", key->name,
                     right == SV_RIGHT_INFER ? "infer" : "control");
  }
  if (!take(key)) {
    return sv_errorf(MILLRACE_RESOURCE_EXHAUSTED,
                     "the quota of the API key of '%s' is used up (%llu requests a second)", key->name,
                     (unsigned long long)(SECOND_NS / key->interval_ns));
  }
  return NULL;
}

sv_error *sv_keys_allow(sv_keys *keys, sv_right right, sv_str key, const char *identity) {
  pthread_rwlock_rdlock(&keys->lock);
  api_key *found = find(keys->table, key, false);
  if (!found && !key.size && identity) {
    found = find(keys->table, sv_str_of(identity), true);
  }
  sv_error *error = ask(found, right, key.size > 0);
  pthread_rwlock_unlock(&keys->lock);
  return error;
}

// ---- Opening, reloading ---------------------------------------------------------------------------------------------

sv_error *sv_keys_open(const char *path, sv_keys **out_keys) {
  *out_keys = NULL;
  sv_keys *keys = calloc(1, sizeof *keys);
  if (!keys) {
    return sv_no_memory();
  }
  keys->path = strdup(path);
  sv_error *error = keys->path ? read_table(path, &keys->table) : sv_no_memory();
  if (error) {
    free(keys->path);
    free(keys);
    return error;
  }
  pthread_rwlock_init(&keys->lock, NULL);
  *out_keys = keys;
  return NULL;
}

// What was used of a quota stays used.
static void keep_quotas(key_table *to, const key_table *from) {
  for (size_t i = 0; i < to->count; i++) {
    const api_key *old = find(from, (sv_str){to->keys[i].text, to->keys[i].size}, to->keys[i].is_certificate);
    if (old) {
      to->keys[i].whole_ns = old->whole_ns;
    }
  }
}

sv_error *sv_keys_reload(sv_keys *keys) {
  key_table *fresh;
  SV_TRY(read_table(keys->path, &fresh));
  pthread_rwlock_wrlock(&keys->lock);
  key_table *old = keys->table;
  keep_quotas(fresh, old);
  keys->table = fresh;
  pthread_rwlock_unlock(&keys->lock);
  table_free(old);
  return NULL;
}

void sv_keys_release(sv_keys *keys) {
  if (keys) {
    table_free(keys->table);
    pthread_rwlock_destroy(&keys->lock);
    free(keys->path);
    free(keys);
  }
}
