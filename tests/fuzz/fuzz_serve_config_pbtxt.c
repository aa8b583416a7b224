// Any text is a configuration or an error, of config.pbtxt.
#include <stdlib.h>
#include <string.h>

#include "serve/config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sv_config *config;
  sv_error_free(sv_config_create(&config));
  char *copy = malloc(size + (size == 0));  // ends where the text ends, and is gone before what was read is looked at
  if (!config || !copy) {
    sv_config_release(config);
    free(copy);
    return 0;
  }
  if (size) {
    memcpy(copy, data, size);
  }
  sv_error *error = sv_config_read_pbtxt(config, (sv_str){copy, size}, "config.pbtxt");
  free(copy);
  if (!error) {
    error = sv_config_check(config, "config.pbtxt");
  }
  sv_error_free(error);
  sv_config_release(config);
  return 0;
}
