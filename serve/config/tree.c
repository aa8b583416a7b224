// The memory of a tree, and its errors.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "serve/config/tree.h"

struct sv_tree_chunk {
  struct sv_tree_chunk *next;
  size_t size;
  _Alignas(16) char bytes[];
};

static const size_t CHUNK_BYTES = 16000;

void *sv_tree_room(sv_tree *tree, size_t size) {
  size = (size + 15) & ~(size_t)15;
  if (!tree->chunks || tree->left < size) {
    size_t bytes = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    struct sv_tree_chunk *chunk = malloc(sizeof *chunk + bytes);
    if (!chunk) {
      return NULL;
    }
    *chunk = (struct sv_tree_chunk){.next = tree->chunks, .size = bytes};
    tree->chunks = chunk;
    tree->left = bytes;
  }
  char *room = tree->chunks->bytes + (tree->chunks->size - tree->left);
  tree->left -= size;
  return room;
}

sv_node *sv_tree_node(sv_tree *tree, sv_node_kind kind, size_t where) {
  sv_node *node = sv_tree_room(tree, sizeof *node);
  if (node) {
    *node = (sv_node){.kind = kind, .where = where};
  }
  return node;
}

void sv_tree_free(sv_tree *tree) {
  while (tree->chunks) {
    struct sv_tree_chunk *next = tree->chunks->next;
    free(tree->chunks);
    tree->chunks = next;
  }
  tree->root = NULL;
}

sv_error *sv_tree_check_size(const sv_tree *tree, sv_str text) {
  if (text.size > SV_CONFIG_MOST_BYTES) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s has %zu bytes: wanted a configuration of at most %zu", tree->what,
                     text.size, SV_CONFIG_MOST_BYTES);
  }
  return NULL;
}

sv_error *sv_tree_errorf(const sv_tree *tree, size_t where, millrace_code code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *message = NULL;
  int size = vasprintf(&message, format, arguments);
  va_end(arguments);
  if (size < 0) {
    return sv_no_memory();
  }
  sv_error *error = sv_errorf(code, "%s, %s %zu: %s", tree->what, tree->json ? "byte" : "line", where, message);
  free(message);
  return error;
}
