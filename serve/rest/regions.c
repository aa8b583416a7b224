// System shared memory: clients on this machine register what they put their tensors into.
#include "serve/service/regions.h"

#include <stdlib.h>

#include "serve/rest/answers.h"

static void put_region(sv_text *out, const sv_region_entry *entry) {
  sv_text_putc(out, '{');
  sv_rest_put_text(out, "name", sv_str_of(entry->name));
  sv_rest_put_text(out, "key", sv_str_of(entry->key));
  sv_rest_put_number(out, "offset", entry->offset);
  sv_rest_put_number(out, "byte_size", entry->byte_size);
  sv_text_putc(out, '}');
}

void sv_rest_regions_status(const sv_rest_call *call) {
  sv_region_entry *entries;
  size_t count;
  sv_error *error = sv_regions_list(call->service->regions, call->route.region, &entries, &count);
  if (error) {
    sv_exchange_fail(call->exchange, error);
    return;
  }
  sv_text *out = sv_exchange_text(call->exchange);
  sv_text_putc(out, '[');
  for (size_t i = 0; i < count; i++) {
    sv_text_puts(out, i ? "," : "");
    put_region(out, &entries[i]);
  }
  sv_text_putc(out, ']');
  sv_region_entries_free(entries, count);
  sv_rest_answer_json(call->exchange);
}

typedef struct registration {
  char *key;
  uint64_t offset, byte_size;
  bool has_size;
} registration;

static sv_error *read_member(void *argument, sv_str name, sv_json *json) {
  registration *given = argument;
  if (sv_str_is(name, "key")) {
    sv_str key;
    SV_TRY(sv_json_string(json, &key));
    free(given->key);
    given->key = sv_str_copy(key);
    // A NUL inside would end the name early.
    return !given->key ? sv_no_memory()
           : sv_str_of(given->key).size == key.size
               ? NULL
               : sv_errorf(MILLRACE_INVALID_ARGUMENT, "'key' has a character of code 0");
  }
  if (sv_str_is(name, "offset")) {
    return sv_json_uint(json, &given->offset);
  }
  if (sv_str_is(name, "byte_size")) {
    given->has_size = true;
    return sv_json_uint(json, &given->byte_size);
  }
  return sv_json_skip(json, NULL);
}

void sv_rest_regions_register(const sv_rest_call *call) {
  registration given = {0};
  sv_error *error = sv_rest_read_object(call->request->body, read_member, &given);
  if (!error && (!given.key || !given.has_size)) {
    error =
        sv_errorf(MILLRACE_INVALID_ARGUMENT, "'%s' is missing, wanted {\"key\":\"/NAME\",\"offset\":0,\"byte_size\":N}",
                  given.key ? "byte_size" : "key");
  }
  if (!error) {
    error = sv_regions_register(call->service->regions, call->route.region, sv_str_of(given.key), given.offset,
                                given.byte_size);
  }
  free(given.key);
  if (error) {
    sv_exchange_fail(call->exchange, error);
  } else {
    sv_rest_answer_nothing(call->exchange);
  }
}

void sv_rest_regions_unregister(const sv_rest_call *call) {
  sv_regions_unregister(call->service->regions, call->route.region);
  sv_rest_answer_nothing(call->exchange);
}
