#include "compiler/codegen/dump.h"

#include <stdio.h>
#include <stdlib.h>

bool mr_dump_wanted(void) {
  const char *folder = getenv("MILLRACE_DUMP");
  return folder && *folder;
}

void mr_dump_text(const char *name, const char *suffix, const char *text, size_t size) {
  if (!mr_dump_wanted()) {
    return;
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", getenv("MILLRACE_DUMP"), name, suffix);
  FILE *file = fopen(path, "w");
  if (!file) {
    return;
  }
  fwrite(text, 1, size, file);
  fclose(file);
}
