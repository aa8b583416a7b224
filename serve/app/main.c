// millrace serve: the process. Threads of the server do the work; this one waits for signals.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "serve/app/server.h"
#include "serve/app/systemd.h"

// The end of one of these seconds, or a signal: 0 when none came.
static int wait_for_signal(const sigset_t *signals, uint64_t ns) {
  struct timespec wait = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
  int signal_number = sigtimedwait(signals, NULL, &wait);
  return signal_number > 0 ? signal_number : 0;
}

static void serve(sv_server *server, const sigset_t *signals) {
  const uint64_t watchdog_ns = sv_systemd_watchdog_ns(), wait_ns = watchdog_ns ? watchdog_ns : 3600000000000u;
  for (;;) {
    int signal_number = wait_for_signal(signals, wait_ns);
    if (signal_number == SIGHUP) {
      sv_server_reload(server);
    } else if (signal_number) {
      return;
    }
    if (watchdog_ns) {
      sv_systemd_tell("WATCHDOG=1");
    }
  }
}

// A second signal ends the process at once.
static void pause_for(const sigset_t *signals, uint64_t ns) {
  int signal_number = wait_for_signal(signals, ns);
  if (signal_number && signal_number != SIGHUP) {
    fprintf(stderr, "millrace serve: ended at once\n");
    _exit(128 + signal_number);
  }
}

static void end(sv_server *server, const sv_options *options, const sigset_t *signals) {
  sv_server_begin_end(server);
  if (options->drain_delay_s) {
    pause_for(signals, options->drain_delay_s * 1000000000u);
  }
  sv_server_close_doors(server);
  const uint64_t until = sv_now_ns() + options->drain_s * 1000000000u;
  while (!sv_server_is_idle(server) && sv_now_ns() < until) {
    pause_for(signals, 5000000);
  }
  sv_server_release(server);
}

int main(int argc, char **argv) {
  sv_options options;
  sv_error *error = sv_options_parse(argc, argv, &options);
  if (!error && (options.help || options.version)) {
    sv_text text = {0};
    if (options.help) {
      sv_options_help(&text);
    } else {
      sv_text_puts(&text, "millrace serve " SV_VERSION "\n");
    }
    fwrite(text.data, 1, text.size, stdout);
    sv_text_free(&text);
    return 0;
  }
  // Before any thread is there, so that all of them have it from this one.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  signal(SIGPIPE, SIG_IGN);
  sv_server *server = NULL;
  error = error ? error : sv_server_start(&options, &server);
  if (error) {
    fprintf(stderr, "millrace serve: %s\n", sv_error_message(error));
    int code = sv_error_code(error) == MILLRACE_INVALID_ARGUMENT ? 2 : 1;
    sv_error_free(error);
    return code;
  }
  serve(server, &signals);
  end(server, &options, &signals);
  return 0;
}
