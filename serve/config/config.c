// A configuration's life.
#include <stdlib.h>

#include "serve/config/tree.h"

sv_error *sv_config_create(sv_config **out_config) {
  *out_config = calloc(1, sizeof **out_config);
  if (!*out_config) {
    return sv_no_memory();
  }
  (*out_config)->latest = 1;
  return NULL;
}

static sv_error *read(sv_config *config, sv_str text, sv_tree *tree,
                      sv_error *(*read_tree)(sv_tree *tree, sv_str text)) {
  sv_error *error = read_tree(tree, text);
  if (!error) {
    error = sv_config_fill(config, tree);
  }
  sv_tree_free(tree);
  return error;
}

sv_error *sv_config_read_json(sv_config *config, sv_str text, const char *what) {
  return read(config, text, &(sv_tree){.what = what, .json = true}, sv_tree_read_json);
}

sv_error *sv_config_read_pbtxt(sv_config *config, sv_str text, const char *what) {
  return read(config, text, &(sv_tree){.what = what}, sv_tree_read_pbtxt);
}

static void free_ports(sv_config_port *ports, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    free(ports[i].name);
    free(ports[i].dims);
    free(ports[i].label_filename);
  }
  free(ports);
}

static void free_pairs(sv_config_map *pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    free(pairs[i].key);
    free(pairs[i].value);
  }
  free(pairs);
}

void sv_config_release(sv_config *config) {
  if (!config) {
    return;
  }
  free(config->name);
  free(config->platform);
  free(config->backend);
  free_ports(config->inputs, config->num_inputs);
  free_ports(config->outputs, config->num_outputs);
  free(config->preferred);
  free(config->buckets);
  free(config->specific);
  free(config->filename);
  free(config->weights);
  for (uint32_t i = 0; i < config->num_steps; i++) {
    free(config->steps[i].model_name);
    free_pairs(config->steps[i].inputs, config->steps[i].num_inputs);
    free_pairs(config->steps[i].outputs, config->steps[i].num_outputs);
  }
  free(config->steps);
  free(config);
}
