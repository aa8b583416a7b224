// What both syntaxes of a configuration are read into: a tree of fields, which the tables of keys.c then walk.
#ifndef SV_CONFIG_TREE_H
#define SV_CONFIG_TREE_H

#include "serve/config/config.h"

typedef enum sv_node_kind {
  SV_NODE_STRING,   // was quoted
  SV_NODE_WORD,     // a number, or bare: true, TYPE_FP32
  SV_NODE_MESSAGE,  // fields
  SV_NODE_LIST      // elements
} sv_node_kind;

typedef struct sv_node {
  struct sv_node *next;   // the field or element behind this one
  struct sv_node *first;  // of a message or list
  sv_str name;            // of a field
  sv_str text;            // of a string or word
  sv_node_kind kind;
  size_t where;  // line (from 1), or byte of JSON
} sv_node;

typedef struct sv_tree {
  const char *what;  // the file's name, for errors
  bool json;
  sv_node *root;  // a message
  struct sv_tree_chunk *chunks;
  size_t left;  // in the first chunk
} sv_tree;

// Larger files are refused: a tree takes up to about fifty bytes for each byte of its text.
#define SV_CONFIG_MOST_BYTES ((size_t)1 << 20)
#define SV_CONFIG_DEPTH 32

// The tree's texts are its own. sv_tree_free() after errors too.
sv_error *sv_tree_read_json(sv_tree *tree, sv_str text);
sv_error *sv_tree_read_pbtxt(sv_tree *tree, sv_str text);
void sv_tree_free(sv_tree *tree);

// Aligned for nodes; NULL without memory.
void *sv_tree_room(sv_tree *tree, size_t size);
sv_node *sv_tree_node(sv_tree *tree, sv_node_kind kind, size_t where);
// INVALID_ARGUMENT where the text is too large.
sv_error *sv_tree_check_size(const sv_tree *tree, sv_str text);
// "config.json, byte 17: " or "config.pbtxt, line 3: ", and the rest.
sv_error *sv_tree_errorf(const sv_tree *tree, size_t where, millrace_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5), warn_unused_result));

// Fills the configuration from the tree.
sv_error *sv_config_fill(sv_config *config, const sv_tree *tree);

#endif
