// The page for people: what there is, a form to try a model, and live charts, over the protocol's own endpoints.
#ifndef SV_PAGE_H
#define SV_PAGE_H

#include "serve/http/http.h"
#include "serve/service/service.h"

// GET / and what lies under /page/.
void sv_page_answer(sv_service *service, sv_exchange *exchange, sv_str path);

#endif
