// Errors: one counted, immutable block each, the message text behind the struct.
#include "core/census.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// A list that statuses share: each node has as many owners as things that point to it.
typedef struct payload {
  atomic_uint owners;  // as below
  struct payload *next;
  mr_str key, value;  // behind this struct
} payload;

struct mr_status_rep {
  // relaxed to add an owner (the caller has one already, so the block cannot go away), acq_rel to drop one: whoever
  // drops the last one sees every other owner's reads finished before it frees.
  atomic_uint owners;
  mr_code code;
  int line;
  const char *file;     // a string literal
  const char *message;  // behind this struct, or a literal in the static error
  payload *payloads;    // owned
};

// What mr_error returns when there is no memory to say more. Never freed.
static struct mr_status_rep out_of_memory = {
    .code = MR_RESOURCE_EXHAUSTED, .file = __FILE__, .message = "out of memory (while making another error)"};

static payload *payload_retain(payload *first) {
  if (first) {
    atomic_fetch_add_explicit(&first->owners, 1, memory_order_relaxed);
  }
  return first;
}

static void payload_release(payload *first) {
  while (first && atomic_fetch_sub_explicit(&first->owners, 1, memory_order_acq_rel) == 1) {
    payload *next = first->next;
    mr_free(first);
    first = next;
  }
}

static mr_status status_create(mr_code code, const char *file, int line, size_t message_size, char **out_message) {
  mr_status status = mr_alloc_error(sizeof *status + message_size + 1);
  if (!status) {
    return NULL;
  }
  char *message = (char *)(status + 1);
  *status = (struct mr_status_rep){.code = code, .file = file, .line = line, .message = message};
  atomic_init(&status->owners, 1);
  mr_census_add(MR_CENSUS_statuses, 1);
  *out_message = message;
  return status;
}

// The bytes of one UTF-8 character at `text`, 0 when it is none.
static size_t utf8_length(const unsigned char *text) {
  if (text[0] < 0x80) {
    return text[0] >= 0x20 || text[0] == '\n' || text[0] == '\t';
  }
  size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
  if (text[0] < 0xc2 || text[0] > 0xf4) {
    return 0;
  }
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) {
      return 0;  // also the NUL at the end
    }
  }
  return length;
}

// Messages quote input; a host that decodes them must not trip over what is not text.
static void make_printable(char *message) {
  for (unsigned char *at = (unsigned char *)message; *at;) {
    size_t length = utf8_length(at);
    if (length == 0) {
      *at = '?';
    }
    at += MR_MAX(length, (size_t)1);
  }
}

static mr_status error_va(mr_code code, const char *file, int line, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  char *message = NULL;
  mr_status status = size < 0 ? NULL : status_create(code, file, line, (size_t)size, &message);
  if (status) {
    vsnprintf(message, (size_t)size + 1, format, again);
    make_printable(message);
  }
  va_end(again);
  return status ? status : &out_of_memory;
}

mr_status mr_error_at(mr_code code, const char *file, int line, const char *format, ...) {
  assert(code != MR_OK_CODE);
  va_list args;
  va_start(args, format);
  mr_status status = error_va(code, file, line, format, args);
  va_end(args);
  return status;
}

// A new block, because other owners of the old one keep the message they have.
mr_status mr_status_note(mr_status take_status, const char *format, ...) {
  if (!take_status) {
    return MR_OK;
  }
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int note_size = vsnprintf(NULL, 0, format, args);
  va_end(args);
  size_t old_size = strlen(take_status->message);
  char *message = NULL;
  mr_status noted = note_size < 0 ? NULL
                                  : status_create(take_status->code, take_status->file, take_status->line,
                                                  (size_t)note_size + 2 + old_size, &message);
  if (noted) {
    vsnprintf(message, (size_t)note_size + 1, format, again);
    make_printable(message);
    memcpy(message + note_size, ": ", 2);
    memcpy(message + note_size + 2, take_status->message, old_size + 1);
    noted->payloads = payload_retain(take_status->payloads);
    mr_status_free(take_status);
  }
  va_end(again);
  return noted ? noted : take_status;  // short of memory: the error without the note is better than none
}

mr_status mr_status_retain(mr_status status) {
  if (status && status != &out_of_memory) {
    atomic_fetch_add_explicit(&status->owners, 1, memory_order_relaxed);
  }
  return status;
}

void mr_status_free(mr_status status) {
  if (!status || status == &out_of_memory) {
    return;
  }
  if (atomic_fetch_sub_explicit(&status->owners, 1, memory_order_acq_rel) == 1) {
    payload_release(status->payloads);
    mr_census_add(MR_CENSUS_statuses, -1);
    mr_free(status);
  }
}

mr_status mr_status_with_payload(mr_status take_status, mr_str key, mr_str value) {
  payload *entry =
      take_status && take_status != &out_of_memory ? mr_alloc_error(sizeof *entry + key.size + value.size) : NULL;
  if (!entry) {
    return take_status;
  }
  char *text = (char *)(entry + 1);
  if (key.size) {
    memcpy(text, key.data, key.size);
  }
  if (value.size) {
    memcpy(text + key.size, value.data, value.size);
  }
  entry->key = (mr_str){text, key.size};
  entry->value = (mr_str){text + key.size, value.size};
  entry->next = take_status->payloads;
  atomic_init(&entry->owners, 1);
  take_status->payloads = entry;
  return take_status;
}

bool mr_status_payload(mr_status status, size_t index, mr_str *out_key, mr_str *out_value) {
  const payload *at = status ? status->payloads : NULL;
  while (at && index-- > 0) {
    at = at->next;
  }
  if (!at) {
    return false;
  }
  *out_key = at->key;
  *out_value = at->value;
  return true;
}

mr_status mr_status_join(mr_status take_first, mr_status take_second) {
  if (!take_first) {
    return take_second;
  }
  mr_status_free(take_second);
  return take_first;
}

mr_code mr_status_code(mr_status status) { return status ? status->code : MR_OK_CODE; }
const char *mr_status_message(mr_status status) { return status ? status->message : ""; }
const char *mr_status_file(mr_status status) { return status ? status->file : ""; }
int mr_status_line(mr_status status) { return status ? status->line : 0; }

const char *mr_status_code_name(mr_code code) {
  switch (code) {
#define STATUS(name, number) \
  case MR_##name##_CODE: return #name;
#include "core/status.def"
  }
  return "UNKNOWN";
}
