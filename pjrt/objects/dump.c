#include "pjrt/objects/dump.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "pjrt/proto/flags.h"

// Numbers the programs of a process; relaxed, it orders nothing.
static _Atomic(uint32_t) modules;

// "module @name ...", as far as it may be part of a file's name.
static void name_of(const mr_text *text, char *out, size_t size) {
  static const char start[] = "module @";
  size_t used = 0;
  if (text->size > sizeof start && memcmp(text->data, start, sizeof start - 1) == 0) {
    for (const char *at = text->data + sizeof start - 1; used + 1 < size; at++) {
      if (!isalnum((unsigned char)*at) && *at != '_' && *at != '.' && *at != '-') {
        break;
      }
      out[used++] = *at;
    }
  }
  snprintf(out + used, size - used, "%s", used ? "" : "main");
}

static mr_status cannot(const char *what, const char *path) {
  return mr_error(MR_UNAVAILABLE, "xla_dump_to: cannot %s %s: %s", what, path, strerror(errno));
}

static mr_status make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
    if (slash) {
      *slash = '\0';
    }
    if (mkdir(path, 0777) && errno != EEXIST) {
      return cannot("make", path);
    }
    if (slash == NULL) {
      return MR_OK;
    }
    *slash = '/';
  }
}

static mr_status write_file(const mr_pjrt_dump *self, const char *suffix, const mr_text *text) {
  char path[sizeof self->start + 64];
  snprintf(path, sizeof path, "%s%s", self->start, suffix);
  FILE *file = fopen(path, "we");
  if (file == NULL) {
    return cannot("open", path);
  }
  bool written = fwrite(text->data, 1, text->size, file) == text->size;
  written = !fclose(file) && written;
  return written ? MR_OK : cannot("write", path);
}

// An option of this program, by name or in its message, else what XLA_FLAGS says.
static bool find_folder(const mr_pjrt_options *options, char *out) {
  for (size_t i = options->override_count; i > 0; i--) {
    const mr_pjrt_override *override = &options->overrides[i - 1];
    if (mr_str_is(override->key, "xla_dump_to")) {
      snprintf(out, MR_PJRT_FLAG_SIZE, "%.*s", MR_STR_ARG(override->string));
      return override->string.size > 0;
    }
  }
  if (options->dump_to.size > 0) {
    snprintf(out, MR_PJRT_FLAG_SIZE, "%.*s", MR_STR_ARG(options->dump_to));
    return true;
  }
  return mr_pjrt_flag("xla_dump_to", out) && *out;
}

mr_status mr_pjrt_dump_before(mr_pjrt_dump *self, mr_span program, const mr_pjrt_options *options) {
  char folder[MR_PJRT_FLAG_SIZE], name[256];
  self->start[0] = '\0';
  if (!find_folder(options, folder)) {
    return MR_OK;
  }
  MR_TRY(make_folders(folder));
  mr_text text = {0};
  mr_status status = mr_program_text(program, &text);
  if (!status) {
    name_of(&text, name, sizeof name);
    snprintf(self->start, sizeof self->start, "%s/module_%04u.%s", folder,
             atomic_fetch_add_explicit(&modules, 1, memory_order_relaxed), name);
    status = write_file(self, ".before_optimizations.txt", &text);
  }
  mr_text_deinit(&text);
  return status;
}

mr_status mr_pjrt_dump_after(const mr_pjrt_dump *self, mr_span program, const mr_compile_options *options) {
  if (self->start[0] == '\0') {
    return MR_OK;
  }
  mr_text text = {0};
  mr_status status = mr_optimized_program(program, options, &text);
  status = status ? status : write_file(self, ".cpu_after_optimizations.txt", &text);
  mr_text_deinit(&text);
  return status;
}
