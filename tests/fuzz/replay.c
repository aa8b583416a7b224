// Runs a fuzz target over every file of the folders and files named on the command line: what the fuzzer once found
// stays found.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  uint8_t *data = NULL;
  size_t size = 0, capacity = 0;
  for (;;) {
    if (size == capacity) {
      capacity = capacity ? capacity * 2 : 4096;
      data = realloc(data, capacity);
      if (!data) {
        abort();
      }
    }
    size_t got = fread(data + size, 1, capacity - size, file);
    if (got == 0) {
      break;
    }
    size += got;
  }
  fclose(file);
  // An exact-sized copy, so that reading one byte too many is caught.
  uint8_t *exact = malloc(size ? size : 1);
  if (!exact) {
    abort();
  }
  memcpy(exact, data, size);
  free(data);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 0;
}

static int replay(const char *path, int *count) {
  struct stat info;
  if (stat(path, &info) != 0) {
    return 0;  // a target without a corpus yet
  }
  if (!S_ISDIR(info.st_mode)) {
    (*count)++;
    return replay_file(path);
  }
  DIR *folder = opendir(path);
  if (!folder) {
    return 1;
  }
  int failed = 0;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') {
      continue;
    }
    char child[4096];
    snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
    failed |= replay(child, count);
  }
  closedir(folder);
  return failed;
}

int main(int argc, char **argv) {
  int failed = 0, count = 0;
  for (int i = 1; i < argc; i++) {
    failed |= replay(argv[i], &count);
  }
  printf("replayed %d inputs\n", count);
  return failed;
}
