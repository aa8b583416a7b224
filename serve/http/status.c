// HTTP's numbers.
#include "serve/http/http.h"

int sv_http_status(millrace_code code) {
  switch (code) {
  case MILLRACE_OK: return 200;
  case MILLRACE_INVALID_ARGUMENT:
  case MILLRACE_FAILED_PRECONDITION:
  case MILLRACE_OUT_OF_RANGE: return 400;
  case MILLRACE_UNAUTHENTICATED: return 401;
  case MILLRACE_PERMISSION_DENIED: return 403;
  case MILLRACE_NOT_FOUND: return 404;
  case MILLRACE_ALREADY_EXISTS:
  case MILLRACE_ABORTED: return 409;
  case MILLRACE_RESOURCE_EXHAUSTED: return 429;
  case MILLRACE_CANCELLED: return 499;  // nginx's number for a client that went
  case MILLRACE_UNIMPLEMENTED: return 501;
  case MILLRACE_UNAVAILABLE: return 503;
  case MILLRACE_DEADLINE_EXCEEDED: return 504;
  default: return 500;
  }
}

const char *sv_http_reason(int status) {
  static const struct {
    int status;
    const char *reason;
  } reasons[] = {
      {200, "OK"},
      {204, "No Content"},
      {304, "Not Modified"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {413, "Content Too Large"},
      {414, "URI Too Long"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {429, "Too Many Requests"},
      {431, "Request Header Fields Too Large"},
      {499, "Client Closed Request"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {504, "Gateway Timeout"},
      {505, "HTTP Version Not Supported"},
  };
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
    if (reasons[i].status == status) {
      return reasons[i].reason;
    }
  }
  return "Unknown";
}
