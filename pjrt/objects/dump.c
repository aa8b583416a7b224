#include "pjrt/objects/dump.h"

#include <ctype.h>
#include <errno.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "compiler/writer/writer.h"

// Numbers the programs of a process that are dumped; relaxed, it orders nothing.
static _Atomic(uint32_t) modules;

// The module's, as far as it may be part of a file's name.
static void name_of(const mr_module *module, char *out, size_t size) {
  size_t used = 0;
  for (; used < module->name.size && used + 1 < size; used++) {
    char c = module->name.data[used];
    if (!isalnum((unsigned char)c) && c != '_' && c != '.' && c != '-') {
      break;
    }
    out[used] = c;
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

// Between two lines that say which file it would be, as XLA writes them, in one piece also where threads compile.
static mr_status print(const mr_pjrt_dump *self, const char *suffix, const mr_text *text) {
  flockfile(stdout);
  bool written = fprintf(stdout, "*** Begin %s%s ***\n", self->start, suffix) > 0 &&
                 fwrite(text->data, 1, text->size, stdout) == text->size &&
                 fprintf(stdout, "\n*** End %s%s ***\n", self->start, suffix) > 0 && !fflush(stdout);
  funlockfile(stdout);
  return written ? MR_OK : cannot("write", "standard output");
}

// The forms that are wanted; `stage` is what the file's name says of the program.
static mr_status write_forms(const mr_pjrt_dump *self, const char *stage, const mr_text *text, const mr_text *hlo) {
  char suffix[64];
  snprintf(suffix, sizeof suffix, ".%s.txt", stage);
  if (self->text) {
    MR_TRY(self->printed ? print(self, suffix, text) : write_file(self, suffix, text));
  }
  snprintf(suffix, sizeof suffix, ".%s.hlo.pb", stage);
  return self->hlo ? write_file(self, suffix, hlo) : MR_OK;
}

static bool wants_text(const mr_pjrt_options *options) {
  static const char name[] = "xla_dump_hlo_as_text";
  return mr_pjrt_options_flag(options, name, options->dump_text || mr_pjrt_flag_on(name, false));
}

static bool wants_hlo(const mr_pjrt_options *options) {
  static const char name[] = "xla_dump_hlo_as_proto";
  return mr_pjrt_options_flag(options, name, options->dump_proto || mr_pjrt_flag_on(name, false));
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
  if (mr_pjrt_flag("xla_dump_to", out) && *out) {
    return true;
  }
  // Text without a place for it goes to standard output.
  snprintf(out, MR_PJRT_FLAG_SIZE, "-");
  return wants_text(options);
}

// Whether XLA_FLAGS want programs of that name: all, or those in which a regular expression is found.
static mr_status is_wanted(const char *name, bool *out_wanted) {
  char pattern[MR_PJRT_FLAG_SIZE];
  *out_wanted = true;
  if (!mr_pjrt_flag("xla_dump_hlo_module_re", pattern) || *pattern == '\0') {
    return MR_OK;
  }
  regex_t expression;
  if (regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB)) {
    return mr_error(MR_INVALID_ARGUMENT, "--xla_dump_hlo_module_re in XLA_FLAGS is \"%s\", wanted a regular expression",
                    pattern);
  }
  *out_wanted = regexec(&expression, name, 0, NULL, 0) == 0;
  regfree(&expression);
  return MR_OK;
}

// Where the files' names begin; "" for a program that is not wanted.
static mr_status name_files(mr_pjrt_dump *self, const mr_module *module) {
  char name[256];
  bool wanted;
  name_of(module, name, sizeof name);
  MR_TRY(is_wanted(name, &wanted));
  if (wanted) {
    uint32_t number = atomic_fetch_add_explicit(&modules, 1, memory_order_relaxed);
    snprintf(self->start, sizeof self->start, "%s%smodule_%04u.%s", self->printed ? "" : self->folder,
             self->printed ? "" : "/", number, name);
  }
  return MR_OK;
}

// HLO is written of what is well formed alone.
static mr_status dump(const mr_pjrt_dump *self, const char *stage, const mr_module *module, bool is_local) {
  const mr_hlo_form form = {.outer = MR_HLO_PROGRAM, .is_local = is_local};
  mr_text text = {0}, hlo = {0};
  if (self->text) {
    mr_module_print(module, &text);
  }
  mr_status status = text.failed ? MR_NO_MEMORY() : MR_OK;
  status = status || !self->hlo ? status : mr_module_verify(module);
  status = status || !self->hlo ? status : mr_write_hlo(module, &form, &hlo);
  status = status ? status : write_forms(self, stage, &text, &hlo);
  mr_text_deinit(&text);
  mr_text_deinit(&hlo);
  return status;
}

void mr_pjrt_dump_begin(mr_pjrt_dump *self, const mr_pjrt_options *options) {
  *self = (mr_pjrt_dump){.printed = false};
  if (!find_folder(options, self->folder)) {
    self->folder[0] = '\0';
    return;
  }
  self->printed = strcmp(self->folder, "-") == 0;
  self->hlo = wants_hlo(options) && !self->printed;
  self->text = wants_text(options) || !wants_hlo(options);
}

mr_status mr_pjrt_dump_before(mr_pjrt_dump *self, const mr_module *module) {
  MR_TRY(self->folder[0] ? name_files(self, module) : MR_OK);
  if (self->start[0] == '\0') {
    return MR_OK;
  }
  MR_TRY(self->printed ? MR_OK : make_folders(self->folder));
  return dump(self, "before_optimizations", module, false);
}

mr_status mr_pjrt_dump_after(const mr_pjrt_dump *self, const mr_module *module) {
  return self->start[0] ? dump(self, "cpu_after_optimizations", module, true) : MR_OK;
}
