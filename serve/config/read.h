// Reading fields of the tree into structures, by tables of keys.
#ifndef SV_CONFIG_READ_H
#define SV_CONFIG_READ_H

#include "serve/config/tree.h"

typedef struct sv_reader {
  const sv_tree *tree;
  sv_config *config;
} sv_reader;

typedef enum sv_times { SV_ONCE, SV_MANY, SV_MAP } sv_times;

// One key of a message. Both spellings are taken in JSON: max_batch_size and maxBatchSize.
typedef struct sv_key {
  const char *name;
  // Called for each value. `key` is that of a map's entry, the field's name otherwise. NULL: whatever is there says nothing to this server.
  sv_error *(*read)(const sv_reader *reader, const sv_node *value, sv_str key, void *field);
  size_t offset;  // of what `field` points to, in the message's structure
  sv_times times;
} sv_key;

sv_error *sv_read_message(const sv_reader *reader, const sv_node *value, const sv_key *keys, size_t num_keys,
                          void *object);
#define SV_READ_MESSAGE(reader, value, keys, object) \
  sv_read_message(reader, value, keys, sizeof(keys) / sizeof((keys)[0]), object)

#define SV_WRONG(reader, node, ...) \
  sv_tree_errorf((reader)->tree, (node)->where, MILLRACE_INVALID_ARGUMENT, __VA_ARGS__)
#define SV_LACKING(reader, node, ...) sv_tree_errorf((reader)->tree, (node)->where, MILLRACE_UNIMPLEMENTED, __VA_ARGS__)

// Scalars, into fields of the type in the comment.
sv_error *sv_read_text(const sv_reader *reader, const sv_node *value, sv_str key, void *field);    // char *
sv_error *sv_read_uint32(const sv_reader *reader, const sv_node *value, sv_str key, void *field);  // up to INT32_MAX
sv_error *sv_read_uint64(const sv_reader *reader, const sv_node *value, sv_str key, void *field);
sv_error *sv_read_int64(const sv_reader *reader, const sv_node *value, sv_str key, void *field);
sv_error *sv_read_bool(const sv_reader *reader, const sv_node *value, sv_str key, void *field);
// A name of an enumeration, as word in pbtxt and as text in JSON. NULL: the value is neither.
sv_error *sv_read_name(const sv_reader *reader, const sv_node *value, sv_str key, sv_str *out_name);
// For what the server does not do: false and empty messages are fine, the rest is UNIMPLEMENTED.
sv_error *sv_read_lacking(const sv_reader *reader, const sv_node *value, sv_str key, void *field);

// One more element, all zero, of an array that began as NULL and 0. NULL without memory.
void *sv_grow(void *array, uint32_t *count, size_t size);

#endif
