// JSON, as protobuf's JSON mapping has it, into the tree.
#include <string.h>

#include "serve/config/tree.h"
#include "serve/json/json.h"

typedef struct cursor {
  sv_tree *tree;
  sv_json json;
  int depth;
} cursor;

static size_t where(const cursor *c) { return (size_t)(c->json.at - c->json.begin); }

static sv_error *copy(cursor *c, sv_str text, sv_str *out_text) {
  char *bytes = sv_tree_room(c->tree, text.size);
  if (!bytes) {
    return sv_no_memory();
  }
  if (text.size) {
    memcpy(bytes, text.data, text.size);
  }
  *out_text = (sv_str){bytes, text.size};
  return NULL;
}

static sv_error *value(cursor *c, sv_node **out_node);

// A member that is null is one that is not there.
static sv_error *object(cursor *c, sv_node *node) {
  SV_TRY(sv_json_object(&c->json));
  for (sv_node **last = &node->first;;) {
    bool more;
    sv_str member, name;
    SV_TRY(sv_json_member(&c->json, &more, &member));
    if (!more) {
      return NULL;
    }
    SV_TRY(copy(c, member, &name));
    sv_text_clear(c->json.scratch);
    SV_TRY(value(c, last));
    if (*last) {
      (*last)->name = name;
      last = &(*last)->next;
    }
  }
}

static sv_error *array(cursor *c, sv_node *node) {
  SV_TRY(sv_json_array(&c->json));
  for (sv_node **last = &node->first;;) {
    bool more;
    SV_TRY(sv_json_element(&c->json, &more));
    if (!more) {
      return NULL;
    }
    SV_TRY(value(c, last));
    if (!*last) {
      return sv_tree_errorf(c->tree, where(c), MILLRACE_INVALID_ARGUMENT, "null in an array");
    }
    last = &(*last)->next;
  }
}

static sv_error *scalar(cursor *c, sv_json_kind kind, sv_node *node) {
  sv_str text;
  SV_TRY(kind == SV_JSON_STRING ? sv_json_string(&c->json, &text) : sv_json_skip(&c->json, &text));
  sv_error *error = copy(c, text, &node->text);
  sv_text_clear(c->json.scratch);
  return error;
}

static sv_error *value(cursor *c, sv_node **out_node) {
  static const sv_node_kind kinds[] = {
      [SV_JSON_NULL] = SV_NODE_WORD,     [SV_JSON_BOOL] = SV_NODE_WORD,  [SV_JSON_NUMBER] = SV_NODE_WORD,
      [SV_JSON_STRING] = SV_NODE_STRING, [SV_JSON_ARRAY] = SV_NODE_LIST, [SV_JSON_OBJECT] = SV_NODE_MESSAGE};
  *out_node = NULL;
  sv_json_kind kind;
  SV_TRY(sv_json_peek(&c->json, &kind));
  if (kind == SV_JSON_NULL) {
    return sv_json_null(&c->json);
  }
  sv_node *node = sv_tree_node(c->tree, kinds[kind], where(c));
  if (!node) {
    return sv_no_memory();
  }
  *out_node = node;
  if (kind != SV_JSON_ARRAY && kind != SV_JSON_OBJECT) {
    return scalar(c, kind, node);
  }
  if (++c->depth > SV_CONFIG_DEPTH) {
    return sv_tree_errorf(c->tree, where(c), MILLRACE_INVALID_ARGUMENT, "at most %d levels are read", SV_CONFIG_DEPTH);
  }
  SV_TRY(kind == SV_JSON_ARRAY ? array(c, node) : object(c, node));
  c->depth--;
  return NULL;
}

static sv_error *document(cursor *c) {
  SV_TRY(value(c, &c->tree->root));
  SV_TRY(sv_json_end(&c->json));
  if (!c->tree->root || c->tree->root->kind != SV_NODE_MESSAGE) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "wanted an object {...}");
  }
  return NULL;
}

sv_error *sv_tree_read_json(sv_tree *tree, sv_str text) {
  SV_TRY(sv_tree_check_size(tree, text));
  sv_text scratch = {0};
  cursor c = {.tree = tree};
  sv_json_begin(&c.json, text, &scratch);
  sv_error *error = document(&c);
  sv_text_free(&scratch);
  if (error && strncmp(sv_error_message(error), tree->what, strlen(tree->what)) != 0) {
    sv_error *named = sv_errorf(sv_error_code(error), "%s: %s", tree->what, sv_error_message(error));
    sv_error_free(error);
    return named;
  }
  return error;
}
