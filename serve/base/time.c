// Clocks.
#include <stdio.h>
#include <time.h>

#include "serve/base/base.h"

uint64_t sv_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t sv_wall_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000u + (uint64_t)now.tv_nsec / 1000000u;
}

void sv_wall_text(uint64_t wall_ms, char out[25]) {
  time_t seconds = (time_t)(wall_ms / 1000);
  struct tm parts;
  char text[64];  // longer than any year makes it
  gmtime_r(&seconds, &parts);
  snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900, parts.tm_mon + 1,
           parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, (int)(wall_ms % 1000));
  snprintf(out, 25, "%.24s", text);
}
