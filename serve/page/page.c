// Hands out the page's files, which are built into the program (embed.cmake).
#include "serve/page/page.h"

#include "serve/page/files.h"

// Nothing from anywhere else, no inline scripts, in nobody's frame.
static const char HEADERS[] = "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                              "connect-src 'self'; img-src 'self'; "
                              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
                              "X-Content-Type-Options: nosniff\r\n"
                              "Referrer-Policy: no-referrer\r\n"
                              "Cache-Control: no-cache\r\n";

void sv_page_answer(sv_service *service, sv_exchange *exchange, sv_str path) {
  (void)service;
  for (const sv_page_file *file = sv_page_files; file->path; file++) {
    if (sv_str_is(path, file->path)) {
      sv_piece piece = {file->data, file->size};
      sv_exchange_answer(exchange, &(sv_answer){.status = 200,
                                                .content_type = file->type,
                                                .json_size = -1,
                                                .headers = HEADERS,
                                                .pieces = &piece,
                                                .num_pieces = 1});
      return;
    }
  }
  sv_exchange_fail(exchange, sv_errorf(MILLRACE_NOT_FOUND, "there is nothing at '%.*s'",
                                       (int)(path.size < 200 ? path.size : 200), path.data));
}
