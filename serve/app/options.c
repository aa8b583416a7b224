// The command line: one table for what is read and what --help says.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "serve/app/options.h"

typedef enum kind { FLAG, NUMBER, TEXT, PLACES, NAMES } kind;

static const struct option {
  const char *name, *what, *help;
  kind kind;
  size_t at;
  uint64_t least, most;
} options[] = {
#define AT(field) offsetof(sv_options, field)
    {"--listen", "PLACE",
     "where: HOST:PORT, [IPv6]:PORT (port 0: any), unix:PATH, fd:N; again for more\n(127.0.0.1:8000)", PLACES, 0, 0, 0},
    {"--model", "NAME", "serve this model alone; again for more; others come by request (--control)", NAMES, 0, 0, 0},
    {"--no-models", NULL, "begin with none: models come by request", FLAG, AT(none), 0, 0},
    {"--watch", NULL, "load what changes in the folders by itself", FLAG, AT(watch), 0, 0},
    {"--control", NULL, "let clients on this machine load and unload models", FLAG, AT(control), 0, 0},
    {"--control-from-anywhere", NULL,
     "let all clients do so; with --keys those alone whose key has the right,\nwherever they are, and --control is "
     "enough",
     FLAG, AT(control_is_open), 0, 0},
    {"--shared-memory", NULL, "let clients on this machine register system shared memory", FLAG, AT(shared_memory), 0,
     0},
    {"--keys", "FILE", "API keys: lines of KEY RIGHTS QUOTA NAME (docs/serving.md)", TEXT, AT(keys_path), 0, 0},
    {"--certificate", "FILE", "TLS: the server's certificate chain (PEM)", TEXT, AT(certificate_path), 0, 0},
    {"--private-key", "FILE", "TLS: its private key (PEM)", TEXT, AT(key_path), 0, 0},
    {"--client-ca", "FILE", "TLS: clients must show a certificate that this signed", TEXT, AT(client_ca_path), 0, 0},
    {"--access-log", "FILE", "a JSON line for each request; -: standard error", TEXT, AT(access_path), 0, 0},
    {"--access-sample", "N", "write one of N requests, and all that fail (1)", NUMBER, AT(access_sample), 1,
     UINT32_MAX},
    {"--loops", "N", "threads that speak with clients (one a core, 16 at most)", NUMBER, AT(loops), 1, 256},
    {"--executions", "N", "executions at once that are spread over the cores (2)", NUMBER, AT(executions), 1, 1024},
    {"--queue", "N", "requests that may wait for a model whose configuration says nothing (10000)", NUMBER, AT(queue),
     1, UINT32_MAX},
    {"--max-body", "BYTES", "of a request, also inflated (67108864)", NUMBER, AT(body_bytes), 1024, (uint64_t)1 << 40},
    {"--max-in-flight", "BYTES", "of all requests and answers; above it connections are not read (1073741824)", NUMBER,
     AT(bytes_in_flight), 1 << 20, (uint64_t)1 << 50},
    {"--max-connections", "N", "above it none are accepted (4096)", NUMBER, AT(connections), 1, 1 << 20},
    {"--max-streams", "N", "gRPC calls at once, a connection (128)", NUMBER, AT(streams), 1, 1 << 20},
    {"--header-timeout", "S", "seconds for a request's head (10)", NUMBER, AT(header_timeout_s), 1, 86400},
    {"--idle-timeout", "S", "seconds between two requests (75)", NUMBER, AT(idle_timeout_s), 1, 86400},
    {"--stall-timeout", "S", "seconds without a byte of a body, or of an answer taken (30)", NUMBER,
     AT(stall_timeout_s), 1, 86400},
    {"--drain", "S", "seconds that requests have to end when the server is to (30)", NUMBER, AT(drain_s), 0, 86400},
    {"--drain-delay", "S", "seconds between not being ready and closing the door (0)", NUMBER, AT(drain_delay_s), 0,
     3600},
    {"--version", NULL, "print the version", FLAG, AT(version), 0, 0},
    {"--help", NULL, "print this", FLAG, AT(help), 0, 0},
#undef AT
};
enum { NUM_OPTIONS = sizeof options / sizeof options[0] };

// Where KServe's runtimes put the one model that they were given.
static const char MOUNTED[] = "/mnt/models";

void sv_options_help(sv_text *out) {
  sv_text_puts(
      out,
      "usage: millrace serve [OPTION]... ROOT...\n\n"
      "Serves the models in the folders by the Open Inference Protocol (KServe v2), over HTTP and gRPC on one port.\n"
      "Without a folder /mnt/models is taken, where there is one.\n\n"
      "  ROOT/MODEL/1/model.mlirbc   a program that jax.export wrote; ROOT/MODEL/config.json says more\n"
      "  ROOT/x.mlirbc               model x, version 1\n\n");
  for (int i = 0; i < NUM_OPTIONS; i++) {
    char head[64];
    snprintf(head, sizeof head, "%s%s%s", options[i].name, options[i].what ? " " : "",
             options[i].what ? options[i].what : "");
    sv_text_addf(out, "  %-26s ", head);
    for (const char *c = options[i].help; *c; c++) {
      sv_text_putc(out, *c);
      if (*c == '\n') {
        sv_text_addf(out, "  %-26s ", "");
      }
    }
    sv_text_putc(out, '\n');
  }
  sv_text_puts(out, "\nSignals: TERM and INT end it (again: at once), HUP looks at folders, keys, certificates and the "
                    "log's file again.\n");
}

static sv_error *add(const char **list, uint32_t *count, uint32_t most, const char *text, const char *what) {
  if (*count == most) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "more than %u of %s", most, what);
  }
  list[(*count)++] = text;
  return NULL;
}

static sv_error *set(const struct option *option, const char *value, sv_options *out) {
  void *place = (char *)out + option->at;
  switch (option->kind) {
  case FLAG: *(bool *)place = true; return NULL;
  case TEXT: *(const char **)place = value; return NULL;
  case PLACES: return add(out->places, &out->num_places, SV_MOST_PLACES, value, option->name);
  case NAMES: return add(out->names, &out->num_names, SV_MOST_NAMES, value, option->name);
  case NUMBER: break;
  }
  uint64_t number;
  if (!sv_str_number(sv_str_of(value), option->most, &number) || number < option->least) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "%s is '%s', wanted a number from %llu to %llu", option->name, value,
                     (unsigned long long)option->least, (unsigned long long)option->most);
  }
  *(uint64_t *)place = number;
  return NULL;
}

static const struct option *find(const char *name, size_t size) {
  for (int i = 0; i < NUM_OPTIONS; i++) {
    if (strlen(options[i].name) == size && memcmp(options[i].name, name, size) == 0) {
      return &options[i];
    }
  }
  return NULL;
}

static sv_error *read_all(int argc, char **argv, sv_options *out) {
  for (int i = 1; i < argc; i++) {
    const char *word = argv[i];
    if (word[0] != '-' || !word[1]) {
      SV_TRY(add(out->roots, &out->num_roots, SV_MOST_ROOTS, word, "folders"));
      continue;
    }
    const char *equals = strchr(word, '=');
    const struct option *option = find(word, equals ? (size_t)(equals - word) : strlen(word));
    if (!option) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, "'%s' is no option (millrace serve --help)", word);
    }
    const char *value = equals ? equals + 1 : option->kind != FLAG && i + 1 < argc ? argv[++i] : NULL;
    if ((option->kind == FLAG) != !value) {
      return sv_errorf(MILLRACE_INVALID_ARGUMENT, option->kind == FLAG ? "%s takes no value" : "%s needs a value",
                       option->name);
    }
    SV_TRY(set(option, value, out));
  }
  return NULL;
}

static sv_error *check(sv_options *out) {
  if (!out->num_roots && access(MOUNTED, F_OK) == 0) {
    out->roots[out->num_roots++] = MOUNTED;
  }
  if (!out->num_roots) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "which folder? (millrace serve --help)");
  }
  if (!out->certificate_path != !out->key_path || (out->client_ca_path && !out->key_path)) {
    return sv_errorf(MILLRACE_INVALID_ARGUMENT, "TLS takes --certificate and --private-key");
  }
  if (!out->num_places) {
    out->places[out->num_places++] = "127.0.0.1:8000";
  }
  if (!out->loops) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    out->loops = cores < 1 ? 1 : cores > 16 ? 16 : (uint64_t)cores;
  }
  return NULL;
}

sv_error *sv_options_parse(int argc, char **argv, sv_options *out) {
  *out = (sv_options){.access_sample = 1,
                      .body_bytes = 64 << 20,
                      .bytes_in_flight = 1 << 30,
                      .connections = 4096,
                      .streams = 128,
                      .header_timeout_s = 10,
                      .idle_timeout_s = 75,
                      .stall_timeout_s = 30,
                      .drain_s = 30};
  SV_TRY(read_all(argc, argv, out));
  return out->help || out->version ? NULL : check(out);
}
