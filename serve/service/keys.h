// Inside service/: what sv_service_allow() asks the keys.
#ifndef SV_KEYS_H
#define SV_KEYS_H

#include "serve/service/service.h"

// The request shows `key` (empty: none) or comes over a connection whose client certificate is `identity`'s (NULL: none).
sv_error *sv_keys_allow(sv_keys *keys, sv_right right, sv_str key, const char *identity);

#endif
