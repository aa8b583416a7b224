// Fields of the tree into structures.
#include <stdlib.h>
#include <string.h>

#include "serve/config/read.h"

void *sv_grow(void *array, uint32_t *count, size_t size) {
  void **place = array;
  if ((*count & (*count - 1)) == 0) {  // full: capacities are powers of two
    void *more = reallocarray(*place, *count ? 2 * (size_t)*count : 1, size);
    if (!more) {
      return NULL;
    }
    *place = more;
  }
  return memset((char *)*place + size * (*count)++, 0, size);
}

// "max_batch_size" is also called "maxBatchSize".
static bool is_camel(sv_str name, const char *key) {
  size_t at = 0;
  for (; *key; key++) {
    char c = *key;
    if (c == '_' && key[1] >= 'a' && key[1] <= 'z') {
      c = (char)(*++key - 'a' + 'A');
    }
    if (at == name.size || name.data[at] != c) {
      return false;
    }
    at++;
  }
  return at == name.size;
}

static const sv_key *find_key(const sv_reader *reader, sv_str name, const sv_key *keys, size_t num_keys) {
  for (size_t i = 0; i < num_keys; i++) {
    if (sv_str_is(name, keys[i].name) || (reader->tree->json && is_camel(name, keys[i].name))) {
      return &keys[i];
    }
  }
  return NULL;
}

// An entry of a map in pbtxt: { key: "x" value { ... } }.
static sv_error *read_entry(const sv_reader *reader, const sv_node *entry, const sv_key *key, void *field) {
  const sv_node *name = NULL, *value = NULL;
  for (const sv_node *part = entry->first; part; part = part->next) {
    const sv_node **place = sv_str_is(part->name, "key") ? &name : sv_str_is(part->name, "value") ? &value : NULL;
    if (entry->kind != SV_NODE_MESSAGE || !place || *place) {
      return SV_WRONG(reader, part, "an entry of %s has one key and one value, and not '%.*s'", key->name,
                      SV_FMT(part->name));
    }
    *place = part;
  }
  if (!name || !value || name->kind == SV_NODE_MESSAGE || name->kind == SV_NODE_LIST) {
    return SV_WRONG(reader, entry, "an entry of %s: wanted { key: ... value: ... }", key->name);
  }
  return key->read(reader, value, name->text, field);
}

static sv_error *read_map(const sv_reader *reader, const sv_node *value, const sv_key *key, void *field) {
  if (value->kind != SV_NODE_MESSAGE) {
    return SV_WRONG(reader, value, "%s: wanted entries { ... }", key->name);
  }
  if (!reader->tree->json) {
    return read_entry(reader, value, key, field);
  }
  for (const sv_node *entry = value->first; entry; entry = entry->next) {
    SV_TRY(key->read(reader, entry, entry->name, field));
  }
  return NULL;
}

static sv_error *read_value(const sv_reader *reader, const sv_node *value, const sv_key *key, void *field) {
  return key->times == SV_MAP ? read_map(reader, value, key, field)
                              : key->read(reader, value, sv_str_of(key->name), field);
}

static sv_error *read_field(const sv_reader *reader, const sv_node *value, const sv_key *key, void *field) {
  if (!key->read) {
    return NULL;
  }
  bool json = reader->tree->json;
  bool list = value->kind == SV_NODE_LIST;
  if (key->times == SV_ONCE && list) {
    return SV_WRONG(reader, value, "%s: wanted one value and not a list", key->name);
  }
  if (json && ((key->times == SV_MANY && !list) || (key->times == SV_MAP && list))) {
    return SV_WRONG(reader, value, "%s: wanted %s", key->name, list ? "an object {...}" : "an array [...]");
  }
  if (!list) {
    return read_value(reader, value, key, field);
  }
  for (const sv_node *element = value->first; element; element = element->next) {
    SV_TRY(read_value(reader, element, key, field));
  }
  return NULL;
}

sv_error *sv_read_message(const sv_reader *reader, const sv_node *value, const sv_key *keys, size_t num_keys,
                          void *object) {
  if (value->kind != SV_NODE_MESSAGE) {
    return SV_WRONG(reader, value, "%.*s%swanted %s", SV_FMT(value->name), value->name.size ? ": " : "",
                    reader->tree->json ? "an object {...}" : "a message { ... }");
  }
  uint64_t seen = 0;  // tables have fewer than 64 keys
  for (const sv_node *field = value->first; field; field = field->next) {
    const sv_key *key = find_key(reader, field->name, keys, num_keys);
    if (!key) {
      return SV_WRONG(reader, field, "unknown key '%.*s'%s%.*s", SV_FMT(field->name), value->name.size ? " in " : "",
                      SV_FMT(value->name));
    }
    uint64_t bit = (uint64_t)1 << (key - keys);
    if ((seen & bit) && (key->times == SV_ONCE || reader->tree->json)) {
      return SV_WRONG(reader, field, "'%.*s' is there twice", SV_FMT(field->name));
    }
    seen |= bit;
    SV_TRY(read_field(reader, field, key, (char *)object + key->offset));
  }
  return NULL;
}

sv_error *sv_read_text(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  char **place = field;
  if (value->kind != SV_NODE_STRING) {
    return SV_WRONG(reader, value, "%.*s: wanted a text in quotes", SV_FMT(key));
  }
  if (value->text.size && memchr(value->text.data, 0, value->text.size)) {
    return SV_WRONG(reader, value, "%.*s: a zero byte in a text", SV_FMT(key));
  }
  free(*place);
  *place = NULL;
  if (!value->text.size) {
    return NULL;  // what protobuf takes for not said
  }
  *place = sv_str_copy(value->text);
  return *place ? NULL : sv_no_memory();
}

// Decimal, and in pbtxt hexadecimal (0x) and octal (0) too.
static bool digits(sv_str text, bool json, uint64_t *out_number) {
  uint64_t base = 10, number = 0;
  size_t at = 0;
  if (!json && text.size > 1 && text.data[0] == '0') {
    bool hex = text.size > 2 && (text.data[1] | 0x20) == 'x';
    base = hex ? 16 : 8;
    at = hex ? 2 : 1;
  }
  for (; at < text.size; at++) {
    char c = text.data[at];
    uint64_t digit = c >= '0' && c <= '9'   ? (uint64_t)(c - '0')
                     : c >= 'a' && c <= 'f' ? (uint64_t)(c - 'a' + 10)
                     : c >= 'A' && c <= 'F' ? (uint64_t)(c - 'A' + 10)
                                            : 99;
    if (digit >= base || __builtin_mul_overflow(number, base, &number) ||
        __builtin_add_overflow(number, digit, &number)) {
      return false;
    }
  }
  *out_number = number;
  return text.size > 0;
}

// Whole numbers are texts too in protobuf's JSON, since doubles do not hold 64 bits.
static sv_error *whole(const sv_reader *reader, const sv_node *value, sv_str key, uint64_t most, uint64_t most_negative,
                       int64_t *out_number) {
  sv_str text = value->text;
  bool scalar = value->kind == SV_NODE_WORD || (value->kind == SV_NODE_STRING && reader->tree->json);
  bool negative = scalar && text.size > 1 && text.data[0] == '-';
  if (negative) {
    text.data++;
    text.size--;
  }
  uint64_t number;
  if (!scalar || !digits(text, reader->tree->json, &number) || number > (negative ? most_negative : most)) {
    return SV_WRONG(reader, value, "%.*s: wanted a whole number from %s%llu to %llu%s%.*s%s", SV_FMT(key),
                    most_negative ? "-" : "", (unsigned long long)most_negative, (unsigned long long)most,
                    scalar ? ", and not '" : "", scalar ? (int)value->text.size : 0, value->text.data,
                    scalar ? "'" : "");
  }
  *out_number = (int64_t)(negative ? 0 - number : number);
  return NULL;
}

sv_error *sv_read_uint32(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  int64_t number;
  SV_TRY(whole(reader, value, key, INT32_MAX, 0, &number));
  *(uint32_t *)field = (uint32_t)number;
  return NULL;
}

sv_error *sv_read_uint64(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  int64_t number;
  SV_TRY(whole(reader, value, key, UINT64_MAX, 0, &number));
  *(uint64_t *)field = (uint64_t)number;
  return NULL;
}

sv_error *sv_read_int64(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  return whole(reader, value, key, INT64_MAX, (uint64_t)INT64_MAX + 1, field);
}

sv_error *sv_read_bool(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  bool word = value->kind == SV_NODE_WORD;
  bool yes = word && sv_str_is(value->text, "true");
  // Protobuf's text format has these spellings besides.
  bool number = word && !reader->tree->json;
  yes |= number && (sv_str_is(value->text, "1") || sv_str_is(value->text, "True") || sv_str_is(value->text, "t"));
  bool no = word && sv_str_is(value->text, "false");
  no |= number && (sv_str_is(value->text, "0") || sv_str_is(value->text, "False") || sv_str_is(value->text, "f"));
  if (!yes && !no) {
    return SV_WRONG(reader, value, "%.*s: wanted true or false", SV_FMT(key));
  }
  *(bool *)field = yes;
  return NULL;
}

sv_error *sv_read_name(const sv_reader *reader, const sv_node *value, sv_str key, sv_str *out_name) {
  if (value->kind != (reader->tree->json ? SV_NODE_STRING : SV_NODE_WORD) && value->kind != SV_NODE_WORD) {
    return SV_WRONG(reader, value, "%.*s: wanted a name of an enumeration", SV_FMT(key));
  }
  *out_name = value->text;
  return NULL;
}

sv_error *sv_read_lacking(const sv_reader *reader, const sv_node *value, sv_str key, void *field) {
  (void)field;
  bool empty = value->kind == SV_NODE_MESSAGE || value->kind == SV_NODE_LIST ? !value->first : !value->text.size;
  empty |= value->kind == SV_NODE_WORD && (sv_str_is(value->text, "false") || sv_str_is(value->text, "0"));
  return empty ? NULL : SV_LACKING(reader, value, "%.*s is not implemented", SV_FMT(key));
}
